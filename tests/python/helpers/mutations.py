# SPDX-License-Identifier: Apache-2.0
"""Damaged files: sound ones with bytes changed, and texts with other words, numbers and lines."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from aureole.base.errors import Error

#: What damaged and strange files hold in place of a number.
NASTY = (0, 1, -1, 7, 255, 2**31 - 1, -(2**31), 2**32 - 1, 2**63 - 1, 2**64 - 1)
#: And in place of a word.
WORDS = (
    *("nan", "-inf", "1e400", "-1e-400", "*****", "99999999999999999999", "0", "-1", "1_0", "1e9"),
    *("0x10", "1.2.3", "", " ", "\t", "\r\n", "\n\n", "\0"),
    *("\\", '"', "#", ";", "[", "]", "=", "A"),
    *("2147483647", "4294967296", "1e-300", "1e300", "yes", "X", "\u00b5", "#include", "#else"),
    *("[ bonds ]", "[ atoms ]", "tC", "MOL", "SOL 1000000000", "&", "$(x)", "%s", "9" * 400),
)
NUMBERS = ("0", "1", "2", "3", "5", "8", "23", "-1", "-0.5", "0.0", "1e-5", "1e5", "1e30", "1e-30")
_WORD = re.compile(r"\S+")


def mutants(sound: str | bytes, start: int, count: int = 2000) -> Iterator[bytes]:
    """`count` damaged copies, of which every other is sound before `start`."""
    dice = random.Random(5)
    for k in range(count):
        yield mutate(dice, sound, start if k % 2 else 0)


def readable(read: Callable[[Path], Any], path: Path, sound: str, start: int) -> Iterator[Any]:
    """What is read of mutants; some, not all, are refused with the name of the file."""
    accepted = 0
    for text in mutants(sound, start):
        path.unlink(missing_ok=True)  # a file cut to nothing is flushed, which takes long
        path.write_bytes(text)
        try:
            found = read(path)
        except Error as error:
            assert path.name in str(error)
            continue
        accepted += 1
        yield found
    assert 100 < accepted < 1900


def mutate(dice: random.Random, sound: str | bytes, start: int) -> bytes:
    """A copy that is damaged from `start` on; mostly the words of what is a text."""
    if isinstance(sound, str):
        if dice.random() < 0.7:
            return mutate_text(dice, sound, start).encode()
        sound = sound.encode()
    return mutate_bytes(dice, sound, start)


def mutate_bytes(dice: random.Random, data: bytes, start: int) -> bytes:
    """Flip, change, repeat, drop, swap or cut bytes from `start` on."""
    out = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 4, 16))):
        if len(out) <= start + 1:
            break
        at = dice.randrange(start, len(out))
        length = min(dice.choice((1, 2, 4, 8, 8, 32, 256)), len(out) - at)
        way = dice.randrange(8)
        if way == 0:
            out[at] ^= 1 << dice.randrange(8)
        elif way == 1:
            out[at : at + length] = dice.randbytes(length)
        elif way == 2:
            out[at:at] = out[at : at + length]
        elif way == 3:
            del out[at : at + length]
        elif way == 4:
            other = dice.randrange(start, len(out) - length + 1)
            piece = out[at : at + length]
            out[at : at + length] = out[other : other + length]
            out[other : other + length] = piece
        elif way == 5:
            number = dice.choice(NASTY) % 2**64
            out[at : at + 8] = number.to_bytes(8, "little")[: len(out) - at]
        elif way == 6:
            del out[at:]
        else:
            out += dice.randbytes(length)
    return bytes(out)


def _number(word: str) -> bool:
    return word.lstrip("+-")[:1].isdigit()


def _near(dice: random.Random, word: str) -> str:
    """The number with another digit, or a sign."""
    at = [k for k, letter in enumerate(word) if letter.isdigit()]
    if not at or dice.random() < 0.2:
        return "-" + word
    k = dice.choice(at)
    return word[:k] + str(dice.randrange(10)) + word[k + 1 :]


def mutate_text(dice: random.Random, text: str, start: int) -> str:
    """Other words and numbers, lines repeated, dropped, swapped, joined or cut."""
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        head, tail = text[:start], text[start:]
        words = list(_WORD.finditer(tail))
        if not words:
            break
        way = dice.randrange(8)
        found = dice.choice(words)
        if way <= 3:
            if dice.random() < 0.6:  # a number for a number gets past the form of the line
                found = dice.choice([one for one in words if _number(one[0])] or words)
                word = dice.choice((dice.choice(NUMBERS), _near(dice, found[0])))
            else:
                word = dice.choice((dice.choice(WORDS), dice.choice(words)[0]))
            tail = tail[: found.start()] + word + tail[found.end() :]
        elif way == 4:
            tail = tail[: found.start()] + tail[found.end() :]
        elif way == 5:
            tail = tail[: found.start()] + dice.choice(WORDS) + " " + tail[found.start() :]
        else:
            lines = tail.splitlines(keepends=True)
            line = lines.pop(dice.randrange(len(lines)))
            if way == 6:
                lines.insert(dice.randrange(len(lines) + 1), line)
            elif dice.random() < 0.5:
                lines.insert(dice.randrange(len(lines) + 1), line)
                lines.insert(dice.randrange(len(lines) + 1), line)
            tail = "".join(lines)
        text = head + tail
    return text
