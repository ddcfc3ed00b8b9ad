# SPDX-License-Identifier: Apache-2.0
"""SHA-256 of what files and ranks have to agree on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import hashlib


def sha256(data: bytes = b"") -> hashlib._Hash:
    """The digest of some bytes, to which `update` adds more."""
    import hashlib  # OpenSSL takes 3.5 MB, so that only what makes digests loads it

    return hashlib.sha256(data)
