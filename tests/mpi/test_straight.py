# SPDX-License-Identifier: Apache-2.0
"""Large messages whose payload goes straight from device to device of a node."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import mpis
import pytest
from rank_runs import Outcome, Run, start

BYTES = 1 << 20
#: All messages that are longer than a header go straight, and ranks tell how many did.
ALL = {"AUREOLE_MPI_MAPPED_FROM": "0", "AUREOLE_MPI_LOG": "1"}
#: What ranks tell at the end with AUREOLE_MPI_LOG=1.
SENT = re.compile(r"has sent (\d+) messages straight from its device to another's, (\d+) of them")
#: Functions of the driver, and how many of their calls are made to fail, one in each run.
FUNCTIONS = {"cuIpcGetMemHandle": 4, "cuIpcOpenMemHandle": 4, "cuMemAlloc": 4,
             "cuMemcpyAsync": 30, "cuStreamSynchronize": 30}  # fmt: skip


def sent(outcome: Outcome) -> tuple[int, int]:
    """Messages of all ranks that went straight, and how many of them through a buffer of ours."""
    told = [(int(n), int(moved)) for n, moved in SENT.findall(outcome.output)]
    return sum(n for n, _ in told), sum(moved for _, moved in told)


@pytest.fixture
def straight(any_mpi: mpis.Mpi, build: Callable):
    program = build("straight", any_mpi)

    def asked(*words: object, double: str = "", right: bool = True, **variables: str) -> Outcome:
        run = Run(any_mpi, double=double)
        variables = {"AUREOLE_MPI_LOG": "1", **variables}
        outcome = start(run, 2, [program, *map(str, words)], **variables)
        if right:
            assert outcome.code == 0, outcome.told()
            assert "right" in outcome.output, outcome.told()
        return outcome

    return asked


def total(log: Path) -> tuple[Counter[str], Counter[str]]:
    """Calls of the driver by both ranks, and bytes that it copied, by direction."""
    calls: Counter[str] = Counter()
    copied: Counter[str] = Counter()
    for line in log.read_text().splitlines():
        told = json.loads(line)
        calls.update({name.removesuffix("_v2"): n for name, n in told["calls"].items()})
        copied.update(told["bytes"])
    return calls, copied


def test_a_message_is_one_copy_and_none_of_it_goes_over_the_host(straight, tmp_path: Path) -> None:
    queries = []
    for times in (20, 60):
        log = tmp_path / str(times)
        outcome = straight("one-buffer", times, double=f"log={log}")
        messages, moved = sent(outcome)
        calls, copied = total(log)
        staged = times - messages  # until the other rank has told that it can map the memory
        assert 0 < staged < 10, outcome.told()
        assert calls["cuMemcpyAsync"] == messages + moved + 2 * staged
        assert copied["device_to_device"] == (messages + moved) * BYTES
        for direction in ("host_to_device", "device_to_host"):
            assert copied[direction] == staged * BYTES
        queries.append(calls["cuPointerGetAttributes"])
    assert queries[1] - queries[0] == 80


@pytest.mark.parametrize(
    "what",
    ["exchange", "too-small", "probed", "forked", "in-turn", "persistent", "started", "alike"],
)
def test_right_bytes_counts_and_errors(straight, what: str) -> None:
    assert sent(straight(what, 12))[0] >= 6
    assert sent(straight(what, 12, AUREOLE_MPI_MAPPED_FROM="off"))[0] == 0


@pytest.mark.parametrize("what", ["late-error", "probed-twice"])
def test_what_matching_calls_tell(straight, what: str) -> None:
    assert sent(straight(what, 8))[0] >= 4


def test_a_header_comes_while_another_request_fails(straight) -> None:
    assert sent(straight("pending", 300, 100000))[0] > 250


def test_sends_end_where_devices_have_no_memory_left(straight) -> None:
    messages, moved = sent(straight("many", 12, 4000000, double="memory=144"))
    assert messages > 12
    assert moved > 0


def test_a_device_that_cannot_reach_the_senders(straight) -> None:
    assert sent(straight("other-device", 8, double="peer=0"))[0] > 4


def test_a_buffer_is_used_again_when_its_payload_is_copied(straight) -> None:
    assert sent(straight("reused", 60, double="late=4000,seed=1"))[0] > 50


def test_a_receive_that_was_posted_before_there_was_a_driver(straight) -> None:
    times = 12
    to_the_other_rank = sent(straight("early", times))[0]
    assert 0 < to_the_other_rank <= times
    # In both directions, once offers are answered: later on a busy machine.
    assert sent(straight("early-small", times))[0] > times


def test_allocations_that_come_and_go_leave_nothing(straight) -> None:
    messages, moved = sent(straight("cycles", 400, **ALL))
    assert messages - moved > 50  # from where the program has them
    assert moved > 50


@pytest.mark.validate
def test_a_million_allocations_leave_nothing(any_mpi: mpis.Mpi, build: Callable) -> None:
    program = build("straight", any_mpi)
    run = Run(any_mpi, limit=20000)
    for largest in (1 << 16, 1 << 23):
        times = 1_000_000 if largest == 1 << 16 else 20_000
        outcome = start(run, 2, [program, "cycles", str(times), str(largest)], **ALL)
        assert outcome.code == 0, outcome.told()


@pytest.mark.parametrize("double", ["handles=none", "peer=0", "devices=1", "late=200,seed=3"])
def test_where_devices_or_drivers_can_less(straight, double: str) -> None:
    outcome = straight("exchange", 6, double=double)
    if double == "handles=none":
        assert sent(outcome)[0] == 0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_call_that_fails_is_told_or_goes_another_way(straight, function: str) -> None:
    failed = 0
    for nth in range(1, FUNCTIONS[function] + 1):
        outcome = straight("exchange", 3, 100000, double=f"fail={function}:{nth}", right=False)
        assert outcome.code is not None, outcome.told()
        if outcome.code == 0:
            assert "right" in outcome.output, outcome.told()
            if function.startswith(("cuIpc", "cuMemAlloc")):
                continue  # it went over the host
            break  # there is no further call
        failed += 1
        told = (
            rf"rank \d: MPI_\w+: {function} failed|program: rank \d: (cudaMemcpy|no device memory)"
        )
        assert re.search(told, outcome.output), outcome.told()
    assert failed > 0 or function.startswith(("cuIpc", "cuMemAlloc"))


def test_ranks_in_namespaces_of_their_own_send_over_the_host(build: Callable) -> None:
    """By MPICH, and messages that it does not copy by process numbers: Open MPI crashes there."""
    mpi = mpis.named("mpich")
    if mpi is None:
        pytest.skip(mpis.missing("mpich"))
    alone = ["unshare", "--fork", "--pid", "--mount-proc"]
    if subprocess.run([*alone, "true"], check=False).returncode:
        pytest.skip("this user may not make namespaces")
    program = [build("straight", mpi), "exchange", "4", "8000"]
    for before in ([], alone):
        outcome = start(Run(mpi), 2, [*before, *program], **ALL)
        assert outcome.code == 0, outcome.told()
        assert (sent(outcome)[0] > 0) == (before == [])
