# SPDX-License-Identifier: Apache-2.0
"""SHA-256 of what files and ranks have to agree on."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from .text_files import opened

if TYPE_CHECKING:
    import hashlib

#: Metadata of a field that records do not have yet: it counts where it is not the default.
LATER = {"later": True}


def sha256(data: bytes = b"") -> hashlib._Hash:
    """The digest of some bytes, to which `update` adds more."""
    import hashlib  # OpenSSL takes 3.5 MB, so that only what makes digests loads it

    return hashlib.sha256(data)


def of_file(file: BinaryIO) -> str:
    """The digest of a file, from its current position."""
    import hashlib

    return hashlib.file_digest(file, "sha256").hexdigest()


def file_digest(path: str) -> str:
    """SHA-256 of a file."""
    with opened(path) as file:
        return of_file(file)


def digest(value: Any) -> str:
    """SHA-256 of nested dataclasses, sequences, arrays and plain values; remarks do not count."""
    total = sha256()
    _add(total, value)
    return total.hexdigest()


def _add(total: Any, value: Any) -> None:
    if isinstance(value, np.ndarray):
        total.update(f"{value.dtype.str}{value.shape}".encode())
        total.update(np.ascontiguousarray(value).tobytes())
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            if field.name in ("notes", "redefined", "title") or _is_unset(value, field):
                continue
            total.update(field.name.encode())
            _add(total, getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            total.update(repr(key).encode())
            _add(total, item)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        total.update(f"[{len(value)}".encode())
        for item in value:
            _add(total, item)
    else:
        total.update(repr(value).encode())


def _is_unset(value: Any, field: dataclasses.Field[Any]) -> bool:
    return "later" in field.metadata and bool(getattr(value, field.name) == field.default)
