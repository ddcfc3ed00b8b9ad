# SPDX-License-Identifier: Apache-2.0
"""Systems in GSD files: reading one frame as a System, and writing a System as one frame."""

from __future__ import annotations

import contextlib
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import InputError, bad_input, file_error
from aureole.base.user_warnings import warn
from aureole.ranks.team import standing
from aureole.system.archive import STATIC
from aureole.system.box import Box
from aureole.system.system import System
from aureole.system.user_columns import TAKEN, Columns

from .gsd import (
    CORNER,
    UNIT,
    GSDReader,
    append,
    frame_chunks,
    name_rows,
    replacing,
)
from .gsd_check import damaged
from .gsd_molecules import BY_NAMES, EXCLUSIONS, LEFT_OUT, first_chunks, left_out
from .gsd_tuples import constraints_of, tuples_of
from .registry import ending_of

_LOGGED = "log/particles/"
#: The schema's chunk of a column that users may add, and its value where a file has none.
_DIAMETER, _NO_DIAMETER = "particles/diameter", 1.0

#: Properties that a System cannot hold: their chunks, and the neutral values of a row.
_NOT_READ = {
    "rigid bodies": ("particles/body", -1),
    "orientations": ("particles/orientation", (1, 0, 0, 0)),
    "moments of inertia": ("particles/moment_inertia", (0, 0, 0)),
    "angular momenta": ("particles/angmom", (0, 0, 0, 0)),
}
#: Parts of a topology, which are not read either: its bonds include rigid ones.
_OF_TOPOLOGIES = {"bonds": ("bonds/N", 0)}


def read(path: str | os.PathLike[str], frame: int = -1) -> System:
    """See `system_files.read`."""
    with GSDReader(path) as reader:
        number = reader.frame_number(frame)
        by_name = _by_name(reader, number)
        system = _system(reader, number, by_name)
        if remarks := _remarks(reader, number, by_name):
            warn(f"{reader.path}: {'; '.join(remarks)}")
        return system


def _by_name(reader: GSDReader, frame: int) -> bool:
    """Whether bonds, angles, ... are named tuples of a System, and not parts of a topology."""
    told = reader.scalar(BY_NAMES, frame)
    return not reader.molecular(frame) if told is None else bool(told)


def _system(reader: GSDReader, frame: int, by_name: bool) -> System:
    n = reader.count(frame)
    box = reader.numbers("configuration/box", frame, (6,), "f")
    if box is None:
        raise damaged(reader.path, "it has no box")
    if float(box[2]) == 0.0 or reader.scalar("configuration/dimensions", frame) == 2:
        raise file_error(
            reader.path,
            "is two-dimensional",
            "its box has zero height",
            "Use a three-dimensional system",
        )
    corner = reader.numbers(CORNER, frame, (3,), "f")
    columns = {
        name: _doubles(reader.numbers(f"particles/{name}", frame, (n,), "f"))
        for name in ("mass", "charge")
    }
    try:
        return System(
            Box(
                *(float(value) for value in box),
                periodic=reader.periodic(frame),
                corner=(0.0, 0.0, 0.0) if corner is None else tuple(corner.tolist()),
            ),
            reader.positions(frame, n).astype(np.float64),
            velocity=reader.numbers("particles/velocity", frame, (n, 3), "f"),
            type=reader.numbers("particles/typeid", frame, (n,), "iu"),
            type_names=reader.names(frame),
            image=reader.numbers("particles/image", frame, (n, 3), "iu"),
            columns=_columns(reader, frame, n),
            units="molecular" if reader.molecular(frame) else "reduced",
            **columns,
            **(_bindings(reader, frame) if by_name else {}),
        )
    except InputError as error:
        raise InputError(f"{reader.path}: {error}") from None


def _doubles(data: NDArray[Any] | None) -> NDArray[np.float64] | None:
    return None if data is None else data.astype(np.float64)


def _bindings(reader: GSDReader, frame: int) -> dict[str, Any]:
    """Named tuples, constraints and exclusions, as arguments of a System."""
    excluded = reader.chunk(EXCLUSIONS, frame)
    if excluded is not None and (excluded.ndim != 2 or excluded.shape[1] != 2):
        raise damaged(reader.path, f"chunk {EXCLUSIONS} is {excluded.dtype} {excluded.shape}")
    more = {"terms": constraints_of(reader, frame), "exclusions": excluded}
    return tuples_of(reader, frame) | more


def _columns(reader: GSDReader, frame: int, n: int) -> Columns:
    """User columns: diameters, and the chunks logged for each particle.

    Chunks of other programs that cannot be columns are left out.
    """
    columns = Columns(n)
    diameter = reader.numbers(_DIAMETER, frame, (n,), "f")
    if diameter is not None and (diameter != _NO_DIAMETER).any():
        columns.add("diameter", diameter.astype(np.float64), "length")
    for chunk in reader.file.find_matching_chunk_names(_LOGGED):
        name = chunk.removeprefix(_LOGGED)
        if name in TAKEN or not name.isidentifier():
            continue
        data = reader.chunk(chunk, frame)
        if data is None or data.dtype.kind not in "fiu":
            continue
        with contextlib.suppress(InputError):
            columns.add(name, data, _unit(reader.chunk(f"{UNIT}{name}", frame)))
    return columns


def _unit(data: NDArray[Any] | None) -> str:
    """The text of a chunk; empty without the chunk."""
    return "" if data is None else data.tobytes().split(b"\0")[0].decode("ascii", "replace")


def _remarks(reader: GSDReader, frame: int, by_name: bool) -> list[str]:
    """Remarks on what was not read into the system."""
    found = []
    for table, why in (
        (_NOT_READ, "a System has no place for them"),
        ({} if by_name else _OF_TOPOLOGIES, "the file does not hold their parameters"),
    ):
        if left := [words for words in table if not _says_nothing(reader, frame, *table[words])]:
            found.append(f"{', '.join(left)} are not read ({why})")
    if missing := " and ".join(reader.words(LEFT_OUT, frame)):
        found.append(f"the file does not hold {missing} of its system (System.save does)")
    if reader.is_stale("particles/velocity", frame):
        found.append(
            "velocities and images are those of the first frame, as later ones have only "
            "positions (for a start, draw velocities with sim.thermalize)"
        )
    elif frame and reader.chunk("particles/velocity", frame) is None:
        found.append("the trajectory has no velocities, so particles are at rest")
    return found


def _says_nothing(reader: GSDReader, frame: int, name: str, neutral: Any) -> bool:
    """Whether all rows of a chunk have the neutral value, or there are none."""
    data = reader.chunk(name, frame)
    if data is None or data.size == 0:
        return True
    return data.shape[1:] == np.shape(neutral) and not (data != neutral).any()


def write(path: str | os.PathLike[str], system: System, *, step: int = 0) -> None:
    """See `system_files.write`."""
    if standing()[0] != 0:
        return
    if not isinstance(system, System):
        raise bad_input(
            f"write got {type(system).__name__} as the system",
            "the second argument must be a System",
            "For a simulation, give sim.snapshot()",
        )
    ending = ending_of(path)
    if ending != ".gsd":
        raise bad_input(
            f"{os.fspath(path)} is not the name of a GSD file",
            f"its extension is {ending!r}" if ending else "it has no extension",
            "End it in .gsd; au.write_frame(path, sim) writes .gro and .pdb",
        )
    fields = {name: getattr(system, name) for name in STATIC}
    if left := left_out(fields):
        warn(
            f"{os.fspath(path)} does not hold {' and '.join(left)} of the system (GSD files have "
            "no place for that). Use system.save(...) to keep the whole system",
        )
    columns = {name: getattr(system, name) for name in ("position", "velocity", "image")}
    static = (system.type, system.mass, system.type_names)
    more = first_chunks(fields, system.charge, system.topology, missing=left)
    with replacing(path, "cannot be written", "Free space or choose another place") as file:
        append(file, frame_chunks(step, system.box, columns, static) + more + _logged(system))


def _logged(system: System) -> list[tuple[str, NDArray[Any]]]:
    """The chunks of a system's user columns; diameters also have the chunk that viewers read."""
    chunks = []
    for name, array in system.columns.items():
        chunks.append((f"{_LOGGED}{name}", array))
        if unit := system.columns.unit(name):
            chunks.append((f"{UNIT}{name}", name_rows((unit,))))
        if name == "diameter" and array.ndim == 1:
            chunks.append((_DIAMETER, array.astype(np.float32)))
    return chunks
