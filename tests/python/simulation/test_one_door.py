# SPDX-License-Identifier: Apache-2.0
"""One System and one Simulation for particles and molecules, however they were made."""

from __future__ import annotations

import dataclasses
import json
import warnings
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.checkpoint import restart_of_system
from mdrun_inputs import argon

EXACT = {"threads": 1, "seed": 4}
FORCES = [
    au.LennardJones(r_cut="0.6 nm", mode="shift"),
    au.PME(r_cut="0.6 nm", spacing="0.12 nm"),
]
COUPLED = au.LeapFrog(
    dt="2 fs",
    thermostat=au.VRescale(T="300 K", tau="0.5 ps"),
    barostat=au.CRescale(P="1 bar", tau="2 ps"),
)


def water(model="spce", **changes):
    given = {"forces": FORCES, "integrator": COUPLED, **EXACT} | changes
    return au.Simulation(au.build.water(60, model).system(), **given)


MDP = """\
integrator = md
dt = 0.002
nsteps = 40
coulombtype = PME
rcoulomb = 0.6
rvdw = 0.6
fourierspacing = 0.12
verlet-buffer-tolerance = -1
rlist = 0.6
tcoupl = v-rescale
tc-grps = System
tau-t = 0.5
ref-t = 300
nsttcouple = 10
pcoupl = C-rescale
tau-p = 2
ref-p = 1
compressibility = 4.5e-5
nstpcouple = 10
ld-seed = 4
gen-vel = yes
gen-temp = 300
gen-seed = 4
"""


@pytest.mark.parametrize("model", ["spce", "tip4p"])
def test_python_and_mdp_make_the_same_run(here, model):
    """To the bit, from the same places, with nothing but defaults besides what is written."""
    au.build.water(60, model).write_gromacs(".", MDP)
    files = ("conf.gro", "topol.top", "grompp.mdp")
    theirs = au.from_gromacs(*files, threads=1, maxwarn=9)
    ours = water(model).thermalize()
    assert type(ours) is type(theirs) is au.Simulation
    for sim in (ours, theirs):
        sim.run(40)
    for name in ("position", "velocity"):
        assert np.array_equal(ours.get(name), theirs.get(name)), name
    assert ours.box == theirs.box and ours.pressure == theirs.pressure
    assert ours.conserved == theirs.conserved
    assert ours.group_temperatures == theirs.group_temperatures


def test_the_page_about_molecules_runs_as_written(here, capsys):
    """Its first block, for fewer molecules and steps."""
    page = Path(__file__).parents[3] / "docs/howto/simulate-molecules.md"
    block = page.read_text().split("```python\n")[1].split("```")[0]
    for long, short in (("1000,", "300,"), ("=200", "=20"), ('run("2 ps")', 'run("0.1 ps")')):
        assert block.count(long) == 1
        block = block.replace(long, short)
    exec(block, {})
    out = capsys.readouterr().out
    assert "300 settle" in out and "au.CRescale(P='1 bar', tau='2 ps')" in out
    assert len(Path("water.csv").read_text().splitlines()) == 2 + 2
    assert Path("water.xtc").stat().st_size > 0


@pytest.mark.parametrize("cut", [1, 37])
def test_restart_of_molecules_from_python(here, cut):
    """From the checkpoint alone: forces, rigid parts, names and units come with it."""

    def observers():
        return [
            au.Trajectory("a.xtc", every="10 fs"),
            au.Energies("a.csv", every=5),
            au.Frames("a.gro", every=20),
            au.Checkpoint("a.ckpt", every=10_000),
        ]

    files = ("a.xtc", "a.csv", "a.gro")
    with water(observers=observers()).thermalize() as sim:
        sim.run(60)
        whole = sim.get("position")
    contents = [Path(name).read_bytes() for name in files]
    with water(observers=observers()).thermalize() as sim:
        sim.run(cut)
    with au.Simulation.from_checkpoint("a.ckpt") as again:
        assert again.units.name == "molecular" and again.topology.molecules == 60
        assert again.forces == tuple(FORCES) and again.integrator == COUPLED
        again.run(until="0.12 ps")
        assert np.array_equal(again.get("position"), whole)
        assert again.snapshot().topology is not None
    assert [Path(name).read_bytes() for name in files] == contents
    assert b"SOL" in contents[2]


def polymer():
    """A ring of ten in reduced units, with bonds, angles, groups and a charge at each end."""
    turn = np.linspace(0, 2 * np.pi, 10, endpoint=False)
    at = 1.6 * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    ring = [(k, (k + 1) % 10) for k in range(10)]
    system = au.System(
        12.0,
        at,
        charge=[1.0, 0, 0, 0, 0, -1.0, 0, 0, 0, 0],
        bonds={"ring": ring},
        angles={"ring": [(k, (k + 1) % 10, (k + 2) % 10) for k in range(10)]},
        groups={"half": range(5)},
    )
    forces = [
        au.LennardJones(epsilon=1.0, sigma=0.8, r_cut=2.0, mode="shift"),
        au.HarmonicBond(r0=1.0, k=200.0),
        au.HarmonicAngle(theta0={"ring": 2.4}, k=5.0),
        au.Coulomb(r_cut=4.0),
    ]
    return system, forces


@pytest.mark.parametrize(
    "integrator",
    [
        au.NVE(dt=0.002),
        au.Langevin(dt=0.002, kT=1.0),
        au.VelocityVerlet(dt=0.002, thermostat=au.NoseHoover(T=1.0, tau=0.5)),
        au.StochasticDynamics(dt=0.002, T=1.0, tau=1.0),
    ],
    ids=lambda spec: type(spec).__name__,
)
@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_bonds_and_charges_in_reduced_units(here, integrator, algorithm):
    """Energies as told add up, forces are slopes, and a restart goes on to the bit."""
    device = au.Device(name="host", threads=1, precision="double", algorithm=algorithm)
    system, forces = polymer()
    more = {"constraints": [au.Freeze(group="half", axes="z")]}
    more = more if hasattr(integrator, "scheme") else {}
    with au.Simulation(system, forces, integrator, device=device, **more) as sim:
        names = {"vdw", "coulomb", "harmonic_bond", "harmonic_angle"}
        assert names <= sim.energy.per_force.keys()
        assert sim.topology.molecules == 1 and sim.units.name == "reduced"
        sim.thermalize(kT=1.0)
        sim.run(20)
        sim.write_checkpoint("a.ckpt")
        state = sim.snapshot()
        assert state.bonds.keys() == {"ring"} and state.groups.keys() == {"half"}
        sim.run(20)
        with au.Simulation.from_checkpoint("a.ckpt") as again:
            assert again.constraints == sim.constraints
            assert again.snapshot() == state
            again.integrator = integrator  # groups and names are known again
            again.run(20)
            if not isinstance(integrator, au.VelocityVerlet):  # whose chains begin anew
                assert np.array_equal(again.get("position"), sim.get("position"))


def test_pair_potentials_beside_bonds(here):
    """Any leaf acts on pairs that are not excluded."""
    system = au.System(20.0, [[0, 0, 0], [0.9, 0, 0], [1.8, 0, 0]], bonds=[[0, 1], [1, 2]])
    wca = au.WCA(epsilon=1.0, sigma=1.7)
    bonds = au.HarmonicBond(r0=0.9, k=10.0)
    for algorithm in ("clusters", "flat"):
        device = au.Device(name="host", threads=1, precision="double", algorithm=algorithm)
        with au.Simulation(system, [wca, bonds], device=device) as sim:
            r = 1.7 / 1.8
            assert np.isclose(sim.energy.of("WCA"), 4 * (r**12 - r**6) + 1, rtol=1e-12)
            assert np.isclose(sim.energy.potential, sim.energy.of("WCA"), atol=1e-12)


@pytest.mark.parametrize("precision", ["mixed", "double"])
@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
@pytest.mark.parametrize(
    "charges",
    [
        au.PME(r_cut=2.2, spacing=0.5),
        au.ReactionField(r_cut=2.0, epsilon_rf=10.0),
        au.Coulomb(r_cut=2.4),
    ],
    ids=lambda spec: type(spec).__name__,
)
def test_any_potential_beside_charges(charges, algorithm, precision):
    """In one simulation they are what they are in two, whatever kernels they share."""
    start = au.build.random(300, box=(7.0, 7.5, 8.0), min_distance=0.85, seed=2)
    sign = np.where(np.arange(300) % 2 == 0, 1.0, -1.0)
    system = au.System(
        start.box,
        start.position,
        type=np.arange(300) % 3 // 2,
        type_names=["A", "B"],
        charge=sign,
        bonds={"all": [[0, 1], [4, 9]]},
    )
    bare = dataclasses.replace(system, charge=0 * sign)
    bond = au.HarmonicBond(r0=1.0, k=0.0)
    r_cut = {("A", "A"): 2.0, ("A", "B"): 1.5, ("B", "B"): 2.5}
    tolerance = 1e-12 if precision == "double" else 2e-6
    lj = {"epsilon": 0.7, "sigma": 0.9}
    for potential in (
        au.WCA(epsilon=0.5, sigma=1.2),
        au.LennardJones(r_cut=r_cut, mode="shift", **lj),
        au.LennardJones(r_cut=r_cut, mode="force-shift", **lj),
        au.LennardJones(r_cut=2.2, r_switch=1.8, mode="xplor", **lj),
        au.LennardJones(r_cut=2.2, tail_correction=True, **lj),
    ):

        def simulation(of, *forces):
            device = au.Device(name="host", threads=1, precision=precision, algorithm=algorithm)
            return au.Simulation(of, [*forces, bond], device=device)

        both = simulation(system, potential, charges)
        apart = [simulation(bare, potential), simulation(system, charges)]
        force = sum(sim.get("force") for sim in apart)
        assert np.abs(both.get("force") - force).max() < tolerance * np.abs(force).max()
        energies = [sim.energy.potential for sim in apart]
        assert np.isclose(both.energy.potential, sum(energies), rtol=tolerance * 100)
        assert abs(energies[0]) > 1 and abs(energies[1]) > 1
        assert np.isclose(both.pressure, sum(sim.pressure for sim in apart), rtol=tolerance * 100)


def test_records_of_before_are_read(here, monkeypatch):
    """Checkpoints without what this version adds to them."""
    lj = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)
    system = au.build.lattice("fcc", n=256, density=0.8)
    with au.Simulation(system, [lj], au.NVE(dt=0.005)) as sim:
        sim.write_checkpoint("a.ckpt")
    known = restart_of_system.read_extra

    def before(path, extra):
        data = json.loads(extra)
        assert data.pop("constraints") == [] and "system" not in data
        return known(path, json.dumps(data).encode())

    monkeypatch.setattr(restart_of_system, "read_extra", before)
    again = au.Simulation.from_checkpoint("a.ckpt")
    assert again.forces == (lj,) and again.topology is None and again.run(2).step == 2


@pytest.mark.parametrize("value", [None, 3, "x", "YWJj", ["a"], {}])
def test_strange_systems_in_checkpoints(here, monkeypatch, value):
    water().write_checkpoint("a.ckpt")
    known = restart_of_system.read_extra

    def mutant(path, extra):
        return known(path, json.dumps(json.loads(extra) | {"system": value}).encode())

    monkeypatch.setattr(restart_of_system, "read_extra", mutant)
    with pytest.raises(au.FileError, match=r"a\.ckpt: holds an invalid record"):
        au.Simulation.from_checkpoint("a.ckpt")


# Specs


def test_repr_leaves_defaults_out_and_keeps_units():
    text = "au.PME(r_cut='0.6 nm', spacing='0.12 nm')"
    assert repr(FORCES[1]) == text and eval(text).r_cut == 0.6
    assert repr(au.LennardJones(r_cut=1)) == "au.LennardJones(r_cut=1.0)"
    assert au.LeapFrog(dt="2 fs") == au.LeapFrog(dt=0.002)
    assert repr(au.Callback(print, every=3)) == "au.Callback(function=print, every=3)"


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: au.PME(r_cut="1.0 fs"), "r_cut of PME is '1.0 fs' (a number and a unit of length"),
        (lambda: au.PME(r_cut="nm"), "r_cut of PME is 'nm'"),
        (lambda: au.LeapFrog(dt="0 fs"), "dt is 0 (it must be above 0)"),
        (lambda: au.LeapFrog(dt=0.1, thermostat="x"), "thermostat is 'x'"),
        (lambda: au.LeapFrog(dt=0.1, thermostat=au.CRescale(P=1, tau=1)), "Known: Berendsen,"),
        (lambda: au.LeapFrog(dt=0.1, filter=au.All()), "LeapFrog has no argument 'filter'"),
        (lambda: au.LennardJones(r_cut={("A", "A"): 1.0}), "share one cut-off"),
        (lambda: au.LennardJones(r_cut=1, mode="xplor", r_switch=0.5), "mode of LennardJones is"),
        (lambda: au.LennardJones(r_cut=1, mode="force-switch"), "LennardJones has no r_switch"),
        (lambda: au.LennardJones(r_cut=-1), "r_cut of LennardJones is -1 (it must be at least 0)"),
        (lambda: au.WCA(epsilon=1, sigma=-1), "sigma of WCA is -1"),
        (lambda: au.LennardJones(r_cut=1, epsilon=1.0), "LennardJones lacks 'sigma'"),
        (lambda: au.VRescale(T={}, tau=1), "T of VRescale is an empty table"),
        (lambda: au.VRescale(T=-1, tau=1), "T of VRescale is -1"),
        (lambda: au.CRescale(P=1, tau=1, shape="cubic"), "shape of CRescale is 'cubic'"),
        (lambda: au.Freeze(group="a", axes="xw"), "axes of Freeze is 'xw'"),
        (lambda: au.ElectricField(strength=1.0), "strength of ElectricField is 1.0"),
        (lambda: au.HarmonicBond(r0={}, k=1), "r0 of HarmonicBond is an empty table"),
        (lambda: au.Simulation(au.System(5.0, [[0.0, 0, 0]]), [au.HarmonicBond(r0=1, k=1)]),
         "HarmonicBond has nothing to act on (the system has no bonds)"),
        (lambda: au.system_from_openmm(None, None, None), "from_openmm got None as system"),
        (lambda: au.system_from_parmed(None), "from_parmed got None"),
        (lambda: au.Energies(every="1 nm"), "every of Energies is '1 nm'"),
        (lambda: water(forces=[FORCES[0]]), "forces has no electrostatics"),
        (lambda: water(forces=[FORCES[1]]), "forces has no LennardJones"),
        (lambda: water(forces=[*FORCES, FORCES[1]]), "only one such force is possible"),
        (lambda: water(forces=[*FORCES, FORCES[0]]), "pairs would interact twice"),
        (lambda: water(forces=[*FORCES, au.LINCS()]), "forces holds au.LINCS()"),
        (lambda: water(constraints=[FORCES[0]]), "constraints holds au.LennardJones("),
        (lambda: water(observers=[au.Energies(every="3 fs")]), "not a multiple of the time step"),
        (lambda: water(observers=[au.Energies(every="1 ps")], integrator=None), "without an integ"),
        (lambda: au.System(5.0, [[0.0, 0, 0]], units="si"), "units is 'si'"),
        (lambda: au.System(5.0, [[0.0, 0, 0]], groups={"a": [1]}), "names particle 1"),
        (lambda: au.System(5.0, [[0.0, 0, 0]], charge=[1, 2]), "charge has the shape (2,)"),
    ],
)  # fmt: skip
def test_refusals(make, words):
    with pytest.raises(au.Error) as caught:
        make()
    assert words in str(caught.value), str(caught.value)


@pytest.mark.parametrize(
    "field, tags, told",
    [
        ("bonds", [[0, 1], [1, 2], [1, 0]], "list 1 of 3 twice, first that of particles 1, 0"),
        ("angles", [[0, 1, 2], [2, 1, 0]], "list 1 of 2 twice, first that of particles 2, 1, 0"),
        ("angles", [[0, 1, 2], [1, 0, 2]], ""),
    ],
)
def test_what_is_listed_twice_is_said(field, tags, told):
    """Its energy counts twice, as the numbers show."""
    places = [[0, 0, 0], [1.1, 0, 0], [1.0, 1.2, 0]]
    specs = {"bonds": au.HarmonicBond(r0=1.0, k=5.0), "angles": au.HarmonicAngle(theta0=1.0, k=5.0)}

    def energy(some):
        system = au.System(9.0, places, exclusions=[], **{field: {"x": some}})
        return au.Simulation(system, [specs[field]], **EXACT).energy.potential

    apart = [energy([one]) for one in tags]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert energy(tags) == pytest.approx(sum(apart), rel=1e-6) and min(apart) > 0
    said = [str(one.message) for one in caught]
    assert (
        said == [f"{field} 'x' of the system {told}: its energy counts twice"] if told else not said
    )


BARE = au.System(5.0, [[0.0, 0, 0], [1.0, 0, 0]])


@pytest.mark.parametrize(
    "spec",
    [
        au.PME(r_cut=2.0, spacing=0.5),
        au.Coulomb(r_cut=2.0),
        au.ReactionField(r_cut=2.0),
        au.ElectricField(strength=(1.0, 0.0, 0.0)),
    ],
)
def test_forces_on_charges_need_one(spec):
    words = f"{type(spec).__name__} has nothing to act on (no particle of the system has a charge)"
    for system in (BARE, BARE.replace(bonds={"a": [[0, 1]]})):
        forces = [au.HarmonicBond(r0=1.0, k=1.0)] if system.bonds else []
        with pytest.raises(au.InputError) as caught:
            au.Simulation(system, [*forces, spec])
        assert str(caught.value).startswith(words)
        with au.Simulation(system, forces) as sim, pytest.raises(au.InputError) as caught:
            sim.forces = [*forces, spec]
        assert str(caught.value).startswith(words)
        assert list(sim.forces) == forces
    more = [au.Coulomb(r_cut=2.0)] if isinstance(spec, au.ElectricField) else []
    au.Simulation(BARE.replace(charge=[0.0, 1.0]), [*more, spec])  # one is enough


def test_a_job_without_charges_runs_as_in_gromacs(here):
    """GROMACS runs it with any electrostatics; a note says that PME is of no use."""
    files = argon(here)
    text = Path(files[2]).read_text()
    for kind in ("PME", "reaction-field", "Cut-off"):
        Path(files[2]).write_text(text.replace("reaction-field\nepsilon-rf = 80", kind))
        with au.from_gromacs(*files, threads=1, maxwarn=9) as sim:
            assert sim.energy.of("coulomb") == 0.0 and sim.energy.potential < 0.0
            assert any(note.number == "A311" for note in sim.notes) == (kind == "PME")
            system, forces = sim.snapshot(), sim.forces
        au.Simulation(system, forces, threads=1)  # the script that `aureole convert` writes


TOML = """\
steps = 20
seed = 4
thermalize = "300 K"
system = {kind = "saved", path = "water.npz"}
device = {name = "host", threads = 1}

[[forces]]
kind = "LennardJones"
r_cut = "0.6 nm"
mode = "shift"

[[forces]]
kind = "PME"
r_cut = "0.6 nm"
spacing = "0.12 nm"

[[constraints]]
kind = "LINCS"

[integrator]
kind = "LeapFrog"
dt = "2 fs"
thermostat = {kind = "VRescale", T = "300 K", tau = "0.5 ps"}
barostat = {kind = "CRescale", P = "1 bar", tau = "2 ps"}

[[observers]]
kind = "Energies"
path = "a.csv"
every = "10 fs"
"""


def test_input_files_run_molecules_too(here):
    au.build.water(60).system().save("water.npz")
    Path("in.toml").write_text(TOML)
    from aureole.jobs import input_file

    sim = input_file.load("in.toml").simulation()
    ours = water().thermalize("300 K")
    assert np.array_equal(sim.run(20).get("position"), ours.run(20).get("position"))
    assert sim.observers[0].every == 5


def test_units_belong_to_the_system(here):
    lj = au.LennardJones(epsilon="1 kJ/mol", sigma="0.3 nm", r_cut="0.8 nm")
    system = au.build.lattice("fcc", n=256, density=20.0)
    with pytest.raises(au.InputError, match="LennardJones has the number '1 kJ/mol'"):
        au.Simulation(system, [lj])
    sim = au.Simulation(system.replace(units="molecular"), [lj], au.NVE(dt="1 fs"))
    sim.thermalize("250 K")
    assert np.isclose(sim.temperature, 250.0) and sim.pace(1000).endswith("ns/day")
    assert sim.run("5 fs").step == 5 and sim.time == pytest.approx(0.005)
    assert sim.ns_per_day > 0
    plain = au.Simulation(system, [au.WCA(epsilon=1.0, sigma=0.3)], au.NVE(dt=0.001))
    with pytest.raises(au.InputError, match="reduced units"):
        _ = plain.ns_per_day


def test_description_is_text_and_facts():
    sim = water(observers=[au.Progress()])
    text, facts = str(sim.describe()), sim.describe()
    for spec in (*FORCES, COUPLED, au.Progress()):
        assert repr(spec) in text
    assert "60 settle" in text and facts["precision"] == "mixed" and facts["threads"] == 1


# Old names


def test_old_arguments_say_what_to_write_instead():
    with pytest.warns(DeprecationWarning, match=r"minimize\(tell=tell\)"):
        water().minimize(lambda *row: None)
    with pytest.warns(DeprecationWarning, match='is now "flat"'):
        assert au.Device(algorithm="lanes") == au.Device(algorithm="flat")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        import aureole  # noqa: F401 - nothing warns by itself


def test_what_is_gone_names_its_neighbour():
    with pytest.raises(AttributeError, match="Did you mean 'Simulation'"):
        _ = au.Simulatoin
