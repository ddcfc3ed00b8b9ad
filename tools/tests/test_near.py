# SPDX-License-Identifier: Apache-2.0
"""`tools/lanes.py near`: the commands that run the tests nearest to a file."""

from __future__ import annotations

import re
import subprocess
from fnmatch import fnmatch

import pytest
from checks import near
from checks.config import TREE

AUTHOR = ["-c", "user.name=A", "-c", "user.email=a@b"]

FILES = {
    "src/a/box.hpp": "",
    "src/a/pack.hpp": "",
    "src/a/kernels.cu": "",
    "src/a/wall/wall.hpp": "",
    "src/a/wall/far.hpp": "",
    "src/a/use/use.cpp": '#include "a/wall/far.hpp"',
    "src/a/use/tests/uses.cpp": "TYPED_TEST(Uses, Types) {}",
    "src/a/wall/tests/bounces.cpp": "TEST_P(Bounces, Once) {}\nTEST(Bounces, Twice) {}",
    "src/a/tests/boxes.cpp": '#include "a/box.hpp"\nTEST(Boxes, Close) {}',
    "src/a/tests/isa/packs.cpp": '#include "a/pack.hpp"\nTEST(Packs, Add) {}',
    "src/a/tests/gpu/blocks.cpp": "TEST(Blocks, Run) {}",
    "src/b/alone.cpp": "",
    "python/aureole/formats/gro.py": "",
    "python/aureole/formats/xyz.py": "",
    "python/aureole/formats/atoms.table": "",
    "tests/python/formats/test_gro.py": "from aureole.formats import gro, xtc\n",
    "tests/python/cli/test_info.py": "from aureole.formats.gro import read\nfrom inputs import a\n",
    "tests/python/helpers/inputs.py": "",
    "tests/jobs/draw.py": "",
    "tests/jobs/test_jobs.py": "",
    "docs/gro.md": "",
    "tests/python/formats/test_pages.py": "PAGE = 'docs/gro.md'\n",
}
BUILT = "make build && build/test_a --gtest_filter="
PACKS = "make build && for each in build/test_a_*; do $each --gtest_filter='*Packs.*'; done"
PYTEST = ".venv/bin/python -m pytest"
DOCS = f"{PYTEST} tests/python/end_to_end/test_docs.py tests/python/end_to_end/test_readme.py"


@pytest.fixture
def tree(tmp_path):
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("src/a/wall/wall.hpp", [f"{BUILT}'*Bounces.*'"]),
        ("src/a/wall/tests/bounces.cpp", [f"{BUILT}'*Bounces.*'"]),
        ("src/a/wall/far.hpp", [f"{BUILT}'*Bounces.*:*Uses/*'"]),
        ("src/a/box.hpp", [f"{BUILT}'*Bounces.*:*Boxes.*:*Uses/*'", PACKS]),
        ("src/a/tests/isa/packs.cpp", [PACKS]),
        ("src/a/tests/gpu/blocks.cpp", [".venv/bin/python tools/lanes.py run cuda hip emulated"]),
        (
            "python/aureole/formats/gro.py",
            [f"{PYTEST} tests/python/cli/test_info.py tests/python/formats/test_gro.py"],
        ),
        ("python/aureole/formats/xyz.py", [f"{PYTEST} tests/python/formats"]),
        ("python/aureole/formats/atoms.table", [f"{PYTEST} tests/python/formats"]),
        ("tests/python/cli/test_info.py", [f"{PYTEST} tests/python/cli/test_info.py"]),
        ("tests/python/helpers/inputs.py", [f"{PYTEST} tests/python/cli/test_info.py"]),
        ("tests/jobs/draw.py", [f"{PYTEST} tests/jobs"]),
        (
            "docs/gro.md",
            [
                ".venv/bin/python tools/check_links.py && .venv/bin/python tools/check_style.py",
                f"{DOCS} tests/python/formats/test_pages.py",
            ],
        ),
    ],
)
def test_tests_of_a_file(tree, name, expected):
    assert near.commands(tree, [name, name], tree) == (expected, [])
    assert near.commands(tree, [str(tree / name)], tree.parent) == (expected, [])
    folder, _, file = name.rpartition("/")
    assert near.commands(tree, [file], tree / folder) == (expected, [])


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("src/b/alone.cpp", "no test is near src/b/alone.cpp. `make test` runs all."),
        ("src", "src is a folder. Name files in it."),
        ("src/none.cpp", "src/none.cpp is no file of this tree"),
        ("/etc/passwd", "/etc/passwd is no file of this tree"),
    ],
)
def test_what_has_no_tests_hides_no_others(tree, name, problem):
    lines, (said,) = near.commands(tree, [name, "src/a/wall/wall.hpp"], tree)
    assert lines == [f"{BUILT}'*Bounces.*'"]
    assert said.startswith(problem)


def test_a_deleted_file_has_the_tests_of_its_folder(tree):
    for command in (["init", "-q"], ["add", "-A"], [*AUTHOR, "commit", "-qm", "all"]):
        subprocess.run(["git", *command], cwd=tree, check=True)
    (tree / "src/a/wall/wall.hpp").unlink()
    assert near.commands(tree, ["src/a/wall/wall.hpp"], tree) == ([f"{BUILT}'*Bounces.*'"], [])


def test_a_long_filter_is_left_out(tree):
    many = "".join(f"TEST(SuiteOfManyThatFillALine{k}, Holds) {{}}\n" for k in range(20))
    (tree / "src/a/wall/tests/many.cpp").write_text(many)
    assert near.commands(tree, ["src/a/wall/wall.hpp"], tree) == (
        ["make build && build/test_a"],
        [],
    )


def test_every_file_of_the_code_has_tests_near_it():
    """Also: each test that is named is there, as `git ls-files` has it."""
    patterns = ("src/**.hpp", "src/**.cpp", "src/**.cu", "python/**.py", "cmake/**", "*.toml")
    listed = subprocess.run(
        ["git", "ls-files", *patterns], cwd=TREE, capture_output=True, text=True, check=True
    ).stdout.split()
    assert len(listed) > 500
    lines, problems = near.commands(TREE, listed[::50], TREE)
    assert problems == []
    for line in lines:
        for word in line.split():
            assert not word.startswith(("tests/", "tools/")) or (TREE / word).exists()


@pytest.mark.parametrize("program", ["tasks", "amr", "core", "md"])
def test_every_suite_that_is_named_is_in_its_program(program):
    """No filter may leave all tests out: a run of no test passes."""
    built = TREE / "build" / f"test_{program}"
    if not built.exists():
        pytest.skip(f"{built} is not built")
    listed = subprocess.run([built, "--gtest_list_tests"], capture_output=True, text=True).stdout
    suites = [f"{line.split()[0]}X" for line in listed.split("\n") if line[:1].strip()]
    for source in (TREE / "src" / program).rglob("tests/*.cpp"):
        lines, _ = near.commands(TREE, [str(source)], TREE)
        for pattern in re.findall(r"build/test_\w+ .*--gtest_filter='(.*)'", " ".join(lines)):
            chosen = pattern.split(":")
            assert any(fnmatch(s, one) for s in suites for one in chosen), (source, chosen)
