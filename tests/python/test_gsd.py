# SPDX-License-Identifier: Apache-2.0
"""GSD files: ours are read by others, others' by us, and damage is told in one line."""

from __future__ import annotations

import os
import struct
import warnings
from pathlib import Path

import aureole as au
import gsd.fl
import gsd.hoomd
import numpy as np
import pytest
from aureole.cli.info import describe
from aureole.formats import gsd as gsdfile


def system(n=108):
    rng = np.random.default_rng(7)
    start = au.build.lattice("fcc", n=n, density=0.8, **au.build.mixture(n, {"A": 1, "Bee": 1}))
    return start.replace(
        velocity=rng.normal(size=(n, 3)),
        mass=rng.uniform(0.5, 2, size=n),
        image=rng.integers(-3, 4, size=(n, 3)),
    )


def test_round_trip(here):
    one = system()
    au.write("a.gsd", one, step=12)
    two = au.read("a.gsd")
    assert two.type_names == one.type_names and np.array_equal(two.type, one.type)
    assert np.allclose(two.position, one.position, atol=1e-6)
    for name in ("velocity", "mass"):
        assert np.allclose(getattr(two, name), getattr(one, name), rtol=1e-6)
    # A coordinate that rounds to the face may appear on the other side, one image further.
    flat = [s.position + s.image @ s.box.matrix.T for s in (one, two)]
    assert np.allclose(*flat, atol=1e-5)
    assert os.listdir() == ["a.gsd"]


def test_hoomd_package_reads_ours(here):
    one = system()
    au.write("a.gsd", one, step=12)
    with gsd.hoomd.open("a.gsd", "r") as file:
        frame = file[0]
        frame.validate()
        assert frame.configuration.step == 12
        assert frame.particles.types == ["A", "Bee"]
        assert np.allclose(frame.particles.position, one.position, atol=1e-6)
        assert np.array_equal(frame.particles.image, one.image)
        assert np.allclose(frame.configuration.box, one.box.six)


def users_file(path, n=50, **changes):
    rng = np.random.default_rng(3)
    frame = gsd.hoomd.Frame()
    frame.particles.N = n
    frame.particles.types = ["A", "B"]
    frame.particles.typeid = rng.integers(0, 2, n)
    frame.particles.position = rng.uniform(-5, 5, (n, 3))
    frame.configuration.box = [10, 10, 10, 0, 0, 0]
    for name, value in changes.items():
        part, _, field = name.partition("__")
        setattr(getattr(frame, part), field, value)
    with gsd.hoomd.open(path, "w") as file:
        file.append(frame)
        frame.configuration.step = 100
        frame.particles.position = frame.particles.position * 0.5
        file.append(frame)
    return frame


def test_users_file_runs_as_it_is(here):
    frame = users_file(
        "u.gsd", particles__velocity=np.ones((50, 3)), particles__mass=np.full(50, 3.0)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        last, first = au.read("u.gsd"), au.read("u.gsd", frame=0)
    assert np.allclose(last.position, frame.particles.position)
    assert np.allclose(first.position, 2 * last.position, atol=1e-5)
    assert last.mass.tolist() == [3.0] * 50 and (last.velocity == 1).all()
    sim = au.Simulation(last, [au.WCA(epsilon=0.0, sigma=0.5)], au.NVE(dt=1e-3))
    sim.run(5)
    assert np.isfinite(sim.get("position")).all()


def test_data_files_of_lammps_are_not_read(here):
    Path("a.data").write_text("LAMMPS data file\n\n2 atoms\n")
    with pytest.raises(au.FileError, match=r"Give arrays to au\.System"):
        au.read("a.data")


def test_what_is_not_read_is_said(here):
    users_file("u.gsd", particles__diameter=np.full(50, 2.0), constraints__N=1,
               constraints__group=[[0, 1]], constraints__value=[1.0])  # fmt: skip
    with pytest.warns(UserWarning, match="diameters, constraints are not read"):
        au.read("u.gsd")


CHAINS = {"bonds": {"soft": [[0, 1], [3, 4]], "hard": [[1, 2]]}, "angles": {"bend": [[0, 1, 2]]}}
CHAINS |= {"dihedrals": {"turn": [[0, 1, 2, 3]]}, "pairs": {"far": [[0, 3]]}}
FENE = (au.WCA(epsilon=1.0, sigma=1.0), au.FeneBond(r_max=1.5, k={"soft": 20.0, "hard": 30.0}))
BENDING = (au.HarmonicAngle(theta0=2.0, k=5.0), au.PeriodicDihedral(phi0=0.0, k=1.0, n=3))


def chain():
    rng = np.random.default_rng(5)
    places = 0.97 * np.arange(5)[:, None] * [0.8, 0.6, 0.0] + rng.uniform(-0.1, 0.1, (5, 3))
    return au.System(au.Box(12, 12, 12), places, exclusions=[], **CHAINS)


def energies(start, observers=()):
    forces = [*FENE, *BENDING, au.SpecialPair(c6=0.0, c12=1e4, qq=0.0)]
    sim = au.Simulation(start, forces, au.NVE(dt=1e-3), observers=list(observers))
    sim.run(0)
    return sim.energy.per_force


def test_bonds_go_round_by_name(here):
    """What binds the particles is that of before, and so are its energies."""
    one = chain()
    with pytest.warns(UserWarning, match="exclusions are not written"):
        au.write("a.gsd", one)
    with gsd.hoomd.open("a.gsd", "r") as file:
        frame = file[0]
        frame.validate()
        assert frame.bonds.types == ["soft", "hard"] and frame.bonds.typeid.tolist() == [0, 0, 1]
        assert frame.angles.group.tolist() == [[0, 1, 2]]
    two = au.read("a.gsd").replace(exclusions=[])
    for field in ("bonds", "angles", "dihedrals", "pairs"):
        found = {name: tags.tolist() for name, tags in getattr(two, field).items()}
        assert found == CHAINS[field], field
    before, after = energies(one), energies(two)
    assert before.keys() == after.keys() and min(map(abs, before.values())) > 1e-3
    assert after == pytest.approx(before, rel=1e-5)


def test_bonds_of_hoomd_and_of_trajectories(here):
    users_file("u.gsd", bonds__N=2, bonds__group=[[0, 1], [2, 3]], bonds__types=["x"])
    assert au.read("u.gsd").bonds["x"].tolist() == [[0, 1], [2, 3]]
    energies(chain(), [au.Trajectory("t.gsd", every=1)])
    assert au.read("t.gsd").bonds["A-A"].tolist() == [[0, 1], [1, 2], [3, 4]]


@pytest.mark.parametrize(
    "changes, words",
    [
        (dict(bonds__group=[[0, 50]]), "names particle 50"),
        (dict(bonds__group=[[1, 1]]), "must differ"),
        (dict(bonds__typeid=[3]), "the type of one of its bonds has no name"),
    ],
)
def test_bonds_that_cannot_be(here, changes, words):
    users_file("u.gsd", **dict(bonds__N=1, bonds__types=["x"], bonds__group=[[0, 1]]) | changes)
    with pytest.raises(au.Error, match=words):
        au.read("u.gsd")


def test_bonds_of_molecules_are_not_read(here):
    """They include rigid ones, for which parameters would be asked."""
    frame = gsdfile.frame_chunks(0, au.Box(9, 9, 9), {"position": np.eye(3)}, None)
    bonds = [("bonds/N", np.array([1], np.uint32)), ("bonds/group", np.array([[0, 1]], np.uint32))]
    with gsdfile.create("m.gsd") as file:
        gsdfile.append(file, [*frame, *bonds, (gsdfile.UNIT_OF_LENGTH, gsdfile.name_rows(("nm",)))])
    with pytest.warns(UserWarning, match="bonds are not read"):
        assert not au.read("m.gsd").bonds


@pytest.mark.parametrize(
    "changes, words",
    [
        (dict(particles__position=np.full((50, 3), np.nan)), "not finite"),
        (dict(configuration__box=[10, 10, 0, 0, 0, 0]), "two-dimensional"),
        (dict(configuration__box=[-10, 10, 10, 0, 0, 0]), "box length lx is -10"),
        (dict(particles__typeid=np.full(50, 7)), "type of particle 0 is 7"),
        (dict(particles__mass=np.zeros(50)), "mass of particle 0 is 0"),
    ],
)
def test_bad_content(here, changes, words):
    users_file("u.gsd", **changes)
    with pytest.raises(au.Error) as caught:
        au.read("u.gsd")
    assert words in str(caught.value) and "u.gsd" in str(caught.value)


def test_bad_files(here):
    with pytest.raises(au.FileError, match=r"none\.gsd: cannot be read \(No such file"):
        au.read("none.gsd")
    Path("empty.gsd").touch()
    with pytest.raises(au.FileError, match="has no GSD header"):
        au.read("empty.gsd")
    with pytest.raises(au.FileError):
        au.read(".")
    with gsd.fl.open("other.gsd", "w", application="x", schema="y", schema_version=[1, 0]):
        pass
    with pytest.raises(au.FileError, match="its schema is 'y'"):
        au.read("other.gsd")
    with gsdfile.create("bare.gsd"):
        pass
    with pytest.raises(au.FileError, match="has no frame -1"):
        au.read("bare.gsd")
    with gsdfile.create("huge.gsd") as file:
        gsdfile.append(file, [("particles/N", np.array([4_000_000_000], np.uint32))])
    with pytest.raises(au.FileError, match="claims 4000000000 particles"):
        au.read("huge.gsd")


def test_truncation_is_caught(here):
    au.write("a.gsd", system())
    whole = Path("a.gsd").read_bytes()
    for size in range(0, len(whole), 499):
        with open("b.gsd", "wb") as file:
            file.write(whole[:size])
        with pytest.raises(au.FileError, match="damaged"):
            au.read("b.gsd")


def test_no_failed_write_leaves_litter(here):
    with pytest.raises(au.FileError, match="cannot be written"):
        au.write("no/such/folder/a.gsd", system())
    os.mkdir("a.gsd")
    with pytest.raises(au.FileError, match="cannot be written"):
        au.write("a.gsd", system())
    assert os.listdir() == ["a.gsd"]


def test_keep_frames(here):
    one = system()
    columns = {"position": one.position, "image": one.image}
    with gsdfile.create("a.gsd") as file:
        for step in range(6):
            static = (one.type, one.mass, one.type_names) if step == 0 else None
            moved = columns | {"position": one.position * (1 + step / 100)}
            gsdfile.append(file, gsdfile.frame_chunks(step, one.box, moved, static))
    before = [au.read("a.gsd", frame=k) for k in range(6)]
    gsdfile.keep_frames("a.gsd", 4)
    with gsdfile.GSDReader("a.gsd") as reader:
        assert reader.frames == 4 and [reader.step(k) for k in range(4)] == [0, 1, 2, 3]
    assert [au.read("a.gsd", frame=k) for k in range(4)] == before[:4]
    with pytest.raises(au.FileError, match="has 4 frames, the checkpoint counts 5"):
        gsdfile.keep_frames("a.gsd", 5)
    assert os.listdir() == ["a.gsd"]


def test_names_of_chunks_are_text(tmp_path):
    path = tmp_path / "a.gsd"
    with gsdfile.create(path) as file:
        file.write_chunk("log/é", np.arange(3))
        file.end_frame()
    sound = path.read_bytes()
    (names,) = struct.unpack_from("<Q", sound, 24)
    assert sound[names : names + 4] == b"log/"
    for place in (4, 40):  # in the name, and behind the last one, where the library looks too
        data = bytearray(sound)
        data[names + place] = 0xFF
        path.write_bytes(data)
        for read in (lambda: au.read(path), lambda: describe(str(path))):
            with pytest.raises(au.FileError, match="the name of a chunk is not text"):
                read()
