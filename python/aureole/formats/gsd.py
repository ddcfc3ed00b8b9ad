# SPDX-License-Identifier: Apache-2.0
"""GSD files of schema "hoomd": reading their chunks, and writing frames.

A reader must survive any file, so nothing is believed: every chunk is checked for shape, kind
and finite numbers, and a particle count is compared with the size of the file before use.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.digests import sha256
from aureole.base.errors import file_error
from aureole.base.files import sync
from aureole.base.units import MOLECULAR
from aureole.system.box import Box

from .gsd_check import check, damaged, looks_like_gsd
from .gsd_tuples import name_rows

APPLICATION = "aureole"
SCHEMA = "hoomd"
SCHEMA_VERSION = (1, 4)

__all__ = ["GSDReader", "append", "create", "frame_chunks", "keep_frames", "looks_like_gsd"]
__all__ += ["digest", "name_rows", "recognise", "replacing"]

#: The chunk that says which axes are periodic; without it all are, as in HOOMD-blue.
_PERIODIC = "log/box/periodic"
#: The chunk with the corner of the box in coordinate files; without it the corner is at 0.
CORNER = "log/box/corner"
#: Prefix of the chunks that hold units of columns.
UNIT = "log/unit/"
#: The chunk with the unit of lengths; without it lengths are reduced.
UNIT_OF_LENGTH = f"{UNIT}position"
MOLECULAR_LENGTH = MOLECULAR.symbol("length")
_TELLING = ("configuration/step", "configuration/box", "particles/N", "particles/position")


class GSDReader:
    """One GSD file opened for reading, every chunk checked."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.size = check(self.path)
        try:
            self.file = opened(_text(self.path), "r")
            schema = self.file.schema
        except (OSError, RuntimeError, ValueError, MemoryError, UnicodeError) as error:
            raise damaged(self.path, str(error)) from None
        if schema != SCHEMA:
            self.file.close()
            raise damaged(self.path, f"its schema is {schema!r}, not 'hoomd'")

    def __enter__(self) -> GSDReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    @property
    def frames(self) -> int:
        """Number of frames."""
        return int(self.file.nframes)

    def frame_number(self, frame: int) -> int:
        """`frame` counted from 0; negative ones count from the end."""
        number = frame + self.frames if frame < 0 else frame
        if not 0 <= number < self.frames:
            raise file_error(
                self.path,
                f"has no frame {frame}",
                f"it has {self.frames}",
                "Choose another frame" if self.frames else "Use another file",
            )
        return number

    def own_chunk(self, name: str, frame: int) -> NDArray[Any] | None:
        """The chunk of this very frame, else None."""
        try:
            if self.file.chunk_exists(frame=frame, name=name):
                return np.asarray(self.file.read_chunk(frame=frame, name=name))
        except (OSError, RuntimeError, ValueError, KeyError, MemoryError, OverflowError) as error:
            raise damaged(self.path, f"chunk {name}: {error}") from None
        return None

    def chunk(self, name: str, frame: int) -> NDArray[Any] | None:
        """The chunk of this frame, else that of frame 0, else None."""
        found = self.own_chunk(name, frame)
        return self.own_chunk(name, 0) if found is None and frame else found

    def is_stale(self, name: str, frame: int) -> bool:
        """Whether a chunk is that of frame 0 although the frame has positions of its own.

        HOOMD-blue writes velocities and images only once unless it is told otherwise. The package
        gsd.hoomd leaves out chunks that equal those of frame 0.
        """
        if str(self.file.application).startswith("gsd.hoomd"):
            return False
        if self.own_chunk("particles/position", frame) is None:
            return False
        return self.own_chunk(name, frame) is None and self.own_chunk(name, 0) is not None

    def numbers(
        self, name: str, frame: int, shape: tuple[int, ...], kinds: str
    ) -> NDArray[Any] | None:
        """The chunk, of just this shape, of one of the data kinds, and finite."""
        data = self.chunk(name, frame)
        if data is None:
            return None
        if data.shape != shape or data.dtype.kind not in kinds:
            raise damaged(self.path, f"chunk {name} is {data.dtype} {data.shape}, not {shape}")
        if not np.isfinite(data).all():
            raise damaged(self.path, f"chunk {name} holds a number that is not finite")
        return data

    def scalar(self, name: str, frame: int) -> int | None:
        """The chunk as one whole number."""
        data = self.numbers(name, frame, (1,), "iu")
        return None if data is None else int(data[0])

    def count(self, frame: int) -> int:
        """Number of particles; never more than the file can hold."""
        n = self.scalar("particles/N", frame) or 0
        if not 0 < n <= self.size // 12:
            raise damaged(self.path, f"it claims {n} particles but is {self.size} bytes long")
        return n

    def positions(self, frame: int, n: int) -> NDArray[Any]:
        """(n, 3) positions; files omit them where all are 0."""
        found = self.numbers("particles/position", frame, (n, 3), "f")
        return np.zeros((n, 3), np.float32) if found is None else found

    def step(self, frame: int) -> int:
        """The time step of the frame."""
        # Every frame has its own; the fall-back to frame 0 of other chunks does not apply.
        if not self.file.chunk_exists(frame=frame, name="configuration/step"):
            return 0
        return self.scalar("configuration/step", frame) or 0

    def periodic(self, frame: int) -> tuple[bool, bool, bool]:
        """Flags of the periodic axes."""
        flags = self.numbers(_PERIODIC, frame, (3,), "iu")
        return (True, True, True) if flags is None else tuple(flags.astype(bool).tolist())

    def molecular(self, frame: int) -> bool:
        """Whether lengths are in nm, and all else in molecular units; other units are refused."""
        if self.chunk(UNIT_OF_LENGTH, frame) is None:
            return False
        unit = self.words(UNIT_OF_LENGTH, frame)
        if unit != (MOLECULAR_LENGTH,):
            told = repr(unit[0]) if len(unit) == 1 else f"{len(unit)} texts"
            raise file_error(
                self.path,
                f"the unit of its lengths is {told}",
                f"chunk {UNIT_OF_LENGTH} says so; only '{MOLECULAR_LENGTH}' is read",
                f"Convert the file to {MOLECULAR_LENGTH}, or remove the chunk from reduced units",
            )
        return True

    def names(self, frame: int, of: str = "particles") -> tuple[str, ...]:
        """Names of the types of particles, bonds, ..."""
        found = self.words(f"{of}/types", frame)
        # Other programs keep types that no particle has, sometimes without a name.
        return tuple(name or f"unnamed{k}" for k, name in enumerate(found)) or ("A",)

    def words(self, name: str, frame: int) -> tuple[str, ...]:
        """The texts of a chunk, one of each row; none without the chunk."""
        data = self.chunk(name, frame)
        if data is None:
            return ()
        if data.ndim == 1:
            data = data.reshape(-1, 1)
        if data.ndim != 2 or data.dtype.itemsize != 1 or data.size > 1_000_000:
            raise damaged(self.path, f"chunk {name} is {data.dtype} {data.shape}")
        try:
            return tuple(row.tobytes().split(b"\0")[0].decode() for row in data)
        except UnicodeDecodeError:
            why = "the names of its types are" if name.endswith("/types") else f"chunk {name} is"
            raise damaged(self.path, f"{why} not text") from None


def frame_chunks(
    step: int,
    box: Box,
    columns: dict[str, NDArray[Any]],
    static: tuple[NDArray[Any], NDArray[Any], tuple[str, ...]] | None,
) -> list[tuple[str, NDArray[Any]]]:
    """The chunks of one frame.

    Args:
        step: the time step
        box: the box
        columns: (n, 3) arrays by name: position, velocity, image
        static: types (n,), masses (n,) and type names, for the first frame only
    """
    n = len(next(iter(columns.values()))) if columns else len(static[0]) if static else 0
    chunks: list[tuple[str, NDArray[Any]]] = [
        ("configuration/step", np.array([step], dtype=np.uint64)),
        ("configuration/box", np.array(box.six, dtype=np.float32)),
        ("particles/N", np.array([n], dtype=np.uint32)),
    ]
    if static is not None:
        types, masses, type_names = static
        chunks += [
            ("configuration/dimensions", np.array([3], dtype=np.uint8)),
            ("particles/types", name_rows(type_names)),
            ("particles/typeid", types.astype(np.uint32)),
            ("particles/mass", masses.astype(np.float32)),
        ]
        if not all(box.periodic):
            chunks.append((_PERIODIC, np.array(box.periodic, dtype=np.uint8)))
        if any(box.corner):
            chunks.append((CORNER, np.array(box.corner)))
    for name, data in columns.items():
        kind = np.int32 if name == "image" else np.float32
        chunks.append((f"particles/{name}", data.astype(kind)))
    return chunks


def _text(path: str | os.PathLike[str]) -> str:
    """The name of a file, as the library of GSD takes it."""
    name = os.fspath(path)
    try:
        name.encode()
    except UnicodeEncodeError:
        raise file_error(
            name, "cannot be opened", "GSD needs a file name that is valid text", "Rename it"
        ) from None
    return name


def opened(path: str, mode: str, **about: Any) -> Any:
    """A GSD file, by its library, which is imported for the first one."""
    import gsd.fl

    return gsd.fl.open(path, mode, **about)


def create(path: str | os.PathLike[str]) -> Any:
    """A new, empty GSD file, open for writing; an older one of that name is replaced."""
    return opened(
        _text(path),
        "w",
        application=APPLICATION,
        schema=SCHEMA,
        schema_version=SCHEMA_VERSION,
    )


def append(file: Any, chunks: list[tuple[str, NDArray[Any]]]) -> None:
    """Add one frame and hand it to the operating system."""
    for name, data in chunks:
        file.write_chunk(name, np.ascontiguousarray(data))
    file.end_frame()
    file.flush()


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], problem: str, suggestion: str) -> Iterator[Any]:
    """A new file beside `path` that replaces it once it is whole, on the disk and closed."""
    beside = Path(f"{os.fspath(path)}.new")
    try:
        with create(beside) as file:
            yield file
        sync(beside)
        os.replace(beside, path)
    except (OSError, RuntimeError) as error:
        beside.unlink(missing_ok=True)
        raise file_error(path, problem, error, suggestion) from None


def digest(chunks: Iterable[tuple[str, NDArray[Any]]]) -> str:
    """A digest that identifies a frame, of its step, box, number of particles and positions."""
    total = sha256()
    for name, data in sorted(chunks, key=lambda chunk: chunk[0]):
        if name in _TELLING:
            total.update(name.encode() + np.ascontiguousarray(data).tobytes())
    return total.hexdigest()


def recognise(path: str | os.PathLike[str], count: int, expected: str | None) -> None:
    """Raise FileError unless the file holds `count` frames and the last has the digest expected.

    Args:
        path: the file
        count: frames that the checkpoint counts, at least 1
        expected: the digest of the last of them; None where it is unknown
    """
    with GSDReader(path) as reader:
        _require_frames(reader, count)
        found = [(name, reader.own_chunk(name, count - 1)) for name in _TELLING]
        kept = [(name, data) for name, data in found if data is not None]
        if expected is not None and digest(kept) != expected:
            raise file_error(
                path,
                "is not the file that the run of the checkpoint wrote",
                f"frame {count - 1} differs",
                "Restore that file, or move this one away to start a new one",
            )


def _require_frames(reader: GSDReader, count: int) -> None:
    if reader.frames < count:
        raise file_error(
            reader.path,
            f"has {reader.frames} frames, the checkpoint counts {count}",
            "the file has changed since",
            "Restore the file, or move it away to start a new one",
        )


def keep_frames(path: str | os.PathLike[str], count: int, size: int | None = None) -> None:
    """Cut a trajectory back to its first `count` frames, by a new file that replaces it.

    The file becomes byte by byte what it was with `count` frames, also where a further frame was
    begun; `size` is the size that it had then [bytes], None where unknown.
    """
    with GSDReader(path) as reader:
        _require_frames(reader, count)
        if reader.frames == count and size in (None, os.path.getsize(path)):
            return
        with replacing(path, "cannot be truncated", "Free space or move the file away") as new:
            names = reader.file.find_matching_chunk_names("")
            for frame in range(count):
                held = [name for name in names if reader.file.chunk_exists(frame=frame, name=name)]
                chunks = [(name, reader.file.read_chunk(frame=frame, name=name)) for name in held]
                append(new, chunks)
