# SPDX-License-Identifier: Apache-2.0
"""Effects of the arguments of boxes, systems, filters and builders."""

from __future__ import annotations

import aureole as au
import numpy as np
from aureole.formats.gro import read_gro
from effects import pair, pair_energy, refuses, shows


def volume_of_one(**more):
    return au.Box(**({"lx": 3.0, "ly": 4.0, "lz": 5.0} | more)).volume


@shows("Box.lx", "Box.ly", "Box.lz")
def edges(_):
    for name, edge in (("lx", 3.0), ("ly", 4.0), ("lz", 5.0)):
        assert np.isclose(volume_of_one(**{name: 2 * edge}), 2 * volume_of_one())
        assert np.diag(au.Box(**{"lx": 3.0, "ly": 4.0, "lz": 5.0, name: 9.0}).matrix).max() == 9.0


@shows("Box.xy", "Box.xz", "Box.yz")
def tilts(_):
    for name, row, column in (("xy", 0, 1), ("xz", 0, 2), ("yz", 1, 2)):
        box = au.Box(3.0, 4.0, 5.0, **{name: 0.25})
        edge = (3.0, 4.0, 5.0)[column]
        assert box.matrix[row, column] == 0.25 * edge and box.volume == 60.0


@shows("Box.periodic")
def periodic(_):
    open_x = au.Box(20.0, 20.0, 20.0, periodic=(False, True, True))
    force = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=3.0)
    system = pair(18.5)
    assert pair_energy(force, 18.5) < -0.01
    with au.Simulation(system.replace(box=open_x), [force], threads=1) as sim:
        assert sim.energy.potential == 0.0


@shows("Box.corner")
def corner(_):
    """Positions are about the middle of the box, whose corner files have where it says."""
    open_z = au.Box(4.0, 5.0, 6.0, periodic=(True, True, False), corner=(0.0, 0.0, -7.0))
    system = au.System(open_z, [[0.5, 0.25, 1.0]], units="molecular")
    force = au.LennardJones(epsilon=1.0, sigma=0.3, r_cut=1.0)
    with au.Simulation(system, [force], threads=1) as sim:
        au.write_frame("corner.gro", sim)
    assert np.allclose(read_gro("corner.gro").position, [[2.5, 2.75, -3.0]])
    refuses("is periodic", lambda: au.Box(4.0, 5.0, 6.0, corner=(1.0, 0.0, 0.0)))


@shows("System.box", "System.position")
def places(_):
    system = pair(1.5)
    assert np.array_equal(system.position, [[-0.75, 0, 0], [0.75, 0, 0]])
    assert system.density == 2 / 8000
    moved = au.System(au.Box.of(2.0), np.array([[0.0, 0.0, 1.25], [0.0, 0.0, 0.0]]))
    assert moved.position[0, 2] == -0.75 and moved.image[0, 2] == 1


@shows("System.velocity", "System.mass")
def motion(_):
    velocity = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    at_rest, moving = pair(1.5), pair(1.5, velocity=velocity)
    heavy = pair(1.5, velocity=velocity, mass=3.0)
    kinetic = [au.Simulation(s, threads=1).energy.kinetic for s in (at_rest, moving, heavy)]
    assert kinetic == [0.0, 7.0, 21.0]


@shows("System.type", "System.type_names")
def types(_):
    force = au.LennardJones(
        epsilon={("A", "A"): 1.0, ("A", "B"): 2.0, ("B", "B"): 3.0}, sigma=1.0, r_cut=3.0
    )
    found = [pair_energy(force, 1.2, type=t, type_names=("A", "B")) for t in ([0, 0], [0, 1])]
    assert np.isclose(found[1], 2 * found[0], rtol=1e-14)
    assert np.isclose(pair_energy(force, 1.2, type=[1, 1], type_names=("A", "B")), 3 * found[0])
    assert pair_energy(force, 1.2, type=["A", "B"], type_names=("A", "B")) == found[1]
    refuses("unknown type 'A'", lambda: pair_energy(force, 1.2, type_names=("C",)))


@shows("System.image")
def images(_):
    image = np.array([[1, 0, -2], [0, 0, 0]])
    with au.Simulation(pair(1.5, image=image), threads=1) as sim:
        assert np.array_equal(sim.get("image"), image)


@shows("System.columns")
def columns(_):
    system = pair(1.5, columns={"diameter": [1.0, 2.0]})
    with au.Simulation(system, threads=1) as sim:
        assert sim.get("diameter").tolist() == [1.0, 2.0]
        assert sim.snapshot().columns == system.columns
    refuses("diameter", lambda: pair(1.5, columns={"diameter": [1.0]}))


@shows("Type.types", "Tags.tags", "Union.a", "Union.b", "Intersection.a", "Intersection.b",
       "Difference.a", "Difference.b")  # fmt: skip
def filters(_):
    kinds, names = np.array([0, 1, 0, 1], np.int32), ("A", "B")
    sets = {
        "Type": (au.Type("A"), au.Type("B")),
        "Tags": (au.Tags([0]), au.Tags([0, 3])),
        "a": (au.Type("A"), au.Type("B")),
    }
    one, two = au.Type("A"), au.Tags([0, 1])
    masks = [f.mask(kinds, names).tolist() for pair in sets.values() for f in pair]
    assert masks[0] == [1, 0, 1, 0] and masks[1] == [0, 1, 0, 1]
    assert masks[2] == [1, 0, 0, 0] and masks[3] == [1, 0, 0, 1]
    for combine, want in (
        (au.Union, [1, 1, 1, 0]), (au.Intersection, [1, 0, 0, 0]), (au.Difference, [0, 0, 1, 0]),
    ):  # fmt: skip
        assert combine(a=one, b=two).mask(kinds, names).tolist() == want
        assert combine(a=au.Tags([3]), b=two).mask(kinds, names).tolist() != want
        assert combine(a=one, b=au.Tags([3])).mask(kinds, names).tolist() != want


def nearest(system):
    """The shortest distance between two particles."""
    d = system.box.minimum_image(system.position[:, None] - system.position)
    return np.sqrt((d**2).sum(axis=2) + 1e9 * np.eye(system.n)).min()


@shows("lattice.kind", "lattice.n", "lattice.density", "lattice.options")
def lattices(_):
    # Nearest neighbours at unit density, from the geometry of the cells.
    by_kind = {"sc": 1.0, "bcc": 3**0.5 / 2 ** (2 / 3), "fcc": 2 ** (1 / 6), "diamond": 3**0.5 / 2}
    for kind, distance in by_kind.items():
        system = au.build.lattice(kind, n=64 if kind != "bcc" else 54, density=1.0)
        want = distance if kind != "fcc" else None
        if want is None:
            system = au.build.lattice("fcc", n=108, density=1.0)
            want = distance
        assert np.isclose(nearest(system), want), kind
    assert au.build.lattice("sc", n=37, density=1.0).n == 37
    assert np.isclose(au.build.lattice("sc", n=27, density=0.5).density, 0.5)
    assert au.build.lattice("sc", n=8, density=1.0, mass=3.0).mass.tolist() == [3.0] * 8


@shows("random.n", "random.density", "random.min_distance", "random.box", "random.seed",
       "random.options")  # fmt: skip
def random_fills(_):
    base = au.build.random(60, 0.3)
    assert base.n == 60 and np.isclose(base.density, 0.3)
    assert np.isclose(au.build.random(60, 0.1).density, 0.1)
    assert 0.8 <= nearest(base) < 1.1 <= nearest(au.build.random(60, 0.1, min_distance=1.1))
    boxed = au.build.random(60, box=(5.0, 6.0, 7.0))
    assert boxed.box == au.Box(5.0, 6.0, 7.0)
    assert base == au.build.random(60, 0.3, seed=0) != au.build.random(60, 0.3, seed=1)
    assert au.build.random(5, 0.1, mass=2.0).mass.tolist() == [2.0] * 5


@shows("mixture.n", "mixture.composition", "mixture.seed")
def mixtures(_):
    made = au.build.mixture(100, {"A": 4, "B": 1})
    assert np.bincount(made["type"]).tolist() == [80, 20] and made["type_names"] == ("A", "B")
    assert len(au.build.mixture(50, {"A": 4, "B": 1})["type"]) == 50
    assert np.bincount(au.build.mixture(100, {"A": 1, "B": 1})["type"]).tolist() == [50, 50]
    other = au.build.mixture(100, {"A": 4, "B": 1}, seed=1)
    assert (made["type"] != other["type"]).any()


@shows("water.n", "water.model", "water.density", "water.seed")
def waters(_):
    base = au.build.water(30)
    assert base.n == 90 and au.build.water(31).n == 93
    assert au.build.water(30, "tip4p").n == 120
    volume = [np.linalg.det(w.coordinates.box) for w in (base, au.build.water(30, density=500.0))]
    # 18.0154 g/mol
    assert np.isclose(volume[0], 30 * 18.0154 / 602.214076 / 0.99705, rtol=1e-4)
    assert np.isclose(volume[1] / volume[0], 997.05 / 500, rtol=1e-4)
    assert not np.array_equal(
        base.coordinates.position, au.build.water(30, seed=1).coordinates.position
    )


@shows("solution.counts", "solution.density", "solution.seed")
def solutions(_):
    base = au.build.solution({"ethanol": 2, "spce": 30})
    assert base.n == 2 * 9 + 90 and au.build.solution({"ethanol": 3, "spce": 30}).n == 117
    dense = au.build.solution({"ethanol": 2, "spce": 30}, density=2000.0)
    mass = float(base.topology.expand_atoms().mass.sum())
    assert np.isclose(np.linalg.det(dense.coordinates.box), mass / 602.214076 / 2.0, rtol=1e-4)
    assert np.linalg.det(base.coordinates.box) > np.linalg.det(dense.coordinates.box)
    other = au.build.solution({"ethanol": 2, "spce": 30}, seed=1)
    assert not np.array_equal(base.coordinates.position, other.coordinates.position)


@shows("Molecules.write_gromacs.folder", "Molecules.write_gromacs.mdp")
def files_of_gromacs(_):
    from pathlib import Path

    au.build.water(20).write_gromacs("a")
    assert au.preset("amber") in Path("a/grompp.mdp").read_text()
    au.build.water(20).write_gromacs("b", "nsteps = 3\n")
    assert Path("b/grompp.mdp").read_text() == "nsteps = 3\n"
    assert Path("a/conf.gro").read_bytes() == Path("b/conf.gro").read_bytes()


@shows("preset.name")
def presets(_):
    assert au.preset("amber") != au.preset("charmm36m")
    refuses("amber", lambda: au.preset("ambre"))


@shows("write.path", "write.system", "write.step", "read.path", "read.frame")
def files(_):
    import gsd.hoomd

    one, two = pair(1.5, mass=2.0), pair(1.75)
    au.write("one.gsd", one, step=7)
    au.write("two.gsd", two)
    with gsd.hoomd.open("one.gsd") as f, gsd.hoomd.open("two.gsd") as g:
        assert (f[0].configuration.step, g[0].configuration.step) == (7, 0)
    assert au.read("one.gsd") == one and au.read("two.gsd") == two
    sim = au.Simulation(one, [], au.NVE(dt=0.01), [au.Trajectory("t.gsd", every=1)], threads=1)
    sim.set("velocity", np.full((2, 3), 0.5))
    with sim:
        sim.run(2)
    first, last = au.read("t.gsd", frame=0), au.read("t.gsd")
    assert np.allclose(first.position, one.position)
    assert np.allclose(last.position, one.position + 0.01) and last == au.read("t.gsd", frame=2)


@shows("System.replace.changes")
def replaced(_):
    assert pair(1.5).replace(mass=2.0) == pair(1.5, mass=2.0) != pair(1.5)
