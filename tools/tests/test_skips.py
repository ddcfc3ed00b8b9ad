# SPDX-License-Identifier: Apache-2.0
"""Skipped tests are counted, and in CI more than a few fail the session."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

TESTS = """\
import pytest

@pytest.mark.parametrize("k", range(12))
def test_some(k):
    if k < {skipped}:
        pytest.skip("no such program")
"""


def session(folder, skipped, ci, *words):
    shutil.copy(ROOT / "conftest.py", folder)
    (folder / "test_some.py").write_text(TESTS.format(skipped=skipped))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-ra", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env=os.environ | {"CI": ci},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("skipped, ci, code", [(10, "true", 0), (11, "true", 1), (11, "", 0)])
def test_more_than_ten_fail_in_ci(tmp_path, skipped, ci, code):
    found, out = session(tmp_path, skipped, ci)
    assert found == code, out
    assert f"{skipped} tests were skipped" in out
    assert "no such program" in out and ("make setup-lanes" in out) == (skipped > 10)


def test_counts_those_of_all_processes(tmp_path):
    pytest.importorskip("xdist", reason="needs pytest-xdist, which make setup-lanes installs")
    assert session(tmp_path, 11, "true", "-n", "2")[0] == 1
