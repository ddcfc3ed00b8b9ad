# SPDX-License-Identifier: Apache-2.0
"""Means, errors and drifts that are summed up on the way are those of the whole series."""

from __future__ import annotations

import json

import numpy as np
import pytest
from aureole.analysis.statistics import Averages


def series(n, memory, width, seed=3):
    """`width` columns of n samples that forget themselves by exp(−1/memory) a step, variance 1."""
    random = np.random.default_rng(seed)
    a = np.exp(-1 / memory) if memory else 0.0
    rows = np.empty((n, width))
    rows[0] = random.normal(size=width)
    for k in range(1, n):
        rows[k] = a * rows[k - 1] + np.sqrt(1 - a * a) * random.normal(size=width)
    return rows, np.sqrt((1 + a) / (1 - a) / n)


def test_as_of_the_whole_series():
    rows, _ = series(777, 3, 4)
    rows = rows * [1, 10, 0, 1e-3] + [-1e6, 5, 7, 0]
    times = 3 + 0.25 * np.arange(777)
    averages = Averages(4)
    for time, row in zip(times, rows, strict=True):
        averages.add(time, row)
    slope = np.polyfit(times - times.mean(), rows - rows.mean(axis=0), 1)[0]
    for k, found in enumerate(averages.result()):
        scale = max(1e-12, rows[:, k].std())
        assert found.mean == pytest.approx(rows[:, k].mean(), rel=1e-12, abs=1e-12)
        assert found.spread == pytest.approx(rows[:, k].std(ddof=1), rel=1e-8, abs=1e-12)
        assert found.drift == pytest.approx(slope[k] * 0.25 * 776, abs=1e-7 * scale)
    assert averages.result()[2].error == 0


# The exact error of the mean of such a series is known; a series of 400 memories and more knows
# its own to some tenths.
@pytest.mark.parametrize("memory", [0, 3, 15])
def test_errors_of_correlated_samples(memory):
    rows, exact = series(10_000, memory, 150)
    averages = Averages(150)
    for k, row in enumerate(rows):
        averages.add(k, row)
    errors = np.array([found.error for found in averages.result()])
    assert 0.9 < np.median(errors) / exact < 1.1
    assert errors.max() < 1.6 * exact and errors.min() > 0.6 * exact
    # Two ways of knowing: the means of 150 series scatter by as much.
    assert rows.mean(axis=0).std() == pytest.approx(exact, rel=0.2)


def test_few_samples_have_no_error():
    averages = Averages(1)
    assert np.isnan(averages.result()[0].mean)
    for k in range(15):
        averages.add(k, [float(k)])
    assert np.isnan(averages.result()[0].error)
    assert averages.result()[0].drift == pytest.approx(14)


@pytest.mark.parametrize("cut", [0, 1, 2, 77, 100])
def test_they_go_on_after_a_restart(cut):
    rows, _ = series(200, 2, 3)
    straight, parts = Averages(3), Averages(3)
    for k, row in enumerate(rows):
        if k == cut:
            parts = Averages.from_state(3, json.loads(json.dumps(parts.state())))
        straight.add(0.1 * k, row)
        parts.add(0.1 * k, row)
    assert straight.result() == parts.result()
