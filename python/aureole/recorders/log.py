# SPDX-License-Identifier: Apache-2.0
"""Log: a table of sums over the system, as comma-separated text."""

from __future__ import annotations

import os
import re
from typing import Any

from aureole.base.errors import bad_input
from aureole.base.values import words
from aureole.live.live import Live
from aureole.live.observer import text_path
from aureole.specs.spec import checked, spec

from .table_recorder import Columns, OfTable

_ROW = re.compile(rb"[-+0-9.,aefinE]*\n")
_NAMES = re.compile(rb"[\w,.:*\- ]+\n")
#: Endings of files of other kinds.
_OTHERS = (
    *(".h5", ".hdf5", ".nc", ".parquet", ".xvg", ".xlsx", ".edr"),
    *(".gro", ".g96", ".pdb", ".xtc", ".trr", ".dcd", ".gsd", ".phdf", ".xdmf"),
)


@spec(kw_only=False)
class Log(OfTable):
    """Write a table of numbers, one row per `every` steps.

    Args:
        path: the file; an existing one is replaced; a restart continues it
        every: steps between rows; rows are at steps divisible by it
        quantities: columns; None for the usual ones. Of particles: step, time, potential, kinetic,
            temperature, pressure; known are also total, pressure_xx ... pressure_zz, momentum_x
            ..., volume, density, steps_per_second (of the present run), and energy_NAME for the
            energy of one force. Of fluids: step, time, dt, mass, momentum_x ... (of the mesh's
            axes), energy; known are also kinetic, internal, subgrids, subgrids_0 ... (of the
            levels), repairs, floors, steps_per_second
        every_time: time between rows, in place of `every`; each is of the first step that ends at
            or after a multiple of it

    Units are those of `Energies`; in reduced units the density is that of particles. Fluids have
    code units.
    """

    path: str = checked(text_path, "log.csv")
    every: int = 100
    quantities: tuple[str, ...] | None = checked(words, None, or_none=True)
    every_time: float | None = None
    needs = "quantities"

    def __post_init__(self) -> None:
        super().__post_init__()
        ending = os.path.splitext(self.path)[1].lower()
        if ending in _OTHERS:
            more = f"; au.Energies writes {ending}" if ending in (".parquet", ".edr") else ""
            raise bad_input(
                f"path of Log is {self.path!r}",
                f"its tables cannot be written as {ending}",
                f"Write .csv{more}",
            )
        if self.quantities is not None and not self.quantities:
            raise bad_input("Log has no quantities", "its rows would be empty", "Name some")

    def recognises(self, path: str, head: bytes) -> bool:
        if self.quantities is None:
            return head.startswith(b"step,time,") and _NAMES.match(head) is not None
        return head.startswith((",".join(self.quantities) + "\n").encode())

    def accepts(self, piece: bytes, first: bool) -> bool:
        return self.recognises(self.path, piece) if first else _ROW.fullmatch(piece) is not None

    def columns(self, sim: Live, state: dict[str, Any] | None) -> Columns:
        found: Columns = sim._quantities(self.quantities)
        return found

    def row(self, values: list[float]) -> str:
        return ",".join(str(v) if isinstance(v, int) else f"{v:.12g}" for v in values)
