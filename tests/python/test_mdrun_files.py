# SPDX-License-Identifier: Apache-2.0
"""The files that `aureole mdrun` takes and leaves: of which run they are, and which are spared."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
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
