# SPDX-License-Identifier: Apache-2.0
"""Numbers in the texts of a page: each with its error and its unit, whenever the run began."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
import report_run
from aureole.analysis.statistics import slope
from aureole.report import facts, verdict
from aureole.report.energies import Energies
from aureole.report.page import render
from aureole.report.write import collect

LATER_STEPS, LATER = 1_234_500, 2469.0  # of a run that another one went before [ps]
N = 1000


def run(folder: Path, steps: int = 0, time: float = 0.0) -> Path:
    """The run of `report_run`, begun so much later [ps], with all digits of its numbers."""
    folder.mkdir()
    prefix, table = report_run.write(folder), report_run.energies()
    table["step"], table["time"] = table["step"] + steps, table["time"] + time
    rows = np.column_stack(list(table.values()))
    lines = [",".join(table), *(",".join(f"{value:.17g}" for value in row) for row in rows)]
    Path(f"{prefix}.csv").write_text("\n".join(lines) + "\n")
    return prefix


def told(prefix: Path, begin: float) -> dict[str, object]:
    """What the page says of lengths of time, means and drift, without names of files."""
    path = Path(f"{prefix}.json")
    summary = json.loads(path.read_text())
    # It ended some steps after its last energies.
    path.write_text(json.dumps(summary | {"time": begin + 2.345, "averages": {}}))
    of = collect(prefix)
    parts = of.run, of.energies
    count = facts.particles(of.run, of.names)
    means = {name: [one.mean, one.error, one.spread, one.drift] for name, one in of.means.items()}
    return {
        "figures": facts.figures(of.run, of.names, of.energies, of.means),
        "run": [row for row in facts.run_rows(*parts) if row[0] != "Steps"],
        "drift": verdict.of_conserved(of.run.summary, of.energies, count),
        "means": np.array(list(means.values())),
        "averages": [one["series"][0]["average"] for one in of.small.values()],
    }


def test_a_run_that_began_later_is_as_long(tmp_path):
    """All but steps and times of a run that goes on from another one is that of a first run."""
    first = told(run(tmp_path / "first"), 0.0)
    second = told(run(tmp_path / "second", LATER_STEPS, LATER), LATER)
    assert ("Simulated time", "2.345 ps") in first["run"]
    np.testing.assert_allclose(second.pop("means"), first.pop("means"), rtol=1e-6, atol=1e-8)
    assert second == first


def significant(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


@pytest.mark.parametrize("drift", [3e-5, -4.2e-6, 3e-3, -0.25])
@pytest.mark.parametrize("noise", [0.01, 20.0])
def test_drift_and_its_error_have_one_unit(drift, noise):
    """The sentence has the slope and its error, whatever power of ten it is written with."""
    time = np.arange(2000) * 0.5
    random = np.random.default_rng(11)
    values = -31234.5 + drift * N * time + noise * random.normal(size=len(time))
    of = Energies({"time": time, "conserved": values}, {"time": "ps", "conserved": "kJ/mol"})
    found, error = (value / N for value in slope(time, values))
    words = verdict.of_conserved({}, of, N)
    value, off, power = re.search(r"drifts by (\S+) ± (\S+)( · 10⁻⁶)? kJ/mol/ps", words).groups()
    scale = 1e-6 if power else 1.0
    assert scale * significant(off) == pytest.approx(error, rel=0.06)
    assert scale * significant(value) == pytest.approx(found, abs=0.06 * error)


def test_profile_adds_up(tmp_path):
    """Time of a part is its share of the whole, and that of a call times their number."""
    prefix = report_run.write(tmp_path)
    path = Path(f"{prefix}.json")
    given = [("mesh", 1.25, 100), ("pair_forces", 3.5, 4_000), ("lists", 0.25, 7), ("rest", 5.0, 0)]
    rows = [{"part": part, "seconds": time, "calls": calls} for part, time, calls in given]
    path.write_text(json.dumps(json.loads(path.read_text()) | {"profile": rows}))
    table = re.search(r'<table class="profile">(.*?)</table>', render(collect(prefix)), re.S)[1]
    shown = re.findall(
        r'<i style="width:([\d.]+)%"></i></td>\s*<td>([\d.]+) %</td><td>([\d.]+) s</td>\s*'
        r'<td class="each">(?:([\d.,]+) ms × ([\d,]+))?</td>',
        table,
    )
    assert len(shown) == len(given)
    longest, whole = 5.0, 10.0
    times = sorted(given, key=lambda row: (row[0] == "rest", -row[1]))
    for (width, share, time, each, calls), (_, seconds, count) in zip(shown, times, strict=True):
        assert float(width) == pytest.approx(100 * seconds / longest, abs=0.006)
        assert float(share) == pytest.approx(100 * seconds / whole, abs=0.06)
        assert float(time) == pytest.approx(seconds, rel=5e-3)
        assert bool(calls) == bool(count)
        if count:
            assert significant(calls) == count
            assert 1e-3 * significant(each) * count == pytest.approx(seconds, rel=5e-3)
