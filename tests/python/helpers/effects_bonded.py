# SPDX-License-Identifier: Apache-2.0
"""Effects of the arguments of bonded terms, charges, fields, and of what systems say of them."""

from __future__ import annotations

import math
from pathlib import Path

import aureole as au
import numpy as np
from aureole.specs import bonded
from aureole.system.tuples import SIZES
from effects import LJ, refuses, shows

BENT = np.array([[0.0, 0.0, 0.0], [0.9, 0.3, 0.1], [1.3, 1.2, -0.2], [2.2, 1.1, 0.6]])
EXACT = {"precision": "double", "threads": 1}


def distance(a, b):
    return float(np.linalg.norm(BENT[a] - BENT[b]))


def angle(a, b, c):
    u, v = BENT[a] - BENT[b], BENT[c] - BENT[b]
    return math.acos(u @ v / np.linalg.norm(u) / np.linalg.norm(v))


def dihedral():
    """The angle of IUPAC, by the planes of the first and of the last three particles."""
    b1, b2, b3 = np.diff(BENT, axis=0)
    m, n = np.cross(b1, b2), np.cross(b2, b3)
    return math.atan2(np.linalg.norm(b2) * (b1 @ n), m @ n)


R, THETA, PHI = distance(0, 1), angle(0, 1, 2), dihedral()
R32, R13, THETA2 = distance(2, 1), distance(0, 2), angle(1, 2, 3)


def series(*c):
    return sum(one * math.cos(PHI) ** k for k, one in enumerate(c))


#: Energies as the reference manual of GROMACS has them, and parameters.
ENERGIES = {
    "HarmonicBond": (lambda r0, k: k / 2 * (R - r0) ** 2, (0.8, 7.0)),
    "G96Bond": (lambda r0, k: k / 4 * (R**2 - r0**2) ** 2, (0.8, 7.0)),
    "MorseBond": (lambda r0, depth, beta: depth * (1 - math.exp(-beta * (R - r0))) ** 2,
                  (0.8, 3.0, 2.0)),
    "FeneBond": (lambda r_max, k: -k / 2 * r_max**2 * math.log(1 - (R / r_max) ** 2), (1.4, 7.0)),
    "CubicBond": (lambda r0, k, k3: k * (R - r0) ** 2 + k * k3 * (R - r0) ** 3, (0.8, 7.0, 2.0)),
    "HarmonicAngle": (lambda theta0, k: k / 2 * (THETA - theta0) ** 2, (1.5, 5.0)),
    "G96Angle": (lambda theta0, k: k / 2 * (math.cos(THETA) - math.cos(theta0)) ** 2, (1.5, 5.0)),
    "RestrictedAngle": (
        lambda theta0, k: k / 2 * (math.cos(THETA) - math.cos(theta0)) ** 2 / math.sin(THETA) ** 2,
        (1.5, 5.0),
    ),
    "UreyBradley": (
        lambda theta0, k, r13, k13: k / 2 * (THETA - theta0) ** 2 + k13 / 2 * (R13 - r13) ** 2,
        (1.5, 5.0, 1.1, 3.0),
    ),
    "QuarticAngle": (
        lambda theta0, *c: sum(one * (THETA - theta0) ** k for k, one in enumerate(c)),
        (1.5, 1.0, 2.0, -1.5, 0.7, 0.3),
    ),
    "CrossBonds": (lambda r12, r32, k: k * (R - r12) * (R32 - r32), (0.7, 0.8, 6.0)),
    "CrossBondAngle": (
        lambda r12, r32, r13, k: k * (R13 - r13) * (R - r12 + R32 - r32),
        (0.7, 0.8, 1.2, 6.0),
    ),
    "PeriodicDihedral": (lambda phi0, k, n: k * (1 + math.cos(n * PHI - phi0)), (0.4, 2.0, 3.0)),
    "RestrictedDihedral": (
        lambda phi0, k: k / 2 * (math.cos(PHI) - math.cos(phi0)) ** 2 / math.sin(PHI) ** 2,
        (0.4, 2.0),
    ),
    "UnwrappedDihedral": (lambda phi0, k: k / 2 * (PHI - phi0) ** 2, (PHI - 4.2, 2.0)),
    "HarmonicImproper": (lambda xi0, k: k / 2 * (PHI - xi0) ** 2, (PHI + 0.3, 2.0)),
    "RyckaertBellemans": (
        lambda *c: sum(one * math.cos(PHI - math.pi) ** k for k, one in enumerate(c)),
        (1.0, 2.0, -1.5, 0.7, 0.3, -0.4),
    ),
    "BendingTorsion": (
        lambda *c: math.sin(THETA) ** 3 * math.sin(THETA2) ** 3 * series(*c),
        (1.0, 2.0, -1.5, 0.7, 0.3),
    ),
    "SpecialPair": (lambda c6, c12, qq: c12 / R**12 - c6 / R**6 + qq / R, (1.5, 0.7, -0.4)),
}  # fmt: skip


def chain(**changes):
    """Four particles, bent, in reduced units."""
    return au.System(**({"box": 20.0, "position": BENT, "mass": 2.0} | changes))


def tuples(spec):
    """The particles that a spec is for, as a system names them."""
    return {spec.tuples: {"one": [list(range(SIZES[spec.tuples]))]}}


def energy(spec, **changes):
    with au.Simulation(chain(**(tuples(spec) | changes)), [spec], **EXACT) as sim:
        return sim.energy.potential


NAMES = [f"{name}.{p['name']}" for name, cls in bonded.CLASSES.items()
         for p in cls.schema["parameters"]]  # fmt: skip


@shows(*NAMES)
def every_parameter(kind):
    formula, values = ENERGIES[kind]
    cls = bonded.CLASSES[kind]
    names = [entry["name"] for entry in cls.schema["parameters"]]
    for changed in (None, *range(len(values))):
        these = [v * (1.25 if k == changed else 1.0) for k, v in enumerate(values)]
        if changed is not None and names[changed] == "n":
            these[changed] = 2.0
        spec = cls(**dict(zip(names, these, strict=True)))
        assert eval(repr(spec), {"au": au}) == spec
        assert np.isclose(energy(spec), formula(*these), rtol=1e-10), these


@shows("System.bonds", "System.angles", "System.dihedrals", "System.impropers", "System.pairs")
def named(_):
    for kind in ("HarmonicBond", "HarmonicAngle", "PeriodicDihedral", "HarmonicImproper",
                 "SpecialPair"):  # fmt: skip
        _, values = ENERGIES[kind]
        cls = bonded.CLASSES[kind]
        names = [entry["name"] for entry in cls.schema["parameters"]]
        spec = cls(**dict(zip(names, values, strict=True)))
        assert energy(spec) != 0.0 == energy(spec, **{spec.tuples: {"one": []}})
        system = chain(**tuples(spec))
        refuses("have no parameters", lambda s=system: au.Simulation(s, [], **EXACT))
        tags = [[0] * SIZES[spec.tuples]]
        refuses("of an entry must differ", lambda s=spec, t=tags: chain(**{s.tuples: {"one": t}}))
    two = {"bonds": {"soft": [[0, 1]], "stiff": [[1, 2], [2, 3]]}}
    k = {"soft": 1.0, "stiff": 9.0}
    with au.Simulation(chain(**two), [au.HarmonicBond(r0=1.0, k=k)], **EXACT) as sim:
        lengths = np.linalg.norm(np.diff(BENT, axis=0), axis=1)
        want = 0.5 * ((lengths - 1) ** 2 @ [1.0, 9.0, 9.0])
        assert np.isclose(sim.energy.of("harmonic_bond"), want)
        assert [m.atoms.n for m, _ in sim.topology.blocks] == [4]
    apart = [au.HarmonicBond(r0=1.0, k={"soft": 1.0}), au.G96Bond(r0=1.0, k={"stiff": 9.0})]
    with au.Simulation(chain(**two), apart, **EXACT) as sim:
        assert sim.energy.per_force.keys() >= {"harmonic_bond", "g96_bond"}
    refuses("Did you mean 'soft'", lambda: au.Simulation(
        chain(**two), [au.HarmonicBond(r0=1.0, k={"sof": 1.0})], **EXACT))  # fmt: skip
    refuses("has no r0 for 'stiff'", lambda: au.Simulation(
        chain(**two), [au.HarmonicBond(r0={"soft": 1.0}, k=k)], **EXACT))  # fmt: skip


@shows("System.terms")
def terms_by_hand(_):
    """A rigid rod keeps its length, and takes one degree of freedom; without it the ends part."""
    given = {
        "position": [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]],
        "velocity": [[-1.0, 1.0, 0.0], [1.0, -1.0, 0.0]],
    }
    for terms, dof, length in (
        ({"constraint": ([[0, 1]], 1.0)}, 2, 1.0),
        ({}, 3, 2 * np.hypot(0.5 + 0.2, 0.2)),
    ):
        system = au.System(20.0, terms=terms, **given)
        with au.Simulation(system, [], au.NVE(dt=0.002), precision="double", threads=1) as sim:
            sim.run(100)
            assert sim.dof == dof
            assert np.isclose(np.linalg.norm(np.diff(sim.get("position"), axis=0)), length)


@shows("System.exclusions")
def exclusions(_):
    bonds = {"bonds": {"one": [[0, 1], [1, 2], [2, 3]]}}
    forces = [LJ, au.HarmonicBond(r0=1.0, k=0.0)]

    def attraction(**changes):
        with au.Simulation(chain(**(bonds | changes)), forces, **EXACT) as sim:
            return sim.energy.of("vdw")

    def lj(a, b):
        r = distance(a, b)
        return 4 * (r**-12 - r**-6) if r < 2.5 else 0.0

    pairs = [(a, b) for a in range(4) for b in range(a)]
    assert np.isclose(attraction(), sum(lj(a, b) for a, b in pairs if a - b > 1))
    assert np.isclose(attraction(exclusions=[]), sum(lj(a, b) for a, b in pairs))
    assert np.isclose(attraction(exclusions=[[3, 1]]), sum(lj(*p) for p in pairs if p != (3, 1)))


def charges(force, separation=1.0, **changes):
    """Energy of two unlike charges, in reduced units."""
    at = np.array([[0.0, 0.0, 0.0], [separation, 0.0, 0.0]])
    system = au.System(au.Box.of(20.0), at, charge=[1.0, -2.0])
    with au.Simulation(system.replace(**changes), [force], **EXACT) as sim:
        return sim.energy.potential


@shows("System.charge", "Coulomb.r_cut", "Coulomb.shifted", "Coulomb.epsilon_r")
def plain_coulomb(_):
    force = au.Coulomb(r_cut=4.0, shifted=False)
    assert np.isclose(charges(force, 1.25), -2 / 1.25)
    assert np.isclose(charges(force, 1.25, charge=[1.0, 3.0]), 3 / 1.25)
    assert charges(force, 4.5) == 0.0 != charges(au.Coulomb(r_cut=5.0), 4.5)
    # Shifted, each charge also has half an energy with itself, as in GROMACS.
    own = -0.5 * (1 + 4) / 4
    shifted = charges(au.Coulomb(r_cut=4.0), 1.25)
    assert np.isclose(shifted, -2 * (1 / 1.25 - 1 / 4) + own)
    assert np.isclose(charges(au.Coulomb(r_cut=4.0, shifted=False, epsilon_r=4.0)), -0.5)
    open_box = au.Box(20.0, 20.0, 20.0, periodic=(False, False, False))
    far = charges(au.Coulomb(r_cut=None), 9.5, box=open_box)
    assert np.isclose(far, -2 / 9.5)
    refuses("has no r_cut", lambda: charges(au.Coulomb(r_cut=None)))
    system = au.System(au.Box.of(20.0), BENT, charge=1.0)
    refuses("has no electrostatics", lambda: au.Simulation(system, [LJ]))
    assert system.charge.tolist() == [1.0] * 4


@shows("ReactionField.r_cut", "ReactionField.epsilon_rf", "ReactionField.epsilon_r")
def reaction_field(_):
    def want(r, rc=4.0, eps_rf=0.0, eps=1.0):
        field = (eps_rf - eps) / (2 * eps_rf + eps) if eps_rf else 0.5
        k = field / rc**3
        own = -0.5 * (1 + 4) * (1 + field) / rc / eps  # of each charge with its own field
        return -2 / eps * (1 / r + k * r * r - (1 / rc + k * rc * rc)) + own

    for options in ({}, {"rc": 5.0}, {"eps_rf": 78.0}, {"eps_rf": 10.0, "eps": 2.0}):
        force = au.ReactionField(
            r_cut=options.get("rc", 4.0), epsilon_rf=options.get("eps_rf", 0.0),
            epsilon_r=options.get("eps", 1.0),
        )  # fmt: skip
        found = charges(force, 1.25)
        bare = want(1.25, **options) - want(3.9, **options)
        assert np.isclose(found - charges(force, 3.9), bare, rtol=1e-9), options


@shows("ReactionField.excluded_pairs")
def field_of_excluded_pairs(_):
    """Without it an excluded pair has no energy, nor has a charge with itself."""

    def energy(distance, excluded_pairs, **more):
        position = [[0, 0, 0], [distance, 0, 0]]
        system = au.System(20.0, position, charge=[1.0, -2.0], exclusions=[[0, 1]], **more)
        force = au.ReactionField(r_cut=4.0, epsilon_rf=10.0, excluded_pairs=excluded_pairs)
        with au.Simulation(system, [force], **EXACT) as sim:
            return sim.energy.potential

    k, c = 9 / 21 / 4.0**3, 30 / 21 / 4.0
    own = -0.5 * (1 + 4) * c
    assert np.isclose(energy(1.25, True), -2 * (k * 1.25**2 - c) + own)
    assert energy(1.25, False) == 0.0


@shows("PME.both_signs")
def signs_of_half_the_mesh(_):
    """In a tilted box, where waves of half the mesh have two lengths."""

    def energy(tilt, both_signs):
        box = au.Box(4.0, 4.0, 4.0, tilt, 0.0, 0.0)
        position = np.random.default_rng(1).uniform(-2, 2, (8, 3))
        system = au.System(box, position, charge=[1.0, -1.0] * 4)
        force = au.PME(r_cut=1.9, grid=(8, 8, 8), order=4, tolerance=1e-3, both_signs=both_signs)
        with au.Simulation(system, [force], **EXACT) as sim:
            return sim.energy.of("mesh")

    assert np.isclose(energy(0.0, True), energy(0.0, False), rtol=1e-13)
    assert 1e-6 < abs(energy(0.4, True) / energy(0.4, False) - 1) < 1e-2


@shows("PME.r_cut", "PME.spacing", "PME.grid", "PME.order", "PME.tolerance", "PME.shifted",
       "PME.epsilon_r")  # fmt: skip
def mesh(_):
    """Rock salt, whose energy is Madelung's constant."""
    sites = np.indices((4, 4, 4)).reshape(3, -1).T
    charge = 1.0 - 2.0 * (sites.sum(axis=1) % 2)
    system = au.System(au.Box.of(4.0), sites + 0.5, charge=charge)

    def found(**changes):
        spec = au.PME(**({"r_cut": 1.9, "spacing": 0.1, "order": 6, "tolerance": 1e-8} | changes))
        with au.Simulation(system, [spec], **EXACT) as sim:
            return sim.energy

    def error(**changes):
        return abs(found(**changes).potential / 32 + 1.747564594633182)

    best = error(shifted=False)
    assert best < 1e-7
    coarse = {"shifted": False, "spacing": 0.2}
    assert error(**coarse, order=4) > 3 * error(**coarse)
    assert error(shifted=False, spacing=0.4) > 100 * best
    assert error(shifted=False, grid=(10, 10, 10)) == error(shifted=False, spacing=0.4)
    assert error(shifted=False, tolerance=1e-3) > 100 * best
    assert found(tolerance=1e-3).of("mesh") != found().of("mesh") != found(r_cut=1.5).of("mesh")
    assert math.isclose(math.erfc(au.PME(r_cut=1.9).beta * 1.9), 1e-5, rel_tol=1e-9)
    assert np.isclose(found(epsilon_r=2.0).potential, found().potential / 2)
    plain, shifted = (found(shifted=on).of("coulomb") for on in (False, True))
    assert plain != shifted
    refuses("neither spacing nor grid", lambda: au.PME(r_cut=1.0, spacing=0.0))


@shows("PME.accuracy")
def accuracy_of_mesh(_):
    """Forces err by as much as is asked for, beside those of a far finer mesh."""
    random = np.random.default_rng(2)
    charge = np.where(np.arange(400) % 2, -1.0, 1.0)
    system = au.System(10.0, random.uniform(-5, 5, (400, 3)), charge=charge)

    def forces(**options):
        with au.Simulation(system, [au.PME(r_cut=3.0, **options)], **EXACT) as sim:
            return sim.get("force"), sim.forces[0]

    exact, _ = forces(grid=(80, 80, 80), order=8, tolerance=1e-11)

    def error(**options):
        return np.sqrt(((forces(**options)[0] - exact) ** 2).sum(axis=1).mean())

    for asked in (1e-3, 1e-5):
        assert 0.3 * asked < error(accuracy=asked) < asked
        assert error(accuracy=asked, order=6) < asked
        assert error(accuracy=asked, tolerance=1e-7) < asked
    usual = forces()[1]  # in reduced units
    assert usual == forces(accuracy=1e-5)[1]
    assert usual.accuracy == 1e-5 and usual.grid is not None and usual.spacing is None
    refuses("beyond the cut-off leave an error", lambda: forces(accuracy=1e-5, tolerance=1e-3))
    refuses("the mesh that is given errs by more", lambda: forces(accuracy=1e-5, spacing=2.0))


@shows("ElectricField.strength", "ElectricField.omega", "ElectricField.centre",
       "ElectricField.width")  # fmt: skip
def field(_):
    def pull(time=0.0, units="reduced", **options):
        zero = (0.0, 0.0, 0.0)
        parts = {name: options.get(name, zero) for name in ("omega", "centre", "width")}
        spec = au.ElectricField(strength=options.get("strength", (2.0, 0.0, 0.0)), **parts)
        at = np.array([[0.0, 0.0, 0.0], [5.0, 5.0, 5.0]])
        system = au.System(au.Box.of(20.0), at, charge=[0.5, 0.0], units=units)
        steps = au.VelocityVerlet(dt=0.01, start=time, remove_com_every=0)
        with au.Simulation(system, [au.Coulomb(r_cut=2.0), spec], steps, **EXACT) as sim:
            return sim.get("force")[0]

    assert pull().tolist() == [1.0, 0.0, 0.0]
    assert pull(strength=(0.0, 3.0, -1.0)).tolist() == [0.0, 1.5, -0.5]
    assert np.isclose(pull(units="molecular")[0], 96.48533212331)  # e V/nm in kJ/mol/nm
    assert np.isclose(pull(0.4, omega=(3.0, 0.0, 0.0))[0], math.cos(1.2))
    pulse = {"omega": (3.0, 0.0, 0.0), "centre": (0.1, 0.0, 0.0), "width": (0.5, 0.0, 0.0)}
    want = math.cos(0.9) * math.exp(-(0.3**2) / (2 * 0.25))
    assert np.isclose(pull(0.4, **pulse)[0], want)
    assert np.isclose(pull(0.4, **(pulse | {"width": (0.3, 0, 0)}))[0],
                      math.cos(0.9) * math.exp(-0.5))  # fmt: skip


@shows("References.points", "References.with_box", "References.origin", "References.of.value",
       "References.of.n", "References.of.box")  # fmt: skip
def points_of_restraints(_):
    """Where a restrained particle is pulled to, from the force on it."""
    from aureole.system.references import References
    from aureole.system.topology import Terms

    box = au.Box.of(10.0)
    base = chain(box=box, angles={"one": [[0, 1, 2]]})
    with au.Simulation(base, [au.HarmonicAngle(theta0=1.5, k=0.0)], **EXACT) as sim:
        topology = sim.topology
    from dataclasses import replace

    one = Terms(np.array([[3]], np.int32), np.zeros(1, np.int32), np.array([[2.0, 3.0, 4.0]]))
    topology = replace(topology, intermolecular={"position_restraint": one})

    def pulled_to(references):
        system = base.replace(angles=None, topology=topology, references=references)
        with au.Simulation(system, [], **EXACT) as sim:
            return BENT[3] + sim.get("force")[3] / [2.0, 3.0, 4.0]

    assert np.allclose(pulled_to(None), BENT[3])
    wanted = BENT + np.array([0.1, 0.2, -0.3])
    assert np.allclose(pulled_to(wanted), wanted[3])
    given = References.of(wanted, 4, box)
    assert np.allclose(pulled_to(given), wanted[3]) and References.of(given, 4, box) is given
    refuses("(5, 3)", lambda: References.of(wanted, 5, box))
    assert np.allclose(References.of(wanted, 4, au.Box.of(12.0)).points, wanted + 6)
    assert np.allclose(pulled_to(References(wanted / 10, with_box=True)), wanted[3])
    shifted = References(wanted, origin=(0.01, 0.0, 0.0))
    assert np.allclose(pulled_to(shifted), wanted[3] + [0.1, 0.0, 0.0])


@shows("System.save.path", "System.load.path")
def files_of_systems(_):
    system = chain(bonds={"b": [[0, 1]]}, groups={"ends": [0, 3]}, columns={"size": [1.0] * 4})
    system.save("one.npz")
    chain().save("two.npz")
    assert au.System.load("one.npz") == system != au.System.load("two.npz") == chain()
    water = au.build.water(20).system()
    water.save("water.npz")
    again = au.System.load("water.npz")
    assert again == water and again.topology.molecules == 20
    assert np.array_equal(again.position, water.position)
    refuses("does not end in .npz", lambda: system.save("one.gsd"))
    Path("bad.npz").write_bytes(Path("one.npz").read_bytes()[:-40])
    refuses("bad.npz: holds no system", lambda: au.System.load("bad.npz"))
    refuses("no.npz: cannot be read", lambda: au.System.load("no.npz"))


@shows("System.periodic_molecules")
def bound_to_images(_):
    from aureole.observers.frame_of_simulation import whole_of

    for value in (False, True):
        system = au.build.water(60).system().replace(periodic_molecules=value)
        forces = [au.LennardJones(r_cut=0.5), au.ReactionField(r_cut=0.5)]
        with au.Simulation(system, forces, **EXACT) as sim:
            assert (whole_of(sim, True) is None) == value == sim.periodic_molecules
