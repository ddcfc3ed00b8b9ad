# SPDX-License-Identifier: Apache-2.0
"""Trajectory: frames in a GSD file that OVITO, freud and HOOMD-blue read."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import bad_input, nearest
from ..spec import put, words
from .base import Observer, text_path
from .gsdrecorder import LOGGED, STANDARD, GSDRecorder


@dataclass(frozen=True)
class Trajectory(Observer, family="observer"):
    """Write particles to a GSD file (schema "hoomd", single precision).

    The first frame of molecules also holds their charges and bonds.

    Args:
        path: the file; an older one is replaced, after a restart it is continued
        every: steps between frames; frames are at steps divisible by it
        fields: of "position" (always), "velocity", "image", "force", "energy", "virial"; the last
            three are stored as logged quantities, ``log/particles/force`` and so on
    """

    path: str = "trajectory.gsd"
    every: int = 1000
    fields: tuple[str, ...] = STANDARD

    def __post_init__(self) -> None:
        super().__post_init__()
        put(self, "path", text_path(self.path, "Trajectory"))
        fields = words(self.fields, "fields of Trajectory")
        for name in fields:
            if name not in STANDARD + LOGGED:
                raise bad_input(
                    f"unknown field {name!r} of Trajectory",
                    "particles have no such column",
                    nearest(str(name), STANDARD + LOGGED),
                )
        put(self, "fields", tuple(dict.fromkeys(("position", *fields))))

    def recorder(self) -> GSDRecorder:
        return GSDRecorder(self, self.path, self.fields)
