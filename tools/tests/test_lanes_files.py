# SPDX-License-Identifier: Apache-2.0
"""What a receipt stands for: odd names, links and modes of files, odd words in tests/lanes.toml."""

from __future__ import annotations

import dataclasses
import os
import subprocess

import pytest
from checks import ci, config, machine, receipts, states
from checks.config import Problem
from checks.globs import path_matches
from lanes_tree import TOOLS

pytestmark = pytest.mark.usefixtures("fixed")


def state_of(tree):
    (state,) = states.States(tree.config).all()
    return state


@pytest.mark.parametrize(
    "name", ["src/a b.hpp", "src/a\nb.hpp", "src/a\rb.hpp", "src/ä.hpp", b"src/\xe4.hpp", "src/-a"]
)
def test_a_file_of_any_name_owes_the_lane(passed, name):
    path = os.path.join(os.fsencode(passed.root), os.fsencode(name))
    with open(path, "w") as file:
        file.write("1")
    assert not state_of(passed).proven
    passed.commit()
    assert state_of(passed).commits == 1
    digest = states.States(passed.config).digest(passed.config.lanes["slow"])
    with open(path, "w") as file:
        file.write("2")
    assert states.States(passed.config).digest(passed.config.lanes["slow"]) != digest


def test_modes_and_links_owe_the_lane(passed):
    a, b = passed.root / "src" / "a.cpp", passed.root / "src" / "b.hpp"
    a.chmod(0o755)
    assert not state_of(passed).proven
    a.chmod(0o644)
    assert state_of(passed).proven
    outside = passed.root.parent / "outside.hpp"
    outside.write_text("1")
    seen = set()
    for change in (lambda: b.write_text(str(outside)), lambda: (b.unlink(), b.symlink_to(outside))):
        change()
        seen.add(states.States(passed.config).digest(passed.config.lanes["slow"]))
    outside.write_text("2")
    seen.add(states.States(passed.config).digest(passed.config.lanes["slow"]))
    assert len(seen) == 3


def test_a_repository_within_is_refused(passed, capfd):
    inner = passed.root / "src" / "inner"
    inner.mkdir()
    subprocess.run(["git", "init", "-q", inner], check=True)
    (inner / "b.hpp").write_text("1")
    assert passed.lanes() == 1
    assert "src/inner/ is a repository of its own" in capfd.readouterr().err


def test_another_tree_in_gits_variables_is_not_looked_at(passed, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    assert passed.lanes() == 0


def test_no_git_is_told(passed, monkeypatch, capfd):
    monkeypatch.setenv("PATH", str(passed.root))
    assert passed.lanes() == 1
    assert "git cannot be started" in capfd.readouterr().err


def test_a_shallow_clone_says_so(passed, tmp_path):
    for _ in range(2):
        passed.more_commits(1)
    shallow = tmp_path / "shallow"
    passed.git("clone", "-q", "--depth", "1", f"file://{passed.root}", str(shallow))
    found = dataclasses.replace(passed.config, root=shallow)
    receipts.write(shallow, {"slow": dataclasses.replace(passed.receipts["slow"], digest="1" * 64)})
    (state,) = states.States(found).all()
    assert state.urgent and "git fetch --unshallow" in state.why


def test_a_detached_head_and_a_merge(passed):
    passed.git("switch", "-qc", "other")
    passed.write("src/a.hpp", "int a = 2;\n")
    passed.commit()
    passed.git("switch", "-q", "main")
    passed.write("src/a.cpp", "// changed\n")
    passed.commit()
    passed.git("-c", "user.name=a", "-c", "user.email=a@b", "merge", "-q", "--no-edit", "other")
    passed.git("checkout", "-q", "--detach")
    assert state_of(passed).commits == 2 and not state_of(passed).urgent


def test_a_definition_that_changed_long_ago_fails(passed, monkeypatch, capfd):
    passed.replace("tests/slow.txt", "Of.Slow*", "Of.Sl*")
    passed.commit()
    passed.more_commits(100)
    assert state_of(passed).commits == 101
    monkeypatch.setenv(ci.VARIABLE, "1")
    assert passed.lanes("ci") == 1
    assert "FAILED slow is owed for 101 commits" in capfd.readouterr().out


def test_packages_and_representatives_are_part_of_a_definition(passed):
    passed.replace("tests/lanes.toml", "[lanes.slow]", '[lanes.slow]\npackages = {apt = ["odd"]}')
    assert not state_of(passed).proven
    passed.git("checkout", "-q", ".")
    passed.replace("tests/lanes.toml", "[fast]", '[fast]\nrepresentatives = ["test_a:Of.Slow"]')
    assert not state_of(passed).proven


def test_brackets_in_patterns_of_paths():
    assert path_matches("a/01_b.py", ["a/0[123]*.py"])
    assert not path_matches("a/04_b.py", ["a/0[123]*.py"])
    assert path_matches("a/[b].py", ["a/[b].py"]) is False
    assert path_matches("a/b\nc/d", ["a/**"])


def test_a_pattern_without_a_file_is_named(tree, capfd):
    tree.replace("tests/lanes.toml", 'all = ["src/**"', 'python = ["t/*.py"]\nall = ["!odd/**"')
    assert tree.lanes("files") == 1
    out = capfd.readouterr().out
    assert "lanes.slow has !odd/**, which matches no file" in out
    assert "lanes.slow has tests of t/*.py, which is no file" in out


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("[lanes.slow]", "[lanes.slow", "cannot be read"),
        ("[lanes.slow]", "[lines.slow]", "lanes are none"),
        ("[lanes.slow]", '[lanes."fast-unit"]', "fast-unit is no name for a lane"),
        ("[lanes.slow]", "[lanes]\nother = 3\n[lanes.slow]", "other is no table"),
        ("[lanes.slow]", "[lanes.slow]\npython = 'a'", "a python that is no list of words"),
        ("[lanes.slow]", "[lanes.slow]\npackages = {atp = []}", "packages that are none of"),
        ("[lanes.slow]", "[lanes.slow]\nodd = 1", "slow has odd (not a key)"),
        ("[lanes.slow]", "[files]\na = ['@a']\n[lanes.slow]\npython = ['@a']", "@a has itself"),
        ('commands = ["lanes gtest slow"]', "commands = []", "slow has no commands"),
        ('gtest slow"]\nbudget = 100', 'gtest slow"]\n', "slow has no budget"),
        ('gtest slow"]\nbudget = 100', 'gtest slow"]\nbudget = nan', "slow has no budget"),
        ('cpp = ["plain slow"]', 'cpp = ["plane slow"]', "the way 'plane', which is none"),
        ('programs = ["test_a"]', "programs = []", "plain has no programs"),
        ("silence = 100", "patience = 1", "plain has patience (not a key)"),
        ("silence = 100", "environment = {A = 1}", "no table of words"),
        ('skips = ["one processor*"]', 'skips = "*"', "skips is no list of words"),
    ],
)
def test_odd_words_are_named(tree, capfd, old, new, words):
    tree.replace("tests/lanes.toml", old, new)
    assert tree.lanes() == 1
    assert words in capfd.readouterr().err


@pytest.mark.parametrize(
    "name, value",
    [("JOBS", "0"), ("JOBS", "many"), ("AUREOLE_FACTOR", "0"), ("AUREOLE_CI_BEGAN", "noon")],
)
def test_odd_variables_are_named(passed, monkeypatch, capfd, name, value):
    monkeypatch.setenv(name, value)
    assert passed.lanes("ci") == 1
    assert f"{name}={value}" in capfd.readouterr().err


def test_a_clock_that_was_set_back(passed, monkeypatch):
    monkeypatch.setenv(ci.VARIABLE, "9e9")
    passed.write("src/a.hpp", "int a = 2;\n")
    passed.replace("tests/lanes.toml", "budget = 100", "budget = 99999")
    assert ci.run(passed.config) == 0
    assert not state_of(passed).proven  # no more time than at the start


def test_a_broken_factor_is_measured_again(tree, monkeypatch):
    monkeypatch.delenv("AUREOLE_FACTOR")
    monkeypatch.setattr(machine, "compile_once", lambda: 2 * machine.SECONDS_ON_ZEN_5)
    place = tree.write("build/checks/machine.json", '{"factor"')
    assert machine.factor(tree.config) == 2 == machine.factor(tree.config)
    place.write_text('{"factor": 7}')
    os.utime(place, (9e9, 9e9))
    assert machine.factor(tree.config) == 2


@pytest.mark.parametrize(
    "old, new",
    [("seconds = ", "seconds = -"), ("tests = 1", 'tests = "1"'), ("tests = 1\n", ""), ("[", "[[")],
)
def test_odd_receipts_are_named(passed, capfd, old, new):
    passed.replace("tests/passed.toml", old, new)
    assert passed.lanes() == 1
    assert "tests/passed.toml cannot be read" in capfd.readouterr().err


def test_the_tree_itself_can_be_read():
    assert config.read(TOOLS.parent).lanes
    with pytest.raises(Problem, match="is missing"):
        config.read(TOOLS)


def test_setting_up_all_lanes_fails_where_they_cannot_be_read(tree):
    """A command within the words of a `for` does not end bash."""
    script = (TOOLS / "setup.sh").read_text()
    head, tail = script.split("\nsystem_packages\nenvironment\n")
    (tree.root / "tools").mkdir()
    tree.write("tools/setup.sh", f"{head}\n{tail}").chmod(0o755)
    tree.write(".venv/bin/python", "#!/bin/sh\nexit 1\n").chmod(0o755)
    done = subprocess.run([tree.root / "tools" / "setup.sh", "lane"], check=False)
    assert done.returncode == 1
