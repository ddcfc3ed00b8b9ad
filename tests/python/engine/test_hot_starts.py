# SPDX-License-Identifier: Apache-2.0
"""Nosé-Hoover chains from starts that are far hotter than their target."""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest
from aureole_bench.gmx import mdp_text, settings_of
from gmx_tool import gromacs

N = 216
MDP = """\
integrator = md-vv
dt = 0.002
nstenergy = 25
nstcalcenergy = 25
verlet-buffer-tolerance = -1
nstlist = 1
rlist = 1.1
coulombtype = Cut-off
rcoulomb = 0.9
rvdw = 0.9
tcoupl = nose-hoover
nsttcouple = 1
ref-t = 300
tc-grps = System
"""
TOPOLOGY = """\
[ defaults ]
1 2 yes 0.5 0.8
[ atomtypes ]
AR 18 39.948 0 A 0.34 0.99
[ moleculetype ]
AR 1
[ atoms ]
1 AR 1 AR AR 1 0 39.948
[ system ]
argon
[ molecules ]
AR 216
"""


def write(folder, hot, extra, steps):
    """Argon at `hot` times 300 K, on a lattice that was shaken, and the names of its files."""
    random = np.random.default_rng(11)
    place = np.indices((6, 6, 6)).reshape(3, -1).T * 0.4 + 0.2 + random.uniform(-0.03, 0.03, (N, 3))
    speed = random.normal(size=(N, 3))
    speed -= speed.mean(axis=0)
    speed *= np.sqrt(3 * (N - 1) * 0.00831446262 * 300 * hot / 39.948 / (speed**2).sum())
    rows = zip(place, speed, strict=True)
    atoms = [
        f"{k + 1:5}{'AR':5}{'AR':>5}{k + 1:5}"
        + "".join(f"{x:18.12f}" for x in r)
        + "".join(f"{x:18.13f}" for x in v)
        for k, (r, v) in enumerate(rows)
    ]
    (folder / "conf.gro").write_text("\n".join(["argon", f"{N}", *atoms, "2.4 2.4 2.4", ""]))
    (folder / "topol.top").write_text(TOPOLOGY)
    groups = {"System": (0, N), "First": (0, N // 2), "Rest": (N // 2, N)}
    text = "".join(
        f"[ {name} ]\n" + " ".join(str(k + 1) for k in range(*ends)) + "\n"
        for name, ends in groups.items()
    )
    (folder / "index.ndx").write_text(text)
    settings = settings_of(MDP) | settings_of(extra) | {"nsteps": steps}
    (folder / "grompp.mdp").write_text(mdp_text(settings))
    return [folder / name for name in ("conf.gro", "topol.top", "grompp.mdp")]


def simulation(files, **more):
    options = {"precision": "double", "threads": 1, "maxwarn": 9} | more
    return au.from_gromacs(*files, index=files[0].parent / "index.ndx", **options)


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_a_hot_start_goes_on_to_the_bit(tmp_path, algorithm):
    """The case nose-hoover-overflow: its checkpoint was refused, and it stayed at 900 K."""
    files = write(tmp_path, 15, "tau-t = 0.1\nnh-chain-length = 10\n", 240)
    device = au.Device(name="host", threads=1, precision="double", algorithm=algorithm)
    with simulation(files, device=device, precision=None, threads=None) as sim:
        sim.run(120)
        sim.write_checkpoint(tmp_path / "a.ckpt")
        sim.run(120)
        whole = sim.get("velocity"), sim.temperature
    with au.Simulation.from_checkpoint(tmp_path / "a.ckpt") as sim:
        sim.run(120)
        assert np.array_equal(sim.get("velocity"), whole[0])
    assert whole[1] == pytest.approx(300, rel=0.25)


def test_a_chain_that_cannot_be_followed_is_an_error(tmp_path):
    files = write(tmp_path, 1, "tau-t = 0.02\nnh-chain-length = 10\n", 10)
    with simulation(files) as sim:
        sim.integrator = au.VelocityVerlet(
            dt="1e-9 ps", thermostat=au.NoseHoover(T="1e-30 K", tau="1e-12 ps", every=1, length=10)
        )
        with pytest.raises(au.Error, match="chain cannot follow the temperature at step"):
            sim.run(10)


# Each start with each chain, and each of these with all relaxation times in steps.
CASES = [
    (hot, chain, (10, 50, 1000)[(i + j) % 3])
    for i, hot in enumerate((1.5, 5, 20, 80))
    for j, chain in enumerate((1, 2, 10))
]


# Chains of 2 and more end at their target within 3 ps; single ones swing for ever, with a period
# that follows from the start.
@pytest.mark.parametrize("hot, chain, tau", CASES)
def test_temperatures_are_those_of_gromacs(tmp_path, hot, chain, tau):
    gmx = gromacs(tmp_path, double=True)
    steps = 1500 if tau < 1000 and chain > 1 else 100
    extra = f"tau-t = {tau * 0.002:g}\nnh-chain-length = {chain}\n"
    theirs, ours = both(gmx, hot, extra, steps, "Temperature")
    theirs, ours = theirs["Temperature"], ours[:, 0]
    if tau >= 50:  # before the trajectories part; a single thermostat swings over powers of ten
        near = 0.35 if chain == 1 and hot > 5 else 0.05
        assert ours[:5] == pytest.approx(theirs[:5], rel=near, abs=2)
    if tau < 1000 and chain > 1 and not (hot == 80 and chain == 2):
        for values in (theirs, ours):
            assert np.mean(values[-40:]) == pytest.approx(300, rel=0.04)


def test_groups_have_chains_of_their_own(tmp_path):
    gmx = gromacs(tmp_path, double=True)
    extra = "tc-grps = First Rest\nref-t = 300 150\ntau-t = 0.1 0.5\nnh-chain-length = 4\n"
    names = ("T-First", "T-Rest")
    theirs, ours = both(gmx, 20, extra, 150, *names)
    for k, name in enumerate(names):
        assert ours[:, 1 + k] == pytest.approx(theirs[name], rel=0.03, abs=3)


def both(gmx, hot, extra, steps, *names):
    """Temperatures every 25 steps, of GROMACS by name, and ours of the whole and of each group."""
    files = write(gmx.folder, hot, extra, steps)
    gmx.run(
        *("grompp", "-f", "grompp.mdp", "-c", "conf.gro", "-p", "topol.top", "-n", "index.ndx"),
        *("-o", "a.tpr", "-po", "a.out.mdp", "-maxwarn", 9),
    )
    gmx.mdrun("a", "-noconfout", "-reprod")
    with simulation(files) as sim:
        rows = [(sim.temperature, *sim.group_temperatures.values())]
        for _ in range(steps // 25):
            sim.run(25)
            rows.append((sim.temperature, *sim.group_temperatures.values()))
    return gmx.energies("a", *names), np.array(rows)
