"""The same number on every machine: digests of all results, under different linear algebra and vector instructions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from numpy._core import _multiarray_umath as numpys

from tests.digests import digests as of_this_process

ROOT = Path(__file__).resolve().parents[2]


def without(*kept: str) -> dict[str, str]:
    """The setting that switches off NumPy's vector instructions beyond those kept."""
    features = [name for name in numpys.__cpu_dispatch__ if numpys.__cpu_features__[name] and name not in kept]
    return {"NPY_DISABLE_CPU_FEATURES": " ".join(features)} if features else {}


#: OpenBLAS's kernels by processor; NumPy without AVX-512, without AVX2; the C library without fused multiplication.
SETTINGS = {
    "Haswell, no AVX-512, one thread": {
        "OPENBLAS_CORETYPE": "Haswell",
        "OPENBLAS_NUM_THREADS": "1",
        **without("X86_V3", "AVX2", "FMA3"),
    },
    "SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "Nehalem, no AVX2, no fused multiplication": {
        "OPENBLAS_CORETYPE": "Nehalem",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA",
        **without(),
    },
}

#: Instructions in OpenBLAS's kernels, by NumPy's names: a processor without them ends the process (SIGILL).
INSTRUCTIONS = {
    "Nehalem": ("SSE3", "SSSE3", "SSE41", "SSE42"),
    "Haswell": ("AVX", "AVX2", "FMA3"),
    "SkylakeX": ("AVX", "AVX2", "FMA3", "AVX512F", "AVX512CD", "AVX512BW", "AVX512DQ", "AVX512VL"),
}


def missing_instructions(setting: dict[str, str], features: Mapping[str, bool]) -> list[str]:
    """Instructions that a setting's kernels need and a processor with these features does not have."""
    return [name for name in INSTRUCTIONS[setting["OPENBLAS_CORETYPE"]] if not features.get(name, False)]


def imitations(features: Mapping[str, bool]) -> list[Any]:
    """All settings as parameters of a test; those that the processor cannot run are skipped, with the reason."""
    parameters = []
    for name, setting in SETTINGS.items():
        missing = missing_instructions(setting, features)
        why = f"{name} left out: this processor has no {', '.join(missing)}"
        parameters.append(pytest.param(name, marks=[pytest.mark.skip(reason=why)] if missing else [], id=name))
    return parameters


def digests(setting: dict[str, str]) -> dict[str, str]:
    """By item, of a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.digests"],
        cwd=ROOT,
        env={**os.environ, **setting},
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def here() -> dict[str, str]:
    """Of this process, as the machine sets it up and after whatever else it has computed."""
    return of_this_process()


@pytest.mark.parametrize("setting", imitations(numpys.__cpu_features__))
def test_every_result_is_the_same_to_the_last_bit(setting: str, here: dict[str, str]):
    there = digests(SETTINGS[setting])
    assert there.keys() == here.keys()
    different = [item for item in here if here[item] != there[item]]
    assert different == []


EPYC = dict.fromkeys(("SSE3", "SSSE3", "SSE41", "SSE42", "AVX", "AVX2", "FMA3"), True) | {"AVX512F": False}


def test_imitations_need_their_instructions():
    def left_out(features: Mapping[str, bool]) -> dict[str, str]:
        return {one.id: one.marks[0].kwargs["reason"] for one in imitations(features) if one.marks}

    assert left_out(EPYC) == {
        "SkylakeX": "SkylakeX left out: this processor has no AVX512F, AVX512CD, AVX512BW, AVX512DQ, AVX512VL"
    }
    skylake = EPYC | dict.fromkeys(("AVX512F", "AVX512CD", "AVX512BW", "AVX512DQ", "AVX512VL"), True)
    assert left_out(skylake) == {}
    assert list(left_out(skylake | {"AVX512VL": False})) == ["SkylakeX"]
    assert list(left_out(EPYC | {"AVX2": False})) == ["Haswell, no AVX-512, one thread", "SkylakeX"]
    assert set(left_out({"NEON": True})) == set(SETTINGS)
    known = numpys.__cpu_features__.keys()
    assert all(name in known for names in INSTRUCTIONS.values() for name in names)
    # what a process is started with is what was asked about
    assert {setting["OPENBLAS_CORETYPE"] for setting in SETTINGS.values()} == set(INSTRUCTIONS)
