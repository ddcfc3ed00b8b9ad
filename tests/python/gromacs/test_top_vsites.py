# SPDX-License-Identifier: Apache-2.0
"""Virtual sites whose parameters are left open, and terms that sites make constant."""

from __future__ import annotations

import numpy as np
import pytest
from aureole.gromacs.rigid_bonds import constrain_bonds
from aureole.gromacs.top.virtual_site_geometry import Geometry, Unknown, site_parameters
from top_tools import ATOMS, sites, top


def length(a, b):
    return float(np.linalg.norm(a - b))


def angle(a, b, c):
    one, two = (a - b) / length(a, b), (c - b) / length(c, b)
    return float(np.arccos(one @ two))


def geometry(x):
    """Every length and angle of some points."""
    n = range(len(x))
    return Geometry(
        (((i, j), length(x[i], x[j])) for i in n for j in n if i != j),
        (
            ((i, j, k), angle(x[i], x[j], x[k]))
            for i in n
            for j in n
            for k in n
            if len({i, j, k}) == 3
        ),
    )


def unit(v):
    return v / np.linalg.norm(v)


# Constructions as the reference manual of GROMACS writes them, section "Virtual interaction sites".


def placed(kind, x, values):
    j, k, el = x[1:4]
    if kind == "vsite3":
        a, b = values
        return (1 - a - b) * j + a * k + b * el
    if kind == "vsite3fd":
        a, b = values
        return j - b * unit((1 - a) * (k - j) + a * (el - j)) * -1.0
    if kind == "vsite3fad":
        theta, d = values
        along = unit(k - j)
        across = unit((el - k) - along * (along @ (el - k)))
        return j + d * np.cos(theta) * along + d * np.sin(theta) * across
    if kind == "vsite3out":
        a, b, c = values
        return j + a * (k - j) + b * (el - j) + c * np.cross(k - j, el - j)
    a, b, c = values
    one, two = a * (el - j) - (k - j), b * (x[4] - j) - (k - j)
    return j + c * unit(np.cross(one, two))


def seen(kind, x, values):
    """The bonds and angles that the placed site has, and those that it should have."""
    site = placed(kind, x, values)
    others = x[2:5] if kind == "vsite4fdn" else x[2:4] if kind != "vsite3fad" else x[2:3]
    for p in (site, x[0]):
        yield np.array([length(p, x[1]), *(angle(p, x[1], other) for other in others)])


K, L, M = np.array([1.1, 0.1, 0.2]), np.array([-0.4, 1.0, 0.1]), np.array([-0.5, -0.7, 0.8])
J = np.array([0.1, -0.1, 0.0])


def corner(kind):
    """A site and its particles for which the construction is exact."""
    if kind == "vsite3fd":  # in the plane, opposite to the two
        site = J - 0.9 * unit(unit(K - J) * 0.6 + unit(L - J) * 0.4)
    elif kind == "vsite3fad":
        site = J + np.array([-0.3, -0.5, 0.0])
    elif kind == "vsite4fdn":  # a direction that is normal to the plane of scaled bonds
        site = J - 0.8 * unit(unit(K - J) + unit(L - J) + unit(M - J))
        return np.array([site, J, K, M, L])  # the order tells the side
    else:
        site = J + np.array([-0.2, -0.3, 0.7])
    return np.array([site, J, K, L, M])


@pytest.mark.parametrize("kind", ["vsite3fd", "vsite3fad", "vsite3out", "vsite4fdn"])
def test_a_site_has_the_bonds_and_angles_that_it_was_made_from(kind):
    x = corner(kind)
    particles = (0, 1, 2, 3, 4)[: 5 if kind == "vsite4fdn" else 4]
    values = site_parameters(kind, particles, geometry(x), False, False)
    got, wanted = seen(kind, x, values)
    assert got == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("kind", ["vsite3fad", "vsite3out"])
def test_the_other_side_mirrors(kind):
    x = corner(kind)
    here, there = (
        placed(kind, x, site_parameters(kind, (0, 1, 2, 3), geometry(x), swapped, False))
        for swapped in (False, True)
    )
    along = unit(K - J)
    normal = unit(np.cross(K - J, L - J))
    if kind == "vsite3out":
        assert here - there == pytest.approx(2 * normal * (normal @ (here - J)), abs=1e-12)
    else:
        mean = 0.5 * (here + there) - J
        assert mean == pytest.approx(along * (along @ mean), abs=1e-12)


def methyl():
    """j, two masses, a heavy atom and its three hydrogens; the masses as grompp wants them."""
    j, heavy = np.zeros(3), np.array([0.15, 0.0, 0.0])
    turn = np.deg2rad([0.0, 120.0, 240.0])
    out, up = 0.109 * np.cos(np.deg2rad(70.5)), 0.109 * np.sin(np.deg2rad(70.5))
    rest = [heavy + np.array([out, up * np.cos(t), up * np.sin(t)]) for t in turn]
    masses = [np.array([0.17, 0.05, 0.0]), np.array([0.17, -0.05, 0.0])]
    return np.array([j, *masses, heavy, *rest])


def test_a_methyl_group_on_two_masses():
    x = methyl()
    of = geometry(x)
    for site, kind, swapped in (
        (3, "vsite3", False), (4, "vsite3", False), (5, "vsite3out", False), (6, "vsite3out", True)
    ):  # fmt: skip
        values = site_parameters(kind, (site, 0, 1, 2), of, swapped, True)
        where = placed(kind, np.array([x[site], x[0], x[1], x[2]]), values)
        assert length(where, x[3]) == pytest.approx(length(x[site], x[3]), abs=1e-12)
        assert length(where, x[0]) == pytest.approx(length(x[site], x[0]), abs=1e-12)


def test_hydrogens_of_a_methyl_group_are_equally_far_apart():
    x = methyl()
    of = geometry(x)
    rows = [(4, "vsite3", False), (5, "vsite3out", False), (6, "vsite3out", True)]
    hydrogens = [
        placed(kind, x[[site, 0, 1, 2]], site_parameters(kind, (site, 0, 1, 2), of, swapped, True))
        for site, kind, swapped in rows
    ]
    sides = [length(hydrogens[i], hydrogens[j]) for i, j in ((0, 1), (1, 2), (0, 2))]
    assert sides == pytest.approx([length(x[4], x[5])] * 3, abs=1e-12)


def test_what_closes_no_figure():
    far = Geometry(
        [((0, 1), 1.0), ((1, 2), 1.0), ((1, 3), 1.0)],
        [((0, 1, 2), 0.1), ((0, 1, 3), 0.1), ((2, 1, 3), 3.0)],
    )
    with pytest.raises(Unknown, match="are inconsistent"):
        site_parameters("vsite3out", (0, 1, 2, 3), far, False, False)
    with pytest.raises(Unknown, match="except on the masses"):
        site_parameters("vsite2", (0, 1, 2), far, False, False)


# What becomes constant --------------------------------------------------------------------------


def terms(folder, kind, ring, more=""):
    made = top(folder, atoms=ATOMS + sites(kind, ring) + more)
    return constrain_bonds(made, "none").blocks[0][0].terms


@pytest.mark.parametrize(
    "kind, ring, left",
    [
        (1, True, (2, 1, 2, 0)),  # within one construction whose particles are rigid
        (1, False, (3, 2, 2, 0)),  # dihedrals are dropped whether these are rigid or not
        (2, False, (2, 2, 2, 0)),  # at a fixed distance from the first
        (3, False, (2, 1, 2, 0)),  # and at a fixed angle with the second
        (4, True, (2, 1, 2, 0)),
        (4, False, (3, 2, 2, 0)),
    ],
)
def test_constant_terms_are_dropped(tmp_path, kind, ring, left):
    found = terms(tmp_path, kind, ring)
    names = ("harmonic_bond", "harmonic_angle", "periodic_dihedral", "harmonic_improper")
    assert tuple(found[k].n if k in found else 0 for k in names) == left
    assert found["ryckaert_bellemans"].n == 1
    assert found["fene_bond"].n == 1
    assert ("quartic_angle" in found) == (left[1] == 2)


def test_constraints_to_sites_are_dropped_if_they_are_constant(tmp_path):
    assert "constraint" not in terms(tmp_path, 4, False, "[ constraints ]\n1 5 1 0.1\n")
