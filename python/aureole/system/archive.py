# SPDX-License-Identifier: Apache-2.0
"""Systems as files: a NumPy archive with a description in JSON and every array as it is.

The archive has the array "description", UTF-8 text: nested dataclasses, mappings and lists in which
``{"array": k}`` stands for the archive's array "k". What stands in several places, such as a
molecule type in two blocks, is written once and is one object again when it is read.
"""

from __future__ import annotations

import dataclasses
import io
import json
import os
import zipfile
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import Error, bad_input, file_error, unreadable
from aureole.base.text_files import replace
from aureole.base.units import BY_NAME
from aureole.base.values import put

from .box import Box
from .references import References
from .topology import Atoms, Exclusions, Labels, MoleculeType, Nonbonded, Terms, Topology
from .user_columns import Columns

T = TypeVar("T")
FORMAT = 1
_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Topology, MoleculeType, Atoms, Terms, Exclusions, Labels, Nonbonded, References, Box),
    )
}
_SHARED = (Topology, MoleculeType, Terms)
#: Fields of a system that do not change during a simulation.
STATIC = (
    *("topology", "bonds", "angles", "dihedrals", "impropers", "pairs", "exclusions"),
    *("groups", "references", "units", "periodic_molecules", "terms"),
)


class _Packer:
    """Turns values into JSON with the arrays beside it."""

    def __init__(self) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}
        self._seen: dict[int, int] = {}
        self._kept: list[Any] = []  # so that no two objects have one id

    def pack(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            name = str(len(self.arrays))
            self.arrays[name] = np.ascontiguousarray(value)
            return {"array": name}
        if dataclasses.is_dataclass(value):
            return self._pack_object(value)
        if isinstance(value, Columns):
            return {"columns": [[key, self.pack(v), value.unit(key)] for key, v in value.items()]}
        if isinstance(value, dict):
            return {"table": [[key, self.pack(item)] for key, item in value.items()]}
        if isinstance(value, (list, tuple)):
            return [self.pack(item) for item in value]
        if isinstance(value, np.generic):
            return value.item()
        return value

    def _pack_object(self, value: Any) -> Any:
        number = self._seen.get(id(value))
        if number is not None:
            return {"same": number}
        fields = {f.name: self.pack(getattr(value, f.name)) for f in dataclasses.fields(value)}
        found: dict[str, Any] = {"kind": type(value).__name__, "fields": fields}
        if isinstance(value, _SHARED):
            found["number"] = self._seen[id(value)] = len(self._seen)
            self._kept.append(value)
        return found


class _Reader:
    """Turns JSON and arrays back into values; raises ValueError, LookupError or TypeError for
    JSON that no packer makes.
    """

    def __init__(self, arrays: Any) -> None:
        self._arrays = arrays
        self._seen: dict[int, Any] = {}

    def value(self, packed: Any) -> Any:
        if isinstance(packed, list):
            return tuple(self.value(item) for item in packed)
        if not isinstance(packed, dict):
            return packed
        if "array" in packed:
            array = self._arrays[str(packed["array"])]
            if array.dtype.hasobject:
                raise ValueError("an array holds objects")
            array.setflags(write=False)
            return array
        if "columns" in packed:
            found = [(str(key), self.value(item), unit) for key, item, unit in packed["columns"]]
            columns = Columns(len(found[0][1]) if found else 0)
            for column in found:
                columns.add(*column)
            return columns
        if "table" in packed:
            return {str(key): self.value(item) for key, item in packed["table"]}
        if "same" in packed:
            return self._seen[packed["same"]]
        fields = {str(key): self.value(item) for key, item in packed["fields"].items()}
        made = _KINDS[packed["kind"]](**fields)
        if "number" in packed:
            self._seen[packed["number"]] = made
        return made


def packed(values: dict[str, Any], compressed: bool = True) -> bytes:
    """Named values as an archive."""
    packer = _Packer()
    text = json.dumps({"format": FORMAT, "values": packer.pack(values)})
    memory = io.BytesIO()
    description = np.frombuffer(text.encode(), dtype=np.uint8)
    save_arrays = np.savez_compressed if compressed else np.savez
    save_arrays(memory, description=description, **packer.arrays)
    return memory.getvalue()


def unpacked(data: bytes) -> dict[str, Any]:
    """Named values of an archive; raises ValueError, LookupError, TypeError or OSError."""
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        head = json.loads(bytes(archive["description"]).decode())
        if head["format"] != FORMAT:
            raise ValueError(f"its format is {head['format']}; this version reads {FORMAT}")
        arrays = {name: archive[name] for name in archive.files if name != "description"}
    values = _Reader(arrays).value(head["values"])
    if not isinstance(values, dict):
        raise ValueError("its description is not a table")
    return values


def save(system: Any, path: str) -> None:
    """See `System.save`."""
    _check_ending(path)
    names = [field.name for field in dataclasses.fields(system)]
    replace(path, [packed({name: getattr(system, name) for name in names})])


def load(path: str, make: Callable[..., T]) -> T:
    """See `System.load`; `make` is the class."""
    _check_ending(path)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise unreadable(path, error) from None
    try:
        values = unpacked(data)
        system: Any = make(**values)
        # Positions in the box are not wrapped again, as rounding might move one.
        for name in ("position", "image"):
            if values[name].shape != (system.n, 3):
                raise ValueError(f"{name} has the wrong shape")
            put(system, name, values[name])
    except (Error, *_FAULTS) as error:
        raise file_error(
            path, "holds no system", error, "Give a file that System.save of this version wrote"
        ) from None
    return system


_FAULTS = (
    *(ValueError, LookupError, TypeError, AttributeError, ArithmeticError, OSError, EOFError),
    *(zipfile.BadZipFile, RecursionError, MemoryError, NotImplementedError),
)


def static_part(values: dict[str, Any], topology: Topology | None) -> bytes:
    """The fields `STATIC` of a system, and the topology of its simulation, as an archive."""
    # Uncompressed, so that no small record can take all memory.
    kept = {name: values[name] for name in STATIC} | {"of_simulation": topology}
    return packed(kept, compressed=False)


def read_static(data: bytes) -> tuple[dict[str, Any], Topology | None]:
    """The fields and topology from `static_part`; raises ValueError for any other data."""
    try:
        if not is_stored_archive(data):
            raise ValueError("it is not an archive of uncompressed arrays")
        values = unpacked(data)
        topology = values.pop("of_simulation")
        values.setdefault("terms", {})  # which systems did not have
        if set(values) != set(STATIC) or values["units"] not in BY_NAME:
            raise ValueError("its parts are not those of a system")
        if topology is not None:
            topology.expand_atoms()
    except _FAULTS as error:
        raise ValueError(f"its system cannot be read: {error}") from None
    return values, topology


def _check_ending(path: str) -> None:
    if os.path.splitext(path)[1].lower() != ".npz":
        raise bad_input(
            f"{path} does not end in .npz",
            "systems are saved as NumPy archives",
            "Use a name ending in .npz; au.write saves particles alone as .gsd",
        )


def is_stored_archive(piece: bytes) -> bool:
    """Whether `piece` is an archive of arrays that take no more memory than it does."""
    try:
        with zipfile.ZipFile(io.BytesIO(piece)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return False
    sizes = sum(part.file_size for part in parts)
    return sizes <= len(piece) and all(p.compress_type == zipfile.ZIP_STORED for p in parts)
