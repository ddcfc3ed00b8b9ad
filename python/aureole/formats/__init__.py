# SPDX-License-Identifier: Apache-2.0
"""Files of particles. This import registers the formats, in the order in which errors list them."""

from __future__ import annotations

# isort: off
from .xtc import XTC
from .trr import TRR
from .dcd import DCD
from .gro import GRO
from .pdb import PDB
from .coordinates import Names
from .xyz import XYZ
from . import edr, gsd_format
from .frame import Format, Frame, Headless
from .registry import FileFormat, Given, Start, register

__all__ = ["DCD", "GRO", "PDB", "TRR", "XTC", "XYZ", "FileFormat", "Format", "Frame", "Given"]
__all__ += ["Headless", "Names", "Start", "edr", "gsd_format", "register"]
