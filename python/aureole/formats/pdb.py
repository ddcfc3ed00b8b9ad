# SPDX-License-Identifier: Apache-2.0
"""Protein data bank files (.pdb, .ent): the first model's atoms and the unit cell.

Read are ATOM, HETATM, CRYST1, TITLE, and MODEL as far as its end; other records say nothing
about coordinates. Columns are those of version 3.3 of the format, with two customs: a fourth
letter of residue names in column 21, and numbers past the room of their columns in base 36.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import FileError, FormatError, file_error
from aureole.base.text import one_line
from aureole.base.text_files import Name, at, opened, replace, shown
from aureole.system.topology import Labels

from .box_vectors import accepted, check_box, from_lengths_angles, lengths_angles
from .coordinates import Coordinates, Names
from .fixed_columns import (
    POSITION_AS_ANGSTROM,
    Bytes,
    chunks,
    number,
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

#: Number of columns that are read; columns are counted from 0.
_WIDTH = 80
_WORDS = {
    "name": slice(12, 16),
    "residue_name": slice(17, 21),
    "chain": slice(21, 22),
    "insertion": slice(26, 27),
    "element": slice(76, 78),
}
_RESIDUE, _POSITION = slice(22, 26), slice(30, 54)
_ALTERNATE, _INSERTION = 16, 26
_NUMBER_POINT, _DECIMALS = 4, 3
_CELL = [slice(*ends) for ends in itertools.pairwise((6, 15, 24, 33, 40, 47, 54))]
_BASE_36 = re.compile(rb"[A-Z][0-9A-Z]{3}|[a-z][0-9a-z]{3}")
#: The cell of length 1 that means "no crystal" [ångström].
_DUMMY = 1.0
_NM = 10.0  # ångström in a nanometre


#: Data of each atom: position [nm], number of the residue, whether its location is taken (A, or
#: no alternate one), and words as their bytes.
_ATOM = np.dtype(
    [
        ("position", "f8", 3),
        ("residue", "i4"),
        ("taken", "?"),
        *((word, "u8") for word in _WORDS),
    ]
)


def read_pdb(path: Name) -> Coordinates:
    """The first model of a PDB file, in nanometre.

    Atoms with alternate locations are read at location A. Raises FileError, with the number of the
    line, for a file that is no PDB file, holds a number that is not finite, or has a box that
    GROMACS refuses.
    """
    with opened(path) as file:
        return _read_model(path, *_first_model(file.read()))


def pdb_models(path: Name) -> Iterator[Coordinates]:
    """All models of a PDB file; a model without a box has the box of the model before.

    Lines in errors are counted from the end of the model before.
    """
    with opened(path) as file:
        parts_of_file = file.read().split(b"\nENDMDL")
    box, n = None, 0
    for model, data in enumerate(parts_of_file, 1):
        if model > 1 and b"\nATOM" not in data and b"\nHETATM" not in data:
            continue
        try:
            found = _read_model(path, data, False)
        except FileError as error:
            error.args = (f"model {model}: {error}",)
            raise
        n = n or found.n
        if found.n != n:
            raise file_error(
                path,
                f"model {model} has {found.n} atoms, but the first has {n}",
                "is it cut off?",
                "Use a complete file",
            )
        box = found.box if found.box is not None else box
        yield dataclasses.replace(found, box=box)


def _read_model(path: Name, data: bytes, more: bool) -> Coordinates:
    """The only model of the data; `more` says whether others follow."""
    data += b"\n" + b" " * _WIDTH  # so that columns of the last line exist
    text = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(text == ord("\n"))
    starts = np.concatenate(([0], ends[:-1] + 1))
    record = _records(text, starts)
    atoms = np.flatnonzero((record == _key(b"hetatm")) | (record & _FOUR == _key(b"atom")))
    if len(atoms) == 0:
        raise at(path, 1, "there are no atoms", "no line begins with ATOM or HETATM", "Use another")
    lines = _Lines(text, starts, ends)
    columns = _read_atoms(path, lines, atoms)
    taken, name = columns["taken"], os.fspath(path)
    columns, lines_of_atoms = columns[taken], atoms[taken] + 1
    notes = (f"{name} has several models; only the first is read",) if more else ()
    if skipped := len(atoms) - len(columns):
        notes += (f"{name}: {skipped} alternate locations other than A are ignored",)
    box, missing = _read_box(path, lines, np.flatnonzero(record == _key(b"cryst1")))
    if len(columns) == 0:
        raise at(
            path,
            int(atoms[0]) + 1,
            "there are no atoms",
            "all are at alternate locations other than A",
            "Keep one of the locations",
        )
    labels = {
        word: read_names(path, columns[word], lines_of_atoms, word.replace("_", " "), "PDB")
        for word in _WORDS
    }
    return Coordinates(
        _title(lines, record),
        np.ascontiguousarray(columns["residue"]),
        labels.pop("residue_name"),
        labels.pop("name"),
        np.ascontiguousarray(columns["position"]),
        box=box,
        notes=notes + missing,
        **{word: None if found.words == ("",) else found for word, found in labels.items()},
    )


def _first_model(data: bytes) -> tuple[bytes, bool]:
    """The file up to the end of its first model, and whether atoms follow."""
    end = data.find(b"\nENDMDL")
    if end < 0:
        return data, False
    behind = data[end : end + (1 << 20)]
    return data[:end], b"\nATOM" in behind or b"\nHETATM" in behind


def _key(word: bytes) -> np.uint64:
    return np.frombuffer(word.ljust(8, b"\0"), dtype=np.uint64)[0]


_FOUR, _FIVE = _key(b"\xff" * 4), _key(b"\xff" * 5)


def _records(text: Bytes, starts: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The first six bytes of each line in lower case, seen as one number."""
    words = np.zeros((len(starts), 8), dtype=np.uint8)
    windows = np.lib.stride_tricks.sliding_window_view(text, 6)
    words[:, :6] = windows[starts] | np.uint8(0x20)
    return words.view(np.uint64).reshape(len(starts))


@dataclass(frozen=True)
class _Lines:
    """The lines of a file: line k is text[starts[k]:ends[k]]."""

    text: Bytes
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def table(self, which: NDArray[np.int64]) -> tuple[Bytes, NDArray[np.int64]]:
        """(n, 80) bytes of lines, filled up with blanks; and their (n,) lengths."""
        starts = self.starts[which]
        rows = np.lib.stride_tricks.sliding_window_view(self.text, _WIDTH)[starts]
        length = self.ends[which] - starts
        short = np.flatnonzero(length < _WIDTH)
        beyond = np.arange(_WIDTH) >= length[short, None]
        rows[short] = np.where(beyond, np.uint8(ord(" ")), rows[short])
        rows[rows == ord("\r")] = ord(" ")
        return rows, length

    def line(self, k: int) -> bytes:
        """Line `k`, counted from 0."""
        return self.text[self.starts[k] : self.ends[k]].tobytes()


def _read_atoms(path: Name, lines: _Lines, atoms: NDArray[np.int64]) -> np.ndarray:
    """(n,) all atoms, as `_ATOM`."""
    columns = np.empty(len(atoms), _ATOM)
    for part in chunks(len(atoms)):
        which = atoms[part]
        rows, length = lines.table(which)
        short = length < _POSITION.stop
        if short.any():
            k = int(which[short.argmax()])
            raise at(
                path,
                k + 1,
                f"the line {shown(lines.line(k), True)} is too short for an atom",
                f"its position ends in column {_POSITION.stop}",
                "Correct the line, or use a complete file",
            )
        columns["position"][part] = read_vectors(
            path,
            rows[:, _POSITION],
            _NUMBER_POINT,
            which + 1,
            lambda _, axis: f"{'xyz'[axis]} of an atom, from column {31 + 8 * axis} on",
            "Correct the line",
            power=-1,
        )
        residue, good = read_residues(path, rows[:, _RESIDUE], which + 1, "23 to 26", _base36)
        # A fifth digit stands where insertion codes are.
        fifth = rows[:, _INSERTION] - np.uint8(ord("0"))
        full = good & (rows[:, _RESIDUE.start] != ord(" ")) & (fifth < 10)
        sign = np.where(rows[:, _RESIDUE.start] == ord("-"), -1, 1)
        residue[full] = 10 * residue[full] + (sign * fifth)[full]
        columns["residue"][part] = residue
        rows[full, _INSERTION] = ord(" ")
        for word, place in _WORDS.items():
            columns[word][part] = word_keys(rows[:, place])
        columns["taken"][part] = np.isin(rows[:, _ALTERNATE], tuple(b" A"))
    return columns


def _base36(text: bytes) -> int | None:
    """A number in base 36, which begins where four digits end.

    A000 is 10000, ZZZZ is followed by a000.
    """
    if not _BASE_36.fullmatch(text):
        return None
    turn = 26 * 36**3 if text.islower() else 0
    return int(text, 36) - int(b"A000", 36) + 10000 + turn


def _read_box(
    path: Name, lines: _Lines, cells: NDArray[np.int64]
) -> tuple[NDArray[np.float64] | None, tuple[str, ...]]:
    """(3, 3) box vectors [nm] of the last CRYST1 record, or None with a note that says why."""
    if len(cells) == 0:
        return None, (f"{os.fspath(path)} has no CRYST1 record and therefore no box",)
    k = int(cells[-1])
    line = lines.line(k)
    values = [number(line[columns]) for columns in _CELL]
    if any(value != value for value in values):
        values = numbers(line[6:])[:6]
    if len(values) < 6 or any(value != value for value in values):
        raise at(
            path,
            k + 1,
            f"{shown(line, True)} is not a unit cell",
            "CRYST1 needs three lengths and three angles",
            "Correct the line, or remove it if there is no box",
        )
    lengths, angles = values[:3], values[3:]
    if lengths in ([_DUMMY] * 3, [0.0] * 3):
        return None, (f"{os.fspath(path)}: the CRYST1 record is a placeholder for no box",)
    vectors = from_lengths_angles([length / _NM for length in lengths], angles)
    if not np.isfinite(vectors).all():
        shape = " ".join(f"{angle:g}" for angle in angles)
        wrong = f"no unit cell has the angles {shape}"
        raise at(path, k + 1, wrong, "the vectors cannot form them", "Correct them")
    return accepted(path, k + 1, vectors)


def _title(lines: _Lines, record: NDArray[np.uint64]) -> str:
    which = np.flatnonzero(record & _FIVE == _key(b"title"))[:20]
    parts = [lines.line(int(k))[10:].decode("latin-1") for k in which]
    return " ".join(" ".join(parts).split())


def write_pdb(path: Name, coordinates: Coordinates) -> None:
    """Write coordinates as a PDB file, through a temporary beside it; velocities are left out.

    Numbers of atoms wrap at 100000, those of residues at 10000. Raises InputError for a name or
    a position that does not fit its columns.
    """
    replace(path, parts(path, coordinates))


def parts(path: Name, what: Coordinates, model: int | None = None) -> Iterator[bytes]:
    """The bytes of one frame, piece by piece, as model number `model` if that is given.

    `path` is for errors.
    """
    title = one_line(what.title)
    if title:
        yield f"TITLE     {title[:70]}\n".encode("latin-1", "replace")
    if what.box is not None:
        yield _cell(path, what.box)
    if model is not None:
        yield f"MODEL     {model % 10000:4d}\n".encode()
    words = [(_WORDS["name"], *_name_table(path, what))]
    for word in ("residue_name", "chain", "insertion", "element"):
        of, place = getattr(what, word), _WORDS[word]
        if of is not None:
            width = place.stop - place.start
            words.append((place, _words(path, of, width, word == "element"), of.index))
    for rows in chunks(what.n):
        begin = rows.start
        table = np.full((rows.stop - begin, _WIDTH + 1), ord(" "), dtype=np.uint8)
        table[:, :6] = np.frombuffer(b"ATOM  ", dtype=np.uint8)
        table[:, 54:66] = np.frombuffer(b"  1.00  0.00", dtype=np.uint8)
        table[:, -1] = ord("\n")
        write_counts(table[:, 6:11], rows)
        write_residues(table[:, _RESIDUE], what.residue[rows])
        for place, known, index in words:
            table[:, place] = known[index[rows]]
        position = table[:, _POSITION]
        write_vectors(path, position, what.position[rows], begin, _DECIMALS, POSITION_AS_ANGSTROM)
        yield table.tobytes()
    yield b"END\n" if model is None else b"ENDMDL\n"


def _name_table(path: Name, what: Coordinates) -> tuple[Bytes, NDArray[np.int64]]:
    """(k, 4) bytes of names and the (n,) row of each atom.

    The symbol of the element ends in column 14, so most names begin there.
    """
    plain = _words(path, what.name, 4)
    symbols = ("",) if what.element is None else what.element.words
    table = np.repeat(plain, len(symbols), axis=0)
    table = table.reshape(len(plain), len(symbols), 4)
    for k, name in enumerate(what.name.words):
        for j, symbol in enumerate(symbols):
            two = len(symbol) == 2 and name.upper().startswith(symbol.upper())
            if len(name) < 4 and not two:
                table[k, j] = np.roll(plain[k], 1)
    index = what.name.index.astype(np.int64) * len(symbols)
    if what.element is not None:
        index += what.element.index
    return table.reshape(-1, 4), index


def _words(path: Name, labels: Labels, width: int, right: bool = False) -> Bytes:
    return word_table(path, labels, width, f"room for {width} letters", right)


def _cell(path: Name, box: NDArray[np.float64]) -> bytes:
    lengths, angles = lengths_angles(check_box(box))
    text = "".join(f"{_NM * length:9.3f}" for length in lengths)
    text += "".join(f"{angle:7.2f}" for angle in angles)
    if len(text) != 48:
        longest = float(lengths.max())
        raise FormatError(
            path,
            "cannot be written",
            f"an edge of the box is {longest:.10g} nm; 9 columns (in ångström) hold 9999.9999 nm",
            "Files such as .trr and .gsd have room for it",
        )
    return f"CRYST1{text} P 1           1\n".encode()


class PDB(Headless):
    """Frames as the models of one .pdb file."""

    def __init__(self, path: str, names: Names) -> None:
        self.path, self.names = path, names

    def frame(self, frame: Frame) -> bytes:
        what = self.names.coordinates(frame)
        return b"".join(parts(self.path, what, model=frame.number + 1))


register(
    FileFormat(
        endings=(".pdb", ".ent"),
        begins=rb"(TITLE [^\n]*\n)?(CRYST1[^\n]*\n)?MODEL ",
        narrow=True,
        writer=lambda start: PDB(start.path, start.names()),
        coordinates=read_pdb,
        write_coordinates=lambda path, what, decimals: write_pdb(path, what),
        kind="coordinates",
    )
)
