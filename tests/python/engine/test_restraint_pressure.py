# SPDX-License-Identifier: Apache-2.0
"""Pressure of restraints, beside GROMACS and the box's slope; where the centre of references is."""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest
from aureole.gromacs.restraint_references import weights_of_centre
from aureole.gromacs.top.read import read_top

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
[ {directive} ]
{lines}
[ system ]
x
[ molecules ]
P 2
"""
LINES = {
    "harmonic": "1 1 1000 2000 3000\n2 1 1500 500 700",
    "flat": "1 2 1 0.02 1000\n1 2 6 -0.3 2000\n2 2 5 0.03 1500\n2 2 8 0.01 700",
}
#: gmx_d 2022.5: energy [kJ/mol] and the diagonal of the pressure [bar]. It leaves out what the
#: restraints add beside the diagonal.
GROMACS = {
    ("harmonic", "no"): (31.51, (11.192358904780, 179.077742476470, 76.820281573713)),
    ("harmonic", "all"): (74.116036525574, (-13.687318146252, -39.695724536012, -22.029073808097)),
    ("harmonic", "com"): (49.855839821971, (37.405022700155, 232.712763702739, -93.449513393708)),
    ("flat", "no"): (100.104033205868, (2.91373581408, -416.923441865126, -120.903839977243)),
    ("flat", "all"): (84.541789593508, (-7.260428801727, 0.470084286517, 10.916023613742)),
    ("flat", "com"): (89.63382976965, (9.624041471782, -224.662371955662, 9.494458032348)),
}


def gro(points, box):
    lines = [
        f"{1:5d}{'R':<5}{'A':>5}{i + 1:5d}" + "".join(f"{v:8.3f}" for v in x)
        for i, x in enumerate(points)
    ]
    numbers = [*np.diag(box), 0, 0, box[1, 0], 0, box[2, 0], box[2, 1]]
    return "\n".join(["x", str(len(points)), *lines, " ".join(map(str, numbers)), ""])


def energy(box, kind, scaling):
    """Of particles that went with the box, in the frame of its corner."""
    inside = PLACES @ np.linalg.inv(BOX) @ box
    went = np.linalg.inv(THEN) @ box
    middle = MASSES @ POINTS[:2] / MASSES.sum()  # of the first molecule alone
    points = {"no": POINTS, "all": POINTS @ went, "com": POINTS - middle + middle @ went}
    away = inside - points[scaling]
    if kind == "harmonic":
        return 0.5 * (STIFF * away**2).sum()
    x, y, z = np.abs(away).T
    sphere, along_x, along_z = np.hypot(np.hypot(x, y), z), np.hypot(y, z), np.hypot(x, y)
    first = 1000 * np.maximum(sphere - 0.02, 0) ** 2 + 2000 * np.minimum(along_x - 0.3, 0) ** 2
    second = 1500 * np.maximum(z - 0.03, 0) ** 2 + 700 * np.maximum(along_z - 0.01, 0) ** 2
    return 0.5 * (first[::2].sum() + second[1::2].sum())


def simulation(here, top, scaling="no", algorithm="clusters", places=PLACES):
    (here / "conf.gro").write_text(gro(places, BOX))
    (here / "ref.gro").write_text(gro(POINTS, THEN))
    (here / "topol.top").write_text(top)
    (here / "grompp.mdp").write_text(
        "dt = 1e-9\nnsteps = 0\nrcoulomb = 0.9\nrvdw = 0.9\ncomm-mode = none\n"
        "verlet-buffer-tolerance = -1\nrlist = 1.0\n"
        f"refcoord-scaling = {scaling}\n"
    )
    return au.from_gromacs(
        "conf.gro",
        "topol.top",
        "grompp.mdp",
        references="ref.gro",
        device=au.Device(algorithm=algorithm),
        precision="double",
        threads=1,
    )


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
@pytest.mark.parametrize(("kind", "scaling"), GROMACS)
def test_pressure(here, kind, scaling, algorithm):
    top = TOP.format(directive="position_restraints", lines=LINES[kind])
    sim = simulation(here, top, scaling, algorithm)
    wanted, pressure = GROMACS[kind, scaling]
    assert sim.energy.potential == pytest.approx(wanted, rel=1e-9)
    volume = np.linalg.det(BOX)
    assert np.diag(sim.virial) / volume * BAR == pytest.approx(pressure, rel=1e-8)
    # The virial is minus the slope of the energy by a strain of the box.
    h = 1e-5
    for axis in range(3):
        strain = np.eye(3)
        strain[axis, axis] += h
        up = energy(BOX @ strain, kind, scaling)
        strain[axis, axis] -= 2 * h
        down = energy(BOX @ strain, kind, scaling)
        assert sim.virial[axis, axis] == pytest.approx(-(up - down) / (2 * h), rel=1e-6)


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_pressure_of_angles_with_an_axis(here, algorithm):
    """They turn the system; a symmetric tensor is the mean of gmx_d's and its transpose."""
    gromacs = [
        [89.987950093755, 21.55260919396, 121.984810729708],
        [21.55260919396, 5.254450177733, 27.460891822214],
        [-49.994249976353, -10.526358531225, -95.242400271488],
    ]
    top = TOP.format(directive="angle_restraints_z", lines="1 2 1 40 900 2")
    sim = simulation(here, top, algorithm=algorithm, places=np.round(PLACES / 2, 3))
    assert sim.energy.potential == pytest.approx(1780.460371820219, rel=1e-9)
    wanted = (np.array(gromacs) + np.transpose(gromacs)) / 2
    assert sim.virial / np.linalg.det(BOX) * BAR == pytest.approx(wanted, rel=1e-8)


def test_whom_the_centre_counts(tmp_path):
    """gmx_d 2022.5 has the centre at 0.570063 0.460064 0.296784 of the box for these molecules."""
    top = TOP.format(
        directive="position_restraints", lines="1 1 9 9 9\n2 2 1 1 9\n2 2 5 1 9\n1 2 5 1 9"
    )
    other = (
        "[ moleculetype ]\nQ 1\n[ atoms ]\n1 A 1 R A 1 0 5\n2 A 1 R A 2 0 3\n3 A 1 R A 3 0 9\n"
        "[ position_restraints ]\n1 2 1 1 9\n3 2 1 1 9\n[ system ]"
    )
    path = tmp_path / "a.top"
    path.write_text(top.replace("[ system ]", other).replace("P 2", "P 1\nQ 2"))
    weights = weights_of_centre(read_top(path))
    # Not the first of Q: it has the number of a particle that a harmonic restraint holds.
    assert weights.tolist() == [16, 2 * 4, 0, 0, 9, 0, 0, 0]
    rng = np.random.default_rng(1)
    places = np.round(rng.uniform(0.3, 2.5, (9, 3)), 3)
    points = np.round(places + rng.normal(0, 0.1, (9, 3)), 3)[[0, 1, 3, 4, 5, 6, 7, 8]]
    centre = weights @ points / weights.sum() / [2.9, 3.3, 3.1]
    assert centre == pytest.approx([0.570063, 0.460064, 0.296784], abs=1e-6)


def test_centre_without_mass_is_refused(here):
    (here / "conf.gro").write_text(gro(PLACES[:3], BOX))
    top = TOP.replace("[ moleculetype ]", "M 0 0.0 0.0 V 0 0\n[ moleculetype ]")
    head = top.split("[ {directive} ]")[0]
    site = "3 M 1 R M3 3 0 0\n[ virtual_sites2 ]\n3 1 2 1 0.5\n[ position_restraints ]\n3 1 9 9 9\n"
    (here / "topol.top").write_text(head + site + "[ system ]\nx\n[ molecules ]\nP 1\n")
    (here / "grompp.mdp").write_text("rcoulomb = 0.9\nrvdw = 0.9\nrefcoord-scaling = com\n")
    with pytest.raises(au.InputError, match="have no centre of mass"):
        au.from_gromacs("conf.gro", "topol.top", "grompp.mdp", references="conf.gro", maxwarn=9)
