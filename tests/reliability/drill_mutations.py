# SPDX-License-Identifier: Apache-2.0
"""Mutated inputs, one from each seed, and the judge of what a reader does with them.

Half of the mutations of a format spare the part by which its reader recognises it (the header of a
GSD file or a checkpoint, the first lines of an input file): those get deep into the reader.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import signal
import struct
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aureole as au
import drill_gromacs
import drill_trajectories
import gsd.fl
import numpy as np
from aureole.jobs import input_file

sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "helpers"))
from mutations import NASTY, mutate, mutate_bytes
from resigned import HEADER as CHECKPOINT_HEADER
from resigned import blocks_of, checkpoint_of

SECONDS_EACH = 10
HEADER_BYTES = 256  # of a GSD file
NASTY_REALS = (0.0, -0.0, 1e-300, 1e300, -1e300, math.nan, math.inf, -math.inf, 1e-38, 3.4e38)


# GSD


def chunks_of_frames() -> list[dict[str, np.ndarray]]:
    """Two frames of a small mixture, chunk by chunk."""
    side, rng = 4, np.random.default_rng(5)
    grid = np.stack(np.meshgrid(*[np.arange(side)] * 3), -1).reshape(-1, 3)
    n, length = side**3, 1.4 * side
    position = (grid + 0.5) * 1.4 - length / 2 + rng.uniform(-0.1, 0.1, (n, 3))
    frames = []
    for step in (0, 500):
        frames.append(
            {
                "configuration/step": np.array([step], np.uint64),
                "configuration/box": np.array([length, length, length, 0.1, 0, 0], np.float32),
                "particles/N": np.array([n], np.uint32),
                "particles/position": position.astype(np.float32),
                "particles/velocity": rng.normal(size=(n, 3)).astype(np.float32),
                "particles/image": rng.integers(-3, 3, (n, 3)).astype(np.int32),
            }
        )
    frames[0] |= {
        "configuration/dimensions": np.array([3], np.uint8),
        "particles/types": np.array([[65, 0], [66, 0]], np.int8),
        "particles/typeid": (np.arange(n) % 2).astype(np.uint32),
        "particles/mass": np.ones(n, np.float32),
        "particles/charge": np.zeros(n, np.float32),
    }
    return frames


def write_frames(path: Path, frames: list[dict[str, np.ndarray]]) -> None:
    with gsd.fl.open(
        str(path), "w", application="mutate", schema="hoomd", schema_version=[1, 4]
    ) as file:
        for frame in frames:
            for name, data in frame.items():
                file.write_chunk(name, data)
            file.end_frame()


def mutate_chunk(dice: random.Random, frames: list[dict[str, np.ndarray]]) -> None:
    """Another value, type or shape for one chunk: a file that is sound as a container."""
    frame = dice.choice(frames)
    name = dice.choice(sorted(frame))
    data = frame[name].copy()
    way = dice.randrange(6)
    if way == 0:
        del frame[name]
        return
    if way == 1:
        kinds = (np.uint8, np.int8, np.uint16, np.int32, np.uint64, np.float32, np.float64)
        with np.errstate(all="ignore"):
            data = data.astype(dice.choice(kinds))
    elif way == 2:
        data = data.reshape(-1)[: dice.randrange(1, data.size + 1)]
    elif way == 3:
        data = np.resize(data, (dice.randrange(1, 200), dice.choice((1, 2, 3, 4, 6))))
    elif way == 4 and data.dtype.kind != "f":
        info = np.iinfo(data.dtype)
        data.flat[dice.randrange(data.size)] = min(max(dice.choice(NASTY), info.min), info.max)
    else:
        count = dice.choice((1, 1, 3))
        for _ in range(count):
            with np.errstate(all="ignore"):
                value = np.float64(dice.choice(NASTY_REALS)).astype(data.dtype)
                other = data.flat[dice.randrange(data.size)]
                data.flat[dice.randrange(data.size)] = dice.choice((value, other))
    frame[name] = data


def make_gsd(dice: random.Random, path: Path) -> None:
    frames = chunks_of_frames()
    if dice.random() < 0.3:
        for _ in range(dice.choice((1, 1, 2))):
            mutate_chunk(dice, frames)
        write_frames(path, frames)
        return
    write_frames(path, frames)
    start = HEADER_BYTES if dice.random() < 0.4 else 0
    data = path.read_bytes()
    if start == 0 and dice.random() < 0.5:  # in the header itself
        changed = mutate_bytes(dice, data[:HEADER_BYTES], 0)
        path.write_bytes(changed + data[HEADER_BYTES:])
    else:
        path.write_bytes(mutate_bytes(dice, data, start))


def read_gsd(path: Path) -> float:
    system = au.read(path, frame=-1)
    au.read(path, frame=0)
    sim = au.Simulation(
        system,
        forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.0)],
        device="host",
        threads=1,
    )
    return sim.energy.potential


# Input files

INPUT = """\
# A mixture with everything that an input file may hold.
steps = 1000
seed = 3
thermalize = 1.2

[system]
kind = "lattice"
n = 256
density = 0.8
lattice = "fcc"
mass = 1.0
composition = {A = 0.8, B = 0.2}

[[forces]]
kind = "LennardJones"
epsilon = {"A,A" = 1.0, "A,B" = 1.5, "B,B" = 0.5}
sigma = {"A,A" = 1.0, "A,B" = 0.8, "B,B" = 0.88}
r_cut = 2.5
mode = "shift"

[integrator]
kind = "Langevin"
dt = 0.005
kT = 1.2
gamma = 0.5
filter = {kind = "Type", types = ["A"]}

[neighbors]
mode = "tolerance"
tolerance = 0.0005

[device]
name = "host"
precision = "double"
threads = 1

[[observers]]
kind = "Log"
path = "run.csv"
every = 10
quantities = ["step", "potential", "energy_LennardJones"]

[[observers]]
kind = "Trajectory"
path = "run.gsd"
every = 100
fields = ["velocity", "force"]

[[observers]]
kind = "Progress"
seconds = 1.0

[[observers]]
kind = "Checkpoint"
path = "run.ckpt"
every = 100
"""
NASTY_TOML = (
    *(str(v) for v in (0, -1, 2, 65, 2**31, 2**63 - 1, 2**63, 10**30)),
    *("nan", "inf", "-inf", "1e-300", "1e300", "-0.5", "0.0", "1e9", "true", '""', '"A"', "[]"),
    *("{}", "[[1, 2], 3]", '"\\u0000"', "1979-05-27", '{kind = "All"}', "[1.0, 2.0, 3.0]", '"fcc"'),
)


def mutate_lines(dice: random.Random, text: str, start: int) -> str:
    """Other values, lines repeated, dropped or moved: mostly still TOML."""
    lines = text.splitlines()
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        at = dice.randrange(min(start, len(lines) - 1), len(lines))
        way = dice.randrange(7)
        if way <= 3 and "=" in lines[at]:
            lines[at] = lines[at].split("=")[0] + "= " + dice.choice(NASTY_TOML)
        elif way == 4:
            lines.insert(at, dice.choice(lines))
        elif way == 5 and len(lines) > start + 2:
            del lines[at]
        else:
            other = dice.randrange(min(start, len(lines) - 1), len(lines))
            lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines) + "\n"


def make_toml(dice: random.Random, path: Path) -> None:
    if dice.random() < 0.6:
        path.write_text(mutate_lines(dice, INPUT, 6 if dice.random() < 0.8 else 0))
    else:
        start = INPUT.index("[system]") if dice.random() < 0.5 else 0
        path.write_bytes(mutate_bytes(dice, INPUT.encode(), start))


def read_toml(path: Path) -> float:
    plan = input_file.load(path)
    plan.observers.clear()  # they would write wherever a mutated path says
    plan.minimize = None  # may rightly take as long as it was told
    return plan.simulation().energy.potential


# Checkpoints


def make_checkpoint(dice: random.Random, path: Path) -> None:
    sound = (path.parent / "sound.ckpt").read_bytes()
    start = 0 if dice.random() < 0.5 else CHECKPOINT_HEADER
    data = sound
    while data == sound:
        data = mutate_bytes(dice, sound, start)
    path.write_bytes(data)


def read_checkpoint(path: Path) -> float:
    sim = au.Simulation.from_checkpoint(path)
    raise AssertionError(f"an altered checkpoint was accepted, at step {sim.step}")


def prepare_checkpoint(folder: Path) -> None:
    path = folder / "sound.ckpt"
    if path.exists():
        return
    sim = au.Simulation(
        au.build.lattice("fcc", n=256, density=0.8442),
        forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
        integrator=au.Langevin(dt=0.005, kT=1.2, gamma=0.5),
        seed=7,
        device="host",
        threads=1,
    )
    sim.run(10)
    sim.write_checkpoint(path)


# Checkpoints whose checksums were made to match again: what a newer or a hostile program may write.


def make_mended(dice: random.Random, path: Path, name: str = "sound.ckpt") -> None:
    sound = (path.parent / name).read_bytes()
    blocks = blocks_of(sound)
    # Headers are short and hold the counts: they are hit as often as all else together.
    short = [name for name in sorted(blocks) if len(blocks[name]) < 400]
    for _ in range(dice.choice((1, 1, 2))):
        name = dice.choice(dice.choice((sorted(blocks), short)))
        if name not in blocks:
            continue
        if dice.random() < 0.05:
            del blocks[name]
        elif dice.random() < 0.5 and len(blocks[name]) >= 4:
            data = bytearray(blocks[name])
            width = dice.choice((4, 8))
            at = dice.randrange(0, max(1, len(data) - width + 1), 4)
            value = dice.choice(NASTY) % 2 ** (8 * width)
            if width == 8 and dice.random() < 0.5:
                data[at : at + 8] = struct.pack("<d", dice.choice(NASTY_REALS))
            else:
                data[at : at + width] = value.to_bytes(width, "little")
            blocks[name] = bytes(data)
        else:
            blocks[name] = mutate_bytes(dice, blocks[name], 0)
    path.write_bytes(checkpoint_of(sound, blocks))


def read_mended(path: Path) -> float:
    return go_on(au.Simulation.from_checkpoint(path, device="host", threads=1))


def go_on(sim: au.Simulation) -> float:
    """What is accepted must run, or blow up in words."""
    with sim:
        energy = sim.energy.potential
        sim.run(3)
        return energy


# The same of molecules, whose topology stands in files of its own.

MDP = """\
integrator = md
dt = 0.0005
nsteps = 20
coulombtype = PME
rcoulomb = 0.7
rvdw = 0.7
fourierspacing = 0.15
constraints = h-bonds
tcoupl = nose-hoover
tc-grps = System
tau-t = 0.5
ref-t = 300
pcoupl = parrinello-rahman
tau-p = 2
ref-p = 1
compressibility = 4.5e-5
gen-vel = yes
gen-temp = 300
"""


def prepare_molecules(folder: Path) -> None:
    if (folder / "molecules.ckpt").exists():
        return
    au.build.solution({"ethanol": 6, "spce": 130}, seed=3).write_gromacs(folder, MDP)
    names = [str(folder / name) for name in ("conf.gro", "topol.top", "grompp.mdp")]
    sim = au.from_gromacs(*names, device=au.Device(name="host", threads=1), maxwarn=9)
    sim.minimize()
    sim.run(5)
    sim.write_checkpoint(folder / "molecules.ckpt")


def make_mended_molecules(dice: random.Random, path: Path) -> None:
    make_mended(dice, path, "molecules.ckpt")


def read_mended_molecules(path: Path) -> float:
    return go_on(au.Simulation.from_checkpoint(path, device="host", threads=1))


# Files of GROMACS


def make_gromacs(dice: random.Random, path: Path) -> None:
    kind = path.suffix[1:]
    text = drill_gromacs.SOUND[kind]
    start = text.index(drill_gromacs.HEADS[kind]) if dice.random() < 0.5 else 0
    path.unlink(missing_ok=True)  # a file cut to nothing is flushed, which takes long
    path.write_bytes(mutate(dice, text, start))


Format = tuple[Callable[[random.Random, Path], None], Callable[[Path], float]]
FORMATS: dict[str, Format] = {
    "gsd": (make_gsd, read_gsd),
    "toml": (make_toml, read_toml),
    "checkpoint": (make_checkpoint, read_checkpoint),
    "mended": (make_mended, read_mended),
    "molecules": (make_mended_molecules, read_mended_molecules),
    "xtc": (drill_trajectories.make, drill_trajectories.read),
    "trr": (drill_trajectories.make, drill_trajectories.read),
} | dict.fromkeys(drill_gromacs.SOUND, (make_gromacs, drill_gromacs.read_files))


def judge_one(read: Callable[[Path], float], path: Path) -> tuple[str, str]:
    """What became of one input, and the text of its error or what is wrong."""
    try:
        energy = read(path)
    except au.Error as error:
        text = str(error)
        return ("refused", text) if len(text) > 20 else ("unclear", repr(error))
    except Exception:
        return "bare", traceback.format_exc(limit=-4)
    return ("accepted", "") if math.isfinite(energy) else ("not finite", f"energy {energy}")


def place_of(text: str, path: Path) -> str:
    """Does an error name the line of a file, the file alone, or neither?"""
    if re.match(re.escape(str(path.parent)) + r"/\S+:\d+: ", text):
        return "line"
    return "file" if str(path.parent) in text else "nowhere"


def judge(request: dict[str, Any]) -> dict[str, Any]:
    """Read the inputs of seeds first ... first + count - 1. An input that takes too long or crashes
    ends the process; its seed stands in the file "seed" of the notes.
    """
    warnings.simplefilter("ignore")
    make, read = FORMATS[request["format"]]
    folder, notes = Path(request["folder"]), Path(request["notes"])
    if request["format"] in ("checkpoint", "mended"):
        prepare_checkpoint(folder)
    if request["format"] == "molecules":
        prepare_molecules(folder)
    path = folder / f"mutated.{request['format']}"
    counts: dict[str, int] = {}
    problems = []
    seed_note = os.open(notes / "seed", os.O_WRONLY | os.O_CREAT, 0o644)
    for seed in range(request["first"], request["first"] + request["count"]):
        os.pwrite(seed_note, f"{seed:12d}".encode(), 0)
        make(random.Random(seed), path)
        # Of processor time: the load of others is no hang. What sleeps meets the server's limit.
        signal.setitimer(signal.ITIMER_PROF, SECONDS_EACH)
        verdict, text = judge_one(read, path)
        signal.setitimer(signal.ITIMER_PROF, 0)
        if verdict == "refused" and request["format"] in drill_gromacs.SOUND:
            place = place_of(text, path)
            verdict = "nowhere" if place == "nowhere" else verdict
            counts[f"naming the {place}"] = counts.get(f"naming the {place}", 0) + 1
            if place != "line" and "places" in request:
                problems.append(text)
        counts[verdict] = counts.get(verdict, 0) + 1
        if verdict not in ("accepted", "refused"):
            problems.append(f"seed {seed}: {verdict}: {text}")
    return {"counts": counts, "problems": problems}


if __name__ == "__main__":
    work = Path(sys.argv[4] if len(sys.argv) > 4 else ".")
    asked = {"format": sys.argv[1], "first": int(sys.argv[2]), "count": int(sys.argv[3])}
    if sys.argv[1] in ("xtc", "trr"):
        drill_trajectories.prepare(work, sys.argv[1])
    print(json.dumps(judge(asked | {"folder": work, "notes": work}), indent=1))
