# SPDX-License-Identifier: Apache-2.0
"""Coordinate files of GROMACS (.gro): a title, a count, a line of fixed columns per atom, a box.

Columns: residue number (5), residue name (5), atom name (5), atom number (5), then positions, and
velocities with one decimal more, in columns as wide as the decimal points of the first line are
apart. Atom numbers are not read, for they wrap at 100000 and say no more than the order does.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import FileError, bad_input
from aureole.base.text import counted, one_line
from aureole.base.text_files import Name, at, opened, replace, shown

from .box_vectors import accepted, check_box, from_gro_numbers, gro_numbers
from .coordinates import Coordinates, Names
from .fixed_columns import (
    VELOCITY,
    Bytes,
    blank,
    chunks,
    numbers,
    read_names,
    read_residues,
    read_vectors,
    word_keys,
    word_table,
    write_counts,
    write_residues,
    write_vectors,
)
from .frame import Frame, Headless
from .registry import FileFormat, register

#: Columns before the positions.
_HEAD = 20
#: Lines longer than this are no lines of a coordinate file.
_LONGEST = 4096
_MORE_FRAMES = "has more lines after the box; only the first frame is read"
#: Lines before the first atom.
_ABOVE = 2


@dataclass(frozen=True)
class _Layout:
    """The columns of numbers in the lines of atoms.

    Args:
        width: columns of each number
        point: column of the decimal point within a position; of velocities it is one less
    """

    width: int
    point: int

    @property
    def positions(self) -> int:
        """Columns of a line with positions alone."""
        return _HEAD + 3 * self.width

    @property
    def velocities(self) -> int:
        """Columns of a line with velocities too."""
        return _HEAD + 6 * self.width


def read_gro(path: Name) -> Coordinates:
    """The first frame of a .gro file.

    Raises FileError, with the number of the line, for a file that is no .gro file, is damaged or
    cut off, holds a number that is not finite, or has a box that GROMACS refuses.
    """
    with opened(path) as file:
        found = _read_frame(path, file)
        if file.read(_LONGEST).strip():
            found = dataclasses.replace(
                found, notes=(*found.notes, f"{os.fspath(path)} {_MORE_FRAMES}")
            )
        return found


def gro_frames(path: Name) -> Iterator[Coordinates]:
    """All frames of a .gro file. Lines in errors are counted from the first line of the frame."""
    with opened(path) as file:
        for number in itertools.count(1):
            try:
                found = _read_frame(path, file)
            except FileError as error:
                error.args = (f"frame {number}: {error}",)
                raise
            yield found
            begin = file.tell()
            if not file.read(_LONGEST).strip():
                return
            file.seek(begin)


def _read_frame(path: Name, file: BinaryIO) -> Coordinates:
    """The frame that begins here."""
    title, n = _read_head(path, file)
    start = file.tell()
    layout = _layout_of(path, _line(path, file, 3, "the first atom"))
    file.seek(start)
    table = _table(path, file, n, layout)
    where = _ABOVE + n + 1
    box, notes = _read_box(path, _line(path, file, where, "the box"), where)
    lines = np.arange(_ABOVE + 1, where)
    residue = read_residues(path, table[:, :5], lines, "1 to 5")[0].astype(np.int32)
    residue_name, name = (
        read_names(path, word_keys(table[:, begin : begin + 5]), lines, "name", ".gro")
        for begin in (5, 10)
    )
    position = _vectors(path, table[:, _HEAD : layout.positions], layout.point)
    velocity, more = _velocities(path, table, layout)
    return Coordinates(
        title, residue, residue_name, name, position, velocity, box, notes=notes + more
    )


def _line(path: Name, file: BinaryIO, where: int, what: str) -> bytes:
    line = file.readline(_LONGEST)
    if not line:
        raise at(path, where, f"{what} is missing", "the file ends", "Use a complete file")
    if len(line) == _LONGEST and not line.endswith(b"\n"):
        raise at(path, where, "the line is too long", "is this a .gro file?", "Use another file")
    return line


def _read_head(path: Name, file: BinaryIO) -> tuple[str, int]:
    title = _line(path, file, 1, "the title").strip().decode("utf-8", "replace")
    line = _line(path, file, 2, "the number of atoms")
    count = line.split()[:1]
    if not count or not count[0].isdigit():
        raise at(
            path,
            2,
            f"{shown(line)} is not a number of atoms",
            "line 2 must be the number of atoms",
            "Correct it, or use a .gro file",
        )
    n = int(count[0]) if len(count[0]) < 19 else 10**18
    if n == 0:
        raise at(path, 2, "there are no atoms", "the count is 0", "Use a file with atoms")
    size = os.fstat(file.fileno()).st_size
    if n > size // (_HEAD + 4):
        raise at(
            path,
            2,
            f"{shown(count[0])} atoms do not fit the file",
            f"it is {size} bytes long",
            "Correct the number, or use a complete file",
        )
    return " ".join(title.split()), n


def _layout_of(path: Name, line: bytes) -> _Layout:
    """Width of the numbers, from the distance of the decimal points."""
    points = [k for k, byte in enumerate(line) if byte == ord(".") and k >= _HEAD][:3]
    if len(points) < 3:
        raise at(
            path,
            3,
            f"{shown(line, True)} has {len(points)} decimal points",
            "an atom needs three coordinates, from column 21 on",
            "Correct the line or the number of atoms above it",
        )
    width = points[1] - points[0]
    if points[2] - points[1] != width or points[0] - _HEAD >= width:
        raise at(
            path,
            3,
            f"the decimal points are in columns {', '.join(str(k + 1) for k in points)}",
            "coordinates must start in column 21 and have equal widths",
            "Write the file with fixed columns",
        )
    return _Layout(width, points[0] - _HEAD)


def _table(path: Name, file: BinaryIO, n: int, layout: _Layout) -> Bytes:
    """(n, columns) the lines of the atoms, with columns for velocities or without."""
    start = file.tell()
    length = len(file.readline(_LONGEST))
    file.seek(start)
    fits = n * length <= os.fstat(file.fileno()).st_size - start
    data = file.read(n * length) if fits else b""
    if len(data) == n * length and data.count(b"\n") == n:
        rows = np.frombuffer(data, dtype=np.uint8).reshape(n, length)
        columns = length - 2 if data.endswith(b"\r\n") else length - 1
        if (rows[:, -1] == ord("\n")).all():
            if columns >= layout.velocities:
                return rows[:, : layout.velocities]
            if columns >= layout.positions and blank(rows[:, layout.positions : columns]).all():
                return rows[:, : layout.positions]
    del data
    file.seek(start)
    return _irregular_table(path, file, n, layout)


def _irregular_table(path: Name, file: BinaryIO, n: int, layout: _Layout) -> Bytes:
    """As `_table`, for lines that are not equally long."""
    rows = []
    for row in range(n):
        where = _ABOVE + 1 + row
        line = _line(path, file, where, f"atom {row + 1} of {n}").rstrip(b"\r\n")
        long_enough = len(line) >= layout.positions
        partial = layout.positions < len(line.rstrip()) and len(line) < layout.velocities
        if not long_enough or partial:
            raise at(
                path,
                where,
                f"the line {shown(line, True)} is too short for atom {row + 1} of {n}",
                f"positions end in column {layout.positions}, velocities in column "
                f"{layout.velocities}",
                "Correct the line, or the number of atoms on line 2",
            )
        rows.append(line[: layout.velocities].ljust(layout.velocities))
    return np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(n, layout.velocities)


def _vectors(path: Name, fields: Bytes, point: int) -> NDArray[np.float64]:
    n = len(fields)
    return read_vectors(
        path,
        fields,
        point,
        np.arange(n) + _ABOVE + 1,
        lambda row, axis: f"{'xyz'[axis]} of atom {row + 1} of {n}",
        "Correct the line, or the number of atoms on line 2",
    )


def _velocities(
    path: Name, table: Bytes, layout: _Layout
) -> tuple[NDArray[np.float64] | None, tuple[str, ...]]:
    """(n, 3) velocities, 0 on lines without, or None where no line has any; and notes."""
    fields = table[:, layout.positions :]
    without = blank(fields)
    if without.all():
        return None, ()
    notes: tuple[str, ...] = ()
    if without.any():
        fields = np.array(fields)
        fields[without] = ord("0")
        if layout.point >= 1:
            fields[without, layout.point - 1 :: layout.width] = ord(".")
        told = counted(int(without.sum()), "atom has", "atoms have")
        notes = (f"{os.fspath(path)}: {told} no velocity; it is set to 0",)
    return _vectors(path, fields, layout.point - 1), notes


def _read_box(
    path: Name, line: bytes, where: int
) -> tuple[NDArray[np.float64] | None, tuple[str, ...]]:
    values = numbers(line)
    if len(values) not in (3, 9):
        values = _glued(line)
    if len(values) not in (3, 9) or any(value != value for value in values):
        raise at(
            path,
            where,
            f"{shown(line.strip(), True)} is not a box",
            "three or nine numbers must follow the last atom",
            "Correct the line, or the number of atoms on line 2",
        )
    if not any(values):
        return None, (f"{os.fspath(path)} has no box: its numbers are 0",)
    return accepted(path, where, from_gro_numbers(values))


def _glued(line: bytes) -> list[float]:
    """Numbers of equally many decimals without blanks between them: boxes of 1,000 nm and more."""
    first, *parts = line.strip().split(b".")
    decimals = len(parts[-1]) if parts else 0
    words, whole = [], first
    for part in parts:
        words.append(whole + b"." + part[:decimals])
        whole = part[decimals:]
    return numbers(b" ".join(words)) if decimals and not whole else []


def write_gro(path: Name, coordinates: Coordinates, precision: int = 3) -> None:
    """Write coordinates as a .gro file, through a temporary beside it.

    Args:
        path: the file; one that exists is replaced
        coordinates: what is written; numbers of atoms and residues wrap at 100000
        precision: decimals of positions [nm], 1 to 9; velocities get one more

    Raises InputError for a name that does not fit its columns, FormatError for a number.
    """
    if not 1 <= precision <= 9:
        raise bad_input(
            f"the precision is {precision}", "1 to 9 decimals are possible", "Give 3 as usual"
        )
    replace(path, parts(path, coordinates, precision))


def parts(path: Name, what: Coordinates, precision: int) -> Iterator[bytes]:
    """The bytes of one frame, piece by piece; `path` is for errors."""
    title = one_line(what.title) or "coordinates"
    yield f"{title}\n{what.n:5d}\n".encode()
    room = "5 columns without blanks"
    residue_names = word_table(path, what.residue_name, 5, room)
    names = word_table(path, what.name, 5, room, right=True)
    width = precision + 5
    length = _HEAD + (3 if what.velocity is None else 6) * width + 1
    for rows in chunks(what.n):
        begin = rows.start
        table = np.empty((rows.stop - begin, length), dtype=np.uint8)
        table[:, -1] = ord("\n")
        write_residues(table[:, :5], what.residue[rows])
        table[:, 5:10] = residue_names[what.residue_name.index[rows]]
        table[:, 10:15] = names[what.name.index[rows]]
        write_counts(table[:, 15:20], rows)
        columns = table[:, _HEAD:-1]
        write_vectors(path, columns[:, : 3 * width], what.position[rows], begin, precision)
        if what.velocity is not None:
            speed = columns[:, 3 * width :]
            write_vectors(path, speed, what.velocity[rows], begin, precision + 1, VELOCITY)
        yield table.tobytes()
    yield _box_line(what.box, max(precision, 5))


def _box_line(box: NDArray[np.float64] | None, decimals: int) -> bytes:
    vectors = np.zeros((3, 3)) if box is None else check_box(box)
    width = decimals + 5
    words = [f"{value:{width}.{decimals}f}" for value in gro_numbers(vectors)]
    full = any(len(word.strip()) >= width for word in words)  # from 1,000 nm on
    return ((" " if full else "").join(words) + "\n").encode()


class GRO(Headless):
    """Frames as .gro files with `decimals` of positions [nm]."""

    def __init__(self, path: str, names: Names, decimals: int = 3) -> None:
        self.path, self.names, self.decimals = path, names, decimals

    def frame(self, frame: Frame) -> bytes:
        return b"".join(parts(self.path, self.names.coordinates(frame), self.decimals))


register(
    FileFormat(
        endings=(".gro",),
        begins=rb"[^\n]*t= *[-+\d.e]+ step= *-?\d+ *\n",
        holds=("velocity",),
        narrow=True,
        writer=lambda start: GRO(start.path, start.names()),
        coordinates=read_gro,
        write_coordinates=write_gro,
        kind="coordinates",
    )
)
