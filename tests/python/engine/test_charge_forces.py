# SPDX-License-Identifier: Apache-2.0
"""Errors of electrostatic forces are measured right: three programs and sums agree on them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import aureole as au
import pytest
from charge_forces import electrolyte, ours, pppm, rms, water

#: What makes the charges, and a usual cut-off in the unit of the system.
SYSTEMS = {"electrolyte": (electrolyte, 3.0), "water": (water, 0.9)}


@cache
def charges(name):
    return SYSTEMS[name][0]()


@pytest.mark.parametrize("name", SYSTEMS)
def test_sums_of_ewald_are_those_of_a_fine_mesh(name):
    """Splines of order 8, and both programs' cut-offs as far as the box allows."""
    given = charges(name)
    edge = given.system.box.lx
    spec = au.PME(r_cut=0.49 * edge, spacing=edge / 64, order=8, tolerance=1e-13)
    assert rms(ours(given, spec) - given.exact) < 1e-7
    assert 1 < rms(given.exact) < 10


@pytest.mark.parametrize("accuracy", [1e-3, 1e-4, 1e-5])
@pytest.mark.parametrize("name", SYSTEMS)
def test_meshes_found_for_an_accuracy_have_it(name, accuracy, tmp_path):
    """Measured, by the estimate that the log prints, and beside LAMMPS' mesh for the same."""
    given, r_cut = charges(name), SYSTEMS[name][1]
    spec = au.PME(r_cut=r_cut, accuracy=accuracy)
    measured = given.error(ours(given, spec))
    theirs = given.error(pppm(tmp_path, given, accuracy, r_cut).force)
    print(f"{name} {accuracy:g}: {measured:.3g}, of LAMMPS {theirs:.3g}")
    assert 0.3 < measured / accuracy < 1.0
    assert 0.5 < measured / theirs < 2.0


@pytest.mark.parametrize("accuracy", [1e-3, 1e-4, 1e-5])
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_mesh_of_lammps_errs_as_it_says(name, accuracy, tmp_path):
    """Its estimate is for charges without correlations: neutral molecules err less."""
    given = charges(name)
    theirs = pppm(tmp_path, given, accuracy, SYSTEMS[name][1])
    measured = given.error(theirs.force)
    print(f"{name} {accuracy:g}: {measured:.3g}, by its estimate {theirs.estimate:.3g}")
    assert 0.3 < measured / accuracy < 1.25
    assert 0.4 < measured / theirs.estimate < 1.05


def test_the_row_of_the_page_for_users_of_lammps(tmp_path):
    """The spec that stands there beside `pppm 1e-5` errs as that does."""
    page = Path(__file__).parents[3] / "docs/howto/from-hoomd-or-lammps.md"
    (row,) = [line for line in page.read_text().splitlines() if "kspace_style pppm 1e-5" in line]
    spec = eval(re.search(r"`(au\.PME\([^`]*\))`", row)[1], {"au": au})
    given = charges("electrolyte")
    measured = given.error(ours(given, spec))
    assert 0.3e-5 < measured < 1e-5
    assert 0.5 < measured / given.error(pppm(tmp_path, given, 1e-5, spec.r_cut).force) < 2.0
