# SPDX-License-Identifier: Apache-2.0
"""Cut-offs between half the distance of faces and half the shortest vector of a tilted box.

No particle interacts with two images of another there, and GROMACS runs such boxes: so does the
engine of hosts, which visits all images that are near. Numbers are sums over all images; the list
is exact.
"""

from __future__ import annotations

from pathlib import Path

import aureole as au
import numpy as np
import pytest
from mdrun_inputs import ARGON

EDGE = 2.4
BOXES = {
    "rhombic dodecahedron": [[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0.5**0.5]],
    "truncated octahedron": [
        [1, 0, 0], [1 / 3, 2 * 2**0.5 / 3, 0], [-1 / 3, 2**0.5 / 3, 6**0.5 / 3],
    ],
}  # fmt: skip
MDP = """\
integrator = md-vv
dt = 0.002
nsteps = 40
coulombtype = cut-off
rcoulomb = 1.05
rvdw = 1.05
rlist = 1.05
verlet-buffer-tolerance = -1
vdw-modifier = None
gen-vel = yes
gen-temp = 90
gen-seed = 3
"""
R_CUT = 1.05
EPSILON, SIGMA = 0.996, 0.3405


def job(name):
    """Files of 150 atoms of argon in such a box."""
    rows = EDGE * np.array(BOXES[name])
    lx, ly, lz = np.diag(rows)
    box = au.Box(lx, ly, lz, rows[1, 0] / ly, rows[2, 0] / lz, rows[2, 1] / lz)
    system = au.build.random(150, box=box, min_distance=0.33, seed=4)
    position = np.round(system.position + rows.sum(axis=0) / 2, 6)
    lines = [f"    1AR      Ar{i:5d}" + "".join(f"{x:12.6f}" for x in r)
             for i, r in enumerate(position, 1)]  # fmt: skip
    nine = [lx, ly, lz, 0, 0, rows[1, 0], 0, rows[2, 0], rows[2, 1]]
    last = " ".join(f"{x:.9f}" for x in nine)
    Path("conf.gro").write_text("\n".join(["argon", "150", *lines, last, ""]))
    Path("topol.top").write_text(ARGON.replace("AR 216", "AR 150"))
    Path("grompp.mdp").write_text(MDP)
    return "conf.gro", "topol.top", "grompp.mdp"


def brute_force(position, matrix):
    """Energy and forces over all images within the cut-off."""
    energy, force = 0.0, np.zeros_like(position)
    for shift in np.ndindex(5, 5, 5):
        d = position[:, None] - position - (np.array(shift) - 2) @ matrix.T
        r2 = (d**2).sum(axis=2)
        near = (r2 < R_CUT**2) & (r2 > 0)
        s6 = np.where(near, SIGMA**6 / np.where(near, r2, 1.0) ** 3, 0.0)
        energy += 2 * EPSILON * (s6 * s6 - s6).sum()
        slope = 24 * EPSILON * (2 * s6 * s6 - s6) / np.where(near, r2, 1.0)
        force += (slope[:, :, None] * d).sum(axis=1)
    return energy, force


@pytest.mark.parametrize("name", BOXES)
def test_every_pair_is_met_once(name, here):
    sim = au.from_gromacs(*job(name), precision="double", threads=1, device="host", maxwarn=9)
    half_face, half_vector = sim.box.widths.min() / 2, EDGE / 2
    assert half_face < R_CUT < half_vector
    for _ in range(3):
        energy, force = brute_force(sim.get("position"), sim.box.matrix)
        assert np.isclose(sim.energy.per_force["vdw"], energy, rtol=1e-11)
        assert np.abs(sim.get("force") - force).max() < 1e-9 * np.abs(force).max()
        sim.run(20)


def test_devices_refuse_it(here):
    files = job("rhombic dodecahedron")
    flat = au.Device(name="host", algorithm="flat", threads=1)
    with pytest.raises(au.InputError, match="exceeds half the box"):
        au.from_gromacs(*files, device=flat, maxwarn=9).run(1)
