# SPDX-License-Identifier: Apache-2.0
"""Forces in GROMACS' full-precision trajectories (.trr), which are big-endian numbers (XDR)."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import file_error

_MAGIC = 1993
_HEAD = 13  # sizes of the blocks, then atoms, step and the number of energies
_BOX, _VIRIAL, _PRESSURE, _X, _V, _F, _ATOMS = 2, 3, 4, 7, 8, 9, 10


def first_forces(path: Path) -> NDArray[np.float64]:
    """(n, 3) forces of the first frame [kJ/mol/nm]; raises FileError where there are none."""
    data = path.read_bytes()
    try:
        magic, _, length = struct.unpack_from(">iii", data, 0)
        start = 12 + (length + 3) // 4 * 4
        sizes = struct.unpack_from(f">{_HEAD}i", data, start)
    except struct.error:
        raise _not(path, "it is too short") from None
    if magic != _MAGIC:
        raise _not(path, f"its first number is not {_MAGIC}")
    n = sizes[_ATOMS]
    if n <= 0 or sizes[_F] not in (12 * n, 24 * n):
        raise _not(path, "its first frame holds no forces")
    width = sizes[_F] // (3 * n)
    # Time and lambda follow the sizes; box, virial, pressure, x and v stand before the forces.
    start += 4 * _HEAD + 2 * width + sum(sizes[k] for k in (_BOX, _VIRIAL, _PRESSURE, _X, _V))
    if len(data) < start + sizes[_F]:
        raise _not(path, "it ends within the first frame")
    forces = np.frombuffer(data, dtype=f">f{width}", count=3 * n, offset=start)
    return forces.reshape(n, 3).astype(np.float64)


def _not(path: Path, why: str) -> Exception:
    return file_error(path, "is no trajectory with forces", why, "Run with nstfout = 1")
