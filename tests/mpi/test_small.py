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
KINDS = ("plain", "again", "kept", "many")
MADE = re.compile(r"rank (\d): (\d+) loads, (\d+) stores")
SETTING = "AUREOLE_MPI_SMALL_MAPPED"


@pytest.fixture
def small(any_mpi: mpis.Mpi, build: Callable):
    program = build("small", any_mpi)

    def asked(kind: str, what: str, times: int, double: str, **variables: str) -> Outcome:
        run = Run(any_mpi, devices=kind, double=double)
        variables = {"AUREOLE_MPI_LOG": "1", **variables}
        outcome = start(run, 2, [program, kind, what, str(times)], **variables)
        assert outcome.code == 0, outcome.told()
        assert "right" in outcome.output, outcome.told()
        return outcome

    return asked


def made(outcome: Outcome) -> tuple[int, int]:
    """Loads of rank 0, which sends, and stores of rank 1."""
    told = {int(rank): (int(loads), int(stores)) for rank, loads, stores in MADE.findall(outcome.output)}
    assert told.keys() == {0, 1}, outcome.told()
    assert told[0][1] == told[1][0] == 0, outcome.told()
    return told[0][0], told[1][1]


@pytest.mark.parametrize("kind, bar, name", WAYS)
@pytest.mark.parametrize("what", KINDS)
def test_right_bytes_and_no_others(small, kind: str, bar: str, name: str, what: str) -> None:
    times = 3 if what == "many" else 60
    outcome = small(kind, what, times, f"bar={bar},late=100,seed=3")
    loads, stores = made(outcome)
    assert min(loads, stores) > (250 if what == "many" else 20), outcome.told()
    assert f"512 bytes from there and 8192 bytes to there by the processor ({name})" in outcome.output


def copies(log: Path) -> Counter[str]:
    """Calls of the driver by both ranks."""
    calls: Counter[str] = Counter()
    for line in log.read_text().splitlines():
        calls.update(json.loads(line)["calls"])
    return calls


@pytest.mark.parametrize("kind, bar, name", WAYS)
def test_the_driver_copies_nothing(small, tmp_path: Path, kind: str, bar: str, name: str) -> None:
    """The program's own copies are of the runtime, and counted under another name."""
    counted, made_by_us = [], []
    for times in (40, 80):
        log = tmp_path / str(times)
        outcome = small(kind, "short", times, f"bar={bar},log={log}")
        counted.append(copies(log))
        made_by_us.append(made(outcome))
    more = {name: counted[1][name] - counted[0][name] for name in counted[1]}
    prefix = "cu" if kind == "cuda" else "hip"
    assert more[f"{prefix}MemcpyAsync"] == 0
    assert more[f"{prefix}StreamQuery"] == 80
    assert made_by_us[1][0] - made_by_us[0][0] == made_by_us[1][1] - made_by_us[0][1] == 40


@pytest.mark.parametrize("kind, bar, name", WAYS)
@pytest.mark.parametrize("what", ["blocking", "legacy"])
def test_pending_work_comes_first(small, kind: str, bar: str, name: str, what: str) -> None:
    outcome = small(kind, what, 60, f"bar={bar},late=1000,seed=1")
    loads, stores = made(outcome)
    assert 20 <= loads <= 30, outcome.told()  # the other half of the messages follows pending work
    assert stores < 60, outcome.told()


@pytest.mark.parametrize("kind, bar, name", WAYS)
@pytest.mark.parametrize("what", ["pool", "managed", "strided"])
def test_other_memory_and_types_are_the_drivers(small, kind: str, bar: str, name: str, what: str) -> None:
    assert made(small(kind, what, 20, f"bar={bar}")) == (0, 0)


@pytest.mark.parametrize("kind, bar, name", WAYS)
@pytest.mark.parametrize(
    "double, variables",
    [
        ("", {SETTING: "off"}),
        ("", {SETTING: "0"}),
        ("", {"AUREOLE_MPI_WAIT": "device"}),
        ("+spoil", {}),
        ("+blind,late=100", {}),
    ],
)
def test_where_it_is_off_or_its_trial_fails(
    small, kind: str, bar: str, name: str, double: str, variables: dict[str, str]
) -> None:
    outcome = small(kind, "plain", 20, f"bar={bar}{double}", **variables)
    assert made(outcome) == (0, 0)
    is_told = f"by the processor ({name})" in outcome.output
    assert is_told == ("AUREOLE_MPI_WAIT" in variables)


def test_the_limit_is_the_one_that_is_set(small) -> None:
    usual = made(small("cuda", "plain", 60, "bar=gdr"))
    less = made(small("cuda", "plain", 60, "bar=gdr", **{SETTING: "1600"}))
    assert 0 < less[0] < usual[0]
    assert 0 < less[1] < usual[1]
    outcome = small("cuda", "plain", 20, "bar=gdr", **{SETTING: "1600"})
    assert "up to 100 bytes from there and 1600 bytes to there" in outcome.output
