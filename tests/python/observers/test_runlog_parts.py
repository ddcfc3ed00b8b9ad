# SPDX-License-Identifier: Apache-2.0
"""Times in the summary of a run are those of the steps that its log has seen, and of no others."""

from __future__ import annotations

import json
from pathlib import Path

import aureole as au


def parts():
    """Seconds of each part, without what no part accounts for."""
    told = json.loads(Path("a.json").read_text())["profile"]
    return {one["part"]: one["seconds"] for one in told if one["part"] != "rest"}


def test_steps_before_the_log_do_not_count(here, liquid):
    """Of a log that is added later, over two runs: no more than the engine counts from then on."""
    with liquid(n=500) as sim:
        sim.run(200)
        before = sim.profile()
        sim.observers.append(au.RunLog("a.log", 10))
        sim.run(10).run(10)
        after = sim.profile()
    found = parts()
    assert found.keys() <= after.keys() and found["force"] > 0
    for name, seconds in found.items():  # what is read between runs is of no run
        assert seconds <= after[name] - before[name] + 1e-12, name


def test_parts_of_a_continued_run_add_up(here, liquid):
    """The summary goes on with the seconds of the interrupted run; none count twice."""
    with liquid(n=500, observers=[au.RunLog("a.log", 10), au.Checkpoint("a.ckpt", 50)]) as sim:
        sim.run(50)
    first = parts()
    with au.Simulation.from_checkpoint("a.ckpt") as sim:
        begun = sim.profile()
        sim.run(10)
        second = sim.profile()
    found = parts()
    assert first.keys() <= found.keys() and found["force"] > first["force"] > 0
    for name, seconds in found.items():
        assert seconds <= first.get(name, 0.0) + second[name] - begun[name] + 1e-12, name
