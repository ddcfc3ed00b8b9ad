# SPDX-License-Identifier: Apache-2.0
"""Each column of .edr and .csv files beside double-precision GROMACS, with each option that changes
one.

tests/data/effects.json has what options change of the sums; here are the columns as files have
them, Coulomb (SR) and Coul. recip. apart. Jobs are those of `effect_jobs`.
"""

from __future__ import annotations

import dataclasses
import math
import re
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.formats import edr
from aureole.gromacs.job import read_job
from aureole.jobs.from_gromacs import simulation_of
from effect_jobs import JOBS
from effect_runs import PLAIN_STEPS
from effect_table import (
    ANEW,
    CONSTRAINTS,
    FORCES,
    MESH,
    PRESSURE,
    RUN,
    TEMPERATURE,
    Case,
    case,
)
from energy_files import SUMS, table
from gmx_tool import gromacs
from mdrun_inputs import rows

#: A step at which thermostats of the jobs act: at others GROMACS' kinetic energy, and with it the
#: conserved one, is that of velocities of which one half is not scaled.
EVERY = 10
#: Of the .csv, and of the single precision of an .edr, in parts of a column's largest number.
DIGITS, SINGLE = 2e-8, 3e-7
#: A column far smaller than the energies of the frame is compared with this part of them.
LEAST = 1e-2
CHARGED = "charged"
#: A net charge of 1.8 e.
OF_JOBS = JOBS | {
    CHARGED: dataclasses.replace(
        JOBS["atoms"], molecules=JOBS["atoms"].molecules.replace("-0.2", "-0.05")
    )
}
DIELECTRIC = MESH | {"epsilon-r": "4"}
OWN = [
    *(case("epsilon-r", "4", job, MESH) for job in ("chains", "water", "atoms", CHARGED)),
    case("epsilon-r", "4", "sites", MESH, ANEW),
    case("coulomb-modifier", "None", "chains", DIELECTRIC),
    case("ewald-rtol", "1e-4", CHARGED, DIELECTRIC, {"rcoulomb": "0.7", "rvdw": "0.7"}),
    case("epsilon-rf", "20", "chains", {"epsilon-r": "4"}),
    case("coulombtype", "Cut-off", "chains", {"epsilon-r": "4"}),
    case("DispCorr", "EnerPres", "atoms", DIELECTRIC),
]
#: Options whose columns are compared; of couplings the start alone, as later steps differ.
CHOSEN = [
    *OWN,
    *FORCES,
    *(one for one in RUN if one.option == "define"),
    *(one for one in CONSTRAINTS if one.option == "continuation" and not one.same),
    *(one for one in TEMPERATURE if one.option in ("tc-grps", "annealing-temp")),
    *(one for one in PRESSURE if one.option in ("pcoupltype", "refcoord-scaling")),
]
#: Columns that GROMACS has only where the box changes, or where there is a coupling.
ALONE = {"Volume", "Density", "Box-X", "Box-Y", "Box-Z", "Conserved En."}


def run(one: Case, folder: Path):
    """Columns of GROMACS' .edr, and of our .edr and .csv."""
    job = OF_JOBS[one.job]
    job.write(folder, {"nstenergy": str(EVERY), "nstcalcenergy": "1"} | one.options)
    gmx = gromacs(folder, double=True)
    gmx.run(
        *("grompp", "-f", "grompp.mdp", "-c", "conf.gro", "-p", "topol.top", "-r", "ref.gro"),
        *("-n", "index.ndx", "-o", "p.tpr", "-po", "out.mdp", "-maxwarn", 99),
    )
    gmx.mdrun("p", "-notunepme")
    files = (folder / name for name in ("conf.gro", "topol.top", "grompp.mdp"))
    read = read_job(*files, references=folder / "ref.gro", index=folder / "index.ndx")
    outputs = [au.Energies(str(folder / name), EVERY) for name in ("a.edr", "a.csv")]
    with simulation_of(
        read, precision="double", threads=1, device="host", observers=outputs
    ) as sim:
        sim.run(until=sim.end)
    return table(folder / "p.edr"), table(folder / "a.edr"), rows(folder / "a.csv")


def corrected(theirs, one: Case):
    """GROMACS' columns with the pressure of a neutralising background as it is.

    GROMACS 2022 takes 2 E / V² with V in nm³ for E / V; docs/mdrun.md.
    """
    if one.job != CHARGED or one.options.get("coulombtype") != "PME":
        return theirs
    options = one.options
    tolerance, r_cut = (
        float(options.get(key, usual)) for key, usual in (("ewald-rtol", 1e-5), ("rcoulomb", 0.8))
    )
    low, high = 0.0, 10.0  # β r_cut, where erfc is ewald-rtol
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle) > tolerance else (low, middle)
    beta = low / r_cut
    volume = float(np.prod([2.0, 2.0, 2.2]))
    charge = 12 * 0.2 - 12 * 0.05
    energy = (
        -138.935458
        * np.pi
        * charge**2
        / (2 * volume * beta**2)
        / float(options.get("epsilon-r", 1))
    )
    shift = (energy / volume - 2 * energy / volume**2) * 16.6053906717384
    diagonal = ("Pressure", "Pres-XX", "Pres-YY", "Pres-ZZ")
    return theirs | {name: theirs[name] + shift for name in diagonal}


def expected(theirs, name: str):
    """GROMACS' numbers of a column of ours, or None where it has none."""
    parts = [theirs[part] for part in SUMS.get(name, (name,)) if part in theirs]
    return sum(parts) if parts else None


def apart(one: Case, name: str) -> str:
    """Why a column of a case is not GROMACS', "" where it has to be."""
    if "pcoupl" in one.options and name == "Conserved En.":
        return "a barostat of GROMACS has acted before the first frame; docs/mdrun.md"
    restrained = one.options.get("define") == "-DPOSRES"
    if restrained and re.fullmatch("Pres-(?!XX|YY|ZZ)..", name):
        return "GROMACS leaves out what restraints add off the diagonal; test_restraint_pressure"
    return ""


def kind_of(name: str) -> str:
    if name.startswith("Pres"):
        return "pressure"
    return "kinetic" if name.startswith(("Kin", "Temp", "T-", "Total", "Cons")) else "energy"


def scale_of(theirs, name: str) -> float:
    """What differences of a column are parts of."""
    tensor = [column for of, column in theirs.items() if of.startswith("Pres-")]
    if kind_of(name) == "pressure":
        return float(np.abs(tensor).max())
    own = float(np.abs(expected(theirs, name)).max())
    return max(own, LEAST * float(np.abs(theirs["Potential"]).max()))


def columns_of(ours, csv, name: str):
    """A column of ours as both files have it."""
    return ours[name], csv.get(edr.column_of(name))


@pytest.mark.parametrize("one", CHOSEN, ids=lambda one: f"{one.option} = {one.value}: {one.name}")
def test_each_column_is_that_of_gromacs(one, tmp_path, monkeypatch):
    monkeypatch.setenv(PLAIN_STEPS, "1")
    theirs, ours, csv = run(one, tmp_path)
    theirs, frames = corrected(theirs, one), 1 if one.change else None
    wrong, compared = {}, 0
    for name in ours:
        wanted = expected(theirs, name)
        if wanted is None:
            assert name in ALONE, name
            continue
        if apart(one, name):
            continue
        compared += 1
        allowed = one.tolerance(kind_of(name))
        for found, digits in zip(columns_of(ours, csv, name), (SINGLE, DIGITS), strict=True):
            if found is not None:
                gap = np.abs(found - wanted)[:frames].max() / scale_of(theirs, name)
                if gap > max(digits, allowed):
                    wrong[name, digits] = gap
    assert not wrong
    assert compared >= 15
    both = expected(theirs, "Coulomb (SR)")
    if "mesh" in csv:
        both = both + theirs["Coul. recip."]
        whole = np.abs(csv["coulomb"] + csv["mesh"] - both)[:frames].max()
        assert whole < 1e-7 * np.abs(theirs["Coulomb (SR)"]).max()


def test_the_options_are_there():
    assert {one.job for one in OWN if "epsilon-r" in one.options} == OF_JOBS.keys()
    names = {re.sub(" = .*", "", one.option) for one in CHOSEN}
    assert names >= {"epsilon-r", "epsilon-rf", "ewald-rtol", "coulombtype", "DispCorr", "define"}
