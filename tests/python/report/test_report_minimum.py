# SPDX-License-Identifier: Apache-2.0
"""The page about a minimisation: its end, whether it converged, and no means."""

from __future__ import annotations

import csv
import json
import os
import re
from pathlib import Path

import bead_runs
import pytest
from aureole.cli.main import main
from aureole.report.numerals import short
from aureole.report.page import render
from aureole.report.write import collect

CALL = ("mdrun", "-f", "em.mdp", "-c", "conf.gro", "-p", "topol.top", "-ntomp", "1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two minimisations: one that converges, one that is cut short."""
    folder, before = tmp_path_factory.mktemp("minima"), Path.cwd()
    os.chdir(folder)
    try:
        bead_runs.write(folder)
        assert main([*CALL, "-deffnm", "long"]) == 0
        bead_runs.write(folder, steps=2)
        assert main([*CALL, "-deffnm", "short"]) == 0
    finally:
        os.chdir(before)
    return folder


def seen(page: str) -> str:
    words = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", words))


def last_row(path: Path) -> dict[str, float]:
    """The last line of a table, read without the program's own reader."""
    with path.open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {name: float(value) for name, value in rows[-1].items()}


@pytest.mark.parametrize(("name", "converged"), [("long", True), ("short", False)])
def test_the_end_stands_on_the_page(folder, name, converged):
    content = collect(folder / name)
    text, row = seen(render(content)), last_row(folder / f"{name}.csv")
    told = json.loads((folder / f"{name}.json").read_text())["minimum"]
    assert told["converged"] == converged
    energy, force = short(row["potential"], 8), short(row["max_force"], 4)
    assert f"Potential energy {energy} kJ/mol" in text
    assert f"Largest force {force} kJ/mol/nm" in text
    assert f"{force} kJ/mol/nm on particle {int(row['particle'])}" in text
    assert told["energy"] == pytest.approx(row["potential"], rel=1e-12)
    assert (row["max_force"] <= 200.0) == converged
    if converged:
        assert "Converged yes: no force exceeds 200 kJ/mol/nm (emtol)" in text
    else:
        assert "Converged no: it ended at its limit of 2 steps, with forces above 200" in text


@pytest.mark.parametrize("name", ["long", "short"])
def test_nothing_is_averaged(folder, name):
    content = collect(folder / name)
    text = seen(render(content))
    assert content.means == {} and "there are no means" in text
    assert "running averages" not in text and "±" not in text and "drift" not in text
    for chart in (*content.large, *content.small.values()):
        (series,) = chart["series"]
        assert not {"mean", "average"} & series.keys()
    assert [chart["title"] for chart in content.large] == ["Potential energy", "Largest force"]
    row = last_row(folder / f"{name}.csv")
    assert content.large[0]["series"][0]["words"] == short(row["potential"], 6)
    assert "Quantity start end unit" in text


def test_a_table_alone_tells_the_end_but_not_whether_it_converged(folder, tmp_path):
    (tmp_path / "em.csv").write_bytes((folder / "long.csv").read_bytes())
    (tmp_path / "em.gro").write_bytes((folder / "long.gro").read_bytes())
    text = seen(render(collect(tmp_path / "em")))
    row = last_row(folder / "long.csv")
    assert "Converged not told by the files" in text
    assert f"Largest force {short(row['max_force'], 4)} kJ/mol/nm" in text


def test_times_of_an_energy_file_are_steps(folder, tmp_path):
    (tmp_path / "em.edr").write_bytes((folder / "long.edr").read_bytes())
    content = collect(tmp_path / "em")
    text, row = seen(render(content)), last_row(folder / "long.csv")
    assert f"Steps {int(row['step']):,}" in text and "Simulated" not in text
    assert {chart["x"]["unit"] for chart in content.large} == {"steps"}


def test_one_that_was_stopped_says_by_what(folder, tmp_path):
    told = json.loads((folder / "short.json").read_text())
    told["stopped"], told["minimum"]["reason"] = "SIGTERM (a queue)", "a signal"
    (tmp_path / "em.json").write_text(json.dumps(told))
    assert "no: it was stopped by SIGTERM (a queue)" in seen(render(collect(tmp_path / "em")))
