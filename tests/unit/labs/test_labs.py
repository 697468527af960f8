"""What labs have in common: lists that are typed, and documents that are drawn."""

from __future__ import annotations

import re

import pytest

from irviz.errors import IrvizError
from irviz.labs.documents import squares
from irviz.labs.lab import Grades, NumberList

PLURALS = "documents|pairs|steps|topics|systems|scores|classes|orders|users|thresholds|measures|points|grades"
ILL = re.compile(
    rf"\bnan\b|\binf\b|\bNone\b|undefined|[-−]0(?:\.0+)?(?![\d.])|  | ,|\.\.|\(\)|(?<![\d.,:])1 (?:{PLURALS})\b"
)


@pytest.mark.parametrize(
    ("control", "read", "value", "refused"),
    [
        (
            Grades(name="grades", label="Grades", top=3, default=(1,)),
            ("2,0,1", "2 0 1", "201"),
            (2, 0, 1),
            {
                "": "it lists 0 grades; 1 to 15 can be given",
                "1,4": "the grade 4 does not lie between 0 and 3",
                "1,x": "`1,x` is not a list of grades such as 2,0,1,0,0",
            },
        ),
        (
            NumberList(name="s1", label="S1", length=3),
            ("0.1, 0.5 1",),
            (0.1, 0.5, 1.0),
            {
                "0.1,0.2": "it lists 2 numbers; 3 are needed",
                "0,1,2": "2 does not lie between 0 and 1",
                "a,b,c": "`a,b,c` is not a list of numbers such as 0.1,0.5,0.3",
                "nan,0,0": "nan does not lie between 0 and 1",
            },
        ),
    ],
)
def test_lists_are_read_written_and_refused(control, read, value, refused):
    assert {control.parse(text) for text in read} == {value} and control.parse(control.format(value)) == value
    for text, why in refused.items():
        with pytest.raises(IrvizError) as caught:
            control.parse(text)
        assert str(caught.value) == why


def test_documents_are_numbered_coloured_and_white_where_they_do_not_count():
    drawn = squares([1, 2, 3, 4], [0] * 4, (2, 0, 1, -1), 2, 20)
    assert drawn["text"][:3] == ["2", "0", "1"] and len(set(drawn["marker"]["color"])) == 4
    assert drawn["marker"]["color"][3] == "#FFFFFF"
