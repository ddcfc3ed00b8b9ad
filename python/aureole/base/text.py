# SPDX-License-Identifier: Apache-2.0
"""Text of unknown origin made safe to print: titles, names of files and molecules, commands."""

from __future__ import annotations

# Besides control characters: what turns the direction of writing, and line ends of Unicode.
_HIDDEN = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_SHOWN = {
    code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"
} | {ord(letter): f"\\u{ord(letter):04x}" for letter in _HIDDEN}
_SHOWN |= {code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)}  # halves of nothing


def printable(text: object) -> str:
    """`text` without anything that a terminal obeys: such characters are written as \\x1b.

    Line ends and tabs stay.
    """
    return str(text).translate(_SHOWN)


def one_line(text: object) -> str:
    """`printable` text in one line."""
    return " ".join(printable(text).split())


def place(path: str, line: int | str) -> str:
    """Where a setting stands: "path:line", or the words that are given instead of a line."""
    return line if isinstance(line, str) else f"{path}:{line}"


def counted(count: int, one: str, many: str = "") -> str:
    """A number of things: 1 worker, 2 workers, 3 axes, whose plural is given."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def duration(seconds: float) -> str:
    """Seconds as a short text: 42 s, 3 min 05 s, 2 h 07 min, 3 d 04 h."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
    return f"{whole // 86400} d {whole % 86400 // 3600:02d} h"


def size(count: float) -> str:
    """A number of bytes with three figures: 987 bytes, 9.87 kB, 98.7 MB."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"


def rate(value: float) -> str:
    """A rate with three figures: 9.87, 98.7, 987, 12,345."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"
