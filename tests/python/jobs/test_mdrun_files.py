# SPDX-License-Identifier: Apache-2.0
"""The files that `aureole mdrun` takes and leaves: of which run they are, and which are spared."""

from __future__ import annotations

import errno
import os
import shutil
from functools import partial
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.base.errors import FileError
from aureole.cli.info import describe
from aureole.cli.main import main
from aureole.formats import TRR, Frame
from aureole.gromacs.checks import system
from aureole.gromacs.job import read_job
from aureole.jobs.start_state import with_state
from mdrun_inputs import MDP, argon, mdrun


def two_stages(here):
    """A run `md` of files with other names beside the default files, of a minimisation."""
    argon(here)
    shutil.copy("grompp.mdp", "md.mdp")
    shutil.copy("conf.gro", "em.gro")
    head = MDP[MDP.index("nstlog") :].replace("gen-vel = yes", "gen-vel = no")
    Path("grompp.mdp").write_text("integrator = steep\nnsteps = 5\n" + head)
    mdrun("-f", "md.mdp", "-c", "em.gro", "-deffnm", "md", "-nsteps", 20)


def test_a_restart_takes_the_files_of_its_checkpoint_not_the_default_ones(here):
    two_stages(here)
    done = mdrun("-deffnm", "md", "-cpi", "-nsteps", 20)
    assert "the input is that of md.cpt: -f md.mdp -c em.gro -p topol.top" in done.stdout
    assert "continuing from md.cpt, step 20" in done.stdout
    done = mdrun("-deffnm", "md", "-cpi", "-nsteps", 20, "-f", "md.mdp")  # one of them named
    assert "continuing from md.cpt, step 40" in done.stdout
    assert not list(here.glob("#md.csv*"))


@pytest.mark.parametrize("words", [[], ["-f", "grompp.mdp"]])
def test_a_minimisation_does_not_replace_the_run_of_a_checkpoint(here, words):
    two_stages(here)
    before = Path("md.csv").read_bytes()
    Path("md.mdp").unlink()
    done = mdrun("-deffnm", "md", "-cpi", "-nobackup", *words, code=2)
    assert "md.cpt was written with other input: grompp.mdp:" in done.stderr
    assert Path("md.csv").read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        "-t state.cpt",
        "-t state.cpt.prev",
        "-t md.cpt -deffnm md",
        "-t s.trr -o s.trr -nobackup",
        "-cpo topol.top",
    ],
)
def test_a_state_that_a_run_begins_with_is_not_overwritten(here, words):
    argon(here)
    mdrun("-nsteps", 20, "-cpo", "state.cpt", "-o", "s.trr")
    shutil.copy("state.cpt", "md.cpt")
    shutil.copy("state.cpt", "state.cpt.prev")
    files = ["state.cpt", "state.cpt.prev", "md.cpt", "s.trr", "topol.top"]
    before = [Path(name).read_bytes() for name in files]
    done = mdrun(*words.split(), "-cpt", "1e-6", "-nsteps", 20, code=2)
    assert "is an input file (output would overwrite it). Give another name" in done.stderr
    assert [Path(name).read_bytes() for name in files] == before


def test_a_state_may_have_the_name_of_a_checkpoint_that_is_not_written(here):
    two_stages(here)
    mdrun("-t", "md.cpt", "-deffnm", "md")  # the minimisation has no checkpoints
    shutil.copy("md.mdp", "grompp.mdp")
    mdrun("-t", "md.cpt", "-cpi", "-nsteps", 20)
    mdrun("-t", "state.cpt", "-cpi", "-nsteps", 20)  # continues, without that of -t


@pytest.mark.parametrize("name", ["t", "c", "p", "f", "r", "n", "rerun", "cpi", "po", "deffnm"])
def test_an_empty_name_is_refused(here, name):
    """Of a variable of the shell that is not set."""
    argon(here)
    told = mdrun(f"-{name}", "", "-nsteps", 20, code=2).stderr
    assert f"-{name} has no value (it is an empty word). Give one" in told


def test_parameters_are_not_written_over_the_input(here):
    argon(here)
    before = Path("grompp.mdp").read_text()
    assert "grompp.mdp is an input file" in mdrun("-po", "grompp.mdp", "-nsteps", 5, code=2).stderr
    assert Path("grompp.mdp").read_text() == before
    mdrun("-po", "mdout.mdp", "-nsteps", 5)
    assert "nsteps" in Path("mdout.mdp").read_text()


def test_a_state_needs_a_name(here):
    argon(here)
    for words in (["-t"], ["-t", "-deffnm", "h"]):
        assert "-t has no value (it names a file). Give one" in mdrun(*words, code=2).stderr


def test_a_state_is_a_file(here):
    argon(here)
    Path("folder.trr").mkdir()
    os.mkfifo("pipe")
    for name in (".", "folder.trr", "pipe"):
        told = mdrun("-t", name, code=1).stderr
        assert name in told and ("it is not a file" in told or "no such file" in told)


def test_a_run_that_continues_keeps_the_formats_of_its_tables(here):
    argon(here)

    def tables():
        return {path.name for path in here.iterdir() if path.suffix in (".csv", ".edr", ".parquet")}

    mdrun("-deffnm", "md", "-e", "md.edr", "-noappend", "-nsteps", 20)
    for part in (2, 3):
        mdrun("-deffnm", "md", "-cpi", "-noappend", "-nsteps", 20)
        assert tables() == {f"md.part{n:04d}.edr" for n in range(1, part + 1)}
    mdrun("-deffnm", "one", "-e", "one.parquet", "-nsteps", 20)
    for path in here.glob("one.*"):
        path.rename(path.name.replace("one", "new"))
    mdrun("-deffnm", "new", "-cpi", "-nsteps", 20)
    mdrun("-deffnm", "new", "-cpi", "-noappend", "-nsteps", 20)
    assert {"new.parquet", "new.part0003.parquet"} == {n for n in tables() if n.startswith("new")}
    mdrun("-nsteps", 20)
    mdrun("-nsteps", 20, "-cpi", "-deffnm", "both", "-cpo", "both.cpt")
    assert {"both.csv", "both.edr"} < tables()


def test_what_is_used_of_a_state_is_told(here):
    argon(here)
    mdp = Path("grompp.mdp").read_text()
    Path("mute.mdp").write_text(mdp.replace("nstvout = 40", "nstvout = 0"))
    Path("still.mdp").write_text(mdp.replace("gen-vel = yes", "gen-vel = no"))
    mdrun("-f", "mute.mdp", "-nsteps", 40, "-o", "mute.trr", "-cpo", "a.cpt")

    def told(*words):
        return " ".join(mdrun(*words, "-nsteps", 0).stdout.split())

    drawn = "positions and box of step 40 are used; gen-vel = yes generates velocities"
    assert f"note: a.cpt: {drawn}" in told("-t", "a.cpt")
    words = ("-f", "still.mdp", "-t", "mute.trr", "-nsteps", 0)
    mute = "mute.trr: holds no frame with positions and velocities (with gen-vel = no"
    assert mute in mdrun(*words, code=1).stderr
    assert f"note: mute.trr: {drawn}" in told("-t", "mute.trr")
    whole = "a.cpt: positions, velocities and box of step 40 are used"
    assert f"note: {whole}" in told("-f", "still.mdp", "-t", "a.cpt")
    said = told("-t", "a.cpt", "-rerun", "mute.trr", "-deffnm", "re")
    assert "note: -t has no effect: positions and boxes are those" in said
    assert "of step 40 are used" not in said


def write_frames(path, held):
    """A .trr of argon: frames at steps 10, 20, ... whose columns and box `held` names."""
    random = np.random.default_rng(4)
    numbers = {"position": random.uniform(0, 2.28, (216, 3)), "velocity": np.ones((216, 3))}
    data = []
    for k, names in enumerate(held, 1):
        columns = {name: numbers[name] * k for name in names if name != "box"}
        frame = Frame(10 * k, 0.02 * k, 2.28 * np.eye(3), **{"position": None, **columns})
        piece = TRR(216).frame(frame)
        if "box" not in names:  # its size in the head, and its nine numbers
            piece = piece[:32] + b"\0" * 4 + piece[36:84] + piece[120:]
        data.append(piece)
    Path(path).write_bytes(b"".join(data))


def test_the_last_frame_with_what_the_run_needs_is_its_start(here):
    """Of frames that hold different things, one that has positions and velocities at once."""
    files = argon(here)
    text = Path("grompp.mdp").read_text()
    Path("still.mdp").write_text(text.replace("gen-vel = yes", "gen-vel = no"))
    both, place, speed = ("position", "velocity", "box"), ("position", "box"), ("velocity", "box")
    read = partial(read_job, *files[:2])

    write_frames("a.trr", [place, both, both, place, speed])
    moving = with_state(read("still.mdp"), "a.trr")
    assert np.all(moving.coordinates.velocity == 3.0)
    assert dict(describe("a.trr")[1])["holds"] == "position (in 4 of them), velocity (in 3 of them)"
    assert moving.remarks[-1] == (
        "a.trr: positions, velocities and box of step 30 are used; the last frame, of step 50, "
        "has no positions"
    )
    drawn = with_state(read("grompp.mdp"), "a.trr")
    assert np.allclose(drawn.coordinates.position, moving.coordinates.position * 4 / 3)
    assert "positions and box of step 40 are used; the last frame" in drawn.remarks[-1]
    write_frames("b.trr", [place, speed])
    with pytest.raises(FileError, match=r"b\.trr: holds no frame with positions and velocities"):
        with_state(read("still.mdp"), "b.trr")
    write_frames("c.trr", [both, both[:2]])
    bare = with_state(read("still.mdp"), "c.trr")
    assert np.allclose(bare.coordinates.box, 2.28 * np.eye(3))
    assert "step 20 are used; it has no box, so that of" in bare.remarks[-1]


def test_a_state_of_other_units_or_particles_is_refused(here):
    argon(here)
    edge = 2.28
    random = np.random.default_rng(1)
    system = au.System(au.Box(edge, edge, edge), random.uniform(0, edge, (216, 3)))
    with au.Simulation(system, forces=[], integrator=au.VelocityVerlet(dt=0.001)) as sim:
        sim.write_checkpoint("reduced.cpt")
    assert "reduced.cpt uses reduced units" in mdrun("-t", "reduced.cpt", code=2).stderr
    mdrun("-nsteps", 20, "-cpo", "argon.cpt")
    top = Path("topol.top").read_text()
    Path("topol.top").write_text(
        top.replace("[ moleculetype ]", "Kr 36 83.8 0.0 A 0.3405 0.996\n[ moleculetype ]", 1)
        .replace("[ system ]", "[ moleculetype ]\nKR 1\n[ atoms ]\n1 Kr 1 KR Kr 1 0\n[ system ]")
        .replace("AR 216", "AR 100\nKR 116")
    )
    told = mdrun("-t", "argon.cpt", "-maxwarn", 9, code=2).stderr
    assert "argon.cpt has other particles than the topology (particle 101 has type Ar" in told


@pytest.mark.parametrize("name", ["x.trr", "x.edr.gz", "x.edr.", "x.dat", "x.xvg"])
def test_names_that_are_no_tables_are_refused(here, name):
    argon(here)
    told = mdrun("-e", name, "-nsteps", 20, code=2).stderr
    assert f"-e is {name}" in told and "Use .csv, .parquet or .edr" in told
    assert not Path(name).exists()


def test_names_of_tables_may_have_capitals_or_no_ending(here):
    argon(here)
    for name, written in (("a.CSV", "a.CSV"), ("b", "b.csv")):
        mdrun("-e", name, "-nsteps", 20)
        assert Path(written).read_text().startswith("# units")


def test_a_negative_number_of_warnings_allows_none(here):
    argon(here)
    mdrun("-maxwarn", -1, "-nsteps", 20)


def test_what_the_engine_refuses_leaves_the_files_of_the_run_before(here, monkeypatch, capsys):
    argon(here)
    text = Path("grompp.mdp").read_text()
    text = text.replace("gen-vel = yes", "gen-vel = no\ncontinuation = yes")
    Path("grompp.mdp").write_text(text)
    mdrun("-deffnm", "two", "-nsteps", 5)
    names = set(os.listdir())
    Path("grompp.mdp").write_text(text.replace("= 0.9", "= 1.2"))
    # As if the checks did not know a limit of the engine.
    monkeypatch.setattr(system, "longest_cut_off", lambda *_: 9.0)
    assert main(["mdrun", "-nt", "1", "-deffnm", "two", "-nsteps", "5"]) == 2
    assert "exceeds half the box" in capsys.readouterr().err
    assert set(os.listdir()) == names


@pytest.mark.parametrize("folder", ["conf.gro", "locked"])
def test_a_last_frame_where_nothing_can_be_written_is_one_error(here, monkeypatch, capfd, folder):
    """No traceback: below what is no folder, and in a file system that cannot be written to."""
    argon(here)
    if folder == "locked":
        Path(folder).mkdir()
        remove = os.remove

        def refused(path, **how):
            if str(path).startswith(folder):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
            remove(path, **how)

        monkeypatch.setattr(os, "remove", refused)
    assert main(["mdrun", "-nsteps", "0", "-nt", "1", "-co", f"{folder}/last.gro"]) == 1
    why = "Not a directory" if folder == "conf.gro" else "Read-only file system"
    said = " ".join(capfd.readouterr().err.split())
    assert f"error: {folder}/last.gro: cannot be opened for writing ({why}). C" in said
