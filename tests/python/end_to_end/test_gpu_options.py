# SPDX-License-Identifier: Apache-2.0
"""Whose GPUs a build is for: options of CMake that cannot be, and devices of other builds."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import aureole as au
import pytest
from aureole.base.missing_libraries import words_for

ROOT = Path(__file__).parents[3]


def configure(folder: Path, *options: str) -> str:
    """What cmake/gpu.cmake says on standard error."""
    script = folder / "script.cmake"
    script.write_text(
        "cmake_minimum_required(VERSION 3.25)\n"
        f'set(CMAKE_SOURCE_DIR "{ROOT}")\ninclude("{ROOT}/cmake/gpu.cmake")\n'
    )
    words = ["cmake", *(f"-D{option}" for option in options), "-P", str(script)]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    return " ".join(run.stderr.split())


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not here")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["AUREOLE_GPU=rocm"],
            "AUREOLE_GPU=rocm is unknown (known: cuda, hip, emulated, OFF, AUTO). Choose one of "
            "these.",
        ),
        (
            ["AUREOLE_CUDA=ON", "AUREOLE_GPU=hip"],
            "AUREOLE_CUDA=ON and AUREOLE_GPU=hip contradict each other. Give AUREOLE_GPU alone, "
            "with -UAUREOLE_CUDA",
        ),
        (["AUREOLE_CUDA=OFF", "AUREOLE_GPU=cuda"], "contradict each other"),
        (["AUREOLE_GPU=hip", "AUREOLE_SANITIZE=thread"], "cannot go together (sanitizers watch"),
        (["AUREOLE_GPU=hip", "AUREOLE_HIP_COMPILER="], "AUREOLE_GPU=hip but there is no HIP"),
        (
            ["AUREOLE_GPU=hip", "AUREOLE_HIP_COMPILER=clang", "AUREOLE_HIP_INCLUDE="],
            "HIP's runtime is not here (hip/hip_runtime.h, libamdhip64.so). Install ROCm",
        ),
    ],
)
def test_options_that_cannot_be(tmp_path: Path, options: list[str], said: str) -> None:
    assert said in configure(tmp_path, *options)


def small(device: str) -> None:
    """A simulation of two particles on a device."""
    system = au.System(au.Box(10, 10, 10), [[0, 0, 0], [2, 0, 0]])
    au.Simulation(system, [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)], device=device)


@pytest.mark.parametrize("device", ["hip", "hip:9", "cuda:2", "gpu"])
def test_devices_of_other_builds(device: str) -> None:
    vendor = au._core.build_info()["gpu"]
    if vendor:
        pytest.skip(f"this build is for {vendor}")
    with pytest.raises(au.DeviceError) as caught:
        small(device)
    words = str(caught.value)
    name = device if ":" in device else f"{device}:0"
    assert words.startswith(f"device {name} is not available (this build is for no GPUs)")
    wanted = "cuda" if device == "gpu" else name.split(":")[0]
    assert words.endswith(f"pip install . -C cmake.define.AUREOLE_GPU={wanted}")


def test_emulated_gpus_are_for_tests() -> None:
    if au._core.build_info()["gpu"] == "emulated":
        pytest.skip("this build is for emulated")
    with pytest.raises(au.DeviceError, match=r"are for tests of kernels.*choose device .host"):
        small("emulated:1")


@pytest.mark.parametrize("device", ["gpu0", "hip:", "hip:x", "rocm", "cuda:-1", "GPU"])
def test_names_that_are_none(device: str) -> None:
    with pytest.raises(
        au.InputError, match='it must be "auto", "host", "gpu:N", "cuda:N" or "hip:N"'
    ):
        small(device)


def test_a_build_for_amd_says_that_rocm_is_missing() -> None:
    said = "libamdhip64.so.6: cannot open shared object file: No such file or directory"
    words = words_for(said)
    assert words.startswith("this build of Aureole is for GPUs of AMD") and f"({said})" in words
    assert words.endswith("or install Aureole without cmake.define.AUREOLE_GPU=hip.")
    assert words_for("libother.so.1: cannot open") == "libother.so.1: cannot open"


def test_the_command_says_so_too() -> None:
    script = """
import sys
from importlib.abc import MetaPathFinder

class Lacking(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "aureole._core":
            raise ImportError("libamdhip64.so.6: cannot open shared object file", name=name)

sys.meta_path.insert(0, Lacking())
import aureole.cli
"""
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert run.stderr.startswith("error: this build of Aureole is for GPUs of AMD")
    assert "Traceback" not in run.stderr
