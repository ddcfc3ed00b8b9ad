# SPDX-License-Identifier: Apache-2.0
"""Runs of lanes that are cut short, disturbed, or steered from outside."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from checks import inputs, listing, processes, pytests, receipts
from checks.config import NO_BUILD
from checks.files import Files
from checks.pytest_plugin import Watch
from checks.records import Records
from lanes_tree import TOOLS

pytestmark = pytest.mark.usefixtures("fixed")
SLOW = 'commands = ["lanes gtest slow"]'


def commands(tree, *words):
    tree.replace("tests/lanes.toml", SLOW, f"commands = {list(words)}")


def test_two_at_the_same_time(passed, capfd):
    with processes.alone(passed.config):
        for words in (["check", "slow"], ["ci"], ["run", "slow"], ["fast"]):
            assert passed.lanes(*words) == 1
            assert f"(process {os.getpid()})" in capfd.readouterr().err
        assert passed.lanes() == 0
    assert passed.lanes("fast") == 0


def test_receipts_that_cannot_be_written(tree, capfd):
    (tree.root / "tests" / "passed.part").mkdir()
    assert tree.lanes("check", "slow") == 1
    assert "tests/passed.toml cannot be written" in capfd.readouterr().err
    assert not tree.receipts


def test_receipts_that_are_read_only_are_replaced(passed):
    (passed.root / "tests" / "passed.toml").chmod(0o444)
    passed.write("src/a.hpp", "int a = 2;\n")
    assert passed.lanes("check", "slow") == 0


def test_a_full_disk_leaves_the_receipts_whole(passed, monkeypatch):
    def full(self, *_, **__):
        self.touch()
        raise OSError(28, "No space left on device")

    before = (passed.root / "tests" / "passed.toml").read_text()
    monkeypatch.setattr(type(passed.root), "write_text", full)
    with pytest.raises(receipts.Problem, match="No space left"):
        receipts.write(passed.root, {})
    assert (passed.root / "tests" / "passed.toml").read_text() == before
    assert not (passed.root / "tests" / "passed.part").exists()


def test_receipts_that_cannot_be_read_are_told_before_the_lane_runs(passed, capfd):
    commands(passed, "touch began")
    passed.write("tests/passed.toml", "<<<<<<< HEAD\n")
    assert passed.lanes("check", "slow") == 1
    assert "tests/passed.toml cannot be read" in capfd.readouterr().err
    assert not (passed.root / "began").exists()


def test_words_of_the_caller_do_not_count(tree, monkeypatch):
    for name in ("AUREOLE_ISA", "PYTEST_ADDOPTS", "GTEST_FILTER", "PYTHONOPTIMIZE", NO_BUILD):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("AUREOLE_PLANTED", "7")
    commands(tree, "lanes gtest slow", "env >build/env")
    assert tree.lanes("check", "slow") == 0
    lines = (tree.root / "build" / "env").read_text().splitlines()
    names = {line.split("=", 1)[0] for line in lines}
    assert not names & {"AUREOLE_ISA", "PYTEST_ADDOPTS", "GTEST_FILTER", "PYTHONOPTIMIZE", NO_BUILD}
    assert {"AUREOLE_PLANTED=7", "JOBS=1"} <= set(lines)


def test_tests_that_no_command_starts(tree, capfd):
    tree.replace("tests/lanes.toml", SLOW, f"{SLOW}\nrest = true")
    assert tree.lanes("check", "slow") == 1
    assert "slow: its tests of pytest were not run" in capfd.readouterr().out
    tree.replace("tests/lanes.toml", "lanes gtest fast", "true")
    assert tree.lanes("fast") == 1
    assert "fast: its tests of plain were not run" in capfd.readouterr().out
    assert tree.lanes("fast", "unit") == 0  # a part of it has not all


@pytest.mark.parametrize("name", ["test_a:Of.Gone", "test_a:Of.Gon*", "t/a.py::test_gone[1]"])
def test_a_representative_of_nothing(tree, capfd, name):
    tree.replace("tests/lanes.toml", "[fast]", f'[fast]\nrepresentatives = ["{name}"]')
    assert tree.lanes("fast") == 1
    assert f"the representative {name} was not run" in capfd.readouterr().out
    tree.replace("tests/lanes.toml", name, "test_a:Of.Sl*")
    assert tree.lanes("fast") == 0


def test_a_program_that_is_not_there(tree, capfd):
    tree.replace("tests/lanes.toml", '["plain slow"]', '["plain slow test_a test_b"]')
    assert tree.lanes("check", "slow") == 1
    assert "has test_b (no program of plain)" in capfd.readouterr().err


def test_two_programs_of_one_name(tree, capfd):
    tree.replace("tests/lanes.toml", '["test_a"]', '["test_a", "other/test_a"]')
    (tree.root / "build" / "other").mkdir()
    shutil.copy(tree.root / "build" / "test_a", tree.root / "build" / "other")
    assert tree.lanes("check", "slow") == 1
    assert "plain has two programs test_a" in capfd.readouterr().err


def test_a_program_that_nothing_runs(tree, capfd):
    shutil.copy(tree.root / "build" / "test_a", tree.root / "build" / "test_new")
    assert tree.lanes("gtest", "fast") == 1
    assert "build/test_new is in no way (nothing runs it)" in capfd.readouterr().err


def test_a_program_that_this_processor_cannot_run(tree, capfd):
    """It ends by a signal even where it is asked for its tests: it is skipped, with the reason."""
    talks = tree.write("build/test_b", "#!/bin/sh\nkill -ILL $$\n")
    talks.chmod(0o755)
    tree.replace("tests/lanes.toml", 'programs = ["test_a"]', 'programs = ["test_a", "test_b"]')
    assert tree.lanes("gtest", "fast") == 1
    assert "does not list its tests" in capfd.readouterr().err
    flags = 'flags = {test_b = "warp9"}\nskips = ["no * here"]'
    tree.replace("tests/lanes.toml", '"test_b"]', f'"test_b"]\n{flags}')
    assert tree.lanes("gtest", "fast") == 0
    assert "skipped test_b:*: no warp9 here" in capfd.readouterr().out


def test_the_list_names_a_representative_of_nothing(tree, monkeypatch, capfd):
    found = {"t/a.py::test_b[1]": ["fast"]}
    monkeypatch.setattr(listing, "of_python", lambda _: found)
    names = '["t/a.py::test_b", "t/a.py::test_b[*", "test_a:Of.Slow"]'
    tree.replace("tests/lanes.toml", "[fast]", f"[fast]\nrepresentatives = {names}")
    assert tree.lanes("tests") == 1
    out = capfd.readouterr().out
    assert "the representative t/a.py::test_b is no test" in out and out.count("is no test") == 1


# ------------------------------------------------------------------------- processes and output

TALKS = """\
#!/bin/sh
if [ "$1" = --gtest_list_tests ]; then printf 'Of.\\n  Fast\\n  Slow\\n'; exit; fi
echo '[ RUN      ] Of.Fast'
{body}
echo '[       OK ] Of.Fast (1 ms)'
"""


def talking(tree, body):
    path = tree.write("build/test_a", TALKS.format(body=body))
    path.chmod(0o755)
    began = time.monotonic()
    with contextlib.chdir(tree.root):
        code = tree.lanes("gtest", "fast")
    return code, time.monotonic() - began


@pytest.mark.parametrize("body", ["(while sleep 0.05; do echo here; done) &", "setsid sleep 99 &"])
def test_a_process_that_is_left_is_not_waited_for(tree, body):
    code, seconds = talking(tree, f"{body} echo $! >left")
    assert code == 0 and seconds < 60
    with contextlib.suppress(ProcessLookupError):
        os.kill(int((tree.root / "left").read_text()), signal.SIGKILL)


def test_much_output_and_odd_bytes(tree):
    body = "seq 100000; printf '\\377\\303\\n'; head -c 3000000 /dev/zero"
    assert talking(tree, body)[0] == 0


def as_program(tree, *words, **environment):
    """Started as a user does."""
    return subprocess.Popen(
        [sys.executable, str(TOOLS / "lanes.py"), "--root", str(tree.root), *words],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # What a shell has started in the background ignores Ctrl-C, and so would this.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_output_in_another_encoding(tree):
    tree.replace("tests/lanes.toml", "slow C++ tests", "slow tests: 1 Å, π, 漢")
    with as_program(tree, "check", "slow", PYTHONIOENCODING="ascii") as started:
        out = started.communicate()[0]
    assert started.returncode == 0, out
    assert b"1 \\xc5, \\u03c0" in out


def ended(number):
    try:
        return not open(f"/proc/{number}/cmdline").read()
    except OSError:
        return True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_ends_all_and_proves_nothing(tree, number):
    """The program of tests has a session of its own."""
    tree.write(
        "build/test_a", TALKS.format(body="echo $$ >began.part; mv began.part began; sleep 99")
    )
    tree.replace("tests/slow.txt", "Of.Slow*", "Of.*")
    with as_program(tree, "check", "slow") as started:
        while not (tree.root / "began").exists():
            assert started.poll() is None
            time.sleep(0.01)
        began = (tree.root / "began").read_text()
        started.send_signal(number)
        assert started.wait(timeout=30) != 0
    while not ended(began.strip()):
        time.sleep(0.01)
    assert not tree.receipts
    assert tree.lanes() == 1


def test_what_a_command_starts_while_it_is_ended(tree):
    """As a runner of tests begins the next program when one was killed: `test_a` of the runs that
    are interrupted above was left in some of 40."""
    begins = "setsid sleep 99 & echo $! >second.part; mv second.part second; exit"
    commands(tree, f"trap '{begins}' TERM; echo $$ >began; while :; do sleep 0.05; done")
    with as_program(tree, "check", "slow") as started:
        while not (tree.root / "began").exists():
            assert started.poll() is None
            time.sleep(0.01)
        started.send_signal(signal.SIGTERM)
        assert started.wait(timeout=30) != 0
    assert ended((tree.root / "second").read_text().strip())


def test_what_a_command_leaves_is_ended(tree):
    commands(tree, "lanes gtest slow", "setsid sleep 99 & echo $! >left; sleep 0.1")
    with as_program(tree, "check", "slow") as started:
        out = started.communicate()[0].decode()
    assert "left processes, now ended: sleep" in out
    assert ended((tree.root / "left").read_text().strip())


def test_what_ends_without_a_parent_is_no_zombie(tree):
    look = "sleep 0.05; while [ -e /proc/$(cat ended) ]; do sleep 0.02; done"
    commands(tree, "lanes gtest slow", f"(setsid true & echo $! >ended); {look}")
    with as_program(tree, "check", "slow") as started:
        assert started.wait(timeout=20) == 0


# -------------------------------------------------------------------------------------- pytest


@pytest.fixture
def python(tree):
    shutil.copy(TOOLS.parent / "conftest.py", tree.root)
    (tree.root / "tools").symlink_to(TOOLS)
    tree.write("pyproject.toml", '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n')
    return tree


def session(tree, text):
    tree.write("tests/test_p.py", f"import os, signal\n{text}\n")
    said = []
    return pytests.run_part(tree.config, "fast", ["-p", "no:cacheprovider"], said.append), said


@pytest.mark.parametrize(
    "body, how",
    [
        ("os._exit(0)", "tests/test_p.py::test_b: pytest ended there (exit code 0)"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "test_b: pytest ended there (signal SIGKILL)"),
    ],
)
def test_pytest_that_ends_in_a_test_names_it(python, body, how):
    text = "def test_a(): pass\ndef test_b(): " + body
    code, (said,) = session(python, text)
    assert code != 0 and how in said


def test_pytest_that_ends_while_it_collects_names_the_file(python):
    code, (said,) = session(python, "os._exit(0)")
    assert code != 0 and "tests/test_p.py: pytest ended there" in said


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_python_test_that_hangs_is_ended_and_named(python, jobs, monkeypatch, capfd):
    monkeypatch.setattr(pytests, "HANGS_AFTER", 0.5)
    monkeypatch.setenv("JOBS", jobs)
    text = "import threading\ndef test_a(): pass\ndef test_b(): threading.Event().wait()"
    code, said = session(python, text)
    told = capfd.readouterr()
    assert code != 0 and "test_p.py::test_b" in "\n".join([told.out, *said])
    assert "Timeout" in told.err and "in test_b" in told.err


def test_a_forked_child_does_not_end_it(python):
    text = "def test_a():\n    if os.fork() == 0: os._exit(0)\n    os.wait()"
    assert session(python, text) == (0, [])


def test_no_python_test_is_a_failure(python):
    assert session(python, "") == (5, [])


def test_no_other_settings_count(python):
    python.write("pytest.ini", "[pytest]\naddopts = -k test_a\n")
    code, _ = session(python, "def test_a(): pass\ndef test_b(): assert 0")
    assert code == 1


def test_files_that_tests_open_in_odd_ways(tmp_path, monkeypatch):
    watch = Watch.__new__(Watch)
    watch.root, watch.files = f"{tmp_path}/", set()
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "a")
    monkeypatch.chdir(tmp_path)
    cache = str(tmp_path / "__pycache__" / f"b.{sys.implementation.cache_tag}.pyc")
    for name in ("linked", os.fsencode(tmp_path / "c"), cache):
        watch._audit("open", (name, "r", 0))
    monkeypatch.chdir("/")
    assert {"linked", "a", "b.py", "c"} <= set(watch.used())


def test_a_link_that_a_program_includes_is_used(tree):
    (tree.root / "src" / "a.hpp").rename(tree.root / "src" / "b.hpp")
    (tree.root / "src" / "a.hpp").symlink_to("b.hpp")
    left = Records(tree.root / "build" / "checks" / "slow")
    left.clear()
    (left.folder / "programs-1.json").write_text('{"programs": [["build", "linked"]]}')
    used = inputs.used(tree.config, Files(tree.root), left)
    assert {"src/a.hpp", "src/b.hpp"} <= used


def test_which_files_have_tests():
    names = ["a/test_b.py", "a/b_test.py", "a/tests.py", "test_a.cpp", "a/conftest.py"]
    assert [pytests.is_test_file(name) for name in names] == [True, True, False, False, False]
