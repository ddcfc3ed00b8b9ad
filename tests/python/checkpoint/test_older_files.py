# SPDX-License-Identifier: Apache-2.0
"""Checkpoints, a system and an input file of an earlier version: they are read, with the same specs
and energies, and go on.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import aureole as au
import pytest
from aureole.cli import main
from aureole.specs.spec import Spec

OLDER = Path(__file__).parents[2] / "data" / "older"
TOLD: dict[str, Any] = json.loads((OLDER / "told.json").read_text())


def in_full(part: Any) -> list[Any]:
    """Specs with the usual order and tolerance of PME, which earlier versions had as defaults."""
    specs = [part] if isinstance(part, Spec) else part
    return [spec.usual if isinstance(spec, au.PME) else spec for spec in specs]


@pytest.mark.filterwarnings("ignore:water.csv no longer exists")
@pytest.mark.parametrize("name", ["mixture", "water"])
def test_a_checkpoint_is_continued(here, name):
    shutil.copytree(OLDER, here, dirs_exist_ok=True)
    told = TOLD[f"{name}.checkpoint"]
    files = ("conf.gro", "topol.top", "grompp.mdp")
    job = au.read_job(*files) if name == "water" else None
    with au.Simulation.from_checkpoint(f"{name}.checkpoint", job, threads=1) as sim:
        assert (sim.step, sim.target) == (told["step"], told["target"])
        for part in ("integrator", "forces", "observers"):
            assert in_full(getattr(sim, part)) == in_full(eval(told[part], {"au": au}))
        # Sums in single precision have another order with other instruction sets.
        assert sim.energy.total == pytest.approx(told["energy"], rel=1e-6)
        sim.run(10)
        assert sim.step == told["step"] + 10


def test_a_system_is_read():
    told = TOLD["mixture.npz"]
    system = au.System.load(OLDER / "mixture.npz")
    assert (system.n, list(system.type_names), list(system.columns)) == (
        told["n"],
        told["types"],
        told["columns"],
    )
    assert system.density == pytest.approx(told["density"])
    assert system.columns["diameter"][-1] == 2.0 and list(system.bonds) == ["pairs"]


def test_an_input_file_is_run(here):
    shutil.copy(OLDER / "fluid.toml", here)
    assert main(["run", "fluid.toml"]) == 0
    assert len((here / "fluid.csv").read_text().splitlines()) == 4  # a head, and steps 0, 10, 20
