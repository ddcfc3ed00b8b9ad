# SPDX-License-Identifier: Apache-2.0
"""Energies: a table of all numbers of the system, for pandas or any spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from aureole.base.errors import bad_input
from aureole.engine.observed import Observed
from aureole.formats import edr
from aureole.formats.registry import ending_of, format_of
from aureole.live.observer import FileRecorder, Observer, text_path
from aureole.live.writer_thread import Writer
from aureole.specs.spec import checked, spec

from .edr_rows import EdrRows
from .energy_columns import Quantities
from .frame_of_simulation import check_topology
from .growing_file import Appended
from .parquet_file import Table

#: Endings of table formats; an ending whose format is not written is refused.
_OF_TABLES = (".h5", ".hdf5", ".nc", ".parquet", ".xvg", ".xlsx")
_ROW = re.compile(rb"[-+0-9.,aefinE]*\n")
_NAMES = re.compile(rb"(# units: [^\x00-\x1f\x7f]*\n)?step,[\w,.:*\- ]*\n")


@spec(kw_only=False)
class Energies(Observer):
    """Write energies, temperature, pressure and box, one row per `every` steps.

    Columns: step, time, the energy of each term, potential, kinetic, total, conserved (if the
    dynamics have it), temperature, pressure, volume, density, box_xx ..., pressure_xx ...,
    temperature_NAME for each coupling group. Numbers are written in full precision.

    Args:
        path: the file; an existing one is replaced; a restart continues it. The extension
            .parquet gives a Parquet table, written as a whole at checkpoints and at the end;
            .edr gives a GROMACS energy file with GROMACS' names, in single precision; any other
            gives comma-separated text, row by row, with units in a comment above it:
            ``pandas.read_csv(path, comment="#")``
        every: steps between rows; rows are at steps divisible by it
    """

    path: str = checked(text_path, "energies.csv")
    every: int = 100
    holds = "energies"
    needs = "particles"
    state_type = "OfColumns"
    #: Endings of the tables that can be written; an ending without a format means .csv.
    written: ClassVar[tuple[str, ...]] = (".csv", ".parquet", ".edr")

    def __post_init__(self) -> None:
        super().__post_init__()
        ending = ending_of(self.path)
        told = ending in _OF_TABLES or format_of(self.path) is not None
        if told and ending not in self.written:
            others = f"; au.Energies writes {ending}" if ending in Energies.written else ""
            raise bad_input(
                f"path of {type(self).__name__} is {self.path!r}",
                f"its tables cannot be written as {ending}",
                f"Write {' or '.join(self.written)}{others}",
            )

    @property
    def is_table(self) -> bool:
        """Whether the file is written whole."""
        return ending_of(self.path) == ".parquet"

    @property
    def is_edr(self) -> bool:
        """Whether the file is one of GROMACS."""
        return ending_of(self.path) == ".edr"

    def recognises(self, path: str, head: bytes) -> bool:
        if self.is_edr:
            return format_of(self.path).recognises(head)  # type: ignore[union-attr]
        return head.startswith(b"PAR1") if self.is_table else _NAMES.match(head) is not None

    def accepts(self, piece: bytes, first: bool) -> bool:
        if self.is_table:
            return len(piece) % 8 == 0
        if self.is_edr:
            return edr.is_head(piece) if first else edr.is_frame(piece)
        return self.recognises(self.path, piece) if first else _ROW.fullmatch(piece) is not None

    def columns(self, sim: Observed, state: dict[str, Any] | None) -> Quantities:
        """Quantities to write of a simulation; those that a `state` names go on."""
        return Quantities(sim, state)

    def head(self, columns: Quantities) -> str:
        """Lines above the rows."""
        names = ",".join(columns.names)
        if not columns.units.physical:
            return names + "\n"
        units = ", ".join(f"{name} {columns.unit(name)}" for name in columns.names[1:])
        return f"# units: {units}\n{names}\n"

    def row(self, values: list[float]) -> str:
        """A row without its end."""
        return ",".join(map(repr, values))

    def recorder(self) -> EnergiesRecorder:
        return EnergiesRecorder(self)


class EnergiesRecorder(FileRecorder):
    """Reads the numbers at a step; the file is written on the writer's thread."""

    spec: Energies

    def __init__(self, spec: Energies) -> None:
        super().__init__(spec)
        self._quantities: Quantities | None = None
        self._edr: EdrRows | None = None
        self.file: Appended | Table = Table(spec.path) if spec.is_table else Appended(spec.path)

    def open(self, sim: Observed, writer: Writer, state: dict[str, Any] | None) -> None:
        super().open(sim, writer, state)
        state = state if state and state.keys() > {"last"} else None  # of a run that never began
        check_topology(sim, state, self.spec.path)
        self._quantities = quantities = self.spec.columns(sim, state)
        if isinstance(self.file, Table):
            units = {name: quantities.unit(name) for name in quantities.names}
            self.file.open(units, state)
        elif self.spec.is_edr:
            self._edr = EdrRows(sim, quantities, state, self.spec.path)
            self.file.open(writer, state, self._edr.head())
        else:
            self.file.open(writer, state, self.spec.head(quantities).encode())

    def accept_forces(self, names: Iterable[str]) -> None:
        if self._quantities is not None:
            self._quantities.accept_forces(names, self.spec.path)

    def observe(self, sim: Observed, step: int) -> None:
        assert self._quantities is not None, "a recorder is opened first"
        values = self._quantities.values(sim)
        before, self.last = self.last, step
        if isinstance(self.file, Table):
            self.file.put(values)
        elif self._edr is not None:
            frame = self._edr.frame(sim, values, before)
            self.file.put(lambda: frame, len(frame))
        else:
            self.file.put_text(self.spec.row(values) + "\n")

    def finish(self, sim: Observed) -> None:
        if isinstance(self.file, Table):
            self.file.write()

    def state(self) -> dict[str, Any]:
        if self._quantities is None:
            return super().state()
        state = self.file.state() | self._quantities.state()
        state |= {} if self._edr is None else self._edr.state()
        return super().state() | state | {"rows": state.get("pieces", state.get("written"))}
