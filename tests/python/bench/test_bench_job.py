# SPDX-License-Identifier: Apache-2.0
"""`aureole bench scaling --job`: a user's own files, which stay as they are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import aureole as au
import pytest
from aureole_bench import main, rounds
from aureole_bench.ranks import scaling as rank_scaling
from mdrun_inputs import argon

two_processors = pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2, reason="two ranks need two processors of their own"
)


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of argon, below the one that is worked in."""
    folder = tmp_path / "argon"
    folder.mkdir()
    argon(folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rounds, "REPEATS", 0)
    return folder


def state_of(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


@two_processors
def test_a_job_on_ranks_and_threads(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (job / "conf.gro").rename(job / "start.gro")  # the only one is found under any name
    before = state_of(job)
    words = ["--pairs", "1", "--seconds", "0.02", "--ranks", "1,2", "--json", "a.json"]
    assert main.main(["scaling", "--job", "argon", *words]) == 0
    assert state_of(job) == before
    rows = json.loads(Path("a.json").read_text())["rows"]
    assert [row["layout"] for row in rows] == ["1", "2 ranks", "2 threads"]
    assert all(row["case"] == "argon" and row["n"] == 216 for row in rows)
    assert rows[1]["ms_by_part"]["positions"] > 0
    assert Path("scaling.png").stat().st_size > 10_000
    out = capsys.readouterr().out
    assert "Where the time of a step goes" in out and "argon  2 ranks" in out


def test_named_files_and_all_counts(
    job: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (job / "other.mdp").write_text((job / "grompp.mdp").read_text())
    (job / "index.ndx").write_text("[ System ]\n" + " ".join(map(str, range(1, 217))) + "\n")
    asked: list[dict[str, Any]] = []

    def work(self: Any, task: str, threads: int, **more: Any) -> dict[str, Any]:
        asked.append({"files": [path.name for path in self.case.files], "on": threads} | more)
        return {"seconds": 1e-3 * more["steps"], "profiles": [{}] * min(more["ranks"], 2)}

    monkeypatch.setattr("aureole_bench.molecules.engines._Worker._work", work)
    monkeypatch.setattr(main, "_processors", lambda: 4)
    said: list[str] = []
    monkeypatch.setattr(main, "_say", said.append)
    words = ["--mdp", "other.mdp", "--index", "index.ndx", "--references", "conf.gro"]
    words += ["--pairs", "1", "--seconds", "0.02", "--json", "a.json"]
    assert main.main(["scaling", "--job", "argon/", *words]) == 0
    assert {tuple(one["files"]) for one in asked} == {("conf.gro", "topol.top", "other.mdp")}
    assert all(one["index"] == str(job / "index.ndx") for one in asked)
    assert all(one["references"] == str(job / "conf.gro") for one in asked)
    layouts = {(1, 1), (2, 1), (1, 2), (4, 1), (2, 2), (1, 4)}
    assert {(one["ranks"], one["on"]) for one in asked} == layouts
    # Only two ranks fit: four are not measured, four threads are.
    assert any("4 ranks are left out: the box has room for 2" in line for line in said)
    rows = json.loads(Path("a.json").read_text())["rows"]
    labels = ["1", "2 ranks", "2 threads", "2 ranks × 2 threads", "4 threads"]
    assert [row["layout"] for row in rows] == labels
    options = ["-ntomp 1", "-ntmpi 2 -ntomp 1", "-ntomp 2", "-ntmpi 2 -ntomp 2", "-ntomp 4"]
    assert [row["options"] for row in rows] == options
    # A step of 0.002 ps takes 1 ms.
    assert [row["ns_per_day"] for row in rows] == pytest.approx([172.8] * 5)
    table = capsys.readouterr().out
    assert "ns/day" in table and "4 ranks are left out" in table
    best = max(rows, key=lambda row: row["ns_per_day"])["options"]
    assert table.rstrip().splitlines()[-1] == f"fastest: aureole mdrun {best}"


def gone(name: str) -> Any:
    return lambda job: (job / name).unlink()


def written(name: str, text: str) -> Any:
    return lambda job: (job / name).write_text(text)


def two_tops(job: Path) -> None:
    (job / "topol.top").rename(job / "a.top")
    (job / "b.top").write_text("")


WRONG = [
    (gone("conf.gro"), [], r"argon: has no conf.gro and no other .gro file .*--conf FILE"),
    (gone("topol.top"), [], r"has no topol.top and no other .top file \(a job needs the topology"),
    (gone("grompp.mdp"), [], r"has no grompp.mdp and no other .mdp file"),
    (two_tops, [], r"2 .top files \(any of a.top, b.top may be meant\). Choose one: --top a.top"),
    (two_tops, ["--top", "c.top"], r"c.top: cannot be read .*--top another name"),
    (written("grompp.mdp", "integrator = steep\n"), [], "asks for a minimisation"),
    (written("topol.top", "[ defaults ]\n"), [], "topol.top"),
    (None, ["--job", "nowhere"], r"nowhere: is no folder of a job \(there is no such folder"),
    (None, ["--job", "argon/conf.gro"], "it is a file"),
]


@pytest.mark.parametrize("change, words, text", WRONG)
def test_what_is_missing_is_said_before_anything_runs(
    job: Path, monkeypatch: pytest.MonkeyPatch, change: Any, words: list[str], text: str
) -> None:
    monkeypatch.setattr(rank_scaling, "measure", lambda *_: pytest.fail("it began"))
    if change is not None:
        change(job)
    with pytest.raises(au.Error, match=text):
        main.main(["scaling", "--job", "argon", *words])


def test_files_without_a_job(job: Path) -> None:
    with pytest.raises(au.InputError, match="--mdp has no --job"):
        main.main(["scaling", "--ranks", "2", "--mdp", "grompp.mdp"])
