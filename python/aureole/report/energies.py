# SPDX-License-Identifier: Apache-2.0
"""The energies of a run: a table of columns against time, with names and units."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input, file_error, unreadable
from aureole.formats import edr

from .vocabulary import COLUMNS, UNITS

Array = NDArray[np.float64]

PER_PARTICLE = "_per_particle"
_UNITS_LINE = re.compile(r"#\s*units:\s*(.*)")
_UNIT_IN_NAME = re.compile(r"\s*[\[(]\s*([^\])]*)\s*[\])]\s*$")


@dataclass(frozen=True, eq=False)
class Energies:
    """Columns of equal length.

    Args:
        columns: name → (n,) values
        units: name → unit, "" without one
        unit_of_time: of the column "time"
    """

    columns: dict[str, Array]
    units: dict[str, str]
    unit_of_time: str = "ps"

    def converted(self, unit: Callable[[str], str]) -> Energies:
        """A copy with `unit` applied to each unit."""
        units = {name: unit(told) if told else "" for name, told in self.units.items()}
        if units.get("density", "") not in ("", "kg/m³") and "box_xx" not in units:
            units["density"] = "σ⁻³"  # of a Log, which counts particles in reduced units
        return Energies(self.columns, units, unit(self.unit_of_time))

    def per_particle(self, n: int) -> Energies:
        """A copy with the energies per particle of n particles beside the sums."""
        columns, units = dict(self.columns), dict(self.units)
        if "total" not in columns and {"potential", "kinetic"} <= columns.keys():
            columns["total"] = columns["potential"] + columns["kinetic"]
            units["total"] = units["potential"]
        for name in ("potential", "kinetic", "total", "conserved"):
            if name in columns:
                columns[f"{name}{PER_PARTICLE}"] = columns[name] / n
                units[f"{name}{PER_PARTICLE}"] = units[name]
        return Energies(columns, units, self.unit_of_time)

    @property
    def timed(self) -> bool:
        """Whether the table has the times of its rows."""
        return "time" in self.columns

    @property
    def time(self) -> Array:
        """(n,) time [ps], or the steps, or counted rows, whatever is there."""
        for name in ("time", "step"):
            if name in self.columns:
                return self.columns[name]
        return np.arange(self.n, dtype=float)

    @property
    def time_unit(self) -> str:
        """Unit of `time`."""
        return self.unit_of_time if self.timed else "steps"

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(next(iter(self.columns.values())))

    def varying(self, name: str) -> bool:
        """Whether the column is there, and is a number that changes."""
        values = self.columns.get(name)
        if values is None:
            return False
        finite = values[np.isfinite(values)]
        return len(finite) > 1 and bool(np.ptp(finite) > 0)


def read(path: Path) -> Energies:
    """The table of a file; lines that begin with # are comments, the first other line has names.

    A last line that was not written to its end is left out. Raises FileError for anything else
    that is not a table of numbers.
    """
    if path.suffix == ".parquet":
        return _read_parquet(path)
    if path.suffix == ".edr":
        return _read_edr(path)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise unreadable(path, error) from None
    if not text.endswith("\n"):
        text = text[: text.rfind("\n") + 1]
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    told = next((found for found in map(_UNITS_LINE.match, text.splitlines()[:20]) if found), None)
    if not lines:
        raise file_error(path, "holds no table", "there is no header line", "Use another file")
    head = [word.strip().strip('"') for word in lines[0][1].split(",")]
    table = _rows(path, lines[1:], len(head))
    units = {_UNIT_IN_NAME.sub("", name): unit_of(name) for name in head}
    if told:
        pairs = (pair.strip().rpartition(" ") for pair in told[1].split(","))
        units = dict.fromkeys(units, "") | {n: _pretty(u) for n, _, u in pairs if n in units}
    return Energies({name: table[:, k].copy() for k, name in enumerate(units)}, units)


def _rows(path: Path, lines: list[tuple[int, str]], width: int) -> Array:
    """(rows, width) the numbers of the lines; empty cells are NaN."""
    table = np.empty((len(lines), width))
    for row, (number, line) in zip(table, lines, strict=True):
        words = line.split(",")
        try:
            if len(words) != width:
                raise ValueError(f"{len(words)} values for {width} columns")
            row[:] = [float(word) if word.strip() else np.nan for word in words]
        except ValueError as error:
            raise file_error(f"{path}:{number}", "bad row", error, "Correct the line") from None
    return table


def _read_parquet(path: Path) -> Energies:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise bad_input(
            f"{path} cannot be read", "pyarrow is missing", "Install it: pip install pyarrow"
        ) from None
    try:
        table = parquet.read_table(path)
        columns = {n: np.asarray(table[n], dtype=float) for n in table.column_names}
    except (OSError, ValueError) as error:
        raise file_error(path, "cannot be read", error, "Is the table complete?") from None
    return Energies(columns, {name: unit_of(name) for name in columns})


def _read_edr(path: Path) -> Energies:
    reader = edr.Reader(path)
    names = [edr.column_of(name) for name, _ in reader.terms]
    rows = list(reader)
    columns = {"step": np.array([row.step for row in rows], dtype=float)}
    columns["time"] = np.array([row.time for row in rows])
    table = np.array([row.values for row in rows]).reshape(len(rows), len(names))
    columns |= {name: table[:, k].copy() for k, name in enumerate(names)}
    units = {name: _pretty(unit) for name, (_, unit) in zip(names, reader.terms, strict=True)}
    return Energies(columns, {"step": "", "time": "ps"} | units)


def unit_of(name: str) -> str:
    """The unit of a column, from brackets in its name or from the quantity that it names."""
    told = _UNIT_IN_NAME.search(name)
    if told:
        return _pretty(told.group(1))
    low = name.lower()
    return next((unit for start, unit in UNITS.items() if low.startswith(start)), "kJ/mol")


def _pretty(unit: str) -> str:
    return unit.replace("^3", "³")


def words_of(name: str) -> str:
    """The name of a column in a text."""
    low = name.lower()
    if low.startswith("temperature_"):
        return f"Temperature of {name[12:]}"
    for start in ("box", "pressure"):
        axes = re.fullmatch(rf"{start}_([xyz])([xyz])", low)
        if axes:
            return f"{start.capitalize()} {axes.group(1)}{axes.group(2)}"
    for word in sorted(COLUMNS, key=len, reverse=True):
        low = re.sub(rf"(?<![a-z]){word}(?![a-z])", COLUMNS[word], low)
    low = re.sub(r"_14$", " 1–4", low).replace("_", " ")
    return low[:1].upper() + low[1:]
