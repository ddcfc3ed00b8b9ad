# SPDX-License-Identifier: Apache-2.0
"""A failure at every write, flush and rename of a small run: one clear error, nothing lost."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from drill import COMPLETE, Run, Server, undisturbed
from drill_jobs import CHECKPOINT, LOG

OPTIONS = {"n": 256, "steps": 60, "every": {"trajectory": 15, "log": 10, "checkpoint": 20}}
KINDS = ("enospc", "eio", "short", "torn", "kill", "kill-half")
REASONS = {"enospc": "No space left", "torn": "No space left", "eio": "Input/output error"}


class Trial:
    """One failure, the error it gave, and the restart after it.

    Begins from an empty folder, or from a copy of `start`, what an interrupted run left.
    """

    def __init__(self, server: Server, start: Path | None = None) -> None:
        self.server, self.start = server, start
        self.reference, _ = undisturbed(server, OPTIONS)
        self.folder, self.cwd = server.base / "run", server.base / "cwd"
        #: Those of a run that was killed, which one that could not have them leaves alone.
        self.old_locks = {lock.name for lock in start.glob(".*.lock")} if start else set()

    def begin(self) -> None:
        self.server.fresh("run")
        self.server.fresh("cwd")
        if self.start:
            shutil.copytree(self.start, self.folder, dirs_exist_ok=True)

    def calls(self) -> list[tuple[str, str]]:
        """The calls, in order, that a run makes on its files when nothing fails: (what, path)."""
        log = self.server.base / "calls"
        log.unlink(missing_ok=True)
        self.begin()
        fault = {"folder": self.folder, "log": log, "at": 0, "kind": "none"}
        answer = self.simulate(fault=fault)
        assert answer["status"] == 0, str(answer)
        self.end_same()
        return [tuple(line.split(" ", 2)[1:]) for line in log.read_text().splitlines()]

    def run(self, kind: str, at: int, call: tuple[str, str]) -> str:
        """Returns how the run ended: "error", "killed" or "unharmed"."""
        self.begin()
        fault = {"folder": self.folder, "kind": kind, "at": at}
        answer = self.simulate(fault=fault, cwd=self.cwd)
        if answer["status"] == 0:
            # A system may write in two parts, and a file that could not be removed is gone later.
            assert kind == "short" or (kind == "torn" and call[0] != "write") or harmless(call)
            if call[1].endswith(".lock") and kind != "short":
                self.check_lock(call, answer)
            self.end_same()
            return "unharmed"
        if kind.startswith("kill"):
            assert answer["killed"], str(answer)
            self.restart()
            return "killed"
        assert answer["status"] == 1, str(answer)
        self.check_error(kind, answer)
        self.restart()
        return "error"

    def simulate(self, **more: Any) -> dict[str, Any]:
        return self.server.ask("simulate", folder=self.folder, options=OPTIONS, **more)

    def check_error(self, kind: str, answer: dict[str, Any]) -> None:
        result = answer["result"]
        assert result["error"] == "FileError", result
        assert str(self.folder) in result["text"], result
        assert REASONS[kind] in result["text"], result
        assert "Traceback" not in answer["output"], str(answer)
        # The state is saved elsewhere, if that was possible, and the error says where.
        for rescued in self.cwd.iterdir():
            assert str(rescued) in result["text"], result
        litter = {entry.name for entry in self.folder.iterdir()} - COMPLETE - self.old_locks
        assert not litter, f"litter: {litter}"

    def check_lock(self, call: tuple[str, str], answer: dict[str, Any]) -> None:
        """A run goes on without a lock and warns; one that it leaves keeps nobody out."""
        if call[0] == "open":
            assert "cannot be locked" in answer["output"], str(answer)
        if Path(call[1]).exists():
            self.restart()

    def restart(self) -> None:
        answer = self.simulate()
        assert answer["status"] == 0, str(answer)
        self.end_same()

    def end_same(self) -> None:
        Run(self.server, self.folder).assert_same(self.reference)


def harmless(call: tuple[str, str]) -> bool:
    return call[0] == "unlink" or call[1].endswith(".lock")


def trials(trial: Trial, chosen: Any) -> dict[str, int]:
    made = trial.calls()
    assert {"open", "write", "fsync", "rename"} <= {what for what, _ in made}
    counts = {"error": 0, "killed": 0, "unharmed": 0, "calls": len(made)}
    for kind, at in chosen(len(made)):
        call = made[at - 1]
        try:
            counts[trial.run(kind, at, call)] += 1
        except AssertionError as error:  # which of the thousands it was
            where = f"{kind} at call {at}: {call[0]} {Path(call[1]).name}"
            raise AssertionError(f"{where}: {error}") from None
    return counts


def some_calls(count: int, of_each: int) -> list[tuple[str, int]]:
    dice = random.Random(4)
    return [(kind, dice.randint(1, count)) for kind in KINDS for _ in range(of_each)]


def every_call(count: int) -> list[tuple[str, int]]:
    return [(kind, at) for at in range(1, count + 1) for kind in KINDS]


@pytest.mark.usefixtures("faults")
def test_failures_at_some_calls(server: Server) -> None:
    counts = trials(Trial(server), lambda n: some_calls(n, 6))
    assert counts["error"] > 6 and counts["killed"] > 6


@pytest.mark.validate
@pytest.mark.usefixtures("faults")
def test_failures_at_every_call(server: Server) -> None:
    print(trials(Trial(server), every_call))


def interrupted(server: Server) -> Path:
    """What a run leaves that is killed when frames and rows came after its last checkpoint."""
    trial = Trial(server)
    made = trial.calls()
    last = max(
        k for k, call in enumerate(made) if call == ("rename", f"{trial.folder}/{CHECKPOINT}")
    )
    killed = max(k for k in range(last) if made[k][1].endswith(LOG))
    trial.begin()
    answer = trial.simulate(fault={"folder": trial.folder, "kind": "kill-after", "at": killed + 1})
    assert answer["killed"], str(answer)
    left = server.fresh("left")
    shutil.copytree(trial.folder, left, dirs_exist_ok=True)
    return left


@pytest.mark.usefixtures("faults")
def test_failures_at_some_calls_of_a_restart(server: Server) -> None:
    counts = trials(Trial(server, interrupted(server)), lambda n: some_calls(n, 3))
    assert counts["error"] > 3 and counts["killed"] > 3


@pytest.mark.validate
@pytest.mark.usefixtures("faults")
def test_failures_at_every_call_of_a_restart(server: Server) -> None:
    print(trials(Trial(server, interrupted(server)), every_call))


@pytest.mark.parametrize("kind", ["enospc", "eio"])
@pytest.mark.usefixtures("faults")
def test_a_run_whose_disk_is_full_or_gone_goes_on_elsewhere(server: Server, kind: str) -> None:
    """The rescue file continues the run exactly, once the disk is there and has room again."""
    reference, _ = undisturbed(server, OPTIONS)
    folder, cwd = server.fresh(), server.fresh("cwd")
    fault = {"folder": folder, "match": LOG, "kind": kind, "at": 9, "sticky": 1}
    answer = server.ask("simulate", folder=folder, options=OPTIONS, fault=fault, cwd=cwd)
    assert answer["status"] == 1, str(answer)
    found = re.search(r"saved in (\S+?)\. Then", answer["result"]["text"])
    assert found and Path(found[1]).parent == cwd, str(answer)
    again = server.ask("simulate", folder=folder, options=OPTIONS, checkpoint=found[1])
    assert again["status"] == 0, again
    assert server.first_step() > 0
    Run(server, folder).assert_same(reference)
