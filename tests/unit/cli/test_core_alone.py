"""irviz without its dashboard: what `pip install irviz` has scores and concludes, and imports nothing else."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

BARE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
from irviz.cli.main import main
sys.exit(main({words}))
"""
APP = ("streamlit", "plotly", "segno", "tornado", "starlette")


def core(*words: str, absent: tuple[str, ...] = APP) -> subprocess.CompletedProcess[str]:
    code = BARE.format(absent=absent, words=json.dumps(words))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_the_core_scores_and_concludes():
    given = ["--collection", "multiaspect", "--measures", "AP,nDCG@10"]
    ended = core("score", *given, absent=(*APP, "scipy", "joblib"))
    assert ended.returncode == 0, ended.stderr
    header, first, *_ = ended.stdout.splitlines()
    assert header == "measure,topic,system,score"
    few = ["--test", "t", "--family", "pair", "--average", "mean", "--trials", "20", "--part", "summary"]
    ended = core("conclusion", f"`{first.split(',')[2]}` is best", *given, *few)
    assert (ended.returncode, ended.stdout.splitlines()[0]) == (0, "what,value"), ended.stderr


@pytest.mark.parametrize("words", [["app"], ["render", "/scores"], ["findings", "--collection", "adhoc"]])
def test_what_needs_the_dashboard_says_how_to_install_it(words):
    ended = core(*words)
    lines = ended.stderr.splitlines()
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "is not installed. Install the dashboard and its figures: pip install 'irviz[app]'" in lines[0]


def test_the_version_is_said_without_numpy():
    assert core("--version", absent=("numpy", "pandas", "pyarrow")).stdout.startswith("irviz ")


def test_importing_irviz_brings_no_page_and_no_numpy():
    code = "import sys, irviz; print({'plotly', 'streamlit', 'irviz.menu', 'numpy'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_a_room_does_not_hide_the_function_of_its_name():
    import irviz
    import irviz.measures.catalogue  # sets irviz.measures, were it not the function

    assert "nDCG" in irviz.measures()
    assert set(irviz.__all__) <= set(dir(irviz))
