# SPDX-License-Identifier: Apache-2.0
"""`tools/lanes.py near`: the commands that run the tests nearest to a file."""

from __future__ import annotations

import subprocess

import pytest
from checks import near
from checks.config import TREE, Problem

FILES = {
    "src/a/box.hpp": "",
    "src/a/wall/wall.hpp": "",
    "src/a/wall/tests/bounces.cpp": "TEST_P(Bounces, Once) {}\nTEST(Bounces, Twice) {}",
    "src/a/tests/boxes.cpp": '#include "a/box.hpp"\nTEST(Boxes, Close) {}',
    "src/b/alone.cpp": "",
    "python/aureole/formats/gro.py": "",
    "python/aureole/formats/xyz.py": "",
    "tests/python/formats/test_gro.py": "from aureole.formats import gro, xtc\n",
    "tests/python/cli/test_info.py": "from aureole.formats.gro import read\nfrom inputs import a\n",
    "tests/python/helpers/inputs.py": "",
}
WALL = "make build && build/test_a --gtest_filter='*Bounces.*'"
PYTEST = ".venv/bin/python -m pytest"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("src/a/wall/wall.hpp", [WALL]),
        ("src/a/wall/tests/bounces.cpp", [WALL]),
        ("src/a/box.hpp", ["make build && build/test_a --gtest_filter='*Bounces.*:*Boxes.*'"]),
        (
            "python/aureole/formats/gro.py",
            [f"{PYTEST} tests/python/cli/test_info.py tests/python/formats/test_gro.py"],
        ),
        ("python/aureole/formats/xyz.py", [f"{PYTEST} tests/python/formats"]),
        ("tests/python/cli/test_info.py", [f"{PYTEST} tests/python/cli/test_info.py"]),
        ("tests/python/helpers/inputs.py", [f"{PYTEST} tests/python/cli/test_info.py"]),
    ],
)
def test_tests_of_a_file(tmp_path, name, expected):
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    assert near.commands(tmp_path, [name, name]) == expected
    assert near.commands(tmp_path, [str(tmp_path / name)]) == expected
    with pytest.raises(Problem, match=r"no test is near src/b/alone\.cpp"):
        near.commands(tmp_path, ["src/b/alone.cpp"])
    for wrong in ("src/none.cpp", "/etc/passwd", "src"):
        with pytest.raises(Problem, match=f"{wrong} is no file of this tree"):
            near.commands(tmp_path, [wrong])


def test_every_file_of_the_code_has_tests_near_it():
    """Also: each test that is named is there, as `git ls-files` has it."""
    listed = subprocess.run(
        ["git", "ls-files", "src/**.hpp", "src/**.cpp", "python/**.py"],
        cwd=TREE,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert len(listed) > 500
    for name in listed[::50]:
        for line in near.commands(TREE, [name]):
            for word in line.split():
                assert not word.startswith("tests/") or (TREE / word).exists()
