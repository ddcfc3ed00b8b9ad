# SPDX-License-Identifier: Apache-2.0
"""`aureole bench tasks`: what it makes of the output of its program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aureole as au
import pytest
from aureole_bench import main, tasks
from aureole_bench.engines import PeerFailed


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def program(said: str) -> list[str]:
    """The words of a command whose program says this."""
    Path("said").write_text(said)
    made = Path("bench")
    made.write_text("#!/bin/sh\necho a warning >&2\ncat said\n")
    made.chmod(0o755)
    return ["tasks", "--program", "bench"]


def toy(notice: str, seconds: float, executors: int, batch: float = 1.0) -> dict[str, Any]:
    of = {"notice": notice, "executors": executors, "most": 8, "workers": 2}
    return {**of, "seconds": seconds, "ideal": 0.004, "launches": 1920, "mean_batch": batch}


FOUND = {
    "spawn and join, 1": {"ours": 11.6, "tbb": 23.9, "ratio": 0.49},
    "coroutine, 1": {"ours": 20.8, "tbb": None},
    "a visit": {"ns": 1101, "asked": 128},
    "event to continuation, us": 1.4,
    "poll against wait": [
        *(toy("poll", 0.005, 1, 2.5), toy("callback", 0.006, 1), toy("wait", 0.0125, 1)),
        *(toy("poll", 0.010, 8), toy("wait", 0.012, 8)),
    ],
    "tbb": True,
}


def test_tables_of_all_that_the_program_says(capsys: pytest.CaptureFixture[str]) -> None:
    words = program(json.dumps(FOUND, indent=1))
    assert main.main([*words, "--json", "a.json"]) == 0
    assert json.loads(Path("a.json").read_text())["tasks"] == FOUND
    out = capsys.readouterr().out
    lines = [line.split() for line in out.splitlines()]
    assert ["spawn", "and", "join,", "1", "11.6", "23.9", "0.49"] in lines
    assert ["coroutine,", "1", "20.8", "–", "–"] in lines
    assert "a visit: ns 1,101, asked 128" in out and "event to continuation, us: 1.4" in out
    one = ["1", "8", "2", "4.00", "5.00", "(2.5)", "6.00", "(1.0)", "12.50", "(1.0)"]
    assert [*one, "1.25", "2.50"] in lines
    eight = ["8", "8", "2", "4.00", "10.00", "(1.0)", "–", "12.00", "(1.0)", "2.50", "1.20"]
    assert eight in lines
    assert "Wait to poll: median 1.85, least 1.20 (executors 8, most 8, workers 2)" in out
    assert "oneTBB is skipped" not in out and "tbb: " not in out


def test_without_the_peer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(program('{\n"one": {"ours": 1.0, "tbb": null},\n"tbb": false\n}\n')) == 0
    assert "oneTBB is skipped: it was not found" in capsys.readouterr().out


def test_a_missing_program_is_told_how_to_build(monkeypatch: pytest.MonkeyPatch) -> None:
    command = "cmake --build build --target bench_tasks"
    with pytest.raises(au.InputError, match=f"nothing cannot be run.*{command}"):
        main.main(["tasks", "--program", "nothing"])
    Path("plain").write_text("")
    with pytest.raises(au.InputError, match="plain cannot be run"):
        main.main(["tasks", "--program", "plain"])
    assert Path(__file__).parents[3] / "build" / "bench_tasks" == tasks.PROGRAM


def test_a_program_that_says_something_else() -> None:
    with pytest.raises(PeerFailed, match=r"printed no JSON .*warning / done"):
        main.main(program("done\n"))
    with pytest.raises(PeerFailed, match="printed no JSON"):
        main.main(program('{\n"half": '))
