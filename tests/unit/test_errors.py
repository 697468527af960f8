"""A refusal is a sentence, however long what it quotes."""

from __future__ import annotations

import pytest

import irviz
from irviz.cli.main import main
from irviz.errors import LONGEST_MESSAGE, LONGEST_NAME, IrvizError, listed, unknown


def test_a_long_quotation_loses_its_middle() -> None:
    said = str(IrvizError(f"`{'x' * 100_000}` is no measure. Known: AP."))
    assert len(said) == LONGEST_MESSAGE
    assert said.startswith("`xxx")
    assert said.endswith("xxx` is no measure. Known: AP.")


def test_names_are_cut_one_by_one() -> None:
    assert len(listed(["a" * 5_000, "b"])) == LONGEST_NAME + len(" or b")
    said = str(unknown("measure", "N" * 100_000, ["AP"]))
    assert said == f"There is no measure `{'N' * 133}…{'N' * 66}`. Known: AP."


@pytest.mark.parametrize(
    "text", ["A" * 100_000, "AP(" * 30_000, f"nDCG(gains=[{'1,' * 40_000}])@10", f"P@{'9' * 9_999}"]
)
def test_a_long_expression(text: str) -> None:
    with pytest.raises(IrvizError) as caught:
        irviz.measure(text)
    assert len(str(caught.value)) <= LONGEST_MESSAGE


def test_names_do_not_steer_a_terminal(capsys, tmp_path, monkeypatch):
    name = "a\x1b[2J\x9b\u202e"
    assert str(IrvizError(name)) == "a\\x1b[2J\\x9b\\u202e"
    (tmp_path / "q").write_text("1 0 d 1\n")
    (tmp_path / name).write_text("1 Q0 d 1 2 x\n")
    words = ["score", "--qrels", str(tmp_path / "q"), "--runs", str(tmp_path / name), "--measures", "AP"]
    assert main(words) == 0 and "\x1b" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown and "a\\x1b[2J" in shown
    assert main([*words[:-1], "AP\x1b[2J"]) == 2 and "\x1b" not in capsys.readouterr().err


def test_a_dataset_is_named_by_text():
    with pytest.raises(IrvizError, match="named by text"):
        irviz.from_ir_datasets(None, [])
