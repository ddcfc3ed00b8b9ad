# SPDX-License-Identifier: Apache-2.0
"""The README, pages it leads to, CITATION.cff: code runs, commands exist, figures are measured."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import struct
import subprocess
import sys
import tomllib
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.base.engine_schema import VERSION
from aureole.cli.mdrun import options
from aureole_bench.main import configure
from doc_pages import ROOT, blocks

README = ROOT / "README.md"
PORTING = ROOT / "docs/howto/from-hoomd-or-lammps.md"
CLUSTER = ROOT / "docs/howto/on-a-cluster.md"
MAKEFILE = ROOT / "Makefile"
INSTALL = ROOT / "docs/howto/install.md"
RESULTS = ROOT / "bench/results"


def commands(page: Path) -> list[list[str]]:
    """Words of each `aureole ...` that a page shows, in spans of code or between fences."""
    text = page.read_text().replace("\\\n", " ")
    text = text.replace('"${@:2}"', "")
    text = re.sub(r"\$\(\(.*?\)\)|\$\w+", "2", text)  # what the shell puts in
    found = re.findall(r"(?<![/\w])aureole (?:mdrun|bench|check|report) [^`\n#|;&>]*", text)
    return [shlex.split(line) for line in found]


def test_lines_run_as_printed(here, capsys):
    """They end within a tenth of the temperature that they set."""
    (lines,) = blocks(README, "python")
    exec(compile(lines, "README.md", "exec"), {})
    printed = re.fullmatch(r"(\d+) K, -?\d+ bar, \d+ ns/day\n", capsys.readouterr().out)
    (wanted,) = re.findall(r'T="(\d+) K"', lines)
    assert printed and float(printed[1]) == pytest.approx(float(wanted), rel=0.1)


def fences(page: Path) -> list[str]:
    """Lines between fences without a language."""
    return [line for block in blocks(page, "") for line in block.splitlines()]


def test_the_two_commands_are_those_of_ci():
    """They stand above the first section, with the minutes that the Makefile tells."""
    top = README.read_text().partition("\n## ")[0]
    found = re.findall(r"^(make [a-z-]+) +# .*: (\d+ to \d+) minutes", top, re.MULTILINE)
    assert [command for command, _ in found] == ["make demo", "make test"]
    run = (ROOT / ".ci/run").read_text().splitlines()
    assert [line for line in run if line.startswith("make")] == [name for name, _ in found]
    for command, minutes in found:
        target = command.removeprefix("make ")
        assert re.search(
            rf"^{target}:.* ## .*{minutes} minutes", MAKEFILE.read_text(), re.MULTILINE
        )
        assert f"**`{command}`**" in top
    assert "open `demo/prod.html`" in top
    # What the lane `fresh` takes from the page is the same.
    told = [
        subprocess.run(
            [sys.executable, ROOT / "tools/readme_commands.py", kind],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for kind in ("make", "pip", "python")
    ]
    assert told[0] == [name for name, _ in found]
    assert told[1][0].startswith("sudo apt-get install ") and told[1][-1] == "pip install ."
    assert "\n".join(told[2]) + "\n" == blocks(README, "python")[0]


@pytest.mark.parametrize("page", [README, INSTALL], ids=["README", "install"])
def test_install_lines(page):
    """Both pages have the same ones, and set-up installs these packages too."""
    text, lines = page.read_text(), fences(page)
    at = lines.index("pip install .")
    assert lines[at - 2 : at + 1] == [
        *(line for line in fences(README) if line.startswith(("sudo apt-get", "python3 -m venv"))),
        "pip install .",
    ]
    (listed,) = re.findall(
        r"^packages=\((.*?)\)", (ROOT / "tools/setup.sh").read_text(), re.MULTILINE | re.DOTALL
    )
    needed = set(lines[at - 2].removeprefix("sudo apt-get install ").split())
    assert {"libhwy-dev", "python3-venv"} < needed <= set(listed.split())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"Python {project['requires-python'].removeprefix('>=')}" in text
    extras = set(re.findall(r"'\.\[(\w+)\]'", text))
    assert extras <= set(project["optional-dependencies"])
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE.read_text(), re.MULTILINE))
    assert set(re.findall(r"`?\bmake ([a-z-]+)`", text)) <= targets


#: The ending of the results of a system, by what its row in the README names.
FILES = {"reaction field": "rf-12k", "12,000, PME": "pme-12k", "DHFR": "dhfr"}


def rows_beside(page: Path) -> list[list[str]]:
    """Rows of the table beside GROMACS: system, two speeds, ratio with quartiles."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.read_text().splitlines()
        if line.startswith("|") and re.search(r"\d – \d", line)
    ]
    assert len(rows) == 3
    return rows


def measured(system: str) -> tuple[dict, dict, dict]:
    """Of a system on four threads: our row, that of GROMACS, and their ratio."""
    (name,) = (file for words, file in FILES.items() if words in system)
    data = json.loads((RESULTS / f"2026-11-23-zen5-molecules-{name}.json").read_text())
    of_four = [row for row in data["rows"] + data["ratios"] if row["threads"] == 4]
    (ours,) = (row for row in of_four if row.get("engine") == "aureole")
    (theirs,) = (row for row in of_four if row.get("engine") == "gromacs")
    (ratio,) = (row for row in of_four if row.get("peer") == "gromacs")
    return ours, theirs, ratio


def test_figures_are_those_of_the_results():
    text = README.read_text()
    page = (RESULTS / "2026-11-23-zen5.md").read_text()
    assert "bench/results/2026-11-23-zen5.md" in text and "four threads" in text
    for system, ours, theirs, ratio in rows_beside(README):
        assert f"| {system} | 4 | {ours} | {theirs} | {ratio} |" in page
        mine, peer, both = measured(system)
        assert [ours, theirs] == [f"{row['ns_per_day']:.2f}" for row in (mine, peer)]
        low, high = both["quartiles"]
        assert ratio == f"{both['ratio']:.3f} ({low:.3f} – {high:.3f})"
    ranks = (RESULTS / "2026-11-25-zen5-ranks.md").read_text()
    row = r"^\| (?:Lenn|water|DHFR)[^|]*\|[^|]*\|[^|]*\| (\d\.\d+)"
    ratios = [float(ratio) for ratio in re.findall(row, ranks, re.MULTILINE)]
    assert f"{min(ratios):.2f} to {max(ratios):.2f} times as fast" in text
    melt = json.loads((RESULTS / "2026-11-25-zen5-ranks-lj.json").read_text())
    (row,) = (r for r in melt["ratios"] if r["peer"].startswith("lammps"))
    low, high = row["quartiles"]
    told = f"{row['ratio']:.1f} ({low:.1f} – {high:.1f})"
    assert f"two MPI ranks of LAMMPS: {told}" in ranks
    assert (row["case"], row["ranks"]) == ("lj-melt-32000", 2)
    assert f"a Lennard-Jones melt of 32,000 particles runs {told} times as fast" in text
    gpu = (RESULTS / "2026-11-27-h100.md").read_text()
    row = r"\| [\d,]+ \| (0\.\d+) \|$"
    ratios = [float(ratio) for ratio in re.findall(row, gpu, re.MULTILINE)]
    assert f"{min(ratios):.1f} to {max(ratios):.1f} of OpenMM's speed" in text


@pytest.mark.parametrize("page", [README, INSTALL, CLUSTER], ids=["README", "install", "cluster"])
def test_commands_are_understood(page):
    bench = configure(argparse.ArgumentParser())
    found = commands(page)
    assert found or page == INSTALL
    for _, command, *words in found:
        if command == "mdrun":
            assert options.read(words)
        elif command == "bench":
            bench.parse_args(words)


def test_picture_is_wide():
    (name,) = re.findall(r"!\[[^]]+\]\((docs/images/[^)]+)\)", README.read_text())
    width, height = struct.unpack(">II", (ROOT / name).read_bytes()[16:24])
    assert height <= 400 and width > 2.5 * height


def test_citation_has_this_version():
    text = (ROOT / "CITATION.cff").read_text()
    assert re.search(r"^cff-version: 1\.2\.0$", text, re.MULTILINE)
    (version,) = re.findall(r"^version: ([\d.]+)", text, re.MULTILINE)
    cmake = (ROOT / "CMakeLists.txt").read_text()
    (built,) = re.findall(r"project\(aureole VERSION ([\d.]+)", cmake)
    assert version == built == VERSION


@pytest.mark.filterwarnings("ignore:chains.gsd. bonds are not read")
def test_ported_script_runs(here):
    script, *_ = blocks(PORTING, "python")
    names: dict = {}
    exec(compile(script, PORTING.name, "exec"), names)
    assert names["sim"].temperature == pytest.approx(1.0, rel=0.1)
    assert len(au.read("chains.gsd").position) == 800


def ported(words: str) -> dict:
    """What the block of code with some words makes."""
    (code,) = [block for block in blocks(PORTING, "python") if words in block]
    names: dict = {"au": au, "np": np}
    exec(compile(code, PORTING.name, "exec"), names)
    return names


def test_ported_forces_in_python_act():
    """Particles at rest swing as cosines; the error is of first order, as the page says."""
    names = ported("def spring(sim")
    sim, cloud = names["sim"], names["cloud"]
    t = sim.time
    assert sim.step == 1000 and t == pytest.approx(5.0)
    expected = cloud.position * np.cos(np.sqrt(2.0) * t)
    error = np.abs(sim.get("position") - expected).max()
    assert error < 0.01
    observers = [au.Callback(names["spring"], every=1)]
    half = au.Simulation(cloud, [], au.NVE(dt=0.0025), observers, threads=1).run(2000)
    assert np.abs(half.get("position") - expected).max() == pytest.approx(error / 2, rel=0.2)
    assert sim.energy.potential == 0.0 and not sim.get("force").any()


def test_ported_boxes_are_resized():
    """The pressure of the dense fluid is that of a system that was built so."""
    names = ported("def resized(sim")
    sim = names["sim"]
    assert sim.snapshot().density == pytest.approx(0.8, rel=1e-12) and sim.step == 3100
    built = au.build.lattice("fcc", n=500, density=0.8)
    other = au.Simulation(built, sim.forces, sim.integrator, seed=2, threads=1)
    other.thermalize(kT=1.5)
    pressures = []
    for one in (sim, other):
        one.run(300)
        seen = []
        one.observers = [au.Callback(lambda s, to=seen: to.append(s.pressure), every=10)]
        one.run(1500)
        pressures.append(np.mean(seen))
    assert pressures[0] == pytest.approx(pressures[1], abs=0.6)  # four standard errors
    assert pressures[0] > 3  # of the gas 0.2
    tilted = names["resized"](au.Simulation(au.System(au.Box(8, 8, 8, 0.2), np.eye(3)), []), 0.5)
    assert tilted.box == au.Box(4, 4, 4, 0.2) and np.array_equal(
        tilted.get("position"), np.eye(3) / 2
    )


def third_column() -> list[str]:
    """Code of the column "here" that stands alone: no dots for what is left out."""
    rows = [
        re.split(r"(?<!\\)\|", line)
        for line in PORTING.read_text().splitlines()
        if line.startswith("|")
    ]
    spans = [code for row in rows for code in re.findall(r"`([^`]+)`", row[3])]
    return [code for code in spans if re.search(r"\b(au|sim)\.", code) and "..." not in code]


def test_ported_names_exist(here):
    system = au.build.lattice("fcc", n=108, density=0.5)
    forces = [au.WCA(epsilon=1.0, sigma=1.0)]
    files = [au.Checkpoint("a.ckpt", every=5)]
    sim = au.Simulation(system, forces, au.NVE(dt=0.005), files, threads=1)
    sim.run(5)
    au.write("start.gsd", sim.snapshot())
    names = {"au": au, "np": np, "sim": sim, "function": len}
    names |= {"lx": 8, "ly": 8, "lz": 8, "xy": 0.1, "xz": 0, "yz": 0}
    found = third_column()
    assert len(found) > 40
    for code in found:
        short = re.sub(r"sim\.run\((until=)?10_000\)", r"sim.run(\g<1>10)", code)
        try:
            compiled = compile(short, code, "exec")
        except SyntaxError:  # arguments alone
            compiled = compile(f"dict({short})", code, "exec")
        exec(compiled, dict(names))


def test_the_files_of_dhfr_have_a_source():
    words = " ".join(README.read_text().split())
    assert "`--conf` and `--top` of DHFR" in words
    assert "examples/benchmarks/5dfr_solv-cube_equil.pdb" in words
    assert "https://github.com/openmm/openmm" in words
