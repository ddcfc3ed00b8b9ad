#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check the rules of the Python package that `lint-imports` does not know.

Modules are imported by name in a string in the two lazy places alone; nobody uses a private name
of another module; a package's `__init__.py` hands names on and defines nothing but `__getattr__`
and `__dir__`; warnings are given in one place, which finds the user's line; files have at most 450
lines.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "python"
MAX_LINES = 450
#: The lazy face, and the command that imports what was asked for.
BY_NAME = {"aureole/__init__.py", "aureole/cli/main.py"}
#: Its `__init__.py` has a table: the face.
WITH_TABLES = {"aureole/__init__.py"}
OURS = {"_core"}
WARN = {"warn", "warn_explicit"}
#: Gives the warnings of the package.
WARNS = "aureole/base/user_warnings.py"


def main(root: Path = ROOT) -> int:
    """Print the offences of all files; 1 if there are any."""
    files = sorted(root.rglob("*.py"))
    problems = [problem for path in files for problem in problems_of(root, path)]
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    print(f"python: {len(files)} files, {len(problems)} offences")
    return 1 if problems else 0


def problems_of(root: Path, path: Path) -> Iterator[str]:
    """Printable offences of one file."""
    name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
    lines, tree = text.count("\n"), ast.parse(text)
    if lines > MAX_LINES:
        yield f"{name}: {lines} lines (at most {MAX_LINES}): split it by idea"
    for node, what in _private(root, path, tree):
        yield f"{name}:{node.lineno}: {what} is private to another module"
    if name not in BY_NAME:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name | ast.Attribute | ast.alias) and _called(node) in (
                *("import_module", "__import__"),
            ):
                yield f"{name}:{node.lineno}: a module is imported by a name in a string"
    if name.startswith("aureole/") and name != WARNS:
        for node in _warnings(tree):
            yield f"{name}:{node.lineno}: a warning would name a line of ours: {WARNS} has `warn`"
    if path.name == "__init__.py" and name not in WITH_TABLES:
        for node in tree.body:
            if _defines(node):
                yield f"{name}:{node.lineno}: a package's __init__.py defines nothing"


def _called(node: ast.Name | ast.Attribute | ast.alias) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else node.name


def _warnings(tree: ast.Module) -> Iterator[ast.expr | ast.stmt]:
    """Uses of the standard functions that warn."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            used = {one.name for one in node.names} if node.module == "warnings" else set()
        elif isinstance(node, ast.Attribute):
            used = {node.attr} if _named(node) == "warnings" else set()
        else:
            continue
        if used & WARN:
            yield node


def _named(node: ast.Attribute) -> str:
    """The name before the dot; empty where something else is."""
    return node.value.id if isinstance(node.value, ast.Name) else ""


def _defines(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.name not in ("__getattr__", "__dir__")
    if isinstance(node, ast.Assign):
        return any(not isinstance(to, ast.Name) or to.id != "__all__" for to in node.targets)
    return isinstance(node, ast.ClassDef | ast.AnnAssign)


def _private(root: Path, path: Path, tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Uses of private names of other modules."""
    modules = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        above = root if node.level == 0 else path.parents[node.level - 1]
        folder = above.joinpath(*(node.module or "").split("."))
        for one in node.names:
            if (folder / f"{one.name}.py").exists() or (folder / one.name).is_dir():
                modules.add(one.asname or one.name)
            elif _is_private(one.name) and folder.is_relative_to(root) and _ours(folder):
                yield node, one.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            of = node.value.id
            if of in modules and _is_private(node.attr):
                yield node, f"{of}.{node.attr}"


def _ours(folder: Path) -> bool:
    return folder.is_dir() or folder.with_suffix(".py").exists()


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in OURS


if __name__ == "__main__":
    raise SystemExit(main())
