# SPDX-License-Identifier: Apache-2.0
"""Systems that do not repeat: GROMACS no longer computes them, so other ways must do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from aureole.base.units import COULOMB
from aureole.gromacs.job import read_job
from aureole.jobs.from_gromacs import simulation_of
from miniatures import RF, Miniature, soup, soup_topology


def point(one, folder, precision="double"):
    """Energies by term, and forces."""
    conf, top, mdp, _ = one.write(folder)
    job = read_job(conf, top, mdp)
    assert not job.count("error"), [str(note) for note in job.notes]
    with simulation_of(job, precision=precision, threads=1) as sim:
        return sim.energy.per_force, sim.get("force"), job


def system(options, box=(2.0, 2.0, 2.2)):
    return Miniature("soup", soup_topology(), soup(), box, options)


@pytest.mark.parametrize("precision", ["double", "mixed"])
def test_without_cut_off_as_by_hand(tmp_path, precision):
    options = {"pbc": "no", "rcoulomb": "0", "rvdw": "0", "rlist": "0"}
    energy, force, job = point(system(options), tmp_path, precision)
    n = job.topology.n
    atoms, tables = job.topology.expand_atoms(), job.topology.nonbonded
    exclusions = job.topology.expand_exclusions()
    acts = ~np.eye(n, dtype=bool)
    acts[np.repeat(np.arange(n), np.diff(exclusions.start)), exclusions.partner] = False
    d = job.coordinates.position[:, None] - job.coordinates.position
    r = np.where(acts, np.sqrt((d**2).sum(-1)), 1.0)
    c6, c12 = (table[atoms.type[:, None], atoms.type] * acts for table in (tables.c6, tables.c12))
    qq = COULOMB * np.outer(atoms.charge, atoms.charge) * acts
    slope = 12 * c12 / r**14 - 6 * c6 / r**8 + qq / r**3
    wanted = (slope[..., None] * d).sum(axis=1)
    near, far = (1e-12, 1e-12) if precision == "double" else (1e-5, 2e-5)
    size = 0.5 * np.abs(qq / r).sum()
    assert energy["vdw"] == pytest.approx(0.5 * (c12 / r**12 - c6 / r**6).sum(), abs=near * size)
    assert energy["coulomb"] == pytest.approx(0.5 * (qq / r).sum(), abs=near * size)
    assert np.sqrt(((force - wanted) ** 2).mean()) < far * np.sqrt((wanted**2).mean())


@pytest.mark.parametrize("pbc", ["no", "xy"])
@pytest.mark.parametrize("method", [{}, RF], ids=["cut-off", "reaction field"])
def test_as_in_a_box_with_room(tmp_path, pbc, method):
    """Where images are out of reach, it does not matter whether there are any."""
    one = system({**method, "pbc": pbc})
    edges = (4.5, 4.5, 4.7) if pbc == "no" else (2.0, 2.0, 4.7)
    energy, force, _ = point(one, tmp_path)
    roomy, same, _ = point(replace(one, box=edges, options=dict(method)), tmp_path)
    for name, value in energy.items():
        assert value == pytest.approx(roomy[name], rel=1e-12, abs=1e-12)
    np.testing.assert_allclose(force, same, rtol=1e-9, atol=1e-9)
