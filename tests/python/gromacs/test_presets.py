# SPDX-License-Identifier: Apache-2.0
"""Run parameters of force fields: GROMACS takes them, and energies are those it found with them."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import aureole as au
import numpy as np
import preset_systems
import pytest
from aureole.cli import main
from aureole.gromacs.job import read_job
from aureole.gromacs.presets.preset import NAMES, about
from aureole.jobs.from_gromacs import simulation_of
from aureole_bench.terms import compared, missing
from gmx_tool import gromacs

STORED = json.loads(preset_systems.STORED.read_text())["energies [kJ/mol]"]
#: What publications and tutorials of each force field agree on.
PUBLISHED = {
    "amber": {"rcoulomb": 1.0, "rvdw": 1.0, "dt": 0.002, "constraints": "h-bonds", "tau-t": (0.1,)},
    "charmm36m": {"rvdw": 1.2, "rvdw-switch": 1.0, "vdw-modifier": "force-switch", "tau-p": 5.0},
    "opls": {"rcoulomb": 1.0, "rvdw": 1.0, "coulombtype": "pme", "dispcorr": "enerpres"},
    "gromos": {"rcoulomb": 1.4, "rvdw": 1.4, "epsilon-rf": 61.0, "coulombtype": "reaction-field"},
    "martini": {"rcoulomb": 1.1, "rvdw": 1.1, "epsilon-r": 15.0, "dt": 0.02, "tau-p": 12.0},
    "stmv": {"rvdw": 1.2, "rvdw-switch": 1.0, "fourierspacing": 0.15, "nstlist": 100},
    "grappa": {"rcoulomb": 1.0, "rvdw": 1.0, "coulombtype": "pme", "nstlist": 200},
    "grappa-rf": {"rcoulomb": 1.0, "coulombtype": "reaction-field", "nstlist": 200},
}


def job_of(name, folder):
    preset_systems.write(name, folder)
    return read_job(*(folder / file for file in ("conf.gro", "topol.top", "grompp.mdp")))


def at_rest(job, precision):
    """The particles where the file has them: no first step moves them onto their constraints."""
    still = job.parameters.changed({"continuation": True})
    return simulation_of(replace(job, parameters=still), threads=1, precision=precision)


@pytest.mark.parametrize("name", NAMES)
def test_settings(name, tmp_path):
    read = job_of(name, tmp_path).parameters.values
    values = {key.lower(): value for key, value in read.items()}
    for key, wanted in PUBLISHED[name].items():
        found = values[key].lower() if isinstance(values[key], str) else values[key]
        assert found == wanted, key


@pytest.mark.parametrize("name", NAMES)
def test_no_errors_or_warnings(name, tmp_path):
    job = job_of(name, tmp_path)
    assert not job.remarks
    assert not [str(note) for note in job.notes if note.severity != "note"]


@pytest.mark.parametrize("name", NAMES)
def test_energies_as_stored(name, tmp_path):
    """In both precisions; the tail's correction is compared where the engine has it."""
    job = job_of(name, tmp_path)
    # The reaction field's pairs nearly cancel in so thin a liquid.
    for precision, limit in (("double", 3e-8), ("mixed", 1e-4)):
        sim = at_rest(job, precision)
        energy = sim.energy.per_force
        rows = compared(energy, STORED[name])
        assert max(row.gap for row in rows) < limit, rows
        assert set(missing(energy, STORED[name])) <= {"Disper.-corr."}
    terms = {row.name: abs(row.theirs) for row in rows}
    assert terms.get("angles", 0.0) > 1.0 or name == "amber"
    assert terms["Lennard-Jones"] > 100.0 and terms["electrostatics"] > 100.0


@pytest.mark.parametrize("name", NAMES)
def test_grompp_takes_them(name, tmp_path):
    """Without a warning; and the stored energies are what GROMACS finds today."""
    gmx = gromacs(tmp_path)
    preset_systems.write(name, tmp_path)
    said = gmx.run("grompp", "-f", "grompp.mdp", "-c", "conf.gro", "-p", "topol.top")
    assert not re.search(r"^(WARNING|ERROR)", said, re.MULTILINE), said
    found = preset_systems.point(name, gromacs(tmp_path, double=True))
    assert dict(found.energy) == pytest.approx(STORED[name], rel=1e-6, abs=1e-4)
    job = read_job(*(tmp_path / file for file in ("conf.gro", "topol.top", "grompp.mdp")))
    sim = at_rest(job, "double")
    error = sim.get("force") - found.force
    assert np.sqrt((error**2).mean()) < 2e-6 * np.sqrt((found.force**2).mean())


def test_command(tmp_path, capsys):
    assert main(["presets"]) == 0
    listed = capsys.readouterr().out
    listed = " ".join(listed.split())  # lines are wrapped
    assert all(name in listed and about(name) in listed for name in NAMES)
    assert main(["presets", "amber"]) == 0
    assert capsys.readouterr().out == au.preset("amber")
    assert main(["presets", "-o", str(tmp_path / "mdp")]) == 0
    assert {path.stem for path in (tmp_path / "mdp").iterdir()} == set(NAMES)
    assert (tmp_path / "mdp" / "stmv.mdp").read_text() == au.preset("stmv")
    (tmp_path / "mdp" / "opls.mdp").write_text("mine\n")
    assert main(["presets", "opls", "-o", str(tmp_path / "mdp")]) == 2
    assert (tmp_path / "mdp" / "opls.mdp").read_text() == "mine\n"
    assert main(["presets", "opls", "amber"]) == 2


def test_unknown_preset():
    with pytest.raises(au.InputError, match="charmm36m"):
        au.preset("charmm36")
