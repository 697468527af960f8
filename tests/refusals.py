"""What irviz says when it refuses something."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from irviz.errors import IrvizError


def refused(call: Callable[[], object]) -> str:
    """The sentence with which a call is refused."""
    with pytest.raises(IrvizError) as problem:
        call()
    return str(problem.value)
