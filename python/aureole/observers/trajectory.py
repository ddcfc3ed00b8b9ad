# SPDX-License-Identifier: Apache-2.0
"""Trajectory: frames in a GSD file that OVITO, freud and HOOMD-blue read."""

from __future__ import annotations

import base64
import io
import os
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import gsdfile
from ..box import Box
from ..errors import FileError, bad_input, file_error, nearest
from ..spec import put, words
from .base import Observer, Recorder, text_path
from .writer import Writer

if TYPE_CHECKING:
    from ..simulation import Simulation

Columns = dict[str, NDArray[Any]]
Frame = tuple[int, Box, Columns, tuple[NDArray[Any], NDArray[Any], tuple[str, ...]] | None]

STANDARD = ("position", "velocity", "image")
LOGGED = ("force", "energy", "virial")


@dataclass(frozen=True)
class Trajectory(Observer, family="observer"):
    """Write particles to a GSD file (schema "hoomd", single precision).

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

    def recorder(self) -> TrajectoryRecorder:
        return TrajectoryRecorder(self)


class TrajectoryRecorder(Recorder):
    """Copies columns at a step; wrapping, rounding and writing happen on the writer's thread."""

    spec: Trajectory

    def __init__(self, spec: Trajectory) -> None:
        super().__init__(spec)
        self.frames = 0
        self._waiting: deque[Frame] = deque()
        self._file: Any = None

    def open(self, sim: Simulation, writer: Writer, state: dict[str, Any] | None) -> None:
        super().open(sim, writer, state)
        self._writer = writer
        path = self.spec.path
        frames = int(state.get("frames", 0)) if state else 0
        try:
            if frames and os.path.exists(path):
                gsdfile.keep_frames(path, frames)
                self._file = gsdfile.gsd.fl.open(path, "r+")
                self.frames = frames
            else:
                self._file = gsdfile.create(path)
        except (OSError, RuntimeError) as error:
            if isinstance(error, FileError):
                raise
            raise file_error(
                path, "cannot be opened for writing", error, "Check the folder and its rights"
            ) from None
        for text in (state or {}).get("waiting", ()):
            self._put(sim, *_unpacked(text))

    def observe(self, sim: Simulation, step: int) -> None:
        columns = {name: sim.get(name) for name in {"position", "image", *self.spec.fields}}
        self.last = step  # taken, even if an earlier job's failure is raised below
        self._put(sim, step, columns)

    def _put(self, sim: Simulation, step: int, columns: Columns) -> None:
        static = (sim.get("type"), sim.get("mass"), sim.type_names) if self.frames == 0 else None
        self._waiting.append((step, sim.box, columns, static))
        self.frames += 1  # before submit, which may raise: frames count those that wait
        self._writer.submit(self._write, sum(column.nbytes for column in columns.values()))

    def _write(self) -> None:
        step, box, columns, static = self._waiting[0]
        position, turns = box.wrap(columns["position"])
        columns = columns | {"position": position, "image": columns["image"] + turns}
        fields = tuple(name for name in STANDARD if name in self.spec.fields)
        chunks = gsdfile.frame_chunks(step, box, {name: columns[name] for name in fields}, static)
        for name in self.spec.fields:
            if name in LOGGED:
                chunks.append((f"log/particles/{name}", np.asarray(columns[name], np.float32)))
        try:
            gsdfile.append(self._file, chunks)
        except (OSError, RuntimeError) as error:
            raise file_error(
                self.spec.path, f"cannot take the frame of step {step}", error, "Free space there"
            ) from None
        self._waiting.popleft()

    def sync(self) -> None:
        if self._file is not None:
            self._file.flush()
            gsdfile.sync(self.spec.path)

    def state(self) -> dict[str, Any]:
        state = super().state() | {"frames": self.frames - len(self._waiting)}
        if self._waiting:
            state["waiting"] = [_packed(step, columns) for step, _, columns, _ in self._waiting]
        return state

    def close(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            file.close()


def _packed(step: int, columns: Columns) -> str:
    """A frame that could not be written, as text for a checkpoint."""
    memory = io.BytesIO()
    np.savez(memory, step=np.int64(step), **columns)
    return base64.b85encode(memory.getvalue()).decode()


def _unpacked(text: str) -> tuple[int, Columns]:
    with np.load(io.BytesIO(base64.b85decode(text))) as data:
        columns = {name: data[name] for name in data.files}
    return int(columns.pop("step")), columns
