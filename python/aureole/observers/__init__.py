# SPDX-License-Identifier: Apache-2.0
"""Observers: what happens during a run besides the steps. Its names are classes, and modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .kinds import *  # noqa: F403


def __getattr__(name: str) -> Any:
    if not name[:1].isupper():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    from . import kinds  # makes all classes, which takes time

    return getattr(kinds, name)
