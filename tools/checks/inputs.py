# SPDX-License-Identifier: Apache-2.0
"""The files of the tree that a lane's programs were made from and its tests have opened."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from . import receipts, tiers
from .config import PLACE, Config, Part, Problem
from .files import Files
from .globs import path_matches
from .records import Records


def ninja(folder: Path, *words: str) -> list[str]:
    command = ["ninja", "-C", str(folder), "-t", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Problem(f"ninja cannot be started ({error}). Install ninja-build.") from None
    if done.returncode:
        why = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise Problem(f"ninja -t {words[0]} failed in {folder} ({why}). Configure it anew.")
    return [line for line in done.stdout.splitlines() if not line.startswith("ninja: Entering")]


def dependencies(folder: Path) -> dict[str, list[str]]:
    """Object -> what its compiler has read, of all objects of a build."""
    found: dict[str, list[str]] = {}
    now: list[str] = []
    for line in ninja(folder, "deps"):
        if match := re.match(r"(\S.*): #deps \d+", line):
            now = found.setdefault(match[1], [])
        elif line.startswith("    "):
            now.append(line.strip())
    return found


def of_programs(folder: Path, targets: set[str]) -> set[Path]:
    """Every file that some targets of a build were made from."""
    needed = set(ninja(folder, "inputs", *sorted(targets)))
    # Not leaf files, which configuring reads too: who needs them includes them.
    needed |= {n for n in ninja(folder, "inputs", "build.ninja") if not n.endswith(".hpp")}
    read = dependencies(folder)
    names = needed | {name for made in needed if made in read for name in read[made]}
    paths = {Path(os.path.normpath(folder / name)) for name in names}
    return paths | {path.resolve() for path in paths}  # links, and what they lead to


def target_of(file: str) -> tuple[str, str] | None:
    """(folder of the build, target) of an extension module that a test has loaded."""
    match = re.fullmatch(r"python/aureole/(_core)\.[^/]*\.so", file)
    if match:
        return "build", "_core"
    match = re.fullmatch(r"(build[^/]*)/extended/aureole/_core\.[^/]*\.so", file)
    return (match[1], "_core_extended") if match else None


def used(config: Config, files: Files, records: Records) -> set[str]:
    """Files that git has and that a lane has used, by the records of its run."""
    opened = records.files()
    programs = records.programs() | {t for f in opened if (t := target_of(f))}
    by_folder: dict[str, set[str]] = {}
    for folder, target in programs:
        by_folder.setdefault(folder, set()).add(target)
    names = set(opened)
    root = config.root.resolve()
    for folder, targets in by_folder.items():
        for path in of_programs(config.root / folder, targets):
            if path.is_relative_to(root):
                names.add(path.relative_to(root).as_posix())
    # What these say about a lane is part of its digest.
    return names & set(files.names) - {PLACE, tiers.PLACE, receipts.PLACE}


def unlisted(config: Config, lane: Part, files: Files, records: Records) -> list[str]:
    """Files that a lane has used and does not watch, so that its receipt would outlast a change."""
    return sorted(n for n in used(config, files, records) if not path_matches(n, lane.all))
