# SPDX-License-Identifier: Apache-2.0
"""GSD files among the formats. Their reader and their writer are imported when they are used."""

from __future__ import annotations

import re

import numpy as np

from .gsd_check import MAGIC
from .registry import FileFormat, register


def _facts(path: str) -> list[tuple[str, str]]:
    """What `aureole info` tells."""
    from . import gsd

    with gsd.GSDReader(path) as reader:
        if reader.frames == 0:
            return [("frames", "none")]
        last = reader.frames - 1
        n = reader.count(last)
        box = reader.numbers("configuration/box", last, (6,), "f")
        typeid = reader.numbers("particles/typeid", last, (n,), "iu")
        names = reader.names(last)
        known = np.zeros(n, int) if typeid is None else np.clip(typeid, 0, len(names)).astype(int)
        counts = np.bincount(known, minlength=len(names))
        kinds = [f"{count:,} {name}" for count, name in zip(counts, names, strict=False)]
        rows = [
            ("frames", f"{reader.frames:,}, steps {reader.step(0):,} to {reader.step(last):,}"),
            ("particles", f"{n:,}: {', '.join(kinds)}"),
        ]
        if box is not None:
            rows.append(("box", " ".join(f"{value:.6g}" for value in box)))
            volume = float(box[0]) * float(box[1]) * float(box[2])
            if volume > 0:
                rows.append(("density", f"{n / volume:.6g}"))
        found = reader.file.find_matching_chunk_names("")
        rows.append(("holds", ", ".join(sorted(found))))
        return rows


register(
    FileFormat(
        endings=(".gsd",),
        begins=re.escape(MAGIC.to_bytes(8, "little")),
        holds=("velocity", "force"),
        kind="GSD file",
        facts=_facts,
    )
)
