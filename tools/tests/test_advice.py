# SPDX-License-Identifier: Apache-2.0
"""What CONTRIBUTING.md advises works after `make test`, without what lanes install."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from checks import config, fresh_packages
from lanes_tree import TOOLS

pytestmark = pytest.mark.usefixtures("fixed")
ROOT = TOOLS.parent
FOLDERS = ("tests", "tools/tests")


def imported(path: Path) -> set[str]:
    """First names of the modules that a file imports where it is loaded."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module.split(".")[0])
    return found


def after_importorskip(path: Path) -> set[str]:
    """Modules without which a file is skipped with a reason."""
    return set(re.findall(r'importorskip\("(\w+)[\w.]*", reason=', path.read_text()))


def where_used(path: Path) -> set[str]:
    """What all test files beside a file of helpers are skipped without."""
    tests = list(path.parent.glob("test_*.py"))
    return set.intersection(*map(after_importorskip, tests)) if tests else set()


def of_make_test() -> set[str]:
    """Modules of the packages that `make test` installs."""
    (site,) = {Path(pytest.__file__).parents[1]}
    ours, _ = fresh_packages.split(config.read(ROOT), site)
    files = [str(file) for one in ours for file in one.files or ()]
    return {re.split(r"[./]", name)[0] for name in files}


def test_test_files_are_loaded_without_what_lanes_install():
    """Else `pytest tests/python -k box` ends in errors of collection."""
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    files.append(ROOT / "conftest.py")
    known = sys.stdlib_module_names | of_make_test() | {"aureole", "aureole_bench", "checks"}
    known |= {path.stem for path in [*files, *TOOLS.iterdir(), *(ROOT / "validation").iterdir()]}
    left = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        for name in imported(path) - known - after_importorskip(path) - where_used(path)
    }
    assert left == set()


def test_the_advised_commands_are_there():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    assert "-m pytest tests/python -k box" in text and "tests/random_jobs/run.py --seed" in text


def test_tests_of_a_gpu_are_skipped_where_there_is_none():
    doctor = [sys.executable, "-m", "aureole", "doctor"]
    if "✓ cuda" in subprocess.run(doctor, capture_output=True, text=True).stdout:
        pytest.skip("this system has a GPU")
    words = ["-q", "-p", "no:cacheprovider", "tests/python/engine/test_devices.py", "-k", "cuda"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0 and "needs a CUDA device" in done.stdout, done.stdout
    assert " failed" not in done.stdout and re.search(r"\d+ skipped", done.stdout)
