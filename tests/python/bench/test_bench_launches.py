# SPDX-License-Identifier: Apache-2.0
"""`aureole bench launches`: what it makes of the output of its program."""

from __future__ import annotations

import json
from pathlib import Path

import aureole as au
import pytest
from aureole_bench import launches, main


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


FOUND = {
    "host": {
        "description": "a processor, 1 thread",
        "launch": {"single": 0.065, "train": 0.02222},
        "event": {"single": 0.064, "train": 0.01791},
    },
    "gpu:0": {"description": "a GPU", "launch": {"single": 4.25, "train": 2.5}},
}


def program() -> Path:
    """A program that says what it was asked for, and these numbers."""
    Path("said").write_text(json.dumps(FOUND, indent=1))
    made = Path("bench")
    made.write_text('#!/bin/sh\necho "$@" >asked\ncat said\n')
    made.chmod(0o755)
    return made


def test_a_table_of_devices_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["launches", "--program", str(program()), "--device", "host", "--device", "gpu:0"]
    assert main.main([*words, "--json", "a.json"]) == 0
    assert Path("asked").read_text() == "host gpu:0\n"
    assert json.loads(Path("a.json").read_text())["launches"] == FOUND
    out = capsys.readouterr().out
    assert "gpu:0: a GPU" in out
    lines = [line.split() for line in out.splitlines()]
    assert ["launch", "0.065", "0.0222", "4.25", "2.5"] in lines
    assert ["event", "0.064", "0.0179", "–", "–"] in lines


def test_all_devices_unless_some_are_named() -> None:
    assert main.main(["launches", "--program", str(program())]) == 0
    assert Path("asked").read_text() == "\n"


def test_a_missing_program_is_told_how_to_build() -> None:
    command = "cmake --build build --target bench_device"
    Path("bench_device").write_text("")
    with pytest.raises(au.InputError, match=f"bench_device cannot be run.*{command}"):
        main.main(["launches", "--program", "bench_device"])
    assert Path(__file__).parents[3] / "build" / "bench_device" == launches.PROGRAM
