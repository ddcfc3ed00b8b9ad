# SPDX-License-Identifier: Apache-2.0
"""Input that is no input, or means to do harm: pipes, devices, escapes, files of others."""

from __future__ import annotations

import os

import aureole as au
import numpy as np
import pytest
from aureole.base.text import one_line, printable
from aureole.checkpoint.provenance_record import command_of
from aureole.cli.main import main
from aureole.formats.gro import read_gro
from mdrun_inputs import argon, mdrun, water

SECRET = "root:$6$abcdefgh$hunter2:19000:0:99999:7:::\n"
ESCAPE = "\x1b]0;owned\x07\x1b[2J"


def test_printable():
    assert printable("a\tb\nc µ 水") == "a\tb\nc µ 水"
    assert printable("\x1b[1m\x9b2J\x7f\u202e\ud800\r") == (
        "\\x1b[1m\\x9b2J\\x7f\\u202e\\ud800\\x0d"
    )
    assert one_line(" a\n b\x1b ") == "a b\\x1b"


def test_commands_of_checkpoints_are_ours_and_quoted():
    call = command_of("aureole mdrun -deffnm 'a b;c' $(evil) -cpi CHECKPOINT", "my state.cpt")
    assert call == "aureole mdrun -deffnm 'a b;c' '$(evil)' -cpi 'my state.cpt'"
    for foreign in ("rm -rf ~", "aureole mdrun 'open", "", "aureole; evil"):
        assert command_of(foreign, "a.cpt") == "aureole mdrun -cpi a.cpt"


def test_titles_and_names_do_not_reach_the_terminal(here, capsys):
    """Escapes of titles, molecules and file names are told, in words, and never obeyed."""
    argon(here)
    head, rest = (here / "conf.gro").read_text().split("\n", 1)
    name = f"conf{ESCAPE}.gro"
    (here / name).write_text(f"{head}{ESCAPE}\n{rest}")
    top = (here / "topol.top").read_text()
    (here / "topol.top").write_text(top.replace("Argon", f"Argon{ESCAPE}"))
    assert main(["info", name]) == 0
    main(["check", "-c", name, "-p", "topol.top", "-f", "grompp.mdp"])
    assert main(["mdrun", "-c", name, "-nt", "1", "-nsteps", "20", "-nobackup"]) == 0
    assert main(["info", f"none{ESCAPE}"]) == 1
    told = capsys.readouterr()
    assert "\\x1b]0;owned\\x07" in told.out and "\\x1b]0;owned\\x07" in told.err
    log = (here / "md.log").read_text()
    for text in (told.out, told.err, log, (here / "confout.gro").read_text()):
        assert "\x1b" not in text and "\x07" not in text
    assert read_gro(here / "confout.gro").n == read_gro(here / name).n


@pytest.mark.parametrize(
    "command",
    [
        ["mdrun", "-f", "secret"],
        ["check", "-c", "secret", "-p", "secret", "-f", "secret"],
        ["check", "-c", "secret.gro", "-p", "topol.top", "-f", "grompp.mdp"],
        ["check", "-c", "conf.gro", "-p", "leak.top", "-f", "grompp.mdp"],
        ["check", "-c", "conf.gro", "-p", "topol.top", "-f", "grompp.mdp", "-n", "secret"],
        *(["info", f"secret{ending}"] for ending in ("", ".csv", ".gro", ".pdb", ".xtc", ".toml")),
        ["run", "secret.toml"],
        ["run", "secret"],
    ],
)
def test_errors_do_not_show_lines_of_any_file(here, command, capsys):
    argon(here)
    for ending in ("", ".csv", ".gro", ".pdb", ".xtc", ".toml"):
        (here / f"secret{ending}").write_text(2 * SECRET)
    top = (here / "topol.top").read_text()
    (here / "leak.top").write_text(top.replace("[ atoms ]", '[ atoms ]\n#include "secret"', 1))
    assert main(command) in (1, 2)
    told = capsys.readouterr()
    assert "secret" in told.err
    for part in ("root:", "hunter2", "19000"):
        assert part not in told.out + told.err


@pytest.mark.parametrize(
    "command",
    [
        *(["info", f"pipe{ending}"] for ending in ("", ".gro", ".toml", ".csv", ".xtc", ".gsd")),
        ["run", "pipe.toml"],
        ["run", "pipe"],
        ["check", "-c", "pipe.gro", "-p", "topol.top", "-f", "grompp.mdp"],
        ["check", "-c", "conf.gro", "-p", "pipe", "-f", "grompp.mdp"],
        ["check", "-c", "conf.gro", "-p", "topol.top", "-f", "pipe"],
        ["check", "-c", "/dev/zero", "-p", "topol.top", "-f", "/dev/zero"],
        ["mdrun", "-rerun", "pipe.xtc"],
    ],
)
def test_pipes_and_devices_are_refused_at_once(here, command, capsys):
    argon(here)
    for ending in ("", ".gro", ".toml", ".csv", ".xtc", ".gsd"):
        os.mkfifo(here / f"pipe{ending}")
    assert main(command) in (1, 2)
    told = capsys.readouterr().err
    assert "pipe" in told or "/dev/zero" in told


@pytest.mark.parametrize(
    "option", ["-g pipe.log", "-e pipe.csv", "-x pipe.xtc", "-o pipe.trr", "-cpo pipe.cpt"]
)
def test_output_does_not_go_to_pipes(here, option, capsys):
    """Pipes with a reader are refused at once, and those without, whose opening would wait."""
    argon(here)
    name = option.split()[1]
    os.mkfifo(here / name)
    reader = os.open(here / name, os.O_RDONLY | os.O_NONBLOCK)
    words = ["mdrun", *option.split(), "-nt", "1", "-nsteps", "2", "-nobackup"]
    assert main(words) == 1
    first = capsys.readouterr().err
    assert f"{name}: cannot be opened for writing (it is a pipe" in first
    os.close(reader)
    assert main(words) == 1 and capsys.readouterr().err == first


def test_a_trajectory_does_not_go_to_a_pipe(here, liquid):
    os.mkfifo("pipe.gsd")
    with liquid(n=108, observers=[au.Trajectory("pipe.gsd", 1)]) as sim:
        with pytest.raises(
            au.FileError, match=r"pipe\.gsd: cannot be opened for wr.* .it is a pipe"
        ):
            sim.run(2)
        assert sim.step == 0


@pytest.mark.parametrize("path", ["missing/a", "."])
@pytest.mark.parametrize(
    "observer", [au.Checkpoint, au.Trajectory, au.Energies, au.Log], ids=lambda kind: kind.__name__
)
def test_files_without_a_place_are_refused_before_the_first_step(here, liquid, observer, path):
    if observer is au.Trajectory:
        path = "missing/a.gsd"  # that "." is no name of a trajectory is seen before
    with liquid(n=108, observers=[observer(path, every=1000)]) as sim:
        with pytest.raises(au.FileError, match=r"there is no folder .*missing|it is a folder"):
            sim.run(2)
        assert sim.step == 0


def test_huge_files_are_refused_before_they_are_read(here):
    """A file of 20 GiB that takes no room on the disk."""
    with open("conf.gro", "wb") as file:
        file.write(b"title\n")
        file.truncate(20 * 2**30)
    with pytest.raises(au.FileError, match="it has 21,474,836,480 bytes; at most"):
        read_gro("conf.gro")


def test_random_places_end(here):
    """Near the densest the draws are counted, and an error says so."""
    density = 0.3699 / (np.pi / 6 * 0.8**3)
    with pytest.raises(au.InputError, match=r"only \d+ of 100 particles could be placed .* tried"):
        au.build.random(100, density, seed=3)
    system = au.build.random(300, 0.226 / 0.2680825731)
    near = system.position[:, None] - system.position
    near = system.box.minimum_image(near.reshape(-1, 3)).reshape(near.shape)
    distance = np.linalg.norm(near, axis=-1) + 9 * np.eye(300)
    assert distance.min() >= 0.8


@pytest.mark.parametrize("grid", [(8193, 12, 12), (4000, 4000, 4000)])
def test_meshes_beyond_all_sense_are_refused(here, grid):
    water(here)
    lines = [f"fourier-n{axis} = {n}" for axis, n in zip("xyz", grid, strict=True)]
    text = (here / "grompp.mdp").read_text()
    kept = [line for line in text.splitlines() if not line.startswith("coulombtype")]
    (here / "grompp.mdp").write_text("\n".join([*kept, "coulombtype = PME", *lines, ""]))
    told = mdrun("-nsteps", 1, "-maxwarn", 1, code=2).stderr  # it is coarse along y and z
    assert f"a mesh of {grid[0]} × {grid[1]} × {grid[2]} points is too large" in told
