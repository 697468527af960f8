"""The same number on every machine: digests of all results, under different linear algebra and vector instructions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numpy._core import _multiarray_umath as numpys

ROOT = Path(__file__).resolve().parents[2]


def without(*kept: str) -> dict[str, str]:
    """The setting that switches off NumPy's vector instructions beyond those kept."""
    features = [name for name in numpys.__cpu_dispatch__ if numpys.__cpu_features__[name] and name not in kept]
    return {"NPY_DISABLE_CPU_FEATURES": " ".join(features)} if features else {}


#: OpenBLAS's kernels by processor; NumPy without AVX-512, without AVX2; the C library without fused multiplication.
SETTINGS = {
    "Haswell, no AVX-512": {"OPENBLAS_CORETYPE": "Haswell", **without("X86_V3", "AVX2", "FMA3")},
    "SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "Nehalem, no AVX2": {"OPENBLAS_CORETYPE": "Nehalem", **without()},
    "Prescott, no fused multiplication": {
        "OPENBLAS_CORETYPE": "Prescott",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA",
    },
    "Zen, one thread": {"OPENBLAS_CORETYPE": "Zen", "OPENBLAS_NUM_THREADS": "1"},
}


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
    return digests({})


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_result_is_the_same_to_the_last_bit(setting: str, here: dict[str, str]):
    there = digests(SETTINGS[setting])
    assert there.keys() == here.keys()
    different = [item for item in here if here[item] != there[item]]
    assert different == []
