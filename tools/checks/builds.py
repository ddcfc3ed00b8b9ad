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


def of_another_tree(config: Config, folder: Path) -> str:
    """The tree that a build was configured for, if it is not this one: it would compile that one."""
    cache = folder / "CMakeCache.txt"
    if not cache.exists():
        return ""
    home = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache.read_text(), re.MULTILINE)
    if home and Path(home[1]).resolve() != config.root.resolve():
        return home[1]
    return ""


def build(config: Config, preset: str, targets: list[str]) -> int:
    """Configures a preset if need be, and makes targets of it (all, if none is named)."""
    if os.environ.get(NO_BUILD):
        return 0
    presets = json.loads((config.root / "CMakePresets.json").read_text())["configurePresets"]
    if preset not in {p["name"] for p in presets}:
        raise Problem(f"there is no preset {preset} (CMakePresets.json). Use one of its names.")
    folder = config.root / folder_of(preset)
    if other := of_another_tree(config, folder):
        raise Problem(
            f"{folder_of(preset)}/ compiles the sources of {other} (it came with a copy of that "
            f"tree). Remove it: rm -r {folder_of(preset)}"
        )
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "build.ninja").exists():
        log = folder / "configure.log"
        command = ["cmake", "--preset", preset, f"-DPython_EXECUTABLE={config.python}"]
        with log.open("w") as file:
            done = subprocess.run(command, cwd=config.root, stdout=file, stderr=file, check=False)
        if done.returncode:
            print(log.read_text(errors="replace"))
            return done.returncode
    command = ["cmake", "--build", str(folder), "-j", str(jobs())]
    if targets:
        command += ["--target", *targets]
    code = subprocess.run([*command, "--", "--quiet"], cwd=config.root, check=False).returncode
    if not code and (preset != NATIVE or targets):
        made = [[folder_of(preset), target] for target in targets or ["all"]]
        records.leave("programs", {"programs": made})
    return code
