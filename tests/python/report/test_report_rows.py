# SPDX-License-Identifier: Apache-2.0
"""Every row of facts of the page, of a run that has all of them, in both kinds of units.

No two numbers of the run are equal, and it begins late. Tables are compared whole, so that a row
that is lost, changed or added shows.
"""

from __future__ import annotations

import html
import json
import os
import re
import time
from pathlib import Path

import numpy as np
import pytest
import report_run
from aureole.formats.gro import write_gro
from aureole.report import facts, minimum
from aureole.report.numerals import short
from aureole.report.page import render
from aureole.report.write import collect

N = 12_647
ROWS, EVERY, DT = 60, 15, 0.002
FIRST, BEGIN = 31_005, 62.01  # steps, ps
END = 32_007
KINDS = [(f"M{chr(65 + k)}", 211 + 37 * k) for k in range(14)]
MAIN = {"integrator": "sd", "ref-t": [300, 311.5], "tau_t": 0.75, "nsteps": 38_117}
MINOR = {f"minor{k}": 1000 + k for k in range(35)}
NESTED = {"lincs": {"order": 6, "warn": {"angle": 31.25}}, "flag": True, "no": False}
PROFILE = [("force", 2.5, 38_000), ("odd_part", 7.25, 19), ("rest", 9.0, None), ("mesh", 0.75, 4)]
MEANS = {  # mean, error, drift, spread
    "potential": (-41234.75, 12.6, 33.0, 240.0),
    "temperature": (301.252, 0.47, -1.36, 5.5),
    "pressure": (-17.54, 2.26, 0.85, 410.0),
    "density": (981.753, 0.137, 0.065, 2.75),
    "box_xx": (2.41253, 0.00327, -0.0015, 0.0145),
}
SHOWN = {  # what the page makes of them
    "potential": ("−41,235", "13", "240", "33"),
    "temperature": ("301.25", "0.47", "5.50", "−1.4"),
    "pressure": ("−17.5", "2.3", "410", "0.85"),
    "density": ("981.75", "0.14", "2.75", "0.065"),
    "box_xx": ("2.4125", "0.0033", "0.0145", "−0.0015"),
}
UNIT = {
    "molecular": ("kJ/mol", "K", "bar", "kg/m³", "nm", "ps"),
    "reduced": ("ε", "ε/k", "ε/σ³", "m/σ³", "σ", "τ"),
}


def summary(units: str) -> dict:
    averages = {
        name: dict(zip(("mean", "error", "drift", "spread"), values, strict=True))
        for name, values in MEANS.items()
    }
    return {
        **{"version": "7.3.1", "step": END, "time": END * DT, "steps": 1_402, "samples": 4_000},
        "error": "the lists were outrun",
        "inputs": {"conf": "a.gro", "mdp": "b.mdp", "other_file": "c.dat"},
        "system": {
            "name": "a mixture",
            **{"units": units, "particles": N, "density": 987.6543, "net_charge": -3.25},
            "molecules": [{"name": name, "count": count} for name, count in KINDS],
            "box": [[2.51, 0, 0], [0, 2.62, 0], [0.73, 0, 2.84]],
            "periodic": [False, True, False],
        },
        "settings": MAIN | MINOR | NESTED,
        "notes": ["first note", {"text": "second note", "level": 2}],
        "speed": {
            **{"ns_per_day": 87.654, "steps_per_second": 1237.6, "wall_seconds": 7_265.0},
            **{"threads": 6, "device": "some cores"},
        },
        "ranks": {
            **{"ranks": 12, "grid": [3, 2, 1], "load_imbalance": 0.0873},
            **{"collectives_per_step": 1.3142, "collectives_per_step_between_renewals": 1.1205},
            **{"list_renewals": 12_345, "renewals_ahead_of_plan": 1_717, "steps_taken_back": 4_003},
        },
        "profile": [
            {"part": part, "seconds": seconds, "calls": calls} for part, seconds, calls in PROFILE
        ],
        "averages": averages,
    }


def made(folder: Path, units: str = "molecular", more: dict | None = None) -> Path:
    """The files of the run; returns their prefix."""
    random = np.random.default_rng(8)
    rows = np.arange(ROWS)
    table = {"step": FIRST + EVERY * rows, "time": BEGIN + EVERY * DT * rows}
    for name, (mean, _, _, spread) in MEANS.items():
        table[name] = mean + spread * random.normal(size=ROWS)
    lines = [
        ",".join(table),
        *(",".join(map(repr, map(float, row))) for row in zip(*table.values(), strict=True)),
    ]
    (folder / "run.csv").write_text("\n".join(lines) + "\n")
    (folder / "run.json").write_text(json.dumps(summary(units) | (more or {})))
    names = report_run.waters()
    box = np.array([[2.4, 0, 0], [0, 2.5, 0], [0.25, 0, 2.6]])
    write_gro(folder / "run.gro", type(names)(**vars(names) | {"box": box, "title": "x t= 64.012"}))
    for k, name in enumerate(("run.csv", "run.gro")):
        os.utime(folder / name, (0, time.mktime((2021, 3 + k, 14, 9, 26 + k, 53, 0, 0, -1))))
    return folder / "run"


def plain(text: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", text))).strip()


def section(page: str, heading: str) -> str:
    return re.search(rf"<section[^>]*><h2>{heading}</h2>(.*?)</section>", page, re.S)[1]


def rows_of(text: str) -> list[tuple[str, ...]]:
    found = []
    for row in re.findall(r"<tr>(.*?)</tr>", text, re.S):
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)
        found.append(tuple(map(plain, cells)))
    return found


@pytest.fixture(scope="module", params=["molecular", "reduced"])
def run(request, tmp_path_factory):
    """Units, and the text of the page."""
    prefix = made(tmp_path_factory.mktemp("run"), request.param)
    return request.param, render(collect(prefix)), prefix.parent


def test_system(run):
    units, page, _ = run
    nm, density = (" nm", " kg/m³") if units == "molecular" else (" σ", " m/σ³")
    words = "reduced: those of length σ, energy ε, mass m and time τ = σ √(m/ε)"
    listed = ", ".join(f"{count} {name}" for name, count in KINDS[:12])
    assert rows_of(section(page, "System")) == [
        ("Particles", "12,647"),
        *([("Units", words)] if units == "reduced" else []),
        ("Molecules", f"{listed} and 2 other kinds"),
        ("Initial box", f"2.5100 × 2.6200 × 2.8400{nm}, triclinic"),
        ("Final box", f"2.4000 × 2.5000 × 2.6000{nm}, triclinic"),
        ("Open axes", "x z"),
        ("Initial density", f"987.65{density}"),
        ("Net charge", "-3.25"),
    ]


def test_run(run):
    units, page, _ = run
    length = END * DT - BEGIN  # ps, from the first row to the end, which is after the last row
    assert length == pytest.approx(2.004)
    assert rows_of(section(page, "Run")) == [
        ("Ended by an error", "the lists were outrun"),
        ("Steps", "32,007"),
        ("Simulated time", f"2.004 {UNIT[units][5]}"),
        ("Wall time", "2 h 01 min for 1,402 steps"),
        ("Speed", f"87.7 ns/day ({24 / 87.654:.3f} h/ns)"),
        ("Steps per second", "1,238"),
        ("Threads", "6"),
        ("Device", "some cores"),
        ("Ranks", "12, grid 3 × 2 × 1"),
        ("Load imbalance", f"{100 * 0.0873:.1f} %"),
        ("Collectives per step", "1.314, 1.121 outside list renewals"),
        ("Early list renewals", "1,717 of 12,345"),
        ("Steps taken back", "4,003"),
        ("Aureole", "7.3.1"),
    ]


def test_head(run):
    units, page, _ = run
    energy, temperature, pressure, density, _, unit = UNIT[units]
    assert plain(re.search(r"<h1>(.*?)</h1>", page)[1]) == "a mixture"
    assert plain(re.search(r"<title>(.*?)</title>", page)[1]) == "a mixture"
    listed = ", ".join(f"{count} {name}" for name, count in KINDS[:4])
    assert plain(re.search(r'<p class="sub">(.*?)</p>', page)[1]) == f"{listed} · run"
    figures = re.findall(r"<div><dt>(.*?)</dt><dd>(.*?)</dd></div>", page, re.S)
    means = {name: f"{mean} ± {error}" for name, (mean, error, _, _) in SHOWN.items()}
    mean = np.mean(column(run[2], "potential")) / N
    found = [(plain(name), plain(value)) for name, value in figures]
    of_each = [one for one in found if one[0] == "Potential energy per particle"]
    if units == "reduced":
        [(_, told)] = of_each
        value, _, of = told.partition(" ± ")
        assert float(value.replace("−", "-")) == pytest.approx(mean, rel=1e-3)
        assert of.endswith(f" {energy}")
    assert [one for one in found if one not in of_each] == [
        ("Particles", "12,647"),
        ("Simulated", f"2.004 {unit}"),
        ("Temperature", f"{means['temperature']} {temperature}"),
        ("Pressure", f"{means['pressure']} {pressure}"),
        ("Density", f"{means['density']} {density}"),
        ("Speed", "87.7 ns/day" if units == "molecular" else "1,238 steps/s"),
    ]


def column(folder: Path, name: str) -> np.ndarray:
    table = np.genfromtxt(folder / "run.csv", delimiter=",", names=True)
    return table[name]


def test_averages_of_the_run(run):
    """Each in its own cell, with its unit; they come from the run, not from the shorter table."""
    units, page, folder = run
    energy, temperature, pressure, density, nm, _ = UNIT[units]
    of = dict(zip(MEANS, (energy, temperature, pressure, density, nm), strict=True))
    words = {"box_xx": "Box xx"} | {name: name.capitalize() for name in list(MEANS)[:4]}
    rows = [row[:6] for row in rows_of(section(page, "All quantities"))[1:]]
    wanted = [(words[name], *SHOWN[name], of[name]) for name in MEANS]
    assert [row for row in rows if "per particle" not in row[0]] == wanted
    assert "those that the run wrote" in plain(page)
    extra = [row for row in rows if "per particle" in row[0]]
    assert len(extra) == (units == "reduced")
    for row in extra:
        each = column(folder, "potential") / N
        found = [float(cell.replace("−", "-")) for cell in (row[1], row[3])]
        assert found == pytest.approx([each.mean(), each.std(ddof=1)], rel=3e-3)
        assert row[5] == energy


def test_profile_has_its_words(run):
    _, page, _ = run
    text = section(page, "Where the time went")
    assert [(row[0], row[2], row[3], row[4]) for row in rows_of(text)] == [
        ("Odd part", "37.2 %", "7.25 s", "382 ms × 19"),
        ("Pair forces", "12.8 %", "2.50 s", f"{1e3 * 2.5 / 38_000:.4f} ms × 38,000"),
        ("Ewald mesh", "3.8 %", "0.750 s", "188 ms × 4"),
        ("Rest", "46.2 %", "9.00 s", ""),
    ]
    widths = [float(one) for one in re.findall(r'style="width:([\d.]+)%"', text)]
    seconds = np.array([7.25, 2.5, 0.75, 9.0])
    assert widths == pytest.approx(100 * seconds / seconds.max(), abs=0.006)
    assert "19.50 s in total, means over the ranks; halo" in plain(text)


def test_settings_and_sources(run):
    _, page, folder = run
    text = section(page, "Settings")
    nested = [("lincs · order", "6"), ("lincs · warn · angle", "31.25")]
    main = [("integrator", "sd"), ("ref-t", "300, 311.5"), ("tau_t", "0.75"), ("nsteps", "38,117")]
    minor = [(name, str(value)) for name, value in MINOR.items()]
    whole = [*main, *minor, *nested, ("flag", "yes"), ("no", "no")]
    first, rest = text.split("<details>")
    assert rows_of(first) == main and rows_of(rest) == whole
    assert f"All {len(whole)} settings" in rest
    sources = rows_of(re.search(r"Sources and methods</h2>(.*?)<p>", page, re.S)[1])
    sizes = [f"{(folder / name).stat().st_size / 1e3:.3g} kB" for name in ("run.csv", "run.gro")]
    assert sources == [
        *(("Coordinates", "a.gro"), ("Run parameters", "b.mdp"), ("Other file", "c.dat")),
        *(
            ("run.csv", f"{sizes[0]}, 2021-03-14 09:26"),
            ("run.gro", f"{sizes[1]}, 2021-04-14 09:27"),
        ),
    ]
    notes = re.findall(r"<li>(.*?)</li>", section(page, "Notes of the run"))
    assert notes == ["first note", "second note"]
    unit = UNIT[run[0]][5]
    assert f"The last frame at 64.01 {unit}, molecules made whole" in plain(page)


@pytest.mark.parametrize("part", [set(), {"settings", "ranks", "profile", "speed", "error"}])
def test_few_settings_and_no_ranks(tmp_path, part):
    """What is not told has no row; up to 32 settings are shown at once."""
    few = {f"setting{k}": k for k in range(32)}
    prefix = made(tmp_path, more={"settings": few, "ranks": None} | dict.fromkeys(part))
    page = render(collect(prefix))
    names = [name for name, _ in rows_of(section(page, "Run"))]
    if part:
        assert names == ["Steps", "Simulated time", "Aureole"]
        assert "Where the time went" not in page and "<h2>Settings" not in page
    else:
        assert "Ranks" not in names and "<details>" not in page
        assert len(rows_of(section(page, "Settings"))) == 32
        assert "means over the ranks" not in page


def test_lengths_of_time():
    """[ps] in the unit that suits them; those of a clock."""
    for ps, words in (
        *((999.9, "999.9 ps"), (-1234.5, "−1.234 ns"), (2.5e5, "250.0 ns"), (7.25e6, "7.250 µs")),
        (0.125, "0.1250 ps"),
    ):
        assert facts.time_words(ps) == words
        assert facts.time_words(ps, "τ") == f"{short(ps)} τ"
    assert facts.time_words(12.5, "") == "12.50"
    assert [facts.duration_words(s) for s in (9.996, 10.4, 75, 3_725, 190_000)] == [
        *("10.00 s", "10 s", "1 min 15 s", "1 h 02 min", "2 d 04 h"),
    ]


def test_rows_of_a_minimum(tmp_path):
    """All that a minimisation tells, each in its row, with its own unit."""
    table = "step,displacement,potential,max_force,particle\n0,0.5,-5.0,99.0,3\n"
    table += "17,0.25,-1234.5678,45.125,1234\n"
    (tmp_path / "em.csv").write_text(table)
    told = {
        "version": "7.3.1",
        "seconds": 75.0,
        "settings": {"integrator": "steep", "emtol": 40.5},
        "minimum": {"steps": 1_018, "converged": False, "reason": "its limit", "energy": -1234.25},
        "system": {"particles": 4_321},
    }
    (tmp_path / "em.json").write_text(json.dumps(told))
    page = render(collect(tmp_path / "em"))
    assert rows_of(section(page, "Run")) == [
        ("Minimisation", "steepest descent"),
        ("Converged", "no: it ended at its limit, with forces above 40.5 kJ/mol/nm (emtol)"),
        ("Steps", "1,018"),
        ("Final potential energy", "−1,234.2500 kJ/mol"),
        ("Largest force", "45.12 kJ/mol/nm on particle 1,234"),
        ("Wall time", "1 min 15 s"),
        ("Aureole", "7.3.1"),
    ]
    assert rows_of(section(page, "All quantities"))[1:] == [
        ("Displacement", "0.500000", "0.250000", "nm", ""),
        ("Potential", "−5.00000", "−1,234.57", "kJ/mol", ""),
        ("Largest force", "99.0000", "45.1250", "kJ/mol/nm", ""),
    ]
    found = [
        (one.name, one.value, one.unit)
        for one in minimum.figures(collect(tmp_path / "em").minimum, 4_321)
    ]
    assert found == [
        ("Particles", "4,321", ""),
        ("Steps", "1,018", ""),
        ("Potential energy", "−1,234.2500", "kJ/mol"),
        ("Largest force", "45.12", "kJ/mol/nm"),
        ("Converged", "no", ""),
    ]
