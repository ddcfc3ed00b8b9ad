# SPDX-License-Identifier: Apache-2.0
"""The words after `aureole mdrun`."""

from __future__ import annotations

import contextlib
import random

import pytest
from aureole.base.errors import FileError, InputError
from aureole.cli.main import main
from aureole.cli.mdrun import help as mdrun_help
from aureole.cli.mdrun import options
from aureole.cli.mdrun.options import GROUPS, OPTIONS, read
from aureole.cli.mdrun.run_job import Call
from aureole.ranks.processors import Processors
from mdrun_inputs import argon


def test_defaults():
    given = read([])
    assert (given["c"], given["p"], given["f"]) == ("conf.gro", "topol.top", "grompp.mdp")
    assert given["n"] is None and given.checkpoint is None and given.threads == 0
    assert given.file("o") == "traj.trr" and given.file("cpo") == "state.cpt"
    assert given["append"] and not given["v"] and given["cpt"] == 15.0


@pytest.mark.parametrize(
    "words, name, file",
    [
        ("-deffnm md", "o", "md.trr"),
        ("-deffnm md -o", "o", "md.trr"),
        ("-deffnm md -o other", "o", "other.trr"),
        ("-x a.dcd", "x", "a.dcd"),
        ("-deffnm run/md", "g", "run/md.log"),
        ("-deffnm md.1", "co", "md.1.gro"),
        ("-deffnm md", "cpo", "md.cpt"),
        ("-deffnm md -o traj.trr", "o", "traj.trr"),
    ],
)
def test_names_of_files(words, name, file):
    assert read(words.split()).file(name) == file


@pytest.mark.parametrize(
    "words, checkpoint",
    [
        ("-cpi", "state.cpt"),
        ("-cpi -v", "state.cpt"),
        ("-deffnm md -cpi", "md.cpt"),
        ("-cpi -deffnm md", "md.cpt"),
        ("-deffnm md -cpi old", "old.cpt"),
        ("-cpi old.cpt.prev", "old.cpt.prev"),
    ],
)
def test_checkpoint(words, checkpoint):
    assert read(words.split()).checkpoint == checkpoint


@pytest.mark.parametrize(
    "words, threads",
    [
        ("-nt 4", (1, 4)),
        ("-ntomp 3", (1, 3)),
        ("-ntmpi 2 -ntomp 3", (2, 3)),
        ("-ntmpi 2", (2, 0)),
        ("-nt 6 -ntmpi 2", (2, 3)),
        ("-nt 6 -ntmpi 2 -ntomp 3", (2, 3)),
        ("-ntmpi 0", (1, 0)),
        ("", (1, 0)),
    ],
)
def test_threads(words, threads):
    given = read(words.split())
    assert (given.ranks or 1, given.threads) == threads


@pytest.mark.parametrize("words", ["-nt 5 -ntmpi 2", "-nt 4 -ntmpi 2 -ntomp 3"])
def test_threads_that_do_not_fit_ranks(words):
    with pytest.raises(InputError, match="of all ranks together"):
        _ = read(words.split()).threads


@pytest.mark.parametrize(
    "words, value, threads",
    [
        ("", "3", 3),
        ("-ntmpi 2", "3,1", 3),
        ("-ntomp 3", "3", 3),
        ("-nt 2", "3", 2),
        ("", "many", 0),
        ("", "0", 0),
    ],
)
def test_threads_of_the_environment(monkeypatch, words, value, threads):
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    assert read(words.split()).threads == threads


def test_contradicting_threads(monkeypatch):
    """gmx mdrun refuses them too."""
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    with pytest.raises(InputError, match="-ntomp is 2, OMP_NUM_THREADS is 3"):
        _ = read(["-ntomp", "2"]).threads


@pytest.mark.parametrize(
    "words, value, told",
    [
        ("", "1", "OMP_NUM_THREADS sets 1 thread per rank"),
        ("", "abc", "OMP_NUM_THREADS=abc has no effect: it is not a positive number"),
        ("", "0", "OMP_NUM_THREADS=0 has no effect"),
        ("", ",2", "OMP_NUM_THREADS=,2 has no effect"),
        ("", "-1", "OMP_NUM_THREADS=-1 has no effect"),
        ("", "1.5,2", "OMP_NUM_THREADS=1.5,2 has no effect"),
        ("-ntmpi 2", "a\x1b[31m\nb", "OMP_NUM_THREADS=a\\x1b[31m b has no effect"),
        ("-ntomp 1", "abc", None),
        ("-nt 1", "abc", None),
        ("", " ", None),
        ("-ntomp 3", "", "3 threads share 2 processors, which is slow"),
        ("-ntmpi 3 -ntomp 1", "", "3 ranks of 1 thread share 2 processors, which is slow"),
        ("-ntomp 1 -pin on", "", "-pin on has no effect: 1 thread may use 2 processors"),
        ("-ntomp 1", "", None),
        ("-ntomp 2 -pin on", "", None),
        ("-pin on", "", None),
        ("", "", None),
    ],
)
def test_notes_on_threads(monkeypatch, capsys, words, value, told):
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    monkeypatch.setattr(Processors, "now", lambda: [0, 1])
    call = Call(words.split())
    call.device()
    assert any("is slow" in note for note in call.given.notes) == ("is slow" in (told or ""))
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith(f"note: {told}") if told else said == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["-time", "0.2"],
            "-time, an option of grompp, .*-t takes the last frame.* trjconv .*-e T",
        ),
        (["-pp"], "-pp, an option of grompp"),
        (["-norenum"], "-norenum, an option of grompp, .*Remove it"),
    ],
)
def test_options_of_grompp_say_what_to_do(words, told):
    with pytest.raises(InputError, match=told):
        read(words)
    assert not {"time", "pp", "renum"} & OPTIONS.keys()


def test_each_line_of_an_error_is_marked(here, capsys):
    argon(here)
    (here / "grompp.mdp").write_text("acc-grps = System\naccelerate = 0.1 0 0\n")
    assert main(["mdrun"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[:2] for line in lines] == [
        ["error", f"grompp.mdp:{k}"] for k in (1, 2)
    ]


def test_switches():
    given = read(["-v", "-noappend", "-nobackup", "-noconfout"])
    assert given["v"] and not given["append"] and not given["backup"] and not given["confout"]
    assert read(["-append", "no"])["append"] is False
    assert read(["--deffnm", "md"])["deffnm"] == "md"  # two dashes are as good


@pytest.mark.parametrize("words", [["-t", "nvt.cpt"], ["-c", "nvt.cpt"]])
def test_checkpoints_of_gromacs_are_replaced_by_final_frames(here, capsys, words):
    argon(here)
    (here / "nvt.cpt").write_bytes(b"\0")
    assert main(["mdrun", *words]) in (1, 2)
    told = capsys.readouterr().err
    if words[0] == "-c":
        assert "-c nvt.gro" in told and "positions, velocities and box" in told
    else:
        assert ".trr" in told and "positions and velocities" in told


def test_numbers_may_be_negative():
    given = read(["-nsteps", "-1", "-maxh", "-1", "-cpt", "-1"])
    assert (given["nsteps"], given["maxh"], given["cpt"]) == (-1, -1.0, -1.0)


@pytest.mark.parametrize("name", [o.name for g in GROUPS.values() for o in g])
def test_every_option_is_read_or_refused(name):
    """Alone, with a word, and with a number; nothing else than an error of ours comes out."""
    for more in ([], ["1"], ["a.gro"], ["1", "1", "1"]):
        try:
            given = read([f"-{name}", *more])
        except (InputError, FileError) as error:
            assert f"-{name}" in str(error) or (more and more[0] in str(error))
        else:
            assert name in given.named
            effect = OPTIONS[name].effect
            assert effect != "refused" or OPTIONS[name].harmless or name == "s"  # by find_input
    assert f"-{name}" in mdrun_help.text().replace("[no]", "")
    assert f"{name}" in mdrun_help.markdown()


def test_mangled_words():
    rng = random.Random(4)
    words = [
        *(f"-{name}" for name in OPTIONS),
        "a.gro",
        "1",
        "-1",
        "",
        "-",
        "--",
        "yes",
        "-no",
        "ä",
    ]
    for _ in range(3000):
        chosen = [rng.choice(words) for _ in range(rng.randrange(1, 7))]
        if rng.random() < 0.3:
            chosen[0] = chosen[0][: rng.randrange(len(chosen[0]) + 1)]
        with contextlib.suppress(InputError, FileError):
            read(chosen)


def test_a_damaged_table_names_its_line(tmp_path):
    path = tmp_path / "options.table"
    path.write_text("== Input\nc: file = a.gro [b.gro] {a b} | noted unless 0\n    about\n")
    (group,) = options.read_table(path).values()
    names = ("c", "file", "about", "a.gro", "b.gro")
    assert group == (options.Option(*names, ("a", "b"), "noted", ("0",)),)
    path.write_text("c: file\n    about\np = file\n")
    with pytest.raises(FileError, match=r"options.table:3: .*'p = file' is no option"):
        options.read_table(path)
