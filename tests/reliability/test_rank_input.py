# SPDX-License-Identifier: Apache-2.0
"""Numbers of ranks, grids, environments and letters that cannot be: one error, soon, and no rank
that is left."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import aureole as au
import commands
import pytest
from aureole.ranks import find_launcher, handshake
from mdrun_inputs import argon, command

SOON = 10 + 20  # [s]; 20 where others have the processors


def processes_in(folder: Path) -> list[str]:
    """Commands of the processes that work in a folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(entry / "cwd") == str(folder):
                found.append((entry / "cmdline").read_text())
        except OSError:
            continue
    return found


def outcome(here: Path, *words: object, fresh: bool = False) -> tuple[int, str]:
    """Exit code and errors of a call of mdrun, which ends soon and leaves no process."""
    began = time.monotonic()
    done = commands.run(
        command(*words), fresh=fresh, cwd=here, capture_output=True, text=True, timeout=60
    )
    assert time.monotonic() - began < SOON
    assert not [line for line in processes_in(here) if "follower" in line]
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    argon(tmp_path)
    return tmp_path


#: Options, and what must be in the one error.
WRONG = {
    "-ntmpi -3": "ranks",
    "-ntmpi 1000": "1000 ranks cannot be started",
    "-dd 2 2 2 -ntmpi 4": "there are 4 ranks, and each has one domain",
    "-dd 2 2": "it takes three whole numbers",
    "-dd 2 -1 2": "it takes three whole numbers",
    "-dd 2 two 2": "it takes three whole numbers",
    "-dd 5 1 1 -ntmpi 5": "the box is too small for a grid of 5 × 1 × 1 ranks",
    "-ntmpi 2 -device cuda:0": "several ranks run on the host only",
    "-ntmpi 2 -nt 3": "-nt 3 does not match 2 ranks",
}


@pytest.mark.parametrize("words", WRONG)
def test_options_that_cannot_be(folder: Path, words: str) -> None:
    code, err = outcome(folder, *words.split(), "-nsteps", 5)
    assert code == 2
    assert err.count("error: ") == 1 and WRONG[words] in err, err


def test_an_impossible_grid_names_the_largest(folder: Path) -> None:
    _, err = outcome(folder, "-dd", 5, 1, 1, "-ntmpi", 5, "-nsteps", 5)
    most = err.split("at most ")[1].split(" domains")[0].replace(" × ", " ")
    words = ("-dd", *most.split(), "-nt", 0, "-nsteps", 5)
    code, err = outcome(folder, *words, fresh=True)
    assert code == 0, err


@pytest.mark.parametrize("words", ["-ntmpi 0", "-ntmpi 1", "-dd 1 1 1", "-dd 0 0 0"])
def test_one_rank_in_other_words(folder: Path, words: str) -> None:
    assert outcome(folder, *words.split(), "-npme", 0, "-nsteps", 5) == (0, "")


@pytest.mark.parametrize("words", ["-rdd 0.9", "-rcon 0.5", "-dds 0.7", "-ddorder cartesian"])
def test_options_that_nothing_needs(folder: Path, words: str) -> None:
    code, err = outcome(folder, *words.split(), "-ntmpi", 2, "-nsteps", 5)
    assert code == 0 and "error" not in err


def liquid(n: int, **device: object) -> au.Simulation:
    return au.Simulation(
        au.build.lattice("fcc", n=n, density=0.8),
        [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)],
        au.Langevin(dt=0.004, kT=1, gamma=1),
        device=au.Device(threads=1, precision="double", **device),
    )


@pytest.mark.parametrize(
    ("n", "size", "grid"), [(1372, 5, 4), (1372, 7, 6), (256, 3, 2), (108, 2, 1)]
)
def test_more_ranks_than_a_box_has_room_for(n: int, size: int, grid: int, tmp_path: Path) -> None:
    one, many = liquid(n), liquid(n, ranks=size)
    with pytest.warns(UserWarning, match=f"too small for {size} ranks") as caught:
        many.run(20)
    assert len(caught) == 1
    assert f"{grid} {'is' if grid == 1 else 'are'} used" in str(caught[0].message)
    one.run(20)
    x, y, z = many.describe()["grid"]
    assert x * y * z == grid
    assert many.energy.total == pytest.approx(one.energy.total, rel=1e-10)
    assert abs(many.get("position") - one.get("position")).max() < 1e-9
    many.write_checkpoint(tmp_path / "state.cpt")
    many.run(20)
    with pytest.warns(UserWarning, match="too small"):
        again = au.Simulation.from_checkpoint(tmp_path / "state.cpt").run(20)
    assert (again.get("position") == many.get("position")).all()
    alone = au.Simulation.from_checkpoint(tmp_path / "state.cpt", device="host").run(20)
    assert abs(alone.get("position") - many.get("position")).max() < 1e-9


def test_grids_of_devices() -> None:
    assert au.Device(grid=(2, 1, 3)).ranks == 6
    assert au.Device.of(au.Device(grid=[2, 1, 1]), None, None, 3).grid is None
    for wrong in ((2, 2), "2x2", (0, 1, 1), (2.5, 1, 1), 4):
        with pytest.raises(au.InputError, match="grid"):
            au.Device(grid=wrong)
    with pytest.raises(au.InputError, match="there are 3 ranks"):
        au.Device(ranks=3, grid=(2, 2, 1))
    sim = liquid(1372, grid=(1, 3, 1)).run(5)
    assert sim.describe()["grid"] == (1, 3, 1)


# Environments

GOOD = {
    "OMPI_COMM_WORLD_SIZE": "2",
    "OMPI_COMM_WORLD_RANK": "1",
    "OMPI_COMM_WORLD_LOCAL_SIZE": "2",
    "PMI_SIZE": "3",
    "PMI_RANK": "0",
    "MPI_LOCALNRANKS": "3",
    "AUREOLE_MPI": "",
}
PIECES = ["", "-1", "0", "7", "1e3", " 2", "2 ", "0x2", "٣", "none", "9" * 30, "\x1b[31m", "é"]


def mutated(value: str, rng: random.Random) -> str:
    """A value with a character changed, added or left out; or something else."""
    if rng.random() < 0.4:
        return rng.choice(PIECES)
    at = rng.randrange(len(value) + 1)
    new = rng.choice(["", chr(rng.randrange(32, 127)), rng.choice("0123456789-")])
    return value[:at] + new + value[at + rng.randrange(2) :]


def test_a_thousand_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = 0
    for seed in range(1000):
        rng = random.Random(seed)
        for name in rng.sample(sorted(GOOD), rng.randrange(1, len(GOOD))):
            value = mutated(GOOD[name], rng)
            monkeypatch.setenv(name, value.replace("\0", ""))
        try:
            rank, size = find_launcher.launched()
            assert 0 <= rank < size <= 999_999
        except au.InputError as error:
            refused += 1
            assert "\x1b" not in str(error) and len(str(error)) < 300
        for name in GOOD:
            monkeypatch.delenv(name, raising=False)
    assert 300 < refused < 1000


def follower(seed: int) -> None:
    """A follower with a mutated environment of its own ends soon, with one line."""
    rng = random.Random(seed)
    words = [str(n) for n in (1, os.getpid(), 0, 1, 3, 4)]
    for _ in range(rng.randrange(1, 4)):
        k = rng.randrange(len(words))
        words[k] = mutated(words[k], rng)
    of = {"AUREOLE_RANK": " ".join(words), "AUREOLE_RANK_PROCESSORS": mutated("0 1", rng)}
    done = subprocess.run(
        [sys.executable, "-m", "aureole.ranks.follower"],
        env={**os.environ, **of},
        capture_output=True,
        text=True,
        timeout=SOON,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode in (1, 2), (of, done.stderr)
    assert "Traceback" not in done.stderr and done.stderr.count("\n") <= 1, (of, done.stderr)


@pytest.mark.parametrize("first", [0])
def test_environments_of_followers(first: int) -> None:
    for seed in range(first, first + 8):
        follower(seed)


@pytest.mark.validate
def test_a_thousand_environments_of_followers() -> None:
    for seed in range(1000):
        follower(seed)


# What ranks tell each other at the start


def test_a_thousand_letters() -> None:
    order = {"problem": None, "leader": 4711, "descriptors": [3, 4], "processors": [0], "own": True}
    texts = [json.dumps(words).encode() for words in (handshake.about(), order, {"problem": None})]
    refused = 0
    for seed in range(1000):
        rng = random.Random(seed)
        text = bytearray(texts[seed % 3])
        assert handshake.read(bytes(text).ljust(1000), 1)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(text))
            text[at : at + rng.randrange(2)] = bytes([rng.randrange(256)])
        try:
            words = handshake.read(bytes(text), 1)
        except au.RankError as error:
            refused += 1
            assert "rank 1" in str(error)
            continue
        numbers = [*words.get("processors", []), *words.get("descriptors", [])]
        assert all(type(n) is int and n >= 0 for n in numbers)
        assert words.get("problem") is None or isinstance(words["problem"], str)
    assert refused > 500


def test_differences_of_programs_are_named() -> None:
    mine = handshake.about()
    assert handshake.difference([mine, dict(mine)]) is None
    for name in ("version", "command", "digest"):
        text = handshake.difference([mine, mine | {name: "other"}])
        assert text is not None and "rank 1" in text


def test_rank_and_size_without_a_launcher() -> None:
    assert (au.ranks.rank, au.ranks.size) == (0, 1)
    with pytest.raises(AttributeError, match="nothing"):
        _ = au.ranks.nothing
