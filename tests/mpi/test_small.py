# SPDX-License-Identifier: Apache-2.0
"""Small messages that the processor copies itself, where device memory is mapped for it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import mpis
import pytest
from rank_runs import Outcome, Run, start

#: Ways to device memory: the runtime that has it, the double's setting, the name in the log.
WAYS = [("cuda", "gdr", "GDRCopy"), ("cuda", "dmabuf", "dma-buf"), ("hip", "large", "large BAR")]
MADE = re.compile(r"rank (\d): (\d+) loads, (\d+) stores")
SETTING = "AUREOLE_MPI_SMALL_MAPPED"


@pytest.fixture
def small(any_mpi: mpis.Mpi, build: Callable):
    return runner(any_mpi, build)


@pytest.fixture
def by_one_mpi(build: Callable):
    """Where nothing depends on the MPI."""
    mpi = mpis.named("mpich")
    if mpi is None:
        pytest.skip(mpis.missing("mpich"))
    return runner(mpi, build)


def runner(mpi: mpis.Mpi, build: Callable) -> Callable[..., Outcome]:
    program = build("small", mpi)

    def asked(kind: str, what: str, times: int, double: str, **variables: str) -> Outcome:
        run = Run(mpi, devices=kind, double=double)
        variables = {"AUREOLE_MPI_LOG": "1", **variables}
        outcome = start(run, 2, [program, kind, str(times), *what.split()], **variables)
        assert outcome.code == 0, outcome.told()
        assert "right" in outcome.output, outcome.told()
        return outcome

    return asked


def made(outcome: Outcome) -> tuple[int, int]:
    """Loads of rank 0, which sends, and stores of rank 1."""
    told = {
        int(rank): (int(loads), int(stores)) for rank, loads, stores in MADE.findall(outcome.output)
    }
    assert told.keys() == {0, 1}, outcome.told()
    assert told[0][1] == told[1][0] == 0, outcome.told()
    return told[0][0], told[1][1]


@pytest.mark.parametrize("kind, bar, name", WAYS)
def test_right_bytes_and_no_others(small, kind: str, bar: str, name: str) -> None:
    outcome = small(kind, "plain again kept many", 60, f"bar={bar},late=100,seed=3")
    loads, stores = made(outcome)
    assert min(loads, stores) > 400, outcome.told()
    assert (
        f"512 bytes from there and 8192 bytes to there by the processor ({name})" in outcome.output
    )


def copies(log: Path) -> Counter[str]:
    """Calls of the driver by both ranks."""
    calls: Counter[str] = Counter()
    for line in log.read_text().splitlines():
        calls.update(json.loads(line)["calls"])
    return calls


@pytest.mark.parametrize("kind, bar, name", WAYS)
def test_the_driver_copies_nothing(
    by_one_mpi, tmp_path: Path, kind: str, bar: str, name: str
) -> None:
    """The program's own copies are of the runtime, and counted under another name."""
    counted, made_by_us = [], []
    for times in (40, 80):
        log = tmp_path / str(times)
        outcome = by_one_mpi(kind, "short", times, f"bar={bar},log={log}")
        counted.append(copies(log))
        made_by_us.append(made(outcome))
    more = {name: counted[1][name] - counted[0][name] for name in counted[1]}
    prefix = "cu" if kind == "cuda" else "hip"
    assert more[f"{prefix}MemcpyAsync"] == 0
    assert more[f"{prefix}StreamQuery"] == 80
    assert made_by_us[1][0] - made_by_us[0][0] == made_by_us[1][1] - made_by_us[0][1] == 40


@pytest.mark.parametrize("kind, bar, name", WAYS)
def test_pending_work_comes_first(by_one_mpi, kind: str, bar: str, name: str) -> None:
    outcome = by_one_mpi(kind, "blocking legacy", 60, f"bar={bar},late=200,seed=1")
    loads, stores = made(outcome)
    assert 40 <= loads <= 60, outcome.told()  # the other half of the messages follows pending work
    assert stores < 120, outcome.told()


@pytest.mark.parametrize("kind, bar, name", WAYS)
def test_other_memory_and_types_are_the_drivers(by_one_mpi, kind: str, bar: str, name: str) -> None:
    assert made(by_one_mpi(kind, "pool managed strided", 20, f"bar={bar}")) == (0, 0)


@pytest.mark.parametrize(
    "way, double, variables",
    [
        (0, "", {SETTING: "off"}),
        (2, "", {SETTING: "0"}),
        (1, "", {"AUREOLE_MPI_WAIT": "device"}),
        (1, "+spoil", {}),
        (2, "+blind,late=100", {}),
    ],
)
def test_where_it_is_off_or_its_trial_fails(
    by_one_mpi, way: int, double: str, variables: dict[str, str]
) -> None:
    kind, bar, _ = WAYS[way]
    outcome = by_one_mpi(kind, "plain", 20, f"bar={bar}{double}", **variables)
    assert made(outcome) == (0, 0)
    assert "by the processor" not in outcome.output, outcome.told()


def test_the_limit_is_the_one_that_is_set(by_one_mpi) -> None:
    usual = made(by_one_mpi("cuda", "plain", 60, "bar=gdr"))
    outcome = by_one_mpi("cuda", "plain", 60, "bar=gdr", **{SETTING: "1600"})
    less = made(outcome)
    assert 0 < less[0] < usual[0]
    assert 0 < less[1] < usual[1]
    assert "up to 100 bytes from there and 1600 bytes to there" in outcome.output
