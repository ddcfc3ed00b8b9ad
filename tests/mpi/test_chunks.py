# SPDX-License-Identifier: Apache-2.0
"""Large messages in chunks, which overlap copies and network where all ranks have the library."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import mpis
import pytest
from rank_runs import Outcome, Run, start

BYTES, CHUNK = 200_000, 4096
#: As between nodes: nothing is mapped. All messages that are longer than a header go in chunks.
CHUNKS = {
    "AUREOLE_MPI_ALL_RANKS": "1",
    "AUREOLE_MPI_MAPPED_FROM": "off",
    "AUREOLE_MPI_CHUNKS_FROM": "0",
    "AUREOLE_MPI_CHUNK_BYTES": str(CHUNK),
    "AUREOLE_MPI_LOG": "1",
}
SENT = re.compile(r"has sent (\d+) messages in chunks")
LATE = "late=300,seed=3"


def sent(outcome: Outcome) -> int:
    """Messages of all ranks that went in chunks."""
    return sum(int(n) for n in SENT.findall(outcome.output))


@pytest.fixture
def chunked(any_mpi: mpis.Mpi, build: Callable):
    def asked(
        *words: object, name: str = "chunks", double: str = LATE, right: bool = True, **more: str
    ) -> Outcome:
        program = [build(name, any_mpi), *map(str, words)]
        outcome = start(Run(any_mpi, double=double), 2, program, **{**CHUNKS, **more})
        if right:
            assert outcome.code == 0, outcome.told()
            assert "right" in outcome.output, outcome.told()
        return outcome

    return asked


#: What the program does, how often, with how many bytes; and how many messages that are.
CASES = {
    "both-ways": (4, BYTES, 8),
    "waits": (8, BYTES, 8),
    "in-barrier": (4, BYTES, 4),
    "types": (8, BYTES, 8),
    "short": (4, BYTES, 4),
    "probes": (70, BYTES, 70),
}


@pytest.mark.parametrize("what", CASES)
def test_right_bytes_and_no_rank_waits_for_ever(chunked, what: str) -> None:
    times, size, messages = CASES[what]
    assert sent(chunked(what, times, size)) == messages


def test_more_messages_than_slots(chunked) -> None:
    assert 2 * 64 <= sent(chunked("many", 80, 20_000)) < 2 * 80


@pytest.mark.parametrize(
    "what", ["exchange", "too-small", "probed", "persistent", "started", "late-error", "in-turn"]
)
def test_calls_do_what_they_do_for_messages_that_go_straight(chunked, what: str) -> None:
    assert sent(chunked(what, 8, name="straight")) >= 4


def test_each_chunk_is_copied_once_on_each_side(chunked, tmp_path: Path) -> None:
    log = tmp_path / "log"
    times, size = 5, 10 * CHUNK + 100
    assert sent(chunked("one-way", times, size, double=f"log={log}")) == times
    calls: Counter[str] = Counter()
    copied: Counter[str] = Counter()
    for line in log.read_text().splitlines():
        told = json.loads(line)
        calls.update({name.removesuffix("_v2"): n for name, n in told["calls"].items()})
        copied.update(told["bytes"])
    assert calls["cuMemcpyAsync"] == 2 * 11 * times
    assert copied["device_to_host"] == copied["host_to_device"] == size * times
    assert calls["cuStreamSynchronize"] == 2 * 2  # one trial on each side: events tell of copies
    assert calls["cuStreamWaitEvent"] == 0  # the default stream has no work


def test_where_a_device_cannot_map_the_others_memory(chunked) -> None:
    """Ranks of one node know of each other without the user's word."""
    node = {"AUREOLE_MPI_ALL_RANKS": "0", "AUREOLE_MPI_MAPPED_FROM": "0"}
    refused = "fail=cuIpcOpenMemHandle:1"
    outcome = chunked("both-ways", 12, BYTES, double=refused, **node)
    assert sent(outcome) > 12, outcome.told()
    assert "straight from its device" not in outcome.output
    outcome = chunked("both-ways", 12, BYTES, double="", **node)
    assert sent(outcome) == 0, outcome.told()


def test_messages_go_as_a_whole_unless_all_ranks_have_the_library(chunked) -> None:
    assert sent(chunked("both-ways", 4, BYTES, AUREOLE_MPI_ALL_RANKS="0")) == 0
    assert sent(chunked("both-ways", 4, BYTES, AUREOLE_MPI_CHUNKS_FROM="off")) == 0
    assert sent(chunked("both-ways", 4, BYTES, AUREOLE_MPI_CHUNKS_FROM="200001")) == 0


@pytest.mark.parametrize("function", ["cuMemcpyAsync", "cuEventRecord"])
def test_a_copy_that_fails_is_told_on_both_sides(chunked, function: str) -> None:
    for nth in range(4, 40, 7):
        double = f"fail={function}:{nth}"
        outcome = chunked("one-way", 2, BYTES // 2, double=double, right=False)
        assert outcome.code is not None, outcome.told()
        told = rf"rank \d: (MPI_\w+|a message in chunks): {function} failed"
        assert re.search(told, outcome.output), outcome.told()


def test_a_rank_that_dies_ends_the_job(chunked) -> None:
    outcome = chunked("killed", 3, BYTES, right=False)
    assert outcome.code not in (0, None), outcome.told()


def test_a_rank_without_the_library_is_told_of(any_mpi: mpis.Mpi, build: Callable) -> None:
    program = build("chunks", any_mpi)
    some = 'case ${PMI_RANK-$OMPI_COMM_WORLD_RANK} in 1) unset LD_PRELOAD;; esac; exec "$@"'
    command = ["sh", "-c", some, "sh", program, "one-way", "1", "1000"]
    outcome = start(Run(any_mpi, limit=14), 2, command, **CHUNKS)
    assert outcome.code is None, outcome.told()  # it waits for that rank
    assert re.search(r"rank 0 has waited for 10 s in MPI_Init .* --all-ranks", outcome.output)
