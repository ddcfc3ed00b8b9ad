# SPDX-License-Identifier: Apache-2.0
"""A potential is one small file: with no other edit it is in Python, docs and the contract test.

The file stands in tests/extensions/, a folder outside src. The target `extended` of the build (a
stage of `make test`) registers it, for unit tests and a Python package of their own.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BUILD = ROOT / "build"
PACKAGE = BUILD / "extended"
EXTENSIONS = ROOT / "tests" / "extensions"
PAIR = EXTENSIONS / "pair" / "yukawa.hpp"
TERM = EXTENSIONS / "bonded" / "quartic_bond.hpp"

USE = """\
import numpy as np
import aureole as au

force = au.Yukawa(epsilon=2.0, kappa=0.8, r_cut=3.0)
system = au.build.random(200, box=(8.0, 9.0, 7.5), min_distance=0.8, seed=1)
for precision, tolerance in (("double", 1e-11), ("mixed", 1e-5)):
    sim = au.Simulation(system, [force], au.NVE(dt=0.002), precision=precision, threads=1)
    want, energy = np.zeros((200, 3)), 0.0
    for i in range(200):
        d = system.box.minimum_image(system.position[i] - system.position)
        r = np.sqrt((d * d).sum(1))
        r[i] = np.inf
        near = r < 3.0
        u = np.where(near, 2.0 * np.exp(-0.8 * r) / r, 0.0)
        want[i] = ((u * (0.8 + 1 / r) / r)[:, None] * d).sum(0)
        energy += u.sum() / 2
    assert np.abs(sim.get("force") - want).max() < tolerance * np.abs(want).max()
    assert abs(sim.energy.potential - energy) < tolerance * energy
    sim.run(20)
print(au.__file__)
print(au.Yukawa.__doc__)
"""


def run(*command, **environment):
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | environment,
        timeout=2700,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


def configure(folder, *options):
    run("cmake", "-G", "Ninja", "-S", ".", "-B", folder, "-DAUREOLE_CUDA=OFF", *options)


@pytest.fixture(scope="module")
def built():
    """The extended package and tests, with what changed since their stage made them."""
    if not PACKAGE.exists() and os.environ.get("CI") != "true":
        pytest.skip("the extended package is missing: make check LANES=extended makes it")
    with open(BUILD / "extended.lock", "w") as file:  # of all processes of the tests
        fcntl.flock(file, fcntl.LOCK_EX)
        run("cmake", "--build", BUILD, "-j", os.cpu_count(), "--target", "extended")
    return BUILD / "test_md_extended"


@pytest.mark.parametrize("file", [PAIR, TERM], ids=lambda file: file.stem)
def test_file_is_small(file):
    assert len(file.read_text().splitlines()) < 40


@pytest.mark.parametrize("file, page", [(PAIR, "potential"), (TERM, "bonded-term")])
def test_file_is_the_one_that_is_explained(file, page):
    assert file.read_text() in (ROOT / "docs" / "howto" / f"add-a-{page}.md").read_text()


def test_no_other_file_names_it():
    sources = [ROOT / "src", ROOT / "cmake", ROOT / "python" / "aureole"]
    files = [p for folder in sources for p in folder.rglob("*") if p.suffix not in (".so", ".pyc")]
    files.remove(ROOT / "python" / "aureole" / "base" / "names_elsewhere.py")  # says how to add it
    texts = [p.read_text(errors="replace").lower() for p in files if p.is_file()]
    for name in ("yukawa", "quartic_bond", "quarticbond"):
        assert not any(name in text for text in texts)


def test_in_python(built):
    out = run(sys.executable, "-c", USE, PYTHONPATH=str(PACKAGE))
    assert str(PACKAGE) in out
    assert "Yukawa potential" in out and "kappa: inverse range [1/length]" in out


def test_in_docs(built, tmp_path):
    run(sys.executable, "tools/gen_docs.py", "--out", tmp_path, PYTHONPATH=str(PACKAGE))
    page = (tmp_path / "potentials.md").read_text()
    assert "## Yukawa" in page and "| `kappa` | inverse range | 1/length |" in page


@pytest.mark.parametrize("name", ["Contract*Yukawa", "TermContract*quartic_bond"])
def test_in_the_contract_test(built, name):
    out = run(built, f"--gtest_filter=*{name}*")
    assert "[  PASSED  ]" in out and "[  PASSED  ] 0 tests" not in out


def test_the_example_may_be_an_extension_of_a_build_with_tests(tmp_path):
    options = [f"-DAUREOLE_EXTENSIONS={EXTENSIONS}", "-DAUREOLE_PYTHON=OFF", "-DAUREOLE_ISAS=avx2"]
    configure(tmp_path / "build", *options)
    assert {"leaf_yukawa.cpp"} < units(tmp_path / "build" / "compile_commands.json")


def units(database):
    """Names of what a build compiles: each file, where several share a unit."""
    files = [Path(unit["file"]) for unit in json.loads(database.read_text())]
    shared = [path for path in files if path.parent.name == "Unity"]
    names = {path.name for path in files if path not in shared}
    return names.union(*(re.findall(r'#include ".*/(.*)"', path.read_text()) for path in shared))


@pytest.mark.parametrize("file, prefix", [(PAIR, ""), (TERM, "term_")], ids=["pair", "bonded"])
def test_a_configured_build_sees_a_new_file_and_compiles_two_units_more(tmp_path, file, prefix):
    folder, build = tmp_path / "extension" / file.parent.name, tmp_path / "build"
    folder.mkdir(parents=True)
    configure(
        build,
        f"-DAUREOLE_EXTENSIONS={tmp_path / 'extension'}",
        "-DAUREOLE_PYTHON=OFF",
        "-DAUREOLE_ISAS=avx2",
        "-DAUREOLE_TESTS=OFF",
    )
    before = units(build / "compile_commands.json")
    (folder / "added.hpp").write_text(file.read_text())
    run("ninja", "-C", build, "build.ninja")
    new = units(build / "compile_commands.json") - before
    assert new == {f"{prefix}leaf_added.cpp", f"{prefix}lanes_added.cpp"}


@pytest.mark.parametrize(
    "place, words",
    [
        ("pair/lennard_jones.hpp", "There are two leaf files pair/lennard_jones.hpp"),
        ("pairs/other.hpp", "pairs/other.hpp would be in no build"),
    ],
)
def test_a_file_that_would_be_lost_is_refused(tmp_path, place, words):
    path = tmp_path / "extension" / place
    path.parent.mkdir(parents=True)
    path.write_text(PAIR.read_text())
    with pytest.raises(AssertionError) as refusal:
        configure(
            tmp_path / "build", f"-DAUREOLE_EXTENSIONS={path.parents[1]}", "-DAUREOLE_PYTHON=OFF"
        )
    assert words in " ".join(str(refusal.value).split())
