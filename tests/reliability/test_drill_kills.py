# SPDX-License-Identifier: Apache-2.0
"""Kills at any moment, many of them inside checkpoint writing: as if nothing had happened."""

from __future__ import annotations

import random
import signal
from typing import Any

import pytest
from drill import Run, Server, undisturbed
from drill_jobs import CHECKPOINT

OPTIONS = {
    "n": 256,
    "steps": 6000,
    "every": {"trajectory": 300, "log": 20, "checkpoint": 100},
}
KINDS = ("kill", "kill-half", "kill-after")


class Drill:
    """Kills a run until `kills` are done, then lets it end; checks each run that ended."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server = server
        self.random = random.Random(seed)
        self.reference, self.seconds = undisturbed(server, OPTIONS)
        self.done = {"moment": 0, "checkpoint": 0, "signal": 0}
        self.runs = self.unheard = 0
        self._begin()

    def _begin(self) -> None:
        self.folder = self.server.fresh()
        self.reached = self.may_lose = 0

    def _request(self, way: str | None) -> dict[str, Any]:
        if way == "moment":
            return {"kill_after": self.random.uniform(0, 0.25 * self.seconds)}
        if way == "signal":
            chosen = self.random.choice((signal.SIGTERM, signal.SIGINT))
            return self._request("moment") | {"signal": int(chosen)}
        if way == "checkpoint":
            fault = {
                "folder": self.folder,
                "match": CHECKPOINT,
                "kind": self.random.choice(KINDS),
                "at": self.random.randint(1, 120),
            }
            return {"fault": fault}
        return {}

    def once(self, way: str | None) -> None:
        """Start or go on, and be killed `way`."""
        answer = self.server.ask(
            "simulate", folder=self.folder, options=OPTIONS, **self._request(way)
        )
        stopped = answer["status"] in (130, 143) and "continue with" in answer["output"]
        killed = answer["killed"]
        if way == "signal" and not stopped:  # it came just before or after the run
            killed = answer["signal"] == signal.SIGTERM or answer["status"] == 130
            self.unheard += killed
        assert killed or stopped or answer["status"] == 0, str(answer)
        assert not answer["timed_out"], str(answer)
        if (self.server.notes / "first").exists():
            lost = self.reached - self.server.first_step()
            assert lost <= self.may_lose, f"{lost} steps were lost"
        if killed or stopped:
            self.done[way] += 1
            if (self.server.notes / "first").exists():
                self.reached = max(self.server.first_step(), self.server.last_step())
                # Who is asked to end saves first.
                self.may_lose = 0 if stopped else OPTIONS["every"]["checkpoint"]
        else:
            Run(self.server, self.folder).assert_same(self.reference)
            self.runs += 1
            self._begin()

    def end(self) -> None:
        """Let the last run reach its end."""
        runs = self.runs
        while self.runs == runs:
            self.once(None)


def drill(server: Server, seed: int, **wanted: int) -> Drill:
    """Kills by each way as often as wanted, in random order."""
    test = Drill(server, seed)
    while left := {way: n - test.done[way] for way, n in wanted.items() if n > test.done[way]}:
        test.once(test.random.choices(list(left), list(left.values()))[0])
    test.end()
    assert test.unheard <= 2 + wanted.get("signal", 0) // 10
    return test


@pytest.mark.usefixtures("faults")
def test_a_dozen_kills(server: Server) -> None:
    drill(server, seed=1, moment=5, checkpoint=4, signal=3)


@pytest.mark.validate
@pytest.mark.usefixtures("faults")
def test_a_hundred_kills(server: Server) -> None:
    test = drill(server, seed=2, moment=70, checkpoint=30, signal=20)
    print(f"kills {test.done}, complete runs {test.runs}")


@pytest.mark.validate
@pytest.mark.usefixtures("faults")
def test_a_hundred_kills_inside_checkpoints(server: Server) -> None:
    test = drill(server, seed=3, checkpoint=100)
    print(f"kills {test.done}, complete runs {test.runs}")
