# SPDX-License-Identifier: Apache-2.0
"""Receipts of lanes cannot lie quietly: what is not proven runs, or fails by name."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
import time
import types

import pytest
from checks import (
    ci,
    config,
    files,
    globs,
    gtests,
    inputs,
    measure,
    receipts,
    runner,
    shards,
    states,
)
from checks.config import Problem
from checks.records import Records
from checks.tiers import Tiers
from lanes_tree import TOOLS

PROVEN = "all lanes proven for this tree"


pytestmark = pytest.mark.usefixtures("fixed")


def state_of(tree, name="slow"):
    return {s.lane.name: s for s in states.States(tree.config).all()}[name]


def test_what_has_passed_is_proven(passed, capfd):
    assert passed.lanes() == 0
    out = capfd.readouterr().out
    assert out.endswith(f"{PROVEN}\n")
    receipt = passed.receipts["slow"]
    assert receipt.tests == 1 and receipt.commit == passed.git("rev-parse", "HEAD^")
    assert f"slow         proven by {receipt.commit[:10]}" in out


def test_check_writes_the_numbers_last(tree, capfd):
    assert tree.lanes("check") == 0
    assert capfd.readouterr().out.endswith(f"{PROVEN}\n2 passed, 0 failed\n")


@pytest.mark.parametrize("name", ["src/a.cpp", "src/a.hpp"])
def test_a_changed_digit_of_a_file(passed, name, capfd):
    passed.write(name, "int a = 2;\n")
    assert passed.lanes() == 1
    assert f"owed: {name} changed" in capfd.readouterr().out
    passed.commit()
    state = state_of(passed)
    assert (state.commits, state.own_changed, state.urgent) == (1, name.endswith("cpp"), False)
    assert passed.lanes("ci") == 0
    assert f"slow         passed now (owed for 1 commits: {name} changed)" in capfd.readouterr().out


def test_a_changed_digit_of_a_receipt_fails_without_time(passed, no_time, capfd):
    digest = passed.receipts["slow"].digest
    passed.replace("tests/passed.toml", digest, f"{(int(digest[0], 16) + 1) % 16:x}{digest[1:]}")
    assert passed.lanes("ci") == 1
    assert "FAILED slow: its receipt has a digest that no change" in capfd.readouterr().out


def test_a_removed_receipt(passed, no_time, monkeypatch, capfd):
    (passed.root / "tests" / "passed.toml").unlink()
    assert passed.lanes("ci") == 1
    out = capfd.readouterr().out
    assert "FAILED slow: it has no receipt" in out and out.endswith("0 passed, 1 failed\n")
    monkeypatch.delenv(ci.VARIABLE)
    assert passed.lanes("ci") == 0
    assert capfd.readouterr().out.endswith("1 passed, 0 failed\n")


def test_a_lane_that_is_new_may_be_owed_for_a_while(tree, no_time, monkeypatch, capfd):
    assert state_of(tree).why == "it never had a receipt"
    assert tree.lanes("ci") == 0
    assert "owed for 1 commits: it never had a receipt" in capfd.readouterr().out
    monkeypatch.setattr(ci, "MOST_COMMITS", 0)
    assert tree.lanes("ci") == 1
    assert "FAILED slow is owed for 1 commits (at most 0)" in capfd.readouterr().out


def test_a_receipt_of_another_tree(passed, no_time, capfd):
    receipt = dataclasses.replace(passed.receipts["slow"], commit="1" * 40, digest="2" * 64)
    receipts.write(passed.root, {"slow": receipt})
    assert state_of(passed).urgent
    assert passed.lanes("ci") == 1
    assert "its receipt is of 1111111111, which is no commit before" in capfd.readouterr().out


def test_a_receipt_that_cannot_be_read_is_named(passed, capfd):
    passed.write("tests/passed.toml", "[slow]\ndigest = 3\n")
    assert passed.lanes() == 1
    assert "tests/passed.toml cannot be read" in capfd.readouterr().err


def test_a_changed_definition_owes_the_lane(passed):
    passed.replace("tests/slow.txt", "Of.Slow*", "Of.Sl*")
    assert not state_of(passed).proven and state_of(passed).own_changed


def test_a_file_that_no_lane_has(tree, capfd):
    assert tree.lanes("files") == 0
    tree.write("odd/b.cpp", "")
    assert tree.lanes("files") == 1
    assert "odd/b.cpp is in no lane" in capfd.readouterr().out


def test_tests_that_are_not_collected(tree, capfd):
    tree.write("pyproject.toml", '[tool.pytest.ini_options]\ntestpaths = ["tests/python"]\n')
    tree.replace("tests/lanes.toml", '"CMakeLists.txt"]', '"CMakeLists.txt", "pyproject.toml"]')
    tree.write("tests/python/test_a.py", "")
    assert tree.lanes("files") == 0
    tree.write("tests/odd/test_b.py", "")
    assert tree.lanes("files") == 1
    assert "tests/odd/test_b.py is in no folder of testpaths" in capfd.readouterr().out


def test_a_build_of_another_tree(tree, capfd):
    tree.write("CMakePresets.json", '{"configurePresets": [{"name": "native"}]}')
    tree.write("build/CMakeCache.txt", f"A:BOOL=ON\nCMAKE_HOME_DIRECTORY:INTERNAL={TOOLS}\n")
    assert tree.lanes("build", "native") == 1
    assert f"build/ compiles the sources of {TOOLS}" in capfd.readouterr().err


def test_a_build_of_a_preset_that_has_changed(tree):
    def built(a):
        variables = {"inherits": "hidden", "cacheVariables": {"A": a} if a else {}}
        own = {"name": "one", "generator": "Ninja", "binaryDir": "${sourceDir}/build-one"}
        hidden = {"name": "hidden", "hidden": True, "cacheVariables": {"A": "of hidden"}}
        presets = [hidden, own | variables]
        tree.write("CMakePresets.json", json.dumps({"version": 6, "configurePresets": presets}))
        assert tree.lanes("build", "one") == 0
        return (tree.root / "build-one/said").read_text()

    text = (
        "cmake_minimum_required(VERSION 3.25)\nproject(a NONE)\nfile(WRITE build-one/said ${A})\n"
    )
    tree.write("CMakeLists.txt", text)
    assert built("1") == "1"
    (tree.root / "build-one/said").write_text("the same preset: not configured again")
    assert built("1").startswith("the same")
    assert built("2") == "2"
    (tree.root / "build-one/said").write_text("of someone who configured it by hand")
    (tree.root / "build-one/preset.json").unlink()
    assert built("2") == "2"
    assert built("") == "of hidden"


def test_the_fast_tier_is_no_lane(tree, capfd):
    assert tree.lanes("run", "fast") == 1
    assert "fast is no lane" in capfd.readouterr().err


def test_a_header_that_a_program_includes_and_its_lane_lacks(tree, capfd):
    tree.replace("tests/lanes.toml", 'all = ["src/**", ', 'all = ["src/*.cpp", ')
    assert tree.lanes("check", "slow") == 1
    assert "slow has used src/a.hpp, which is not among its files" in capfd.readouterr().out
    assert not tree.receipts


def test_a_file_that_a_test_opens_and_its_lane_lacks(tree):
    left = Records(tree.root / "build" / "checks" / "slow")
    left.clear()
    (left.folder / "files-1.json").write_text(
        '{"files": ["tests/slow.txt", ".gitignore", "src/a.cpp"]}'
    )
    lane = tree.config.lanes["slow"]
    found = inputs.unlisted(tree.config, lane, files.Files(tree.root), left)
    assert found == [".gitignore"]


def test_a_missing_program(tree, capfd):
    (tree.root / "build" / "test_a").unlink()
    assert tree.lanes("check", "slow") == 1
    out, err = capfd.readouterr()
    assert "build/test_a is missing" in err
    assert "slow: `lanes gtest slow` failed" in out and out.endswith("0 passed, 1 failed\n")
    assert not tree.receipts


def test_a_tool_that_cannot_be_installed(tree, capfd):
    tree.replace("tests/lanes.toml", "[lanes.slow]", '[lanes.slow]\npackages = {apt = ["odd"]}')
    tree.write("tools/setup.sh", "#!/bin/sh\necho no $*\nexit 1\n").chmod(0o755)
    assert tree.lanes("check", "slow") == 1
    assert (
        "a tool that it needs was not installed (tools/setup.sh lane slow" in capfd.readouterr().out
    )


@pytest.mark.parametrize("commits, code", [(100, 0), (101, 1)])
def test_a_lane_that_is_owed_for_many_commits(passed, no_time, capfd, commits, code):
    passed.write("src/a.hpp", "int a = 2;\n")
    passed.commit()
    passed.more_commits(commits - 1)
    assert state_of(passed).commits == commits
    assert passed.lanes("ci") == code
    out = capfd.readouterr().out
    assert f"slow         owed for {commits} commits: src/a.hpp changed" in out
    assert ("FAILED slow is owed for 101 commits" in out) == bool(code)


def test_a_lane_is_expected_to_take_its_budget(passed, monkeypatch):
    """CI builds everything, unlike most of the runs that receipts are from."""
    monkeypatch.setattr(ci.machine, "cores", lambda: 2)
    state = state_of(passed)
    assert state.receipt.seconds < state.lane.budget
    assert ci.expected(state, 1.5) == pytest.approx(ci.UNEVEN * 1.5 * state.lane.budget / 2)


def test_a_proven_lane_runs_again(passed, capfd):
    assert passed.lanes("ci") == 0
    assert "slow         passed now, repeated (proven by" in capfd.readouterr().out
    passed.program("Fast", "Slow_Fails")
    assert passed.lanes("ci") == 1
    assert "slow         FAILED now, repeated" in capfd.readouterr().out


def test_ci_leaves_lanes_to_hands(passed, capfd):
    """It neither runs nor repeats them, and fails as for all lanes if they stay owed."""
    passed.replace("tests/lanes.toml", "[lanes.slow]", '[lanes.slow]\nby_hand = "it needs root"')
    assert passed.lanes() == 0
    assert passed.lanes("ci") == 0
    assert "passed now" not in capfd.readouterr().out
    passed.write("src/a.hpp", "int a = 2;\n")
    passed.commit()
    assert passed.lanes("ci") == 0
    out = capfd.readouterr().out
    assert "[lanes] slow: not here (it needs root)" in out and "passed now" not in out
    assert state_of(passed).why == "src/a.hpp changed"
    passed.more_commits(100)
    assert passed.lanes("ci") == 1
    assert "slow is owed for 101 commits" in capfd.readouterr().out
    (passed.root / "tests/passed.toml").unlink()
    assert passed.lanes("ci") == 1
    assert "slow: it has no receipt, and CI does not run it" in capfd.readouterr().out


def test_files_that_change_while_a_lane_runs(tree, capfd):
    tree.replace("tests/lanes.toml", '"lanes gtest slow"', '"lanes gtest slow", "echo >>src/a.hpp"')
    assert tree.lanes("check", "slow") == 1
    assert "its files changed while it ran" in capfd.readouterr().out
    assert not tree.receipts


def test_urgent_lanes_run_first(passed):
    lane = passed.config.lanes["slow"]
    made = [states.State(lane, None, False, commits=3), states.State(lane, None, False, commits=9)]
    made += [states.State(lane, None, False, own_changed=True, commits=1)]
    made += [states.State(lane, None, False, urgent=True)]
    assert sorted(made, key=lambda s: s.order) == [made[3], made[2], made[1], made[0]]


# ------------------------------------------------------------------------------------ GoogleTest


def run(tree, part="fast"):
    said = []
    found = gtests.run_part(tree.config, part, tree.config.ways["plain"], said.append)
    return found, "\n".join(said)


@pytest.mark.parametrize(
    "name, words", [("Crashes", "signal SIGABRT"), ("Hangs", "no word for 100 s")]
)
def test_a_shard_that_ends_names_its_test(tree, monkeypatch, name, words):
    clock, read = [0.0], shards.Shard._read

    def read_and_wait(self, line, pid):
        read(self, line, pid)
        clock[0] += 1000.0 * ("RUN" in line and "Hangs" in line)

    monkeypatch.setattr(shards.Shard, "_read", read_and_wait)
    ours = types.SimpleNamespace(monotonic=lambda: time.monotonic() + clock[0], sleep=time.sleep)
    monkeypatch.setattr(shards, "time", ours)
    tree.program("First", name, "Behind", "Last")
    found, said = run(tree)
    outcomes = {result.test: result.outcome for result in found.results.values()}
    assert outcomes.pop(f"test_a:Of.{name}") == "failed"
    assert outcomes == dict.fromkeys(
        (f"test_a:Of.{n}" for n in ("First", "Behind", "Last")), "passed"
    )
    assert f"[the program ended in this test: {words}]" in said
    assert name == "Hangs" or "about to crash" in said


def test_failures_and_skips_are_told(tree):
    tree.program("Fails", "Skips", "Passes")
    found, said = run(tree)
    assert [found.count(o) for o in ("passed", "failed", "skipped")] == [1, 1, 1]
    assert "seven is not eight" in said
    assert "skipped test_a:Of.Skips: no such device" in said


@pytest.mark.parametrize("place", ["ways.plain", "all"])
def test_a_reason_for_a_skip_is_allowed_by_name(tree, place):
    tree.program("Skips", "Passes")
    found, said = run(tree)
    assert len(found.problems) == 1 and "test_a:Of.Skips was skipped (no such device)" in said
    if place == "all":
        tree.replace("tests/lanes.toml", '"one processor*"', '"one processor*", "no such *"')
    else:
        tree.replace("tests/lanes.toml", "silence = 100", 'silence = 100\nskips = ["no such *"]')
    found, said = run(tree)
    assert not found.problems and "skipped test_a:Of.Skips: no such device" in said


def test_the_first_failure_may_end_it(tree, monkeypatch, capfd):
    tree.program("Slow_A", "Slow_Fails", *(f"Slow_{k}" for k in range(40)))
    monkeypatch.setenv("AUREOLE_CHECK_FIRST_FAILURE", "1")
    assert tree.lanes("run", "slow", "--no-build") == 1
    out = capfd.readouterr().out
    assert "[  FAILED  ] Of.Slow_Fails (test_a)" in out and "Slow_9" not in out
    assert not tree.receipts


def test_a_test_that_does_not_run_is_a_failure(tree):
    tree.program("Passes", "Forgets")
    found, said = run(tree)
    assert found.results["test_a:Of.Forgets"].outcome == "failed"
    assert "not begun: exit code 0" in said


def test_an_exit_code_after_the_tests_is_a_failure(tree):
    tree.program("Leaks")
    found, said = run(tree)
    assert found.count("failed") == 0 and "LeakSanitizer: 8 bytes" in said
    assert len(found.problems) == 1 and "Of.Leaks" in found.problems[0]


def test_no_test_is_a_failure(tree, capfd):
    tree.program("Slow")
    assert tree.lanes("gtest", "fast") == 1
    assert "fast has no C++ test" in capfd.readouterr().err
    tree.program()
    assert tree.lanes("gtest", "slow") == 1
    assert "test_a has no test" in capfd.readouterr().err


# ------------------------------------------------------------------------------ tiers and budgets


def test_every_test_is_in_one_place(tree, capfd):
    assert tree.lanes("tests", "cpp") == 0
    assert "slow           test_a:Of.Slow (plain)" in capfd.readouterr().out
    more = '[lanes.other]\nwhat = ""\ncommands = ["true"]\nbudget = 1\ncpp = ["plain slow"]\n'
    tree.write("tests/lanes.toml", (tree.root / "tests/lanes.toml").read_text() + more)
    assert tree.lanes("tests", "cpp") == 1
    assert "test_a:Of.Slow (plain) is in slow and other" in capfd.readouterr().out
    tree.replace("tests/lanes.toml", 'cpp = ["plain slow"]\n', "")
    assert tree.lanes("tests", "cpp") == 1
    assert "test_a:Of.Slow (plain) is in no tier or lane" in capfd.readouterr().out


def test_places_of_python_tests(tree):
    text = 'what = ""\ncommands = ["true"]\nbudget = 1\n'
    more = f'[lanes.jobs]\n{text}python = ["t/jobs.py"]\n[lanes.rest]\n{text}rest = true\n'
    more += f'[lanes.mpi]\n{text}whole = ["fixture:mpirun", "t/mpi.py::test_a*"]\n'
    tree.write("tests/lanes.toml", (tree.root / "tests/lanes.toml").read_text() + more)
    tree.replace("tests/lanes.toml", "[fast]", '[fast]\nrepresentatives = ["t/jobs.py::test_b[1]"]')
    tree.write("tests/slow.txt", "t/jobs.py::test_b\nt/other.py::test_c[2]\n")
    tiers = Tiers(tree.config)
    assert tiers.python_places("t/jobs.py::test_a") == ["fast"]
    assert tiers.python_places("t/jobs.py::test_b[1]") == ["fast"]
    assert tiers.python_places("t/jobs.py::test_b[2]") == ["jobs"]
    assert tiers.python_places("t/other.py::test_c[2]") == ["rest"]
    assert tiers.python_places("t/jobs.py::test_b[2]", {"fixture:mpirun"}) == ["mpi"]
    assert tiers.python_places("t/mpi.py::test_a_b[x::y]") == ["mpi"]
    assert tiers.python_places("t/mpi.py::test_a", {"validate"}) == ["make validate"]


@pytest.mark.parametrize("seconds, problems, remarks", [(9, 0, 0), (12, 0, 1), (16, 1, 0)])
def test_budgets_bite(seconds, problems, remarks):
    outcome = runner.Outcome("some", 10.0, wall=1e6, seconds=seconds)
    runner.judge_time(outcome)
    assert (len(outcome.problems), len(outcome.remarks)) == (problems, remarks)


def test_a_lane_over_its_budget_fails(tree, capfd):
    tree.replace("tests/lanes.toml", 'gtest slow"]\nbudget = 100', 'gtest slow"]\nbudget = 0.001')
    assert tree.lanes("check", "slow") == 1
    assert "(over 1.5 times its budget)" in capfd.readouterr().out
    assert not tree.receipts


def test_long_tests_of_the_fast_tier_are_faults(tree):
    left = Records(tree.root / "build" / "checks" / "fast-unit")
    left.clear()
    seconds = '{"test_a:Of.B": 1.6, "test_a:Of.C": 1.2, "test_a:Of.D": 0.9}'
    text = f'{{"way": "plain", "outcomes": {{}}, "seconds": {seconds}}}'
    (left.folder / "tests-1.json").write_text(text)

    def judged():
        outcome = runner.Outcome("unit", 10.0)
        runner.judge_fast_tests(tree.config, left, outcome)
        return outcome.problems, outcome.remarks

    (problem,), (remark,) = judged()
    assert "test_a:Of.B took 1.60 s" in problem
    assert "test_a:Of.C took 1.20 s" in remark
    tree.replace("tests/lanes.toml", "[fast]", '[fast]\nrepresentatives = ["test_a:Of.B"]')
    assert judged() == ([], [remark])


def test_the_list_of_slow_tests():
    seconds = {f"a.py::test_b[{k}]": 1.0 for k in range(4)}
    seconds |= {"a.py::test_c[1]": 0.3, "a.py::test_c[2]": 0.1, "a.py::test_c[3]": 0.1}
    seconds |= {"test_a:X/Of.T/1": 0.3, "test_a:X/Of.T/2": 0.3, "test_a:Of.U": 0.16}
    old = ["test_a:Of.U", "not/run.py::test_now", "a.py::test_c[3]"]
    assert measure.slow_list(old, seconds) == [
        "a.py::test_b",
        "a.py::test_c[1]",
        "not/run.py::test_now",
        "test_a:Of.U",
        "test_a:X/Of.T/*",
    ]


# -------------------------------------------------------------------------------------- pytest

PYTEST = """\
import pytest
from pathlib import Path

def test_fast():
    assert Path(__file__).with_name("data.txt").read_text() == "7"

def test_slow():
    sum(range(10**6))

@pytest.mark.parametrize("what", {reasons})
def test_skipped(what):
    pytest.skip(what)
"""


def test_pytest_runs_a_lane(tree):
    shutil.copy(TOOLS.parent / "conftest.py", tree.root)
    (tree.root / "tools").symlink_to(TOOLS)
    more = '[lanes.rest]\nwhat = ""\ncommands = ["true"]\nbudget = 1\nrest = true\n'
    tree.write("tests/lanes.toml", (tree.root / "tests/lanes.toml").read_text() + more)
    tree.write("tests/slow.txt", "tests/test_p.py::test_slow\n")
    tree.write("tests/data.txt", "7")

    def session(lane, *reasons):
        tree.write("tests/test_p.py", PYTEST.format(reasons=list(reasons)))
        left = Records(tree.root / "build" / "checks" / lane)
        left.clear()
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist"]
        done = subprocess.run(
            [*command, "--rootdir", ".", "-c", "/dev/null", "--lane", lane, "tests"],
            cwd=tree.root,
            env=os.environ | {"AUREOLE_CHECK_RECORDS": str(left.folder)},
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout + done.stderr, left

    code, out, left = session("fast", "one processor: nothing to compare")
    assert code == 0, out
    assert left.outcomes() == {"passed": 1, "failed": 0, "skipped": 1}
    assert {"tests/test_p.py", "tests/data.txt", "conftest.py"} <= left.files()
    code, out, _ = session("fast", "no such program")
    assert code == 1 and "may not be skipped in lane fast" in out and "no such program" in out
    code, out, left = session("rest", "no such program")
    assert code == 0 and list(left.seconds()) == ["tests/test_p.py::test_slow"], out


def test_an_unknown_lane_is_refused(tree, capfd):
    assert tree.lanes("check", "nothing") == 1
    assert "there is no lane nothing (lanes are slow)" in capfd.readouterr().err
    with pytest.raises(Problem, match="no tier"):
        Tiers(tree.config).has_cpp(
            dataclasses.replace(tree.config.fast, cpp=("plain",)), "plain", "fast", "test_a"
        )


@pytest.mark.parametrize(
    "name",
    [
        "Makefile",
        "pyproject.toml",
        "src/amr/tests/clock.cpp",
        "tests/lanes.toml",
        "tests/python/end_to_end/test_readme.py",
        "tests/ranks/test_corners.py",
        "tools/requirements.txt",
        "tools/setup.sh",
    ],
)
def test_a_fresh_machine_is_owed_when_what_it_needs_changes(name):
    assert (TOOLS.parent / name).exists()
    lane = config.read(TOOLS.parent).part("fresh")
    assert globs.path_matches(name, lane.all)
    other = "src/core/box.hpp"
    assert (TOOLS.parent / other).exists() and not globs.path_matches(other, lane.all)
