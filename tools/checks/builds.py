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


def build(config: Config, preset: str, targets: list[str]) -> int:
    """Configures a preset if need be, and makes targets of it (all, if none is named)."""
    if os.environ.get(NO_BUILD):
        return 0
    presets = json.loads((config.root / "CMakePresets.json").read_text())["configurePresets"]
    if preset not in {p["name"] for p in presets}:
        raise Problem(f"there is no preset {preset} (CMakePresets.json). Use one of its names.")
    folder = config.root / folder_of(preset)
    demand_ours(config, folder)
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
