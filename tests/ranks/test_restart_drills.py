# SPDX-License-Identifier: Apache-2.0
"""Checkpoints written on some ranks and read on others, or on as many, at any moment of any run."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
import pytest
from resigned import places_of
from stacks import Shape
from systems import CASES, Library

CUBE: Shape = (2, 2, 2)  # a box that any number of ranks up to 8 can divide
COLUMNS = ("position", "velocity", "force", "image")


def ranks(number: int, precision: str = "double") -> au.Device:
    return au.Device(ranks=number, threads=1, precision=precision)


def energies(sim: au.Simulation) -> dict[str, float]:
    found = sim.thermo()
    terms = {one["name"]: one["energy"] for one in found["per_force"]}
    return terms | {"kinetic": found["kinetic"], "given": found["given"]}


def test_any_number_of_ranks_reads_what_four_wrote(library: Library, tmp_path: Path) -> None:
    wanted: dict[str, tuple[Any, np.ndarray, np.ndarray]] = {}

    def check(name: str, sim: au.Simulation) -> None:
        energy, position, velocity = wanted[name]
        mesh = name in CASES and CASES[name].mesh
        assert sim.step == 20
        assert energies(sim) == pytest.approx(energy, rel=1e-10 if mesh else 1e-12)
        apart = sim.box.minimum_image(sim.get("position") - position)
        assert np.abs(apart).max() < 1e-14 and np.array_equal(sim.get("velocity"), velocity)

    for name in ("melt", "reaction field", "four-site water", "restraints"):
        with library.simulation(name, CUBE, ranks(4)) as sim:
            sim.run(20)
            sim.write_checkpoint(tmp_path / f"{name}.cpt")
            wanted[name] = energies(sim), sim.get("position"), sim.get("velocity")
    for number in (1, 2, 3, 8):
        for name in wanted:
            with library.restart(tmp_path / f"{name}.cpt", ranks(number)) as other:
                check(name, other)
                other.write_checkpoint(tmp_path / f"{name} of {number}.cpt")
    for number in (1, 2, 3, 8):
        for name in wanted:
            with library.restart(tmp_path / f"{name} of {number}.cpt", ranks(4)) as again:
                check(name, again)


def of_fluids(dice: random.Random) -> Any:
    """An integrator of particles without bonds."""
    every = dice.choice((1, 5, 10))
    return dice.choice(
        (
            au.NVE(dt=0.003),
            au.Langevin(dt=0.003, kT=1.0, gamma=1.0),
            au.Bussi(dt=0.003, kT=1.0, tau=0.5, every=every),
        )
    )


def of_molecules(dice: random.Random) -> dict[str, str]:
    """Run parameters: any integrator, thermostat and barostat that go together."""
    integrator = dice.choice(("md", "md", "md-vv", "sd"))
    found = {"integrator": integrator, "dt": "0.0005"} | (
        {"coulombtype": "PME", "fourierspacing": "0.12"} if dice.random() < 0.5 else {}
    )
    thermostats = ("v-rescale", "nose-hoover", "berendsen", "no")
    thermostat = "no" if integrator == "sd" else dice.choice(thermostats)
    if integrator == "sd" or thermostat != "no":
        found |= {"tc-grps": "system", "tau-t": "0.5", "ref-t": "300"}
    found |= {"tcoupl": thermostat, "nsttcouple": dice.choice(("1", "5", "10"))}
    barostats = ["no", "parrinello-rahman", "berendsen"]
    if integrator == "sd" or thermostat != "no":
        barostats.append("c-rescale")
    if integrator == "md-vv":
        barostats = [one for one in barostats if one != "berendsen" or thermostat != "nose-hoover"]
    kind = dice.choice(barostats)
    if kind != "no":
        shape, count = dice.choice((("isotropic", 1), ("semiisotropic", 2), ("anisotropic", 6)))
        squeeze = " ".join(["4.5e-5"] * min(count, 3) + ["0"] * max(0, count - 3))
        found |= {"pcoupl": kind, "pcoupltype": shape, "compressibility": squeeze}
        found |= {"ref-p": " ".join(["1"] * min(count, 3) + ["0"] * max(0, count - 3))}
        found |= {"tau-p": "2", "nstpcouple": dice.choice(("1", "5", "10"))}
    if dice.random() < 0.5:
        found |= {"comm-mode": "linear", "nstcomm": dice.choice(("1", "10"))}
    return found


def cut_and_go_on(seed: int, library: Library, path: Path) -> None:
    """Two restarts at random steps; the run that wrote the last file goes on beside it."""
    dice = random.Random(seed)
    name = dice.choice(("melt", "reaction field", "four-site water", "virtual sites", "restraints"))
    number = dice.choice((2, 3, 4))
    settings = of_molecules(dice) if name in CASES else of_fluids(dice)
    device = ranks(number, dice.choice(("double", "mixed")))
    sim = library.simulation(name, CUBE, device, settings)
    for _ in range(2):
        sim.run(dice.randint(0, 40))
        sim.write_checkpoint(path)
        again, steps = library.restart(path, device), dice.randint(1, 40)
        for one in (sim, again):
            one.run(steps)
        where = f"seed {seed}: {name} on {number} ranks, {settings}"
        assert (sim.step, sim.box) == (again.step, again.box), where
        assert energies(sim) == energies(again), where
        for column in COLUMNS:
            np.testing.assert_array_equal(sim.get(column), again.get(column), err_msg=where)
        sim.close()
        sim = again
    sim.close()


def test_as_many_ranks_go_on_to_the_bit(library: Library, tmp_path: Path) -> None:
    for seed in range(10):
        cut_and_go_on(seed, library, tmp_path / "state.cpt")


@pytest.mark.validate
def test_as_many_ranks_go_on_to_the_bit_from_100_cuts(library: Library, tmp_path: Path) -> None:
    for seed in range(100, 200):
        cut_and_go_on(seed, library, tmp_path / "state.cpt")


def altered(dice: random.Random, good: bytes, block: tuple[str, int, int]) -> tuple[bytes, str]:
    """A file with one alteration, and the part that it is in."""
    name, at, size = block
    bad = bytearray(good)
    way = dice.randrange(5)
    if way == 0:  # the end is missing
        return bytes(bad[: dice.randrange(len(bad))]), "length|header"
    if way == 1:  # something follows
        return bytes(bad) + dice.randbytes(dice.randint(1, 64)), "length"
    if way == 2:  # in the header, or in the table
        place = dice.randrange(200)
        bad[place] ^= 1 << dice.randrange(8)
        return bytes(bad), "header" if place < 72 else "table"
    place, length = at + dice.randrange(size), dice.choice((1, 4, 8))
    for k in range(place, min(place + length, at + size)):
        bad[k] ^= dice.randint(1, 255)
    return bytes(bad), name


def refuse_altered(count: int, library: Library, folder: Path) -> None:
    with library.simulation("restraints", (2, 1, 1), ranks(2)) as sim:
        sim.run(5)
        sim.write_checkpoint(folder / "good.cpt")
    good, path = (folder / "good.cpt").read_bytes(), folder / "altered.cpt"
    found, dice = places_of(good), random.Random(1)
    assert {"position@0", "position@1", "division", "extra"} <= found.keys()
    places = [(name, at, size) for name, (at, size) in found.items() if size]
    for k in range(count):
        bad, part = altered(dice, good, dice.choice(places))
        path.write_bytes(bad)
        with pytest.raises(au.FileError, match=r"altered\.cpt' is damaged \(.*(" + part + r")\b"):
            library.restart(path, ranks(1 if k % 3 else 2))


def test_altered_files_are_refused_and_the_part_is_named(library: Library, tmp_path: Path) -> None:
    refuse_altered(300, library, tmp_path)


@pytest.mark.validate
def test_10_000_altered_files_are_refused(library: Library, tmp_path: Path) -> None:
    refuse_altered(10_000, library, tmp_path)


def read_mended(count: int, library: Library, folder: Path) -> dict[str, int]:
    """Files with sound checksums around other contents: refused in words by all ranks alike, or
    continued.
    """
    from drill_mutations import make_mended

    with library.simulation("melt", (2, 1, 1), ranks(2, "mixed")) as sim:
        sim.run(5)
        sim.write_checkpoint(folder / "sound.ckpt")
    counts = {"refused": 0, "continued": 0}
    for seed in range(count):
        path = folder / "mended.ckpt"
        make_mended(random.Random(seed), path)
        try:
            with library.restart(path, ranks(2, "mixed")) as sim:
                sim.run(3)
                counts["continued"] += 1
        except au.Error as error:
            assert len(str(error)) > 20, f"seed {seed}: {error!r}"
            counts["refused"] += 1
    return counts


def test_mended_files_are_refused_by_all_ranks_or_continued(
    library: Library, tmp_path: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        counts = read_mended(60, library, tmp_path)
    assert min(counts.values()) > 4, counts


@pytest.mark.validate
def test_2_000_mended_files(library: Library, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        print(read_mended(2_000, library, tmp_path))
