# SPDX-License-Identifier: Apache-2.0
"""SHA-256 of what files and ranks have to agree on."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import hashlib


def sha256(data: bytes = b"") -> hashlib._Hash:
    """The digest of some bytes, to which `update` adds more."""
    import hashlib  # OpenSSL takes 3.5 MB, so that only what makes digests loads it

    return hashlib.sha256(data)


def of_file(file: BinaryIO) -> str:
    """That of a file, from where it is on."""
    import hashlib

    return hashlib.file_digest(file, "sha256").hexdigest()
