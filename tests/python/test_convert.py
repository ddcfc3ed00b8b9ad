# SPDX-License-Identifier: Apache-2.0
"""`aureole convert`: scripts that make the trajectories of the jobs that they come from."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import aureole as au
import pytest
from aureole.gromacs.job import read_job
from aureole.gromacs.translate import translated
from convert_jobs import CASES, write

FILES = ("traj.trr", "traj_comp.xtc", "ener.csv", "confout.gro")


def run(*words, cwd):
    done = subprocess.run(
        [sys.executable, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", CASES)
def test_scripts_make_the_same_trajectory(name, tmp_path):
    words = write(name, tmp_path)
    ours = [*words, "-nt", "1", "-maxwarn", "20"]
    run("-m", "aureole", "mdrun", *ours, "-deffnm", "whole", cwd=tmp_path)
    out = run("-m", "aureole", "convert", *ours, "-o", "job.py", cwd=tmp_path)
    assert "job.py and job.npz: run it with `python job.py`" in out
    for name in ("conf.gro", "topol.top", "grompp.mdp", "index.ndx", "ref.gro"):
        (tmp_path / name).rename(tmp_path / f"gone.{name}")  # the script needs none of them
    text = (tmp_path / "job.py").read_text()
    assert "read_job" not in text and "from_gromacs" not in text
    run("job.py", cwd=tmp_path)
    for mine, whole in zip(FILES, ("trr", "xtc", "csv", "gro"), strict=True):
        assert (tmp_path / mine).read_bytes() == (tmp_path / f"whole.{whole}").read_bytes(), mine


@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_a_script_goes_on_from_its_own_checkpoint(precision, tmp_path):
    words = write("rigid water, c-rescale, PME", tmp_path)
    more = ["-nt", "1", "-maxwarn", "20", "-precision", precision]
    run("-m", "aureole", "convert", *words, *more, cwd=tmp_path)
    run("job.py", cwd=tmp_path)
    whole = [(tmp_path / name).read_bytes() for name in FILES]
    text = (tmp_path / "job.py").read_text()
    short = text.replace("sim.run(60)", "sim.run(33)").replace("au.write_frame", "# ")
    (tmp_path / "short.py").write_text(short.replace('"job.npz"', '"job.npz"'))
    run("short.py", cwd=tmp_path)
    (tmp_path / "job.npz").unlink()  # the checkpoint holds what it needs
    run("-m", "aureole", "run", "state.cpt", "--steps", "27", "--quiet", cwd=tmp_path)
    end = "import aureole as au\nsim = au.Simulation.from_checkpoint('state.cpt')\n"
    (tmp_path / "end.py").write_text(end + "au.write_frame('confout.gro', sim)\n")
    run("end.py", cwd=tmp_path)
    assert [(tmp_path / name).read_bytes() for name in FILES] == whole


def test_a_minimisation(tmp_path):
    words = write("reaction field, no coupling", tmp_path)
    mdp = tmp_path / "grompp.mdp"
    mdp.write_text(mdp.read_text().replace("integrator = md\n", "integrator = steep\n"))
    run("-m", "aureole", "mdrun", *words, "-nt", "1", "-maxwarn", "9", "-deffnm", "whole",
        cwd=tmp_path)  # fmt: skip
    run("-m", "aureole", "convert", *words, "-nt", "1", "-maxwarn", "9", cwd=tmp_path)
    out = run("job.py", cwd=tmp_path)
    assert "Minimum(converged=" in out
    assert (tmp_path / "confout.gro").read_bytes() == (tmp_path / "whole.gro").read_bytes()


@pytest.mark.parametrize("name", CASES)
def test_scripts_name_every_setting(name, tmp_path):
    """Specs of a script are those of the job, and the file of the system holds all of it."""
    words = dict(zip(*[iter(write(name, tmp_path))] * 2, strict=True))
    files = [tmp_path / words[key] for key in ("-c", "-p", "-f")]
    references = tmp_path / words["-r"] if "-r" in words else None
    job = read_job(*files, index=tmp_path / words["-n"], references=references)
    given = translated(*(job.topology, job.coordinates, job.parameters, job.groups, job.references))
    for value in given.specs.values():
        assert eval(repr(value), {"au": au}) == value
    given.system.save(tmp_path / "a.npz")
    again = au.System.load(tmp_path / "a.npz")
    assert again == given.system and again.references is None or again.references is not None
    assert again.topology.blocks[0][0].name == job.topology.blocks[0][0].name


def test_what_cannot_be_converted_is_refused(tmp_path):
    write("reaction field, no coupling", tmp_path)
    command = ("-m", "aureole", "convert", "-c", "conf.gro", "-n", "index.ndx", "-maxwarn", "9")
    done = subprocess.run(
        [sys.executable, *command, "-o", "job.txt"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2 and "job.txt does not end in .py (it is a script)" in done.stderr
    mdp = tmp_path / "grompp.mdp"
    mdp.write_text(mdp.read_text() + "pcoupl = C-rescale\n")
    done = subprocess.run([sys.executable, *command], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and not (tmp_path / "job.py").exists()


def test_scripts_are_read_by_people(tmp_path):
    """No line is over 100 columns where it can be broken, and the text is Python."""
    words = write("restraints that follow the box", tmp_path)
    run("-m", "aureole", "convert", *words, "-maxwarn", "9", cwd=tmp_path)
    text = (tmp_path / "job.py").read_text()
    ast.parse(text)
    assert max(map(len, text.splitlines())) <= 100
    assert "au.CRescale(" in text and Path(tmp_path / "job.npz").exists()
