# SPDX-License-Identifier: Apache-2.0
"""Mutated trajectories of GROMACS, read as `mdrun -rerun`, the report and `aureole info` do."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
from aureole.formats import TRR, XTC, Frame
from aureole.formats.read_trajectory import frames_of
from aureole.formats.scan_trajectory import scan
from aureole.report.frames import trajectory

sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "helpers"))
from mutations import NASTY, mutate_bytes

N = 64


def sound(kind: str) -> bytes:
    """Three frames of an .xtc or .trr file."""
    x = np.random.default_rng(5).uniform(0, 4, (N, 3))
    form = XTC(N, 1000) if kind == ".xtc" else TRR(N)
    more = {} if kind == ".xtc" else {"velocity": x, "force": -x}
    frames = [Frame(k, k / 2, 4 * np.eye(3), x + 0.1 * k, **more) for k in range(3)]
    return b"".join(map(form.frame, frames))


def prepare(folder: Path, kind: str) -> None:
    """Write the sound file."""
    (folder / f"sound.{kind}").write_bytes(sound(f".{kind}"))


def make(dice: random.Random, path: Path) -> None:
    changed = bytearray(path.with_name(f"sound{path.suffix}").read_bytes())
    if dice.random() < 0.3:  # a word of a head, big-endian as there
        at = 4 * dice.randrange(25)
        changed[at : at + 4] = (dice.choice(NASTY) % 2**32).to_bytes(4, "big")
    if dice.random() < 0.9:
        changed[:] = mutate_bytes(dice, bytes(changed), 56 if dice.random() < 0.6 else 0)
    path.write_bytes(changed)


def read(path: Path) -> float:
    """The sum of the finite numbers that are found."""
    total = 0.0
    for frame in frames_of(str(path)):
        if frame is not None and np.isfinite(frame.position).all():
            total += float(np.clip(frame.position, -1e30, 1e30).sum())
    trajectory(path, 3)
    scan(str(path))
    return total
