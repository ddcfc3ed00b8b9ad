# SPDX-License-Identifier: Apache-2.0
"""MPICH's test suite: programs that know device memory, and programs for hosts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import device_lines
import mpich_suite
import pytest
from mpich_suite import Line
from mpis import Mpi
from rank_runs import WINDOWS_ARE_REFUSED, Outcome, Run, start

#: One library of each of the three binary interfaces; Intel MPI's two are in the long form.
INTERFACES = ("mpich", "openmpi", "mpich-standard")
OTHERS = ("intel", "intel-standard")
HOST_LINES = Path(__file__).with_name("host_lines.txt")

MESSAGES = list(device_lines.messages_and_collectives())
ONE_SIDED = list(device_lines.one_sided("host"))
WINDOWS = list(device_lines.one_sided("device"))


def ran(run: Run, line: Line, folder: Path) -> Outcome:
    try:
        program = mpich_suite.program(run.mpi.abi, line.folder, line.program)
    except mpich_suite.Unbuilt as refused:
        pytest.skip(f"this MPI's header does not take {refused}")
    words = [program, *line.arguments]
    return start(run, line.ranks, words, folder, **dict(line.environment))


def fitting(line: Line, mpi: Mpi) -> Line:
    """On two ranks at most for MPICH, whose ranks never let others run while they wait."""
    return replace(line, ranks=min(line.ranks, 2)) if mpi.family == "mpich" else line


def passes(run: Run, line: Line, folder: Path) -> None:
    found = ran(run, line, folder)
    assert line.passed(found.code, found.output), found.told()


@pytest.fixture
def prepared(suite, devices, mpi):
    """Asks for all that a test of this file needs, and gives an MPI."""

    def asked(name: str, kind: str = "cuda"):
        suite("mpich")
        devices(kind)
        return mpi(name)

    return asked


def crashes_then_passes(mpi: Mpi, line: Line, folder: Path) -> None:
    """Without the preload it fails, so that passing under it shows something."""
    line = fitting(line, mpi)
    without = ran(Run(mpi, preload=False, limit=20), line, folder)
    assert not line.passed(without.code, without.output), "it needs no preload"
    passes(Run(mpi), line, folder)


@pytest.mark.parametrize("line", MESSAGES, ids=str)
@pytest.mark.parametrize("name", INTERFACES)
def test_device_memory(prepared, name, line, tmp_path):
    crashes_then_passes(prepared(name), line, tmp_path)


@pytest.mark.parametrize("program", ["allred2", "reduce", "op_coll"])
@pytest.mark.parametrize("name", INTERFACES + OTHERS)
def test_without_the_preload_it_crashes(prepared, name, program, tmp_path):
    mpi = prepared(name)
    line = next(line for line in MESSAGES if line.program == program)
    found = ran(Run(mpi, preload=False, limit=20), fitting(line, mpi), tmp_path)
    assert found.crashed, found.told()


@pytest.mark.parametrize("line", ONE_SIDED, ids=str)
@pytest.mark.parametrize("name", INTERFACES)
def test_one_sided_from_device_memory(prepared, name, line, tmp_path):
    crashes_then_passes(prepared(name), line, tmp_path)


@pytest.mark.parametrize("line", WINDOWS, ids=str)
@pytest.mark.parametrize("name", INTERFACES)
def test_windows_on_device_memory(prepared, name, line, tmp_path):
    mpi = prepared(name)
    if not WINDOWS_ARE_REFUSED:
        crashes_then_passes(mpi, line, tmp_path)
        return
    found = ran(Run(mpi), fitting(line, mpi), tmp_path)
    assert found.refused() == {"MPI_Win_create"}, found.told()
    assert found.code not in (0, None), found.told()


def fails_on_hosts(mpi: Mpi, line: Line, folder: Path) -> bool:
    """Whether the MPI itself fails it: Open MPI 5 adds bytes wrongly where they overflow."""
    places = ("=device", "=all", "=random")
    moved = tuple(re.sub(f"({'|'.join(places)})$", "=host", word) for word in line.arguments)
    alone = ran(Run(mpi, preload=False, limit=line.limit), replace(line, arguments=moved), folder)
    return not line.passed(alone.code, alone.output)


@pytest.mark.validate
@pytest.mark.parametrize("name", INTERFACES + OTHERS)
def test_all_lines_of_the_suite_that_know_device_memory(prepared, name, tmp_path):
    mpi = prepared(name)
    failed = []
    for line in device_lines.of_the_suite(mpi.abi):
        found = ran(Run(mpi, limit=line.limit), line, tmp_path)
        if WINDOWS_ARE_REFUSED and found.refused() == {"MPI_Win_create"}:
            continue
        if line.passed(found.code, found.output):
            continue
        if fails_on_hosts(mpi, line, tmp_path):
            print(f"{name} fails on hosts too: {line}")
        else:
            failed.append(found.told(800))
    assert not failed, "\n\n".join(failed)


def difference(mpi: Mpi, line: Line, folder: Path, limit: float) -> str | None:
    """How verdicts with and without the preload differ, also in a second and longer try."""
    told = None
    for seconds in (limit, 4 * limit):
        without = ran(Run(mpi, preload=False, limit=seconds), line, folder)
        under = ran(Run(mpi, limit=seconds), line, folder)
        verdicts = [line.passed(one.code, one.output) for one in (without, under)]
        if verdicts[0] == verdicts[1]:
            return None
        told = f"passed without: {verdicts[0]}, with: {verdicts[1]}\n{under.told(800)}"
    return told


def short_host_lines() -> list[Line]:
    """A line or two for each way of passing buffers, of those that take little time."""
    texts = HOST_LINES.read_text().splitlines()
    found = []
    for text in texts:
        if text and not text.startswith("#"):
            place, ranks, *arguments = text.split()
            folder, _, program = place.partition("/")
            found.append(Line(folder, program, int(ranks), tuple(arguments)))
    return found


@pytest.mark.parametrize("line", short_host_lines(), ids=str)
@pytest.mark.parametrize("name", ("mpich", "openmpi"))
def test_host_programs_notice_nothing(prepared, name, line, tmp_path):
    told = difference(prepared(name), line, tmp_path, 60)
    assert told is None, told


@pytest.mark.validate
@pytest.mark.parametrize("folder", mpich_suite.FOLDERS)
@pytest.mark.parametrize("name", INTERFACES)
def test_all_host_lines_have_the_same_verdict(prepared, name, folder, tmp_path):
    mpi = prepared(name)
    compared, failed = 0, []
    for line in mpich_suite.lines(mpi.abi, folder):
        try:
            mpich_suite.program(mpi.abi, folder, line.program)
        except mpich_suite.Unbuilt:
            continue
        compared += 1
        if told := difference(mpi, line, tmp_path, min(line.limit, 30)):
            failed.append(f"{line}: {told}")
    print(f"{name}: {compared} lines of {folder} compared")
    assert compared > 20
    assert not failed, "\n\n".join(failed)
