# SPDX-License-Identifier: Apache-2.0
"""Effects of the arguments of a potential that reads a column of the user's."""

from __future__ import annotations

import aureole as au
import numpy as np
from effects import pair, refuses, shows

SIGMA = 1.2  # the mean of the diameters below


def spheres(**changes):
    return au.SoftSpheres(**({"epsilon": 20.0, "r_cut": 1.4} | changes))


def overlap_energy(r, epsilon=20.0):
    return 0.5 * epsilon * max(0.0, 1 - r / SIGMA) ** 2


def energy_of(force, distance, diameters=(1.0, 1.4)):
    system = pair(distance)
    if diameters is not None:
        system.columns["diameter"] = np.array(diameters)
    with au.Simulation(system, [force], precision="double", threads=1) as sim:
        return sim.energy.potential


@shows("SoftSpheres.epsilon")
def strength(_):
    for epsilon in (20.0, 35.0):
        found = energy_of(spheres(epsilon=epsilon), 0.9)
        assert np.isclose(found, overlap_energy(0.9, epsilon), rtol=1e-12)
    assert energy_of(spheres(), 1.25) == 0.0
    assert energy_of(spheres(), 1.25, diameters=(1.4, 1.4)) > 0.0
    refuses("no column 'diameter'", lambda: energy_of(spheres(), 0.9, diameters=None))


@shows("SoftSpheres.r_cut")
def cut_off(_):
    assert energy_of(spheres(r_cut=0.8), 0.9) == 0.0
    assert energy_of(spheres(r_cut=1.0), 0.9) > 0.0


@shows("SoftSpheres.mode")
def mode(_):
    r, rc = 0.9, 1.1
    slope = -20.0 / SIGMA * (1 - rc / SIGMA)
    shifted = overlap_energy(r) - overlap_energy(rc)
    want = {"none": overlap_energy(r), "shift": shifted, "force-shift": shifted - slope * (r - rc)}
    for name, value in want.items():
        assert np.isclose(energy_of(spheres(r_cut=rc, mode=name), r), value, rtol=1e-12), name


@shows("SoftSpheres.r_switch")
def switch(_):
    r, rc = 1.04, 1.1
    for start in (1.0, 1.02):
        a, b, c = rc**2 - r**2, start**2, rc**2
        smooth = a * a * (c + 2 * r**2 - 3 * b) / (c - b) ** 3
        found = energy_of(spheres(r_cut=rc, mode="xplor", r_switch=start), r)
        assert np.isclose(found, smooth * overlap_energy(r), rtol=1e-10), start


@shows("SoftSpheres.tail_correction")
def no_tail(_):
    refuses("tail correction", lambda: energy_of(spheres(tail_correction=True), 0.9))
