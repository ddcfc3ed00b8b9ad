# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun -cpi` in a loop, killed again and again: every file as if nothing had happened."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import commands
import pytest
from mdrun_inputs import command, mdrun, rigid
from resigned import blocks_of

TRIALS = 40
STEPS = 3000
SETTINGS = f"""\
tcoupl = v-rescale
tc-grps = System
tau-t = 0.1
ref-t = 300
ld-seed = 5
pcoupl = c-rescale
tau-p = 5
compressibility = 4.5e-5
ref-p = 1
coulombtype = PME
fourierspacing = 0.12
nsteps = {STEPS}
"""
WITHOUT = ("coulombtype", "epsilon-rf", "rlist", "verlet-buffer-tolerance", "nsteps")
ENDINGS = ("trr", "xtc", "csv", "gro")  # besides the checkpoint and what tells of time spent


def job(folder: Path) -> None:
    """Rigid water with mesh, thermostat and barostat; lists as wide as the default asks."""
    mdp = Path(rigid(folder)[2])
    kept = [line for line in mdp.read_text().splitlines() if line.split(" =")[0] not in WITHOUT]
    mdp.write_text("\n".join(kept) + "\n" + SETTINGS)


def words(name: str, frames: str) -> list[str]:
    return ["-deffnm", name, "-x", f"{name}.{frames}", "-cpt", "0.002", "-maxwarn", "5"]


def record(name: str) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The blocks of a checkpoint and its record, without what tells of the log and of the call."""
    blocks = blocks_of(Path(f"{name}.cpt").read_bytes())
    data = json.loads(blocks.pop("extra").decode().replace(f"{name}.", "NAME."))
    of_log = [spec["kind"] for spec in data["observers"]].index("RunLog")
    for key in ("bytes", "pieces", "rows", "tail"):
        data["states"][of_log].pop(key)
    del data["part"], data["continue"]
    return blocks, data


def assert_same(name: str, other: str, frames: str) -> None:
    """All files alike to the byte; of the log, what does not tell of time spent."""
    for ending in {*ENDINGS, frames}:
        mine, theirs = (Path(f"{k}.{ending}") for k in (name, other))
        if mine.exists() or theirs.exists():
            assert mine.read_bytes() == theirs.read_bytes(), ending
    blocks, data = record(name)
    other_blocks, other_data = record(other)
    assert [key for key in blocks if blocks[key] != other_blocks.get(key)] == []
    assert blocks.keys() == other_blocks.keys() and data == other_data
    twins = [json.loads(Path(f"{k}.json").read_text()) for k in (name, other)]
    for key in ("step", "time", "averages", "settings"):
        assert twins[0][key] == twins[1][key], key


def killed_until_done(name: str, frames: str, lasts: float, dice: random.Random) -> int:
    """Start or go on until it is done, with up to three interruptions; how many there were.

    A run that nothing interrupts `lasts` so many seconds.
    """
    kills = 0
    while True:
        number = dice.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM))
        process = commands.start(
            command(*words(name, frames), "-cpi"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            limit = lasts * dice.uniform(0.3, 1.0) if kills < 3 else 120
            _, said = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
            _, said = process.communicate(timeout=60)
            kills += 1
        assert b"Traceback" not in said, said.decode()
        if process.returncode == 0:
            return kills
        assert process.returncode in (-number, 128 + number), said.decode()


def trials(folder: Path, count: int, seed: int) -> None:
    job(folder)
    dice, kills = random.Random(seed), 0
    lasts = 120.0
    for frames in ("gsd", "xtc"):
        began = time.monotonic()
        mdrun(*words(f"whole-{frames}", frames))
        lasts = min(lasts, time.monotonic() - began)
    for trial in range(count):
        for old in folder.glob("killed*"):
            old.unlink()
        frames = ("gsd", "xtc")[trial % 2]
        kills += killed_until_done("killed", frames, lasts, dice)
        assert_same("killed", f"whole-{frames}", frames)
    print(f"{count} trials, {kills} kills")
    assert kills >= count


@pytest.mark.validate
def test_killed_runs_are_the_whole_run_to_the_byte(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    trials(tmp_path, TRIALS, seed=11)
