# SPDX-License-Identifier: Apache-2.0
"""The benchmarks of ranks: arithmetic with played engines, and a very short run of each."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import aureole as au
import pytest
from aureole_bench import main, rounds
from aureole_bench.cases import case_named
from aureole_bench.engines import PeerFailed
from aureole_bench.molecules import measure as molecules
from aureole_bench.molecules.cases import MolecularCase, grappa_named
from aureole_bench.molecules.engines import PeerRanks
from aureole_bench.ranks import lj as rank_lj
from aureole_bench.ranks import molecules as rank_molecules
from aureole_bench.ranks import picture as rank_picture
from aureole_bench.ranks import rounds as rank_rounds
from aureole_bench.ranks import scaling as rank_scaling
from gmx_tool import gromacs
from test_bench_molecules import played_gmx, waters_in

#: Short steps, as the start is not equilibrated.
SETTINGS = {"dt": 0.0002, "coulombtype": "reaction-field", "rcoulomb": 0.6, "rvdw": 0.6}
two_processors = pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2, reason="two ranks need two processors of their own"
)


@pytest.fixture
def waters(tmp_path: Path) -> MolecularCase:
    return waters_in(tmp_path, SETTINGS)


class Played:
    """An engine that takes a millisecond a step on one processor."""

    style = ""

    def __init__(self, engine: str, label: str, gain: float, fails: bool = False) -> None:
        self.engine, self.label, self.gain, self.fails = engine, label, gain, fails
        self.asked: list[tuple[int, int]] = []

    def seconds(self, threads: int, steps: int) -> float:
        self.asked.append((threads, steps))
        if self.fails:
            raise PeerFailed("gmx mdrun failed (no domain decomposition)")
        return 1e-3 * steps / (1 if threads == 1 else self.gain)


def test_ratios_and_efficiencies_of_ranks() -> None:
    ours, threads = Played("aureole", "aureole, ranks", 1.9), Played("aureole", "aureole", 1.8)
    theirs = Played("gromacs", "gromacs, ranks", 1.6)
    slow = Played("lammps", "lammps", 0.3)
    sides = rank_rounds.Sides(ours, threads, [theirs, slow], [threads, theirs])
    how = rank_rounds.Rounds(pairs=3, seconds=2.0, trial_steps=100)
    case = case_named("lj-melt-12000")
    found = rank_rounds.measured(case, 2, sides, how, lambda _: None)
    rows = {row["peer"]: row for row in found["ratios"]}
    assert rows["aureole"]["ratio"] == pytest.approx(1.9 / 1.8)
    assert rows["aureole"]["target"] == 0.90  # below 23,000 particles
    assert rows["gromacs, ranks"]["ratio"] == pytest.approx(1.9 / 1.6)
    assert rows["lammps"]["ratio"] == pytest.approx(1.9 / 0.3)
    efficiency = {row["of"]: row["efficiency"] for row in found["efficiencies"]}
    assert efficiency["aureole"] == pytest.approx(0.95)
    assert efficiency["gromacs"] == pytest.approx(0.80)
    assert efficiency["aureole − gromacs"] == pytest.approx(0.15)
    # The compared engines make the same steps, of which the fastest takes two seconds.
    on_two = [steps for n, steps in theirs.asked[2:] if n == 2]
    assert on_two == [steps for _, steps in ours.asked[1:]]
    assert 2.0 <= ours.asked[-1][1] * 1e-3 / 1.9 < 2.3
    assert slow.asked[-1][1] < 0.2 * ours.asked[-1][1]
    alone = [row for row in found["rows"] if row["threads"] == 1]
    assert [row["engine"] for row in alone] == ["aureole", "gromacs"]
    text = "\n".join(rank_rounds.tables(found | {"plan": {"pairs": 3}}))
    assert "1.056" in text and "5 reached" in text and "-0.02 reached" in text


def test_a_peer_that_does_not_run_on_ranks_takes_no_part() -> None:
    ours, threads = Played("aureole", "aureole, ranks", 1.9), Played("aureole", "aureole", 1.8)
    fails = Played("gromacs", "gromacs, ranks", 1.6, fails=True)
    said: list[str] = []
    found = rank_rounds.measured(
        case_named("lj-melt-32000"),
        2,
        rank_rounds.Sides(ours, threads, [fails], [threads]),
        rank_rounds.Rounds(1, 0.1, 100),
        said.append,
    )
    assert any("is skipped on 2 ranks" in line and "decomposition" in line for line in said)
    assert [row["peer"] for row in found["ratios"]] == ["aureole"]
    assert found["ratios"][0]["target"] == 0.95
    ours.fails = True
    with pytest.raises(PeerFailed):
        rank_rounds._trial(ours, 2, 100, said.append)


def test_ranks_of_a_played_peer(waters: MolecularCase) -> None:
    peer = PeerRanks(waters, played_gmx(waters.folder, 2.5))
    assert peer.seconds(2, 500) == 2.5
    call = (waters.folder / "calls").read_text().splitlines()[1]
    assert "-ntmpi 2 -ntomp 1" in call and "-pin on" in call


class Subject:
    """Takes 8 µs a step on one processor; ranks wait a fifth of their time."""

    def __init__(self) -> None:
        self.ran: list[tuple[int, int, int]] = []

    def timed(self, ranks: int, threads: int, steps: int) -> dict[str, Any]:
        self.ran.append((ranks, threads, steps))
        processors = ranks * threads
        seconds = steps * 8e-6 / processors * (1.25 if ranks > 1 else 1.0)
        one = {"force": 0.5 * seconds, "search": 0.1 * seconds, "prune": 0.1 * seconds}
        waited = 0.2 * seconds if ranks > 1 else 0.0
        each = [one | {"halo_forces": 2 * waited * k / max(1, ranks - 1)} for k in range(ranks)]
        return {"seconds": seconds, "profiles": each}


def test_time_of_ranks_by_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    subject = Subject()
    monkeypatch.setattr(rank_scaling, "_subject", lambda *_: (4000, subject))
    plan = rank_scaling.Plan(["a", "b"], [1, 2, 4], pairs=2, seconds=0.001, folder=tmp_path)
    saved: list[int] = []
    result = rank_scaling.measure(plan, lambda _: None, lambda r: saved.append(len(r["rows"])))
    assert saved == [5, 10]
    rows = {row["layout"]: row for row in result["rows"][:5]}
    assert list(rows) == ["1", "2 ranks", "2 threads", "4 ranks", "4 threads"]
    assert rows["4 ranks"]["efficiency"]["ratio"] == pytest.approx(0.8)
    assert rows["4 ranks"]["to_threads"]["ratio"] == pytest.approx(0.8)
    assert rows["4 threads"]["efficiency"]["ratio"] == pytest.approx(1.0)
    assert rows["4 threads"]["to_threads"] is None
    assert rows["2 ranks"]["ms_per_step"] == pytest.approx(5e-3)
    parts = rows["2 ranks"]["ms_by_part"]
    assert parts["forces"] == pytest.approx(1e-3)  # the mean of 0 and twice as much
    assert parts["search"] == pytest.approx(1e-3)
    assert sum(parts.values()) == pytest.approx(rows["2 ranks"]["ms_per_step"])
    name, bar = rank_picture.bars([rows["4 ranks"]])[0]
    assert name == "4 ranks"
    assert sum(bar.values()) == pytest.approx(1.25)
    assert bar["pairs"] == pytest.approx(0.625)
    text = rank_scaling.text(result)
    assert "not counted separately" in text and "0.800 (0.800 – 0.800)" in text
    for kind in ("png", "svg"):
        rank_picture.draw(result, tmp_path / f"a.{kind}")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    drawn = (tmp_path / "a.svg").read_text()
    for words in ("a, 4,000 particles", "4 ranks", "efficiency 0.80", "forces on ghosts"):
        assert words in drawn, words
    assert "sums" not in drawn  # nobody spent time on them


def test_a_case_without_its_start_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AUREOLE_GMX", "no-such-program")
    said: list[str] = []
    plan = rank_scaling.Plan(["grappa-pme-1.5k"], [1, 2], pairs=1, seconds=0.1, folder=tmp_path)
    result = rank_scaling.measure(plan, said.append, lambda _: None)
    assert result["rows"] == [] and "gmx, which prepares it, is missing" in result["missing"][0]
    assert grappa_named("grappa-rf-48k") == ("48k", False)
    assert grappa_named("lj-melt-32000") is None


@pytest.mark.parametrize(
    "words",
    [
        ["scaling", "--ranks", "0"],
        ["scaling", "--ranks", ""],
        ["scaling", "--ranks", "2", "--cases", "lj-malt-32000"],
        ["scaling", "--ranks", "2", "--picture", "a.bmp"],
        ["scaling", "--ranks", "2", "--picture", "/nonexistent/a.png"],
        ["lj", "--ranks", "1"],
        ["lj", "--ranks", "two"],
    ],
)
def test_wrong_arguments_of_ranks_are_refused(words: list[str]) -> None:
    with pytest.raises(au.Error):
        main.main(words)


def test_ranks_beyond_the_processors_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(main, "_processors", lambda: 2)
    assert main._several_ranks("1,2,4") == [2]
    assert "4 ranks are skipped: this process may use 2 processor(s)" in capsys.readouterr().err
    with pytest.raises(au.InputError, match="2 processor"):
        main._several_ranks("4")


@pytest.fixture(autouse=True)
def whatever_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are not repeated where other programs disturb them."""
    monkeypatch.setattr(rounds, "REPEATS", 0)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where starts are kept, for the runs of this file."""
    return str(tmp_path_factory.mktemp("cache"))


@two_processors
def test_scaling_of_two_ranks(
    tmp_path: Path, cache: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name: str(tmp_path / name) for name in ("a.png", "a.json")}
    words = ["--cases", "lj-melt-2000", "--pairs", "1", "--seconds", "0.02"]
    folder = ["--folder", cache]
    command = ["scaling", "--ranks", "1,2", *words, *folder, "--picture", files["a.png"]]
    assert main.main([*command, "--json", files["a.json"]]) == 0
    rows = json.loads(Path(files["a.json"]).read_text())["rows"]
    assert [row["layout"] for row in rows] == ["1", "2 ranks", "2 threads"]
    shares = {row["layout"]: row["ms_by_part"] for row in rows}
    assert shares["2 ranks"]["positions"] > 0 and shares["2 ranks"]["sums"] > 0
    assert shares["2 threads"]["positions"] == shares["1"]["sums"] == 0
    assert all(one["pairs"] > 0 for one in shares.values())
    assert Path(files["a.png"]).stat().st_size > 10_000
    assert "Where the time of a step goes" in capsys.readouterr().out


@two_processors
def test_fluids_on_two_ranks(
    cache: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without peers: our ranks beside our threads."""
    monkeypatch.setattr(rank_lj, "Peers", Nobody)
    words = ["--cases", "lj-melt-2000", "--pairs", "1", "--seconds", "0.02"]
    folder = ["--folder", cache]
    assert main.main(["lj", "--ranks", "2", *words, *folder]) == 0
    out = capsys.readouterr().out
    assert "aureole exact, ranks" in out and "aureole exact, one processor" in out
    assert "Efficiency" in out and "no peers" in out


class Nobody(rank_lj.Peers):
    """No peer is installed."""

    @classmethod
    def find(cls) -> Nobody:
        return cls(None, None)


@two_processors
def test_molecules_on_two_ranks(waters: MolecularCase) -> None:
    """Beside the ranks of GROMACS, on the same files."""
    peers = molecules.Peers(gromacs().program, None)
    plan = molecules.Plan(threads=[2], pairs=1, seconds=0.02, drift=False)
    result = rank_molecules.measure(plan, peers, [lambda: waters], lambda _: None, lambda _: None)
    assert all(row["agrees"] for row in result["checks"])
    labels = {row["label"] for row in result["rows"]}
    assert {"aureole, ranks", "aureole", "aureole, one processor"} <= labels
    assert {"gromacs, ranks", "gromacs, one processor"} <= labels
    assert len(result["ratios"]) == 2 and len(result["efficiencies"]) == 3
    text = rank_molecules.text(result)
    assert "gromacs, ranks" in text and "Efficiency" in text
