# SPDX-License-Identifier: Apache-2.0
"""In reduced units nothing is water's, and no page speaks of picoseconds."""

from __future__ import annotations

import re
from pathlib import Path

import aureole as au
import pytest
from aureole.cli.main import main
from coupled_melt import melt


@pytest.mark.parametrize("kind", [au.CRescale, au.BerendsenBarostat, au.ParrinelloRahman])
def test_a_barostat_needs_a_compressibility(kind):
    with pytest.raises(au.InputError, match=r"has no compressibility .*reduced units"):
        melt(kind(P=5.0, tau=1.0))


def test_a_compressibility_that_is_given_moves_the_box():
    """dV/V = compressibility (P - P_ref) dt / tau: by percents where water's did nothing."""
    moved = {}
    for compressibility in (0.05, 4.5e-5):
        sim = melt(au.CRescale(P=5.0, tau=1.0, compressibility=compressibility))
        before = sim.box.volume
        moved[compressibility] = abs(sim.run(1000).box.volume / before - 1)
    assert moved[0.05] > 0.01 > 0.005 > moved[4.5e-5]


def test_the_page_has_no_units_of_molecules(here):
    sim = melt(observers=[au.RunLog("run.log", 50), au.Energies("run.csv", 10)])
    sim.run(200).close()
    assert main(["report", "run", "-o", "page.html"]) == 0
    page = Path("page.html").read_text()
    seen = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.S)
    seen = re.sub(r"<[^>]*>", " ", seen)
    assert not re.search(r"\d\s*(ps|ns|nm|K|bar|kJ/mol|kg/m³)\b", seen)
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1]
    assert not re.search(r'"unit": ?"(ps|nm|K|bar|kJ/mol|kg/m)', data)
    assert re.search(r"Simulated\s+0\.8000\s", seen)


def test_advice_has_no_units_of_molecules():
    sim = melt()
    sim.integrator = au.NVE(dt=0.004)
    with pytest.raises(au.InputError, match=r"sim.thermalize\(kT=1.0\)"):
        sim.thermalize()
