# SPDX-License-Identifier: Apache-2.0
"""MPICH's own test suite: its lists, and its programs, built for one binary interface each."""

from __future__ import annotations

import fcntl
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from mpis import ROOT, compiler_of

SUITES = ROOT / ".setup" / "suites"
#: The folder test/mpi of MPICH's source, which fetch.py puts there.
SOURCE = SUITES / "mpich" / "source"
FOLDERS = ("pt2pt", "coll", "datatype", "rma", "io")
#: A word of the suite's lists that says how a line is judged.
JUDGES = {"TestStatus", "TestStatusNoErrors", "TestErrFatal"}


def built(abi: str) -> Path:
    return SUITES / "mpich" / abi


@dataclass(frozen=True)
class Line:
    """One line of a list: a program with its ranks and arguments."""

    folder: str
    program: str
    ranks: int
    arguments: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    limit: float = 180
    judge: str = ""
    fails: bool = False  # by the suite's own word

    def __str__(self) -> str:
        words = (self.program, str(self.ranks), *self.arguments)
        settings = (f"{name}={value}" for name, value in self.environment)
        return f"{self.folder}/{' '.join((*words, *settings))}"

    def with_arguments(self, *arguments: str) -> Line:
        """With these, which take the place of those of the same name."""
        names = {a.split("=")[0] for a in arguments}
        kept = (a for a in self.arguments if a.split("=")[0] not in names)
        return replace(self, arguments=(*kept, *arguments))

    def passed(self, code: int | None, output: str) -> bool:
        """The suite's verdict: status 0 and ` No Errors`, unless the line asks for other things."""
        clean = re.search(r"^\s*No Errors\s*$", output, re.MULTILINE | re.IGNORECASE) is not None
        clean = clean or "Test passed" in output
        if self.judge == "TestErrFatal":
            return code not in (0, None)
        if self.judge in ("TestStatus", "TestStatusNoErrors"):  # these must end with an error
            return code not in (0, None) and (clean or self.judge == "TestStatus")
        return code == 0 and clean and "Found" not in _without_noise(output)


def _without_noise(output: str) -> str:
    """Lines of the program alone (`Found N errors`), without those of launchers."""
    return "\n".join(line for line in output.splitlines() if re.match(r"\s*Found \d+ err", line))


def _line(folder: str, words: list[str]) -> Line:
    arguments: list[str] = []
    environment: list[tuple[str, str]] = []
    line = Line(folder, words[0], int(words[1]) if len(words) > 1 and words[1].isdigit() else 2)
    for word in words[1:]:
        key, _, value = word.partition("=")
        if key == "arg":
            arguments.append(value)
        elif key == "env":
            name, _, setting = value.partition("=")
            environment.append((name, setting))
        elif key == "timeLimit" and value.isdigit():
            line = replace(line, limit=float(value))
        elif key == "resultTest":
            line = replace(line, judge=value)
        elif key == "xfail":
            line = replace(line, fails=True)
    return replace(line, arguments=tuple(arguments), environment=tuple(environment))


def lines(abi: str, folder: str, name: str = "testlist") -> Iterator[Line]:
    """Lines of one list of one folder, in order."""
    place = built(abi) / folder / name
    if not place.exists():
        place = SOURCE / folder / name
    for text in place.read_text().splitlines() if place.exists() else ():
        words = shlex.split(text, comments=True)
        if words and not words[0].endswith("/"):
            yield _line(folder, words)


@cache
def _rules(folder: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    """What Makefile.am says of programs that are not made from one source of their own name."""
    text = (SOURCE / folder / "Makefile.am").read_text().replace("\\\n", " ")
    sources: dict[str, str] = {}
    flags: dict[str, list[str]] = {}
    for name, kind, value in re.findall(
        r"^(\w+?)_(SOURCES|CPPFLAGS)\s*=\s*(.*)$", text, re.MULTILINE
    ):
        if kind == "SOURCES":
            sources[name] = value.strip()
        else:
            flags[name] = [word for word in value.split() if word.startswith("-D")]
    return sources, flags


@dataclass(frozen=True)
class Unbuilt(Exception):
    """A program that an MPI's header does not take: it calls what is MPICH's own or was removed."""

    why: str

    def __str__(self) -> str:
        return self.why


def compiler_flags(abi: str) -> list[str]:
    """Before the sources."""
    mpi, here = compiler_of(abi), built(abi)
    assert mpi is not None, abi
    # Exact places in the order of automake's: what configure wrote, then the suite's.
    folders = (
        here / "include",
        SOURCE / "include",
        here / "dtpools/include",
        SOURCE / "dtpools/include",
    )
    own = [flag for flag in mpi.flags() if not flag.startswith(("-l", "-L"))]
    # Tests of the year 2022 call what newer headers deprecate.
    return ["-w", "-O1", *own, *(f"-I{folder}" for folder in folders), f"-I{SUITES}/cuda/include"]


def program(abi: str, folder: str, name: str) -> Path:
    """A program of the suite, built when it is first asked for."""
    here = built(abi) / "bin" / folder
    place, refused = here / name, here / f"{name}.refused"
    here.mkdir(parents=True, exist_ok=True)
    with (here / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists() and not refused.exists():
            _build(abi, folder, name)
    if refused.exists():
        raise Unbuilt(refused.read_text())
    return place


def _build(abi: str, folder: str, name: str) -> None:
    sources, flags = _rules(folder)
    place = built(abi) / "bin" / folder / name
    mpi = compiler_of(abi)
    assert mpi is not None, abi
    libraries = [flag for flag in mpi.flags() if flag.startswith(("-l", "-L"))]
    source = [SOURCE / folder / word for word in sources.get(name, f"{name}.c").split()]
    command = ["cc", *compiler_flags(abi), *flags.get(name, []), *source, built(abi) / "libmtest.a"]
    command += [f"-L{SUITES}/cuda/lib", *libraries, "-lcudart", "-lm", "-lpthread"]
    made = subprocess.run(
        [*map(str, command), "-o", str(place)], capture_output=True, text=True, check=False
    )
    if made.returncode:
        first = next((t for t in made.stderr.splitlines() if "error" in t), made.stderr[-200:])
        place.with_name(f"{name}.refused").write_text(f"{folder}/{name}: {first.strip()}")
