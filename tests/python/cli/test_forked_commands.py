# SPDX-License-Identifier: Apache-2.0
"""Commands that a server forks behave as those that a user starts."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import commands
import pytest

#: Prints what a process has and is, as far as that is not its own number.
PROBE = """
import json, os, resource, signal, sys, threading
from pathlib import Path

def files():
    for entry in os.listdir("/proc/self/fd"):
        try:
            yield int(entry), os.readlink(f"/proc/self/fd/{entry}").split(":")[0]
        except OSError:
            pass  # that of the listing

status = Path("/proc/self/status").read_text().splitlines()
streams = [stream._stream for stream in (sys.stdout, sys.stderr)]
print(json.dumps({
    "words": [sys.argv, sys.path, os.getcwd(), sys.modules["__main__"].__file__],
    "signals": [str(signal.getsignal(number)) for number in sorted(signal.valid_signals())],
    "status": [line for line in status if line.startswith(("Umask", "SigB", "SigI", "SigC"))],
    "wakeup": signal.set_wakeup_fd(-1),
    "limits": [resource.getrlimit(number) for number in range(16)],
    # Of these, readline sets two in pytest, where Python does not see them.
    "environment": {
        name: value
        for name, value in os.environ.items()
        if name not in ("COLUMNS", "LINES", "PYTEST_CURRENT_TEST")
    },
    "flags": list(sys.flags),
    "place": [os.nice(0), os.getpgrp(), os.getsid(0)],
    "files": sorted(set(files())),
    "threads": threading.active_count(),
    "streams": [[s.encoding, s.errors, s.line_buffering, s.write_through] for s in streams],
    "stdin": [sys.stdin.encoding, sys.stdin.errors, sys.stdin.read()],
}))
sys.stderr.write("and some words")
"""


def command(*words: object) -> list[str]:
    return [*commands.HEAD, *map(str, words)]


def both(words: list[str], **options: object) -> list[subprocess.CompletedProcess[str]]:
    """What comes of a command that the server forks, and of one that it does not."""
    return [commands.run(words, fresh=fresh, text=True, **options) for fresh in (False, True)]


def test_a_forked_command_is_as_a_fresh_one(here, monkeypatch):
    (here / "below").mkdir()
    Path("below/probe.py").write_text(PROBE)
    Path("words").write_text("some\nwords\n")
    found = []
    monkeypatch.setenv("SOMETHING", "né")
    for fresh in (False, True):
        with open("words") as words:
            found.append(
                commands.run(
                    command("run", "probe.py", "one", 2),
                    **{"fresh": fresh, "cwd": "below", "stdin": words, "text": True},
                    capture_output=True,
                )
            )
    forked, fresh = found
    assert forked.returncode == fresh.returncode == 0, forked.stderr
    assert forked.stderr == fresh.stderr == "and some words"
    for name, value in json.loads(fresh.stdout).items():
        assert json.loads(forked.stdout)[name] == value, name


@pytest.mark.parametrize("words", [["--version"], ["fly"], ["mdrun"], ["run", "a.py"], []])
def test_exit_codes_and_words_are_the_same(here, words):
    Path("a.py").write_text("raise SystemExit(7)")
    forked, fresh = both(command(*words), capture_output=True)
    assert (forked.returncode, forked.stdout, forked.stderr) == (
        *(fresh.returncode, fresh.stdout, fresh.stderr),
    )


def test_streams_may_be_files_and_each_other(here):
    Path("a.py").write_text("import os, sys; print(1, flush=True); print(2, file=sys.stderr)")
    with open("out", "w") as out:
        done = commands.run(command("run", "a.py"), stdout=out, stderr=subprocess.STDOUT)
    assert done.returncode == 0 and Path("out").read_text() == "1\n2\n"


def test_much_is_said_and_heard(here):
    Path("a.py").write_text("import sys; print(len(sys.stdin.read())); print('x' * 10**6)")
    process = commands.start(
        command("run", "a.py"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    out, _ = process.communicate("y" * 10**6, timeout=60)
    assert out == "1000000\n" + "x" * 10**6 + "\n" and process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signals_reach_the_command(here, number):
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN and number == signal.SIGINT:
        pytest.skip("SIGINT is ignored here, as in background jobs of a shell")
    Path("a.py").write_text("import time; print('here', flush=True); time.sleep(60)")
    codes = []
    for start in (commands.start, subprocess.Popen):
        with start(
            command("run", "a.py"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout.readline() == "here\n"
            assert process.poll() is None
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.01)
            process.send_signal(number)
            said = process.communicate(timeout=60)
            codes.append((process.returncode, process.wait(), *said))
    assert isinstance(process, subprocess.Popen) and codes[0] == codes[1]


def test_a_command_that_takes_too_long_is_killed(here):
    Path("a.py").write_text("import os, time; print(os.getpid(), flush=True); time.sleep(60)")
    with open("out", "w") as out, pytest.raises(subprocess.TimeoutExpired):
        commands.run(command("run", "a.py"), stdout=out, timeout=2)
    with pytest.raises(ProcessLookupError):
        os.kill(int(Path("out").read_text()), 0)


def test_what_a_server_cannot_pass_on_starts_fresh(here, monkeypatch):
    def is_forked(words=commands.HEAD, **options):
        with commands.start([*words, "--version"], stdout=subprocess.DEVNULL, **options) as process:
            return isinstance(process, commands.Command)

    assert is_forked() and is_forked(cwd="/") and is_forked(env=dict(os.environ))
    assert not is_forked(env=os.environ | {"AUREOLE_ISA": "sse4"})
    assert not is_forked(preexec_fn=os.getpid)
    assert not is_forked([sys.executable, "-P", *commands.HEAD[1:]])
    with monkeypatch.context() as changed:
        changed.setenv("SOMETHING_ELSE", "0")
        assert is_forked()
        changed.setenv("AUREOLE_HOSTILE", "0")
        assert not is_forked()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft - 1, hard))
    try:
        assert not is_forked()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert is_forked()


def test_the_server_has_one_thread_and_ends_with_its_tests(here):
    code = (
        "import sys, commands, os; commands.run([*commands.HEAD, '--version']); "
        "process = commands.Server.of_this_process().process.pid; "
        "print(process, len(os.listdir(f'/proc/{process}/task')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1] / "helpers")},
        **{"capture_output": True, "text": True, "check": True},
    )
    process, threads = map(int, done.stdout.split()[-2:])
    assert threads == 1
    end = time.monotonic() + 10
    while Path(f"/proc/{process}").exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert not Path(f"/proc/{process}").exists()
