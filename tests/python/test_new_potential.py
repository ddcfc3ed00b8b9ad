# SPDX-License-Identifier: Apache-2.0
"""A potential is one small file: with no other edit it is in Python, docs and the contract test.

The tree is copied into build-leaf/ (kept between runs, so that only changes are compiled), the
file is added there, and the copy is built for the plainest instruction set.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COPY = ROOT / "build-leaf" / "tree"
BUILD = ROOT / "build-leaf" / "build"
NEW = COPY / "src" / "md" / "pair" / "leaves" / "yukawa.hpp"

LEAF = """\
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/potential.hpp"

namespace aureole::md::leaves {

struct Yukawa {
    static constexpr const char* words = "Yukawa potential, U(r) = epsilon exp(-kappa r) / r.";
    static constexpr Parameter parameters[] = {
        {"epsilon", "energy length", "strength"},
        {"kappa", "1/length", "inverse range"},
    };

    template <class R>
    AUREOLE_FN static R energy(R r2, const Coefficients<R, 2>& c) {
        const R r = sqrt(r2);
        return c[0] * exp(R(0) - c[1] * r) * recip(r);
    }
};

}  // namespace aureole::md::leaves
"""

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
print(au.Yukawa.__doc__)
"""


def sync_tree() -> None:
    """Copy what git knows or would take, where it differs."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    wanted = {Path(line) for line in listed if not line.startswith(("tests/", "bench/"))}
    # Of the C++ tests only the contract test is built: it is the one that must find the new file.
    contract = Path("src/md/tests/potential_contract.cpp")
    wanted -= {
        p
        for p in wanted
        if p.parts[0] == "src" and "tests" in p.parts and p.suffix != ".hpp" and p != contract
    }
    for path in wanted:
        source, target = ROOT / path, COPY / path
        if not source.is_file():
            continue
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    for path in (COPY / "src").rglob("*"):
        if path.is_file() and path.relative_to(COPY) not in wanted and path != NEW:
            path.unlink()
    pack = ROOT / "third_party" / "pack"
    if pack.exists() and not (COPY / "third_party" / "pack").exists():
        (COPY / "third_party").mkdir(exist_ok=True)
        (COPY / "third_party" / "pack").symlink_to(pack)


def run(*command, **environment):
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        cwd=COPY,
        env=os.environ | environment,
        timeout=2700,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def built():
    """The copy, with the new file and nothing else, built."""
    if not shutil.which("cmake") or not (ROOT / ".git").exists():
        pytest.skip("needs cmake and a git checkout")
    sync_tree()
    assert not (ROOT / NEW.relative_to(COPY)).exists()
    if not NEW.exists() or NEW.read_text() != LEAF:
        NEW.write_text(LEAF)
    options = ["-DAUREOLE_SIMD=scalar", "-DAUREOLE_CUDA=OFF", "-DCMAKE_BUILD_TYPE=Release"]
    options += [f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"]
    run("cmake", "-G", "Ninja", "-S", COPY, "-B", BUILD, *options)
    run("cmake", "--build", BUILD, "-j", str(os.cpu_count()), "--target", "_core", "test_md")
    return COPY


def test_file_is_small():
    assert len(LEAF.splitlines()) < 40


def test_in_python(built):
    out = run(sys.executable, "-c", USE, PYTHONPATH=str(built / "python"))
    assert "Yukawa potential" in out and "kappa: inverse range [1/length]" in out


def test_in_docs(built):
    run(sys.executable, "tools/gen_docs.py", PYTHONPATH=str(built / "python"))
    page = (built / "docs" / "reference" / "potentials.md").read_text()
    assert "## Yukawa" in page and "| `kappa` | inverse range | 1/length |" in page


def test_in_the_contract_test(built):
    program = next(BUILD.rglob("test_md"))
    out = run(program, "--gtest_filter=*Contract*Yukawa*")
    assert "[  PASSED  ]" in out and "[  PASSED  ] 0 tests" not in out
