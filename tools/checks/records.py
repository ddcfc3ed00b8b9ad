# SPDX-License-Identifier: Apache-2.0
"""What the commands of a stage or lane leave for the runner: tests, their times, and files used."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

#: Names the folder of the part that runs; without it, nothing is left.
VARIABLE = "AUREOLE_CHECK_RECORDS"


def leave(kind: str, content: Mapping) -> None:
    """One file a command (or process of pytest), which appears whole."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{kind}-", suffix=".part", dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(content, file)
    os.replace(name, name.removesuffix(".part") + ".json")


def leave_tests(
    way: str, outcomes: Mapping[str, str], seconds: Mapping[str, float], **more: Mapping[str, int]
) -> None:
    leave("tests", {"way": way, "outcomes": outcomes, "seconds": seconds} | more)


class Records:
    """All that is in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def of(self, kind: str) -> list[dict]:
        paths = sorted(self.folder.glob(f"{kind}-*.json"))
        return [json.loads(path.read_text(encoding="utf-8")) for path in paths]

    def outcomes(self) -> dict[str, int]:
        """passed, failed, skipped -> number of tests."""
        found = dict.fromkeys(("passed", "failed", "skipped"), 0)
        for record in self.of("tests"):
            for outcome in record["outcomes"].values():
                found[outcome] += 1
        return found

    def seconds(self) -> dict[str, float]:
        """Test -> seconds of processor; the longest, where it ran several times."""
        found: dict[str, float] = {}
        for record in self.of("tests"):
            for test, seconds in record["seconds"].items():
                found[test] = max(seconds, found.get(test, 0.0))
        return found

    def files(self) -> set[str]:
        return {name for record in self.of("files") for name in record["files"]}

    def programs(self) -> set[tuple[str, str]]:
        """(folder of a build, target)."""
        return {(b, t) for record in self.of("programs") for b, t in record["programs"]}
