# SPDX-License-Identifier: Apache-2.0
"""Large blocking collective calls that go straight between devices of a node."""

from __future__ import annotations

from collections.abc import Callable

import mpis
import pytest
from rank_runs import Outcome, Run, start
from test_straight import sent

#: The rank with this number runs without the preload.
WITHOUT = '[ "$1" = "$PMI_RANK$OMPI_COMM_WORLD_RANK" ] && unset LD_PRELOAD; shift; "$@"'


@pytest.fixture
def collectives(any_mpi: mpis.Mpi, build: Callable):
    program = build("straight_collectives", any_mpi)

    def asked(ranks: int, where: str, double: str = "", **variables: str) -> Outcome:
        run = Run(any_mpi, double=double)
        outcome = start(run, ranks, [program, where], AUREOLE_MPI_LOG="1", **variables)
        assert outcome.code == 0, outcome.told()
        assert "right" in outcome.output, outcome.told()
        return outcome

    return asked


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_results_and_sums_in_the_order_of_ranks(collectives, ranks: int) -> None:
    assert sent(collectives(ranks, "device"))[0] > 40 * ranks * (ranks - 1)


def test_some_ranks_have_their_buffers_on_the_host(collectives) -> None:
    assert sent(collectives(3, "mixed"))[0] > 100


def test_buffers_of_hosts_and_calls_that_are_switched_off_go_the_usual_way(collectives) -> None:
    assert sent(collectives(3, "host"))[0] == 0
    assert sent(collectives(3, "device", AUREOLE_MPI_MAPPED_FROM="off"))[0] == 0


@pytest.mark.parametrize("double", ["late=300,seed=4", "handles=none", "peer=0", "memory=40"])
def test_where_devices_or_drivers_can_less(collectives, double: str) -> None:
    collectives(2, "device", double=double)


def test_a_rank_without_the_preload(any_mpi: mpis.Mpi, build: Callable) -> None:
    program = build("straight_collectives", any_mpi)
    for alone in ("1", "0"):
        where = "mixed" if alone == "1" else "host"
        words = ["sh", "-c", WITHOUT, "sh", alone, program, where]
        outcome = start(Run(any_mpi), 2, words, AUREOLE_MPI_MAPPED_FROM="65536")
        assert outcome.code == 0, outcome.told()
        assert "right" in outcome.output, outcome.told()


@pytest.mark.parametrize("function", ["cuMemcpyAsync", "cuStreamSynchronize"])
def test_a_call_of_the_driver_that_fails_is_told(
    any_mpi: mpis.Mpi, build: Callable, function: str
) -> None:
    program = build("straight_collectives", any_mpi)
    for nth in (3, 10, 25, 60, 110):
        outcome = start(Run(any_mpi, double=f"fail={function}:{nth}"), 2, [program, "device"])
        assert outcome.code not in (0, None), outcome.told()
        assert f"{function} failed" in outcome.output or "program: " in outcome.output, (
            outcome.told()
        )


#: Ways of large messages: from device to device, and in chunks.
WAYS = {"straight": {}, "chunks": {"AUREOLE_MPI_ALL_RANKS": "1", "AUREOLE_MPI_MAPPED_FROM": "off"}}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", ["threads", "communicators", "operations", "finalize"])
def test_legal_programs_at_the_corners(
    any_mpi: mpis.Mpi, build: Callable, what: str, way: str
) -> None:
    program = build("corners", any_mpi)
    outcome = start(Run(any_mpi), 2, [program, what], **WAYS[way])
    assert outcome.code == 0, outcome.told()
    assert "right" in outcome.output, outcome.told()
