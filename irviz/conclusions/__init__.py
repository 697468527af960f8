"""Would the conclusion change?  Claims about systems in every reasonable world."""

from __future__ import annotations

from irviz.conclusions.choices.worlds import Worlds, worlds
from irviz.conclusions.multiverse import Conclusion, conclusion

__all__ = ["Conclusion", "Worlds", "conclusion", "worlds"]
