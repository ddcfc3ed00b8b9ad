# SPDX-License-Identifier: Apache-2.0
"""What a user of GROMACS types first: every answer names the command that does it here."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.cli.info import describe
from aureole.cli.main import main
from aureole.gromacs.top.preprocessor import _tops_of_gromacs
from mdrun_inputs import argon, mdrun, rows, water


@pytest.mark.parametrize(
    "typed, told",
    [
        (
            "grompp -f md.mdp -c em.gro -p topol.top -r em.gro -maxwarn 1 -o md.tpr",
            "`aureole mdrun -f md.mdp -c em.gro -p topol.top -r em.gro -maxwarn 1 -deffnm md`",
        ),
        ("gmx grompp -f md.mdp -v -r", "`aureole mdrun -f md.mdp -v -r`"),
        ("grompp -maxwarn -1 -v", "`aureole mdrun -maxwarn -1 -v`"),
        ("grompp", "`aureole check` with the same words"),
        ("gromp -f md.mdp", "`aureole mdrun -f md.mdp`"),
        ("pdb2gmx -f a.pdb", "Use `gmx pdb2gmx -f a.pdb`"),
        ("gmx energy -f md.edr", "Use `gmx energy -f md.edr`"),
        ("gmx convert-tpr -s a.tpr -extend 9", "`aureole mdrun -deffnm a -cpi -nsteps N`"),
        ("convert_tpr", "`aureole mdrun -cpi -nsteps N`"),
        ("gmx mdrun -deffnm a", "Use `aureole mdrun -deffnm a`"),
        ("mdrn -deffnm a", "Did you mean `aureole mdrun -deffnm a`?"),
    ],
)
def test_commands_of_gromacs_name_ours(typed, told, capsys):
    assert main(typed.split()) == 2
    assert told in capsys.readouterr().err


def test_other_words_are_no_commands_of_gromacs(capsys):
    with pytest.raises(SystemExit):
        main(["fly"])
    assert "invalid choice: 'fly'" in capsys.readouterr().err


def test_a_finished_run_goes_on_for_steps_to_be_chosen(here):
    argon(here)
    for words, told in (
        ("-nsteps 20", "-cpi state.cpt -nsteps N (the run is finished)"),
        ("-nsteps -1 -maxh 1e-4", "-nsteps -1 -maxh 1e-4 -cpi state.cpt"),
    ):
        mdrun(*words.split())
        assert dict(describe("state.cpt")[1])["continue"] == f"aureole mdrun -nt 1 {told}"


def test_help_and_version_as_of_gmx(capsys):
    assert main(["help", "mdrun"]) == 0
    assert "usage: aureole mdrun" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["-version"])
    assert main(["mdrun", "-version"]) == 0
    told = capsys.readouterr().out.split("\n")
    assert told[0] == told[1] == f"aureole {au.__version__}"


def refused(*words):
    """What standard error says of a call that ends with exit code 1."""
    return mdrun(*words, code=1).stderr


def test_files_that_lie_there_are_named(here):
    argon(here)
    for old, new in (("conf.gro", "eq.gro"), ("grompp.mdp", "md.mdp")):
        Path(old).rename(new)
    Path("em.mdp").write_text("integrator = steep\n")
    os.utime("md.mdp", (1, 1))  # older than em.mdp
    told = refused("-deffnm", "md")
    assert re.search("`aureole mdrun -f md.mdp -c eq.gro -p topol.top .*-deffnm md`", told)
    # Words that were typed stay; a structure of another system is not proposed, though it is newer.
    Path("other.gro").write_text(
        "other\n    1\n    1ARG     AR    1   0.000   0.000   0.000\n1 1 1\n"
    )
    told = refused("-v", "-deffnm", "x", "-cpi")
    assert re.search("`aureole mdrun -f em.mdp -c eq.gro -p topol.top .*-v -deffnm x -cpi`", told)
    Path("other.gro").unlink()
    # Running it as it is told, and then the same with -cpi and no files.
    words = ("-f", "md.mdp", "-c", "eq.gro", "-p", "topol.top", "-deffnm", "md", "-nsteps", 20)
    mdrun(*words, "-e", "md.edr")
    size = Path("md.edr").stat().st_size
    out = mdrun("-deffnm", "md", "-cpi", "-nsteps", 20).stdout
    assert not Path("md.csv").exists() and Path("md.edr").stat().st_size > size
    assert "the input is that of md.cpt: -f md.mdp -c eq.gro -p topol.top" in out
    assert json.loads(Path("md.json").read_text())["step"] == 40
    for name in ("md.mdp", "em.mdp"):
        Path(name).unlink()
    assert "-f FILE.mdp" in refused("-deffnm", "y") and "no such FILE.mdp" in refused("-v")


def test_a_structure_of_another_system_that_nobody_named(here):
    argon(here)
    Path("eq.gro").write_text(Path("conf.gro").read_text())
    Path("conf.gro").write_text("x\n 1\n    1ARG     AR    1   0.000   0.000   0.000\n1 1 1\n")
    told = mdrun("-v", code=2).stderr
    assert "has 1 particle, but" in told and "`aureole mdrun -f grompp.mdp -c eq.gro -p" in told
    assert "Compare the counts" in mdrun("-c", "conf.gro", code=2).stderr
    Path("eq.gro").unlink()
    assert "Compare the counts" in mdrun(code=2).stderr


def test_a_tpr_is_answered_with_a_command(here):
    argon(here)
    for old, new in (("conf.gro", "eq.gro"), ("grompp.mdp", "md.mdp")):
        Path(old).rename(new)
    Path("em.mdp").write_text("integrator = steep\n")
    told = mdrun("-s", "md.tpr", "-v", code=2).stderr
    assert "`aureole mdrun -f md.mdp -c eq.gro -p topol.top -nt 1 -v`" in told
    mdrun("-f", "md.mdp", "-c", "eq.gro", "-deffnm", "md", "-nsteps", 5)
    told = mdrun("-deffnm", "md", "-cpi", "-s", code=2).stderr
    assert "Use `aureole mdrun -nt 1 -deffnm md -cpi`: the checkpoint names its input" in told


def test_a_named_file_that_is_missing_is_just_that(here):
    argon(here)
    told = refused("-c", "nothing.gro")
    assert "nothing.gro" in told and "With the files of this folder" not in told


def test_r_without_a_name_is_the_file_of_c(here):
    argon(here)
    top = Path("topol.top").read_text()
    restraints = "[ position_restraints ]\n1 1 1000 1000 1000\n[ system ]"
    Path("topol.top").write_text(top.replace("[ system ]", restraints))
    Path("conf.gro").rename("eq.gro")
    assert "alone takes that of -c" in mdrun("-c", "eq.gro", code=2).stdout
    mdrun("-c", "eq.gro", "-r", "-nsteps", 5)
    assert json.loads(Path("md.json").read_text())["inputs"]["references"] == "eq.gro"
    assert main(["check", "-c", "eq.gro", "-p", "topol.top"]) == 2
    for command in ("check", "convert"):
        assert main([command, "-r", "-c", "eq.gro", "-p", "topol.top"]) == 0


def test_check_takes_the_words_of_grompp_and_mdrun(here, capsys):
    argon(here)
    before = set(os.listdir())
    assert main(["check", "-f", "grompp.mdp", "-o", "md.tpr", "-deffnm", "md", "-v"]) == 0
    assert set(os.listdir()) == before
    assert main(["check", "-f", "md.xtc"]) == 2
    assert "Use `aureole info md.xtc`" in capsys.readouterr().err


def test_names_that_a_run_must_keep_are_told(here):
    argon(here)
    names = "-o o.trr -x x.xtc -e e.edr -g g.log"
    mdrun("-deffnm", "md", "-nsteps", 20, *names.split())
    words = ("-deffnm", "md", "-cpi", "-nsteps", 20)
    assert f"Use the same names, with {names}, or" in mdrun(*words, code=2).stderr
    mdrun(*words, *names.split())
    mdrun("-deffnm", "a", "-nsteps", 20)
    for words, told in (("-e a.csv -deffnm a", "no -e"), ("", "-deffnm a")):
        said = mdrun(*words.split(), "-cpi", "a.cpt", "-nsteps", 20, code=2).stderr
        assert f"Use the same names, with {told}, or" in said


def test_a_run_in_parts_goes_on_in_parts(here):
    argon(here)
    mdrun("-deffnm", "md", "-nsteps", 20)
    mdrun("-deffnm", "md", "-cpi", "-nsteps", 20, "-noappend")
    told = mdrun("-deffnm", "md", "-cpi", "-nsteps", 20, code=2).stderr
    line = told.split("To add a part, use `aureole mdrun -nt 1 ")[1].split("`")[0]
    assert line == "-deffnm md -cpi -nsteps 20 -noappend"
    mdrun(*line.split())
    assert json.loads(Path("md.part0003.json").read_text())["step"] == 60


def still(mdp="grompp.mdp"):
    """Run parameters that take positions and velocities as they are."""
    text = Path(mdp).read_text().replace("gen-vel = yes", "gen-vel = no\ncontinuation = yes")
    Path("next.mdp").write_text(text)
    return text


@pytest.mark.parametrize("state", ["one.cpt", "one.trr"])
def test_a_state_goes_from_stage_to_stage_in_full_precision(here, state):
    """The .gro has three decimals; energies of both ends are those of one configuration."""
    water(here)
    mdrun("-deffnm", "one", "-nsteps", 40)
    still()
    words = ("-f", "next.mdp", "-c", "one.gro", "-nsteps", 0)
    mdrun(*words, "-t", state, "-deffnm", "exact")
    mdrun(*words, "-deffnm", "rounded")
    last, exact, rounded = (rows(f"{n}.csv")["total"] for n in ("one", "exact", "rounded"))
    size = abs(rows("one.csv")["coulomb"][-1])
    # Forces have single precision; so have the positions of a .trr.
    limit = 1e-6 if state == "one.cpt" else 3e-5
    assert abs(exact[0] - last[-1]) < limit * size
    assert abs(rounded[0] - last[-1]) > 3e-5 * size
    note = f"{state}: positions, velocities and box of step 40 are used"
    assert note in Path("exact.log").read_text()
    assert main(["check", "-f", "next.mdp", "-c", "one.gro", "-t", state]) == 0
    files = ("one.gro", "topol.top", "next.mdp")
    with au.from_gromacs(*files, state=state, device="host") as sim:
        assert abs(sim.energy.total - last[-1]) < limit * size


def test_states_that_do_not_fit(here):
    water(here)
    mdrun("-deffnm", "one", "-nsteps", 20)
    still()
    Path("bad.cpt").write_bytes(os.urandom(4000))
    for state, words in (
        ("bad.cpt", "is not a checkpoint of Aureole"),
        ("one.gro", "is not a checkpoint of Aureole"),
        ("none.cpt", "No such file"),
    ):
        assert words in mdrun("-f", "next.mdp", "-t", state, code=1).stderr
    state = Path("one.cpt").read_bytes()
    argon(here)
    Path("one.cpt").write_bytes(state)
    assert "one.cpt has 375 particles, the topology 216" in mdrun("-t", "one.cpt", code=2).stderr


def test_a_restart_takes_its_own_checkpoint_not_the_state(here):
    water(here)
    mdrun("-deffnm", "one", "-nsteps", 20)
    still()
    words = ("-f", "next.mdp", "-c", "one.gro", "-t", "one.cpt", "-deffnm", "two")
    mdrun(*words, "-nsteps", 20)
    Path("one.cpt").unlink()
    mdrun(*words, "-cpi", "-nsteps", 20)
    assert json.loads(Path("two.json").read_text())["step"] == 40


@pytest.mark.parametrize(
    "words, steps",
    [(["-resethway"], 50), (["-resetstep", 70], 30), (["-resetstep", 70, "-resethway"], 50)],
)
def test_the_speed_may_leave_out_the_start(here, words, steps):
    water(here)
    mdrun("-deffnm", "whole", "-nsteps", 100, "-nt", 1)
    said = mdrun("-deffnm", "part", "-nsteps", 100, "-nt", 1, *words).stdout
    assert f"hours/ns (of the last {steps} steps)" in said
    assert f"Done at step 100; speed of the last {steps} steps, in" in Path("part.log").read_text()
    whole, part = (json.loads(Path(f"{n}.json").read_text()) for n in ("whole", "part"))
    assert (whole["steps"], part["steps"]) == (100, steps)
    assert (whole["speed"]["from_step"], part["speed"]["from_step"]) == (None, 100 - steps)
    assert "of the last" not in Path("whole.log").read_text()
    assert part["averages"] == whole["averages"]  # of all steps in any case
    assert part["speed"]["ns_per_day"] > 0
    ratio = part["speed"]["wall_seconds"] * part["speed"]["steps_per_second"] / steps
    assert ratio == pytest.approx(1.0)
    assert np.array_equal(rows("whole.csv")["total"], rows("part.csv")["total"])
    assert Path("whole.xtc").read_bytes() == Path("part.xtc").read_bytes()


def test_half_of_the_time_may_be_left_out(here):
    """Where no last step is known, the timing restarts at half of -maxh."""
    argon(here)
    seconds = 3.0
    said = mdrun("-nsteps", -1, "-maxh", seconds / 0.99 / 3600, "-resethway").stdout
    told = json.loads(Path("md.json").read_text())
    assert told["steps"] == told["step"] - told["speed"]["from_step"] > 0
    assert 0 < told["speed"]["wall_seconds"] < 0.7 * seconds
    assert f"(of the last {told['steps']:,} steps)" in said
    assert "run from step 0 without a last step" in Path("md.log").read_text().lower()


def test_notes_on_timings_that_never_restart(here):
    water(here)
    said = mdrun("-nsteps", 20, "-resetstep", 30).stdout
    note = "-resetstep 30 has no effect: the run has 20 steps"
    assert note in said and note in Path("md.log").read_text() and "of the last" not in said


def test_force_fields_beside_the_program_and_of_the_system(tmp_path, monkeypatch):
    """Both folders are made here; a program that is a link leads to those beside its file."""
    engine, system = tmp_path / "engine", tmp_path / "usr"
    for root in (engine, system):
        (root / "share/gromacs/top").mkdir(parents=True)
        (root / "bin").mkdir()
    (engine / "bin/gmx_mpi").write_text("#!/bin/sh\n")
    (engine / "bin/gmx_mpi").chmod(0o755)
    (system / "bin/gmx_mpi").symlink_to(engine / "bin/gmx_mpi")
    monkeypatch.setenv("PATH", "/nonexistent")
    assert _tops_of_gromacs(system) == [str(system / "share/gromacs/top")]
    assert _tops_of_gromacs(tmp_path) == []
    monkeypatch.setenv("PATH", str(system / "bin"))
    tops = [str(root / "share/gromacs/top") for root in (engine, system)]
    assert _tops_of_gromacs(system) == tops


def test_force_fields_of_debian_are_found_without_the_program(monkeypatch):
    """In the lane that installs them."""
    monkeypatch.setenv("PATH", "/nonexistent")
    (folder,) = _tops_of_gromacs()
    assert folder == "/usr/share/gromacs/top" and Path(folder, "oplsaa.ff/forcefield.itp").exists()
