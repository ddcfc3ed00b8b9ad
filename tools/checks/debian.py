# SPDX-License-Identifier: Apache-2.0
"""Debian's packages by its own database: what some of them need, and the files of all others."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from .out_of_sight import unmerged

DATABASE = Path("/var/lib/dpkg")
#: What `debootstrap --variant=minbase` installs beside what is essential.
PRIORITY, INSTALLER = "required", "apt"


def sections(text: str) -> Iterator[dict[str, str]]:
    """The sections of a control file; lines that continue a field stay in it."""
    for block in text.split("\n\n"):
        fields = re.findall(r"^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)", block, re.MULTILINE)
        if fields:
            yield dict(fields)


def names_in(field: str) -> list[str]:
    """Names of packages in a field of dependencies; of alternatives, all."""
    return re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]*)", field)


class Debian:
    """The packages that are installed here; none, where the database is missing."""

    def __init__(self, database: Path = DATABASE) -> None:
        self.database = database
        self._provided: dict[str, list[str]] = {}
        self.packages: dict[str, dict[str, str]] = {}  # of several architectures, the last
        status = database / "status"
        text = status.read_text(encoding="utf-8", errors="replace") if status.exists() else ""
        for fields in sections(text):
            if not fields.get("Status", "").endswith(" installed"):
                continue
            self.packages[fields["Package"]] = fields
            for name in names_in(fields.get("Provides", "")):
                self._provided.setdefault(name, []).append(fields["Package"])

    def base(self) -> list[str]:
        """What a machine has on which nothing was installed."""
        return [
            name
            for name, fields in self.packages.items()
            if fields.get("Essential") == "yes" or fields.get("Priority") == PRIORITY
        ] + [INSTALLER]

    def needed(self, roots: Iterable[str]) -> set[str]:
        """Some packages, and all that they depend on as it is installed here."""
        found: set[str] = set()
        left = list(roots)
        while left:
            name = left.pop()
            left += [real for real in self._provided.get(name, ()) if real not in found]
            if name in found or name not in self.packages:
                continue
            found.add(name)
            for field in ("Depends", "Pre-Depends"):
                left += names_in(self.packages[name].get(field, ""))
        return found

    @cached_property
    def _lists(self) -> dict[str, list[str]]:
        """Package -> its files and folders, those of its other architectures too."""
        found: dict[str, list[str]] = {}
        for place in sorted((self.database / "info").glob("*.list")):
            text = place.read_text(encoding="utf-8", errors="surrogateescape")
            found.setdefault(place.stem.split(":", 1)[0], []).extend(
                map(unmerged, filter(None, text.split("\n")))
            )
        return found

    def owners(self, paths: Iterable[str]) -> set[str]:
        """The packages that have some files."""
        wanted = set(paths)
        return {name for name, files in self._lists.items() if not wanted.isdisjoint(files)}

    def files(self, names: Iterable[str]) -> set[str]:
        """Files and folders of some packages."""
        return {file for name in names for file in self._lists.get(name, ())}

    def files_without(self, kept: set[str]) -> Iterator[str]:
        """Files and folders of all packages but some; for those in a folder, just the folder."""
        seen = self.files(kept) | {"/."}
        outer: set[str] = set()
        for name, files in self._lists.items():
            if name in kept or name not in self.packages:
                continue
            for file in sorted(files):  # a folder before what is in it
                if file in seen or file in outer:
                    continue
                if os.path.dirname(file) not in outer:
                    yield file
                outer.add(file)
