# SPDX-License-Identifier: Apache-2.0
"""Mistakes in the use of MPI are reported with rank, call and line; right programs are not."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import mpis
import pytest
from rank_runs import Outcome, Run, start

HERE = Path(__file__).parent
SOURCES = sorted(HERE.glob("*.c"))
#: What the reports of a file's cases say.
SAID = {
    "pending": r"work on a non-blocking stream was changing the buffer",
    "flight": r"the buffer( on GPU \d)? was (changed|freed) before the request was complete",
    "overlap": r"(writes into|reads from) memory .* which MPI_\w+ at \S+.* still ",
    "open": r"the request was not completed before MPI_Finalize",
    "collective": r"\d on rank \d\.|on rank \d\.|which (sends|expects) \d+ bytes\.",
}
REPORT = re.compile(
    r"^aureole-mpi: check: rank (?P<rank>\d): (?P<call>MPI_\w+) at (?P<file>\S+)"
    r"\(\+(?P<offset>0x[0-9a-f]+)\)( in (?P<function>\w+))?: (?P<text>.*)$",
    re.MULTILINE,
)
#: Copies between devices start up to so many microseconds late.
LATE = "late=3000,seed=1"


class Case(NamedTuple):
    name: str
    source: Path
    ends: bool  # with its mistake MPI may end the job

    def mistake(self) -> tuple[int, str]:
        """Line and call of the mistake."""
        for number, line in enumerate(self.source.read_text().splitlines(), 1):
            if line.endswith(f"/* mistake: {self.name} */"):
                return number, re.findall(r"MPI_[A-Z]\w+(?=\()", line)[0]
        raise AssertionError(f"{self.source.name} does not mark the mistake of {self.name}")


def cases() -> list[Case]:
    entry = re.compile(r'^ +\{"(\w+)", \w+, ([01])\},$', re.MULTILINE)
    return [
        Case(found[1], source, found[2] == "1")
        for source in SOURCES
        for found in entry.finditer(source.read_text())
    ]


CASES = cases()


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[mpis.Mpi], Path]:
    folder = tmp_path_factory.mktemp("check")

    @cache
    def built(mpi: mpis.Mpi) -> Path:
        binary = folder / f"check-{mpi.name}"
        assert mpi.mpicc is not None
        command = [mpi.mpicc, "-O0", "-g", "-Wall", "-Werror", "-o", binary, *SOURCES, "-ldl"]
        subprocess.run(command, check=True)
        return binary

    return built


@pytest.fixture(scope="session")
def outcome(program: Callable) -> Callable[..., Outcome]:
    """Runs cases, with their mistakes or without; each run once."""

    @cache
    def ran(mpi: mpis.Mpi, *words: str, check: str = "1") -> Outcome:
        run = Run(mpi, double=LATE, limit=60)
        return start(run, 2, [program(mpi), *words], AUREOLE_MPI_CHECK=check)

    return ran


def line_of(file: str, offset: str) -> str:
    """As `name.c:12`."""
    if shutil.which("addr2line") is None:
        pytest.skip("addr2line (Debian's binutils) is not installed: lines are not compared")
    command = ["addr2line", "-e", file, offset]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return Path(told.split(" ")[0].strip()).name


def test_there_are_twenty_cases() -> None:
    assert len(CASES) >= 20
    assert len({case.mistake() for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_mistake_is_reported_with_rank_call_and_line(
    any_mpi: mpis.Mpi, program: Callable, outcome: Callable, case: Case
) -> None:
    run = outcome(any_mpi, "wrong", case.name if case.ends else "all")
    line, call = case.mistake()
    found = [r for r in REPORT.finditer(run.output) if r["function"] == case.name]
    assert found, run.told(20000)
    for report in found:
        assert report["call"] == call, report[0]
        assert report["rank"] in "01"
        assert report["file"] == str(program(any_mpi))
        assert re.search(SAID[case.source.stem], report["text"]), report[0]
        assert line_of(report["file"], report["offset"]) == f"{case.source.name}:{line}", report[0]


def test_right_relatives_are_not_reported(any_mpi: mpis.Mpi, outcome: Callable) -> None:
    run = outcome(any_mpi, "right", "all")
    assert run.code == 0, run.told()
    assert "ended" in run.output, run.told()
    assert "check:" not in run.output, run.told()


def test_nothing_is_reported_unless_asked_for(any_mpi: mpis.Mpi, outcome: Callable) -> None:
    names = [case.name for case in CASES if case.source.stem == "flight"]
    run = outcome(any_mpi, "wrong", *names, check="0")
    assert "check:" not in run.output, run.told()


def test_the_launcher_asks_for_checks(any_mpi: mpis.Mpi, program: Callable) -> None:
    launcher = mpis.ROOT / "build/preload/aureole-mpi"
    if not launcher.exists():
        pytest.skip("build/preload/aureole-mpi is not built: lanes build native aureole-mpi")
    words = [launcher, "--check", program(any_mpi), "wrong", "changed_small"]
    run = start(Run(any_mpi, preload=False), 2, words)
    assert "calls are checked" in run.output, run.told()
    assert REPORT.search(run.output), run.told()
