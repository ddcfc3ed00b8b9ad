# SPDX-License-Identifier: Apache-2.0
"""The tests nearest to a file: those that include or import it, and those of its folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from .config import Problem

_SUITE = re.compile(r"^(?:TYPED_)?TEST(?:_P|_F)?\(\s*(\w+)\s*,", re.MULTILINE)
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
_PYTEST = ".venv/bin/python -m pytest"


def commands(root: Path, names: list[str]) -> list[str]:
    """Command lines, run in `root`, of the tests nearest to each file.

    Args:
        root: of the tree
        names: of files in it, below `root` or absolute

    Raises Problem for a file that is not there, or to which no test is near.
    """
    found: dict[str, None] = {}
    for name in names:
        path = (root / name).resolve()
        if not path.is_file() or not path.is_relative_to(root):
            raise Problem(f"{name} is no file of this tree (a path below {root} is needed).")
        lines = list(_of_one(root, path.relative_to(root)))
        if not lines:
            raise Problem(f"no test is near {name} (see CONTRIBUTING.md). Use `make test`.")
        found |= dict.fromkeys(lines)
    return list(found)


def _of_one(root: Path, path: Path) -> Iterator[str]:
    parts = path.parts
    if parts[0] == "src" and path.suffix in (".hpp", ".cpp", ".cu"):
        yield from _of_cpp(root, path)
        if parts[1] == "python":
            yield f"{_PYTEST} tests/python/engine tests/python/simulation"
    elif path.name.startswith("test_") and path.suffix == ".py":
        yield f"{_PYTEST} {path}"
    elif parts[0] == "python" and path.suffix in (".py", ".table"):
        yield from _pytest(_of_module(root, path))
    elif parts[0] == "tests" and path.suffix == ".py":  # a helper of tests
        yield from _pytest(_importing(root, rf"^\s*(from|import) {path.stem}\b"))
    elif parts[0] == "tools":
        yield f"{_PYTEST} tools/tests"
    elif path.suffix == ".md":
        yield "tools/check_links.py && tools/check_style.py"
        whole = "tests/python/end_to_end"
        yield f"{_PYTEST} {whole}/test_readme.py {whole}/test_docs.py"


def _of_cpp(root: Path, path: Path) -> Iterator[str]:
    """The program of the layer with the suites that include the header, and those of the folder."""
    layer = path.parts[1]
    sources = {
        source: source.read_text()
        for source in (root / "src" / layer).rglob("*.cpp")
        if "tests" in source.parts
    }
    if root / path in sources:
        near = [root / path]
    else:
        stem = str(path.relative_to("src")).split(".")[0]
        near = [
            source
            for source, text in sources.items()
            if any(name.split(".")[0] == stem for name in _INCLUDE.findall(text))
        ]
        near += _of_folder(root / path, list(sources), root / "src" / layer)
    suites = sorted({suite for source in near for suite in _SUITE.findall(sources[source])})
    if suites:
        filters = ":".join(f"*{suite}.*" for suite in suites)
        yield f"make build && build/test_{layer} --gtest_filter='{filters}'"


def _of_folder(path: Path, sources: list[Path], top: Path) -> list[Path]:
    """Those of the lowest folder around a file that has tests in it."""
    for folder in path.parents:
        near = [source for source in sources if source.is_relative_to(folder)]
        if near or folder == top:
            return near
    return []


def _of_module(root: Path, path: Path) -> list[str]:
    """Files of tests that import a module of the package, and the folder of its package."""
    if path.stem.startswith("__") and len(path.parts) == 3:
        return ["tests/python/base/test_import.py"]
    package = ".".join(path.with_suffix("").parts[1:])
    parent, _, stem = package.rpartition(".")
    pattern = rf"^\s*(from {re.escape(package)}\b|import {re.escape(package)}\b"
    pattern += rf"|from {re.escape(parent)} import .*\b{re.escape(stem)}\b)"
    near = _importing(root, pattern)
    folder = "bench" if path.parts[1] == "aureole_bench" else path.parts[2]
    if not near and (root / "tests" / "python" / folder).is_dir():
        near = [f"tests/python/{folder}"]
    return near


def _importing(root: Path, pattern: str) -> list[str]:
    expression = re.compile(pattern, re.MULTILINE)
    return sorted(
        str(test.relative_to(root))
        for test in (root / "tests").rglob("test_*.py")
        if expression.search(test.read_text())
    )


def _pytest(files: list[str]) -> Iterator[str]:
    if files:
        yield f"{_PYTEST} {' '.join(files)}"
