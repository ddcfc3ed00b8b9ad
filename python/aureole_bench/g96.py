# SPDX-License-Identifier: Apache-2.0
"""The last frame of mdrun in GROMOS-96 form, which keeps nine decimals of positions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from aureole.base.errors import file_error
from aureole.formats.coordinates import Coordinates
from numpy.typing import NDArray

_NAMES = 24  # columns before the numbers of an atom


def final_frame(path: Path, names: Coordinates) -> Coordinates:
    """Coordinates with positions, velocities and box of a .g96 file, and the names given.

    Raises FileError where a block is missing or the numbers of particles differ.
    """
    blocks = _blocks(path.read_text())
    position, velocity = (_atoms(blocks.get(key, [])) for key in ("POSITION", "VELOCITY"))
    edges = [float(word) for word in " ".join(blocks.get("BOX", [])).split()]
    if position.shape != (names.n, 3) or velocity.shape != position.shape or len(edges) != 3:
        raise file_error(
            path,
            "is no final frame",
            f"{names.n} positions, as many velocities and a rectangular box are needed",
            "Remove its folder and start again",
        )
    return replace(names, position=position, velocity=velocity, box=np.diag(edges))


def _blocks(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line in text.splitlines():
        if line.strip() == "END":
            lines = None
        elif lines is None:
            lines = found.setdefault(line.strip(), [])
        else:
            lines.append(line)
    return found


def _atoms(lines: list[str]) -> NDArray[np.float64]:
    return np.array([line[_NAMES:].split() for line in lines], dtype=float)
