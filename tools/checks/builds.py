# SPDX-License-Identifier: Apache-2.0
"""The builds of CMakePresets.json that stages and lanes run programs of."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

from . import records
from .config import NO_BUILD, Config, Problem, jobs

#: The preset of `build/`, which everything uses; lanes watch what they run of it, not all of it.
NATIVE = "native"


def folder_of(preset: str) -> str:
    return "build" if preset == NATIVE else f"build-{preset}"


def demand_ours(config: Config, folder: Path) -> None:
    """A build that was configured in another tree would compile that one."""
    cache = folder / "CMakeCache.txt"
    text = cache.read_text() if cache.exists() else ""
    home = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", text, re.MULTILINE)
    if home and Path(home[1]).resolve() != config.root.resolve():
        raise Problem(
            f"{folder.name}/ compiles the sources of {home[1]} (it came with a copy of that tree). "
            f"Remove it: rm -r {folder.name}"
        )


def _configure(config: Config, preset: str) -> int:
    """Makes the folder of a preset, again if it is not known to be of the preset as it is now.

    `build/` is left alone where `make` has configured it, perhaps with words of its own.
    """
    presets = json.loads((config.root / "CMakePresets.json").read_text())["configurePresets"]
    by_name = {p["name"]: p for p in presets}
    if preset not in by_name:
        raise Problem(f"there is no preset {preset} (CMakePresets.json). Use one of its names.")
    folder = config.root / folder_of(preset)
    demand_ours(config, folder)
    folder.mkdir(parents=True, exist_ok=True)
    used = json.dumps([by_name[preset], by_name.get(by_name[preset].get("inherits"))])
    note, log = folder / "preset.json", folder / "configure.log"
    known = note.read_text() if note.exists() else used if preset == NATIVE else ""
    if (folder / "build.ninja").exists() and known == used:
        return 0
    command = ["cmake", "--fresh", "--preset", preset, f"-DPython_EXECUTABLE={config.python}"]
    with log.open("w") as file:
        done = subprocess.run(command, cwd=config.root, stdout=file, stderr=file, check=False)
    if done.returncode:
        print(log.read_text(errors="replace"))
    else:
        note.write_text(used)
    return done.returncode


def build(config: Config, preset: str, targets: list[str]) -> int:
    """Configures a preset if need be, and makes targets of it (all, if none is named)."""
    if os.environ.get(NO_BUILD):
        return 0
    if code := _configure(config, preset):
        return code
    folder = config.root / folder_of(preset)
    command = ["cmake", "--build", str(folder), "-j", str(jobs())]
    if targets:
        command += ["--target", *targets]
    code = subprocess.run([*command, "--", "--quiet"], cwd=config.root, check=False).returncode
    if not code and (preset != NATIVE or targets):
        made = [[folder_of(preset), target] for target in targets or ["all"]]
        records.leave("programs", {"programs": made})
    return code
