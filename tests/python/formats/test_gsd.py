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
from aureole.formats.read_trajectory import frames_of


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
    turned = np.tile([0.6, 0.8, 0.0, 0.0], (50, 1))
    users_file("u.gsd", particles__body=np.zeros(50), particles__orientation=turned,
               particles__moment_inertia=np.ones((50, 3)), particles__angmom=turned)  # fmt: skip
    said = "rigid bodies, orientations, moments of inertia, angular momenta are not read"
    with pytest.warns(UserWarning, match=said):
        au.read("u.gsd")


def quiet(path, frame=-1):
    """A system that is read without a remark."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return au.read(path, frame)


def test_charges_diameters_and_constraints_of_others_are_read(here):
    charge = np.where(np.arange(50) % 2, 0.5, -0.5)
    users_file("u.gsd", particles__charge=charge, particles__diameter=np.full(50, 2.0),
               particles__velocity=np.ones((50, 3)), constraints__N=1,
               constraints__group=[[0, 1]], constraints__value=[1.25])  # fmt: skip
    for frame in (0, -1):  # the last one has those of the first
        found = quiet("u.gsd", frame)
        assert found.charge.tolist() == charge.tolist()
        assert found.columns["diameter"].tolist() == [2.0] * 50
        assert found.columns.unit("diameter") == "length"
        held = found.terms["constraint"]
        assert held.particles.tolist() == [[0, 1]] and held.parameters.tolist() == [[1.25]]


@pytest.mark.parametrize("changes", [dict(value=[0.0]), dict(group=[[0, 50]])])
def test_constraints_that_cannot_be(here, changes):
    given = dict(N=1, group=[[0, 1]], value=[1.0]) | changes
    users_file("u.gsd", **{f"constraints__{name}": value for name, value in given.items()})
    with pytest.raises(au.Error, match=r"u\.gsd: .*(without particles or lengths|particle 50)"):
        au.read("u.gsd")


def test_velocities_of_the_first_frame_are_said(here):
    """HOOMD-blue writes them once by default; positions are those of the last frame."""
    first = gsdfile.frame_chunks(0, au.Box(9, 9, 9), {"position": np.eye(3)}, None)
    later = gsdfile.frame_chunks(9, au.Box(9, 9, 9), {"position": 2 * np.eye(3)}, None)
    speed = ("particles/velocity", np.ones((3, 3), np.float32))
    about = dict(schema="hoomd", schema_version=[1, 4])
    for writer, held in (("HOOMD-blue 4.9", True), ("gsd.hoomd 5.0", False)):
        with gsd.fl.open("a.gsd", "w", application=writer, **about) as file:
            gsdfile.append(file, [*first, speed])
            gsdfile.append(file, later)
        assert (quiet("a.gsd", 0).velocity == 1).all()
        if held:
            with pytest.warns(UserWarning, match="velocities and images are those of the first"):
                au.read("a.gsd")
        else:
            assert (quiet("a.gsd").velocity == 1).all()
        moving = [frame.velocity is not None for frame in frames_of("a.gsd")]
        assert moving == [True, not held]


def test_frames_without_velocities_are_said(here):
    users_file("u.gsd")
    quiet("u.gsd", 0)  # a start that someone made
    with pytest.warns(UserWarning, match="the trajectory has no velocities, so particles are at"):
        au.read("u.gsd")


def everything(units="reduced"):
    """A system with all that a file can hold."""
    one = system()
    charge = np.where(np.arange(108) % 2, 0.3, -0.3)
    box = au.Box(*one.box.lengths, periodic="ppf", corner=(0.0, 0.0, 1.5))
    made = one.replace(
        box=box,
        charge=charge,
        columns={"diameter": np.linspace(0.9, 1.1, 108), "colour": np.arange(108)},
        terms={"constraint": ([[0, 1], [4, 5]], [1.0, 2.0])},
        exclusions=[[0, 9], [2, 3]],
        bonds={"soft": [[0, 2]], "hard": [[1, 3]]},
        impropers={"flat": [[0, 1, 2, 3]]},
        units=units,
    )
    return made


@pytest.mark.parametrize("units", ["reduced", "molecular"])
def test_nothing_is_dropped_that_a_file_can_hold(here, units):
    one = everything(units)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        au.write("a.gsd", one)
    two = quiet("a.gsd")
    assert two.units == units and two.box.periodic == (True, True, False)
    assert two.box.corner == (0.0, 0.0, 1.5)
    assert np.allclose(two.charge, one.charge, rtol=1e-7) and two.charge.any()
    assert two.columns == one.columns
    for name in ("bonds", "angles", "impropers"):
        before, after = getattr(one, name), getattr(two, name)
        assert {key: tags.tolist() for key, tags in after.items()} == {
            key: tags.tolist() for key, tags in before.items()
        }
    assert two.exclusions.tolist() == [[0, 9], [2, 3]]
    held = two.terms["constraint"]
    assert held.parameters[held.row, 0].tolist() == [1.0, 2.0]
    with gsd.hoomd.open("a.gsd", "r") as file:  # what the package of others finds
        frame = file[0]
        frame.validate()
        assert np.array_equal(frame.particles.charge, one.charge.astype(np.float32))
        assert np.allclose(frame.particles.diameter, one.columns["diameter"])
        assert frame.constraints.value.tolist() == [1.0, 2.0]
        assert frame.constraints.group.tolist() == [[0, 1], [4, 5]]


def test_what_no_file_can_hold_is_said_by_both_ends(here):
    one = everything().replace(
        terms={"vsite2": ([[0, 1, 2]], 0.5)}, groups={"wall": [0, 1]}, references=np.zeros((108, 3))
    )
    missing = r"terms with parameters \(vsite2\) and groups and reference positions"
    with pytest.warns(UserWarning, match=rf"a\.gsd does not hold {missing} of the"):
        au.write("a.gsd", one)
    with pytest.warns(UserWarning, match=f"the file does not hold {missing} of its system"):
        au.read("a.gsd")


def test_a_topology_keeps_its_charges_and_units(here):
    water = au.build.water(8).system()
    with pytest.warns(UserWarning, match="does not hold the topology of the"):
        au.write("w.gsd", water)
    with pytest.warns(UserWarning, match="bonds are not read .* the topology of its system"):
        found = au.read("w.gsd")
    assert np.allclose(found.charge, water.charge, rtol=1e-7) and found.charge.any()
    assert found.units == "molecular" and not found.bonds


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
    au.write("a.gsd", one)
    with gsd.hoomd.open("a.gsd", "r") as file:
        frame = file[0]
        frame.validate()
        assert frame.bonds.types == ["soft", "hard"] and frame.bonds.typeid.tolist() == [0, 0, 1]
        assert frame.angles.group.tolist() == [[0, 1, 2]]
    two = quiet("a.gsd")
    assert two.exclusions.tolist() == []
    for field in ("bonds", "angles", "dihedrals", "pairs"):
        found = {name: tags.tolist() for name, tags in getattr(two, field).items()}
        assert found == CHAINS[field], field
    before, after = energies(one), energies(two)
    assert before.keys() == after.keys() and min(map(abs, before.values())) > 1e-3
    assert after == pytest.approx(before, rel=1e-5)


def test_bonds_of_hoomd(here):
    users_file("u.gsd", bonds__N=2, bonds__group=[[0, 1], [2, 3]], bonds__types=["x"])
    found = au.read("u.gsd")
    assert found.bonds["x"].tolist() == [[0, 1], [2, 3]] and found.exclusions is None


@pytest.mark.parametrize("kind", ["chain", "charges", "molecular", "bare"])
def test_the_last_frame_of_a_trajectory_is_a_start(here, kind):
    """Of any system that is given by names: the energies of every force are those of its end."""
    start, forces = STARTS[kind]()
    with au.Simulation(start, forces, au.NVE(dt=1e-3), threads=1, precision="double") as sim:
        sim.thermalize(0.5 if start.units == "reduced" else "150 K")
        sim.observers.append(au.Trajectory("t.gsd", every=10))
        sim.run(20)
        sim.observers.remove(sim.observers[0])
        energy, end = sim.energy, sim.snapshot()
        sim.run(10)
        later = sim.energy
    last = quiet("t.gsd")
    assert last.type_names == end.type_names and last.units == end.units
    for name in ("velocity", "mass", "charge"):
        assert np.allclose(getattr(last, name), getattr(end, name), rtol=1e-6), name
    for field in ("bonds", "angles", "dihedrals", "impropers", "pairs"):
        assert list(getattr(last, field)) == list(getattr(start, field))
    with au.Simulation(last, forces, au.NVE(dt=1e-3), threads=1, precision="double") as again:
        assert again.energy.per_force == pytest.approx(energy.per_force, rel=2e-5, abs=1e-5)
        assert again.energy.kinetic == pytest.approx(energy.kinetic, rel=1e-6)
        again.run(10)
        assert again.energy.per_force == pytest.approx(later.per_force, rel=1e-4, abs=1e-4)
        assert again.energy.kinetic == pytest.approx(later.kinetic, rel=1e-4)


def _charges():
    """A lattice of ions, some of them bound, with pairs that would interact otherwise."""
    start = au.build.lattice("sc", n=64, density=0.4, **au.build.mixture(64, {"P": 1, "N": 1}))
    charge = np.where(start.type == 0, 0.7, -0.7)
    bonds = {"near": [[0, 1], [2, 3]], "far": [[8, 9]]}
    held = {
        "constraint": ([[20, 21]], float(np.linalg.norm(start.position[20] - start.position[21])))
    }
    forces = [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.0), au.PME(r_cut=2.0, spacing=0.5)]
    forces.append(au.HarmonicBond(r0=1.2, k={"near": 50.0, "far": 70.0}))
    return start.replace(charge=charge, bonds=bonds, terms=held, exclusions=[[0, 1]]), forces


def _molecular():
    """Beads in nm, with bonds and angles by name."""
    places = 0.47 * np.array([[x, y, z] for x in range(3) for y in range(3) for z in range(3)])
    angles = {"bend": [[0, 1, 2]], "stiff": [[3, 4, 5]]}
    bonds = {"bead": [[0, 1], [1, 2], [3, 4], [4, 5]]}
    charge = np.where(np.arange(27) == 26, 0.0, np.where(np.arange(27) % 2, 0.4, -0.4))
    start = au.System(
        au.Box(2.4, 2.4, 2.4), places, mass=72.0, charge=charge, bonds=bonds, angles=angles,
        units="molecular",
    )  # fmt: skip
    bend = au.HarmonicAngle(theta0="150 deg", k={"bend": 25.0, "stiff": 45.0})
    lj = au.LennardJones(epsilon=2.0, sigma=0.47, r_cut=1.1)
    return start, [lj, au.Coulomb(r_cut=1.1), au.HarmonicBond(r0=0.47, k=1250.0), bend]


def _bare():
    return system(), [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)]


STARTS = {
    "chain": lambda: (chain(), [*FENE, *BENDING, au.SpecialPair(c6=0.0, c12=1e4, qq=0.0)]),
    "charges": _charges,
    "molecular": _molecular,
    "bare": _bare,
}


def test_some_particles_keep_what_binds_them(here):
    """Of a trajectory of chosen particles, by the rows that they have there."""
    start, forces = _charges()
    start = start.replace(exclusions=[[0, 1], [8, 9]])
    frames = au.Frames("f.gsd", 1, particles=[2, 3, 8, 9, 20, 21])
    with au.Simulation(start, forces, au.NVE(dt=1e-3), observers=[frames]) as sim:
        sim.run(0)
    found = quiet("f.gsd")
    tags = {name: pairs.tolist() for name, pairs in found.bonds.items()}
    assert tags == {"near": [[0, 1]], "far": [[2, 3]]}
    assert found.exclusions.tolist() == [[2, 3]]
    assert found.terms["constraint"].particles.tolist() == [[4, 5]]
    assert np.allclose(found.charge, start.charge[[2, 3, 8, 9, 20, 21]])


def test_columns_that_a_trajectory_does_not_hold_are_said(here):
    start, forces = _bare()
    start = start.replace(columns={"colour": np.arange(108)})
    with au.Simulation(
        start, forces, au.NVE(dt=1e-3), observers=[au.Trajectory("t.gsd", every=1)]
    ) as sim:
        sim.run(0)
    with pytest.warns(UserWarning, match="does not hold column 'colour' of its system"):
        au.read("t.gsd")


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


TEXT = gsdfile.name_rows


@pytest.mark.parametrize(
    "chunk, words",
    [
        (TEXT(("Å",)), "the unit of its lengths is 'Å'"),
        (TEXT(("pc",)), "the unit of its lengths is 'pc'"),
        (TEXT(("nm", "nm")), "the unit of its lengths is 2 texts"),
        (np.zeros(0, np.uint8), "the unit of its lengths is 0 texts"),
        (np.zeros((1, 4), np.int8), "the unit of its lengths is ''"),
        (np.array([1], np.uint32), "chunk log/unit/position is uint32"),
        (np.array([[255, 254]], np.uint8), "chunk log/unit/position is not text"),
    ],
)
def test_lengths_in_other_units_are_refused(here, chunk, words):
    """Numbers were taken as nm whatever the chunk held; in frames of a trajectory too."""
    frame = gsdfile.frame_chunks(0, au.Box(9, 9, 9), {"position": np.eye(3)}, None)
    with gsdfile.create("m.gsd") as file:
        gsdfile.append(file, [*frame, (gsdfile.UNIT_OF_LENGTH, chunk)])
    for read in (au.read, lambda name: list(frames_of(name))):
        with pytest.raises(au.FileError, match=r"m\.gsd: ") as caught:
            read("m.gsd")
        assert words in str(caught.value)


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
    columns = {name: getattr(one, name) for name in ("position", "velocity", "image")}
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
