# SPDX-License-Identifier: Apache-2.0
"""Names that a user mistypes, or types as gmx takes them: what is meant is found or told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from aureole.cli.main import main
from mdrun_inputs import argon, mdrun


@pytest.fixture
def run(here):
    """A run `md` of files that have no default names, but for the topology."""
    argon(here)
    Path("conf.gro").rename("npt.gro")
    Path("grompp.mdp").rename("prod.mdp")
    mdrun("-f", "prod.mdp", "-c", "npt.gro", "-deffnm", "md", "-nsteps", 20)
    return here


def test_a_mistyped_checkpoint_does_not_start_from_step_0(run):
    before = Path("md.log").read_bytes()
    told = mdrun("-deffnm", "md", "-cpi", "mdd.cpt", "-v", code=1).stderr
    use = "Use `aureole mdrun -nt 1 -deffnm md -cpi md.cpt -v`"
    assert f"mdd.cpt: does not exist (md.cpt does). {use}" in told
    told = mdrun("-deffnm", "md", "-cpi", "elsewhere", code=1).stderr
    assert "elsewhere.cpt: does not exist (md.cpt does)" in told and "prod.mdp" not in told
    # Also where files have the default names.
    shutil.copy("npt.gro", "conf.gro")
    shutil.copy("prod.mdp", "grompp.mdp")
    assert "does not exist (md.cpt does)" in mdrun("-cpi", "mdd.cpt", code=1).stderr
    Path("md.cpt").rename("moved")
    shutil.rmtree("old", ignore_errors=True)
    told = mdrun("-deffnm", "md", "-cpi", "old/md.cpt", code=1).stderr
    assert "(nor is any other .cpt there). To start a new run, name its input" in told
    assert Path("md.log").read_bytes() == before and not list(run.glob("#*"))


@pytest.mark.parametrize("words", ["-f prod.mdp -c npt.gro -deffnm a -cpi b.cpt", "-cpi state.cpt"])
def test_job_scripts_name_checkpoints_that_are_not_there_yet(run, words):
    """With the input, or that which the run itself writes, as of gmx."""
    shutil.copy("npt.gro", "conf.gro")
    shutil.copy("prod.mdp", "grompp.mdp")
    done = mdrun(*words.split(), "-nsteps", 5)
    assert "does not exist: a new run starts" in done.stdout


def test_endings_may_be_left_out(run, capsys):
    words = ("-f", "prod", "-c", "npt", "-p", "topol")
    assert "md.cpt: positions" in mdrun(*words, "-t", "md", "-deffnm", "a", "-nsteps", 5).stdout
    assert "rerun" in mdrun(*words, "-rerun", "a", "-deffnm", "b").stdout
    for command in ("check", "convert"):
        assert main([command, *words, "-t", "md"]) == 0


@pytest.mark.parametrize(
    "words, meant",
    [
        ("-f prd.mdp -c npt.gro", "prod.mdp"),
        ("-f prod.mdp -c nptt", "npt.gro"),
        ("-f prod.mdp -c npt.gro -t mdd.cpt", "md.cpt"),
        ("-f prod.mdp -c npt.gro -p topl.top", "topol.top"),
    ],
)
def test_a_similar_name_is_told(run, capsys, words, meant):
    told = f"cannot be read (No such file or directory). Did you mean {meant}?"
    assert told in mdrun(*words.split(), code=1).stderr
    assert main(["check", *words.split()]) == 1
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, told",
    [
        ("-t md.cpt -e md.edr -deffnm k", "Leave -e out: the energies are in k.csv and k.edr"),
        ("-e npt.edr -deffnm k", "-e npt.edr has the name of the stage before, -c npt.gro"),
        ("-o npt.tpr", "-o npt.tpr: mdrun needs no .tpr (here -o is the .trr trajectory)."),
    ],
)
def test_options_of_grompp_that_are_output_here(run, words, told):
    before = Path("md.edr").read_bytes()
    done = mdrun("-f", "prod.mdp", "-c", "npt.gro", *words.split(), code=2)
    assert told in done.stderr and Path("md.edr").read_bytes() == before
    assert not list(run.glob("[#k]*"))


def test_energies_may_have_the_name_of_a_run(run):
    mdrun("-f", "prod.mdp", "-c", "md.gro", "-e", "k.edr", "-deffnm", "k", "-nsteps", 5)
    mdrun("-f", "prod.mdp", "-c", "md.gro", "-e", "j.edr", "-deffnm", "l", "-nsteps", 5)


def test_a_script_is_no_tpr(run, capsys):
    assert main(["convert", "-f", "prod.mdp", "-c", "npt.gro", "-o", "npt.tpr"]) == 2
    assert "here -o is the Python script" in capsys.readouterr().err
