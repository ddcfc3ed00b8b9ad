# SPDX-License-Identifier: Apache-2.0
"""Options of .mdp files change what GROMACS changes, as stored in tests/data/effects.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aureole import Device, MolecularSimulation
from effect_jobs import BOX, JOBS
from effect_runs import moved, our_numbers, simulation
from effect_table import CASES, run_name

ROOT = Path(__file__).resolve().parents[2]
STORED = json.loads((ROOT / "tests" / "data" / "effects.json").read_text())["runs"]


def differences(found: dict[str, Any], wanted: dict[str, Any]) -> dict[str, float]:
    """Of each kind of number, in parts of its size."""
    assert found.keys() == wanted.keys()
    differ = {}
    for kind, theirs in wanted.items():
        ours = found[kind]
        if kind == "energy":
            names = {name for name in {**ours, **theirs} if ours.get(name) or theirs.get(name)}
            ours, theirs = ([of.get(name, 0.0) for name in names] for of in (ours, theirs))
        a, b = np.atleast_1d(ours).astype(float), np.atleast_1d(theirs).astype(float)
        differ[kind] = float(np.abs(a - b).max() / (np.abs(b).max() or 1.0))
    return differ


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.option} = {case.value}: {case.name}"
)
def test_as_gromacs(case, tmp_path):
    found = our_numbers(tmp_path, case.job, case.options)
    worst = differences(found, STORED[case.name])
    assert all(gap <= case.tolerance(kind) for kind, gap in worst.items()), worst


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.option} = {case.value}: {case.name}"
)
def test_the_case_shows_the_option(case):
    """A case whose numbers would be the same without the option shows nothing."""
    without = STORED[run_name(case.job, case.without)]
    change = differences(without, STORED[case.name])
    seen = max(gap / case.tolerance(kind) for kind, gap in change.items())
    assert (seen > 100) != bool(case.same), change


@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10])
@pytest.mark.parametrize("integrator", ["md", "md-vv"])
@pytest.mark.parametrize("algorithm", ["clusters", "lanes"])
def test_shake_tol_is_met(tolerance, integrator, algorithm, tmp_path):
    job = JOBS["chains"]
    options = {"constraints": "all-bonds", "constraint-algorithm": "SHAKE"}
    job.write(tmp_path, options | {"shake-tol": str(tolerance), "integrator": integrator})
    with simulation(tmp_path, Device(name="host", algorithm=algorithm)) as sim:
        sim.run(10)
        at, v = (sim.get(name).reshape(12, 5, 3) for name in ("position", "velocity"))
    bonds = moved(at[:, :-1], at[:, 1:], np.diag(BOX))
    lengths = np.linalg.norm(bonds, axis=2)
    assert np.abs(lengths / [0.109, 0.152, 0.152, 0.109] - 1).max() <= tolerance
    if integrator == "md-vv":  # whose velocities are those of the positions
        rates = (bonds * np.diff(v, axis=1)).sum(axis=2) / lengths**2
        assert np.abs(rates).max() * 0.001 <= tolerance


def test_a_shake_tol_below_rounding_is_refused(tmp_path):
    JOBS["chains"].write(
        tmp_path,
        {"constraints": "all-bonds", "constraint-algorithm": "SHAKE", "shake-tol": "1e-16"},
    )
    with pytest.raises(AssertionError, match=r"A603.*shake-tol = 1e-16"):
        simulation(tmp_path)


@pytest.mark.parametrize(
    "options",
    [
        {"comm-mode": "Linear", "comm-grps": "Left Right", "nstcomm": "1"},
        {"constraints": "all-bonds", "constraint-algorithm": "SHAKE", "shake-tol": "1e-9"},
        {"electric-field-x": "0.8 300 0 0", "tinit": "0.7"},
    ],
    ids=["groups of drift", "shake-tol", "tinit"],
)
def test_a_restart_goes_on_to_the_bit(options, tmp_path):
    JOBS["chains"].write(tmp_path, options)
    with simulation(tmp_path) as sim:
        sim.run(5)
        sim.write_checkpoint(tmp_path / "a.cpt")
        sim.run(5)
        wanted = [sim.get(name) for name in ("position", "velocity", "force")]
    with MolecularSimulation.from_checkpoint(tmp_path / "a.cpt", threads=1) as sim:
        sim.run(5)
        found = [sim.get(name) for name in ("position", "velocity", "force")]
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(ours, theirs)
