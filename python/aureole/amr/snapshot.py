# SPDX-License-Identifier: Apache-2.0
"""Snapshot: all cells, in files that yt and ParaView open."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any

import numpy as np

from aureole.base.backups import back_up
from aureole.base.errors import bad_input, file_error
from aureole.base.file_locks import resolved
from aureole.base.text_files import replace
from aureole.base.user_warnings import warn
from aureole.live.live import Live
from aureole.live.observer import Observer, Recorder, text_path
from aureole.live.writer_thread import Writer
from aureole.specs.spec import checked, spec

from . import phdf
from .cells import CellsOfLeaves
from .fields import primitive_from_conserved
from .phdf import Frame

_HDF5 = b"\x89HDF\r\n\x1a\n"
#: Endings that users may write, and that the files have anyway.
_ENDINGS = (".phdf", ".xdmf", ".h5", ".hdf5")


@spec(kw_only=False)
class Snapshot(Observer):
    """Write all cells, one pair of files for each state.

    NAME.00000.phdf, NAME.00001.phdf, ... are HDF5 files in the layout of Parthenon, which yt opens
    (``yt.load``): density, velocity and pressure in double precision, the exact edges of all
    sub-grids, and the specs of the simulation. NAME.00000.xdmf, ... are for ParaView and VisIt.
    Files of an earlier run are replaced one by one, with a warning, or renamed to #NAME...# where a
    simulation of the same process has written them. A restart goes on with the next number; numbers
    of files that could not be written stay free.

    Args:
        path: the beginning of the names, which may have a folder
        every: steps between files; they are of steps divisible by it
        every_time: time between files, in place of `every`; each is of the first step that ends at
            or after a multiple of it

    It needs h5py: ``pip install 'aureole[fluids]'``.
    """

    _prefix = "amr."

    path: str = checked(text_path, "snapshot")
    every: int = 1000
    every_time: float | None = None
    holds = "snapshots"
    needs = "sub-grids"
    state_type = "OfSnapshots"

    def __post_init__(self) -> None:
        super().__post_init__()
        for ending in _ENDINGS:
            if self.path.endswith(ending):
                raise bad_input(
                    f"path of Snapshot is {self.path!r}",
                    "files get numbers and endings: NAME.00000.phdf and NAME.00000.xdmf",
                    f"Give {self.path.removesuffix(ending)!r}",
                )

    @property
    def files(self) -> tuple[str, ...]:
        return (self.file(0),)

    def file(self, number: int) -> str:
        """The name of a file."""
        return f"{self.path}.{number:05d}.phdf"

    def recognises(self, path: str, head: bytes) -> bool:
        return head.startswith(_HDF5)

    def recorder(self) -> SnapshotRecorder:
        return SnapshotRecorder(self)


#: Backups of one file, which a loop in a notebook may begin anew time and again.
MOST_BACKUPS = 9999
#: Files that simulations of this process have written, and by which recorder.
_WRITERS: dict[str, object] = {}


class SnapshotRecorder(Recorder):
    """Copies the cells at a step; the writer's thread makes the files."""

    spec: Snapshot

    def __init__(self, spec: Snapshot) -> None:
        super().__init__(spec)
        self._writer: Writer | None = None
        self._key = object()
        self._given = 0  # files that were begun: the numbers of those that failed stay free

    def recognise(self, state: dict[str, Any]) -> None:
        """Refuse to go on behind the files of another run, if the last one is there."""
        number, step = int(state.get("files", 0)) - 1, int(state.get("last", -1))
        path = self.spec.file(number)
        if number < 0 or not os.path.isfile(path):
            return
        found = phdf.step_of(path)
        if found is not None and found != step:
            raise file_error(
                path,
                f"is of step {found:,}",
                f"the run has written it at step {step:,}: another one has replaced it since",
                "Restart from the checkpoint of that one, or give observers with other names",
            )

    def open(self, sim: Live, writer: Writer, state: dict[str, Any] | None) -> None:
        super().open(sim, writer, state)
        phdf.library()
        self._writer = writer
        self._given = int((state or {}).get("files", 0))
        for path in self._files(r"\.new"):  # of a run that was killed
            with suppress(OSError):
                os.unlink(path)
        if state is None:
            self._spare_earlier_ones()

    def _files(self, more: str = "") -> list[str]:
        """The files of the series that are there."""
        folder, name = os.path.split(self.spec.path)
        wanted = re.compile(re.escape(name) + r"\.\d{5,}\.(?:phdf|xdmf)" + more)
        with suppress(OSError):
            found = sorted(filter(wanted.fullmatch, os.listdir(folder or ".")))
            return [os.path.join(folder, one) for one in found]
        return []

    def _spare_earlier_ones(self) -> None:
        """Files with numbers that the run does not reach would seem to be of it."""
        found = self._files()
        theirs = [path for path in found if _WRITERS.get(resolved(path), self._key) != self._key]
        back_up(theirs, MOST_BACKUPS)
        if theirs:
            warn(
                f"an earlier simulation of this process has written {theirs[0]} to {theirs[-1]}, "
                "which are kept as #...#"
            )
        if left := [path for path in found if path not in theirs]:
            warn(
                f"snapshots of an earlier run are in the folder, {left[0]} to {left[-1]}: this run "
                "replaces them one by one, and leaves those that it does not reach"
            )

    def observe(self, sim: Live, step: int) -> None:
        assert self._writer is not None, "a recorder is opened first"
        self.last = step
        frame, number = frame_of(sim), self._given
        self._given += 1
        self._writer.submit(lambda: self._write(frame, number), frame.primitive.nbytes)

    def _write(self, frame: Frame, number: int) -> None:
        path = self.spec.file(number)
        name = path.replace("\\", "/").rpartition("/")[2]
        replace(path, [phdf.hdf5(frame)])
        parts = (part.encode() for part in phdf.xdmf(frame, name))
        beside = path.removesuffix("phdf") + "xdmf"
        replace(beside, parts)
        _WRITERS[resolved(path)] = _WRITERS[resolved(beside)] = self._key

    def state(self) -> dict[str, Any]:
        return {"last": self.last, "files": self._given}


def frame_of(sim: Any) -> Frame:
    """The state of a simulation."""
    conserved = np.asarray(sim._core.conserved_of_leaves())
    return Frame(
        where=CellsOfLeaves(sim.mesh, np.asarray(sim._core.leaves())),
        primitive=primitive_from_conserved(conserved, sim.gas.gamma),
        gamma=sim.gas.gamma,
        step=int(sim.step),
        time=sim.time,
        dt=sim.dt,
        specs={name: getattr(sim, name).to_dict() for name in ("mesh", "gas", "scheme")}
        | {"refine": [one.to_dict() for one in sim.refine]},
    )
