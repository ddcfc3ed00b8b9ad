# SPDX-License-Identifier: Apache-2.0
"""One process of a GoogleTest program that runs some of its tests, read while it runs."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from . import machine

_RUN = re.compile(r"\[ RUN      \] (\S+)\s*$")
_END = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+)(?:, where .*)? \((\d+) ms\)\s*$")
_OUTCOMES = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}
#: Lines kept of what one test prints.
MOST_LINES = 2000
#: Bytes kept of a line.
LONGEST_LINE = 1 << 16
#: Seconds for reading what a program that has ended had printed.
AFTERWARDS = 2.0
#: Seconds that a program may take to end when it has closed its output.
PATIENCE = 10.0


@dataclass
class Report:
    name: str
    outcome: str = "failed"
    milliseconds: int = 0
    cpu: float = 0.0
    lines: list[str] = field(default_factory=list)


class Shard:
    """After `run`, `reported` has each test that ran, the one that ended it included."""

    def __init__(self, program: Path, names: list[str], silence: float) -> None:
        self.program, self.names, self.silence = program, names, silence
        self.reported: dict[str, Report] = {}
        self.problem = ""
        self._asked = set(names)
        self._now: Report | None = None
        self._since = (0.0, 0.0)  # when the present test began, and the processor time then
        self._outside: list[str] = []  # what was printed outside tests
        self._process: subprocess.Popen | None = None

    def run(self, command: list[str], environment: Mapping[str, str], flags: Path) -> None:
        flags.write_text(f"--gtest_filter={':'.join(self.names)}\n--gtest_color=no\n")
        process = subprocess.Popen(
            [*command, f"--gtest_flagfile={flags}"],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        silent, self._process = False, process
        try:
            for line in self._lines(process):
                if line is None:
                    silent = True
                    break
                self._read(line, process.pid)
        finally:
            _end(process, 0.0 if silent else PATIENCE)
            flags.unlink(missing_ok=True)
        self._judge(process.returncode, silent)

    def interrupt(self) -> None:
        """Ends the program, for another thread."""
        process = self._process
        if process and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def _lines(self, process: subprocess.Popen) -> Iterator[str | None]:
        """What it prints, line by line; None if it has been silent for too long."""
        pipe, rest, ended = process.stdout, b"", None
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            last = time.monotonic()
            while True:
                # A process that it left may have the pipe: what that prints is not waited for.
                if ended is None and _has_ended(process.pid):
                    ended = time.monotonic()
                some = selector.select(timeout=0.0 if ended else 0.2)
                if some and (ended is None or time.monotonic() < ended + AFTERWARDS):
                    block = os.read(pipe.fileno(), 1 << 16)
                    last = time.monotonic()
                    if not block:
                        break
                    *lines, rest = (rest + block).split(b"\n")
                    yield from (line.decode(errors="replace") for line in lines)
                    rest = rest[-LONGEST_LINE:]
                elif ended is not None:
                    break
                elif time.monotonic() - last > self.silence:
                    yield None
        if rest:
            yield rest.decode(errors="replace")

    def _read(self, line: str, pid: int) -> None:
        if (match := _RUN.search(line)) and match[1] in self._asked:
            self._now = Report(match[1])
            self._since = (time.monotonic(), machine.seconds_of(pid))
        elif (match := _END.search(line)) and self._now and match[2] == self._now.name:
            self._close(_OUTCOMES[match[1]], machine.seconds_of(pid), int(match[3]))
        elif self._now is None:
            self._outside.append(line)
            del self._outside[:-MOST_LINES]
        else:
            self._now.lines.append(line)
            del self._now.lines[:-MOST_LINES]

    def _close(self, outcome: str, seconds: float, milliseconds: int) -> None:
        report, self._now = self._now, None
        report.outcome, report.milliseconds = outcome, milliseconds
        report.cpu = max(0.0, seconds - self._since[1])
        self.reported[report.name] = report

    def _judge(self, code: int, silent: bool) -> None:
        """How it ended: blames the test that was running, or says that none was."""
        how = f"no word for {self.silence:g} s" if silent else how_ended(code)
        left = [name for name in self.names if name not in self.reported]
        if self._now is not None:
            self._now.lines.append(f"[the program ended in this test: {how}]")
            milliseconds = round((time.monotonic() - self._since[0]) * 1000)
            self._close("failed", self._since[1], milliseconds)
        elif left and not self.reported:
            self._now = Report(left[0], lines=[*self._outside, f"[not begun: {how}]"])
            self._close("failed", 0.0, 0)
        elif code and not any(r.outcome == "failed" for r in self.reported.values()):
            first, *_, last = [*self.reported, *self.reported]
            text = "\n".join(self._outside[-60:])
            self.problem = (
                f"{self.program.name} failed after its tests ({how}), "
                f"which were {first} to {last}\n{text}"
            )


def _end(process: subprocess.Popen, patience: float) -> None:
    """It and all that it started; its group exists as long as it was not waited for."""
    until = time.monotonic() + patience
    while not _has_ended(process.pid) and time.monotonic() < until:
        time.sleep(0.001)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()


def _has_ended(pid: int) -> bool:
    """Whether a child has ended, without taking its end from the one who waits for it."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def how_ended(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
