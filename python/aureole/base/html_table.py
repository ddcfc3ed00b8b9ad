# SPDX-License-Identifier: Apache-2.0
"""Small tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .text import printable

_LEFT = ' style="text-align: left"'


def html_table(title: str, rows: Iterable[tuple[str, str | Sequence[str]]]) -> str:
    """A table of names and values, all of them text.

    Args:
        title: above it
        rows: names and values; a value of several lines is a sequence of them, and one without
            any is left out
    """
    parts = [f"<table><caption{_LEFT}>{_text(title)}</caption>"]
    for name, value in rows:
        lines = [value] if isinstance(value, str) else list(value)
        if lines:
            cell = "<br>".join(map(_text, lines))
            parts.append(f"<tr><th{_LEFT}>{_text(name)}</th><td{_LEFT}>{cell}</td></tr>")
    return "\n".join([*parts, "</table>"])


def _text(words: str) -> str:
    return escape(printable(words)).replace("  ", "&nbsp; ")
