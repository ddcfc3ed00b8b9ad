# SPDX-License-Identifier: Apache-2.0
"""Energies: a table of all numbers of the system, for pandas or any spreadsheet."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from aureole.base.errors import bad_input
from aureole.engine.observed import Observed
from aureole.formats import edr
from aureole.formats.registry import ending_of, format_of
from aureole.live.observer import text_path
from aureole.live.writer_thread import Writer
from aureole.recorders.growing_file import Appended
from aureole.recorders.table_recorder import OfTable, TableRecorder
from aureole.specs.spec import checked, spec

from .edr_rows import EdrRows
from .energy_columns import Quantities
from .frame_of_simulation import check_topology

#: Endings of table formats; an ending whose format is not written is refused.
_OF_TABLES = (".h5", ".hdf5", ".nc", ".parquet", ".xvg", ".xlsx")
_ROW = re.compile(rb"[-+0-9.,aefinE]*\n")
_NAMES = re.compile(rb"(# units: [^\x00-\x1f\x7f]*\n)?step,[\w,.:*\- ]*\n")


@spec(kw_only=False)
class Energies(OfTable):
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

    def head(self, columns: Any) -> str:
        names = ",".join(columns.names)
        if not columns.units.physical:
            return names + "\n"
        units = ", ".join(f"{name} {columns.unit(name)}" for name in columns.names[1:])
        return f"# units: {units}\n{names}\n"

    def recorder(self) -> EnergiesRecorder:
        return EnergiesRecorder(self)


class EnergiesRecorder(TableRecorder):
    """Also writes GROMACS' energy files."""

    spec: Energies
    _edr: EdrRows | None = None

    def _check_start(self, sim: Any, state: dict[str, Any] | None) -> None:
        check_topology(sim, state, self.spec.path)

    def _open_file(
        self, sim: Any, writer: Writer, state: dict[str, Any] | None, columns: Any
    ) -> None:
        if isinstance(self.file, Appended) and self.spec.is_edr:
            self._edr = EdrRows(sim, columns, state, self.spec.path)
            self.file.open(writer, state, self._edr.head())
        else:
            super()._open_file(sim, writer, state, columns)

    def _put(self, sim: Any, values: list[float], before: int) -> None:
        if self._edr is None:
            super()._put(sim, values, before)
            return
        frame = self._edr.frame(sim, values, before)
        self.file.put(lambda: frame, len(frame))

    def state(self) -> dict[str, Any]:
        return super().state() | ({} if self._edr is None else self._edr.state())
