# SPDX-License-Identifier: Apache-2.0
"""`aureole bench blast`: schedules, PyClaw, and what is told of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
import pytest
from aureole.amr.schedules import BY_NAME
from aureole_bench import main, rounds
from aureole_bench.blast import engines as blast_engines
from aureole_bench.blast import measure as blast
from aureole_bench.blast import physics as blast_physics
from aureole_bench.blast import worker as blast_worker
from aureole_bench.blast.engines import Blast, Ours, PyClaw, PyClawRun, State
from aureole_bench.blast.refined import CHECK
from aureole_bench.engines import PeerFailed

MISSING = PeerFailed("PyClaw is missing. Install it.")


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in; nothing is repeated because the machine is busy."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rounds, "REPEATS", 0)
    monkeypatch.delenv("AUREOLE_PYCLAW", raising=False)
    return tmp_path


def no_pyclaw(*_: Any) -> None:
    raise MISSING


def test_all_schedules_of_the_host(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(blast, "find_pyclaw", no_pyclaw)
    words = ["--cells", "16", "--steps", "2", "--rounds", "1", "--threads", "1", "--refined", "64"]
    assert main.main(["blast", *words, "--json", "a.json"]) == 0
    found = json.loads(Path("a.json").read_text())
    assert [row["schedule"] for row in found["rows"]] == list(BY_NAME)
    assert all(row["ms_per_step"] > 0 and len(row["runs"]) == 1 for row in found["rows"])
    problem = au.amr.sedov(16)
    sim = au.amr.Simulation(problem.mesh(), problem.gas(), au.amr.Scheme(**blast.PAPER))
    sim.set(problem).run(until=problem.until)
    state = State(sim.get("density"), sim.get("energy"), sim.step)
    want = blast_physics.errors(state, blast_physics.expected(problem), problem)
    for row in found["states"]:
        assert {name: row[name] for name in want if name != "bits"} == {
            name: want[name] for name in want if name != "bits"
        }
    uniform, refined = found["refined"]
    assert uniform["cells"] == 64**2 > refined["cells"]
    assert uniform["updates"] == 64**2 * CHECK * -(-(uniform["steps"] + 1) // CHECK)
    assert refined["updates"] < 0.8 * uniform["updates"]
    assert refined["density"] < 1.1 * uniform["density"]
    assert refined["time_ratio"]["ratio"] > 0 < refined["mesh_share"] < 1
    out = capsys.readouterr().out
    assert "All states have the same bits." in out and "8 sub-grids, 4,096 cells" in out
    assert "PyClaw is missing" in out and "86.6 ms" in out
    assert Path("blast.png").stat().st_size > 10_000


class Played:
    """Answers of both engines without a run; keeps the jobs."""

    def __init__(self) -> None:
        self.jobs: list[dict[str, Any]] = []
        self.bits = dict.fromkeys(BY_NAME, "a" * 64)
        self.lacks: set[tuple[str, str]] = set()
        self.fails: set[str] = set()
        self.seconds = {"split": 4.0, "unsplit": 9.0, "sharpclaw": 6.0}

    def __call__(self, engine: Any, task: str, threads: int, **more: Any) -> dict[str, Any]:
        of = {"style": engine.style, "cells": engine.case.cells, "more": dict(engine.case.more)}
        self.jobs.append({"task": task, "threads": threads, **of, **more})
        if isinstance(engine, Ours):
            self.jobs[-1] |= {"device": engine.device, "scheme": engine.scheme}
            if (engine.device, engine.style) in self.lacks:
                raise blast_engines.Refused("it lacks it.")
        if engine.style in self.fails:
            raise PeerFailed("it broke down.")
        if task == "time":
            engine.counts = {"launches": 7680.0} if engine.style == "subgrids" else {}
            return {"seconds": self.seconds.get(engine.style, 2.0)}
        if task == "sweep":
            return {"rows": [{"refused": "it has no sweep."} for _ in more["settings"]]}
        uniform = np.ones((engine.case.cells,) * 3)
        np.savez(more["out"], density=uniform, energy=uniform)
        return {"steps": 3, "bits": self.bits.get(engine.style)}


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    answers = Played()
    for engine in (Ours, PyClawRun):
        monkeypatch.setattr(engine, "work", lambda self, *a, **k: answers(self, *a, **k))
    monkeypatch.setattr(blast, "find_pyclaw", lambda named: PyClaw(named or "python", "5.0"))
    monkeypatch.setattr(main, "_processors", lambda: 2)
    monkeypatch.setattr(blast.hyperthreads, "gains", lambda threads: [])
    return answers


def run(*words: str) -> tuple[int, dict[str, Any]]:
    code = main.main(["blast", "--cells", "8", "--refined", "0", "--json", "a.json", *words])
    return code, json.loads(Path("a.json").read_text())


def test_rounds_threads_steps_and_peer(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = run("--rounds", "3", "--steps", "5", "--picture", "b.svg", "--pyclaw", "other")
    assert code == 0 and Path("b.svg").stat().st_size > 10_000
    timed = [job for job in played.jobs if job["task"] == "time"]
    order = [(job["style"], job["threads"]) for job in timed]
    ours = [(name, n) for n in (1, 2) for name in BY_NAME]
    pairs = [(name, 1) for name in ("pack", "split", "unsplit", "sharpclaw")]
    assert order == 3 * ours + 3 * pairs
    assert all(job["steps"] == 5 and job["warm"] == 2 and job["cells"] == 8 for job in timed)
    assert all(job["scheme"] == blast.PAPER for job in timed[: 3 * len(ours)])
    beside = [job for job in timed[3 * len(ours) :] if job["style"] == "pack"]
    assert all(job["scheme"] == blast.SECOND and job["more"] == blast.OUTSIDE for job in beside)
    # 5 steps in 2 s; PyClaw's fastest solver takes twice as long.
    assert [row["ms_per_step"] for row in found["rows"]] == [pytest.approx(400)] * len(ours)
    peer = found["pyclaw"]
    assert (peer["fastest"], peer["ratio"], peer["pairs"]) == ("pyclaw split", pytest.approx(2), 3)
    table = capsys.readouterr().out
    assert "launches/step" in table and "7,680" in table
    assert "To the fastest, pyclaw split: 2.00 (2.00 – 2.00), target 1.5 reached" in table


def test_a_slow_engine_misses_the_target(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    played.seconds["unsplit"] = 2.9
    assert run("--rounds", "1")[1]["pyclaw"]["fastest"] == "pyclaw unsplit"
    assert "1.45 (1.45 – 1.45), target 1.5 NOT reached" in capsys.readouterr().out


def test_other_bits_fail(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    played.bits["subgrids"] = "b" * 64
    code, found = run("--rounds", "1")
    assert (code, found["same_bits"]) == (1, False)
    assert "The states DIFFER: there are 2 of 6." in capsys.readouterr().out


def test_schedules_that_a_device_lacks(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    played.lacks = {("cuda:0", "pack")}
    code, found = run("--rounds", "1", "--device", "cuda:0")
    assert code == 0 and [row["schedule"] for row in found["rows"]] == ["subgrids", "aggregate"]
    assert [(job["device"], job["threads"]) for job in played.jobs[:3]] == 3 * [("cuda:0", 0)]
    assert "Schedule pack is left out: it lacks it." in capsys.readouterr().out
    played.lacks = {("host", name) for name in BY_NAME}
    with pytest.raises(au.Error, match="Schedule aggregate is left out: it lacks it"):
        run("--rounds", "1")


def test_solvers_of_pyclaw_that_fail(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    played.fails = {"split"}
    assert run("--rounds", "1")[1]["pyclaw"]["fastest"] == "pyclaw sharpclaw"
    assert "pyclaw split is skipped: it broke down." in capsys.readouterr().out
    played.fails = set(blast.STYLES)
    assert run("--rounds", "1")[1]["pyclaw"] is None
    played.fails = {"pack"}
    with pytest.raises(PeerFailed):
        run("--rounds", "1")


def test_counts_are_those_of_a_timed_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine counts from the start on; what only tasks have is missing without tasks."""
    none = {"tasks": 0, "batches": 0, "workers": 0, "idle_seconds": 0.0}
    some = {"tasks": 12, "batches": 3, "workers": 2, "idle_seconds": 0.5}
    more = {"tasks": 36, "batches": 11, "workers": 2, "idle_seconds": 1.5}
    where = {"device": "host", "threads": 1, "schedule": "subgrids"}
    job = {"cells": 8, "problem": {}, "scheme": blast.SECOND, "warm": 1, "steps": 2, **where}
    for before, after in ((none, none), (some, more)):
        counts = iter(
            [{"launches": 10, "copies": 4, **before}, {"launches": 40, "copies": 4, **after}]
        )
        monkeypatch.setattr(au.amr.Simulation, "counts", property(lambda sim, of=counts: next(of)))
        told = blast_worker.timed(job)
        want = {"launches": 15, "copies": 0}
        if after is more:
            want |= {"mean_batch": 3, "idle": pytest.approx(1 / (2 * told["seconds"]))}
        assert told["counts"] == want


def test_a_refused_schedule_says_why(tmp_path: Path) -> None:
    engine = Ours(Blast(8, tmp_path), "packs", blast.PAPER)
    with pytest.raises(blast_engines.Refused, match="pack"):
        engine.seconds(1, 1)


def test_expected_means_are_those_of_all_cells() -> None:
    problem = au.amr.sedov(16)
    lines = [problem.mesh().centers(axis) for axis in "xyz"]
    z, y, x = np.meshgrid(*lines, indexing="ij")
    means = problem.means(problem.until, x, y, z)
    for name, values in blast_physics.expected(problem).items():
        assert np.allclose(values, means[name], rtol=1e-12, atol=1e-20)


def test_profiles_of_a_known_field() -> None:
    problem = au.amr.sedov(32)
    found = blast_physics.profile(2 * blast_physics.radii(problem), problem)
    assert np.allclose(found["density"], 2 * np.array(found["radius"]))
    front = au.amr.exact.sedov_radius(problem.until)
    assert front < max(found["radius"]) < 2.2 * front
    exact = blast_physics.exact_profile(problem)
    assert max(exact["density"]) == pytest.approx(6, rel=0.1)  # a strong shock: (γ + 1) / (γ − 1)


WRONG = [
    (["--cells", "12"], "cells is 12"),
    (["--refined", "12"], "cells is 12"),
    (["--refined", "24"], "cannot be halved so often"),
    (["--rounds", "0"], "rounds is 0"),
    (["--steps", "0"], "steps is 0"),
    (["--pyclaw", "/nowhere/python"], "/nowhere/python cannot be started"),
    (["--picture", "a.txt"], "neither PNG nor SVG"),
]


@pytest.mark.parametrize("words, text", WRONG)
def test_wrong_options_are_refused_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch, words: list[str], text: str
) -> None:
    monkeypatch.setattr(blast_engines, "run_program", lambda *_, **__: pytest.fail("it began"))
    monkeypatch.setattr(blast.hyperthreads, "gains", lambda threads: [])
    with pytest.raises(au.InputError, match=text):
        main.main(["blast", *words])


def test_a_python_without_pyclaw_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho no module named clawpack >&2\nexit 1\n")
    python.chmod(0o755)
    with pytest.raises(PeerFailed, match=r"has none \(no module named clawpack\)"):
        blast_engines.find_pyclaw(str(python))
    python.write_text("#!/bin/sh\necho 5.14.0\n")
    monkeypatch.setenv("AUREOLE_PYCLAW", str(python))
    assert blast_engines.find_pyclaw(None) == PyClaw(str(python), "5.14.0")
    monkeypatch.delenv("AUREOLE_PYCLAW")
    monkeypatch.setattr(blast_engines.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(PeerFailed, match=r"pip install clawpack.*--pyclaw or AUREOLE_PYCLAW"):
        blast_engines.find_pyclaw(None)
