# SPDX-License-Identifier: Apache-2.0
"""What docs/howto/use-your-analysis-tools.md promises: other programs read what a run writes."""

from __future__ import annotations

import re
from pathlib import Path

import aureole as au
import pytest
from gmx_tool import gromacs
from mdrun_inputs import mdrun

PAGE = Path(__file__).parents[3] / "docs/howto/use-your-analysis-tools.md"
MDP = """\
integrator = md
dt = 0.002
nsteps = 60
nstxout-compressed = 20
nstenergy = 20
nstcalcenergy = 20
coulombtype = PME
rcoulomb = 0.7
rvdw = 0.7
constraints = h-bonds
tcoupl = v-rescale
tc-grps = System
tau-t = 0.5
ref-t = 300
"""
FRAMES = 4


@pytest.fixture
def job(here):
    """Files of a run of water and ethanol, with the names of the page."""
    system = au.build.solution({"ethanol": 5, "spce": 120}, seed=3)
    system.write_gromacs(".", MDP.replace("= md\n", "= steep\n"))
    Path("md.mdp").write_text(MDP)
    mdrun("-deffnm", "em")
    mdrun("-c", "em.gro", "-p", "topol.top", "-f", "md.mdp", "-deffnm", "md", "-nsteps", 60)
    return system


def test_programs_of_gromacs(job):
    """Its commands as they are on the page; each reads all frames."""
    gmx = gromacs()
    block = re.search(r"```\naureole mdrun .*?```", PAGE.read_text(), re.DOTALL)
    assert block is not None
    commands = [line.split(maxsplit=2) for line in block[0].splitlines() if line.startswith("gmx")]
    assert [words[1] for words in commands] == ["grompp", "rms", "rdf", "hbond"]
    answers = {"rms": "0\n0\n", "hbond": "2\n3\n"}
    for _, program, options in commands:
        words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", options)]
        gmx.run(program, *words, text=answers.get(program, ""))
    for name in ("rmsd.xvg", "hbonds.xvg"):
        rows = [line for line in Path(name).read_text().splitlines() if line[0] not in "#@"]
        assert len(rows) == FRAMES
    gmx.run("rdf", "-s", "md.gro", "-f", "md.xtc", "-ref", "name OW", "-sel", "name OW")


def test_packages_of_python(job):
    mda = pytest.importorskip("MDAnalysis", reason="needs MDAnalysis")
    mdtraj = pytest.importorskip("mdtraj", reason="needs mdtraj")
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    run = mda.Universe("md.gro", "md.xtc")
    assert (len(run.trajectory), run.atoms.n_atoms) == (FRAMES, job.n)
    assert len(run.select_atoms("name OW")) == 120
    frames = mdtraj.load("md.xtc", top="md.gro")
    assert (frames.n_frames, frames.n_atoms) == (FRAMES, job.n)
    energies = pandas.read_csv("md.csv", comment="#")
    assert energies["step"].tolist() == [0, 20, 40, 60]
