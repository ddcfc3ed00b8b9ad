# SPDX-License-Identifier: Apache-2.0
"""The gmx program and the shared input files, for tests that compare with them; and mutants."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from aureole._bench.engines import PeerFailed
from aureole._bench.gmx import installed
from aureole.errors import Error

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

#: What damaged and strange files hold in place of a word.
_WORDS = (
    *(b"nan", b"-inf", b"1e400", b"*****", b"99999999999999999999", b"0", b"-1", b"1_0", b"1e9"),
    *(b"0x10", b"1.2.3", b"", b" ", b"\t", b"\r\n", b"\n\n", b"\0", b"\xff\xfe"),
)


def shared(name):
    """A file of the shared data, or a skip that says what is missing."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"needs {name} in ../shared/data")
    return path


def gromacs(folder=Path(), double=False):
    """The gmx program in a folder, or a skip that says what is missing."""
    try:
        return installed(folder, double)
    except Error as error:
        pytest.skip(str(error))


def library(gmx):
    """The folder of its force fields, or a skip."""
    if not gmx.library.is_dir():
        pytest.skip(f"needs the force fields of gmx in {gmx.library}")
    return gmx.library


def attempt(gmx, *words):
    """What a command says, and whether it was content."""
    try:
        return gmx.run(*words), True
    except PeerFailed as error:
        return error.said, False


def mutants(text, header, count=2000):
    """`count` damaged copies of `text`, half of them damaged beyond its first `header` bytes."""
    rng = random.Random(5)
    for k in range(count):
        low = header if k % 2 else 0
        data = bytearray(text)
        for _ in range(rng.choice((1, 1, 2, 5))):
            _damage(data, rng, low)
        yield bytes(data)


def _damage(data, rng, low):
    at = rng.randrange(low, max(len(data), low + 1))
    kind = rng.randrange(7)
    if kind == 0:
        data[at : at + 1] = bytes([rng.randrange(256)])
    elif kind == 1:
        data[at : at + 1] = rng.choice(b" 0123456789.-+eE\n\r[];ABZ").to_bytes(1, "little")
    elif kind == 2:
        del data[at : at + rng.randrange(1, 12)]
    elif kind == 3:
        data[at:at] = rng.choice(_WORDS)
    elif kind == 4:
        word = rng.choice(_WORDS)
        data[at : at + len(word)] = word
    elif kind == 5:
        del data[at:]
    else:
        lines = bytes(data[low:]).splitlines(keepends=True) or [b""]
        lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
        data[low:] = b"".join(lines)
