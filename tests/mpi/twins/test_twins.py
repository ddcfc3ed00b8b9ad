# SPDX-License-Identifier: Apache-2.0
"""Random MPI programs do the same with device buffers as with host buffers (twins.cpp)."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import mpis
import pytest
from rank_runs import DEVICES, DRIVERS, PRELOAD, Outcome, Run, start

HERE = Path(__file__).parent
SOURCES = sorted(HERE.glob("*.cpp"))
#: One library of each of the three binary interfaces.
INTERFACES = ("mpich", "openmpi", "mpich-standard")
#: Numbers of ranks of the long form.
RANKS = (2, 3, 4, 6)
#: Programs of the long form, over all numbers of ranks, kinds of memory and libraries: 10^5.
PROGRAMS = 100_000
#: Late streams delay each copy, so that the time of a twin says nothing.
LATE = "late=200,seed=1"
#: HIP's driver has no kernel for lists of blocks: no more of them than the time limit allows.
PIECES = {"cuda": (), "hip": ("--pieces", "20000")}


def program(mpi: mpis.Mpi, folder: Path) -> Path:
    """The binary for one interface, built once for these sources."""
    compiler = mpi if mpi.mpicc else mpis.compiler_of(mpi.abi)
    if compiler is None:
        pytest.skip(f"no MPI at hand builds programs for {mpi.name}")
    # The standard's header does not tell whose library it is, and some of MPICH's faults are known.
    flags = ["-std=c++20", "-O1", "-g1", *(["-DMPICH=1"] if mpi.family == "mpich" else [])]
    texts = [path.read_bytes() for path in (*SOURCES, *sorted(HERE.glob("*.hpp")))]
    key = hashlib.sha256(b"\0".join([*texts, str([compiler.name, flags]).encode()])).hexdigest()
    kept = mpis.ROOT / "build"
    binary = (kept if kept.is_dir() else folder) / "twins" / f"twins-{mpi.abi}-{key[:16]}"
    if not binary.exists():
        binary.parent.mkdir(exist_ok=True)
        made = folder / "twins-made"
        command = ["c++", *flags, *map(str, SOURCES), "-o", str(made), *compiler.flags()]
        subprocess.run([*command, "-ldl", "-pthread"], check=True)
        os.replace(made, binary)
    return binary


@pytest.fixture(params=INTERFACES)
def mpi(request: pytest.FixtureRequest) -> mpis.Mpi:
    found = mpis.named(request.param)
    if found is None:
        pytest.skip(mpis.missing(request.param))
    return found


@pytest.fixture
def twins(mpi: mpis.Mpi, tmp_path: Path):
    """Runs programs on ranks, and gives what became of them."""
    for needed in (PRELOAD, DRIVERS / DEVICES["cuda"], DRIVERS / DEVICES["hip"]):
        if not needed.exists():
            pytest.skip(f"{needed.name} is not built")
    binary = program(mpi, tmp_path)

    def asked(ranks: int, *words: str, run: Run | None = None, **variables: str) -> Outcome:
        return start(run or Run(mpi), ranks, [binary, *words], tmp_path, **variables)

    return asked


def passed(outcome: Outcome) -> None:
    assert outcome.code == 0, outcome.told()
    assert " 0 differ; " in outcome.output, outcome.told()


@pytest.mark.parametrize("memory", ["device", "mixed"])
def test_random_programs(twins, memory: str) -> None:
    passed(twins(2, "--seed", "1", "--count", "250", "--memory", memory))


#: All messages that are longer than their headers go straight from device to device.
STRAIGHT = {"AUREOLE_MPI_MAPPED_FROM": "0", "AUREOLE_MPI_LOG": "1"}


@pytest.mark.parametrize("memory", ["device", "mixed"])
def test_messages_from_device_to_device(twins, memory: str) -> None:
    words = ("--seed", "5", "--count", "120", "--sizes", "30", "--memory", memory)
    outcome = twins(2, *words, **STRAIGHT)
    passed(outcome)
    sent = [int(n) for n in re.findall(r"has sent (\d+) messages straight", outcome.output)]
    assert sum(sent) > 20, outcome.told()


def test_receives_that_failed_are_at_their_end(twins, mpi: mpis.Mpi) -> None:
    """MPI_Testall of MPICH leaves their handles; without care a later probe reads their buffers."""
    if mpi.name != "mpich":
        pytest.skip("MPI_Testall of this MPI takes the handles of receives that failed")
    passed(twins(2, "--seed", "1077", "--count", "500", "--memory", "mixed", **STRAIGHT))


def test_messages_between_amd_devices_with_late_streams(twins, mpi: mpis.Mpi) -> None:
    run = Run(mpi, devices="hip", double=LATE)
    words = ("--seed", "6", "--count", "40", "--sizes", "30", "--least", "60")
    passed(twins(3, *words, "--runtime", "hip", run=run, **STRAIGHT))


def test_random_programs_on_amd_devices_with_late_streams(twins, mpi: mpis.Mpi) -> None:
    run = Run(mpi, devices="hip", double=LATE)
    words = ("--seed", "2", "--count", "60", "--runtime", "hip", "--least", "60")
    passed(twins(3, *words, *PIECES["hip"], run=run))


def test_random_programs_with_late_streams(twins, mpi: mpis.Mpi) -> None:
    run = Run(mpi, double=LATE)
    passed(twins(2, "--seed", "6", "--count", "60", "--memory", "mixed", "--least", "60", run=run))


@pytest.mark.parametrize(
    "memory, kind, bar",
    [("device", "cuda", "gdr"), ("mixed", "cuda", "dmabuf"), ("device", "hip", "large")],
)
def test_small_messages_by_the_processor_with_late_streams(
    twins, mpi: mpis.Mpi, memory: str, kind: str, bar: str
) -> None:
    run = Run(mpi, devices=kind, double=f"{LATE},bar={bar}")
    words = ("--seed", "7", "--count", "35", "--memory", memory, "--runtime", kind, "--least", "60")
    outcome = twins(2, *words, *PIECES[kind], run=run, AUREOLE_MPI_LOG="1")
    passed(outcome)
    copied = [int(n) for n in re.findall(r"(\d+) (?:small messages from|to it by)", outcome.output)]
    assert sum(copied) > 20, outcome.told()


def test_one_bit_is_found(twins, mpi: mpis.Mpi) -> None:
    run = Run(mpi, preload=False, devices=None)
    words = ["--seed", "3", "--count", "20", "--memory", "host"]
    passed(twins(2, *words, run=run))
    outcome = twins(2, *words, "--spoil", "--keep-going", run=run)
    assert outcome.code != 0, outcome.told()
    assert " 20 differ; " in outcome.output, outcome.told()


def test_without_the_preload_the_twins_fail(twins, mpi: mpis.Mpi) -> None:
    words = ["--seed", "4", "--count", "20", "--hang", "20", "--without", "partitioned"]
    assert twins(2, *words, run=Run(mpi, preload=False)).code != 0


#: All messages that are longer than their headers go in chunks, as between nodes.
CHUNKED = {
    "AUREOLE_MPI_ALL_RANKS": "1",
    "AUREOLE_MPI_MAPPED_FROM": "off",
    "AUREOLE_MPI_CHUNKS_FROM": "0",
    "AUREOLE_MPI_CHUNK_BYTES": "1024",
    "AUREOLE_MPI_LOG": "1",
}


@pytest.mark.parametrize("memory", ["device", "mixed"])
def test_messages_in_chunks(twins, mpi: mpis.Mpi, memory: str) -> None:
    words = ("--seed", "21", "--count", "50", "--sizes", "120", "--memory", memory)
    outcome = twins(2, *words, "--least", "600", run=Run(mpi, double=LATE), **CHUNKED)
    passed(outcome)
    sent = [int(n) for n in re.findall(r"has sent (\d+) messages in chunks", outcome.output)]
    assert sum(sent) > 20, outcome.told()


@pytest.mark.validate
@pytest.mark.parametrize("double", ["seed=1", LATE])
@pytest.mark.parametrize("kind", ["cuda", "hip"])
@pytest.mark.parametrize("ranks", RANKS)
def test_many_random_programs(twins, mpi: mpis.Mpi, ranks: int, kind: str, double: str) -> None:
    """Different programs in each: 10^5 in all, on each of the memories in turn."""
    memories = ("device", "mixed", "managed", "pool")
    runs = len(INTERFACES) * len(RANKS) * 2 * 2 * len(memories)
    count = PROGRAMS // runs + 1
    run = replace(Run(mpi, devices=kind, double=double), limit=3000)
    least = "0.5" if double != LATE else "600"
    for memory in memories:
        seed = int.from_bytes(
            hashlib.sha256(f"{mpi.name}{ranks}{kind}{memory}".encode()).digest()[:4], "big"
        )
        words = ("--seed", str(seed), "--count", str(count), "--least", least, "--hang", "900")
        words += ("--memory", memory, "--runtime", kind, *PIECES[kind])
        passed(twins(ranks, *words, run=run))
