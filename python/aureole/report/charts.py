# SPDX-License-Identifier: Apache-2.0
"""The charts of the page: series, packed small, with the words of their read-outs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.analysis.statistics import Average, average

from .energies import PER_PARTICLE, Energies, words_of
from .files import number_of, section
from .numerals import short, with_error
from .pair_distribution import Distribution
from .scene import packed
from .series import running, thinned

Array = NDArray[np.float64]

#: Points of a series in a large chart, and in the table of all columns.
POINTS, FEW = 1200, 1000
#: Columns that are not averaged: the last is the particle with the largest force.
_NO_QUANTITIES = ("step", "time", "particle")
#: Separate charts, in this order: columns that share the axes, title; the first existing one.
_LARGE = (
    (("potential",), "Potential energy"),
    (("conserved",), "Conserved quantity"),
    (("total",), "Total energy"),
    (("temperature",), "Temperature"),
    (("pressure",), "Pressure"),
    (("density",), "Density"),
    (("box_xx", "box_yy", "box_zz"), "Box lengths"),
    (("max_force",), "Largest force"),
)


def fuller(energies: Energies | None, summary: dict[str, Any]) -> bool:
    """Whether a table has more rows than the samples that the run itself averaged."""
    samples = number_of(summary.get("samples"))
    return energies is not None and samples is not None and energies.n > samples


def averages(summary: dict[str, Any], energies: Energies | None) -> dict[str, Average]:
    """Column → average; what the run itself said, else taken from its energies.

    Columns of a `fuller` table are averaged here.
    """
    found: dict[str, Average] = {}
    for name, values in energies.columns.items() if energies else ():
        if name not in _NO_QUANTITIES:
            found[name] = average(energies.time, values)  # type: ignore[union-attr]
    for name, told in section(summary, "averages").items():
        mean = number_of(told.get("mean")) if isinstance(told, dict) else None
        if mean is not None and not (name in found and fuller(energies, summary)):
            rest = (number_of(told.get(word)) for word in ("error", "drift", "spread"))
            found[name] = Average(mean, *(math.nan if one is None else one for one in rest))
    return found


def large(energies: Energies, means: dict[str, Average]) -> list[dict[str, Any]]:
    """The charts of single quantities against time."""
    charts = []
    for names, title in _LARGE:
        if len(names) == 1 and energies.varying(f"{names[0]}{PER_PARTICLE}"):
            names, title = (f"{names[0]}{PER_PARTICLE}",), f"{title} per particle"
        columns = [name for name in names if energies.varying(name)]
        if names[0].startswith("total") and energies.varying("conserved"):
            continue
        if len(columns) > 1 and _alike(energies, columns):
            columns, title = columns[:1], "Box length (all edges equal)"
        if columns:
            charts.append(_time_chart(energies, columns, title, means, POINTS))
    return charts


def small(energies: Energies, means: dict[str, Average]) -> dict[str, dict[str, Any]]:
    """Column → chart, for every column that changes."""
    return {
        name: _time_chart(energies, [name], words_of(name), means, FEW)
        for name in energies.columns
        if name not in _NO_QUANTITIES and energies.varying(name)
    }


def _alike(energies: Energies, columns: list[str]) -> bool:
    table = np.array([energies.columns[name] for name in columns])
    return bool(np.nanmax(np.ptp(table, axis=0)) <= 1e-5 * np.nanmax(np.abs(table)))


def _time_chart(
    energies: Energies, names: list[str], title: str, means: dict[str, Average], points: int
) -> dict[str, Any]:
    return {
        "title": title,
        "unit": energies.units[names[0]],
        "x": {"name": "time" if energies.timed else "", "unit": energies.time_unit},
        "series": [_time_series(energies, name, means.get(name), points) for name in names],
    }


def ends(energies: Energies) -> dict[str, tuple[float, float]]:
    """Column → its first and last value."""
    return {
        name: (float(values[0]), float(values[-1]))
        for name, values in energies.columns.items()
        if name not in _NO_QUANTITIES
    }


def of_ends(chart: dict[str, Any], found: dict[str, tuple[float, float]]) -> dict[str, Any]:
    """A chart with the last values in place of running averages and means."""
    series = [
        {key: value for key, value in one.items() if key not in ("average", "mean")}
        | {"words": short(found[one["column"]][1], 6)}
        for one in chart["series"]
    ]
    return chart | {"series": series}


def _time_series(
    energies: Energies, name: str, mean: Average | None, points: int
) -> dict[str, Any]:
    values = energies.columns[name]
    rows = thinned(values, points)
    # Small differences of large numbers: single precision counts from the middle.
    finite = values[np.isfinite(values)]
    origin = float(finite.mean()) if len(finite) else 0.0
    smooth = running(values - origin)
    series = {
        "name": words_of(name),
        "column": name,
        "x": packed(energies.time[rows], "<f8"),
        "y": packed(values[rows] - origin, "<f4"),
        "average": packed(smooth[rows], "<f4"),
        "origin": origin,
    }
    if mean is not None and math.isfinite(mean.mean):
        series["mean"] = mean.mean
        series["words"] = " ± ".join(filter(None, with_error(mean.mean, mean.error)))
    return series


def distributions(found: list[Distribution], unit: str) -> dict[str, Any]:
    """The chart of pair distribution functions against distances in a unit."""
    series = []
    for of in found:
        one = {
            "name": of.name,
            "x": packed(of.r, "<f8"),
            "y": packed(of.g, "<f4"),
            "origin": 0.0,
            "near": packed(of.near, "<f4"),
        }
        if np.isfinite(of.error).all():
            one["error"] = packed(of.error, "<f4")
        series.append(one)
    return {
        "title": "Pair distribution functions",
        "unit": "",
        "kind": "distribution",
        "x": {"name": "distance", "unit": unit},
        "series": series,
    }
