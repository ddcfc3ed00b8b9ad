# SPDX-License-Identifier: Apache-2.0
"""Writing frames to GSD files: by `Trajectory`, and by `Frames` whose name ends in .gsd."""

from __future__ import annotations

import base64
import io
import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import FormatError, file_error, output_advice
from aureole.base.files import Place, sync
from aureole.engine.observed import Observed
from aureole.formats import gsd
from aureole.formats.gsd_molecules import first_chunks, left_out
from aureole.formats.gsd_tuples import Chunk
from aureole.formats.single_precision import SAID, singles
from aureole.live.observer import Observer, Recorder
from aureole.live.writer_thread import Writer
from aureole.recorders.growing_file import leave, opening
from aureole.system.box import Box

from .frame_of_simulation import check_topology, whole_of

Columns = dict[str, NDArray[Any]]
Static = tuple[NDArray[Any], NDArray[Any], tuple[str, ...]]
First = tuple[Static | None, list[Chunk]]

STANDARD = ("position", "velocity", "image")
LOGGED = ("force", "energy", "virial")


class GSDRecorder(Recorder):
    """Copies columns at a step; wrapping, rounding and writing happen on the writer's thread.

    The first frame also holds charges and bonded tuples, so that `read` makes a system of any
    frame.

    Args:
        spec: the spec whose live part this is
        path: the file
        fields: of `STANDARD` and `LOGGED`
        tags: returns the particles of n that are written; None for all
        whole: whether molecules are in one piece once images unwrap them
    """

    def __init__(
        self,
        spec: Observer,
        path: str,
        fields: tuple[str, ...],
        tags: Callable[[int], NDArray[np.int64] | None] = lambda n: None,
        whole: bool = False,
    ) -> None:
        super().__init__(spec)
        self.path, self.fields = path, fields
        self._choose, self._wanted = tags, whole
        self.frames = 0
        self._waiting: deque[tuple[int, Box, Columns, First]] = deque()
        self._file: Any = None
        self._place: Place | None = None
        self._molecular = self._physical = False
        self._digest: str | None = None  # of the last frame in the file

    def recognise(self, state: dict[str, Any]) -> None:
        frames = int(state.get("frames", 0))
        if frames and os.path.exists(self.path):
            gsd.recognise(self.path, frames, state.get("digest"))

    def open(self, sim: Observed, writer: Writer, state: dict[str, Any] | None) -> None:
        super().open(sim, writer, state)
        self._writer, path = writer, self.path
        check_topology(sim, state, path)
        self._molecular, self._physical = sim.topology is not None, sim.units.physical
        self._tags, self._whole = self._choose(sim.n), whole_of(sim, self._wanted)
        frames = int(state.get("frames", 0)) if state else 0
        with opening(path):
            if frames and os.path.exists(path):
                gsd.keep_frames(path, frames, (state or {}).get("size"))
                self._file = gsd.opened(path, "r+")
                self.frames, self._digest = frames, (state or {}).get("digest")
            else:
                self._file = gsd.create(path)
            self._place = Place(path)
        for text in (state or {}).get("waiting", ()):
            self._put(sim, *_unpacked(text))

    def observe(self, sim: Observed, step: int) -> None:
        columns = {name: sim.get(name) for name in {"position", "image", *self.fields}}
        self.last = step  # taken, even if an earlier job's failure is raised below
        self._put(sim, step, columns)

    def _put(self, sim: Observed, step: int, columns: Columns) -> None:
        first = self._first(sim) if self.frames == 0 else (None, [])
        self._waiting.append((step, sim.box, columns, first))
        self.frames += 1  # before submit, which may raise: frames count those that wait
        self._writer.submit(self._write, sum(column.nbytes for column in columns.values()))

    def _first(self, sim: Observed) -> First:
        """The static columns and the chunks that only the first frame holds."""
        static = (self._kept(sim.get("type")), self._kept(sim.get("mass")), sim.type_names)
        fields, topology = sim.static_fields, sim.topology
        charge = np.zeros(sim.n) if topology is None else sim.get("charge")
        missing = [*left_out(fields), *(f"column {name!r}" for name in sim.user_columns)]
        return static, first_chunks(fields, charge, topology, tags=self._tags, missing=missing)

    def _kept(self, column: NDArray[Any]) -> NDArray[Any]:
        return column if self._tags is None else column[self._tags]

    def _write(self) -> None:
        step, box, columns, (static, more) = self._waiting[0]
        columns = columns | self._placed(box, columns["position"], columns["image"])
        columns = {name: self._kept(columns[name]) for name in self.fields}
        try:
            for name in SAID.keys() & columns.keys():
                columns[name] = singles(self.path, name, columns[name], "f4", self._physical)
        except FormatError as error:
            problem = f"cannot store the frame of step {step}"
            raise FormatError(self.path, problem, error.why, error.suggestion) from None
        fields = {name: columns[name] for name in STANDARD if name in columns}
        chunks = gsd.frame_chunks(step, box, fields, static) + more
        for name in self.fields:
            if name in LOGGED:
                chunks.append((f"log/particles/{name}", columns[name]))
        try:
            gsd.append(self._file, chunks)
        except (OSError, RuntimeError) as error:
            raise file_error(
                self.path, f"cannot store the frame of step {step}", error, output_advice(error)
            ) from None
        self._digest = gsd.digest(chunks)
        self._waiting.popleft()

    def _placed(self, box: Box, position: NDArray[Any], image: NDArray[Any]) -> Columns:
        """Particles in the box, and the images that unwrap them.

        Where molecules are to be whole, the images of each root unwrap its molecule as one piece.
        """
        if self._whole is None:
            wrapped, turns = box.wrap(position)
            return {"position": wrapped, "image": image + turns}
        placed = self._whole.place(box, position)
        moved = np.rint(box.fractions(placed) - box.fractions(position)).astype(np.int32)
        wrapped, turns = box.wrap(placed)
        return {"position": wrapped, "image": turns + (image - moved)[self._whole.root]}

    def sync(self) -> None:
        if self._file is not None:
            self._file.flush()
            if self._place is not None:
                self._place.check()
            sync(self.path)

    def state(self) -> dict[str, Any]:
        state = super().state() | {
            "frames": self.frames - len(self._waiting),
            "molecular": self._molecular,
            "digest": self._digest,
        }
        if self._file is not None:
            with suppress(OSError):
                state["size"] = os.path.getsize(self.path)
        if self._waiting:
            state["waiting"] = [_packed(step, columns) for step, _, columns, _ in self._waiting]
        return state

    def close(self) -> None:
        file, place, self._file, self._place = self._file, self._place, None, None
        leave(file, place)


def _packed(step: int, columns: Columns) -> str:
    """A frame that could not be written, as text for a checkpoint."""
    memory = io.BytesIO()
    np.savez(memory, step=np.int64(step), **columns)
    return base64.b85encode(memory.getvalue()).decode()


def _unpacked(text: str) -> tuple[int, Columns]:
    with np.load(io.BytesIO(base64.b85decode(text))) as data:
        columns = {name: data[name] for name in data.files}
    return int(columns.pop("step")), columns
