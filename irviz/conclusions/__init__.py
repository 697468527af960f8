"""Would the conclusion change?  Claims about systems in every reasonable world."""

from __future__ import annotations

from irviz.conclusions.choices.worlds import Worlds, worlds
from irviz.conclusions.multiverse import Conclusion, conclusion
from irviz.conclusions.order import Undisputed, undisputed
from irviz.conclusions.sample_size import Power, power

__all__ = ["Conclusion", "Power", "Undisputed", "Worlds", "conclusion", "power", "undisputed", "worlds"]
