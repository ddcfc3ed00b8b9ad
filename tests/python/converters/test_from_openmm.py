# SPDX-License-Identifier: Apache-2.0
"""Systems of OpenMM: each term has the energy that OpenMM's Reference platform gives it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.jobs.from_gromacs import simulation_of

mm = pytest.importorskip("openmm", reason="needs openmm, in the extra `converters`")
pint = pytest.importorskip("pint", reason="needs pint")
from openmm import app, unit  # noqa: E402

PRECISE = dict(precision="double", threads=1)
R_CUT = 0.9
ALPHA = 3.4
GRID = (60, 56, 48)
FIELDS = {
    "amber14": ("amber14-all.xml", "amber14/tip3p.xml"),
    "tip4p-ew": ("amber14-all.xml", "amber14/tip4pew.xml"),
    "charmm36": ("charmm36.xml", "charmm36/water.xml"),
}


WATERS = 150
ONES = np.ones((3, 3))


def villin():
    """The protein with ions that comes with OpenMM, in some of its water: box as it was."""
    pdb = app.PDBFile(str(Path(app.__file__).parent / "data" / "test.pdb"))
    model = app.Modeller(pdb.topology, pdb.positions)
    waters = [one for one in pdb.topology.residues() if one.name == "HOH"]
    model.delete(waters[WATERS:])
    return model


def built(field, method=app.PME, **options):
    """An OpenMM system, its topology, and positions with virtual sites in their places."""
    model, xml = villin(), app.ForceField(*FIELDS[field])
    model.addExtraParticles(xml)
    settings = dict(nonbondedMethod=method, nonbondedCutoff=R_CUT, constraints=None) | options
    system = xml.createSystem(model.topology, **settings)
    context = reference(like_ours(system), model.positions)
    return system, model.topology, context


def like_ours(system):
    """The system with our mesh, without corrections of tails, its forces in groups of their own."""
    for k, force in enumerate(system.getForces()):
        force.setForceGroup(k)
        if isinstance(force, mm.NonbondedForce):
            force.setPMEParameters(ALPHA, *GRID)
            force.setUseDispersionCorrection(False)
        if isinstance(force, mm.CustomNonbondedForce):
            force.setUseLongRangeCorrection(False)
    return system


def reference(system, positions):
    """A context of the Reference platform, in double precision throughout."""
    platform = mm.Platform.getPlatformByName("Reference")
    context = mm.Context(system, mm.VerletIntegrator(0.001), platform)
    context.setPositions(positions)
    context.computeVirtualSites()
    return context


def energies(system, context):
    """Energy of each force [kJ/mol]."""
    found = Counter()
    for k, force in enumerate(system.getForces()):
        state = context.getState(getEnergy=True, groups={k})
        found[type(force).__name__] += state.getPotentialEnergy().value_in_unit(
            unit.kilojoule_per_mole
        )
    return found


def arrays(context):
    """Positions [nm] and forces [kJ/mol/nm]."""
    state = context.getState(getPositions=True, getForces=True)
    return (
        state.getPositions(asNumpy=True).value_in_unit(unit.nanometer),
        state.getForces(asNumpy=True).value_in_unit(unit.kilojoule_per_mole / unit.nanometer),
    )


def without_sites(sim):
    """The same with masses everywhere: energies do not know of masses, and sites need none."""
    job = sim.job
    blocks = tuple(
        (replace(one, atoms=replace(one.atoms, mass=np.maximum(one.atoms.mass, 1.0))), count)
        for one, count in job.topology.blocks
    )
    job = replace(job, topology=replace(job.topology, blocks=blocks))
    return simulation_of(job, **PRECISE)


PAIRS = ("vdw", "coulomb", "mesh", "pair")
BONDED = {
    "HarmonicBondForce": ("harmonic_bond", "harmonic_restraint"),
    "HarmonicAngleForce": ("harmonic_angle",),
    "PeriodicTorsionForce": ("periodic_dihedral",),
    "CustomTorsionForce": ("harmonic_improper",),
    "CMAPTorsionForce": ("cmap",),
}
#: Non-bonded energies are differences of large numbers.
NONBONDED = ("NonbondedForce", "CustomNonbondedForce", "CustomBondForce")


def compare(mine, theirs, rel=1e-6):
    """Assert that terms agree; a map's slopes differ by 1e-7 between the two programs' splines."""
    each = mine.per_force
    for name, kinds in BONDED.items():
        if name in theirs:
            ours = sum(each.get(kind, 0.0) for kind in kinds)
            assert ours == pytest.approx(theirs[name], rel=rel), name
    size = sum(abs(each.get(kind, 0.0)) for kind in PAIRS)
    nonbonded = sum(theirs.get(name, 0.0) for name in NONBONDED)
    assert sum(each.get(kind, 0.0) for kind in PAIRS) == pytest.approx(nonbonded, abs=1e-9 * size)


@pytest.mark.parametrize("field", ["amber14", "charmm36"])
def test_a_protein_in_water(field):
    system, topology, context = built(field)
    positions, forces = arrays(context)
    sim = au.from_openmm(system, topology, positions * unit.nanometer, **PRECISE)
    assert [count for _, count in sim.topology.blocks] == [1, 2, WATERS]
    assert sim.topology.blocks[-1][0].terms.keys() == {"settle"}
    assert sim.n == topology.getNumAtoms() and sim.remarks == ()
    assert ("cmap" in sim.topology.blocks[0][0].terms) == (field == "charmm36")
    compare(sim.energy, energies(system, context))
    error = sim.get("force") - forces
    assert np.sqrt((error**2).mean()) < 1e-9 * np.sqrt((forces**2).mean())


def test_the_correction_of_tails():
    """The mean is over all pairs and particles themselves, as OpenMM has it and by hand; that of
    GROMACS, over those that interact, is taken where it is asked for.
    """
    system, topology, context = built("amber14")
    positions, _ = arrays(context)
    (force,) = (one for one in system.getForces() if isinstance(one, mm.NonbondedForce))
    without = energies(system, context)["NonbondedForce"]
    force.setUseDispersionCorrection(True)
    theirs = energies(system, reference(system, positions))["NonbondedForce"] - without
    sim = au.from_openmm(system, topology, positions, **PRECISE)
    assert sim.remarks == ()
    n = system.getNumParticles()
    rows = [force.getParticleParameters(i) for i in range(n)]
    sigma = np.array([row[1].value_in_unit(unit.nanometer) for row in rows])
    root = np.sqrt([row[2].value_in_unit(unit.kilojoule_per_mole) for row in rows])
    sixth = (0.5 * (sigma[:, None] + sigma)) ** 6
    c6 = 4 * root[:, None] * root * sixth
    tail = 2 * math.pi * n**2 / sim.box.volume * (c6 * sixth / (9 * R_CUT**9) - c6 / (3 * R_CUT**3))
    by_hand = tail[np.tril_indices(n)].mean()
    assert by_hand == pytest.approx(theirs, rel=1e-6)
    assert sim.energy.of("dispersion_correction") == pytest.approx(by_hand, rel=1e-9)
    found = [force.getExceptionParameters(k)[:2] for k in range(force.getNumExceptions())]
    tail[tuple(np.array([*found, *((j, i) for i, j in found)]).T)] = np.nan
    of_gromacs = np.nanmean(tail[np.tril_indices(n, -1)])
    assert of_gromacs != pytest.approx(theirs, rel=1e-3)
    sim = au.from_openmm(system, topology, positions, dispcorr="AllEnerPres", **PRECISE)
    assert sim.energy.of("dispersion_correction") == pytest.approx(of_gromacs, rel=1e-6)


def test_a_skewed_box():
    system, topology, context = built("amber14")
    vectors = mm.Vec3(6, 0, 0), mm.Vec3(2, 5.6, 0), mm.Vec3(-2, 2.8, 4.9)
    system.setDefaultPeriodicBoxVectors(*vectors)
    topology.setPeriodicBoxVectors(vectors)
    context = reference(system, context.getState(getPositions=True).getPositions())
    positions, forces = arrays(context)
    sim = au.from_openmm(system, topology, positions, **PRECISE)
    compare(sim.energy, energies(system, context))
    # In tilted boxes waves of half the mesh are GROMACS', which OpenMM counts otherwise.
    assert np.abs(sim.get("force") - forces).max() < 1e-8 * np.abs(forces).max()


def test_the_rules_for_the_mesh():
    """Without given parameters of the mesh both follow the tolerance."""
    system, topology, context = built("amber14")
    (force,) = (one for one in system.getForces() if isinstance(one, mm.NonbondedForce))
    force.setPMEParameters(0, 0, 0, 0)
    force.setEwaldErrorTolerance(1e-4)
    context = reference(system, context.getState(getPositions=True).getPositions())
    alpha, *grid = force.getPMEParametersInContext(context)
    sim = au.from_openmm(system, topology, arrays(context)[0], **PRECISE)
    given = sim.parameters
    assert given["ewald-rtol"] == pytest.approx(math.erfc(alpha * R_CUT), rel=1e-9)
    assert all(a >= b for a, b in zip(given.grid, grid, strict=True)) and given["pme-order"] == 5
    size = abs(energies(system, context)["NonbondedForce"])
    mine = sim.energy.per_force
    theirs = energies(system, context)["NonbondedForce"]
    assert sum(mine[kind] for kind in PAIRS) == pytest.approx(theirs, abs=1e-5 * size)


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_reaction_field_and_a_switch(algorithm, tmp_path):
    """As OpenMM has it: nothing between excluded pairs, nor of charges with themselves."""
    system, topology, _ = built("amber14", app.CutoffPeriodic, rigidWater=False)
    (force,) = (one for one in system.getForces() if isinstance(one, mm.NonbondedForce))
    force.setUseSwitchingFunction(True)
    force.setSwitchingDistance(0.75)
    force.setReactionFieldDielectric(61.0)
    context = reference(system, villin().positions)
    positions, forces = arrays(context)
    device = au.Device(name="host", precision="double", threads=2, algorithm=algorithm)
    sim = au.from_openmm(system, topology, positions, device=device)
    assert sim.remarks == () and "settle" not in sim.topology.expand_terms()
    assert au.ReactionField(r_cut=R_CUT, epsilon_rf=61.0, excluded_pairs=False) in sim.forces
    theirs = energies(system, context)
    compare(sim.energy, theirs)
    assert np.abs(sim.get("force") - forces).max() < 1e-9 * np.abs(forces).max()
    sim.write_checkpoint(tmp_path / "a.ckpt")
    again = au.Simulation.from_checkpoint(tmp_path / "a.ckpt")
    assert again.forces == sim.forces and again.energy == sim.energy
    # What GROMACS adds, counted by hand.
    k, c = 60 / 123 / R_CUT**3, 183 / 123 / R_CUT
    charge = np.array(
        [force.getParticleParameters(i)[0].value_in_unit(unit.elementary_charge)
         for i in range(system.getNumParticles())]
    )  # fmt: skip
    found = [force.getExceptionParameters(n)[:2] for n in range(force.getNumExceptions())]
    i, j = np.array(found).T
    r2 = ((positions[i] - positions[j]) ** 2).sum(axis=1)
    extra = (charge[i] * charge[j] * (k * r2 - c)).sum() - 0.5 * c * (charge**2).sum()
    before = sim.energy.of("coulomb")
    sim.forces = [
        replace(one, excluded_pairs=True) if isinstance(one, au.ReactionField) else one
        for one in sim.forces
    ]
    added = sim.energy.of("coulomb") - before
    assert added == pytest.approx(sim.topology.coulomb * extra, rel=1e-9)


def test_virtual_sites_of_water():
    system, topology, context = built("tip4p-ew")
    positions, _ = arrays(context)
    ours = au.system_from_openmm(system, topology, positions)
    terms = ours.topology.expand_terms()
    site, o, h1, h2 = terms["vsite3"].particles.T
    a, b = terms["vsite3"].parameters[terms["vsite3"].row].T[:, :, None]
    x = positions
    placed = x[o] + a * (x[h1] - x[o]) + b * (x[h2] - x[o])
    assert np.abs(placed - x[site]).max() < 1e-12
    atoms = ours.topology.expand_atoms()
    assert atoms.virtual.sum() == terms["settle"].n == WATERS and not atoms.mass[site].any()
    sim = without_sites(au.from_openmm(system, topology, positions))
    compare(sim.energy, energies(system, context))


def small(n=3):
    """Argon-like particles in a box."""
    system = mm.System()
    topology = app.Topology()
    chain = topology.addChain()
    force = mm.NonbondedForce()
    force.setNonbondedMethod(force.PME)
    force.setCutoffDistance(R_CUT)
    for k in range(n):
        system.addParticle(40.0)
        force.addParticle(0.0, 0.34, 1.0)
        residue = topology.addResidue("AR", chain, str(k + 1))
        topology.addAtom("AR", app.Element.getBySymbol("Ar"), residue)
    system.addForce(force)
    topology.setUnitCellDimensions((2.0, 2.0, 2.0))
    return system, topology, np.arange(3 * n).reshape(n, 3) * 0.2


def test_other_sites_and_terms():
    system, topology, x = small(5)
    x *= 0.3
    x[3] = 0.25 * x[0] + 0.75 * x[1]
    x[4] = x[0] + 0.3 * (x[1] - x[0]) + 0.4 * (x[2] - x[0])  # the three are in a line
    system.setParticleMass(3, 0.0)
    system.setParticleMass(4, 0.0)
    system.setVirtualSite(3, mm.TwoParticleAverageSite(0, 1, 0.25, 0.75))
    system.setVirtualSite(4, mm.OutOfPlaneSite(0, 1, 2, 0.3, 0.4, 5.0))
    force = mm.RBTorsionForce()
    force.addTorsion(0, 1, 2, 3, 1, 2, 3, 4, 5, 6)
    system.addForce(force)
    system.addForce(mm.CMMotionRemover(7))
    system.addForce(mm.MonteCarloBarostat(1.0, 300.0))
    system.addConstraint(0, 1, 0.2)
    ours = au.system_from_openmm(system, topology, x, velocities=0 * x, dt=0.002)
    terms = ours.topology.expand_terms()
    assert terms["vsite2"].parameters.tolist() == [[0.75]]
    assert terms["vsite3out"].parameters.tolist() == [[0.3, 0.4, 5.0]]
    assert terms["ryckaert_bellemans"].parameters.tolist() == [[1, 2, 3, 4, 5, 6]]
    assert terms["constraint"].parameters.tolist() == [[0.2]]
    options = dict(dt=0.002, tcoupl="v-rescale", tc_grps="System", tau_t=0.1, ref_t=300)
    sim = au.from_openmm(system, topology, x, velocities=0 * x, **options)
    assert sim.parameters["nstcomm"] == 7 and sim.parameters.dt == 0.002
    (told,) = sim.remarks
    assert told == "MonteCarloBarostat is replaced by C-rescale, which samples the same ensemble"
    assert len(ours.topology.notes) == 2  # of a thermostat too, where none is given
    assert sim.integrator.thermostat == au.VRescale(T=300, tau=0.1) and sim.dt == 0.002
    with pytest.raises(au.InputError, match="the input has"):
        au.from_openmm(system, topology, x, rcoulomb=1.5, rvdw=1.5)


def test_one_class_of_systems():
    """A converted system runs by specs of one's own, as any other does."""
    system, topology, context = built("amber14", rigidWater=True)
    positions, _ = arrays(context)
    ours = au.system_from_openmm(system, topology, positions)
    assert type(ours) is au.System is type(au.build.water(1).system())
    whole = au.from_openmm(system, topology, positions, **PRECISE)
    assert whole.snapshot() == ours
    specs = whole.forces, whole.integrator
    sim = au.Simulation(ours, *specs, constraints=whole.constraints, **PRECISE)
    assert sim.energy == whole.energy


def no_cutoff(system):
    system.getForce(0).setNonbondedMethod(mm.NonbondedForce.NoCutoff)


def ewald(system):
    system.getForce(0).setNonbondedMethod(mm.NonbondedForce.LJPME)


def custom(system):
    force = mm.CustomNonbondedForce("a*exp(-r)")
    force.addGlobalParameter("a", 1.0)
    for _ in range(system.getNumParticles()):
        force.addParticle([])
    system.addForce(force)


def born(system):
    system.addForce(mm.GBSAOBCForce())


def massless(system):
    system.setParticleMass(1, 0.0)


def local(system):
    system.setParticleMass(2, 0.0)
    frame = [0, 1], [1.0, 0.0], [-1.0, 1.0], [-1.0, 1.0], mm.Vec3(0, 0, 0.1)
    system.setVirtualSite(2, mm.LocalCoordinatesSite(*frame))


def weights(system):
    system.setParticleMass(2, 0.0)
    system.setVirtualSite(2, mm.TwoParticleAverageSite(0, 1, 0.5, 0.6))


def odd_map(system):
    force = mm.CMAPTorsionForce()
    force.addMap(3, [0.0] * 9)
    system.addForce(force)


def spring(system):
    force = mm.CustomBondForce("k*r^3")
    force.addPerBondParameter("k")
    system.addForce(force)


def offsets(system):
    system.getForce(0).addGlobalParameter("lambda", 1.0)
    system.getForce(0).addParticleParameterOffset("lambda", 0, 1.0, 0.0, 0.0)


def reciprocal_alone(system):
    system.getForce(0).setIncludeDirectSpace(False)


@pytest.mark.parametrize(
    "change, words",
    [
        (reciprocal_alone, "excludes its direct space"),
        (no_cutoff, r"uses NoCutoff \(systems in vacuum .* in a box of solvent, with nonb"),
        (ewald, r"uses LJPME \(only PME .* Build the system with nonb"),
        (custom, "CustomNonbondedForce with the energy 'a\\*exp\\(-r\\)' is not supported"),
        (born, r"GBSAOBCForce is not supported \(implicit solvent .*box of water, with nonb"),
        (massless, "particle 1 has no mass"),
        (local, "particle 2 is a virtual site of the kind LocalCoordinatesSite"),
        (weights, "weights of the virtual site 2 sum to 1.1"),
        (odd_map, "has 3 grid points"),
        (spring, "CustomBondForce .* 'k\\*r\\^3' is not supported"),
        (offsets, "has 1 parameter offsets"),
    ],
)
def test_what_is_refused(change, words):
    system, topology, x = small()
    change(system)
    with pytest.raises(au.InputError, match=words):
        au.system_from_openmm(system, topology, x)


def boundless(change):
    """`small()` without a box, as systems in vacuum and in implicit solvent are."""
    system, topology, x = small()
    no_cutoff(system)
    change(system)
    topology.setPeriodicBoxVectors(None)
    assert not system.usesPeriodicBoundaryConditions()
    return system, topology, x


@pytest.mark.parametrize(
    "change, words",
    [
        (born, "GBSAOBCForce is not supported .*implicit solvent"),
        (lambda system: system.addForce(mm.CustomGBForce()), "CustomGBForce is not supported"),
        (lambda system: None, "NonbondedForce uses NoCutoff .*vacuum and implicit solvent"),
    ],
)
def test_systems_without_a_box_are_told_at_once(change, words):
    with pytest.raises(au.InputError, match=f"^{words}"):
        au.system_from_openmm(*boundless(change))


@pytest.mark.parametrize(
    "given, words",
    [
        ({"pressure": None}, 'write pcoupl="no" to switch it off'),
        ({"temperature": None}, 'write tcoupl="no"'),
        ({"integrator": "langevin"}, 'Write integrator="sd"'),
        ({"temperature": "27 C"}, 'Write "300.15 K"'),
    ],
)
def test_words_of_openmm(given, words):
    with pytest.raises(au.InputError, match=words):
        au.from_openmm(*small(), dt=0.002, **given)


def test_picoseconds_that_are_femtoseconds():
    with pytest.warns(UserWarning, match='dt is 2 ps; did you mean "2 fs"\\?'):
        au.from_openmm(*small(), dt=2, maxwarn=9)
    au.from_openmm(*small(), dt="2 fs", maxwarn=9)


def test_a_system_as_text():
    system, topology, x = small()
    with pytest.raises(au.InputError, match=r"XmlSerializer\.deserialize") as told:
        au.from_openmm(mm.XmlSerializer.serialize(system), topology, x)
    assert len(str(told.value)) < 300


def test_parts_that_do_not_fit():
    system, topology, x = small()
    with pytest.raises(au.InputError, match=r"positions has the shape \(2, 3\)"):
        au.system_from_openmm(system, topology, x[:2])
    with pytest.raises(au.InputError, match="the system has 3 particles"):
        au.system_from_openmm(system, app.Topology(), x)
    with pytest.raises(TypeError, match="from_openmm has no argument 'no_such'"):
        au.system_from_openmm(system, topology, x, no_such=1)


def test_arguments_with_units():
    """Text, quantities and plain numbers are the same run parameters."""
    wanted = au.from_openmm(*small(), dt=0.002, rvdw=0.9, rcoulomb=0.9, temperature=300, pressure=2)
    texts = {"dt": "2 fs", "rvdw": "9 Å", "rcoulomb": "0.9 nm", "temperature": "300 K"}
    quantities = {
        **{"dt": 2 * unit.femtoseconds, "temperature": 300 * unit.kelvin},
        **{"rvdw": 9 * unit.angstrom, "rcoulomb": 0.9 * unit.nanometer},
    }
    for given, pressure in ((texts, "2 bar"), (quantities, 2 * unit.bar)):
        sim = au.from_openmm(*small(), pressure=pressure, **given)
        assert sim.integrator == wanted.integrator and sim.forces == wanted.forces
    assert wanted.dt == 0.002 and wanted.parameters["rvdw"] == 0.9
    thermostat, barostat = wanted.integrator.thermostat, wanted.integrator.barostat
    assert thermostat == au.VRescale(T=300, tau=1)
    assert barostat == au.CRescale(P=2, tau=2, compressibility=4.5e-5)


def test_a_temperature_is_of_the_thermostat_that_is_chosen():
    def dynamics(**options):
        return au.from_openmm(*small(), dt="1 fs", maxwarn=1, **options).integrator

    assert dynamics(temperature=310, tcoupl="nose-hoover").thermostat.T == 310
    langevin = dynamics(temperature=310, integrator="sd", tau_t="2 ps")
    assert type(langevin) is au.StochasticDynamics and (langevin.T, langevin.tau) == (310, 2)
    assert dynamics(tcoupl="v-rescale", ref_t=310).thermostat == au.VRescale(T=310, tau=1)
    assert dynamics().thermostat is None


@pytest.mark.parametrize(
    "given, words",
    [
        ({"dt": "2 K"}, r"^dt is '2 K' \(a number and a unit of time are needed"),
        ({"dt": 2 * unit.kelvin}, r"^dt is 2 K \(one quantity of time is needed"),
        ({"temperature": "warm"}, "^temperature is 'warm' "),
        ({"temperature": 300, "tcoupl": "no"}, "only a thermostat keeps a temperature"),
        ({"temperature": 300, "ref_t": 300}, "they mean the same"),
        ({"tcoupl": "v-rescale"}, "Give temperature=300"),
        ({"tempreature": 300}, r"no argument 'tempreature' .* Did you mean 'temperature'"),
        ({"timestep": 0.002}, r"no argument 'timestep' .* Use dt\."),
        (
            {"tcoupl": "cold", "temperature": 3},
            r"^argument tcoupl: tcoupl = 'cold' \(unknown value",
        ),
        ({"nsteps": -5}, "argument nsteps: error A104"),
        ({"free_energy": "yes"}, r"^argument free_energy: .* Use a program that supports it"),
        ({"temperature": 300, "integrator": "sd", "nstcalcenergy": 7}, r"use maxwarn=1:"),
        ({"integrator": mm.BrownianIntegrator(300, 1, 0.001)}, 'a Brown.*Write integrator="sd"'),
        ({"integrator": au.LeapFrog(dt="2 fs")}, "is a LeapFrog .*set sim.integrator"),
        ({"temp": 300}, "no argument 'temp' .* Use temperature"),
        ({"T": 300}, "no argument 'T' .* Use temperature"),
        ({"reporters": []}, "no argument 'reporters' .* Use observers"),
        ({"temperature": "300"}, 'Write "300 K"'),
        ({"gen_vel": "yes", "gen_temp": 300}, r"gen_vel is 'yes' .* call sim\.thermalize\(\)"),
        ({"define": "-DPOSRES"}, "it would have no effect.* Use a CustomExternalForce of OpenMM"),
        ({"rvdw": 1, "Rvdw": 1}, "Rvdw is given twice"),
    ],
)
def test_errors_name_arguments(given, words):
    with pytest.raises(au.InputError, match=words) as told:
        au.from_openmm(*small(), **given)
    assert "system:" not in str(told.value) or "warning" in str(told.value)
    assert "maxwarn " not in str(told.value)


def coupled(*forces):
    system, topology, context = built("amber14")
    for force in forces:
        system.addForce(force)
    return system, topology, context.getState(getPositions=True).getPositions()


def test_thermostats_and_barostats_are_taken_over():
    """NPT stays NPT, at the temperature and the pressure of the system."""
    heat = mm.AndersenThermostat(310 * unit.kelvin, 2 / unit.picosecond)
    sim = au.from_openmm(
        *coupled(mm.MonteCarloBarostat(3 * unit.bar, 300 * unit.kelvin), heat), maxwarn=9, dt=0.001
    )
    barostat, thermostat = sim.integrator.barostat, sim.integrator.thermostat
    assert isinstance(barostat, au.CRescale) and pytest.approx(3, rel=1e-6) == barostat.P
    assert isinstance(thermostat, au.VRescale)
    assert thermostat.T == 310 and thermostat.tau == 0.5
    volume = sim.box.volume
    sim.run(20)
    assert sim.box.volume != volume
    told = " ".join(sim.remarks)
    assert "MonteCarloBarostat is replaced by C-rescale" in told
    assert "AndersenThermostat at 310 K is replaced by v-rescale" in told
    assert "300 K" not in told


def test_a_barostat_of_frequency_0_is_off():
    sim = au.from_openmm(*coupled(mm.MonteCarloBarostat(3, 300, 0)), maxwarn=9, dt=0.001)
    assert sim.integrator.barostat is None and sim.integrator.thermostat is None
    assert "MonteCarloBarostat is off (its frequency is 0)" in sim.remarks


def test_a_barostat_alone_keeps_its_temperature():
    barostat = mm.MonteCarloAnisotropicBarostat(
        (1, 2, 3) * unit.bar, 305 * unit.kelvin, True, False, True
    )
    sim = au.from_openmm(*coupled(barostat), maxwarn=9)
    assert sim.integrator.thermostat.T == 305
    assert sim.integrator.barostat.shape == "anisotropic"
    assert sim.integrator.barostat.P[:3] == pytest.approx((1, 2, 3))
    assert sim.integrator.barostat.compressibility == (4.5e-5, 0, 4.5e-5, 0, 0, 0)


@pytest.mark.parametrize(
    "given, kept",
    [
        ({"pressure": 2}, 305),
        ({"pressure": 2, "temperature": 310}, 310),
        ({"pcoupl": "no"}, None),
        ({"pcoupl": False}, None),
    ],
)
def test_a_barostat_with_another_pressure_keeps_its_temperature(given, kept):
    system, topology, x = small()
    system.addForce(mm.MonteCarloBarostat(1 * unit.bar, 305 * unit.kelvin))
    sim = au.from_openmm(system, topology, x, maxwarn=9, **given)
    thermostat, barostat = sim.integrator.thermostat, sim.integrator.barostat
    assert (thermostat and thermostat.T, barostat and barostat.P) == (kept, kept and 2)


def test_options_replace_couplings_and_others_are_refused():
    membrane = mm.MonteCarloMembraneBarostat
    modes = (membrane.XYIsotropic, membrane.ZFree)

    def taut():
        tension = 5 * unit.bar * unit.nanometer
        return membrane(1 * unit.bar, tension, 300 * unit.kelvin, *modes)

    with pytest.raises(au.InputError, match="MonteCarloMembraneBarostat cannot be converted"):
        au.from_openmm(*coupled(taut()), maxwarn=9)
    sim = au.from_openmm(*coupled(taut()), maxwarn=9, pcoupl="no")
    assert sim.integrator.barostat is None
    assert any("overridden by the given options" in text for text in sim.remarks)
    slack = membrane(2 * unit.bar, 0, 300 * unit.kelvin, *modes)
    sim = au.from_openmm(*coupled(slack), maxwarn=9)
    assert sim.integrator.barostat.shape == "semiisotropic"
    with pytest.raises(au.InputError, match="MonteCarloFlexibleBarostat cannot be converted"):
        au.from_openmm(
            *coupled(mm.MonteCarloFlexibleBarostat(1 * unit.bar, 300 * unit.kelvin)), maxwarn=9
        )


PERIODIC = "k * periodicdistance(x, y, z, x0, y0, z0)^2"


@pytest.mark.parametrize(
    "energy, of_all",
    [
        (PERIODIC, True),
        (PERIODIC + ";", False),
        ("0.5*k*periodicdistance(x, y, z, x0, y0, z0)^2", True),
        ("(k/2)*periodicdistance(x, y, z, x0, y0, z0)^2", True),
        ("k/2.0*periodicdistance(x, y, z, x0, y0, z0)^2", False),
        ("k*((x-x0)^2+(y-y0)^2+(z-z0)^2)", True),
    ],
)
def test_position_restraints(energy, of_all):
    """Each particle is drawn to a place of its own, across the face of the box too."""
    system, topology, x = small(4)
    force = mm.CustomExternalForce(energy)
    for name in ("x0", "y0", "z0"):
        force.addPerParticleParameter(name)
    if of_all:
        force.addGlobalParameter("k", 700 * unit.kilojoule_per_mole / unit.nanometer**2)
    else:
        force.addPerParticleParameter("k")
    periodic = "periodic" in energy
    for particle, turn in ((0, 2.0 if periodic else 0.0), (2, 0.0), (3, 0.0)):
        place = x[particle] + (0.1 + turn, 0.02 * particle, -0.05)
        force.addParticle(particle, [*place, *([] if of_all else [300.0 + 100 * particle])])
    system.addForce(force)
    context = reference(like_ours(system), x)
    _, forces = arrays(context)
    sim = au.from_openmm(system, topology, x, **PRECISE)
    theirs = energies(system, context)["CustomExternalForce"]
    assert theirs > 5
    assert sim.energy.of("position_restraint") == pytest.approx(theirs, rel=1e-12)
    assert sim.get("force") == pytest.approx(forces, rel=1e-9, abs=1e-9)


def test_restraints_stay_in_their_places_under_pressure():
    """OpenMM's barostats leave the references where they are, from a corner of the box."""
    system, topology, x = small(2)
    force = mm.CustomExternalForce(PERIODIC)
    for name in ("x0", "y0", "z0", "k"):
        force.addPerParticleParameter(name)
    force.addParticle(1, [*(x[1] + 0.1), 1000.0])
    system.addForce(force)
    sim = au.from_openmm(
        *(system, topology, x),
        dt=0.001,
        temperature=300,
        pressure=3000,
        ld_seed=3,
        maxwarn=9,
        **PRECISE,
    )
    sim.thermalize(seed=3).run(200)
    assert abs(sim.box.lx / 2 - 1) > 1e-4
    context = reference(like_ours(system), x)
    context.setPeriodicBoxVectors(*sim.box.matrix.T)
    context.setPositions(sim.positions())
    theirs = energies(system, context)["CustomExternalForce"]
    assert sim.energy.of("position_restraint") == pytest.approx(theirs, rel=1e-9)


def test_other_external_forces_are_refused():
    system, topology, x = small()
    force = mm.CustomExternalForce("100*z^4")
    force.setName("far")
    system.addForce(force)
    with pytest.raises(au.InputError, match=r"CustomExternalForce \(far\).*only k\*per") as told:
        au.from_openmm(system, topology, x)
    shown = str(told.value).partition(" by ")[2].partition(", and make")[0]
    system.removeForce(1)
    ours = au.system_from_openmm(system, topology, x)
    restrained = eval(shown, {"ours": ours, "tags": np.array([0, 2])})
    assert restrained.terms["position_restraint"].particles.tolist() == [[0], [2]]


def test_flat_bottoms_are_terms_of_a_system():
    """The error says how, with the energy that OpenMM has."""
    system, topology, x = small()
    ours = au.system_from_openmm(system, topology, x)
    force = mm.CustomExternalForce("k*max(0, periodicdistance(x, y, z, x0, y0, z0)-radius)^2")
    for name, value in (("k", 300.0), ("radius", 0.1)):
        force.addGlobalParameter(name, value)
    for name in ("x0", "y0", "z0"):
        force.addPerParticleParameter(name)
    for particle in (0, 2):
        force.addParticle(particle, x[particle] + 0.2)
    system.addForce(force)
    with pytest.raises(au.InputError, match="CustomExternalForce with the energy") as told:
        au.from_openmm(system, topology, x)
    shown = str(told.value).partition(" by ")[2].partition(", and make")[0]
    names = {"ours": ours, "tags": np.array([0, 2]), "k": 300.0, "radius": 0.1}
    held = eval(shown, names).replace(references=x + 0.2 - 0.5 * ours.box.lengths)
    theirs = energies(system, reference(like_ours(system), x))["CustomExternalForce"]
    sim = au.Simulation(held, [au.LennardJones(r_cut=0.8), au.PME(r_cut=0.8)], **PRECISE)
    assert sim.energy.of("flat_bottom_restraint") == pytest.approx(theirs, rel=1e-9) and theirs > 5


def test_a_particle_has_one_reference():
    system, topology, x = small()
    for place in (0.1, 0.2):
        force = mm.CustomExternalForce(PERIODIC)
        for name in ("x0", "y0", "z0", "k"):
            force.addPerParticleParameter(name)
        force.addParticle(1, [place, 0, 0, 1000.0])
        system.addForce(force)
    with pytest.raises(au.InputError, match="particle 1 is restrained to two positions"):
        au.from_openmm(system, topology, x)


def test_checks_name_arguments():
    system, topology, x = small()
    force = mm.CustomExternalForce("k*periodicdistance(x,y,z,x0,y0,z0)^2")
    for name in ("k", "x0", "y0", "z0"):
        force.addPerParticleParameter(name)
    force.addParticle(0, (100.0, 0.0, 0.0, 0.0))
    system.addForce(force)
    given = {"dt": 0.002, "temperature": 10, "pressure": 1, "tau_p": 5}
    with pytest.raises(au.InputError) as told:
        au.from_openmm(system, topology, x, **given)
    for word in ('refcoord_scaling="com".', "verlet_buffer_tolerance=3e-04, or a shorter tau_t."):
        assert f"Use {word}" in str(told.value)
    given |= {"refcoord_scaling": "com", "verlet_buffer_tolerance": 3e-4}
    assert au.from_openmm(system, topology, x, **given).n == 3


def test_a_restraint_that_is_off_is_told_of():
    system, topology, x = small()
    force = mm.CustomExternalForce(PERIODIC)
    force.addGlobalParameter("k", 0.0)
    for name in ("x0", "y0", "z0"):
        force.addPerParticleParameter(name)
    force.addParticle(1, x[1])
    system.addForce(force)
    assert (
        "CustomExternalForce is off (its energy is 0)"
        in au.from_openmm(system, topology, x).remarks
    )


def test_remarks_and_notes_are_shown():
    """Not that OpenMM removes the motion of the whole at each step, which nobody asked for."""
    system, topology, x = small()
    system.addForce(mm.CMMotionRemover())
    system.addForce(mm.AndersenThermostat(300, 0))
    sim = au.from_openmm(system, topology, x, dt=0.002, temperature=300)
    shown = str(sim.describe()), sim._repr_html_()
    assert sim.parameters["nstcomm"] == 1 and sim.remarks and len(sim.notes) == 2
    for told in (sim.remarks[0][:40], *(note.number for note in sim.notes)):
        assert all(told in one for one in shown)
    assert all("A704" not in one for one in shown)
    sim = au.from_openmm(system, topology, x, dt=0.002, nstcomm=1)
    assert "A704" in str(sim.describe())


def test_a_run_has_a_length():
    sim = au.from_openmm(*small(), dt=0.002)
    for run in (sim.run, lambda: sim.run(2.0), lambda: sim.run(until=np.float64(2))):
        with pytest.raises(au.InputError, match=r"Give steps, or a time|Write 2 for .* \"2 ps\""):
            run()
    assert sim.step == 0
    assert au.from_openmm(*small(), dt=0.002, nsteps=3).run().step == 3


PINT = pint.UnitRegistry()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"velocities": 1}, r"^velocities is 1 .*Give \(3, 3\), as state\.getVelocities\(\)"),
        ({"box": [2, 2]}, r"^box has the shape \(2,\) .* three vectors"),
        ({"positions": ONES * unit.kilojoule}, r"^positions has the unit kilojoule .*in nm"),
        ({"positions": PINT.Quantity(ONES, "ps")}, r"^positions has the unit picosecond .*in nm"),
        ({"velocities": ONES * unit.nanometer}, r"^velocities has .* nanometer .*in nm/ps"),
        ({"velocities": [[1 * unit.nanometer] * 3] * 3}, r"^velocities has .*in nm/ps"),
        ({"box": np.eye(3) * unit.kelvin}, "^box has the unit kelvin .*in nm"),
        ({"box": [2 * unit.kelvin] * 3}, "^box has the unit kelvin .*in nm"),
        ({"box": [[2, 0.5, 0], [0, 2, 0], [0, 0, 2]]}, "^box vector 1 has the component 0.5 nm"),
        ({"box": [[2, 0, 0], [0, -2, 0], [0, 0, 2]]}, "^the box is -2 nm long along y"),
    ],
)
def test_arrays_of_another_kind(given, words):
    system, topology, x = small()
    with pytest.raises(au.InputError, match=words):
        au.from_openmm(system, topology, **{"positions": x} | given)


@pytest.mark.parametrize(
    "length, speed",
    [
        (unit.angstrom, unit.angstrom / unit.picosecond),
        (PINT.angstrom, PINT.angstrom / PINT.picosecond),
    ],
)
def test_arrays_with_units(length, speed):
    """As a whole, in rows, or each number with its own."""
    system, topology, x = small()
    v = np.arange(9).reshape(3, 3) * 0.1
    for given in (
        {"positions": 10 * x * length, "velocities": 10 * v * speed, "box": 20 * ONES[0] * length},
        {
            "positions": [10 * row * length for row in x],
            "velocities": [[10 * float(one) * speed for one in row] for row in v],
            "box": [20 * length] * 3,
        },
    ):
        ours = au.system_from_openmm(system, topology, **given)
        assert ours.box.six == pytest.approx((2, 2, 2, 0, 0, 0))
        assert ours.position + 1.0 == pytest.approx(x, abs=1e-12)
        assert ours.velocity == pytest.approx(v, abs=1e-12)


def test_the_box_is_that_of_a_new_context():
    """Which is the system's, whatever the topology says."""
    system, topology, _ = small()
    x = np.array([(0, 0, 0), (1.6, 0, 0), (0, 1.6, 0)])
    like_ours(system)
    assert not au.from_openmm(system, topology, x).remarks
    system.setDefaultPeriodicBoxVectors((2.2, 0, 0), (0.4, 2.1, 0), (0, 0, 1.9))
    context = reference(system, x)
    sim = au.from_openmm(system, topology, x, **PRECISE)
    assert "box vectors are the system's; the topology has others" in sim.remarks[0]
    assert pytest.approx(np.array([(2.2, 0, 0), (0.4, 2.1, 0), (0, 0, 1.9)])) == sim.box.matrix.T
    compare(sim.energy, energies(system, context))
    given = au.from_openmm(system, topology, x, box=topology.getPeriodicBoxVectors(), **PRECISE)
    assert given.box.lx == 2.0 and not given.remarks
    assert given.energy.potential != pytest.approx(sim.energy.potential, rel=1e-6)


def test_a_state_is_no_positions():
    system, topology, x = small()
    state = reference(system, x).getState(getPositions=True)
    with pytest.raises(au.InputError, match=r"as state\.getPositions\(\) has it"):
        au.from_openmm(system, topology, state)
    with pytest.raises(au.InputError, match=r"it is not an openmm\.System"):
        au.from_openmm(topology, topology, x)


def test_positions_in_other_units_are_refused():
    system, topology, context = built("amber14", rigidWater=True)
    positions, _ = arrays(context)
    with pytest.raises(au.InputError, match=r"bonds are 9\.7 times as long .* Å by 0.1"):
        au.system_from_openmm(system, topology, positions * 10)
    au.system_from_openmm(system, topology, positions * 10 * unit.angstrom)


def test_what_stands_where_an_integrator_or_an_observer_belongs():
    sim = au.from_openmm(*small(), dt="2 fs")
    with pytest.raises(au.InputError, match=r"Use for example au\.StochasticDynamics"):
        sim.integrator = mm.VerletIntegrator(0.001)
    with pytest.raises(au.InputError, match=r"Wrap a function, as in au\.Callback"):
        sim.observers.append(print)
    with pytest.raises(au.InputError, match=r"au\.Progress\(\) writes to the screen"):
        au.Log(print)


def test_heavy_hydrogens():
    """OpenMM's own or ours are heavy enough for 4 fs; those of rigid waters do not count."""
    options = dict(constraints=app.HBonds, rigidWater=True)
    total = []
    for mass, factor in ((None, 1), (3 * unit.amu, 1), (None, 3)):
        system, topology, context = built("amber14", hydrogenMass=mass, **options)
        positions, _ = arrays(context)
        given = dict(dt=0.004, temperature=300, mass_repartition_factor=factor)
        sim = au.from_openmm(system, topology, positions, **given)
        protein = sim.topology.blocks[0][0].atoms.mass
        light = mass is None and factor == 1
        assert protein.min() == pytest.approx(1 if light else 3, rel=0.01)
        assert light == ("A606" in [note.number for note in sim.notes])
        total.append(protein.sum())
    assert total == pytest.approx([total[0]] * 3)
