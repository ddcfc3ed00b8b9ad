# SPDX-License-Identifier: Apache-2.0
"""Trajectory: frames in a file whose extension selects the format."""

from __future__ import annotations

from typing import ClassVar

from aureole.base.errors import bad_input, nearest
from aureole.base.values import put, words
from aureole.live.observer import Recorder, text_path
from aureole.specs.spec import checked, spec

from .frames import FrameFile, Frames
from .gsd_frames import LOGGED, STANDARD, GSDRecorder

_DEFAULT = tuple(dict.fromkeys(("position", *STANDARD)))


@spec(kw_only=False)
class Trajectory(FrameFile):
    """Write particles to a trajectory file, in the format given by its extension.

    A .gsd file, which OVITO, freud and HOOMD-blue read, has schema "hoomd" in single precision.
    Its first frame also holds types, masses, charges, and bonds, angles, ... by their names,
    constraints and exclusions, so that `read` makes a system of any frame; of a topology it holds
    charges and bonds. For .xtc, .trr, .dcd, .gro, .pdb and .xyz this is `Frames`, which has more
    options.

    Args:
        path: the file; an existing one is replaced; a restart continues it
        every: steps between frames, or a time such as "1 ps"; frames are at steps divisible by it
        fields: of "position" (always), "velocity", "image", "force", "energy", "virial"; the last
            three are stored as logged quantities, ``log/particles/force`` and so on. Formats other
            than .gsd have positions; .trr has velocities and forces if they are listed
    """

    _of_others: ClassVar = dict.fromkeys(
        ("particles", "filter"), "Give the tags as `particles` to Frames, which writes .gsd too"
    )
    path: str = checked(text_path, "trajectory.gsd")
    every: int = 1000
    fields: tuple[str, ...] = checked(words, STANDARD)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.fields:
            if name not in STANDARD + LOGGED:
                raise bad_input(
                    f"unknown field {name!r} of Trajectory",
                    "particles have no such column",
                    nearest(str(name), STANDARD + LOGGED),
                )
        put(self, "fields", tuple(dict.fromkeys(("position", *self.fields))))
        self.as_frames()  # says what is wrong with another format

    def as_frames(self) -> Frames | None:
        """These frames as `Frames`, for formats other than .gsd."""
        offered, ending, fields = self.format.holds, self.ending, set(self.fields)
        if ending == ".gsd":
            return None
        if self.fields == _DEFAULT:
            fields &= {"position", *offered}
        for name in ("energy", "virial"):
            if name in fields:
                raise bad_input(
                    f"{self.path} cannot hold the field {name!r} of Trajectory",
                    f"the format {ending} does not store it",
                    "Write .gsd",
                )
        wanted = {"velocities": "velocity" in fields, "forces": "force" in fields}
        return Frames(self.path, self.every, **wanted)  # type: ignore[arg-type]

    def recorder(self) -> Recorder:
        frames = self.as_frames()
        if frames is not None:
            return frames.recorder()
        return GSDRecorder(self, self.path, self.fields)
