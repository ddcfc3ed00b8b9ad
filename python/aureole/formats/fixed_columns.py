# SPDX-License-Identifier: Apache-2.0
"""Numbers and words in fixed columns of text, many rows at a time.

A table is an array of bytes, one row per line of the file. Numbers of the usual shape (blanks, a
sign, digits, a point where the other rows have theirs) are read and written column by column;
numbers of another shape are read one by one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import FormatError
from aureole.base.text_files import Name, at, shown, unwritable
from aureole.system.topology import Labels

Bytes = NDArray[np.uint8]

#: Number of rows processed at a time, so that temporaries stay in the cache.
CHUNK = 1 << 15
# Number of digits up to which double precision holds every whole number (2^53 has 16).
_EXACT_DIGITS = 15
_BLANK, _MINUS, _POINT, _ZERO = b" -.0"
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_GLUED = re.compile(rb"(?<=[\d.])(?=[+-])")


def number(text: bytes) -> float:
    """The finite number in `text`, which may have blanks around it; NaN for other texts."""
    text = text.strip()
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    return value if math.isfinite(value) else math.nan


def numbers(text: bytes) -> list[float]:
    """Numbers separated by blanks or by their sign, as C reads them; NaN for other words."""
    return [number(word) for word in _GLUED.sub(b" ", text).split()]


def read_fixed(fields: Bytes, point: int | None) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Numbers of the usual shape, as whole numbers without their point.

    Args:
        fields: (n, width) bytes, a number in each row
        point: column of the decimal point; None for whole numbers

    Returns the (n,) numbers, and which of them have the usual shape; the others are meaningless.
    """
    n, width = fields.shape
    value = np.zeros(n, dtype=np.int64)
    good = np.ones(n, dtype=np.bool_)
    if width > _EXACT_DIGITS + 1 or not (point is None or 0 <= point < width - 1):
        return value, ~good
    begun = np.zeros(n, dtype=np.bool_)
    negative = np.zeros(n, dtype=np.bool_)
    is_digit = good
    for place, column in enumerate(np.ascontiguousarray(fields.T)):
        if place == point:
            good &= column == _POINT
            begun[:] = True
            continue
        digit = column - np.uint8(_ZERO)
        is_digit = digit < 10
        minus = (column == _MINUS) & ~begun
        good &= is_digit | minus | ((column == _BLANK) & ~begun)
        negative |= minus
        begun |= column != _BLANK
        value *= 10
        value += digit * is_digit
    good &= is_digit
    np.negative(value, out=value, where=negative)
    return value, good


def read_numbers(fields: Bytes, point: int, power: int = 0) -> NDArray[np.float64]:
    """(n,) numbers times 10^`power`, rounded correctly to doubles; NaN for rows without a number.

    Args:
        fields: (n, width) bytes, a number in each row
        point: column in which most rows have their decimal point
        power: 0, or -1 to read ångström as nanometre
    """
    whole, good = read_fixed(fields, point)
    # Two exact numbers make a correctly rounded quotient, the number that float() finds too.
    value = whole / 10.0 ** (fields.shape[1] - 1 - point - power)
    for row in np.flatnonzero(~good):
        value[row] = number(fields[row].tobytes()) / 10.0**-power
    return value


def read_vectors(
    path: Name,
    fields: Bytes,
    point: int,
    lines: NDArray[np.int64],
    place: Callable[[int, int], str],
    advice: str,
    power: int = 0,
) -> NDArray[np.float64]:
    """(n, 3) vectors times 10^`power`; FileError for the first field without a number.

    Args:
        path: the file, for errors
        fields: (n, 3 width) bytes
        point: as in `read_numbers`, of each of the three
        lines: (n,) the line of each row
        place: says what should stand in a row for an axis, both counted from 0
        advice: suggestion of the error
        power: as in `read_numbers`
    """
    n, width = len(fields), fields.shape[1] // 3
    result = np.empty((n, 3))
    for part in chunks(n):
        rows = np.ascontiguousarray(fields[part]).reshape(-1, width)
        result[part] = read_numbers(rows, point, power).reshape(-1, 3)
        for k in np.flatnonzero(np.isnan(result[part]))[:1]:
            row, axis = part.start + int(k) // 3, int(k) % 3
            raise at(
                path,
                int(lines[row]),
                f"{shown(rows[k].tobytes())} is not a finite number",
                f"expected: {place(row, axis)}",
                advice,
            )
    return result


def read_residues(
    path: Name,
    fields: Bytes,
    lines: NDArray[np.int64],
    columns: str,
    other: Callable[[bytes], int | None] = lambda text: None,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Numbers of residues, 0 for blanks; FileError for the first field without a number.

    Args:
        path: the file, for errors
        fields: (n, width) bytes
        lines: (n,) the line of each row
        columns: the columns of the number in a line, in words
        other: reads a number that is written in another way; None for other texts

    Returns the (n,) numbers, and which of them have the usual shape.
    """
    fields = np.ascontiguousarray(fields)
    whole, good = read_fixed(fields, None)
    for row in np.flatnonzero(~good):
        text = fields[row].tobytes()
        value = number(text) if text.strip() else 0.0
        usual = value.is_integer() and abs(value) < 10 ** len(text)  # NaN is none
        found = int(value) if usual else other(text)
        if found is None:
            raise at(
                path,
                int(lines[row]),
                f"{shown(text)} is not a residue number",
                f"it is in columns {columns}",
                "Correct the line",
            )
        whole[row] = found
    return whole, good


def blank(fields: Bytes) -> NDArray[np.bool_]:
    """(n,) which rows hold blanks alone."""
    return np.asarray((fields == _BLANK).all(axis=1))


def write_fixed(fields: Bytes, value: NDArray[np.int64], decimals: int) -> NDArray[np.bool_]:
    """Write numbers right-aligned; returns which of them did not fit.

    Args:
        fields: (n, width) bytes, overwritten
        value: (n,) the numbers times 10^`decimals`
        decimals: digits after the point; 0 for whole numbers without a point
    """
    last = fields.shape[1] - 1
    point = last - decimals if decimals else last + 1
    left = np.abs(value)
    sign_waits = value < 0
    for place in range(last, -1, -1):
        if place == point:
            fields[:, place] = _POINT
            continue
        rest = left // 10
        mark = (left - 10 * rest).astype(np.uint8) + np.uint8(_ZERO)
        if place < point - 1:
            over = left == 0
            mark[over] = _BLANK
            mark[over & sign_waits] = _MINUS
            sign_waits &= ~over
        fields[:, place] = mark
        left = rest
    return (left != 0) | sign_waits


def chunks(n: int) -> Iterator[slice]:
    """Slices of `n` rows that are processed at a time."""
    for begin in range(0, n, CHUNK):
        yield slice(begin, min(begin + CHUNK, n))


def write_counts(fields: Bytes, rows: slice) -> None:
    """Write the numbers of atoms, counted from 1; they wrap at 100000."""
    write_fixed(fields, np.arange(rows.start + 1, rows.stop + 1) % 100_000, 0)


def write_residues(fields: Bytes, residue: NDArray[np.int32]) -> None:
    """Write numbers of residues; negative ones wrap towards 0, for their sign takes a column."""
    room, wide = 10 ** fields.shape[1], residue.astype(np.int64)
    write_fixed(fields, np.where(wide < 0, np.fmod(wide, room // 10), wide % room), 0)


@dataclass(frozen=True)
class Quantity:
    """The quantity of vectors: its words in errors, and how it is written.

    Args:
        says: verb, as "is at"
        unit: of the vectors
        power: numbers are written times 10^`power`: 1 to write nanometre as ångström
    """

    says: str
    unit: str
    power: int = 0


POSITION, VELOCITY = Quantity("is at", "nm"), Quantity("has the velocity", "nm/ps")
POSITION_AS_ANGSTROM = Quantity("is at", "nm", 1)


def write_vectors(
    path: Name,
    fields: Bytes,
    values: NDArray[np.float64],
    begin: int,
    decimals: int,
    what: Quantity = POSITION,
) -> None:
    """Write vectors of atoms; FormatError for one that does not fit.

    Args:
        path: the file, for errors
        fields: (n, 3 width) bytes, overwritten
        values: (n, 3) the vectors
        begin: number of the first atom, counted from 0
        decimals: digits after the point
        what: quantity of the vectors
    """
    width = fields.shape[1] // 3
    for column in range(3):
        value = values[:, column]
        # Values that do not fit the columns must still fit a 64-bit number.
        wrong = ~(np.abs(value) < 10.0 ** min(width, 18 - decimals - what.power))
        scaled = np.rint(np.where(wrong, 0.0, value) * 10.0 ** (decimals + what.power))
        part = fields[:, column * width : (column + 1) * width]
        wrong |= write_fixed(part, scaled.astype(np.int64), decimals)
        if wrong.any():
            row = int(wrong.argmax())
            number = f"{'xyz'[column]} = {value[row]:.10g} {what.unit}"
            raise FormatError(
                path,
                "cannot be written",
                f"atom {begin + row + 1} {what.says} {number}; {_room(width, decimals, what)}",
                "Files such as .trr and .gsd have room for it",
            )


def _room(width: int, decimals: int, what: Quantity) -> str:
    """The range of numbers that fixed columns hold, in words."""
    digits, places = width - decimals - 1, decimals + what.power
    most, least = (10.0 ** (k - what.power) - 10.0**-places for k in (digits, digits - 1))
    written = " (in ångström)" if what.power else ""
    return f"{width} columns{written} hold {-least:.{places}f} to {most:.{places}f} {what.unit}"


def word_keys(fields: Bytes) -> NDArray[np.uint64]:
    """(n,) rows of at most eight bytes, filled up with blanks, each seen as one number."""
    n, width = fields.shape
    padded = np.full((n, 8), _BLANK, dtype=np.uint8)
    padded[:, :width] = fields
    return padded.view(np.uint64).reshape(n)


def words_of(keys: NDArray[np.uint64]) -> Labels:
    """The first word of each row, from `word_keys`, in the order of the alphabet."""
    unique, inverse = np.unique(keys, return_inverse=True)
    text = [key.tobytes().split()[:1] for key in unique]
    text_of = [part[0].decode("latin-1") if part else "" for part in text]
    words = tuple(sorted(set(text_of)))
    order = {word: k for k, word in enumerate(words)}
    renamed = np.array([order[word] for word in text_of], dtype=np.int32)
    return Labels(words, renamed[inverse.reshape(len(keys))])


def read_names(
    path: Name, keys: NDArray[np.uint64], lines: NDArray[np.int64], what: str, kind: str
) -> Labels:
    """`words_of` keys; FileError for the first that holds a control character.

    Args:
        path: the file, for errors
        keys: (n,) `word_keys` of the words
        lines: (n,) the line of each row
        what: "name" and the like
        kind: of the file, as ".gro" or "PDB"
    """
    labels = words_of(keys)
    odd = [k for k, word in enumerate(labels.words) if any(c < " " or c == "\x7f" for c in word)]
    for row in np.flatnonzero(np.isin(labels.index, odd))[:1] if odd else ():
        raise at(
            path,
            int(lines[row]),
            f"the {what} {labels[row]!r} is not text",
            "it contains a control character",
            f"Correct the line, or use a {kind} file",
        )
    return labels


def word_table(path: Name, labels: Labels, width: int, room: str, right: bool = False) -> Bytes:
    """(k, width) bytes of words in `width` columns; InputError for one that does not fit.

    Args:
        path: the file, for errors
        labels: the words
        width: number of columns
        room: the columns of a name, in words
        right: whether words stand at the end of their columns
    """
    rows = []
    for word in labels.words:
        code = word.encode("latin-1", "replace")
        if (
            not word.isprintable()
            or " " in word
            or max(word, default="") > "ÿ"
            or len(code) > width
        ):
            raise unwritable(path, f"the name {word!r}", f"a name has {room}")
        rows.append(code.rjust(width) if right else code.ljust(width))
    return np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(len(rows), width)
