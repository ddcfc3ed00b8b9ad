# SPDX-License-Identifier: Apache-2.0
"""Protein data bank files (.pdb, .ent): the first model's atoms and the unit cell.

Read are ATOM, HETATM, CRYST1, TITLE, and MODEL as far as its end; other records say nothing
about coordinates. Columns are those of version 3.3 of the format, with two customs: a fourth
letter of residue names in column 21, and numbers past the room of their columns in base 36.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aureole.base.text import one_line
from aureole.base.text_files import Name, at, opened, replace, shown, unwritable
from aureole.system.topology import Labels

from .box_vectors import accepted, check_box, from_lengths_angles, lengths_angles
from .coordinates import Coordinates, Names
from .fixed_columns import (
    CHUNK,
    Bytes,
    number,
    numbers,
    read_fixed,
    read_numbers,
    unprintable,
    word_table,
    words_of,
    write_fixed,
    write_vectors,
)
from .frame import Frame, Headless
from .registry import FileFormat, register

Slice = tuple[int, int]

#: Columns that are looked at, counted from 0.
_WIDTH = 80
_NAME, _RESIDUE_NAME, _RESIDUE, _ELEMENT = (12, 16), (17, 21), (22, 26), (76, 78)
_ALTERNATE, _CHAIN, _INSERTION = 16, 21, 26
_POSITION = (30, 54)
_NUMBER_WIDTH, _NUMBER_POINT, _DECIMALS = 8, 4, 3
_CELL = ((6, 15), (15, 24), (24, 33), (33, 40), (40, 47), (47, 54))
#: The cell of length 1 that means "no crystal" [ångström].
_DUMMY = 1.0
_NM = 10.0  # ångström in a nanometre


@dataclass
class _Columns:
    """What is gathered of the atoms while the file is read in parts; words as their bytes."""

    position: NDArray[np.float64]
    residue: NDArray[np.int32]
    keys: dict[str, NDArray[np.uint64]]


def read_pdb(path: Name) -> Coordinates:
    """The first model of a PDB file, in nanometre.

    Of atoms with alternate locations, A is taken. Raises FileError, with the number of the line,
    for a file that is none, holds a number that is not finite, or has a box that GROMACS refuses.
    """
    with opened(path) as file:
        data = file.read()
    data, more = _first_model(data)
    data += b"\n" + b" " * _WIDTH  # so that columns of the last line exist
    text = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(text == ord("\n"))
    starts = np.concatenate(([0], ends[:-1] + 1))
    record = _records(text, starts)
    atoms = np.flatnonzero((record == _key(b"hetatm")) | (record & _FOUR == _key(b"atom")))
    if len(atoms) == 0:
        raise at(path, 1, "there are no atoms", "no line begins with ATOM or HETATM", "Use another")
    lines = _Lines(text, starts, ends)
    columns, taken = _read_atoms(path, lines, atoms)
    notes = tuple(f"{os.fspath(path)} holds several models; the first is taken" for _ in more)
    if not taken.all():
        skipped = len(taken) - int(taken.sum())
        notes += (f"{os.fspath(path)}: {skipped} alternate locations other than A are left out",)
    box, missing = _read_box(path, lines, np.flatnonzero(record == _key(b"cryst1")))
    return _coordinates(path, columns, taken, atoms, box, (_title(lines, record), notes + missing))


def _first_model(data: bytes) -> tuple[bytes, list[str]]:
    """The file as far as its first model ends, and a word for the note if there is more."""
    end = data.find(b"\nENDMDL")
    if end < 0:
        return data, []
    more = b"\nATOM" in data[end : end + (1 << 20)] or b"\nHETATM" in data[end : end + (1 << 20)]
    return data[:end], ["more"] if more else []


def _key(word: bytes) -> np.uint64:
    return np.frombuffer(word.ljust(8, b"\0"), dtype=np.uint64)[0]


_FOUR = _key(b"\xff" * 4)


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


def _read_atoms(
    path: Name, lines: _Lines, atoms: NDArray[np.int64]
) -> tuple[_Columns, NDArray[np.bool_]]:
    """Columns of all atoms, and which of them are at a location that is taken."""
    n = len(atoms)
    words = ("name", "residue_name", "chain", "insertion", "element")
    columns = _Columns(
        np.empty((n, 3)), np.empty(n, np.int32), {word: np.empty(n, np.uint64) for word in words}
    )
    taken = np.empty(n, dtype=np.bool_)
    for begin in range(0, n, CHUNK):
        part = slice(begin, min(begin + CHUNK, n))
        which = atoms[part]
        rows, length = lines.table(which)
        short = length < _POSITION[1]
        if short.any():
            k = int(which[short.argmax()])
            raise at(
                path,
                k + 1,
                f"the line {shown(lines.line(k), True)} is too short for an atom",
                f"its position ends in column {_POSITION[1]}",
                "Correct the line, or use a file that is whole",
            )
        columns.position[part] = _positions(path, rows, which)
        columns.residue[part], digit = _residues(path, rows, which)
        rows[digit, _INSERTION] = ord(" ")
        columns.keys["name"][part] = _word_keys(rows, _NAME)
        columns.keys["residue_name"][part] = _word_keys(rows, _RESIDUE_NAME)
        columns.keys["chain"][part] = _word_keys(rows, (_CHAIN, _CHAIN + 1))
        columns.keys["insertion"][part] = _word_keys(rows, (_INSERTION, _INSERTION + 1))
        columns.keys["element"][part] = _word_keys(rows, _ELEMENT)
        alternate = rows[:, _ALTERNATE]
        taken[part] = (alternate == ord(" ")) | (alternate == ord("A"))
    return columns, taken


def _word_keys(rows: Bytes, columns: Slice) -> NDArray[np.uint64]:
    padded = np.full((len(rows), 8), ord(" "), dtype=np.uint8)
    padded[:, : columns[1] - columns[0]] = rows[:, slice(*columns)]
    return padded.view(np.uint64).reshape(len(rows))


def _positions(path: Name, rows: Bytes, which: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n, 3) positions [nm]."""
    fields = np.ascontiguousarray(rows[:, slice(*_POSITION)])
    flat = fields.reshape(3 * len(rows), _NUMBER_WIDTH)
    values = read_numbers(flat, _NUMBER_POINT, power=-1).reshape(-1, 3)
    wrong = np.isnan(values)
    if wrong.any():
        row, axis = (int(k[0]) for k in np.nonzero(wrong))
        begin = _NUMBER_WIDTH * axis
        text = fields[row, begin : begin + _NUMBER_WIDTH].tobytes()
        raise at(
            path,
            int(which[row]) + 1,
            f"{shown(text)} is not a finite number",
            f"it stands where {'xyz'[axis]} of an atom should, from column {31 + begin} on",
            "Correct the line",
        )
    return values


def _residues(
    path: Name, rows: Bytes, which: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """(n,) numbers of residues, and which of them have a fifth digit, where insertion codes are."""
    fields = np.ascontiguousarray(rows[:, slice(*_RESIDUE)])
    whole, good = read_fixed(fields, None)
    for row in np.flatnonzero(~good):
        text = fields[row].tobytes()
        value = _base36(text)
        if value is None:
            raise at(
                path,
                int(which[row]) + 1,
                f"{shown(text)} is not the number of a residue",
                "it stands in the columns 23 to 26",
                "Correct the line",
            )
        whole[row] = value
    fifth = rows[:, _INSERTION] - np.uint8(ord("0"))
    full = good & (fields[:, 0] != ord(" ")) & (fifth < 10)
    sign = np.where(fields[:, 0] == ord("-"), -1, 1)
    whole[full] = 10 * whole[full] + (sign * fifth)[full]
    return whole.astype(np.int32), full


def _base36(text: bytes) -> int | None:
    """A number that is not four columns of digits: blank, left-aligned, or in base 36.

    Base 36 begins where four digits end: A000 is 10000, ZZZZ is followed by a000.
    """
    word = text.strip()
    if not word:
        return 0
    value = number(word)
    if value.is_integer() and abs(value) < 10000:  # NaN is none
        return int(value)
    upper = word.isupper()
    if len(text) != 4 or len(word) != 4 or not word.isalnum() or not word[:1].isalpha():
        return None
    if not (upper or word.islower()):
        return None
    first = int(b"A000", 36)
    turn = 26 * 36**3
    return int(word, 36) - first + 10000 + (0 if upper else turn)


def _read_box(
    path: Name, lines: _Lines, cells: NDArray[np.int64]
) -> tuple[NDArray[np.float64] | None, tuple[str, ...]]:
    """(3, 3) box vectors [nm] of the last CRYST1 record, or None with a note that says why."""
    if len(cells) == 0:
        return None, (f"{os.fspath(path)} holds no CRYST1 record, so no box",)
    k = int(cells[-1])
    line = lines.line(k)
    values = [number(line[slice(*columns)]) for columns in _CELL]
    if any(value != value for value in values):
        values = numbers(line[6:])[:6]
    if len(values) < 6 or any(value != value for value in values):
        raise at(
            path,
            k + 1,
            f"{shown(line, True)} is not a unit cell",
            "CRYST1 gives three lengths and three angles",
            "Correct the line, or remove it for no box",
        )
    lengths, angles = values[:3], values[3:]
    if lengths in ([_DUMMY] * 3, [0.0] * 3):
        return None, (f"{os.fspath(path)}: the CRYST1 record stands for no box",)
    vectors = from_lengths_angles([length / _NM for length in lengths], angles)
    if not np.isfinite(vectors).all():
        shape = " ".join(f"{angle:g}" for angle in angles)
        wrong = f"no cell has the angles {shape}"
        raise at(path, k + 1, wrong, "they do not close", "Correct them")
    return accepted(path, k + 1, vectors)


def _title(lines: _Lines, record: NDArray[np.uint64]) -> str:
    which = np.flatnonzero(record & _FIVE == _key(b"title"))[:20]
    parts = [lines.line(int(k))[10:].decode("latin-1") for k in which]
    return " ".join(" ".join(parts).split())


_FIVE = _key(b"\xff" * 5)


def _coordinates(
    path: Name,
    columns: _Columns,
    taken: NDArray[np.bool_],
    atoms: NDArray[np.int64],
    box: NDArray[np.float64] | None,
    words: tuple[str, tuple[str, ...]],
) -> Coordinates:
    """All that was read; `words` are the title and the notes."""
    if not taken.any():
        raise at(
            path,
            int(atoms[0]) + 1,
            "there are no atoms",
            "all are at alternate locations other than A",
            "Choose one of the locations",
        )
    every = bool(taken.all())
    labels = {}
    for word, keys in columns.keys.items():
        labels[word] = words_of(keys if every else keys[taken])
        row = unprintable(labels[word])
        if row >= 0:
            raise at(
                path,
                int(atoms[np.flatnonzero(taken)[row]]) + 1,
                f"the {word.replace('_', ' ')} {labels[word][row]!r} is not text",
                "it holds a control character",
                "Correct the line, or use a PDB file",
            )
    return Coordinates(
        words[0],
        columns.residue[taken],
        labels["residue_name"],
        labels["name"],
        columns.position[taken],
        box=box,
        chain=_or_none(labels["chain"]),
        insertion=_or_none(labels["insertion"]),
        element=_or_none(labels["element"]),
        notes=words[1],
    )


def _or_none(labels: Labels) -> Labels | None:
    return None if labels.words == ("",) else labels


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
    labels = {
        _NAME: _name_table(path, what),
        _RESIDUE_NAME: (_words(path, what.residue_name, 4), what.residue_name.index),
    }
    for labelled, columns in ((what.chain, _CHAIN), (what.insertion, _INSERTION)):
        if labelled is not None:
            labels[columns, columns + 1] = (_words(path, labelled, 1), labelled.index)
    if what.element is not None:
        labels[_ELEMENT] = (_words(path, what.element, 2, right=True), what.element.index)
    for begin in range(0, what.n, CHUNK):
        rows = slice(begin, min(begin + CHUNK, what.n))
        table = np.full((rows.stop - begin, _WIDTH + 1), ord(" "), dtype=np.uint8)
        table[:, :6] = np.frombuffer(b"ATOM  ", dtype=np.uint8)
        table[:, 54:66] = np.frombuffer(b"  1.00  0.00", dtype=np.uint8)
        table[:, -1] = ord("\n")
        write_fixed(table[:, 6:11], np.arange(begin + 1, rows.stop + 1) % 100000, 0)
        residue = what.residue[rows].astype(np.int64)
        # Negative ones wrap towards 0, for their sign takes a column.
        residue = np.where(residue < 0, np.fmod(residue, 1000), residue % 10000)
        write_fixed(table[:, slice(*_RESIDUE)], residue, 0)
        for columns, (words, index) in labels.items():
            table[:, slice(*columns)] = words[index[rows]]
        position = table[:, slice(*_POSITION)]
        write_vectors(path, position, what.position[rows], begin, _DECIMALS, power=1)
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
    return word_table(path, labels, width, f"columns for {width} letters", right)


def _cell(path: Name, box: NDArray[np.float64]) -> bytes:
    lengths, angles = lengths_angles(check_box(box))
    text = "".join(f"{_NM * length:9.3f}" for length in lengths)
    text += "".join(f"{angle:7.2f}" for angle in angles)
    if len(text) != 48:
        raise unwritable(path, "the box", "9 columns hold a length")
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
        writer=lambda start: PDB(start.path, start.names()),
        coordinates=read_pdb,
        write_coordinates=lambda path, what, decimals: write_pdb(path, what),
        kind="coordinates",
    )
)
