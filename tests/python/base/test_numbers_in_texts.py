# SPDX-License-Identifier: Apache-2.0
"""Numbers in files and on command lines are what C reads as such, everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from aureole.base import parse
from aureole.base.errors import FileError, InputError
from aureole.cli.main import main
from aureole.formats.gro import read_gro
from aureole.gromacs.mdp.read import read_mdp
from aureole.gromacs.ndx import read_ndx
from aureole.gromacs.top.read import read_top
from effect_jobs import JOBS

#: What Python's int() or float() take, and C does not, or that is no number to compute with.
STRANGE = ("٣", "３", "1_000", "²", "nan", "inf", "-infinity", "0x10", "1e", "1e999")


@pytest.mark.parametrize("word", STRANGE)
def test_words(word):
    for read in (parse.integer, parse.real):
        with pytest.raises(ValueError, match=r".*"):
            read(word)


def test_numbers():
    assert [parse.integer(w) for w in ("7", "+7", "-007")] == [7, 7, -7]
    words = ("1", "1.", ".5", "-2.5e-3", "1E5", "+0")
    assert [parse.real(w) for w in words] == [1.0, 1.0, 0.5, -0.0025, 1e5, 0.0]


@pytest.mark.parametrize("word", STRANGE)
@pytest.mark.parametrize("option", ["dt", "nsteps", "nstxout", "tinit", "tau-t", "fourier-nx"])
def test_options(option, word, here):
    Path("a.mdp").write_text(f"integrator = md\n{option} = {word}\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=rf"a\.mdp:2: {option} = '{word}' \(it must be a (whole )?number"
    ):
        read_mdp("a.mdp")


@pytest.mark.parametrize("word", STRANGE)
def test_topologies_coordinates_and_groups(word, here):
    JOBS["atoms"].write(here, {})
    top = Path("topol.top").read_text()
    Path("a.top").write_text(top.replace("1 ION P 1 0.2 20.0", f"1 ION P 1 {word} 20.0"))
    with pytest.raises((FileError, InputError), match=r"a\.top"):
        read_top("a.top")
    gro = Path("conf.gro").read_text().splitlines()
    gro[3] = gro[3][:20] + f"{word:>15}" + gro[3][35:]
    Path("a.gro").write_text("\n".join(gro), encoding="utf-8")
    with pytest.raises(FileError, match=r"a\.gro:4"):
        read_gro("a.gro")
    Path("a.ndx").write_text(f"[ A ]\n1 {word}\n", encoding="utf-8")
    with pytest.raises(FileError, match=r"a\.ndx:2"):
        read_ndx("a.ndx", 24)


@pytest.mark.parametrize("word", ["٣", "1_000", "nan", "inf"])
@pytest.mark.parametrize("option", ["-maxh", "-nsteps", "-nt"])
def test_command_line(option, word, here, capsys):
    assert main(["mdrun", option, word]) == 2
    assert f"{option} is '{word}' (it must be a" in capsys.readouterr().err
