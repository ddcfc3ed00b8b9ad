# SPDX-License-Identifier: Apache-2.0
"""Tables in plain text."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
#: Contents of a column: a format of the entries of a row, as "{rate:.2f}", or a function of it.
Cell = str | Callable[[Row], str]


def spread(digits: int) -> dict[str, Cell]:
    """The column of quartiles."""
    return {"quartiles": f"{{quartiles[0]:.{digits}f}} – {{quartiles[1]:.{digits}f}}"}


def table(rows: Sequence[Row], columns: Mapping[str, Cell], left: int = 1) -> str:
    """Aligned columns under their heads and a rule; None is a dash.

    The first `left` stand to the left, the others to the right.
    """
    cells = [[_cell(row, column) for column in columns.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]

    def line(words: Sequence[str]) -> str:
        parts = [
            word.ljust(width) if k < left else word.rjust(width)
            for k, (word, width) in enumerate(zip(words, widths, strict=True))
        ]
        return "  ".join(parts).rstrip()

    rule = "  ".join("─" * width for width in widths)
    return "\n".join([line(list(columns)), rule, *map(line, cells)])


def _cell(row: Row, column: Cell) -> str:
    return _FORMATTER.vformat(column, (), row) if isinstance(column, str) else column(row)


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        return "–" if value is None else str(super().format_field(value, format_spec))


_FORMATTER = _Formatter()
