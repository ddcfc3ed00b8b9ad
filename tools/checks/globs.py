# SPDX-License-Identifier: Apache-2.0
"""Patterns of paths and of names of tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


@lru_cache(None)
def of_paths(glob: str) -> re.Pattern[str]:
    """As git's `:(glob)`: `*` stays within a folder, `**` does not; `[abc]` is one of these."""
    words = []
    for word in re.split(r"(\*\*/|\*\*|\*|\?|\[[\w-]+\])", glob):
        words.append({"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(word))
        if words[-1] is None:
            words[-1] = word if word.startswith("[") and word.endswith("]") else re.escape(word)
    return re.compile("".join(words), re.DOTALL)


def path_matches(path: str, globs: Iterable[str]) -> bool:
    """Whether a list of patterns has the path; those that begin with `!` take away, in turn."""
    found = False
    for glob in globs:
        if glob.startswith("!"):
            found = found and not of_paths(glob[1:]).fullmatch(path)
        else:
            found = found or of_paths(glob).fullmatch(path) is not None
    return found


@lru_cache(None)
def of_names(glob: str) -> re.Pattern[str]:
    """`*` stands for any text; nothing else is special, as names of tests have brackets."""
    return re.compile(".*".join(map(re.escape, glob.split("*"))), re.DOTALL)


def name_matches(name: str, globs: Iterable[str]) -> bool:
    return any(of_names(glob).fullmatch(name) for glob in globs)


def test_matches(test: str, globs: Iterable[str]) -> bool:
    """Patterns of a Python test name it, its function, or its file."""
    function = test.split("[", 1)[0]
    names = {test, function, function.split("::", 1)[0]}
    return any(name_matches(name, globs) for name in names)
