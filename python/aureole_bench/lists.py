# SPDX-License-Identifier: Apache-2.0
"""Options that are lists, as 1,2,4."""

from __future__ import annotations

from aureole.base.errors import bad_input
from aureole.base.parse import integer


def words(text: str) -> list[str]:
    """The words between commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def counts(text: str, name: str) -> list[int]:
    """Whole numbers from 1 on; raises InputError, which calls them `name`, for others."""
    try:
        found = [integer(word) for word in words(text)]
    except ValueError:
        found = []
    if not found or min(found) < 1:
        raise bad_input(
            f"{name} is {text!r}", "whole numbers from 1 on are needed", "Write for example 1,2"
        )
    return found
