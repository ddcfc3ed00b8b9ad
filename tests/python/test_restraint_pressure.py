# SPDX-License-Identifier: Apache-2.0
"""Pressure of position restraints for each refcoord-scaling, beside GROMACS and the box's slope."""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest

BAR = 16.6053906717  # kJ/mol/nm³
BOX = np.array([[3.0, 0, 0], [0.4, 3.2, 0], [0.3, -0.5, 3.4]])
THEN = np.array([[2.9, 0, 0], [0.4, 3.1, 0], [0.3, -0.5, 3.3]])
PLACES = np.array([[0.5, 0.6, 0.7], [1.9, 1.1, 2.5], [1.1, 2.6, 1.3], [2.4, 2.9, 0.4]])
POINTS = np.array([[0.55, 0.52, 0.78], [1.96, 1.2, 2.46], [1.04, 2.67, 1.31], [2.37, 2.92, 0.45]])
MASSES = np.array([16.0, 4.0])
STIFF = np.array([[1000.0, 2000, 3000], [1500, 500, 700]] * 2)

TOP = """\
[ defaults ]
1 2 yes 1 1
[ atomtypes ]
A 18 39.9 0.0 A 0.3 0.0
[ moleculetype ]
P 1
[ atoms ]
1 A 1 R A 1 0.0 16
2 A 1 R A 2 0.0 4
[ position_restraints ]
1 1 1000 2000 3000
2 1 1500 500 700
[ system ]
x
[ molecules ]
P 2
"""
#: gmx_d 2022.5: energy [kJ/mol] and the diagonal of the pressure [bar]. It leaves out what the
#: restraints add beside the diagonal.
GROMACS = {
    "no": (31.51, (11.192358904780, 179.077742476470, 76.820281573713)),
    "all": (74.116036525574, (-13.687318146252, -39.695724536012, -22.029073808097)),
    "com": (49.855839821971, (37.405022700155, 232.712763702739, -93.449513393708)),
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
    middle = MASSES @ POINTS[:2] / MASSES.sum()  # of the first molecule alone
    points = {"no": POINTS, "all": POINTS @ went, "com": POINTS - middle + middle @ went}
    return 0.5 * (STIFF * (inside - points[scaling]) ** 2).sum()


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
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


def test_centre_without_mass_is_refused(here):
    (here / "conf.gro").write_text(gro(PLACES[:3], BOX))
    top = TOP.replace("[ moleculetype ]", "M 0 0.0 0.0 V 0 0\n[ moleculetype ]")
    head = top.split("[ position_restraints ]")[0]
    site = "3 M 1 R M3 3 0 0\n[ virtual_sites2 ]\n3 1 2 1 0.5\n[ position_restraints ]\n3 1 9 9 9\n"
    (here / "topol.top").write_text(head + site + "[ system ]\nx\n[ molecules ]\nP 1\n")
    (here / "grompp.mdp").write_text("rcoulomb = 0.9\nrvdw = 0.9\nrefcoord-scaling = com\n")
    with pytest.raises(au.errors.InputError, match="needs a centre of mass"):
        au.from_gromacs("conf.gro", "topol.top", "grompp.mdp", references="conf.gro", maxwarn=9)
