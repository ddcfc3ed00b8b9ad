# SPDX-License-Identifier: Apache-2.0
"""GROMACS' full-precision trajectories (.trr), which are big-endian numbers (XDR)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from aureole.base.errors import file_error
from numpy.typing import NDArray

_MAGIC = 1993
#: Blocks that a frame may hold, in this order; their sizes, then atoms, step and energies lead it.
_BLOCKS = ("ir", "e", "box", "vir", "pres", "top", "sym", "x", "v", "f")


def frames(path: Path) -> Iterator[dict[str, NDArray[np.float64]]]:
    """Positions x [nm], velocities v [nm/ps] and forces f [kJ/mol/nm] of each frame, (n, 3) each,
    as far as the frame has them, with its box (3, 3) [nm] and its step (); raises FileError for a
    file that is no such trajectory.
    """
    data, at = path.read_bytes(), 0
    while at < len(data):
        try:
            magic, _, length = struct.unpack_from(">iii", data, at)
            at += 12 + (length + 3) // 4 * 4
            *sizes, n, step, _ = struct.unpack_from(">13i", data, at)
        except struct.error:
            raise _not(path, "it is too short") from None
        if magic != _MAGIC:
            raise _not(path, f"its first number is not {_MAGIC}")
        width = max(sizes[7:]) // (3 * n) if n > 0 else 0
        if width not in (4, 8) or min(sizes) < 0 or not set(sizes[7:]) <= {0, 3 * n * width}:
            raise _not(path, "a frame holds neither positions nor forces")
        at += 52 + 2 * width  # time and lambda
        if len(data) < at + sum(sizes):
            raise _not(path, "it ends within a frame")
        found = {"step": np.array(float(step))}
        for name, size in zip(_BLOCKS, sizes, strict=True):
            if size and name in ("box", "x", "v", "f"):
                block = np.frombuffer(data, f">f{width}", size // width, at)
                found[name] = block.reshape(-1, 3).astype(np.float64)
            at += size
        yield found


def first_forces(path: Path) -> NDArray[np.float64]:
    """(n, 3) forces of the first frame [kJ/mol/nm]; raises FileError where there are none."""
    first = next(frames(path), {})
    if "f" not in first:
        raise _not(path, "its first frame holds no forces")
    return first["f"]


def _not(path: Path, why: str) -> Exception:
    return file_error(path, "is no trajectory with forces", why, "Run with nstfout = 1")
