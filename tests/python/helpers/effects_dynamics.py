# SPDX-License-Identifier: Apache-2.0
"""Effects of the arguments of integrators with coupling, thermostats, barostats and constraints."""

from __future__ import annotations

from pathlib import Path

import aureole as au
import numpy as np
import pytest
from effect_jobs import BOX, JOBS
from effects import liquid, refuses, shows

EXACT = {"precision": "double", "threads": 1, "seed": 3}
FORCES = [au.LennardJones(r_cut=0.8, mode="shift"), au.ReactionField(r_cut=0.8)]
DYNAMICS = ("LeapFrog", "VelocityVerlet", "StochasticDynamics")
STILL = {"remove_com_every": 0}


def system(name="atoms", **options):
    """One of the small systems, whose parts drift and turn, with groups Left, Middle and Right."""
    from aureole.gromacs.job import read_job
    from aureole.gromacs.translate import translated

    groups = {"comm-mode": "linear", "nstcomm": "10", "comm-grps": "Left Middle Right"}
    JOBS[name].write(Path(), options | groups)
    job = read_job("conf.gro", "topol.top", "grompp.mdp", index="index.ndx")
    return translated(job).system


def sim(integrator, of="atoms", forces=FORCES, **changes):
    return au.Simulation(
        system(of) if isinstance(of, str) else of, forces, integrator, **(EXACT | changes)
    )


def made(kind, **changes):
    """An integrator that keeps what it can."""
    own = {"T": 300.0, "tau": 1e6} if kind == "StochasticDynamics" else {}
    return getattr(au, kind)(**({"dt": 0.001} | own | STILL | changes))


@shows(*(f"{kind}.dt" for kind in DYNAMICS), *(f"{kind}.start" for kind in DYNAMICS))
def time(kind):
    def step(**changes):
        with sim(made(kind, **changes)) as one:
            before = one.get("position")
            one.run(1)
            return one.time, np.abs(one.box.minimum_image(one.get("position") - before)).mean()

    (t1, x1), (t2, x2) = step(), step(dt="2 fs")
    assert (t1, t2) == (0.001, 0.002) and 1.9 < x2 / x1 < 2.1
    assert step(start="3 ps")[0] == pytest.approx(3.001)


@shows(*(f"{kind}.remove_com_every" for kind in DYNAMICS),
       *(f"{kind}.drift_groups" for kind in DYNAMICS),
       *(f"{kind}.remove_rotation" for kind in DYNAMICS))  # fmt: skip
def drift(kind):
    def motion(**changes):
        """Momentum of all, of a group, and angular momentum, after two steps."""
        options = changes.pop("options", {})
        with sim(made(kind, **changes), constraints=[au.LINCS(continuation=True)], **options) as s:
            left, mass = s.snapshot().members("Left"), s.get("mass")[:, None]
            s.run(2)
            x, p = s.get("position"), mass * s.get("velocity")
            centre = (mass * x).sum(axis=0) / mass.sum()
            turning = np.cross(x - centre, p - mass * p.sum(axis=0) / mass.sum()).sum(axis=0)
            return [np.abs(v).max() for v in (p.sum(axis=0), p[left].sum(axis=0), turning)]

    drifting, stopped = motion(), motion(remove_com_every=1)
    assert drifting[0] > 10 and stopped[0] < 1e-9 < stopped[1]
    apart = motion(remove_com_every=1, drift_groups=("Left", "Middle", "Right"))
    assert apart[1] < 1e-9
    still = motion(remove_com_every=1, remove_rotation=True)
    assert still[2] < 1e-2 * stopped[2]
    refuses("drift is never removed", lambda: made(kind, remove_rotation=True))
    refuses("no group 'Lef'", lambda: motion(remove_com_every=1, drift_groups="Lef"))


def volume(kind, barostat, steps=20):
    with sim(made(kind, barostat=barostat), "water") as s:
        s.run(steps)
        return s.box


@shows("LeapFrog.barostat", "VelocityVerlet.barostat", "StochasticDynamics.barostat")
def barostats(kind):
    if kind == "VelocityVerlet":  # which has no constraints beside a barostat
        heat = au.VRescale(T=90, tau=0.1)
        box = argon_after(made(kind, thermostat=heat, barostat=press("CRescale")))
        assert box.volume < 0.999 * 2.28**3
    else:
        box = volume(kind, press("BerendsenBarostat"))
        assert box.volume < 0.999 * np.prod(BOX)
    refuses("barostat is 1.0", lambda: made(kind, barostat=1.0))


def argon_after(integrator):
    from effects_molecules import argon_simulation

    start = argon_simulation()
    with au.Simulation(start.snapshot(), start.forces, integrator, **EXACT) as s:
        return s.run(20).box


def press(kind, **changes):
    return getattr(au, kind)(**({"P": 1e5, "tau": 0.5, "every": 1} | changes))


PRESSING = ("CRescale", "ParrinelloRahman", "BerendsenBarostat")


@shows(*(f"{k}.{name}" for k in PRESSING for name in ("P", "tau", "compressibility", "shape",
                                                      "every")))  # fmt: skip
def pressures(kind):
    heat = au.VRescale(T=300, tau=0.1) if kind == "CRescale" else None
    whole = float(np.prod(BOX))

    def box(steps=20, **changes):
        motion = made("LeapFrog", barostat=press(kind, **changes), thermostat=heat)
        with sim(motion, "water") as s:
            boxes = [s.box.volume]
            for _ in range(steps):
                boxes.append(s.run(1).box.volume)
            return s.box, len(set(boxes)) - 1

    pressed, pulled = box()[0].volume, box(P="-1e4 MPa")[0].volume
    assert pressed < whole < pulled
    assert abs(box(tau="2 ps")[0].volume - whole) < 0.5 * abs(pressed - whole)
    stiff = box(compressibility="4.5e-6 1/bar")[0].volume
    assert abs(stiff - whole) < 0.5 * abs(pressed - whole)
    apart = box(shape="semiisotropic", P=(1e5, -1e5))[0].lengths / BOX
    assert apart[0] < 1 < apart[2] and np.isclose(apart[0], apart[1])
    assert box()[1] >= 19 and box(every=5)[1] <= 5
    refuses("needs 2", lambda: press(kind, shape="semiisotropic", P=(1.0, 2.0, 3.0)))


HEATING = ("VRescale", "Berendsen", "NoseHoover")


@shows("LeapFrog.thermostat", "VelocityVerlet.thermostat",
       *(f"{k}.{name}" for k in HEATING for name in ("T", "tau", "every")))  # fmt: skip
def thermostats(kind):
    cls = getattr(au, kind if kind in HEATING else "Berendsen")
    scheme = kind if kind in DYNAMICS else "LeapFrog"

    def heated(steps=30, thermostat=None, **changes):
        spec = thermostat or cls(**({"T": 900.0, "tau": 0.05, "every": 1} | changes))
        with sim(made(scheme, thermostat=spec)) as s:
            given = [0.0]
            for _ in range(steps):
                given.append(s.run(1).energy.total - s.conserved)
            acts = np.count_nonzero(np.abs(np.diff(given)) > 1e-9)
            return s.temperature, s.group_temperatures, acts

    with sim(made(scheme)) as s:
        alone = s.run(30).temperature
        assert s.group_temperatures == {}
    hot, cold = heated()[0], heated(T="3 K")[0]
    assert cold < alone < hot
    assert abs(heated(tau="5 ps")[0] - alone) < 0.3 * abs(hot - alone)
    assert heated()[2] >= 29 and heated(every=10)[2] in (2, 3, 4)
    two = heated(T={"Left": 900.0, "Middle": 3.0, "Right": 3.0}, tau=0.02)[1]
    assert list(two) == ["Left", "Middle", "Right"] and two["Left"] > 2 * two["Right"]
    taus = {"Left": 0.02, "Middle": -1, "Right": -1}
    one = heated(T={"Left": 900.0, "Middle": 3.0, "Right": 3.0}, tau=taus)[1]
    assert one["Right"] > two["Right"]
    refuses("name different groups", lambda: cls(T={"Left": 3.0}, tau={"Right": 1.0}))
    refuses("in none of the groups", lambda: heated(T={"Left": 3.0}, tau=1.0))
    refuses("reduced units", lambda: liquid(integrator=made(
        "LeapFrog", thermostat=cls(T="3 K", tau=1.0))))  # fmt: skip


@shows("NoseHoover.length")
def chains(_):
    def end(length):
        heat = au.NoseHoover(T=300, tau=0.02, every=1, length=length)
        with sim(made("VelocityVerlet", thermostat=heat)) as s:
            return s.run(20).get("position")

    assert np.array_equal(end(3), end(3)) and not np.array_equal(end(1), end(3))


@shows("Uncoupled.T")
def uncoupled(_):
    def box(T):
        motion = made("LeapFrog", thermostat=au.Uncoupled(T=T), barostat=press("CRescale", P=1.0))
        with sim(motion, "water") as s:
            s.run(3)
            assert s.group_temperatures.keys() == {"System"}
            return s.box.volume / np.prod(BOX)

    # The noise of the barostat goes with the root of the temperature.
    cold, warm = box(1e-6) - 1, box(10_000.0) - 1
    assert abs(warm - cold) > 10 * abs(box(1.0) - 1 - cold) > 0


@shows("Annealing.times", "Annealing.temperatures", "Annealing.periodic", "Annealing.T")
def annealing(_):
    def course(steps, T=None, **changes):
        given = {"times": (0.0, "20 fs"), "temperatures": (300.0, "340 K")} | changes
        heat = au.Berendsen(T=au.Annealing(**given, T=T), tau=0.001, every=1)
        lists = au.NeighborList(mode="tolerance")
        with sim(made("LeapFrog", thermostat=heat), neighbors=lists) as s:
            s.run(steps)
            return s.temperature, s.describe()["inner_buffer"]

    assert course(40)[0] == pytest.approx(340, abs=8)
    assert course(20, times=(0.0, 0.04))[0] == pytest.approx(320, abs=8)
    assert course(40, temperatures=(300.0, 260.0))[0] == pytest.approx(260, abs=8)
    assert course(42, periodic=True)[0] == pytest.approx(305, abs=8)
    assert course(2, T=3000.0)[1] > course(2)[1]
    refuses("decreasing times", lambda: au.Annealing(times=(1, 0), temperatures=(1, 2)))


@shows("StochasticDynamics.T", "StochasticDynamics.tau")
def noise(_):
    start = system().velocity

    def end(**changes):
        with sim(made("StochasticDynamics", dt=0.0001, **changes)) as s:
            s.run(10)
            return s.get("velocity"), s.temperature

    for tau in (0.001, 0.002):
        weak = [FORCES[0], au.ReactionField(r_cut=0.8, epsilon_r=1e9)]
        motion = made("StochasticDynamics", dt=0.0001, T=0.0, tau=tau)
        with sim(motion, forces=weak) as s:
            velocity = s.run(10).get("velocity")
        scale = (velocity * start).sum() / (start * start).sum()
        assert scale == pytest.approx(np.exp(-0.001 / tau), rel=2e-2)
    assert end(T=3000.0, tau=0.0005)[1] > 2 * end(T=3.0, tau=0.0005)[1]


@shows("LINCS.order", "LINCS.iterations", "LINCS.continuation", "LINCS.warn_angle",
       "SHAKE.tolerance", "SHAKE.continuation", "SHAKE.warn_angle",
       "Simulation.constraints")  # fmt: skip
def rigid(kind):
    wanted = np.array([0.109, 0.152, 0.152, 0.109])
    chain = system("chains", constraints="all-bonds")

    def run(steps, spec, dt=0.002):
        with sim(made("LeapFrog", dt=dt), chain, constraints=[spec]) as s:
            s.run(steps) if steps else s.energy
            at = s.get("position").reshape(12, 5, 3)
            bonds = s.box.minimum_image((at[:, 1:] - at[:, :-1]).reshape(-1, 3)).reshape(12, 4, 3)
            return np.abs(np.linalg.norm(bonds, axis=2) / wanted - 1).max(), s.recent_warnings()

    cls = au.SHAKE if kind == "SHAKE" else au.LINCS
    assert run(0, cls(continuation=True))[0] > 1e-3 > run(0, cls())[0]
    assert run(60, cls())[1] == [] != run(60, cls(warn_angle=0.01))[1]
    if kind == "SHAKE":
        assert run(10, au.SHAKE(tolerance=1e-9))[0] < 1e-8 < run(10, au.SHAKE(tolerance=1e-3))[0]
        return
    one, two = (run(10, au.LINCS(order=k, continuation=True))[0] for k in (1, 2))
    assert one > 2 * two
    some, more = (run(10, au.LINCS(order=12, iterations=k, continuation=True))[0] for k in (1, 2))
    assert some > 2 * more
    two_solvers = [au.LINCS(), au.SHAKE()]
    refuses("one solver handles", lambda: sim(made("LeapFrog"), chain, constraints=two_solvers))


@shows("Freeze.group", "Freeze.axes")
def frozen(_):
    spec = au.Freeze(group="Left", axes="xz")
    with sim(made("LeapFrog"), constraints=[spec]) as s:
        left = s.snapshot().members("Left")
        before = s.get("position")
        s.run(3)
        moved = np.abs(s.get("position") - before).max(axis=0) > 0
        assert moved.all()
        stays = np.abs(s.get("position") - before)[left]
        assert (stays[:, [0, 2]] == 0).all() and (stays[:, 1] > 0).all()
    refuses("no group 'Lef'", lambda: sim(made("LeapFrog"), constraints=[au.Freeze(group="Lef")]))
    with sim(au.NVE(dt=0.001), constraints=[spec]) as free:
        before = free.get("position")
        assert (free.run(3).get("position") == before)[left][:, [0, 2]].all()


@shows("Simulation.step")
def first_step(_):
    assert liquid(step=7).step == 7
    assert sim(made("LeapFrog"), step=5).run(1).time == pytest.approx(0.006)


@shows("SteepestDescent.force_tolerance", "SteepestDescent.step", "SteepestDescent.max_steps")
def descent(_):
    def down(**changes):
        with sim(made("LeapFrog"), "chains") as s:
            told = []
            found = s.minimize(au.SteepestDescent(**changes), tell=lambda *row: told.append(row))
            return found, told

    assert down(max_steps=4)[0].steps == 4
    loose, tight = (down(force_tolerance=f)[0] for f in (5000.0, 1000.0))
    assert loose.max_force <= 5000 and tight.max_force <= 1000 and tight.steps > loose.steps
    one, two = (down(max_steps=1, step=step)[1][0][1] for step in ("0.001 nm", 0.002))
    assert np.isclose(two, 2 * one)


@shows("NeighborList.every")
def renewals(_):
    def searches(every):
        lists = au.NeighborList(mode="tolerance", buffer=0.1, every=every)
        with sim(made("LeapFrog"), neighbors=lists) as s:
            return s.run(41).describe()["searches"]

    # When the simulation is made, and at multiples of that many steps from 0 on.
    assert [searches(every) for every in (4, 7, 30)] == [12, 7, 3]
    refuses("without a buffer", lambda: au.NeighborList(mode="tolerance", every=3))
