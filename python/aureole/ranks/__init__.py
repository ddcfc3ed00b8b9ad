# SPDX-License-Identifier: Apache-2.0
"""Processes that work on one simulation: `rank` of this process, and their number, `size`."""

from __future__ import annotations


def __getattr__(name: str) -> int:
    if name in ("rank", "size"):
        from .team import standing

        return standing()[name == "size"]
    raise AttributeError(f"aureole.ranks has no {name!r}")
