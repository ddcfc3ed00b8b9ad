# SPDX-License-Identifier: Apache-2.0
"""Index files of GROMACS (.ndx): names in brackets, each followed by numbers of particles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aureole.base.text_files import Name, at, opened, shown

from .groups import Group

_DIGITS_AND_BLANKS = b"0123456789 \t\r\n\f\v"
# Digits of a number that surely fits 64 bits.
_LONGEST = 18


def read_ndx(path: Name, n: int | None = None) -> tuple[Group, ...]:
    """The groups of an index file, in its order; files number particles from 1, here from 0.

    Args:
        path: the file; text after a semicolon is a comment
        n: number of particles; None if unknown

    Raises FileError with the line number for an invalid group or particle.
    """
    with opened(path) as file:
        lines = file.read().split(b"\n")
    heads = [k for k, line in enumerate(lines) if line.lstrip()[:1] == b"["]
    first = heads[0] if heads else len(lines)
    for k, line in enumerate(lines[:first]):
        if _content(line):
            raise at(
                path,
                k + 1,
                f"{shown(line)} is in no group",
                "a group begins with its name in brackets",
                "Write [ name ] above it, or give an .ndx file",
            )
    if not heads:
        raise at(path, 1, "there are no groups", "no line is [ name ]", "Give an index file")
    ends = [*heads[1:], len(lines)]
    return tuple(
        Group(_name(path, lines[head], head), _particles(path, lines, (head + 1, end), n))
        for head, end in zip(heads, ends, strict=True)
    )


def _content(line: bytes) -> bytes:
    return line.split(b";", 1)[0].strip()


def _name(path: Name, line: bytes, k: int) -> str:
    text = _content(line)
    name = (text[1:-1].decode("utf-8", "replace").split() or [""])[0]  # as GROMACS reads it
    if not text.endswith(b"]") or not name or not name.isprintable():
        raise at(
            path,
            k + 1,
            f"{shown(line, True)} is not a group name",
            "names are written in brackets",
            "Write [ name ]",
        )
    return name


def _particles(
    path: Name, lines: list[bytes], span: tuple[int, int], n: int | None
) -> NDArray[np.int32]:
    """The particles on the lines of one group."""
    block = [line if b";" not in line else _content(line) for line in lines[slice(*span)]]
    text = b" ".join(block)
    words = text.split()
    highest = np.iinfo(np.int32).max if n is None else n
    if not text.translate(None, _DIGITS_AND_BLANKS) and max(map(len, words), default=0) <= _LONGEST:
        numbers = np.array(words, dtype=f"S{_LONGEST}").astype(np.int64)
        if not len(numbers) or (numbers.min() >= 1 and numbers.max() <= highest):
            return (numbers - 1).astype(np.int32)
    for k, line in enumerate(block, span[0]):
        for word in line.split():
            whole = int(word) if word.isdigit() and len(word) <= _LONGEST else 0
            if not 1 <= whole <= highest:
                raise at(
                    path,
                    k + 1,
                    f"{shown(word)} is not a particle number",
                    f"particles are numbered from 1 to {highest}",
                    "Correct the line, or use the index file of this system",
                )
    raise AssertionError("no line of the group is wrong")
