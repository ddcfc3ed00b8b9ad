# SPDX-License-Identifier: Apache-2.0
"""Frames: trajectories in the formats of GROMACS and its neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import KW_ONLY
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.arrays import integers
from aureole.base.errors import bad_input
from aureole.base.values import integer, put
from aureole.engine.observed import Observed
from aureole.formats import FileFormat, Format, Start
from aureole.formats.registry import ending_of, endings_with, format_of
from aureole.formats.without_units import units_of
from aureole.live.observer import FileRecorder, Observer, Recorder, text_path
from aureole.live.writer_thread import Writer
from aureole.recorders.growing_file import Appended
from aureole.specs.spec import checked, positive, spec
from aureole.system.archive import is_stored_archive
from aureole.system.box import Box

from .frame_of_simulation import Columns, check_topology, frame_of, names_of, whole_of
from .gsd_frames import GSDRecorder
from .last_frame import try_frame

#: Columns of the engine that a frame may hold, and the arguments of `Frames` that ask for them.
COLUMNS = {"position": "positions", "velocity": "velocities", "force": "forces"}
_GSD = ".gsd"
_SPAN = re.compile(r"([0-9]{1,10})(?:-([0-9]{1,10}))?")


class FrameFile(Observer, family=""):
    """Base of the observers that write frames, in the format given by the file's extension."""

    path: str
    holds = "trajectory"
    needs = "particles"
    state_type = "OfFrames"

    @property
    def ending(self) -> str:
        """The extension of the file name, in lower case."""
        return ending_of(self.path)

    @property
    def format(self) -> FileFormat:
        """The format of the file. Raises InputError for an unknown extension."""
        known = format_of(self.path)
        if known is None or self.ending not in _endings():
            raise bad_input(
                f"path of {type(self).__name__} is {self.path!r}",
                "the file extension selects the format",
                f"Known: {', '.join(_endings())}; for others, import their modules first",
            )
        return known

    def recognises(self, path: str, head: bytes) -> bool:
        return self.format.recognises(head)

    def accepts(self, piece: bytes, first: bool) -> bool:
        if self.ending == _GSD:
            return is_stored_archive(piece)
        return self.format.recognises(piece) or not (first or self.format.each)


def _endings() -> list[str]:
    """Extensions of files that can be written; GSD files are not made of pieces."""
    return [*endings_with("writer"), _GSD]


@spec(kw_only=False)
class Frames(FrameFile):
    """Write particles to a trajectory file, in the format given by its extension.

    .xtc holds positions rounded to 1/precision [nm]; .trr positions, velocities and forces in
    single precision, each with its own interval; .dcd positions in single precision; .gro positions
    and velocities as text, .pdb positions as the models of one file, .xyz names and positions in
    angstroms (unscaled in reduced units). The origin is a corner of the box, except in .gsd: it
    has schema "hoomd" with types, masses, charges and bonds, positions in the box with images that
    unwrap them, velocities, and forces as ``log/particles/force``.

    Args:
        path: the file; an existing one is replaced; a restart continues it
        every: steps between frames; frames are at steps divisible by it
        precision: of .xtc, in steps per nanometre [1/nm]
        particles: tags of the particles to write, or ranges such as "0-99,120"; None for all
        positions, velocities, forces: whether to write them, if the format has them; for .trr also
            the number of steps between them, a multiple of `every`
        whole: whether molecules are made whole, with their centres in the box; otherwise every
            particle is in the box. In .gsd particles are always in the box, and their images
            unwrap whole molecules
    """

    path: str = checked(text_path, "trajectory.xtc")
    every: int = 1000
    _: KW_ONLY
    precision: float = positive(1000.0)
    particles: str | Iterable[int] | None = None
    positions: bool | int = True
    velocities: bool | int = False
    forces: bool | int = False
    whole: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.particles is not None:
            put(self, "particles", ranges(self.particles))
        put(self, "whole", bool(self.whole))
        self._check_format()
        for name in COLUMNS.values():
            self._check_interval(name)
        if not self.intervals:
            raise bad_input(
                f"{self.path} would hold neither positions nor velocities nor forces",
                "its frames would be empty",
                "Choose at least one of them",
            )

    def _check_interval(self, name: str) -> None:
        value = getattr(self, name)
        if isinstance(value, (bool, np.bool_)):
            value = bool(value)
        else:
            value = integer(value, f"{name} of Frames", low=0)
        steps = self.every if value is True else int(value)
        same = (self.every,) if name == "positions" else (0, self.every)
        if not self.format.varied and steps not in same:
            raise bad_input(
                f"{name} of Frames is {value}, but frames are written every {self.every} steps",
                f"all frames of {self.ending} hold the same data, including positions",
                "Write .trr, or give True",
            )
        if steps % self.every:
            raise bad_input(
                f"{name} of Frames is {steps}",
                f"frames are written every {self.every} steps",
                "Give a multiple of that",
            )
        put(self, name, value)

    def _check_format(self) -> None:
        offered = self.format.holds
        for name, wanted in (("velocity", self.velocities), ("force", self.forces)):
            if wanted and name not in offered:
                known = ((ending, format_of(f"a{ending}")) for ending in _endings())
                have = " or ".join(ending for ending, one in known if one and name in one.holds)
                raise bad_input(
                    f"{self.path} cannot hold the {name} of particles",
                    f"the format {self.ending} does not store it",
                    f"Write {have}",
                )

    @property
    def intervals(self) -> dict[str, int]:
        """Steps between positions, velocities and forces, by column; without those not written."""
        wanted = {column: getattr(self, name) for column, name in COLUMNS.items()}
        return {
            column: self.every if steps is True else int(steps)
            for column, steps in wanted.items()
            if steps
        }

    def tags(self, n: int) -> NDArray[np.int64] | None:
        """The particles of `n` that are written; None for all."""
        if self.particles is None:
            return None
        spans = _spans(str(self.particles))
        if spans[-1][1] >= n:
            raise bad_input(
                f"particles of Frames names particle {spans[-1][1]}",
                f"there are {n}, counted from 0",
                "Choose from these",
            )
        return np.concatenate([np.arange(first, last + 1) for first, last in spans])

    def recorder(self) -> Recorder:
        if self.ending != _GSD:
            return FramesRecorder(self)
        fields = ("position", "image", *(name for name in self.intervals if name != "position"))
        return GSDRecorder(self, self.path, fields, self.tags, self.whole)


def ranges(particles: str | Iterable[int]) -> str:
    """Sorted tags as text with ranges, "0-99,120"."""
    try:
        if isinstance(particles, str):
            spans = sorted(_spans(particles))
        else:
            tags = integers(_listed(particles), "particles of Frames", np.int64)
            spans = [(tag, tag) for tag in np.unique(tags).tolist()] if tags.ndim == 1 else []
    except (TypeError, ValueError):
        raise _no_tags(particles) from None
    if not spans or spans[0][0] < 0 or any(last < first for first, last in spans):
        raise _no_tags(particles)
    merged = [spans[0]]
    for first, last in spans[1:]:
        if first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in merged)


def _listed(particles: Any) -> Any:
    return particles if isinstance(particles, np.ndarray) else list(particles)


def _spans(text: str) -> list[tuple[int, int]]:
    """First and last tag of each range of a text; raises ValueError for other texts."""
    found = [_SPAN.fullmatch(part.strip()) for part in text.split(",")]
    if not all(found):
        raise ValueError(text)
    return [(int(one[1]), int(one[2] or one[1])) for one in found if one is not None]


def _no_tags(value: object) -> Exception:
    text = repr(value)
    return bad_input(
        f"particles of Frames is {text if len(text) < 60 else text[:57] + '...'}",
        "at least one tag, counted from 0, is needed",
        'Give a list of tags, or ranges such as "0-99,120"',
    )


class FramesRecorder(FileRecorder):
    """Copies columns at a step; all else happens on the writer's thread."""

    spec: Frames

    def __init__(self, spec: Frames) -> None:
        super().__init__(spec)
        self.frames = 0
        self._first = -1  # step of the first frame
        self.file = Appended(spec.path)
        self._intervals = spec.intervals

    def open(self, sim: Observed, writer: Writer, state: dict[str, Any] | None) -> None:
        super().open(sim, writer, state)
        state = state if state and "first" in state else None  # of a run that never began
        spec = self.spec
        check_topology(sim, state, spec.path)
        self._molecular, self._physical = sim.topology is not None, sim.units.physical
        self._tags = spec.tags(sim.n)
        self._whole = whole_of(sim, spec.whole)
        after = -(-sim.step // spec.every) * spec.every
        self._first = after if state is None else int(state["first"])
        assert spec.format.writer is not None, "a file of frames"
        self._format: Format = spec.format.writer(self._start(sim, self._tags, self._first))
        head = self._format.head()
        # A header is the first record of the file.
        self.file = Appended(spec.path, (lambda k: self._format.count(k - 1)) if head else None)
        self.file.open(writer, state, head)
        self.frames = self.file.count - (1 if head else 0)

    def check(self, sim: Observed) -> None:
        spec, tags = self.spec, self.spec.tags(sim.n)
        if spec.format.narrow:
            start = self._start(sim, tags, sim.step)
            wanted = self._intervals.keys() - {"force"}  # which would have to be computed
            columns: Columns = {name: sim.get(name) for name in wanted}
            whole = whole_of(sim, spec.whole)
            frame = frame_of(sim.step, sim.time, sim.box, columns, whole=whole, tags=tags)
            try_frame(spec.format, start, frame)

    def _start(self, sim: Observed, tags: NDArray[np.int64] | None, first: int) -> Start:
        spec = self.spec
        return Start(
            path=spec.path,
            n=sim.n if tags is None else len(tags),
            every=spec.every,
            dt=sim.dt,
            first=first,
            precision=spec.precision,
            physical=sim.units.physical,
            names=lambda: names_of(sim) if tags is None else names_of(sim).of(tags),
        )

    def next_step(self, step: int) -> int:
        return min((step // every + 1) * every for every in self._intervals.values())

    def is_due(self, step: int) -> bool:
        due = any(step % every == 0 for every in self._intervals.values())
        return due and step != self.last

    def observe(self, sim: Observed, step: int) -> None:
        columns: Columns = {
            name: sim.get(name) for name, every in self._intervals.items() if step % every == 0
        }
        self.last = step  # taken, even if an earlier job's failure is raised below
        make = partial(self._made, step, sim.time, sim.box, columns, self.frames)
        self.frames += 1
        size = sum(column.nbytes for column in columns.values())
        self.file.put(make, size, f"the frame of step {step}")

    def _made(self, step: int, time: float, box: Box, columns: Columns, number: int) -> bytes:
        frame = frame_of(
            *(step, time, box, columns), whole=self._whole, tags=self._tags, number=number
        )
        with units_of(self._physical):
            return self._format.frame(frame)

    def state(self) -> dict[str, Any]:
        if self._first < 0:
            return super().state()
        more = {"frames": self.file.pieces, "first": self._first, "molecular": self._molecular}
        return super().state() | self.file.state() | more
