# SPDX-License-Identifier: Apache-2.0
"""Trajectory files that other programs read: frames in, bytes out."""

from .dcd import DCD
from .frame import Format, Frame
from .text import GRO, PDB, Names
from .trr import TRR
from .xtc import XTC

#: Endings of names, with what a frame can hold besides positions.
ENDINGS: dict[str, tuple[str, ...]] = {
    ".xtc": (),
    ".trr": ("velocity", "force"),
    ".dcd": (),
    ".gro": ("velocity",),
    ".pdb": (),
    ".gsd": ("velocity", "force"),
}

__all__ = ["DCD", "ENDINGS", "GRO", "PDB", "TRR", "XTC", "Format", "Frame", "Names"]
