# SPDX-License-Identifier: Apache-2.0
"""Pressure of position restraints for each refcoord-scaling, beside GROMACS and the box's slope."""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest

BAR = 16.6053906717  # kJ/mol/nm³
BOX = np.array([[3.0, 0, 0], [0.4, 3.2, 0], [0.3, -0.5, 3.4]])
THEN = np.array([[2.9, 0, 0], [0.4, 3.1, 0], [0.3, -0.5, 3.3]])
PLACES = np.array([[0.5, 0.6, 0.7], [1.9, 1.1, 2.5]])
POINTS = np.array([[0.55, 0.52, 0.78], [1.96, 1.2, 2.46]])
STIFF = np.array([[1000.0, 2000, 3000], [1500, 500, 700]])

TOP = """\
[ defaults ]
1 2 yes 1 1
[ atomtypes ]
A 18 39.9 0.0 A 0.3 0.0
[ moleculetype ]
P 1
[ atoms ]
1 A 1 R A1 1 0.0 16
2 A 1 R A2 2 0.0 16
[ position_restraints ]
1 1 1000 2000 3000
2 1 1500 500 700
[ system ]
x
[ molecules ]
P 1
"""
#: gmx_d 2022.5: energy [kJ/mol] and the diagonal of the pressure [bar]. It leaves out what the
#: restraints add beside the diagonal.
GROMACS = {
    "no": (23.01, (99.713742969853, -20.858487049816, 49.856871484927)),
    "all": (37.322039698189, (-11.786090624245, -9.371140779664, -16.817465265233)),
    "com": (41.585969534676, (10.146386001332, 20.390236094383, -188.242695121339)),
}


def gro(points, box):
    lines = [
        f"{1:5d}{'R':<5}{'A':>5}{i + 1:5d}" + "".join(f"{v:8.3f}" for v in x)
        for i, x in enumerate(points)
    ]
    numbers = [*np.diag(box), 0, 0, box[1, 0], 0, box[2, 0], box[2, 1]]
    return "\n".join(["x", str(len(points)), *lines, " ".join(map(str, numbers)), ""])


def energy(box, scaling):
    """Of particles that went with the box, in the frame of its corner."""
    inside = PLACES @ np.linalg.inv(BOX) @ box
    went = np.linalg.inv(THEN) @ box
    middle = POINTS.mean(axis=0)
    points = {"no": POINTS, "all": POINTS @ went, "com": POINTS - middle + middle @ went}
    return 0.5 * (STIFF * (inside - points[scaling]) ** 2).sum()


@pytest.mark.parametrize("algorithm", ["clusters", "lanes"])
@pytest.mark.parametrize("scaling", GROMACS)
def test_pressure(here, scaling, algorithm):
    (here / "conf.gro").write_text(gro(PLACES, BOX))
    (here / "ref.gro").write_text(gro(POINTS, THEN))
    (here / "topol.top").write_text(TOP)
    (here / "grompp.mdp").write_text(
        "dt = 1e-9\nnsteps = 0\nrcoulomb = 0.9\nrvdw = 0.9\ncomm-mode = none\n"
        "verlet-buffer-tolerance = -1\nrlist = 1.0\n"
        f"refcoord-scaling = {scaling}\n"
    )
    sim = au.from_gromacs(
        "conf.gro",
        "topol.top",
        "grompp.mdp",
        references="ref.gro",
        device=au.Device(algorithm=algorithm),
        precision="double",
        threads=1,
    )
    wanted, pressure = GROMACS[scaling]
    assert sim.energy.potential == pytest.approx(wanted, rel=1e-9)
    volume = np.linalg.det(BOX)
    assert np.diag(sim.virial) / volume * BAR == pytest.approx(pressure, rel=1e-8)
    # The virial is minus the slope of the energy by a strain of the box.
    h = 1e-5
    for axis in range(3):
        strain = np.eye(3)
        strain[axis, axis] += h
        up = energy(BOX @ strain, scaling)
        strain[axis, axis] -= 2 * h
        down = energy(BOX @ strain, scaling)
        assert sim.virial[axis, axis] == pytest.approx(-(up - down) / (2 * h), rel=1e-6)
