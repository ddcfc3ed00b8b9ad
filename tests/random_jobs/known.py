# SPDX-License-Identifier: Apache-2.0
"""Faults that are known and being mended: what the draw leaves out until then.

Each entry is taken out together with the fault. Nothing may stand here at a release.
"""

from __future__ import annotations

KNOWN: frozenset[str] = frozenset(
    {
        "sites of a continuation",
    }
)
