# SPDX-License-Identifier: Apache-2.0
"""First words of doc comments: a comment names what it is about, and begins with no pronoun.

Counted are the comments of `src` and `python`: in C++ the first line of each `///` block, in Python
docstrings and `#:` blocks. A few read best as they are, hence the numbers.
"""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

#: How many comments may begin with such words.
MOST = {"That, Those, The same, Of, Who": 20, "What": 100}

_SUFFIXES = (".py", ".hpp", ".cpp", ".cu")
_BLOCK = re.compile(r"///<? ?(.*)")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """The module and its statements, in the order of ast.walk: no expression is documented."""
    left: deque[ast.AST] = deque([tree])
    while left:
        node = left.popleft()
        yield node
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            left.extend(getattr(node, name, ()))


def first_lines(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Number and text of the first line of each doc comment."""
    if path.suffix == ".py":
        for node in _statements(ast.parse(text)):
            words = ast.get_docstring(node) if isinstance(node, _DOCUMENTED) else None
            if words:
                yield getattr(node, "lineno", 1), words.split("\n")[0]
    marks = "#:" if path.suffix == ".py" else "///"
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        own = line.strip().startswith(marks)
        if own and not inside:
            yield number, line.strip()[3:].lstrip("< ").strip()
        elif not own and marks == "///" and (found := _BLOCK.search(line)):
            yield number, found[1]
        inside = own


def problems_of(texts: Mapping[Path, str]) -> list[str]:
    """Printable offences, if there are more than may be."""
    found: dict[str, list[str]] = {words: [] for words in MOST}
    for path, text in texts.items():
        if path.parts[0] not in ("src", "python") or path.suffix not in _SUFFIXES:
            continue
        for number, line in first_lines(path, text):
            for words, places in found.items():
                if re.match(rf"({words.replace(', ', '|')})\b", line):
                    places.append(f"{path}:{number}: {line}")
    problems = []
    for words, places in found.items():
        if len(places) > MOST[words]:
            problems.append(
                f"{len(places)} comments begin with {words} (at most {MOST[words]}): name the thing"
            )
            problems += places
    return problems
