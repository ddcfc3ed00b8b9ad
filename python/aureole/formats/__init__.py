# SPDX-License-Identifier: Apache-2.0
"""Trajectory files that other programs read: frames in, bytes out."""

from __future__ import annotations

from .coordinates import XYZ, Names
from .dcd import DCD
from .frame import Format, Frame
from .gro import GRO
from .pdb import PDB
from .trr import TRR
from .xtc import XTC

#: Endings of names, with what a frame can hold besides positions.
ENDINGS: dict[str, tuple[str, ...]] = {
    ".xtc": (),
    ".trr": ("velocity", "force"),
    ".dcd": (),
    ".gro": ("velocity",),
    ".pdb": (),
    ".xyz": (),
    ".gsd": ("velocity", "force"),
}

__all__ = ["DCD", "ENDINGS", "GRO", "PDB", "TRR", "XTC", "XYZ", "Format", "Frame", "Names"]
