# SPDX-License-Identifier: Apache-2.0
"""The files that a run writes, with their intervals and names."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from aureole.formats.registry import format_of
from aureole.gromacs.groups import Group, find_group
from aureole.gromacs.job import Job
from aureole.gromacs.mdp.parameters import RunParameters
from aureole.live.observer import Observer
from aureole.observers.energies import Energies
from aureole.observers.frames import Frames
from aureole.observers.run_log import RunLog
from aureole.recorders.wall_time import TimedCheckpoint

NEVER = 2**62  # steps
#: Options with the intervals of positions, velocities and forces.
_INTERVALS = ("nstxout", "nstvout", "nstfout")


@dataclass(frozen=True)
class Names:
    """Names of the files of a run.

    Args:
        frames: positions, velocities and forces
        compressed: positions alone
        energies: a table
        edr: energies for gmx energy; None for none
        log: for people
        final: the last frame; None for none
        checkpoint: state from which the run can go on
    """

    frames: str = "traj.trr"
    compressed: str = "traj_comp.xtc"
    energies: str = "ener.csv"
    log: str = "md.log"
    final: str | None = "confout.gro"
    checkpoint: str = "state.cpt"
    edr: str | None = None

    @property
    def tables(self) -> list[str]:
        """The files of energies."""
        return [self.energies, *filter(None, [self.edr])]

    def part(self, number: int) -> Names:
        """The names for a part of a run: md.part0002.log; the checkpoint keeps its name."""
        given = {name: path for name, path in vars(self).items() if path is not None}
        changed = {name: numbered(path, number) for name, path in given.items()}
        return replace(self, **changed | {"checkpoint": self.checkpoint})


def numbered(path: str, part: int) -> str:
    """The name of a part of a file."""
    stem, ending = os.path.splitext(path)
    return f"{stem}.part{part:04d}{ending}"


def observers_of(
    job: Job,
    names: Names,
    minutes: float,
    notes: Sequence[str] = (),
    timed_from: int | None = None,
) -> list[Observer]:
    """The observers that write what an .mdp file asks for.

    Args:
        job: with its intervals and groups
        names: of the files
        minutes: between checkpoints; 0 for the last alone
        notes: for the log
        timed_from: step at which the timing of the log starts; None for the start of the run
    """
    p = job.parameters
    found: list[Observer] = []
    if _common(p):
        found.append(_full(names.frames, p))
    if p["nstxout-compressed"]:
        found.append(
            Frames(
                names.compressed,
                every=p["nstxout-compressed"],
                precision=p["compressed-x-precision"],
                particles=_chosen(p["compressed-x-grps"], job.groups),
            )
        )
    if p["nstenergy"]:
        found += [Energies(table, every=p["nstenergy"]) for table in names.tables]
    found.append(
        RunLog(
            names.log,
            every=p["nstlog"] or NEVER,
            inputs=job.files,
            notes=(*notes, *job.remarks),
            outputs={} if names.final is None else {"last_frame": names.final},
            timed_from=timed_from,
        )
    )
    found.append(TimedCheckpoint(names.checkpoint, minutes=minutes))
    return found


def rerun_observers(job: Job, names: Names, path: str, notes: Sequence[str] = ()) -> list[Observer]:
    """The observers of a rerun: energies, positions with forces, and a log.

    Args:
        job: with its files and remarks
        names: of the files
        path: the trajectory
        notes: for the log
    """
    return [
        *(Energies(table, every=1) for table in names.tables),
        Frames(names.frames, every=1, forces=True),
        RunLog(
            names.log, every=1, inputs={**job.files, "rerun": path}, notes=(*notes, *job.remarks)
        ),
    ]


def _full(path: str, p: RunParameters) -> Frames:
    """Positions, velocities and forces, each at its own steps where the format allows it."""
    every = _common(p)
    positions, velocities, forces = (p[name] for name in _INTERVALS)
    if not _is_varied(path):
        return Frames(path, every=every, velocities=velocities > 0, forces=forces > 0)
    return Frames(path, every=every, positions=positions, velocities=velocities, forces=forces)


def remarks_on(p: RunParameters, path: str) -> list[str]:
    """Remarks for readers of the frames.

    Args:
        p: what the .mdp file asks for
        path: of the file with positions, velocities and forces
    """
    wanted = {name: p[name] for name in _INTERVALS if p[name]}
    if not wanted or all(every == p["nstxout"] for every in wanted.values()):
        return []
    words = ", ".join(f"{name} = {every}" for name, every in wanted.items())
    if not _is_varied(path):
        return [
            f"{words}: all are written every {_common(p)} steps, with positions, because all "
            f"frames of {path} hold the same data; those of a .trr file may differ"
        ]
    if p["nstxout"] == _common(p):
        return []
    return [
        f"{words}: some frames of {path} have no positions, as in GROMACS; gmx and MDAnalysis "
        "handle them, but MDTraj shows meaningless positions there"
    ]


def _is_varied(path: str) -> bool:
    known = format_of(path)
    return known is not None and known.varied


def _common(p: RunParameters) -> int:
    """Greatest common divisor of the output intervals; 0 if nothing is written."""
    return math.gcd(*(p[name] for name in _INTERVALS))


def _chosen(names: Sequence[str], groups: Sequence[Group]) -> NDArray[np.int64] | None:
    """Particles of the named groups, each once and in order; None for all."""
    if not names:
        return None
    parts = [find_group(name, None, groups).particles for name in names]
    return np.unique(np.concatenate(parts)).astype(np.int64)


def files_of(observers: Iterable[Observer]) -> list[str]:
    """The files that observers write, twins too; checkpoints keep their generations themselves."""
    return [path for spec in observers if not spec.previous for path in spec.files]
