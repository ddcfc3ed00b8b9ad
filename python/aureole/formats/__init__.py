# SPDX-License-Identifier: Apache-2.0
"""Trajectory files that other programs read: frames in, bytes out."""

from .dcd import DCD
from .frame import Format, Frame
from .text import GRO, PDB, XYZ, Names
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
