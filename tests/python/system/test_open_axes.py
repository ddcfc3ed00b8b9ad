# SPDX-License-Identifier: Apache-2.0
"""Along axes that do not repeat, files have particles where the input had them."""

from __future__ import annotations

import base64
from pathlib import Path

import aureole as au
import gsd.hoomd
import numpy as np
import pytest
from aureole.cli import main
from aureole.formats.gro import read_gro
from aureole.report.facts import system_rows
from aureole.report.write import collect

PLACES = np.array([[1.0, 1.1, -0.4], [1.4, 1.1, 1.2]])
TOPOLOGY = """\
[ defaults ]
1 2 no 1 1
[ atomtypes ]
AR 18 39.948 0.0 A 0.34 0.996
[ moleculetype ]
AR 1
[ atoms ]
1 AR 1 AR AR 1 0
[ position_restraints ]
1 1 1000 1000 1000
[ system ]
two
[ molecules ]
AR 2
"""
PARAMETERS = """\
integrator = md
dt = 0.001
nsteps = {steps}
pbc = {pbc}
rcoulomb = 1.0
rvdw = 1.0
coulombtype = cut-off
comm-mode = none
verlet-buffer-tolerance = -1
rlist = 1.2
nstxout = 5
nstenergy = 5
"""


def write(folder: Path, name: str, places: np.ndarray) -> None:
    rows = [
        f"{k:5d}AR      AR{k:5d}" + "%8.3f" * 3 % tuple(place) for k, place in enumerate(places, 1)
    ]
    (folder / name).write_text("\n".join(["two", "2", *rows, "   3.0 3.0 3.0", ""]))


@pytest.fixture(params=["no", "xy"])
def job(request, here):
    write(here, "conf.gro", PLACES if request.param == "no" else np.add(PLACES, [0, 0, 1]))
    write(here, "ref.gro", np.add(read_gro("conf.gro").position, [0, 0.1, 0]))
    (here / "topol.top").write_text(TOPOLOGY)
    (here / "grompp.mdp").write_text(PARAMETERS.format(steps=20, pbc=request.param))
    return here


def run(*words: str) -> None:
    given = ["mdrun", "-r", "ref.gro", "-nt", "1", "-nobackup", "-maxwarn", "9", *words]
    assert main(given) == 0


def restraint_energies(name: str) -> np.ndarray:
    table = np.genfromtxt(name, delimiter=",", names=True, skip_header=1)
    return table["position_restraint"]


def test_frames_are_in_the_coordinates_of_the_input(job, capsys):
    run("-deffnm", "a")
    start = au.from_gromacs("conf.gro", "topol.top", "grompp.mdp", references="ref.gro", maxwarn=9)
    au.write_frame("again.gro", start, whole=False)
    assert np.allclose(read_gro("again.gro").position, read_gro("conf.gro").position)
    two = 0.5 * 1000 * 2 * 0.1**2  # kJ/mol of both in their restraints
    assert restraint_energies("a.csv")[0] == pytest.approx(two)


def test_stages_reruns_and_restarts_keep_their_restraints(job, capsys):
    run("-deffnm", "a")
    last = restraint_energies("a.csv")[-1]
    run("-deffnm", "b", "-rerun", "a.trr")
    assert restraint_energies("b.csv")[-1] == pytest.approx(last, rel=1e-3)
    run("-deffnm", "c", "-c", "a.gro")
    # .gro has three decimals
    assert restraint_energies("c.csv")[0] == pytest.approx(last, abs=0.1)
    run("-deffnm", "a", "-cpi", "-nsteps", "40")
    whole = restraint_energies("a.csv")
    (job / "more").mkdir()
    run("-deffnm", "more/a", "-nsteps", "60")
    assert np.array_equal(whole, restraint_energies("more/a.csv"))


def open_slab(box: au.Box, **more: object) -> au.Simulation:
    """Dimers along z, which leave the box upwards and downwards, and forces between them."""
    middle = np.array([(x, y, z) for x in (-2, 0, 2) for y in (-2, 0, 2) for z in (-2.0, 2.0)])
    position = np.concatenate([np.subtract(middle, [0, 0, 0.5]), np.add(middle, [0, 0, 0.6])])
    velocity = np.where(position[:, 2:] > 0, [0.3, 0, 30.0], [0.3, 0, -30.0])
    forces = [au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)]
    system = au.System(box, position, velocity=velocity)
    return au.Simulation(system, forces, au.NVE(dt=0.001), seed=1, threads=1, **more)


def test_particles_that_leave_the_box_are_not_folded(here):
    box = au.Box(6, 6, 6, periodic=(True, True, False))
    sim = open_slab(box, observers=[au.Trajectory("a.gsd", every=400), au.Log("a.csv", every=50)])
    sim.run(800)
    energy, z = sim.energy.potential, sim.get("position")[:, 2]
    assert energy < -5 and np.abs(z).min() > 20  # folded ones overlap
    au.write("b.gsd", sim.snapshot())
    sim.snapshot().save("c.npz")
    with pytest.warns(UserWarning, match="36 of 36") as told:
        sim.forces = sim.forces
    assert told[0].filename == __file__
    assert sim.energy.potential == energy
    states = [sim.snapshot(), au.System.load("c.npz"), au.read("a.gsd"), au.read("b.gsd")]
    for state in states:
        assert state.box == box and np.allclose(state.position[:, 2], z, atol=1e-5)
        with pytest.warns(UserWarning, match="36 of 36"):
            again = au.Simulation(state, sim.forces)
        assert again.energy.potential == pytest.approx(energy, abs=1e-4)
    with gsd.hoomd.open("a.gsd") as file:  # as other programs read it
        assert np.allclose(file[-1].particles.position[:, 2], z, atol=1e-5)
    shown = collect("a").frame
    assert shown.box.periodic == box.periodic
    assert np.allclose(shown.position[:, 2], z, atol=1e-5)


@pytest.mark.parametrize("ending", ["gsd", "xyz", "dcd"])
def test_pages_tell_of_open_axes(here, ending):
    """Positions of the picture are not folded, of whatever file; the log says which axes repeat."""
    if ending != "gsd":
        pytest.importorskip("chemfiles")
    box = au.Box(6, 6, 6, periodic=(True, True, False))
    observers = [au.Trajectory(f"a.{ending}", every=800), au.RunLog("a.log", every=400)]
    with open_slab(box, observers=observers) as sim:
        sim.run(800)
    content = collect("a")
    assert content.frame.box.periodic == (True, True, False)
    assert ("Open axes", "z") in system_rows(content.run, content.names, content.frame)
    drawn = np.frombuffer(base64.b64decode(content.scene["position"]), "<i2").reshape(-1, 3)
    z = np.abs(drawn[:, 2]) * content.scene["extent"] / content.scene["box"][0]
    assert z.min() > 20 / 6


def test_files_of_periodic_boxes_are_as_ever(here):
    au.write("a.gsd", open_slab(au.Box.of(6)).snapshot())
    with gsd.hoomd.open("a.gsd") as file:
        assert not file[0].log
    assert au.read("a.gsd").box.periodic == (True, True, True)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("ppf", (True, True, False)),
        (("p", "p", "f"), (True, True, False)),
        (np.array([True, False, True]), (True, False, True)),
        (False, (False, False, False)),
    ],
)
def test_flags_of_axes(given: object, expected: tuple[bool, ...]) -> None:
    assert au.Box(10, 10, 12, periodic=given).periodic == expected


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("no", "no", "no"), r"periodic\[0\] is 'no'"),
        ("pps", r"periodic\[2\] is 's'"),
        ((True, True, None), r"periodic\[2\] is None"),
        (None, r"periodic\[0\] is None"),
        ("pp", "periodic has 2 entries"),
    ],
)
def test_words_that_are_no_flags_are_refused(given: object, named: str) -> None:
    """Every text that is not empty is true in Python, so the box was periodic."""
    with pytest.raises(au.InputError, match=named):
        au.Box(10, 10, 12, periodic=given)


@pytest.mark.parametrize("threads", [0, 1, 2, 4])
@pytest.mark.parametrize("n", [3, 1000])
def test_external_forces_act_on_all_particles(threads, n):
    """Particles of a gas have no other force, which would give their thread a share in the sum."""
    edge = int(np.ceil(np.sqrt(n)))
    sites = np.indices((edge, edge)).reshape(2, -1).T[:n] - edge / 2
    gas = au.System(
        au.Box(2 * edge + 5, 2 * edge + 5, 12, periodic="ppf"),
        np.column_stack([sites, np.ones(n)]),
        mass=np.arange(1.0, n + 1),
    )
    wall = au.LennardJonesWall(epsilon=1.0, sigma=1.0, nz=1.0, offset=0.0, r_cut=2.5)
    forces = {
        au.Gravity(gz=-0.5): -0.5 * gas.mass,
        au.UniformForce(fz=2.0): np.full(n, 2.0),
        wall: np.full(n, 1.2 - 3.0),  # -dU/dd at d = 1
    }
    for force, expected in forces.items():
        with au.Simulation(gas, [force], au.NVE(dt=0.005), threads=threads) as sim:
            assert np.allclose(sim.get("force")[:, 2], expected, rtol=1e-5)
