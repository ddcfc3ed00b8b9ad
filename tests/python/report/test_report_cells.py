# SPDX-License-Identifier: Apache-2.0
"""Every cell of the table of quantities and every curve of the charts, from the columns of a file.

What is expected is computed here with numpy from the numbers of the table; what is there is read
from the page.
"""

from __future__ import annotations

import base64
import html
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
import report_run
from aureole.analysis.statistics import BLOCKS
from aureole.report.page import render
from aureole.report.write import collect

WINDOW = 0.05  # part of the run, as the page says below its charts
UNITS = {
    **dict.fromkeys(("harmonic_bond", "potential", "kinetic", "total", "conserved"), "kJ/mol"),
    **{"temperature": "K", "pressure": "bar", "density": "kg/m³"},
    **{f"box_{axis * 2}": "nm" for axis in "xyz"},
}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The text of the page of a run whose averages are made from its table."""
    prefix = report_run.write(tmp_path_factory.mktemp("run"))
    path = Path(f"{prefix}.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"averages": {}}))
    return render(collect(prefix))


def columns() -> dict[str, np.ndarray]:
    """Those of the table, with the ten digits that the file has."""
    return {
        name: np.array([float(f"{one:.10g}") for one in column])
        for name, column in report_run.energies().items()
    }


def value(text: str) -> float:
    return float(html.unescape(text).replace("−", "-").replace(",", "").replace("–", "nan"))


def digits(text: str) -> float:
    """Half of the last digit of a number as it is written."""
    if "e" in text:
        return 0.006 * abs(value(text))
    _, point, decimals = text.partition(".")
    if point:
        return 0.51 * 10.0 ** -len(decimals)
    return 0.51 * 10.0 ** (len(text) - len(text.rstrip("0")))


def test_cells_are_those_of_the_columns(page):
    body = re.search(r'<table class="averages">.*?<tbody>(.*?)</tbody>', page, re.S)[1]
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.S)
    table = columns()
    time, seen = table["time"], {}
    for row in rows:
        name = re.search(r'data-spark="(\w+)"', row)[1]
        cells = [html.unescape(cell) for cell in re.findall(r"<td>(.*?)</td>", row)]
        seen[name] = cells
    assert set(seen) == set(table) - {"step", "time"}
    for name, (mean, error, spread, drift, unit) in seen.items():
        column = table[name]
        assert unit == UNITS[name], name
        assert value(mean) == pytest.approx(column.mean(), abs=digits(mean)), name
        if np.ptp(column) == 0:
            assert (value(spread), value(drift)) == pytest.approx((0, 0), abs=1e-12)
            continue
        rise = np.polyfit(time - time.mean(), column, 1)[0] * (time[-1] - time[0])
        of_blocks = column.reshape(BLOCKS, -1).mean(axis=1).std(ddof=1) / math.sqrt(BLOCKS)
        for text, wanted in ((error, of_blocks), (spread, column.std(ddof=1)), (drift, rise)):
            assert value(text) == pytest.approx(wanted, abs=digits(text), rel=2e-3), (name, text)


def numbers(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind).astype(float)


def test_curves_are_those_of_the_columns(page):
    """Samples and running averages count from one origin; the dashed line is the mean."""
    text = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1]
    data, table = json.loads(text), columns()
    assert f"{100 * WINDOW:.0f} % of the run" in re.sub(r"\s+", " ", page)
    half = round(WINDOW * len(table["time"]) / 2)
    series = [one for chart in data["large"] for one in chart["series"]]
    series += [one for chart in data["small"].values() for one in chart["series"]]
    assert len(series) > 10
    for one in series:
        column = table[one["column"]]
        slack = 2e-6 * np.ptp(column) + 1e-9 * np.abs(column).max()
        np.testing.assert_allclose(numbers(one["x"], "<f8"), table["time"], rtol=1e-9)
        samples = numbers(one["y"], "<f4") + one["origin"]
        np.testing.assert_allclose(samples, column, rtol=0, atol=slack)
        smooth = np.full(len(column), np.nan)
        for k in range(half, len(column) - half):
            smooth[k] = column[k - half : k + half + 1].mean()
        drawn = numbers(one["average"], "<f4") + one["origin"]
        np.testing.assert_allclose(drawn, smooth, rtol=0, atol=slack)
        assert one["mean"] == pytest.approx(column.mean(), rel=1e-9)
        mean, _, error = one["words"].partition(" ± ")
        assert value(mean) == pytest.approx(column.mean(), abs=digits(mean))
        assert error and value(error) < 3 * column.std()
