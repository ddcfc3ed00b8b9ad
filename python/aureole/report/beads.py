# SPDX-License-Identifier: Apache-2.0
"""Particles of a run that are known by their types, not as atoms: the last frame of .gsd, .xyz and
.dcd files, and the beads of coarse-grained molecules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import InputError, bad_input, file_error
from aureole.formats.coordinates import Coordinates
from aureole.formats.gsd import GSDReader
from aureole.formats.gsd_check import damaged
from aureole.formats.gsd_format import frame_of as frame_of_gsd
from aureole.formats.registry import ending_of
from aureole.system.find_molecules import components
from aureole.system.topology import Labels

from . import pair_distribution
from .files import OF_PARTICLES
from .frames import Frame, frame_of, trajectory

#: Formats whose particles have types, or nothing that tells them apart.
ENDINGS = OF_PARTICLES
#: Angstroms of chemfiles in the length of a file that has reduced units.
_ANGSTROMS = 10.0
#: Largest distance of g(r) in mean spacings of particles, where half of the box allows it.
_EXTENT = 9.0
_MOST_PAIRS = 2e7
#: Widths of bins in mean spacings; the narrow ones for at least so many centres in all frames.
_NARROW, _WIDE, _CENTRES = 0.02, 0.05, 10_000
_SHOWN = 6  # pairs of types


@dataclass(frozen=True, eq=False)
class Molecules:
    """Molecules whose particles are beads.

    Args:
        residue: (n,) residue of each particle; pairs within one residue are not counted in g(r)
        water: (n,) whether a particle is water
        diameters: (t,) of the types [nm], NaN where no file tells them
        bonds_known: whether a file tells the bonds
    """

    residue: NDArray[np.int64]
    water: NDArray[np.bool_]
    diameters: NDArray[np.float64]
    bonds_known: bool


@dataclass(frozen=True, eq=False)
class Beads:
    """Particles of one frame.

    Args:
        names: the particles, each a residue of its own, named by their types
        frame: the frame
        bonds: (m, 2) particles that the file joins
        flat: whether the file has two dimensions
        step: of the frame
        frames: number of frames of the file
        molecules: facts about the molecules, if the particles are beads of molecules
    """

    names: Coordinates
    frame: Frame
    bonds: NDArray[np.int64]
    flat: bool = False
    step: int = 0
    frames: int = 0
    molecules: Molecules | None = None

    @property
    def type_names(self) -> tuple[str, ...]:
        """Names of all types."""
        return tuple(self.names.name.words)

    @property
    def type(self) -> NDArray[np.integer]:
        """(n,) indices into the names of all types."""
        return self.names.name.index

    def bonded(self) -> str:
        """Description of the molecules that bonds form; "" without bonds."""
        if not len(self.bonds):
            return ""
        sizes = np.bincount(components(self.names.n, self.bonds))
        counts = np.bincount(sizes[sizes > 1])
        kinds = np.flatnonzero(counts)
        words = [f"{counts[k]:,} of {k:,}" for k in kinds[::-1][:4]]
        more = ", ..." if len(kinds) > 4 else ""
        return f"{', '.join(words)}{more} particles, {len(self.bonds):,} bonds"


def read(path: Path, reduced: bool) -> Beads:
    """The last frame of a trajectory.

    Args:
        path: a file with one of `ENDINGS`
        reduced: whether lengths are numbers, and no nanometres

    Raises FileError for a file that cannot be read or has no box, InputError where chemfiles
    would have to read it and is missing, or a particle is too far away.
    """
    found = _of_gsd(path) if ending_of(path) == ".gsd" else _of_others(path, reduced)
    try:
        found.frame.box.wrap(found.frame.position)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return found


def _of_others(path: Path, reduced: bool) -> Beads:
    found, count = last_frames(path, 1, reduced)
    if not found:
        raise file_error(path, "has no frames", "nothing was written yet", "Wait for a frame")
    n = len(found[0].position)
    names = _names(path, n) if ending_of(path) == ".xyz" else ["particle"] * n
    words, index = np.unique(np.array(names, dtype=np.str_), return_inverse=True)
    labels = Labels(tuple(words.tolist()), index.reshape(-1).astype(np.int32))
    none = np.empty((0, 2), dtype=np.int64)
    return Beads(named(labels, found[0]), found[0], none, frames=count)


def last_frames(path: Path, most: int, reduced: bool) -> tuple[list[Frame], int]:
    """The last frames, at most `most` of them, and the number of frames of the file."""
    if ending_of(path) != ".gsd":
        frames, count = trajectory(path, most)
        if not reduced or ending_of(path) != ".xyz":
            return frames, count
        return [_scaled(frame) for frame in frames], count
    with GSDReader(path) as reader:
        made = [_frame(reader, k) for k in range(max(0, reader.frames - most), reader.frames)]
        return [frame for frame in made if frame is not None], reader.frames


def _frame(reader: GSDReader, number: int) -> Frame | None:
    given = frame_of_gsd(reader, number)
    return frame_of(given.box, given.position, given.time, reader.periodic(number))


def _scaled(frame: Frame) -> Frame:
    """A frame of an .xyz file without units, which chemfiles takes for one in angstroms."""
    rows = frame.box.matrix.T * _ANGSTROMS
    scaled = frame_of(rows, frame.position * _ANGSTROMS + rows.sum(axis=0) / 2, frame.time)
    assert scaled is not None, "it has the shape of a box that was taken"
    return scaled


def _of_gsd(path: Path) -> Beads:
    with GSDReader(path) as reader:
        if not reader.frames:
            raise file_error(path, "has no frames", "nothing was written yet", "Wait for a frame")
        last = reader.frames - 1
        if not reader.scalar("particles/N", last):
            raise file_error(path, "has no particles", "its box is empty", "Use another file")
        frame = _frame(reader, last)
        if frame is None:
            raise damaged(path, "its box is not one")
        n = len(frame.position)
        typeid = reader.numbers("particles/typeid", last, (n,), "iu")
        types = np.zeros(n, np.int32) if typeid is None else typeid.astype(np.int32)
        words = reader.names(last)
        if types.min() < 0 or types.max() >= len(words):
            raise damaged(path, "a particle has a type that has no name")
        labels = Labels(words, types)
        flat = reader.scalar("configuration/dimensions", last) == 2
        bonds, step = _bonds(reader, last, n), reader.step(last)
        return Beads(named(labels, frame), frame, bonds, flat, step, reader.frames)


def _bonds(reader: GSDReader, frame: int, n: int) -> NDArray[np.int64]:
    """(m, 2) pairs of the file, each once."""
    count = reader.scalar("bonds/N", frame) or 0
    group = reader.numbers("bonds/group", frame, (count, 2), "iu") if count > 0 else None
    if group is None:
        return np.empty((0, 2), dtype=np.int64)
    if group.max() >= n or group.min() < 0:
        raise damaged(reader.path, "a bond joins a particle that does not exist")
    pairs = np.unique(np.sort(group.astype(np.int64), axis=1), axis=0)
    return pairs[pairs[:, 0] != pairs[:, 1]]


def _names(path: Path, n: int) -> list[str]:
    """The first words of the lines of the first frame of an .xyz file."""
    with path.open(encoding="utf-8", errors="replace") as file:
        lines = [file.readline() for _ in range(n + 2)]
    return [(line.split() or ["?"])[0] for line in lines[2:]]


def named(labels: Labels, frame: Frame) -> Coordinates:
    """Particles of a frame, each a residue of its own, named by these types."""
    each = np.arange(len(frame.position), dtype=np.int32)
    return Coordinates("", each, labels, labels, frame.position, box=frame.box.matrix.T)


def distributions(
    beads: Beads,
    frames: Sequence[Frame],
    pairs: Sequence[tuple[str, str]],
    most_pairs: float = _MOST_PAIRS,
) -> list[pair_distribution.Distribution]:
    """g(r) of pairs of types, bonded pairs among them unless they are of molecules.

    Args:
        beads: says which types there are
        frames: at least one
        pairs: names of types; none for those of the most common types
        most_pairs: beyond so many pairs centres are sampled at random

    r goes up to half of the box. Raises InputError for types that have no pairs.
    """
    if beads.flat:
        raise bad_input(
            "there is no g(r)", "the system is two-dimensional", "Use a program for two dimensions"
        )
    n = beads.names.n
    masks = {name: beads.type == k for k, name in enumerate(beads.type_names)}
    kinds = {name: mask for name, mask in masks.items() if mask.any()}
    spacing = (frames[-1].box.volume / n) ** (1 / 3)
    apart = np.arange(n) if beads.molecules is None else beads.molecules.residue
    found = []
    for a, b in pairs or _usual(kinds):
        first, second = (pair_distribution.select(word, kinds, beads.names.name) for word in (a, b))
        if not pairs and pair_distribution.partners(apart, first, second) <= 0:
            continue  # one particle of that type, or all of them in one residue
        made = pair_distribution.distribution(
            *(frames, first, second, apart, f"{a}–{b}"),
            r_max=_EXTENT * spacing,
            bins=_bins(frames, spacing, int(min(first.sum(), second.sum()))),
            most_pairs=most_pairs,
        )
        found.append(made)
    return found


def _bins(frames: Sequence[Frame], spacing: float, centres: int) -> int:
    """Number of bins, fewer where there are few particles to count."""
    width = _NARROW * (_CENTRES / max(1, centres * len(frames))) ** (1 / 3)
    r_max = min(_EXTENT * spacing, float(frames[-1].box.widths.min()) / 2)
    return max(20, round(r_max / (min(max(width, _NARROW), _WIDE) * spacing)))


def _usual(kinds: dict[str, NDArray[np.bool_]]) -> list[tuple[str, str]]:
    """All pairs of the most common types."""
    common = by_count(kinds)[:3]
    return [(a, b) for k, a in enumerate(common) for b in common[k:]][:_SHOWN]


def by_count(kinds: dict[str, NDArray[np.bool_]]) -> list[str]:
    """Types in the order of their numbers of particles, the most common first."""
    return sorted(kinds, key=lambda name: -int(kinds[name].sum()))
