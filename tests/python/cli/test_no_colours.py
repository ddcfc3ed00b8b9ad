# SPDX-License-Identifier: Apache-2.0
"""Colours and other codes of terminals: on terminals that take them, and never in a file."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from mdrun_inputs import argon
from mpirun_jobs import ABLE, launchers

HEAD = [sys.executable, "-m", "aureole"]
MDRUN = ("mdrun", "-v", "-nsteps", "40", "-ntomp", "1")
WORDS = [
    MDRUN,
    ("mdrun", "-nstep", "40"),
    ("mdrun", "-c", "none.gro"),
    ("check",),
    ("info", "conf.gro", "topol.top"),
    ("info", "none.gro"),
    ("doctor",),
    ("presets",),
    ("--help",),
]
ESCAPE = b"\x1b"


@pytest.fixture(autouse=True)
def coloured(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the shell of a person who likes colours."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    argon(here)


def shown(*words: str) -> bytes:
    """What a command of aureole shows on a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([*HEAD, *words], stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                more = os.read(ours, 4096)
            except OSError:  # the terminal has no writer any more
                break
            seen += more
        process.wait(90)
    os.close(ours)
    return seen


def holding_codes(folder: Path) -> list[str]:
    """Files of text with codes; .cpt, .trr and .xtc hold any byte."""
    kinds = (".cpt", ".trr", ".xtc")
    texts = [path for path in folder.iterdir() if not any(kind in path.name for kind in kinds)]
    return [path.name for path in texts if ESCAPE in path.read_bytes()]


@pytest.mark.parametrize("words", WORDS, ids=lambda words: "-".join(words[:2]))
def test_files_hold_no_codes(here: Path, words: tuple[str, ...]) -> None:
    with open("said", "wb") as said:
        subprocess.run([*HEAD, *words], stdout=said, stderr=subprocess.STDOUT, timeout=90)
    piped = subprocess.run([*HEAD, *words], capture_output=True, timeout=90)
    assert Path("said").stat().st_size > 50
    assert ESCAPE not in piped.stdout + piped.stderr
    assert holding_codes(here) == []


def test_one_stream_may_be_a_file(here: Path) -> None:
    """Standard output on a terminal, errors in a file; and the other way round."""
    for kept in ("stdout", "stderr"):
        ours, theirs = pty.openpty()
        streams = {"stdout": theirs, "stderr": theirs}
        with open("said", "wb") as said:
            subprocess.run([*HEAD, *MDRUN], **(streams | {kept: said}), timeout=90)
            subprocess.run([*HEAD, "info", "none.gro"], **(streams | {kept: said}), timeout=90)
        os.close(theirs)
        os.close(ours)
        assert Path("said").stat().st_size > 50
        assert "said" not in holding_codes(here)


@pytest.mark.parametrize("mpirun", launchers() or [None])
def test_ranks_of_mpirun_put_no_codes_into_a_file(here: Path, mpirun: str | None) -> None:
    """Open MPI's have a terminal that mpirun has made, whatever it writes to itself."""
    if mpirun is None:
        pytest.skip("no mpirun was found. Install: pip install mpich, or apt install mpich")
    for words in (MDRUN, ("mdrun", "-c", "none.gro")):
        with open("said", "wb") as said:
            subprocess.run(
                [mpirun, "-n", "2", *HEAD, *words],
                env={**os.environ, **ABLE},
                stdout=said,
                stderr=subprocess.STDOUT,
                timeout=90,
            )
        assert Path("said").stat().st_size > 50
        assert "said" not in holding_codes(here)


def test_terminals_show_colours_unless_these_are_not_wanted(monkeypatch) -> None:
    assert b"\x1b[1maureole\x1b[0m" in shown("doctor")
    assert b"\x1b[31;1merror:" in shown("info", "none.gro")
    assert b"\r\x1b[2K" in shown(*MDRUN)
    monkeypatch.setenv("NO_COLOR", "")  # as if it were not there
    assert b"\x1b[1maureole\x1b[0m" in shown("doctor")
    monkeypatch.setenv("NO_COLOR", "1")
    assert ESCAPE not in shown("doctor") + shown("info", "none.gro")
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert ESCAPE not in shown("doctor") + shown(*MDRUN)
