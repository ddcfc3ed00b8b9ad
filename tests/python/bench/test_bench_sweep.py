# SPDX-License-Identifier: Apache-2.0
"""The sweep of `aureole bench blast`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aureole as au
import pytest
from aureole_bench import main, rounds
from aureole_bench.blast import engines as blast_engines
from aureole_bench.blast import measure as blast
from aureole_bench.blast import sweep as blast_sweep
from aureole_bench.blast import sweep_report as blast_sweep_report
from aureole_bench.blast import worker as blast_worker
from aureole_bench.engines import PeerFailed
from aureole_bench.ranks.picture import Row


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in; nothing is repeated, and there is no PyClaw."""

    def missing(*_: Any) -> None:
        raise PeerFailed("PyClaw is missing.")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rounds, "REPEATS", 0)
    monkeypatch.setattr(blast, "find_pyclaw", missing)
    return tmp_path


SHORT = ["--cells", "16", "--rounds", "1", "--steps", "1", "--device", "hostile"]


def test_a_sweep_on_a_host_that_executes_late(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = lambda self, command, job, on: blast_worker.TASKS[job["task"]](job)  # noqa: E731
    monkeypatch.setattr(blast_engines.Ours, "_run", here)
    monkeypatch.setattr(blast, "BY_NAME", ["pack"])  # the sweep has the others
    words = ["--executors", "1", "--most", "1,8", "--notice", "wait,poll", "--workers", "2"]
    assert main.main(["blast", *SHORT, *words, "--json", "a.json"]) == 0
    found = json.loads(Path("a.json").read_text())
    rows = {
        tuple(row[name] for name in ("schedule", "executors", "most", "notice")): row
        for row in found["sweep"]
    }
    assert len(rows) == len(found["sweep"]) == 8 and found["same_bits"]
    assert all(row["workers"] == 2 and row["ms_per_step"] > 0 for row in rows.values())
    # 8 sub-grids, 3 stages: 24 tasks a step, of 5 kernels; Δt is one launch more of aggregate.
    for (schedule, _, most, _), row in rows.items():
        more = 1 if schedule == "aggregate" else 0
        assert row["launches"] == pytest.approx(5 * 24 / row["mean_batch"] + more)
        assert row["mean_batch"] == 1 or most > 1
        assert (row["copies"] < 3) == (schedule == "aggregate")
        assert 0 <= row["idle"] < 1.01
    # While the only executor is busy, others come.
    assert rows["aggregate", 1, 8, "poll"]["mean_batch"] > 1.2
    shows = found["sweep_shows"]
    assert len(shows["best"]) == 4 and len(shows["aggregated"]) == 2
    assert [row["settings"] for row in shows["poll_to_wait"]] == [2, 2]
    out = capsys.readouterr().out
    assert "Sweep of 8 runs: executors 1; most 1, 8; notice wait, poll; workers 2." in out
    assert "All runs end with the same bits." in out and "1.11 times" in out
    for name in ("blast.png", "blast-sweep.png"):
        assert Path(name).stat().st_size > 10_000


def row(notice: str, ms: float, **more: Any) -> Row:
    of = {"schedule": "subgrids", "executors": 1, "most": 1, "notice": notice, "workers": 2}
    counts = {"launches": 1.0, "copies": 1.0, "mean_batch": 1.0, "idle": 0.0, "bits": "a"}
    return {**of, **counts, "ms_per_step": ms, **more}


def test_what_known_rows_show() -> None:
    rows = [
        *(row("wait", 40.0), row("poll", 20.0), row("callback", 30.0)),
        *(row("wait", 9.0, most=8), row("poll", 10.0, most=8)),
        *(row("wait", 6.0, executors=8, most=8), row("poll", 5.0, executors=8, most=8)),
        row("poll", 1.0, executors=8, most=64),  # has no partner
        row("poll", 7.0, schedule="aggregate", workers=4),
    ]
    shown = blast_sweep.shown(rows)
    best = {(one["schedule"], one["notice"]): one["ms_per_step"] for one in shown["best"]}
    assert best == {
        **{("subgrids", "poll"): 1, ("subgrids", "callback"): 30, ("subgrids", "wait"): 6},
        ("aggregate", "poll"): 7,
    }
    (compared,) = shown["poll_to_wait"]
    assert (compared["settings"], compared["workers"]) == (3, 2)
    ratios = [compared[name] for name in ("least", "median", "largest", "at_best")]
    assert ratios == pytest.approx([0.9, 1.2, 2.0, 1.2])
    assert (compared["executors"], compared["most"]) == (8, 8)
    (gained,) = shown["aggregated"]
    assert (gained["ratio"], gained["best"]["most"], gained["alone"]["notice"]) == (20, 64, "poll")


class Played:
    """An engine whose sweep is known."""

    bits = "a"

    def __init__(self, style: str, device: str) -> None:
        self.style, self.device = style, device

    def work(self, task: str, threads: int, **job: Any) -> Row:
        assert (task, self.device, job["steps"], job["warm"]) == ("sweep", "cuda:0", 3, 1)
        counts = {"launches": 1.0, "copies": 0.0}
        last = {"seconds": 0.03, "counts": counts, "bits": self.bits}
        rows: list[Row] = [{**last, "bits": "a"} for _ in job["settings"]]
        rows[0] = {"refused": "too large."}
        return {"rows": [*rows[:-1], last]}


@pytest.mark.parametrize("bits, same", [("a", True), ("b", False)])
def test_refused_rows_and_other_bits(
    monkeypatch: pytest.MonkeyPatch, bits: str, same: bool
) -> None:
    monkeypatch.setattr(Played, "bits", bits)
    result: dict[str, Any] = {"device": "cuda:0", "steps": 15, "same_bits": True}
    result |= {"missing": [], "sweep": []}
    sweep = blast_sweep.Sweep([1, 8], [1], ["wait", "poll"], [1, 2])
    kept: list[dict[str, Any]] = []
    blast_sweep.measure(
        sweep,
        Played,  # type: ignore[arg-type]
        result,
        lambda text: None,
        lambda now: kept.append(dict(now)),
    )
    assert [len(now["sweep"]) for now in kept] == [3, 6, 9, 12]
    for now in kept:  # what is printed if it is interrupted
        assert f"Sweep of {len(now['sweep'])} runs" in "\n".join(blast_sweep_report.text(now))
    assert len(result["sweep"]) == 2 * 2 * 3 and result["same_bits"] is same
    assert result["missing"] == [
        f"Sweep of {name}: too large." for name in ("subgrids", "aggregate") for _ in range(2)
    ]
    first = result["sweep"][0]
    assert (first["notice"], first["ms_per_step"]) == ("poll", pytest.approx(10))


def test_settings_that_are_not_given_have_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blast_sweep, "cpus", lambda: list(range(16)))
    parser = main.configure(main.argparse.ArgumentParser())
    sweep = blast_sweep.plan_of(parser.parse_args(["blast", "--device", "cuda:0", "--most", "4"]))
    assert sweep is not None and sweep.most == [4] and sweep.workers == [2, 16]
    assert sweep.executors == [1, 2, 8, 32, 128] and set(sweep.notice) == set(blast_sweep.NOTICES)
    hostile = blast_sweep.plan_of(parser.parse_args(["blast", "--device", "hostile"]))
    assert hostile is not None and (hostile.executors, hostile.most) == ([1, 4], [1, 8])
    settings = sweep.settings(2)
    assert len({tuple(one.items()) for one in settings}) == len(settings) == 5 * 3
    assert settings[-1] == {"executors": 128, "most": 4, "notice": "wait", "workers": 2}
    assert blast_sweep.plan_of(parser.parse_args(["blast"])) is None


WRONG = [
    (["--executors", "1"], "--executors is given, and the device is the host"),
    (["--device", "hostile", "--executors", "200"], "executors of Subgrids is 200"),
    (["--device", "hostile", "--most", "0"], "most is '0'"),
    (["--device", "hostile", "--notice", "pol"], "poll"),
    (["--device", "hostile", "--notice", ","], "notice"),
    (["--device", "hostile", "--workers", "two"], "workers is 'two'"),
]


@pytest.mark.parametrize("words, text", WRONG)
def test_wrong_settings_are_refused_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch, words: list[str], text: str
) -> None:
    monkeypatch.setattr(blast_engines, "run_program", lambda *_, **__: pytest.fail("it began"))
    with pytest.raises(au.InputError, match=text):
        main.main(["blast", *words])


def test_what_is_no_file_stays_what_it_is(tmp_path: Path) -> None:
    main._save("/dev/null", {})
    assert Path("/dev/null").is_char_device()
    (tmp_path / "kept.json").write_text("old")
    (tmp_path / "link.json").symlink_to("kept.json")
    main._save(str(tmp_path / "link.json"), {"a": 1})
    assert (tmp_path / "link.json").is_symlink() and "a" in (tmp_path / "kept.json").read_text()
    assert len(list(tmp_path.iterdir())) == 2
