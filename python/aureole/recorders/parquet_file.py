# SPDX-License-Identifier: Apache-2.0
"""A Parquet table that is kept in memory and written whole."""

from __future__ import annotations

import base64
import os
from array import array
from typing import Any

import numpy as np

from aureole.base.digests import sha256
from aureole.base.errors import bad_input, file_error
from aureole.base.text_files import replace

from .growing_file import not_the_same


class Table:
    """Rows of numbers; the first column holds whole numbers.

    The rows of a large run take 8 bytes a number in memory.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._library: Any = None
        self._units: dict[str, str] = {}  # by column; empty until it is opened
        self._rows = array("d")
        self._steps = array("q")
        self._written = -1

    def recognise(self, state: dict[str, Any]) -> None:
        """Do nothing: a table is read and recognised when it is opened."""

    def open(self, units: dict[str, str], state: dict[str, Any] | None) -> None:
        """Begin with columns of these names and units, or with the rows that `state` counts."""
        self._library = library()
        self._units = units
        self._rows, self._steps, self._written = array("d"), array("q"), -1
        state = state or {}
        wanted = int(state.get("written", 0))
        if wanted and os.path.exists(self.path):
            self._read(wanted)
            if state.get("digest", self._digest(wanted)) != self._digest(wanted):
                raise not_the_same(self.path, f"row {wanted} differs")
        for text in state.get("waiting", ()):
            row = np.frombuffer(base64.b85decode(text), "<f8")
            self.put([int(row[0]), *row[1:]])
        if self._written < 0:
            self.write()

    def _read(self, wanted: int) -> None:
        try:
            columns = self._library.read_table(self.path).to_pydict()
            steps = np.asarray(columns.pop("step"))
            rest = np.array([columns[name] for name in self._units if name != "step"]).T
        except (OSError, ValueError, KeyError) as error:
            raise _strange(self.path, f"cannot be read: {error}") from None
        if len(steps) < wanted:
            raise _strange(self.path, f"has {len(steps)} rows, the checkpoint recorded {wanted}")
        self._steps = array("q", steps[:wanted].tolist())
        self._rows = array("d", rest[:wanted].reshape(-1).tolist())
        self._written = wanted

    def put(self, values: list[float]) -> None:
        """Add a row."""
        self._steps.append(int(values[0]))
        self._rows.extend(values[1:])

    def write(self) -> None:
        """Put all rows into the file, through a temporary beside it."""
        if len(self) == self._written or not self._units:
            return
        import pyarrow

        rest = np.array(self._rows).reshape(len(self), len(self._units) - 1)
        columns = [np.array(self._steps, dtype=np.int64), *np.ascontiguousarray(rest.T)]
        fields = [
            pyarrow.field(name, pyarrow.int64() if k == 0 else pyarrow.float64(), False)
            for k, name in enumerate(self._units)
        ]
        kept = [field.with_metadata({"unit": self._units[field.name]}) for field in fields]
        table = pyarrow.Table.from_arrays(
            [pyarrow.array(column) for column in columns], schema=pyarrow.schema(kept)
        )
        memory = pyarrow.BufferOutputStream()
        self._library.write_table(table, memory)
        replace(self.path, [memory.getvalue().to_pybytes()])
        self._written = len(self)

    sync = close = write

    def __len__(self) -> int:
        return len(self._steps)

    def state(self) -> dict[str, Any]:
        """Number of rows in the file, and the rows that are not there yet."""
        written, width = max(self._written, 0), len(self._units) - 1
        state: dict[str, Any] = {"written": written, "digest": self._digest(written)}
        if written < len(self):
            state["waiting"] = [
                _packed(self._steps[k], self._rows[k * width : (k + 1) * width])
                for k in range(written, len(self))
            ]
        return state

    def _digest(self, count: int) -> str:
        """A digest that identifies the first `count` rows, by the last of them."""
        width = max(len(self._units) - 1, 0)
        row = self._rows[max(count - 1, 0) * width : count * width]
        return sha256(str(self._steps[count - 1 : count]).encode() + row.tobytes()).hexdigest()


def _packed(step: int, row: array[float]) -> str:
    return base64.b85encode(np.array([step, *row], "<f8").tobytes()).decode()


def _strange(path: str, why: str) -> Exception:
    return file_error(
        path,
        "cannot be continued",
        why,
        "Restore the table, or move it away to start a new one",
    )


def library() -> Any:
    """The Parquet part of pyarrow, or an InputError that says how to get it."""
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise bad_input(
            "no .parquet file can be written",
            f"the package pyarrow cannot be loaded: {error}",
            "Install it with `pip install aureole[tables]`, or write .csv",
        ) from None
    return pyarrow.parquet
