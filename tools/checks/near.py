# SPDX-License-Identifier: Apache-2.0
"""The tests nearest to a file: those that include or import it, and those of its folder."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

_SUITE = re.compile(r"^(TYPED_)?TEST(?:_P|_F)?\(\s*(\w+)\s*,", re.MULTILINE)
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
_PYTHON = ".venv/bin/python"
_PYTEST = f"{_PYTHON} -m pytest"
_CPP = (".hpp", ".cpp", ".cu", ".cuh")
#: Python tests of what the extension does with a layer.
_OF_LAYER = {
    "md": "tests/python/engine/test_molecular.py",
    "amr": "tests/python/amr",
    "python": "tests/python/engine tests/python/simulation",
}
#: The lane that tests a layer which has no tests of its own.
_LANE_OF_LAYER = {"drivers": "mpi"}
#: Folders of what only builds for GPUs have.
_FOR_GPUS = {"gpu", "emulated"}
_MOST_USERS = 3  # folders that use a header, beyond which its own folder stands for all
_LONGEST_FILTER = 400


def commands(root: Path, names: list[str], start: Path) -> tuple[list[str], list[str]]:
    """Command lines, run in `root`, of the tests nearest to each file, and problems.

    Args:
        root: of the tree
        names: of files in it, below `start` or `root` or absolute; deleted ones too
        start: the working directory

    A problem is a name that is no file of the tree, or a file to which no test is near.
    """
    found: dict[str, None] = {}
    problems = []
    for name in names:
        path = next((p for p in (start / name, root / name) if p.exists()), root / name).resolve()
        if path.is_dir():
            problems.append(f"{name} is a folder. Name files in it.")
        elif not path.is_relative_to(root) or not (path.is_file() or _was(root, path)):
            problems.append(f"{name} is no file of this tree (a path below {root} is needed).")
        else:
            lines = list(_of_one(root, path.relative_to(root)))
            if not lines:
                problems.append(f"no test is near {name}. `make test` runs all.")
            found |= dict.fromkeys(lines)
    return list(found), problems


def _was(root: Path, path: Path) -> bool:
    """Was there such a file in the last commit?"""
    asked = ["git", "cat-file", "-e", f"HEAD:{path.relative_to(root)}"]
    return subprocess.run(asked, cwd=root, capture_output=True, check=False).returncode == 0


def _of_one(root: Path, path: Path) -> Iterator[str]:
    parts = path.parts
    if parts[0] == "src" and path.suffix in _CPP:
        yield from _of_cpp(root, path)
        if path.suffix.startswith(".cu") or not _FOR_GPUS.isdisjoint(parts):
            yield f"{_PYTHON} tools/lanes.py run cuda hip emulated"
        if parts[1] in _LANE_OF_LAYER:
            yield f"{_PYTHON} tools/lanes.py run {_LANE_OF_LAYER[parts[1]]}"
        if parts[1] in _OF_LAYER and "tests" not in parts:
            yield f"{_PYTEST} {_OF_LAYER[parts[1]]}"
    elif path.name.startswith("test_") and path.suffix == ".py":
        yield f"{_PYTEST} {path}"
    elif parts[0] == "python":
        yield from _pytest(_of_module(root, path))
    elif parts[0] == "tests" and path.suffix == ".py":  # a helper of tests
        near = _importing(root, rf"^\s*(from|import) {path.stem}\b")
        yield from _pytest(near or _in_folder(root, path))
    elif parts[0] == "tools" or parts[0] == "tests":
        yield f"{_PYTEST} tools/tests"
    elif path.name == "layers.txt":
        yield f"{_PYTHON} tools/check_layers.py"
    elif parts[0] == "cmake" or path.name in ("CMakeLists.txt", "CMakePresets.json"):
        yield "make build"
    elif path.suffix == ".md":
        yield f"{_PYTHON} tools/check_links.py && {_PYTHON} tools/check_style.py"
        near = [f"tests/python/end_to_end/test_{name}.py" for name in ("readme", "docs")]
        yield from _pytest(sorted({*near, *_importing(root, re.escape(path.name))}))


def _of_cpp(root: Path, path: Path) -> Iterator[str]:
    """Programs of the layer with the suites that include the header, and those of the folder."""
    layer = path.parts[1]
    files = {
        file: file.read_text() for file in (root / "src" / layer).rglob("*") if file.suffix in _CPP
    }
    sources = [f for f in files if "tests" in f.parts and f.suffix == ".cpp"]
    if root / path in sources:
        near = [root / path]
    else:
        stem = str(path.relative_to("src")).split(".")[0]
        using = [
            file
            for file, text in files.items()
            if any(name.split(".")[0] == stem for name in _INCLUDE.findall(text))
        ]
        near = [file for file in using if file in sources]
        own = (root / path).parent
        users = {f.parent for f in using if "tests" not in f.parts} - {own}
        for folder in [own, *(sorted(users) if len(users) <= _MOST_USERS else [])]:
            near += _of_folder(folder, sources, root / "src" / layer)
    for_sets = [file for file in near if "isa" in file.parts]
    ordinary = [
        file for file in near if "isa" not in file.parts and _FOR_GPUS.isdisjoint(file.parts)
    ]
    if ordinary:
        yield f"make build && build/test_{layer}{_filter(files[f] for f in ordinary)}"
    if for_sets:
        chosen = _filter(files[f] for f in for_sets)
        yield f"make build && for each in build/test_{layer}_*; do $each{chosen}; done"


def _filter(texts: Iterable[str]) -> str:
    """The option of GoogleTest that chooses the suites of some sources; none if it is long."""
    suites = {suite for text in texts for suite in _SUITE.findall(text)}
    names = sorted(f"*{name}{'/*' if typed else '.*'}" for typed, name in suites)
    option = f" --gtest_filter='{':'.join(names)}'"
    return option if len(option) <= _LONGEST_FILTER else ""


def _of_folder(start: Path, sources: list[Path], top: Path) -> list[Path]:
    """Those of the lowest folder, from `start` upwards, that has tests in it."""
    for folder in (start, *start.parents):
        near = [source for source in sources if source.is_relative_to(folder)]
        if near or folder == top:
            return near
    return []


def _of_module(root: Path, path: Path) -> list[str]:
    """Files of tests that import a module of the package, or the folder of its package."""
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


def _in_folder(root: Path, path: Path) -> list[str]:
    """The folder of a file, if tests lie there."""
    return [str(path.parent)] if any((root / path.parent).glob("test_*.py")) else []


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
