# SPDX-License-Identifier: Apache-2.0
"""Whatever a format can hold comes back from it, column by column, of systems and of runs.

All values differ and none is a default. The formats are those that are registered, and what is read
by chemfiles and gsd, which others wrote, is compared with arrays of the test.
"""

from __future__ import annotations

import struct
from dataclasses import fields

import aureole as au
import chemfiles
import gsd.hoomd
import numpy as np
import pytest
from aureole.formats import edr
from aureole.formats.coordinates import Coordinates
from aureole.formats.read_coordinates import read_coordinates
from aureole.formats.read_trajectory import frames_of
from aureole.formats.registry import endings_with, format_of
from aureole.formats.xtc_trr_reader import Reader
from aureole.system.topology import Labels

N = 27
BEGIN, EVERY, COUNT = 20, 15, 3
DT = {"molecular": 0.00175, "reduced": 0.00325}
#: Largest rounding of positions [nm] and velocities [nm/ps] that a format has.
KEPT = {".xtc": (6e-4, 0), ".gro": (6e-4, 6e-5), ".pdb": (6e-5, 0)}
FULL = 2e-6, 2e-6


def system(units: str) -> au.System:
    """Bound particles of three types in a tilted box, no column of which has its default."""
    random = np.random.default_rng(12)
    grid = np.array([[x, y, z] for x in range(3) for y in range(3) for z in range(3)]) - 1.0
    tuples = {
        "bonds": {"soft": [[0, 1], [3, 4], [24, 25]], "hard": [[1, 2]]},
        "angles": {"bend": [[0, 1, 2]], "wide": [[3, 4, 5], [6, 7, 8]]},
        "dihedrals": {"turn": [[0, 1, 2, 5], [9, 10, 11, 14]], "twist": [[3, 4, 5, 8]]},
        "impropers": {"flat": [[0, 1, 2, 3]], "pyramid": [[6, 7, 8, 5], [15, 16, 17, 14]]},
        "pairs": {"far": [[0, 26]], "near": [[1, 25], [2, 24]]},
    }
    made = au.System(
        au.Box(3.8, 4.1, 4.4, xy=0.21, xz=-0.13, yz=0.08),
        1.15 * grid + 0.08 * random.normal(size=(N, 3)),
        velocity=random.normal(size=(N, 3)),
        mass=5.0 + 0.37 * np.arange(N),
        charge=0.11 * (np.arange(N) - 12.3),
        type=np.arange(N) % 3,
        type_names=("Qx", "Bee", "C_3"),
        image=random.integers(-4, 5, (N, 3)),
        columns={"diameter": 0.5 + 0.013 * np.arange(N), "colour": 3 + np.arange(N)},
        exclusions=[[0, 9], [2, 3], [7, 20]],
        terms={"constraint": ([[10, 13], [11, 14]], [1.15, 1.21])},
        units=units,
        **tuples,
    )
    return made


FIELDS = ("bonds", "angles", "dihedrals", "impropers", "pairs")


def listed(tuples) -> dict[str, list]:
    return {name: tags.tolist() for name, tags in tuples.items()}


@pytest.mark.parametrize("units", ["molecular", "reduced"])
@pytest.mark.parametrize("ending", [".gsd", ".npz"])
def test_systems(here, units, ending):
    one = system(units)
    if ending == ".gsd":
        au.write("a.gsd", one, step=4_711)
        two, digits = au.read("a.gsd"), 2e-7
    else:
        one.save("a.npz")
        two, digits = au.System.load("a.npz"), 0.0
    assert two.units == units and two.type_names == ("Qx", "Bee", "C_3")
    for name in ("position", "velocity", "mass", "charge"):
        here_, there = getattr(one, name), getattr(two, name)
        assert np.abs(here_ - there).max() <= digits * np.abs(here_).max(), name
        assert len(np.unique(there)) == there.size, name
    for name in ("type", "image", "exclusions"):
        assert getattr(two, name).tolist() == getattr(one, name).tolist(), name
    assert two.box.six == pytest.approx(one.box.six, rel=1e-7)
    assert two.columns == one.columns and two.columns.unit("diameter") == one.columns.unit(
        "diameter"
    )
    for field in FIELDS:
        assert listed(getattr(two, field)) == listed(getattr(one, field)), field
    held = two.terms["constraint"]
    assert held.particles.tolist() == [[10, 13], [11, 14]]
    assert held.parameters[held.row, 0] == pytest.approx([1.15, 1.21], rel=1e-7)


@pytest.mark.parametrize("units", ["molecular", "reduced"])
def test_what_others_find_in_a_system(here, units):
    one = system(units)
    au.write("a.gsd", one, step=4_711)
    with gsd.hoomd.open("a.gsd", "r") as file:
        [frame] = file
    frame.validate()
    there = frame.particles
    assert frame.configuration.step == 4_711
    assert frame.configuration.box == pytest.approx([3.8, 4.1, 4.4, 0.21, -0.13, 0.08], rel=1e-6)
    for name in ("position", "velocity", "mass", "charge"):
        found = getattr(there, name)
        assert np.abs(found - getattr(one, name)).max() < 1e-6, name
    assert np.abs(there.diameter - one.columns["diameter"]).max() < 1e-7
    assert there.image.tolist() == one.image.tolist()
    assert [there.types[k] for k in there.typeid] == ["Qx", "Bee", "C_3"] * 9
    for field in FIELDS:
        of, found = getattr(frame, field), {}
        for kind, group in zip(of.typeid.tolist(), of.group.tolist(), strict=True):
            found.setdefault(of.types[kind], []).append(group)
        assert found == listed(getattr(one, field)), field
    assert frame.constraints.group.tolist() == [[10, 13], [11, 14]]
    assert frame.constraints.value == pytest.approx([1.15, 1.21], rel=1e-6)


def coordinates() -> Coordinates:
    """Residues that jump, with all columns of either format."""
    random = np.random.default_rng(3)
    step = np.arange(N)
    label = lambda words: Labels(words, (step % len(words)).astype(np.int32))  # noqa: E731
    residue = Labels(("ALA", "SOL", "NA+"), (step // 4 % 3).astype(np.int32))
    return Coordinates(
        "a title t= 12.50000 step= 6250",
        (17 + 3 * (step // 4)).astype(np.int32),
        residue,
        label(("CA", "HB12", "OW", "CL", "NA")),
        random.uniform(-0.7, 3.0, (N, 3)),
        velocity=random.normal(size=(N, 3)),
        box=np.array([[3.1, 0, 0], [0.7, 2.9, 0], [-1.1, 0.6, 2.7]]),
        chain=Labels(("A", "K"), (step // 12 % 2).astype(np.int32)),
        insertion=Labels(("", "B"), (step // 8 % 2).astype(np.int32)),
        element=label(("C", "H", "O", "CL", "NA")),
    )


#: What a format of coordinates has no columns for.
LACKS = {".gro": ("chain", "insertion", "element"), ".pdb": ("velocity",)}


@pytest.mark.parametrize("ending", endings_with("write_coordinates"))
def test_coordinates(here, ending):
    path, one = f"a{ending}", coordinates()
    format_of(path).write_coordinates(path, one, 3)
    two = read_coordinates(path)
    of_place, of_speed = KEPT.get(ending, FULL)
    for field in fields(Coordinates):
        before, after = getattr(one, field.name), getattr(two, field.name)
        if field.name == "notes":
            continue
        if field.name in LACKS.get(ending, ()):
            assert after is None, field.name
        elif isinstance(before, Labels):
            assert after.array().tolist() == before.array().tolist(), field.name
        elif field.name in ("position", "velocity"):
            limit = of_place if field.name == "position" else of_speed
            assert np.abs(after - before).max() <= limit, field.name
        elif field.name == "box":
            assert np.abs(after - before).max() < 6e-4
        elif field.name == "residue":
            assert after.tolist() == before.tolist()
        else:
            assert after == before, field.name
    assert (two.time, two.step) == (12.5, 6250)
    with chemfiles.Trajectory(path) as file:
        frame = file.read()
    assert np.abs(frame.positions - 10 * one.position).max() <= 10 * of_place + 1e-9
    assert [atom.name for atom in frame.atoms] == one.name.array().tolist()
    residues = [frame.topology.residue_for_atom(k) for k in range(N)]
    assert [of.name for of in residues] == one.residue_name.array().tolist()
    assert [of.id for of in residues] == one.residue.tolist()


class Seen:
    """What a simulation was at the steps of its frames."""

    def __init__(self) -> None:
        self.frames: list[dict] = []

    def __call__(self, sim) -> None:
        names = ("position", "image", "velocity", "force", "energy", "virial")
        columns = {name: np.array(sim.get(name)) for name in names}
        self.frames.append(columns | {"step": sim.step, "time": sim.time, "box": sim.box})


def forces() -> list:
    lj = au.LennardJones(epsilon=0.7, sigma=1.0, r_cut=1.7)
    bond = au.HarmonicBond(r0=1.3, k={"soft": 20.0, "hard": 31.0})
    angle = au.HarmonicAngle(theta0=2.0, k={"bend": 3.0, "wide": 4.0})
    dihedral = au.PeriodicDihedral(phi0=0.3, k={"turn": 1.0, "twist": 2.0}, n=2)
    improper = au.HarmonicImproper(xi0=0.1, k={"flat": 1.0, "pyramid": 2.0})
    special = au.SpecialPair(c6=0.0, c12=1e-3, qq=0.0)
    return [lj, bond, angle, dihedral, improper, special, au.Coulomb(r_cut=1.7)]


def begun(units: str) -> au.Simulation:
    """A simulation that has made steps before its first frame."""
    start = system(units).replace(terms={})
    integrator = au.NVE(dt=DT[units])
    sim = au.Simulation(start, forces(), integrator, threads=1, precision="double")
    return sim.run(BEGIN + EVERY - BEGIN % EVERY - 1)


WRITTEN = [*endings_with("writer"), ".gsd"]


@pytest.fixture(scope="module", params=["molecular", "reduced"])
def run(request, tmp_path_factory):
    """Files of all formats of one run, and what it was at their steps."""
    folder, units = tmp_path_factory.mktemp("run"), request.param
    seen = Seen()
    observers = [au.Callback(seen, EVERY)]
    for ending in WRITTEN:
        holds = format_of(f"a{ending}").holds
        columns = {"velocities": "velocity" in holds, "forces": "force" in holds}
        columns["whole"] = ending != ".gsd"  # images that unwrap molecules have a test of their own
        observers.append(au.Frames(str(folder / f"a{ending}"), EVERY, **columns))
    every = ("position", "velocity", "image", "force", "energy", "virial")
    observers.append(au.Trajectory(str(folder / "b.gsd"), EVERY, fields=every))
    with begun(units) as sim:
        sim.observers.extend(observers)
        sim.run(EVERY * COUNT)
        seen.names = [sim.type_names[k] for k in sim.get("type")]
    assert len(seen.frames) == COUNT and seen.frames[0]["step"] > 0
    return units, folder, seen


def placed(frame: dict) -> np.ndarray:
    """Particles in the box, from its corner."""
    rows = frame["box"].matrix.T
    parts = frame["position"] @ np.linalg.inv(rows) + 0.5
    return (parts - np.floor(parts)) @ rows


@pytest.mark.parametrize("ending", WRITTEN)
def test_frames_of_a_run(run, ending):
    """By chemfiles or gsd, and by the reader of the program."""
    units, folder, seen = run
    path = str(folder / f"a{ending}")
    of_place, of_speed = KEPT.get(ending, FULL)
    holds = format_of(path).holds
    # Files of formats that are in angstroms by themselves have ten times the numbers of others.
    scale = 1.0 if ending == ".xyz" and units == "reduced" else 10.0
    known = ending not in (".xyz", ".pdb", ".dcd")
    for wanted, found in zip(seen.frames, frames_of(path), strict=True):
        assert np.abs(10 / scale * found.position - placed(wanted)).max() <= of_place
        assert np.abs(10 / scale * found.box - wanted["box"].matrix.T).max() < 6e-4
        if known:
            assert found.step == wanted["step"]
        if ending in (".xtc", ".trr", ".gro", ".dcd"):
            assert found.time == pytest.approx(wanted["time"], rel=1e-6)
        if "velocity" in holds:
            assert np.abs(found.velocity - wanted["velocity"]).max() <= of_speed
    if ending == ".gsd":
        return
    with chemfiles.Trajectory(path) as file:
        assert file.nsteps == COUNT
        for wanted in seen.frames:
            frame = file.read()
            assert np.abs(frame.positions - scale * placed(wanted)).max() <= scale * of_place
            rows = frame.cell.matrix.T
            assert np.abs(rows - scale * wanted["box"].matrix.T).max() < 6e-3
            assert frame.has_velocities() == ("velocity" in holds)
            if "velocity" in holds:
                assert np.abs(frame.velocities - 10 * wanted["velocity"]).max() <= 10 * of_speed
            if ending in (".gro", ".pdb", ".xyz"):
                assert [atom.name for atom in frame.atoms] == seen.names
            if ending in (".xtc", ".trr"):
                assert frame.step == wanted["step"]
                assert frame["time"] == pytest.approx(wanted["time"], rel=1e-6)


def test_forces_of_a_trr(run):
    """They are the last numbers of each frame, before which there are velocities and positions."""
    _, folder, seen = run
    data = (folder / "a.trr").read_bytes()
    size = len(data) // COUNT
    for k, wanted in enumerate(seen.frames):
        block = np.frombuffer(data[size * (k + 1) - 36 * N : size * (k + 1)], ">f4")
        place, speed, force = block.reshape(3, N, 3)
        assert np.abs(place - placed(wanted)).max() < 1e-6
        assert np.abs(speed - wanted["velocity"]).max() < 1e-6
        assert np.abs(force - wanted["force"]).max() < 1e-6 * np.abs(force).max()
    for found, wanted in zip(Reader(folder / "a.trr"), seen.frames, strict=True):
        assert np.abs(found.force - wanted["force"]).max() < 1e-6 * np.abs(found.force).max()


@pytest.mark.parametrize("name", ["a.gsd", "b.gsd"])
def test_columns_of_a_gsd(run, name):
    _, folder, seen = run
    with gsd.hoomd.open(folder / name, "r") as file:
        assert len(file) == COUNT
        for wanted, frame in zip(seen.frames, file, strict=True):
            rows = wanted["box"].matrix.T
            assert frame.configuration.step == wanted["step"]
            there = frame.particles
            assert np.abs(there.velocity - wanted["velocity"]).max() < 1e-6
            unwrapped = there.position + there.image @ rows
            assert np.abs(unwrapped - wanted["position"] - wanted["image"] @ rows).max() < 1e-5
            kept = ("force",) if name == "a.gsd" else ("force", "energy", "virial")
            assert {key.rpartition("/")[2] for key in frame.log if "particles/" in key} == set(kept)
            for column in kept:
                found, before = frame.log[f"particles/{column}"], wanted[column]
                assert np.abs(found - before).max() < 1e-5 * np.abs(before).max(), column


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("sums", [0, 7])
@pytest.mark.parametrize("blocks", [False, True])
def test_frames_of_energies_with_all_that_gromacs_writes(tmp_path, double, sums, blocks):
    """Numbers are the first of each three; blocks lie behind them and are passed over."""
    real = "d" if double else "f"
    head = struct.pack(">3i", -55555, 5, 3)
    for word in (b"Potential", b"kJ/mol", b"Pres-XY", b"bar", b"T-Water", b"K"):
        head += struct.pack(">i", len(word)) + word + bytes(-len(word) % 4)
    data, wanted = head, []
    for k in range(4):
        values = [-1234.5 - k, 0.75 * k + 3, 301.25 + k]
        data += struct.pack(f">{real}2idqi", -2e10, -7777777, 5, 62.5 + k, 31_005 + k, sums)
        data += struct.pack(">qd3i", 5, 0.25, 3, 0, int(blocks))
        if blocks:  # one of two parts: three 64-bit numbers and two reals
            data += struct.pack(">6i", 3, 2, 3, 3, 1 + double, 2)
        data += struct.pack(">3i", 60, 0, 0)
        for value in values:
            data += struct.pack(f">{real}", value)
            if sums:
                data += struct.pack(f">2{real}", 9.5 + value**2, 77 * value)
        if blocks:
            data += struct.pack(f">3q2{real}", 1, 2, 3, 4.5, 5.5)
        wanted.append(values)
    (tmp_path / "a.edr").write_bytes(data)
    reader = edr.Reader(tmp_path / "a.edr")
    rows = list(reader)
    assert reader.terms == [("Potential", "kJ/mol"), ("Pres-XY", "bar"), ("T-Water", "K")]
    assert [row.step for row in rows] == [31_005, 31_006, 31_007, 31_008]
    assert [row.time for row in rows] == [62.5, 63.5, 64.5, 65.5]
    assert np.array([row.values for row in rows]).tolist() == wanted and reader.rest == 0


def test_a_frame_of_energies_by_hand():
    """Every field of a frame stands where GROMACS has it."""
    made = edr.frame(31_005, 62.01, 0.002, 15, [1.25, -7.5, 301.0])
    form = ">f2idqiqd6i3f"
    assert struct.calcsize(form) == len(made)
    first, magic, version, time, step, sums, steps, dt, *rest = struct.unpack(form, made)
    assert (first, magic, version) == (-2e10, -7777777, 5)
    assert (time, step, sums, steps, dt) == (62.01, 31_005, 0, 15, 0.002)
    assert rest == [3, 0, 0, 48, 0, 0, 1.25, -7.5, 301.0]


@pytest.mark.parametrize("observer", [au.Frames, au.Trajectory])
def test_images_of_particles_that_leave_the_box(here, observer):
    """Free flight, a frame at each step: unwrapped places are those of a straight line."""
    random = np.random.default_rng(4)
    place, speed = random.uniform(-2.99, 2.99, (40, 3)), 3 * random.normal(size=(40, 3))
    image = random.integers(-3, 4, (40, 3))
    start = au.System(au.Box(6.0, 6.0, 6.0), place, velocity=speed, image=image)
    force = au.LennardJones(epsilon=0.0, sigma=1.0, r_cut=1.5)
    with au.Simulation(start, [force], au.NVE(dt=0.01), [observer("a.gsd", 1)], threads=1) as sim:
        sim.run(40)
    with gsd.hoomd.open("a.gsd", "r") as file:
        for k, frame in enumerate(file):
            there = frame.particles
            assert np.abs(there.position).max() <= 3.0
            found = there.position + 6.0 * there.image
            assert np.abs(found - (place + 6.0 * image + 0.01 * k * speed)).max() < 1e-4
