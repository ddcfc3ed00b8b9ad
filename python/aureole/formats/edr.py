# SPDX-License-Identifier: Apache-2.0
"""GROMACS' energy files (.edr): names with units, then a frame of numbers for each step.

All is XDR, big-endian words of four bytes: a magic number, a version, the terms; then frames of a
magic number, time, step, counts and the numbers, in single or double precision. Frames of GROMACS
may also hold sums over the steps since the frame before, and blocks of other data; both are left
out here. Layout: `enxio.cpp` of GROMACS, version 5 of these files (GROMACS 4.5 and later).

Files may be damaged or come from anyone: every count is checked against what the file can hold.
"""

from __future__ import annotations

import io
import math
import os
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import file_error
from aureole.base.files import open_regular

from .registry import FileFormat, register

_MAGIC, _MAGIC_OF_FRAMES, _VERSION = -55555, -7777777, 5
_FIRST = -2e10  # a real, so that readers see its precision: no old file begins with it
_MOST_TERMS = _MOST_PARTS = 2**16
_LONGEST = 4096  # bytes of a name
_ITEMS = (4, 4, 8, 8, 4)  # bytes of int, float, double, int64 and char in blocks
_BEGINS = struct.pack(">2i", _MAGIC, _VERSION)

# Columns of `Energies`, and their names in GROMACS.
_TABLE = """
    vdw: LJ (SR); coulomb: Coulomb (SR); mesh: Coul. recip.; dispersion_correction: Disper. corr.;
    harmonic_bond: Bond; g96_bond: G96Bond; morse_bond: Morse; fene_bond: FENE Bonds;
    cubic_bond: Cubic Bonds; harmonic_angle: Angle; g96_angle: G96Angle;
    restricted_angle: Restr. Angles; quartic_angle: Quartic Angles; urey_bradley: U-B;
    cross_bonds: Bond-Cross; cross_bond_angle: BA-Cross; periodic_dihedral: Proper Dih.;
    ryckaert_bellemans: Ryckaert-Bell.; restricted_dihedral: Restr. Dih.;
    bending_torsion: CBT Dih.; harmonic_improper: Improper Dih.; cmap: CMAP Dih.;
    position_restraint: Position Rest.; flat_bottom_restraint: Flat-b. P-R.;
    range_restraint: Restraint Pot.; angle_restraint: Angle Rest.;
    angle_restraint_z: Angle Rest. Z; dihedral_restraint: Dih. Rest.; potential: Potential;
    kinetic: Kinetic En.; total: Total Energy; conserved: Conserved En.; temperature: Temperature;
    pressure: Pressure; volume: Volume; density: Density
"""
NAMES = dict(pair.strip().split(": ") for pair in _TABLE.split(";"))
_EDGES = {f"Box-{axis.upper()}": f"box_{axis}{axis}" for axis in "xyz"}
_BOX = {f"Box-{part.upper()}": f"box_{part}" for part in ("xx", "yy", "zz", "yx", "zx", "zy")}
_TENSOR = {
    f"Pres-{(a + b).upper()}": "pressure_" + "".join(sorted(a + b)) for a in "xyz" for b in "xyz"
}
#: Columns that split the energy of charges otherwise than GROMACS' terms do.
_SPLIT = ("coulomb", "mesh")
_OURS = {name: ours for ours, name in NAMES.items() if ours not in _SPLIT} | _EDGES | _BOX | _TENSOR


def columns_of(ours: Sequence[str], tilted: bool) -> dict[str, str]:
    """GROMACS' names of terms, each with the column that the term is taken from.

    Args:
        ours: names of the columns of `Energies`
        tilted: whether the box has all six numbers; else it has its three edges
    """
    plain = [name for name in ours if name not in (*_BOX.values(), *_TENSOR.values())]
    found = {_name_of(name): name for name in plain}
    return found | (_BOX if tilted else _EDGES) | _TENSOR


def _name_of(ours: str) -> str:
    group = ours.removeprefix("temperature_")
    return NAMES.get(ours, ours) if group == ours else f"T-{group}"


def column_of(name: str) -> str:
    """The column of `Energies` for a GROMACS name of an energy; other names stay."""
    if name.startswith("T-"):
        return f"temperature_{name[2:]}"
    return _OURS.get(name, name)


# Encoder


def head(terms: Sequence[tuple[str, str]]) -> bytes:
    """The head of a file, before all frames: names and units of the terms."""
    texts = [_text(word) for term in terms for word in term]
    return _BEGINS + struct.pack(">i", len(terms)) + b"".join(texts)


def _text(word: str) -> bytes:
    data = word.encode("ascii", "backslashreplace")
    return struct.pack(">i", len(data)) + data + bytes(-len(data) % 4)


def frame(step: int, time: float, dt: float, steps: int, values: Sequence[float]) -> bytes:
    """A frame in single precision, without sums.

    Args:
        step, time: of the frame [ps]
        dt: time step [ps]
        steps: number of steps since the frame before; 1 for the first
        values: of all terms
    """
    n = len(values)
    begin = struct.pack(">f2idq", _FIRST, _MAGIC_OF_FRAMES, _VERSION, time, step)
    counts = struct.pack(">iqd6i", 0, steps, dt, n, 0, 0, 16 * n, 0, 0)
    with np.errstate(over="ignore"):  # infinite in single precision
        return begin + counts + np.asarray(values, ">f4").tobytes()


# Decoder


@dataclass(frozen=True, eq=False)
class Row:
    """One frame: step, time [ps], and (n,) values of the terms."""

    step: int
    time: float
    values: NDArray[np.float64]


class Reader:
    """The frames of a file that have energies, one after the other.

    `terms` holds names and units, in the order of the values. After all frames were read, `rest`
    counts the bytes behind the last whole frame. Raises FileError when the file is no .edr file,
    or is damaged before its last frame.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self.rest = 0
        with self._open() as words:
            self.terms = words.terms()

    def __iter__(self) -> Iterator[Row]:
        with self._open() as words:
            self.terms, number = words.terms(), 1
            while words.at < words.size:
                begin = words.at
                try:
                    row = words.frame(len(self.terms))
                except ValueError as error:
                    raise ValueError(f"frame {number}: {error}") from None
                if row is None:
                    self.rest = words.size - begin
                    return
                if row.values.size:
                    yield row
                number += 1

    @contextmanager
    def _open(self) -> Iterator[_Words]:
        try:
            with open_regular(self.path) as file:
                yield _Words(file, os.fstat(file.fileno()).st_size)
        except (OSError, ValueError) as error:
            raise file_error(
                self.path,
                "cannot be read: it is no .edr file, or is damaged",
                error,
                "Use a file that is whole",
            ) from None


def is_head(piece: bytes) -> bool:
    """Whether `piece` is the head of a file, from the first byte to the last."""
    return _is_all(piece, lambda words: words.terms())


def is_frame(piece: bytes) -> bool:
    """Whether `piece` is one frame, from the first byte to the last."""
    return _is_all(piece, lambda words: words.frame(None))


def _is_all(piece: bytes, read: Callable[[_Words], object]) -> bool:
    words = _Words(io.BytesIO(piece), len(piece))
    try:
        return bool(read(words)) and words.at == words.size
    except ValueError:
        return False


class _Words:
    """The XDR words of a file of a known size."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self.file, self.size, self.at = file, size, 0

    def read(self, count: int) -> bytes:
        """The next bytes; EOFError where the file ends before."""
        if count > self.size - self.at:
            raise EOFError
        data = self.file.read(count)
        if len(data) < count:  # cut while it is read
            raise EOFError
        self.at += count
        return data

    def take(self, form: str) -> tuple[Any, ...]:
        """The next numbers."""
        return struct.unpack(form, self.read(struct.calcsize(form)))

    def text(self) -> str:
        """The next name."""
        (length,) = self.take(">i")
        if not 0 <= length <= _LONGEST:
            raise ValueError(f"a name has {length} letters")
        text = self.read(length + -length % 4)[:length].decode("utf-8", "replace")
        if text and not text.isprintable():
            raise ValueError(f"a name is {text!r}")
        return text

    def terms(self) -> list[tuple[str, str]]:
        """Names and units."""
        try:
            magic, version, count = self.take(">3i")
            if magic != _MAGIC:
                raise ValueError(f"it does not begin with {_MAGIC}")
            if version != _VERSION:
                raise ValueError(f"it is of version {version}, and only {_VERSION} is read")
            if not 0 <= count <= _MOST_TERMS:
                raise ValueError(f"it has {count} terms")
            return [(self.text(), self.text()) for _ in range(count)]
        except EOFError:
            raise ValueError("it ends within the names of its terms") from None

    def frame(self, terms: int | None) -> Row | None:
        """The next frame, of so many terms where known; None where the file ends within it."""
        try:
            return self._frame(terms)
        except EOFError:
            return None

    def _frame(self, terms: int | None) -> Row:
        real = 4
        _, magic = self.take(">2i")
        if magic != _MAGIC_OF_FRAMES:
            real, (magic,) = 8, self.take(">i")
        (version,) = self.take(">i")
        if (magic, version) != (_MAGIC_OF_FRAMES, _VERSION):
            raise ValueError(f"it does not begin with {_MAGIC_OF_FRAMES} and {_VERSION}")
        time, step, sums, _, _, count, _, blocks = self.take(">dqiqd3i")
        if not math.isfinite(time) or step < 0:
            raise ValueError(f"its time is {time} and its step {step}")
        if count < 0 or count not in (0, count if terms is None else terms):
            raise ValueError(f"it has {count} numbers for {terms} terms")
        rest = self._blocks(blocks)
        self.take(">3i")
        width = 3 if sums > 0 else 1  # a number, and sums of squares and of numbers
        data = np.frombuffer(self.read(count * width * real), f">f{real}")
        if rest > self.size - self.at:
            raise EOFError
        self.at += rest
        self.file.seek(self.at)
        with np.errstate(invalid="ignore"):  # a NaN that signals
            return Row(step, time, data[::width].astype(float))

    def _blocks(self, count: int) -> int:
        """Size of the contents of the blocks [bytes]."""
        size = total = 0
        if count < 0:
            raise ValueError(f"it has {count} blocks")
        for _ in range(count):
            _, parts = self.take(">2i")
            total += parts
            if not 0 <= parts <= total <= _MOST_PARTS:
                raise ValueError(f"a block has {parts} parts")
            for _ in range(parts):
                kind, number = self.take(">2i")
                if not 0 <= kind < len(_ITEMS) or number < 0:
                    raise ValueError(f"a block has {number} numbers of type {kind}")
                size += _ITEMS[kind] * number
        return size


def _facts(path: str) -> list[tuple[str, str]]:
    """Facts about a file for `aureole info`."""
    reader, frames = Reader(path), 0
    first = last = None
    for last in reader:
        first, frames = first or last, frames + 1
    rows = [("frames", f"{frames:,}")]
    if first is not None and last is not None:
        rows.append(("steps", f"{first.step:,} to {last.step:,}"))
        rows.append(("time", f"{first.time:g} to {last.time:g} ps"))
    rows.append(("terms", ", ".join(name for name, _ in reader.terms)))
    if reader.rest:
        rows.append(("cut off", f"{reader.rest:,} bytes after the last whole frame"))
    return rows


register(
    FileFormat(
        endings=(".edr",),
        begins=rb"\xff\xff\x26\xfd\x00\x00\x00\x05",
        kind="energies",
        facts=_facts,
    )
)
