# SPDX-License-Identifier: Apache-2.0
"""Along axes that do not repeat, files have particles where the input had them."""

from __future__ import annotations

from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.cli import main
from aureole.formats.gro import read_gro

PLACES = np.array([[1.0, 1.1, -0.4], [1.4, 1.1, 1.2]])
TOPOLOGY = """\
[ defaults ]
1 2 no 1 1
[ atomtypes ]
AR 18 39.948 0.0 A 0.34 0.996
[ moleculetype ]
AR 1
[ atoms ]
1 AR 1 AR AR 1 0
[ position_restraints ]
1 1 1000 1000 1000
[ system ]
two
[ molecules ]
AR 2
"""
PARAMETERS = """\
integrator = md
dt = 0.001
nsteps = {steps}
pbc = {pbc}
rcoulomb = 1.0
rvdw = 1.0
coulombtype = cut-off
comm-mode = none
verlet-buffer-tolerance = -1
rlist = 1.2
nstxout = 5
nstenergy = 5
"""


def write(folder: Path, name: str, places: np.ndarray) -> None:
    rows = [
        f"{k:5d}AR      AR{k:5d}" + "%8.3f" * 3 % tuple(place) for k, place in enumerate(places, 1)
    ]
    (folder / name).write_text("\n".join(["two", "2", *rows, "   3.0 3.0 3.0", ""]))


@pytest.fixture(params=["no", "xy"])
def job(request, here):
    write(here, "conf.gro", PLACES if request.param == "no" else np.add(PLACES, [0, 0, 1]))
    write(here, "ref.gro", np.add(read_gro("conf.gro").position, [0, 0.1, 0]))
    (here / "topol.top").write_text(TOPOLOGY)
    (here / "grompp.mdp").write_text(PARAMETERS.format(steps=20, pbc=request.param))
    return here


def run(*words: str) -> None:
    given = ["mdrun", "-r", "ref.gro", "-nt", "1", "-nobackup", "-maxwarn", "9", *words]
    assert main(given) == 0


def restraint_energies(name: str) -> np.ndarray:
    table = np.genfromtxt(name, delimiter=",", names=True, skip_header=1)
    return table["position_restraint"]


def test_frames_are_in_the_coordinates_of_the_input(job, capsys):
    run("-deffnm", "a")
    start = au.from_gromacs("conf.gro", "topol.top", "grompp.mdp", references="ref.gro", maxwarn=9)
    au.write_frame("again.gro", start, whole=False)
    assert np.allclose(read_gro("again.gro").position, read_gro("conf.gro").position)
    two = 0.5 * 1000 * 2 * 0.1**2  # kJ/mol of both in their restraints
    assert restraint_energies("a.csv")[0] == pytest.approx(two)


def test_stages_reruns_and_restarts_keep_their_restraints(job, capsys):
    run("-deffnm", "a")
    last = restraint_energies("a.csv")[-1]
    run("-deffnm", "b", "-rerun", "a.trr")
    assert restraint_energies("b.csv")[-1] == pytest.approx(last, rel=1e-3)
    run("-deffnm", "c", "-c", "a.gro")
    # .gro has three decimals
    assert restraint_energies("c.csv")[0] == pytest.approx(last, abs=0.1)
    run("-deffnm", "a", "-cpi", "-nsteps", "40")
    whole = restraint_energies("a.csv")
    (job / "more").mkdir()
    run("-deffnm", "more/a", "-nsteps", "60")
    assert np.array_equal(whole, restraint_energies("more/a.csv"))
