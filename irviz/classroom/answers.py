"""``answer.json``: what a student hands in, written and read; nothing of it is believed but its texts.

It holds the last view, the prediction, a few words, and a name where one was given.
Whether the condition is met is not in it: that is computed from the view.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from irviz.errors import IrvizError
from irviz.links.text import shown
from irviz.links.view import View

_KIND, _VERSION = "answer", 1
LARGEST_ANSWER = 64 * 1024  #: bytes of a file
_LONGEST = {"name": 120, "text": 4_000}  #: characters


@dataclass(frozen=True)
class Answer:
    """What one student hands in.

    Attributes
    ----------
    view : View
        Where they ended.
    prediction : float or None
        What they answered to the exercise's question before they moved anything.
    text, name : str
    """

    view: View
    prediction: float | None = None
    text: str = ""
    name: str = ""

    @property
    def seed(self) -> str:
        """The seed of a quiz or of drawn numbers, where the view names one."""
        return self.view.values.get("seed", "")

    @property
    def predictions(self) -> dict[str, str]:
        """What was predicted: to the exercise's question, and at each step of the lab.

        >>> Answer(View.of("lab_scales", guess="1:b/2:0.8"), prediction=0.5).predictions
        {'exercise': '0.5', 'step 1': 'b', 'step 2': '0.8'}
        """
        asked = {} if self.prediction is None else {"exercise": f"{self.prediction:g}"}
        parts = (part.partition(":") for part in self.view.values.get("guess", "").split("/"))
        return asked | {f"step {step}": guess for step, colon, guess in parts if colon and step and guess}


def write_answer(answer: Answer) -> bytes:
    """The file to download."""
    content = {
        "irviz": _KIND,
        "version": _VERSION,
        "name": answer.name[: _LONGEST["name"]],
        "text": answer.text[: _LONGEST["text"]],
        "prediction": answer.prediction,
        "predictions": answer.predictions,
        "seed": answer.seed,
        "view": json.loads(answer.view.to_json()),
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def read_answer(file: str, data: bytes) -> Answer:
    """The answer in a file; an :class:`IrvizError` that names the file where it holds none."""
    try:
        return _answer(data)
    except IrvizError as error:
        raise IrvizError(f"`{shown(file)}`: {error}") from error


def _answer(data: bytes) -> Answer:
    if len(data) > LARGEST_ANSWER:
        raise IrvizError(f"it has {len(data):,} bytes; an answer has at most {LARGEST_ANSWER:,}.")
    try:
        read = json.loads(data.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise IrvizError("it is not JSON in UTF-8. Use the file from *Download answer*.") from error
    if not isinstance(read, dict) or read.get("irviz") != _KIND:
        raise IrvizError("it is not an answer of irviz. Use the file from *Download answer*.")
    if read.get("version") != _VERSION or isinstance(read.get("version"), bool):
        raise IrvizError(
            f"it is an answer of version {shown(str(read.get('version')), 20)}; this irviz reads {_VERSION}."
        )
    view = View.from_json(json.dumps(read.get("view")))
    return Answer(view, _prediction(read.get("prediction")), _text(read, "text"), _text(read, "name"))


def _no_number(word: str) -> float:
    raise ValueError(word)


def _prediction(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise IrvizError(f"its prediction, {shown(str(value), 20)}, is not a number.")
    if not abs(value) <= 1e15 or not math.isfinite(value):
        raise IrvizError("its prediction is beyond ±1e15.")
    return float(value)


def _text(read: dict[str, Any], name: str) -> str:
    text = read.get(name, "")
    if not isinstance(text, str):
        raise IrvizError(f"its {name} is not text.")
    if len(text) > _LONGEST[name]:
        raise IrvizError(f"its {name} has {len(text):,} characters; at most {_LONGEST[name]:,} are read.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise IrvizError(f"its {name} contains halves of characters, which are not valid text.") from error
    return text
