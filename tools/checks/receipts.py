# SPDX-License-Identifier: Apache-2.0
"""tests/passed.toml: of what files a lane has passed, and when."""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .config import Problem

PLACE = "tests/passed.toml"
HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# Written by tools/lanes.py when a lane has passed, and committed: SHA-256 of its files, the commit
# that was checked out, number of tests, seconds of processor at factor 1.
"""


@dataclass(frozen=True)
class Receipt:
    digest: str
    commit: str
    tests: int
    seconds: float


def read(root: Path) -> dict[str, Receipt]:
    place = root / PLACE
    if not place.exists():
        return {}
    try:
        tables = tomllib.loads(place.read_text(encoding="utf-8"))
        found = {name: _receipt(**table) for name, table in tables.items()}
    except (tomllib.TOMLDecodeError, TypeError, ValueError) as error:
        raise Problem(
            f"{PLACE} cannot be read ({error}). Delete the lane's lines, and run it again."
        ) from None
    return found


def _receipt(digest: str, commit: str, tests: int, seconds: float) -> Receipt:
    if not re.fullmatch(r"[0-9a-f]{64}", str(digest)):
        raise ValueError(f"digest = {digest!r}")
    if not re.fullmatch(r"[0-9a-f]{7,64}", str(commit)):
        raise ValueError(f"commit = {commit!r}")
    if type(tests) is not int or type(seconds) not in (int, float) or not 0 <= seconds < 1e9:
        raise ValueError(f"tests = {tests!r}, seconds = {seconds!r}")
    return Receipt(digest, commit, tests, seconds)


def write(root: Path, receipts: Mapping[str, Receipt]) -> None:
    text = HEAD
    for name in sorted(receipts):
        receipt = receipts[name]
        text += (
            f'\n[{name}]\ndigest = "{receipt.digest}"\ncommit = "{receipt.commit}"\n'
            f"tests = {receipt.tests}\nseconds = {receipt.seconds:.1f}\n"
        )
    place = root / PLACE
    part = place.with_suffix(".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(place)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise Problem(
            f"{PLACE} cannot be written ({error}). Make room, and run it again."
        ) from None
