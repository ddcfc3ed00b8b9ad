# SPDX-License-Identifier: Apache-2.0
"""Terms of OpenMM one by one: images, indices, and energies as texts, beside its results.

Random systems of many terms are in tests/random_openmm.
"""

from __future__ import annotations

import math
from itertools import pairwise

import aureole as au
import numpy as np
import pytest

mm = pytest.importorskip("openmm", reason="needs openmm, in the extra `converters`")
from openmm import app, unit  # noqa: E402

BENT = np.array([[1, 1, 1], [1.15, 1, 1], [1.2, 1.14, 1], [1.33, 1.15, 1.09], [1.4, 1.02, 1.15]])
EDGE = 4.35


def topology_of(n):
    topology = app.Topology()
    residue = topology.addResidue("M", topology.addChain())
    atoms = [topology.addAtom(f"C{k}", app.element.carbon, residue) for k in range(n)]
    for a, b in pairwise(atoms):
        topology.addBond(a, b)
    return topology


def system_with(*forces, n=5, charges=0.0, method="CutoffPeriodic"):
    """Particles without a Lennard-Jones energy in a cubic box, and forces."""
    system = mm.System()
    nonbonded = mm.NonbondedForce()
    nonbonded.setNonbondedMethod(getattr(nonbonded, method))
    nonbonded.setCutoffDistance(0.9)
    nonbonded.setUseDispersionCorrection(False)
    for k in range(n):
        system.addParticle(12.0)
        nonbonded.addParticle(charges * (-1) ** k, 0.1, 0.0)
    vectors = np.eye(3) * EDGE
    system.setDefaultPeriodicBoxVectors(*(mm.Vec3(*row) for row in vectors))
    for force in (nonbonded, *forces):
        system.addForce(force)
    return system


def converted(system, x, **options):
    device = au.Device(name="host", threads=1, precision="double")
    topology = topology_of(len(x))
    return au.from_openmm(
        system, topology, x * unit.nanometer, dt="1 fs", maxwarn=9, device=device, **options
    )


def theirs(system, x):
    platform = mm.Platform.getPlatformByName("Reference")
    context = mm.Context(system, mm.VerletIntegrator(0.001), platform)
    context.setPositions(x)
    state = context.getState(energy=True, forces=True)
    return state.getPotentialEnergy()._value, state.getForces(asNumpy=True)._value


def assert_equal(system, x=BENT):
    """Energies and forces here and there; returns the simulation."""
    sim = converted(system, x)
    energy, forces = theirs(system, x)
    assert sim.energy.potential == pytest.approx(energy, rel=1e-9, abs=1e-9)
    assert sim.get("force") == pytest.approx(forces, rel=1e-6, abs=1e-6 * np.abs(forces).max())
    return sim


def bond(i=0, j=1):
    force = mm.HarmonicBondForce()
    force.addBond(i, j, 0.2, 5000.0)
    return force


def angle(*particles):
    force = mm.HarmonicAngleForce()
    force.addAngle(*particles, 1.9, 300.0)
    return force


def torsion(*particles):
    force = mm.PeriodicTorsionForce()
    force.addTorsion(*particles, 3, 0.4, 9.0)
    return force


def ryckaert(*particles):
    force = mm.RBTorsionForce()
    force.addTorsion(*particles, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    return force


def cmap(*particles, size=8, number=0):
    force = mm.CMAPTorsionForce()
    force.addMap(size, np.random.default_rng(3).normal(size=size * size))
    force.addTorsion(number, *particles[:4], *particles[1:5])
    return force


def custom(what, text, values, *particles, shared=()):
    """A custom force with one term."""
    force = getattr(mm, f"Custom{what}Force")(text)
    for name in values:
        add = "addPerParticleParameter" if what == "External" else f"addPer{what}Parameter"
        getattr(force, add)(name)
    for name, value in shared:
        force.addGlobalParameter(name, value)
    getattr(force, f"add{'Particle' if what == 'External' else what}")(
        *particles, list(values.values())
    )
    return force


# Images

FAR = np.array([[0.2, 1, 1], [0.2 + 3.9, 1, 1], [2, 2, 2], [2.1, 2.1, 2], [2.2, 2, 2.1]])
OF_IMAGES = {
    "HarmonicBondForce": lambda: bond(),
    "HarmonicAngleForce": lambda: angle(0, 1, 2),
    "PeriodicTorsionForce": lambda: torsion(2, 0, 1, 3),
    "RBTorsionForce": lambda: ryckaert(2, 0, 1, 3),
    "CMAPTorsionForce": lambda: cmap(2, 0, 1, 3, 4),
    "CustomBondForce": lambda: custom("Bond", "k*(r-1)^2", {"k": 7.0}, 0, 1),
    "CustomAngleForce": lambda: custom("Angle", "k*(theta-1)^2", {"k": 7.0}, 0, 1, 2),
    "CustomTorsionForce": lambda: custom("Torsion", "k*cos(theta)", {"k": 7.0}, 2, 0, 1, 3),
}


@pytest.mark.parametrize("kind", OF_IMAGES)
def test_terms_without_images_are_refused_where_these_differ(kind):
    """Points 3.9 nm apart in a box of 4.35 nm: by 0.45 nm with images. Both were taken alike."""
    force = OF_IMAGES[kind]()
    system = system_with(force)
    words = rf" 0 of {kind} is of particles . and ., 3.* nm apart in OpenMM and 0\.45 nm by near"
    if "Torsion" in kind or "Angle" in kind:
        words = rf" 0 of {kind} is of particles . and ., .* nm apart in OpenMM and .* nm by nearest"
    with pytest.raises(au.InputError, match=words) as told:
        converted(system, FAR)
    assert "force.setUsesPeriodicBoundaryConditions(True)" in str(told.value)
    force = system.getForce(1)
    force.setUsesPeriodicBoundaryConditions(True)
    assert_equal(system, FAR)
    force.setUsesPeriodicBoundaryConditions(False)
    whole = FAR.copy()
    whole[1, 0] -= EDGE
    whole[2:, 0] -= 1.0
    assert_equal(system, whole)


@pytest.mark.parametrize("method", ["PME", "CutoffPeriodic"])
@pytest.mark.parametrize("values", [(0.0, 0.3, 0.0), (0.5, 0.3, 1.0)])
def test_exceptions_without_images(method, values):
    """The mesh is taken off excluded pairs at the distance of their positions."""
    system = system_with(charges=0.6, method=method)
    system.getForce(0).addException(0, 1, *values)
    if method == "CutoffPeriodic" and not any(values[::2]):
        assert_equal(system, FAR)
        return
    words = "exception 0 of NonbondedForce is of particles 0 and 1, 3.9 nm apart"
    with pytest.raises(au.InputError, match=words):
        converted(system, FAR)
    system.getForce(0).setExceptionsUsePeriodicBoundaryConditions(True)
    if method == "PME":
        system.getForce(0).setPMEParameters(3.0, 32, 32, 32)
    assert_equal(system, FAR)


def test_constraints_and_sites_without_images():
    system = system_with()
    system.addConstraint(0, 1, 0.45)
    with pytest.raises(au.InputError, match=r"^constraint 0 is of particles 0 and 1, 3\.9 nm ap"):
        converted(system, FAR)
    system = system_with()
    system.setParticleMass(4, 0.0)
    system.setVirtualSite(4, mm.TwoParticleAverageSite(0, 1, 0.5, 0.5))
    with pytest.raises(au.InputError, match=r"^virtual site 4 is of particles 0 and 1, 3.9 nm"):
        converted(system, FAR)


def test_periodic_images_that_are_not_the_nearest():
    """In skewed boxes OpenMM's periodic image of a long bond is not the nearest one."""
    vectors = np.array([(4, 0, 0), (1.9, 4, 0), (-1.9, 1.9, 4)], dtype=float)
    force = mm.HarmonicBondForce()
    force.addBond(0, 1, 1.0, 500.0)
    force.setUsesPeriodicBoundaryConditions(True)
    system = system_with(force)
    system.setDefaultPeriodicBoxVectors(*(mm.Vec3(*row) for row in vectors))
    x = BENT.copy()
    for apart, refused in (((1.2, 0.3, 0.2), False), ((1.9, 1.9, -1.9), True)):
        x[1] = x[0] + apart
        if refused:
            with pytest.raises(au.InputError, match="less than half the box apart"):
                converted(system, x)
        else:
            assert_equal(system, x)


@pytest.mark.parametrize("text", ["k*((x-x0)^2+(y-y0)^2+(z-z0)^2)", "k*(x-x0)^2"])
def test_restraints_without_images(text):
    values = {"k": 50.0, "x0": 0.5, "y0": 1.1, "z0": 1.2}
    system = system_with(custom("External", text, values, 1))
    with pytest.raises(au.InputError, match=r"restraint of particle 1 .* has the energy 6.* kJ"):
        converted(system, FAR)
    assert_equal(system, FAR - [3.5, 0, 0])


# Indices


@pytest.mark.parametrize("wrong", [-1, -5, 5])
@pytest.mark.parametrize("kind", sorted(OF_IMAGES))
def test_particles_that_are_not_there(kind, wrong):
    """OpenMM refuses them. Those below 0 were left out in silence, 5 of 5 was an IndexError."""
    made = {
        "HarmonicBondForce": lambda *p: bond(*p[:2]),
        "HarmonicAngleForce": lambda *p: angle(*p[:3]),
        "PeriodicTorsionForce": lambda *p: torsion(*p[:4]),
        "RBTorsionForce": lambda *p: ryckaert(*p[:4]),
        "CMAPTorsionForce": cmap,
        "CustomBondForce": lambda *p: custom("Bond", "k*(r-1)^2", {"k": 7.0}, *p[:2]),
        "CustomAngleForce": lambda *p: custom("Angle", "k*(theta-1)^2", {"k": 7.0}, *p[:3]),
        "CustomTorsionForce": lambda *p: custom("Torsion", "k*cos(theta)", {"k": 7.0}, *p[:4]),
    }[kind]
    system = system_with(made(0, wrong, 2, 3, 4))
    with pytest.raises(au.InputError, match=rf" 0 of {kind} is of particle {wrong} \(the system"):
        converted(system, BENT)
    with pytest.raises(mm.OpenMMException, match=r"[Ii]llegal particle index"):
        theirs(system, BENT)


@pytest.mark.parametrize("wrong", [-1, 5])
def test_other_particles_that_are_not_there(wrong):
    def exceptions():
        system = system_with()
        system.getForce(0).addException(1, wrong, 0.0, 0.1, 0.0)
        return system

    def restraints():
        text = "k*periodicdistance(x,y,z,x0,y0,z0)^2"
        values = dict.fromkeys(("k", "x0", "y0", "z0"), 1.0)
        return system_with(custom("External", text, values, wrong))

    def constraints():
        system = system_with()
        system.addConstraint(1, wrong, 0.1)
        return system

    def sites():
        system = system_with()
        system.setParticleMass(4, 0.0)
        system.setVirtualSite(4, mm.TwoParticleAverageSite(0, wrong, 0.5, 0.5))
        return system

    def exclusions():
        table = mm.CustomNonbondedForce("4*e*((s/r)^12-(s/r)^6); e=0; s=1")
        table.setNonbondedMethod(table.CutoffPeriodic)
        table.setCutoffDistance(0.9)
        for _ in range(5):
            table.addParticle([])
        table.addExclusion(1, wrong)
        return system_with(table)

    for make in (exceptions, restraints, constraints, sites, exclusions):
        with pytest.raises(au.InputError, match=rf" is of particle {wrong} \(the system has the"):
            converted(make(), BENT)


@pytest.mark.parametrize(
    "force, words",
    [
        (lambda: cmap(0, 1, 2, 3, 4, number=1), "has the map 1"),
        (lambda: cmap(0, 1, 2, 3, 4, number=-1), "has the map -1"),
        (lambda: bond(2, 2), "one of them is named twice"),
        (lambda: cmap(0, 1, 2, 3, 0), "one of them is named twice"),
    ],
)
def test_maps_that_are_not_there_and_particles_named_twice(force, words):
    with pytest.raises(au.InputError, match=words):
        converted(system_with(force()), BENT)


def test_what_a_context_refuses():
    """Numbers that OpenMM does not take either."""
    wide = mm.HarmonicAngleForce()
    wide.addAngle(0, 1, 2, 3.2, 1.0)
    short = mm.HarmonicBondForce()
    short.addBond(0, 1, -0.1, 1.0)
    flat = mm.PeriodicTorsionForce()
    flat.addTorsion(0, 1, 2, 3, 0, 0.0, 1.0)
    for force, words in (
        (wide, "has the angle 3.2"),
        (short, "has the length -0.1"),
        (flat, "has the periodicity 0"),
    ):
        system = system_with(force)
        with pytest.raises(au.InputError, match=words):
            converted(system, BENT)
        with pytest.raises(mm.OpenMMException):
            theirs(system, BENT)
    for row in ((0.0, -0.1, 1.0), (0.0, 0.1, -1.0)):
        system = system_with()
        system.getForce(0).setParticleParameters(2, *row)
        with pytest.raises(au.InputError, match="particle 2 of NonbondedForce has sigma"):
            converted(system, BENT)
        with pytest.raises(mm.OpenMMException):
            theirs(system, BENT)


# Energies as texts

BONDS = {
    "0.5*k*(r-r0)^2": "harmonic_bond",
    "k*(r-r0)^2": "harmonic_bond",
    "k*d*d/2; d = r - r0": "harmonic_bond",
    "4*k*((r0/r)^12-(r0/r)^6)": "pair",
    "k/r": "pair",
}
ANGLES = {
    "k*(theta-theta0)^2": "harmonic_angle",
    "0.5*k*(theta0-theta)^2": "harmonic_angle",
    "0.5*k*(cos(theta)-cos(theta0))^2": "g96_angle",
}
ROUND = "dtheta - floor(dtheta/(2*pi)+0.5)*(2*pi); dtheta = theta - theta0; pi = 3.14159265358979"
TORSIONS = {
    "0.5*k*min(dtheta, 2*pi-dtheta)^2; dtheta = abs(theta-theta0); pi = 3.14159265358979":
        "harmonic_improper",
    f"k*dtheta_torus^2; dtheta_torus = {ROUND}": "harmonic_improper",
    "k*dtheta_torus^2; dtheta_torus = 2*(theta-theta0)": "unwrapped_dihedral",
    "k*dtheta_torus^2; dtheta_torus = sin(theta-theta0)": "periodic_dihedral",
    "k*(theta-theta0)^2": "unwrapped_dihedral",
    "k*theta^2 + 0*theta0": "harmonic_improper",
    "k*(1+cos(3*theta-theta0))": "periodic_dihedral",
    "k*cos(theta)^4 - theta0": "periodic_dihedral",
}  # fmt: skip


@pytest.mark.parametrize("text", BONDS)
@pytest.mark.parametrize("r0", [0.2, -0.1])
def test_custom_bonds(text, r0):
    force = custom("Bond", text, {"k": 90.0, "r0": r0}, 0, 1)
    sim = assert_equal(system_with(force))
    assert BONDS[text] in sim.topology.expand_terms()
    force = custom("Bond", text, {"k": 90.0, "r0": r0}, 0, 3)
    kind = BONDS[text].replace("bond", "restraint")  # no bond of the topology
    assert kind in assert_equal(system_with(force)).topology.expand_terms()


@pytest.mark.parametrize("text", ANGLES)
@pytest.mark.parametrize("theta0", [0.3, 2.0, math.pi, 4.0, -1.0])
def test_custom_angles(text, theta0):
    """Angles of lowest energy beyond pi too."""
    force = custom("Angle", text, {"theta0": theta0}, 1, 2, 3, shared=[("k", 70.0)])
    sim = assert_equal(system_with(force))
    assert ANGLES[text] in sim.topology.expand_terms()


@pytest.mark.parametrize("text", TORSIONS)
@pytest.mark.parametrize("theta0", [0.5, -2.5, 3.1, 2.5])
def test_custom_torsions(text, theta0):
    """-2.5 is more than a half turn from the dihedral, so that texts which go round differ."""
    force = custom("Torsion", text, {"theta0": theta0, "k": 30.0}, 0, 1, 2, 3)
    sim = assert_equal(system_with(force))
    (kind,) = sim.topology.expand_terms()
    assert kind == TORSIONS[text]
    jumps = [one for one in sim.remarks if "jumps where theta passes 180 degrees" in one]
    assert len(jumps) == (kind == "unwrapped_dihedral")


def test_few_digits_of_pi():
    """As psf files come to OpenMM: the remark says by how much energies may differ."""
    text = "k*min(dtheta, 2*pi-dtheta)^2; dtheta = abs(theta-theta0); pi = 3.1416"
    system = system_with(custom("Torsion", text, {"k": 30.0, "theta0": -2.5}, 0, 1, 2, 3))
    sim = converted(system, BENT)
    (told,) = [one for one in sim.remarks if "few digits of pi" in one]
    most = float(told.split("up to ")[1].split()[0])
    off = abs(sim.energy.potential - theirs(system, BENT)[0])
    assert 1e-5 < off <= most < 0.02
    with pytest.raises(au.InputError, match="torsions may be harmonic"):
        converted(
            system_with(
                custom("Torsion", text.replace("3.1416", "3.14"), {"k": 1, "theta0": 2}, 0, 1, 2, 3)
            ),
            BENT,
        )


@pytest.mark.parametrize(
    "what, text",
    [
        ("Bond", "k*(r-r0)^2+0.1"),
        ("Bond", "k*max(0,r-r0)^2"),
        ("Bond", "k*(r-r0)^4"),
        ("Bond", "k/r*step(5-r)+0*r0"),
        ("Angle", "k*(theta-r0)^4"),
        ("Angle", "k*(cos(theta)-1.2*r0)^2"),
        ("Torsion", "k*abs(sin(theta-r0))"),
        ("Torsion", "k*(1+cos(2.5*theta-r0))"),
        ("Torsion", "k*min(d,2*3.14159265358979-d)^2; d=abs(theta-r0)+0.01"),
        ("External", "k*max(0,periodicdistance(x,y,z,r0,r0,r0)-0.2)^2"),
        ("External", "k*x*y+0*r0"),
        ("External", "k*(x-r0)"),
    ],
)
def test_energies_that_are_no_terms(what, text):
    """OpenMM has them; the error quotes them."""
    values = {"k": 9.0, "r0": 0.9}
    count = {"Bond": 2, "Angle": 3, "Torsion": 4, "External": 1}[what]
    system = system_with(custom(what, text, values, *range(count)))
    with pytest.raises(au.InputError) as told:
        converted(system, BENT)
    assert text in str(told.value) and "is not supported" in str(told.value)
    assert math.isfinite(theirs(system, BENT)[0])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("what", ["Bond", "Angle", "Torsion"])
def test_energies_that_are_infinite(what):
    """They are refused without a warning of numpy."""
    text = f"k*({'r' if what == 'Bond' else 'theta'}/r0-1)^2"
    count = {"Bond": 2, "Angle": 3, "Torsion": 4}[what]
    system = system_with(custom(what, text, {"k": 9.0, "r0": 0.0}, *range(count)))
    with pytest.raises(au.InputError, match="is not supported"):
        converted(system, BENT)


@pytest.mark.parametrize("size", [2, 4, 6, 8, 24])
def test_maps_of_few_points(size):
    """By periodic splines, as in OpenMM; the others differ by 3 % for 4 x 4 points."""
    system = system_with(cmap(0, 1, 2, 3, 4, size=size))
    sim = assert_equal(system)
    assert sim.topology.periodic_splines and sim.remarks == ()


def test_maps_after_a_restart(tmp_path):
    sim = converted(system_with(cmap(0, 1, 2, 3, 4, size=4)), BENT)
    sim.write_checkpoint(tmp_path / "a.ckpt")
    again = au.Simulation.from_checkpoint(tmp_path / "a.ckpt")
    assert again.energy == sim.energy and again.topology.periodic_splines


def test_a_site_beside_its_place():
    """OpenMM leaves it there until a step; the remark says so, and energies are of its place."""
    system = system_with(charges=0.4)
    system.setParticleMass(4, 0.0)
    system.setVirtualSite(4, mm.ThreeParticleAverageSite(0, 1, 2, 0.2, 0.3, 0.5))
    x = BENT.copy()
    sim = converted(system, x)
    (told,) = sim.remarks
    assert told.startswith("1 virtual site is up to")
    x[4] = 0.2 * x[0] + 0.3 * x[1] + 0.5 * x[2]
    assert not converted(system, x).remarks
    assert sim.energy.potential == pytest.approx(theirs(system, x)[0], rel=1e-9)


def test_terms_that_a_site_makes_constant():
    """GROMACS leaves these out; their energies were missing here, without a remark."""
    force = mm.HarmonicAngleForce()
    force.addAngle(1, 0, 3, 2.1, 460.0)
    stiff = mm.HarmonicBondForce()
    stiff.addBond(0, 3, 0.2, 900.0)
    system = system_with(force, stiff)
    x = BENT.copy()
    for i, j in ((0, 1), (1, 2), (0, 2)):
        system.addConstraint(i, j, float(np.linalg.norm(x[i] - x[j])))
    system.setParticleMass(3, 0.0)
    system.setVirtualSite(3, mm.ThreeParticleAverageSite(0, 1, 2, 0.9, -0.3, 0.4))
    x[3] = 0.9 * x[0] - 0.3 * x[1] + 0.4 * x[2]
    energy, _ = theirs(system, x)
    assert energy > 10.0
    for options in ({}, {"constraints": "none"}):
        sim = converted(system, x, **options)
        assert sim.energy.potential == pytest.approx(energy, rel=1e-9) and sim.remarks == ()


def test_waves_of_half_the_mesh():
    """In tilted boxes these count as in OpenMM, on meshes so coarse that it shows."""
    system = system_with(charges=0.7, method="PME")
    vectors = (4, 0, 0), (-1.9, 4.2, 0), (0.9, 1.7, 3.9)
    system.setDefaultPeriodicBoxVectors(*(mm.Vec3(*row) for row in vectors))
    system.getForce(0).setPMEParameters(3.6, 18, 18, 20)
    sim = assert_equal(system)
    before = sim.energy.of("mesh")
    sim.forces = [
        au.PME(r_cut=one.r_cut, grid=one.grid, order=one.order, tolerance=one.tolerance,
               shifted=one.shifted) if isinstance(one, au.PME) else one for one in sim.forces
    ]  # fmt: skip
    assert abs(sim.energy.of("mesh") / before - 1) > 1e-7
