# SPDX-License-Identifier: Apache-2.0
"""Words of a topology as numbers, with errors that name their line."""

from __future__ import annotations

from collections.abc import Sequence

from aureole.base import parse
from aureole.base.text_files import word_shown

from .preprocessor import Line

#: Number of words that are read as parameters: more than any function takes.
_MOST = 24
LARGEST = 1e100  # in size; sums and products of such numbers do not overflow


def integer(line: Line, word: str, what: str, low: int = -(2**31), high: int = 2**31 - 1) -> int:
    """The word as an integer between `low` and `high`."""
    try:
        value = parse.integer(word)
    except ValueError:
        raise line.bad(
            f"{what} is {word_shown(word)}", "it must be a whole number", "Correct it"
        ) from None
    if not low <= value <= high:
        raise line.bad(f"{what} is {value}", f"it must be from {low} to {high}", "Correct it")
    return value


def number(word: str) -> float | None:
    """The word as a finite number, or None."""
    try:
        return parse.real(word)
    except ValueError:
        return None


def real(line: Line, word: str, what: str) -> float:
    """The word as a finite number."""
    value = number(word)
    if value is None:
        raise line.bad(f"{what} is {word_shown(word)}", "it must be a finite number", "Correct it")
    if abs(value) > LARGEST:
        raise line.bad(
            f"{what} is {word_shown(word)}", f"it must be within ±{LARGEST:g}", "Correct it"
        )
    return value


def _product(line: Line, word: str) -> float:
    """A number times 1, as scripts for elastic networks write it after a macro.

    GROMACS takes the first number and ignores the factor, so that only 1 has no effect.
    """
    first, _, factor = word.partition("*")
    value = number(first)
    if value is None or number(factor) is None:
        raise line.bad(f"{word_shown(word)} is not a number", "nor is a product", "Correct it")
    if number(factor) != 1:
        raise line.bad(
            f"{word_shown(word)} is a product",
            f"GROMACS takes {first} and ignores the factor",
            "Write the intended number",
        )
    return value


def parameters(line: Line, words: Sequence[str], counts: Sequence[int], what: str) -> list[float]:
    """The numbers at the start of the words: as many as one of `counts`.

    Text after them is ignored, as in grompp.
    """
    values: list[float] = []
    for word in words[:_MOST]:
        value = number(word)
        if value is None and "*" in word:
            values.append(_product(line, word))
        if value is None:
            break
        values.append(value)
    if len(values) in counts and (values or not words or max(counts) == 0):
        return values
    wanted = " or ".join(str(count) for count in dict.fromkeys(counts))
    if len(values) < len(words) and len(values) < max(counts):
        word = words[len(values)]
        raise line.bad(
            f"{word_shown(word)} is not a valid {what} parameter",
            f"it is neither a number nor a macro; {wanted} numbers are needed",
            "Correct it, or #define it first",
        )
    raise line.bad(f"{len(values)} {what} parameters", f"{wanted} are needed", "Add or remove some")


def at_least(line: Line, least: int, what: str) -> list[str]:
    """The words of the line, at least `least` of them."""
    words = line.words()
    if len(words) < least:
        raise line.bad(
            f"{len(words)} entries for {what}", f"at least {least} are needed", "Complete the line"
        )
    return words
