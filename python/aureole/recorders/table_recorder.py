# SPDX-License-Identifier: Apache-2.0
"""Tables of numbers: one row per step at which the recorder acts, as text or as Parquet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from aureole.live.live import Live
from aureole.live.observer import FileRecorder, Observer
from aureole.live.writer_thread import Writer

from .growing_file import Appended
from .parquet_file import Table


class Columns(Protocol):
    """Numbers of a simulation by name, in a fixed order."""

    names: tuple[str, ...]

    def unit(self, name: str) -> str:
        """The unit of a column; "" for none."""

    def state(self) -> dict[str, Any]:
        """The columns as plain data for a checkpoint."""

    def accept_forces(self, names: Iterable[str], path: str) -> None:
        """Raise InputError where a file with these columns has no room for other forces."""

    def values(self, sim: Any) -> list[float]:
        """The numbers at the present step; the first is the step itself, an int."""


class OfTable(Observer, family=""):
    """Base of observers that write a table."""

    path: str
    every: int
    state_type = "OfColumns"

    @property
    def is_table(self) -> bool:
        """Whether the file is written whole."""
        return False

    def columns(self, sim: Any, state: dict[str, Any] | None) -> Columns:
        """Columns of a simulation; those that a `state` names go on."""
        raise NotImplementedError

    def head(self, columns: Columns) -> str:
        """Lines above the rows."""
        return ",".join(columns.names) + "\n"

    def row(self, values: list[float]) -> str:
        """A row without its end."""
        return ",".join(map(repr, values))

    def recorder(self) -> TableRecorder:
        return TableRecorder(self)


class TableRecorder(FileRecorder):
    """Reads the numbers at a step; the file is written on the writer's thread."""

    spec: OfTable

    def __init__(self, spec: OfTable) -> None:
        super().__init__(spec)
        self._columns: Columns | None = None
        self.file: Appended | Table = Table(spec.path) if spec.is_table else Appended(spec.path)

    def open(self, sim: Live, writer: Writer, state: dict[str, Any] | None) -> None:
        super().open(sim, writer, state)
        state = state if state and state.keys() > {"last"} else None  # of a run that never began
        self._check_start(sim, state)
        self._columns = self.spec.columns(sim, state)
        self._open_file(sim, writer, state, self._columns)

    def _check_start(self, sim: Live, state: dict[str, Any] | None) -> None:
        """Raise an error where the file cannot go on with this simulation."""

    def _open_file(
        self, sim: Live, writer: Writer, state: dict[str, Any] | None, columns: Columns
    ) -> None:
        if isinstance(self.file, Table):
            self.file.open({name: columns.unit(name) for name in columns.names}, state)
        else:
            self.file.open(writer, state, self.spec.head(columns).encode())

    def accept_forces(self, names: Iterable[str]) -> None:
        if self._columns is not None:
            self._columns.accept_forces(names, self.spec.path)

    def observe(self, sim: Live, step: int) -> None:
        assert self._columns is not None, "a recorder is opened first"
        values = self._columns.values(sim)
        before, self.last = self.last, step
        self._put(sim, values, before)

    def _put(self, sim: Live, values: list[float], before: int) -> None:
        """Write a row; `before` is the step of the row before."""
        if isinstance(self.file, Table):
            self.file.put(values)
        else:
            self.file.put_text(self.spec.row(values) + "\n")

    def finish(self, sim: Live) -> None:
        if isinstance(self.file, Table):
            self.file.write()

    def state(self) -> dict[str, Any]:
        if self._columns is None:
            return super().state()
        state = self.file.state() | self._columns.state()
        return super().state() | state | {"rows": state.get("pieces", state.get("written"))}
