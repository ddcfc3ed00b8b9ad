# SPDX-License-Identifier: Apache-2.0
"""Extended .xyz files: names and positions as text."""

from __future__ import annotations

from .coordinates import Names
from .frame import Frame, Headless
from .registry import FileFormat, register

_ANGSTROMS = 10.0  # in a nanometre


class XYZ(Headless):
    """Frames as extended .xyz files, which ASE, OVITO and VMD read: names and positions.

    Args:
        names: of the particles
        scale: lengths of the file in one of the frame's: 10 for angstroms from nanometres
    """

    def __init__(self, names: Names, scale: float) -> None:
        self.names, self.scale = names, scale

    def frame(self, frame: Frame) -> bytes:
        assert frame.position is not None, "it always holds them"
        words = ["_".join(name.split()) or "X" for name in self.names.name.words]
        rows = zip(
            self.names.name.index.tolist(), (self.scale * frame.position).tolist(), strict=True
        )
        lattice = " ".join(f"{length:.10g}" for length in (self.scale * frame.box).ravel())
        head = (
            f'{len(frame.position)}\nLattice="{lattice}" Properties=species:S:1:pos:R:3 '
            f"Time={frame.time:.10g} Step={frame.step}\n"
        )
        lines = [f"{words[name]} {x:.6f} {y:.6f} {z:.6f}\n" for name, (x, y, z) in rows]
        return (head + "".join(lines)).encode()


register(
    FileFormat(
        endings=(".xyz",),
        begins=rb'[0-9]+\nLattice="',
        writer=lambda start: XYZ(start.names(), _ANGSTROMS if start.physical else 1.0),
    )
)
