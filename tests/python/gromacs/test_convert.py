# SPDX-License-Identifier: Apache-2.0
"""`aureole convert`: scripts that make the trajectories of the jobs that they come from."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
from pathlib import Path

import aureole as au
import pytest
from aureole.cli.main import main
from aureole.gromacs.job import read_job
from aureole.gromacs.translate import translated
from convert_jobs import CASES, write
from gmx_tool import shared

FILES = ("traj.trr", "traj_comp.xtc", "ener.csv", "confout.gro")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to run in; its scripts and commands run in this process."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def aureole(*words):
    assert main(list(map(str, words))) == 0, words


def script(path):
    runpy.run_path(path, run_name="__main__")


def expect_files_of_the_whole(place):
    """What the script wrote is what mdrun wrote as whole.*, byte for byte."""
    for mine, whole in zip(FILES, ("trr", "xtc", "csv", "gro"), strict=True):
        assert (place / mine).read_bytes() == (place / f"whole.{whole}").read_bytes(), mine


@pytest.mark.parametrize("name", CASES)
def test_scripts_make_the_same_trajectory(name, place, capsys):
    words = write(name, place)
    ours = [*words, "-nt", "1", "-maxwarn", "20"]
    aureole("mdrun", *ours, "-deffnm", "whole")
    capsys.readouterr()
    aureole("convert", *ours, "-o", "job.py")
    assert "job.py and job.npz: run it with `python job.py`" in capsys.readouterr().out
    for name in ("conf.gro", "topol.top", "grompp.mdp", "index.ndx", "ref.gro"):
        (place / name).rename(place / f"gone.{name}")  # the script needs none of them
    text = (place / "job.py").read_text()
    assert "read_job" not in text and "from_gromacs" not in text
    script("job.py")
    expect_files_of_the_whole(place)


def test_a_script_begins_with_the_state_of_t(place):
    words = [*write("reaction field, no coupling", place), "-nt", "1", "-maxwarn", "20"]
    aureole("mdrun", *words, "-deffnm", "before")
    aureole("mdrun", *words, "-t", "before.cpt", "-deffnm", "whole")
    aureole("convert", *words, "-t", "before.cpt", "-o", "job.py")
    script("job.py")
    expect_files_of_the_whole(place)
    assert (place / "whole.xtc").read_bytes() != (place / "before.xtc").read_bytes()


MDP = """integrator = md
dt = 0.002
nsteps = 10
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
constraints = h-bonds
tcoupl = V-rescale
tc-grps = System
tau-t = 0.5
ref-t = 300
pcoupl = C-rescale
tau-p = 2
compressibility = 4.5e-5
ref-p = 1
nstxout-compressed = 5
nstxout = 5
nstvout = 5
nstenergy = 5
gen-vel = yes
gen-temp = 300
gen-seed = 9
"""


@pytest.mark.parametrize("system", ["water-ethanol/we12k", "dhfr/dhfr"])
def test_scripts_of_real_systems_make_the_same_trajectory(system, place):
    start = shared(f"{system}.gro")
    (place / "grompp.mdp").write_text(MDP)
    given = ["-c", start, "-p", start.with_suffix(".top"), "-nt", "2", "-maxwarn", "9"]
    aureole("mdrun", "-f", "grompp.mdp", *given, "-deffnm", "whole")
    aureole("convert", "-f", "grompp.mdp", *given, "-o", "job.py")
    script("job.py")
    expect_files_of_the_whole(place)


@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_a_script_goes_on_from_its_own_checkpoint(precision, place):
    words = write("rigid water, c-rescale, PME", place)
    more = ["-nt", "1", "-maxwarn", "20", "-precision", precision]
    aureole("convert", *words, *more)
    script("job.py")
    whole = [(place / name).read_bytes() for name in FILES]
    text = (place / "job.py").read_text()
    short = text.replace("sim.run(60)", "sim.run(33)").replace("au.write_frame", "# ")
    (place / "short.py").write_text(short)
    script("short.py")
    (place / "job.npz").unlink()  # the checkpoint holds what it needs
    aureole("run", "state.cpt", "--steps", "27", "--quiet")
    au.write_frame("confout.gro", au.Simulation.from_checkpoint("state.cpt"))
    assert [(place / name).read_bytes() for name in FILES] == whole


def test_a_minimisation(place, capsys):
    words = write("reaction field, no coupling", place)
    mdp = place / "grompp.mdp"
    mdp.write_text(mdp.read_text().replace("integrator = md\n", "integrator = steep\n"))
    aureole("mdrun", *words, "-nt", "1", "-maxwarn", "9", "-deffnm", "whole")
    aureole("convert", *words, "-nt", "1", "-maxwarn", "9")
    script("job.py")
    assert "Minimum(converged=" in capsys.readouterr().out
    assert (place / "confout.gro").read_bytes() == (place / "whole.gro").read_bytes()


@pytest.mark.parametrize("name", CASES)
def test_scripts_name_every_setting(name, place):
    """Specs of a script are those of the job, and the file of the system holds all of it."""
    words = dict(zip(*[iter(write(name, place))] * 2, strict=True))
    files = [place / words[key] for key in ("-c", "-p", "-f")]
    references = place / words["-r"] if "-r" in words else None
    job = read_job(*files, index=place / words["-n"], references=references)
    given = translated(job)
    for value in given.specs.values():
        assert eval(repr(value), {"au": au}) == value
    given.system.save(place / "a.npz")
    again = au.System.load(place / "a.npz")
    assert again == given.system
    assert (again.references is None) == ("restraints" not in name)
    assert again.topology.blocks[0][0].name == job.topology.blocks[0][0].name


def test_what_cannot_be_converted_is_refused(place):
    write("reaction field, no coupling", place)
    command = ("-m", "aureole", "convert", "-c", "conf.gro", "-n", "index.ndx", "-maxwarn", "9")
    done = subprocess.run(
        [sys.executable, *command, "-o", "job.txt"], cwd=place, capture_output=True, text=True
    )
    assert (
        done.returncode == 2
        and "job.txt does not end in .py (it is a Python script)" in done.stderr
    )
    mdp = place / "grompp.mdp"
    mdp.write_text(mdp.read_text() + "pcoupl = C-rescale\n")
    done = subprocess.run([sys.executable, *command], cwd=place, capture_output=True, text=True)
    assert done.returncode == 2 and not (place / "job.py").exists()


def test_scripts_are_read_by_people(place):
    """No line is over 100 columns where it can be broken, and the text is Python."""
    words = write("restraints that follow the box", place)
    aureole("convert", *words, "-maxwarn", "9")
    text = (place / "job.py").read_text()
    ast.parse(text)
    assert max(map(len, text.splitlines())) <= 100
    assert "au.CRescale(" in text and Path(place / "job.npz").exists()
