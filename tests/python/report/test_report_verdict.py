# SPDX-License-Identifier: Apache-2.0
"""What the page about a run says of the drift of the conserved quantity."""

from __future__ import annotations

import numpy as np
import pytest
from aureole.analysis.statistics import slope
from aureole.report.energies import Energies
from aureole.report.verdict import of_conserved
from aureole.report.write import write as write_page
from report_run import write

N = 1000
TIME = np.arange(2000) * 0.5  # ps


def table(drift: float, noise: float = 0.5, length: int = 2000) -> Energies:
    """A conserved quantity that drifts by so much per particle [kJ/mol/ps], and oscillates."""
    random = np.random.default_rng(5)
    time = TIME[:length]
    values = -31234.5 + drift * N * time + noise * random.normal(size=length) + np.sin(time / 3)
    return Energies({"time": time, "conserved": values}, {"time": "ps", "conserved": "kJ/mol"})


def said(drift: float, tolerance: float | None, **options: float) -> str:
    settings = {} if tolerance is None else {"verlet-buffer-tolerance": tolerance}
    return of_conserved({"settings": settings}, table(drift, **options), N)


def test_slope_is_that_of_a_straight_line():
    of = table(3e-5)
    found, error = slope(of.time, of.columns["conserved"])
    assert found == pytest.approx(3e-5 * N, abs=3 * error)
    assert found == pytest.approx(np.polyfit(of.time, of.columns["conserved"], 1)[0], abs=error)
    assert 1e-5 < error < 3e-3


def test_verdicts():
    within = said(3e-5, 5e-3)
    assert "drifts by 30" in within and "10⁻⁶ kJ/mol/ps per particle (999.5 ps)" in within
    assert within.endswith("within the tolerated 0.005 kJ/mol/ps (verlet-buffer-tolerance).")
    assert "drifts by 0.0030" in said(3e-3, 5e-3) and "10⁻⁶" not in said(3e-3, 5e-3)
    assert "more than the tolerated 1e-05 kJ/mol/ps" in said(3e-5, 1e-5)
    assert "more than the tolerated" in said(-3e-5, 1e-5)
    assert "no tolerance was set" in said(3e-5, None)
    assert "no tolerance was set" in said(3e-5, -1.0)
    assert "too short to tell whether" in said(0.0, 1e-6, length=200)
    assert "too short to tell how" in said(0.0, 1e-6, length=10)
    assert of_conserved({}, table(0.0), None) == ""


def test_it_stands_on_the_page(tmp_path):
    page, _ = write_page(write(tmp_path), None)
    assert "The conserved quantity drifts by" in page.read_text()
