# SPDX-License-Identifier: Apache-2.0
"""The page about a run: what is on it equals what is in the files."""

from __future__ import annotations

import base64
import dataclasses
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
import report_run
from aureole import formats
from aureole.analysis import statistics
from aureole.analysis.neighbours import pairs
from aureole.analysis.pair_distribution import pair_distribution
from aureole.base.errors import FileError, InputError
from aureole.cli.main import main
from aureole.formats.gro import read_gro, write_gro
from aureole.report import (
    charts,
    elements,
    energies,
    files,
    numerals,
    scene,
    series,
)
from aureole.report import pair_distribution as report_pairs
from aureole.report.charts import averages, small
from aureole.report.energies import Energies
from aureole.report.frames import Frame, last_frame
from aureole.report.page import render
from aureole.report.write import collect, write
from aureole.system.box import Box
from aureole.system.find_molecules import components
from aureole.system.system import System

DATA = r'<script type="application/json" id="data">(.*?)</script>'
TILTED = Box(2.0, 2.4, 2.2, xy=0.3, xz=-0.4, yz=0.2)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The prefix of a run without a trajectory."""
    return report_run.write(tmp_path_factory.mktemp("run"))


def data_of(page: str) -> dict:
    return json.loads(re.search(DATA, page, re.S)[1])


def numbers(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind)


def test_command_writes_one_file_without_references(run, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["report", str(run), "-o", str(page)]) == 0
    assert "page.html" in capsys.readouterr().out
    text = re.sub(DATA, "", page.read_text(), flags=re.S)
    assert not re.search(r"https?:|//[a-z]|\bsrc=|\bhref=|url\((?!#)|@import|fetch\(", text)
    assert "default-src 'none'" in text  # a browser would refuse them too


def test_series_equal_the_file(run):
    content = collect(run)
    table = report_run.energies()
    for name, chart in content.small.items():
        series = chart["series"][0]
        x, y = numbers(series["x"], "<f8"), numbers(series["y"], "<f4").astype(float)
        np.testing.assert_allclose(x, table["time"], rtol=1e-9)
        # Single precision of the differences from the mean, ten digits of the file.
        slack = 1e-6 * np.ptp(table[name]) + 1e-9 * np.abs(table[name]).max()
        np.testing.assert_allclose(y + series["origin"], table[name], rtol=0, atol=slack)
    assert set(content.small) == {n for n, v in table.items() if np.ptp(v)} - {"step", "time"}
    assert [chart["unit"] for chart in content.large] == ["kJ/mol", "kJ/mol", "K", "bar", "kg/m³"]


def test_averages_are_those_of_the_run_else_of_the_file(run):
    content, table = collect(run), report_run.energies()
    assert content.means["temperature"] == statistics.Average(301.234, 0.56, -1.5, 4.5)
    density = content.means["density"]
    assert density.mean == pytest.approx(table["density"].mean(), rel=1e-9)
    blocks = table["density"].reshape(statistics.BLOCKS, -1).mean(axis=1)
    assert density.error == pytest.approx(
        blocks.std(ddof=1) / math.sqrt(statistics.BLOCKS), rel=1e-6
    )
    slope = np.polyfit(table["time"], table["density"], 1)[0]
    assert density.drift == pytest.approx(slope * table["time"][-1], rel=1e-6)


def test_words_of_the_page(run):
    page = render(collect(run))
    text = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.S)
    for said in ("647", "301.23", "± 0.56", "123", "215 SOL", "1 min 15 s", "75.0 %", "25.0 %"):
        assert said in text, said
    for said in (
        *("8, grid 2 × 2 × 2", "1.310, 1.121 outside list renewals"),
        *("17 of 12,345</td>", "<th>Steps taken back</th><td>3</td>"),
    ):
        assert said in text, said
    assert "lincs · order" in text and "The cut-off is short." in text
    assert "a &lt;/script&gt;&lt;b&gt;note&lt;/b&gt; &amp;" in text and "<b>note</b>" not in page
    assert "No file with the trajectory was found (looked for run.xtc" in text


def test_a_minimisation_averages_no_numbers_of_atoms():
    columns = {name: np.arange(9.0) for name in ("step", "potential", "max_force", "particle")}
    of = Energies(columns, dict.fromkeys(columns, ""))
    assert set(averages({}, of)) == set(small(of, {})) == {"potential", "max_force"}


def test_boxes_of_both_ends_have_one_form(tmp_path):
    prefix = report_run.write(tmp_path)
    path = Path(f"{prefix}.json")
    told = json.loads(path.read_text())
    told["system"]["box"] = [[3.0, 0, 0], [0, 3.0, 0], [1.5, 1.5, 2.1]]
    path.write_text(json.dumps(told))
    assert "3.0000 × 3.0000 × 2.1000 nm, triclinic" in render(collect(prefix))


def test_words_of_others_are_escaped_wherever_they_stand(tmp_path):
    """Title, names of files, molecules, columns, settings, parts of a step: none is markup."""
    word = '<script>&"'
    prefix = report_run.write(tmp_path, f"run{word}")
    told = report_run.summary() | {
        "system": {"title": word, "molecules": [{"name": word, "count": 2}], word: word},
        "inputs": {"conf": word},
        "notes": [word],
        "settings": {word: word} | {f"{k}{word}": k for k in range(40)},
        "speed": {"device": word, "ns_per_day": 1.0},
        "profile": [{"part": word, "seconds": 1.0}],
        "averages": {word: {"mean": 1.0, "error": 0.1, "unit": word}},
        "error": word,
        "outputs": {},
    }
    (tmp_path / f"{prefix.name}.json").write_text(json.dumps(told))
    content = collect(prefix)
    assert content.run.energies is not None
    content.missing["trajectory"] = word
    page = render(content)
    assert word not in page and "<script>&amp;" not in page
    assert page.count("<script") == 3 == page.count("</script>")
    escaped = "&lt;script&gt;&amp;&#34;"
    for said in (
        *(f"<title>{escaped}</title>", f"<h1>{escaped}</h1>", f"2 {escaped}", f"<li>{escaped}"),
        *(f"<td>{escaped}</td>", f"<th>{escaped}</th>", f'data-spark="{escaped}"'),
        *(f"run{escaped}.csv", f"run{escaped}.gro", f'<p class="missing">{escaped}'),
    ):
        assert said in page, said


def test_steps_are_told_where_energies_are_rare(tmp_path):
    report_run.write(tmp_path)
    told = report_run.summary() | {"step": 12345}
    (tmp_path / "run.json").write_text(json.dumps(told))
    assert "<th>Steps</th><td>12,345</td>" in render(collect(tmp_path / "run"))
    told["step"] = None
    (tmp_path / "run.json").write_text(json.dumps(told))
    assert "<th>Steps</th><td>995</td>" in render(collect(tmp_path / "run"))


def test_a_continued_run_is_shown_whole(tmp_path):
    """To its end, beyond the last energies; wall time says of how many steps it is."""
    report_run.write(tmp_path)
    told = report_run.summary() | {"step": 2700, "time": 5.4, "steps": 2700}
    (tmp_path / "run.json").write_text(json.dumps(told))
    page = render(collect(tmp_path / "run"))
    assert "<th>Steps</th><td>2,700</td>" in page
    assert "<th>Simulated time</th><td>5.400 ps</td>" in page
    assert "<th>Wall time</th><td>1 min 15 s</td>" in page
    (tmp_path / "run.json").write_text(json.dumps(told | {"steps": 1350}))
    page = render(collect(tmp_path / "run"))
    assert "<th>Wall time</th><td>1 min 15 s for 1,350 steps</td>" in page


def test_scene_has_every_atom_and_bond(run):
    what = collect(run).scene
    start = report_run.waters()
    assert what["n"] == start.n and what["hidden"] == 0
    bonds_ = numbers(what["bonds"], "<u4").reshape(-1, 2)
    expected = [(0, 1)] + [(k, k + h) for k in range(2, start.n, 3) for h in (1, 2)]
    assert bonds_.tolist() == [list(pair) for pair in expected]
    place = numbers(what["position"], "<i2").reshape(-1, 3) * what["extent"] / 32767
    length = np.linalg.norm(place[bonds_[:, 0]] - place[bonds_[:, 1]], axis=1)
    # Whole molecules, though faces cut them; files have three decimals, the scene 16 bits.
    np.testing.assert_allclose(length[1::2], 0.1, atol=2e-3)
    moved = place - (start.position - report_run.EDGE / 2)
    np.testing.assert_allclose(moved / report_run.EDGE, np.rint(moved / report_run.EDGE), atol=1e-3)
    assert numbers(what["water"], "u1").sum() == start.n - 2
    assert {e["name"]: e["count"] for e in what["elements"]} == {
        "carbon": 2,
        "oxygen": 215,
        "hydrogen": 430,
    }


@pytest.mark.parametrize(
    ("name", "residue", "symbol"),
    [
        ("OW", "SOL", "O"),
        ("HW2", "SOL", "H"),
        ("MW", "SOL", None),
        ("CA", "ALA", "C"),
        ("CA", "CA", "Ca"),
        ("NA", "NA", "Na"),
        ("NA+", "NA+", "Na"),
        ("CL", "CL", "Cl"),
        ("CL1", "LIG", "Cl"),
        ("1HB2", "LEU", "H"),
        ("SG", "CYS", "S"),
        ("OXT", "GLY", "O"),
        ("AR", "AR", "Ar"),
        ("BB", "W", "X"),
        ("K", "K", "K"),
    ],
)
def test_elements(name, residue, symbol):
    assert elements.guess(name, residue) == symbol


@pytest.mark.parametrize("box", [Box(3, 3, 3), TILTED, Box(0.9, 3.0, 2.0)])
@pytest.mark.parametrize("part", [0.2, 0.499])
def test_pairs_are_those_of_all_pairs(box, part):
    rng = np.random.default_rng(3)
    a, b = (box.positions(rng.uniform(-1, 2, (n, 3))) for n in (150, 90))
    r_max = part * box.widths.min()
    shifts = np.array(np.meshgrid(*[[-2, -1, 0, 1, 2]] * 3)).reshape(3, -1).T @ box.matrix.T
    wrapped = [box.wrap(x)[0] for x in (a, b)]
    difference = wrapped[1][None, :, None] - wrapped[0][:, None, None] + shifts
    r = np.linalg.norm(difference, axis=-1).min(axis=-1)
    expected = {(int(i), int(j)) for i, j in zip(*np.nonzero(r < r_max), strict=True)}
    found = [
        (int(i), int(j), d)
        for piece in pairs(box, a, b, r_max)
        for i, j, d in zip(*piece, strict=True)
    ]
    assert len(found) == len(expected) and {(i, j) for i, j, _ in found} == expected
    assert all(abs(r[i, j] - d) < 1e-9 for i, j, d in found)


@pytest.mark.parametrize("box", [Box(3, 3, 3), TILTED])
def test_ideal_gas_has_no_structure(box):
    rng = np.random.default_rng(4)
    n, count, bins = 1200, 8, 60
    frames = [Frame(box, box.positions(rng.uniform(0, 1, (n, 3)))) for _ in range(count)]
    every, half = np.ones(n, dtype=bool), np.arange(n) < n // 3
    for first, second, twice in ((every, every, 2), (half, ~half, 1)):
        g = report_pairs.distribution(
            frames, first, second, np.arange(n), "A–B", r_max=0.9, bins=bins
        )
        edges = np.linspace(0, g.r[-1] + g.r[0], bins + 1)
        shells = 4 / 3 * np.pi * np.diff(edges**3)
        partners = first.sum() * second.sum() - (first & second).sum()
        # Counts are Poisson numbers; those of one kind come in twos.
        sigma = np.sqrt(twice / (count * partners * shells / box.volume))
        score = (g.g - 1) / sigma
        assert np.abs(score).max() < 4.5
        assert 0.6 < (score**2).mean() < 1.6
        # The error that the page tells, from five blocks of frames, is of that size.
        assert 0.7 < np.sqrt((g.error**2 / sigma**2).mean()) < 1.4
        assert g.near[-1] == pytest.approx(
            (partners / first.sum()) * shells.sum() / box.volume, rel=0.03
        )


def test_distribution_agrees_with_the_other_one():
    start = report_run.waters()
    oxygen = np.array([name == "OW" for name in start.name.array()])
    box = Box.of(report_run.EDGE)
    position = start.position - report_run.EDGE / 2
    g = report_pairs.distribution(
        [Frame(box, position)], oxygen, oxygen, scene.residues(start), "O–O", r_max=1.0, bins=50
    )
    system = System(box, box.wrap(position[oxygen])[0])
    r, other = pair_distribution(system, r_max=1.0, bins=50, centres=1000)
    np.testing.assert_allclose(g.r, r)
    np.testing.assert_allclose(g.g, other, rtol=1e-9)
    assert np.isnan(g.error).all()  # one frame tells none


def test_pairs_of_one_residue_are_left_out():
    start = report_run.waters()
    names = start.name.array()
    frame = Frame(Box.of(report_run.EDGE), start.position - report_run.EDGE / 2)
    g = report_pairs.distribution(
        [frame], names == "OW", names == "HW1", scene.residues(start), "O–H"
    )
    assert g.g[(g.r > 0.09) & (g.r < 0.11)].max() < 0.5  # bonds would give hundreds


def test_kinds_and_usual_pairs():
    start = report_run.waters()
    symbol = elements.symbols(start.name, start.residue_name)
    kinds = report_pairs.kinds(symbol, elements.is_water(start.residue_name))
    assert {name: int(mask.sum()) for name, mask in kinds.items()} == {"Ow": 215, "C": 2, "Hw": 430}
    assert report_pairs.usual_pairs(kinds)[:3] == [("Ow", "Ow"), ("Ow", "Hw"), ("C", "Ow")]
    assert report_pairs.select("HW1", kinds, start.name).sum() == 215
    with pytest.raises(InputError, match="no atoms 'ZZ'"):
        report_pairs.select("ZZ", kinds, start.name)


def test_trajectory(run, tmp_path):
    chemfiles = pytest.importorskip("chemfiles", reason="trajectories are read by chemfiles")
    prefix = report_run.write(tmp_path)
    report_run.write_trajectory(tmp_path / "run.xtc", chemfiles)
    content = collect(prefix, pairs=["OW-OW"], frames=4)
    assert "the last 4 of 6 frames" in content.frames and "trajectory" not in content.missing
    (series,) = content.distributions["series"]
    oxygen = np.array([name == "OW" for name in report_run.waters().name.array()])
    box = Box.of(report_run.EDGE)
    each = []
    for k in range(2, 6):
        position = box.wrap(report_run.waters(seed=k).position[oxygen] - report_run.EDGE / 2)[0]
        each.append(
            pair_distribution(System(box, position), r_max=0.499 * report_run.EDGE, bins=250)[1]
        )
    # Trajectories have three decimals, so that a pair may change its bin.
    difference = numbers(series["y"], "<f4") - np.mean(each, axis=0)
    assert np.abs(np.cumsum(difference)).max() < 0.05 * np.sum(each[0])
    assert numbers(series["error"], "<f4").shape == (250,)


def test_a_trajectory_of_others_is_told(tmp_path):
    chemfiles = pytest.importorskip("chemfiles", reason="trajectories are read by chemfiles")
    prefix = report_run.write(tmp_path)
    with chemfiles.Trajectory(str(tmp_path / "run.xtc"), "w") as file:
        frame = chemfiles.Frame()
        frame.resize(3)
        frame.cell = chemfiles.UnitCell([20.0] * 3)
        file.write(frame)
    content = collect(prefix)
    assert "3 particles, but the last frame has 647" in content.missing["trajectory"]
    assert "Only the last frame" in content.frames
    (tmp_path / "run.xtc").write_bytes(b"no trajectory at all")
    assert "cannot be read" in collect(prefix).missing["trajectory"]


def test_frames_without_positions_do_not_count(tmp_path):
    pytest.importorskip("chemfiles", reason="trajectories are read by chemfiles")
    prefix, box = report_run.write(tmp_path), np.eye(3) * report_run.EDGE
    text = (tmp_path / "run.json").read_text().replace("run.xtc", "run.trr")
    (tmp_path / "run.json").write_text(text)
    positions = [report_run.waters(seed=k).position for k in range(3)]
    some = [formats.Frame(k, k, box, x) for k, x in enumerate(positions)]
    bare = [formats.Frame(k, k + 0.5, box, None, velocity=x) for k, x in enumerate(positions)]
    form = formats.TRR(len(positions[0]))
    for name, wanted in (("some", some), ("mixed", [bare[0], *some, *bare[1:]])):
        (tmp_path / "run.trr").write_bytes(b"".join(map(form.frame, wanted)))
        content = collect(prefix)
        assert "the last 3 of 3 frames" in content.frames, name
        if name == "some":
            kept = content.distributions
    assert content.distributions == kept


def test_the_last_frame_of_a_file_of_several_is_shown(tmp_path):
    report_run.write(tmp_path)
    path = tmp_path / "run.gro"
    first = read_gro(path)
    again = dataclasses.replace(first, position=first.position[::-1], title="later t= 9.0 step= 9")
    write_gro(tmp_path / "again.gro", again)
    path.write_bytes(path.read_bytes() + (tmp_path / "again.gro").read_bytes())
    names, frame = last_frame(path)
    assert frame.time == names.time == 9.0
    assert np.allclose(names.position, first.position[::-1], atol=1e-3)


@pytest.mark.parametrize("lost", ["run.csv", "run.json", "run.gro"])
def test_parts_may_be_missing(tmp_path, lost):
    prefix = report_run.write(tmp_path)
    (tmp_path / lost).unlink()
    page, missing = write(prefix)
    part = {"run.csv": "energies", "run.json": "summary", "run.gro": "last_frame"}[lost]
    assert lost in missing[part] and page == tmp_path / "run.html"
    assert f"looked for {lost}" in page.read_text()


def test_runs_are_found_by_folder_prefix_or_file(tmp_path):
    prefix = report_run.write(tmp_path)
    for given in (tmp_path, prefix, f"{prefix}.gro", f"{prefix}.json"):
        found = files.find(given)
        assert found.energies == tmp_path / "run.csv" and found.name == "run"
    report_run.write(tmp_path, "other")
    with pytest.raises(InputError, match=r"2 runs.*other, run"):
        files.find(tmp_path)


def test_names_of_a_folder(tmp_path):
    prefix = report_run.write(tmp_path)
    for old, new in (("run.csv", "ener.csv"), ("run.gro", "confout.gro"), ("run.json", "md.json")):
        (tmp_path / old).rename(tmp_path / new)
    found = files.find(tmp_path)
    assert found.energies == tmp_path / "ener.csv" and found.last_frame == tmp_path / "confout.gro"
    assert found.page == tmp_path / "report.html" and not prefix.exists()


def test_no_run(tmp_path):
    with pytest.raises(FileError, match=r"is not a run.*Give a folder, or the prefix"):
        files.find(tmp_path / "nothing")
    assert main(["report", str(tmp_path)]) in (1, 2)


def test_summaries_that_are_none(tmp_path):
    prefix = report_run.write(tmp_path)
    path = tmp_path / "run.json"
    for text in ("[1, 2]", '{"averages": 3, "system": [], "notes": 5}', "{", '{"speed": null}'):
        path.write_text(text)
        page = write(prefix)[0].read_text()
        assert data_of(page)["large"]


def test_tables_that_are_cut(tmp_path):
    path = tmp_path / "e.csv"
    path.write_text("# x\nstep,time,temperature [K]\n0,0,300\n1,0.1,301\n2,0.2,30")
    assert energies.read(path).columns["temperature"].tolist() == [300, 301]
    path.write_text("step,time,temperature\n0,0,300\n1,0.")
    assert energies.read(path).n == 1
    path.write_text("step,time,temperature\n0,0\n1,0.1,300\n")
    with pytest.raises(FileError, match=r"e\.csv:2: bad row \(2 values for 3 columns\)"):
        energies.read(path)


def test_running_average_and_thinning():
    line = np.linspace(3.0, 8.0, 101)
    smooth = series.running(line, 0.1)
    assert np.isnan(smooth[:5]).all() and np.isnan(smooth[-5:]).all()
    np.testing.assert_allclose(smooth[5:-5], line[5:-5])
    values = np.random.default_rng(5).normal(size=50_000)
    rows = series.thinned(values, 1000)
    assert len(rows) <= 1000 and rows[0] == 0 and rows[-1] == 49_999
    assert {int(values.argmin()), int(values.argmax())} <= set(rows.tolist())
    assert series.thinned(values[:10], 100).tolist() == list(range(10))


@pytest.mark.parametrize(
    ("mean", "error", "words"),
    [
        (300.6123, 0.2571, ("300.61", "0.26")),
        (-143861.2, 139.4, ("−143,861", "139")),
        (4.95814, 0.00257, ("4.9581", "0.0026")),
        (1.0, 0.0996, ("1.00", "0.10")),
        (9.4, 34.0, ("9", "34")),
        (5.0, None, ("5.0000", "")),
        (math.nan, 1.0, ("–", "")),
    ],
)
def test_means_with_errors(mean, error, words):
    assert numerals.with_error(mean, error) == words


def test_molecules_follow_bonds():
    chain = np.array([[4, 3], [3, 2], [2, 1], [6, 7]])
    assert components(8, chain).tolist() == [0, 1, 1, 1, 1, 5, 6, 6]


def test_columns_have_units_and_words():
    assert energies.unit_of("temperature_Protein") == "K" and energies.unit_of("lj_14") == "kJ/mol"
    assert energies.unit_of("pressure_xx") == "bar" and energies.unit_of("volume [nm^3]") == "nm³"
    assert energies.words_of("lennard_jones_14") == "Lennard-Jones 1–4"
    assert charts.averages({}, None) == {}


def test_a_molecule_without_a_box_is_shown(tmp_path):
    prefix = report_run.write(tmp_path)
    write_gro(tmp_path / "run.gro", dataclasses.replace(report_run.waters(), box=None))
    content = collect(prefix)
    assert content.scene["n"] == 647 and not content.scene["periodic"]
    assert content.distributions is None and "no box" in content.missing["distributions"]


def test_a_trajectory_that_is_cut_is_read_as_far_as_it_goes(tmp_path):
    chemfiles = pytest.importorskip("chemfiles", reason="trajectories are read by chemfiles")
    prefix = report_run.write(tmp_path)
    path = tmp_path / "run.xtc"
    report_run.write_trajectory(path, chemfiles)
    path.write_bytes(path.read_bytes()[:-400])
    content = collect(prefix)
    assert "trajectory" not in content.missing and "frames of run.xtc" in content.frames
