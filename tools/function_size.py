# SPDX-License-Identifier: Apache-2.0
"""Functions of C++ that are too long or have too many parameters, in the layout of clang-format.

A function begins with its first line, also of a template, and ends with the first closing brace at
its indentation. Tests and benchmarks may be longer. `ALLOWED` lists the functions that may be, with
the reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

MOST_LINES, MOST_PARAMETERS = 60, 6

_BINDINGS = "a list of bindings, a line or two each"
_OF_PYTHON = "has the arguments of the function in Python, which passes them by name"
#: By file and name: why a function is as it is.
ALLOWED: dict[tuple[str, str], str] = {
    (
        "src/amr/step/task_schedule.cpp",
        "TaskSchedule::TaskSchedule",
    ): "all that it is made of",
    ("src/device/launch.hpp", "parallel_reduce"): "the operation, its identity and its output",
    ("src/md/pair/flat_nonbonded.kernel.hpp", "vdw"): "inlined; powers of r that the caller has",
    ("src/md/simulation/simulation.cpp", "Simulation::Simulation"): "a whole system at once",
    ("src/python/comm.cpp", "bind_comm"): _BINDINGS,
    ("src/python/fluid.cpp", "make"): _OF_PYTHON,
    ("src/python/mesh_errors.cpp", "force_errors"): _OF_PYTHON,
    ("src/python/molecules.cpp", "set_motion"): _OF_PYTHON,
    ("src/python/simulation.cpp", "add_pair"): _OF_PYTHON,
    ("src/python/simulation.cpp", "bind_simulation"): _BINDINGS,
}

_NO_FUNCTION = re.compile(
    r"\W*(?:if|for|while|switch|do|else|try|catch|return|namespace|struct|class|enum|union|"
    r"requires|using|typedef|static_assert|case|default|public|private|protected)\b"
)
_BEFORE = re.compile(r"^template <.*?> (?:requires [\w:]+<[^()]*?> )?(?=\w)|^extern \"\" (?=\w)")
#: Words before a parenthesis that are no function's name.
_WORDS = ("operator", "decltype", "alignas", "explicit", "noexcept", "__attribute__")
_NAME = re.compile(r"((?:\w+(?:<[^()]*>)?::)*~?[A-Za-z_]\w*|operator\W{1,3})\s*\($")


def functions(text: str) -> Iterator[tuple[str, int, int, int]]:
    """Name, first line, number of lines and of parameters of each function that has a body."""
    lines = [re.sub(r'"(?:\\.|[^"\\])*"', '""', line).split("//")[0] for line in text.splitlines()]
    begun = 0  # the line at which the statement begins that is read
    for number, line in enumerate(lines):
        stripped = line.strip()
        if re.search(r"\) (?:const |noexcept |override |final )*\{ .*\}$", stripped):  # in one line
            head = " ".join(part.strip() for part in lines[begun : number + 1]).split(" { ")[0]
            signature = _signature(_BEFORE.sub("", head))
            if signature and not _NO_FUNCTION.match(head):
                yield signature[0], begun + 1, number + 1 - begun, signature[1]
        if not stripped or stripped.startswith("#") or stripped[-1] in ";}:" or stripped == "{":
            begun = number + 1
            continue
        if not stripped.endswith("{"):
            continue
        head, first = " ".join(part.strip() for part in lines[begun : number + 1]), begun
        indent = len(lines[begun]) - len(lines[begun].lstrip())
        begun = number + 1
        head = _BEFORE.sub("", head)
        signature = _signature(head)
        if indent > 12 or signature is None or _NO_FUNCTION.match(head):
            continue
        closing = " " * indent + "}"
        for last in range(number + 1, len(lines)):
            if lines[last].startswith(closing):
                yield signature[0], first + 1, last - first + 1, signature[1]
                break


def _signature(head: str) -> tuple[str, int] | None:
    """Name and number of parameters of what may be the head of a function."""
    depth = 0
    for at, c in enumerate(head):
        if c != "(":
            continue
        name = _NAME.search(head[: at + 1])
        if name and name[1] in _WORDS:
            continue
        if not name or "=" in head[: name.start()] or "[" in head[: name.start()].replace("[[", ""):
            return None
        parameters, angle, some = 1, 0, False
        for c in head[at:]:
            depth += (c in "([{") - (c in ")]}")
            if depth == 0:
                return name[1], parameters if some else 0
            angle += (c == "<") - (c == ">")
            some = some or (depth >= 1 and c not in "( ")
            parameters += c == "," and depth == 1 and angle <= 0
        return None
    return None


def problems_of(path: Path, text: str) -> list[str]:
    """Printable offences of one file."""
    if path.parts[0] != "src" or path.suffix not in (".hpp", ".cpp", ".cu"):
        return []
    if {"tests", "bench"} & set(path.parts):
        return []
    found = []
    for name, line, lines, parameters in functions(text):
        if (str(path), name) in ALLOWED:
            continue
        if lines > MOST_LINES:
            found.append(f"{path}:{line}: {name}() has {lines} lines (at most {MOST_LINES})")
        if parameters > MOST_PARAMETERS:
            found.append(
                f"{path}:{line}: {name}() has {parameters} parameters (at most {MOST_PARAMETERS})"
            )
    return found
