# SPDX-License-Identifier: Apache-2.0
"""A run that was interrupted at any step and goes on is the undisturbed run, to the bit."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from aureole import Simulation, _core
from aureole.base.values import put
from aureole.checkpoint.restart_of_job import look_at
from aureole.cli.main import main
from aureole.gromacs.job_record import record_of
from built import Built
from files import NAMES, words

COLUMNS = ("position", "velocity", "force", "image")
#: Files that tell of the course of a run, its clock and its parts.
TOLD = {"md.log", "md.json", "recipe.json", "run.sh", *NAMES}


class Failed(Exception):
    """A command ended with an error."""


def check(built: Built) -> Iterator[str]:
    """What differs after a restart, in words."""
    if not built.dynamics:
        return
    yield from _in_python(built)
    if built.recipe.algorithm == "clusters":  # mdrun chooses what suits the device
        yield from _by_command(built)


def _in_python(built: Built) -> Iterator[str]:
    recipe, path = built.recipe, built.folder / "python.cpt"
    with built.simulation() as whole:
        sim_step = whole.step
        whole.run(recipe.steps)
        wanted = state_of(whole)
    with built.simulation() as part:
        origin = replace(part.origin, job=built.job, record=record_of(built.job))
        put(part, "origin", origin)
        part.run(recipe.stop)
        part.write_checkpoint(path)
    if recipe.part:
        with Simulation.from_checkpoint(path, built.job) as middle:
            middle.run(recipe.part)
            middle.write_checkpoint(path)
    with Simulation.from_checkpoint(path, built.job) as again:
        again.run(until=sim_step + recipe.steps)
        found = state_of(again)
    path.unlink()
    for name in differing(found, wanted):
        yield f"restart in Python at step {recipe.stop} of {recipe.steps}: {name}"


def state_of(sim: Any) -> dict[str, np.ndarray]:
    """All that two runs must have in common, at their present step."""
    columns = {name: sim.get(name) for name in COLUMNS}
    box = np.array(sim.box.six)
    thermo = sim.thermo()
    energies = [term["energy"] for term in thermo["per_force"]]
    more = {
        "energies": np.array([*energies, thermo["potential"], thermo["kinetic"]]),
        "pressure": np.array(thermo["pressure_tensor"]),
        "given energy": np.array([thermo["given"]]),
        "temperatures": np.array(thermo["group_temperatures"]),
        "box": box,
    }
    return columns | more


def differing(found: dict[str, np.ndarray], wanted: dict[str, np.ndarray]) -> Iterator[str]:
    """Names of what is not the same to the bit, and by how much."""
    for name, value in wanted.items():
        other = found[name]
        if value.shape != other.shape or value.tobytes() != other.tobytes():
            far = np.abs(other - value)
            yield f"{name} differ in {int((far > 0).sum())} numbers by {far.max():.3g}"


def _by_command(built: Built) -> Iterator[str]:
    recipe = built.recipe
    whole, parts = built.folder / "whole", built.folder / "parts"
    for folder in (whole, parts):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in NAMES:
            shutil.copy(built.folder / name, folder / name)
        with (folder / "grompp.mdp").open("a") as file:
            file.write(f"nsteps = {recipe.steps}\n")
    mdrun(built, whole)
    mdrun(built, parts, "-nsteps", str(recipe.stop))
    if recipe.part:
        mdrun(built, parts, "-cpi", "-nsteps", str(recipe.part))
    mdrun(built, parts, "-cpi")
    wanted, found = _files(whole), _files(parts)
    if wanted.keys() != found.keys():
        yield f"restart of mdrun: files {sorted(found)}, not {sorted(wanted)}"
    for name in sorted(wanted.keys() & found.keys()):
        if wanted[name] != found[name]:
            where = f"at step {recipe.stop} of {recipe.steps}"
            yield f"restart of mdrun {where}: {name} differs{_first(name, whole, parts)}"
    for name in differing(_checkpoint(parts), _checkpoint(whole)):
        yield f"restart of mdrun at step {recipe.stop}: in state.cpt {name}"


def mdrun(built: Built, folder: Path, *more: str) -> str:
    """Run the command there, in this process or in one of its own; what it says."""
    command = [*words(built.recipe), *more]
    if built.recipe.process:
        done = subprocess.run(
            [sys.executable, "-m", "aureole", *command],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=300,
        )
        code, said = done.returncode, done.stdout + done.stderr
    else:
        here, said_here = os.getcwd(), io.StringIO()
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(said_here), contextlib.redirect_stderr(said_here):
                code = main(command)
        finally:
            os.chdir(here)
        said = said_here.getvalue()
    if code:
        raise Failed(f"aureole {' '.join(command)} ended with {code}: {said[-500:]}")
    return said


def _files(folder: Path) -> dict[str, bytes]:
    """What was written, but for what tells times, checkpoints and backups."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.name not in TOLD and "cpt" not in path.name and not path.name.startswith("#")
    }


def _first(name: str, whole: Path, parts: Path) -> str:
    """The first place at which a table differs."""
    if not name.endswith((".csv", ".gro")):
        return ""
    pairs = zip((parts / name).open(), (whole / name).open(), strict=False)
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            columns = zip(one.split(","), other.split(","), strict=False)
            place = next((k for k, (a, b) in enumerate(columns) if a != b), 0)
            one, other = (line.strip().split(",")[place] for line in (one, other))
            return f" in line {number}, column {place + 1}: {one}, not {other}"
    return " in length"


def _checkpoint(folder: Path) -> dict[str, np.ndarray]:
    path = str(folder / "state.cpt")
    core, _ = _core.Simulation.read_checkpoint(path, device="host", threads=1)
    found = {name: np.asarray(core.get(name)) for name in COLUMNS if name != "force"}
    return found | {"step": np.array([look_at(path).step]), "box": np.array(core.box)}
