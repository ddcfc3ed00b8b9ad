# SPDX-License-Identifier: Apache-2.0
"""Runs programs on ranks: with the preload or without, on emulated devices, within a time limit."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mpis import ROOT, Mpi

#: The library under test, and where the libraries of the driver double lie.
PRELOAD = Path(os.environ.get("AUREOLE_TEST_PRELOAD", ROOT / "build/preload/libaureole_mpi.so"))
DRIVERS = Path(os.environ.get("AUREOLE_TEST_DRIVERS", ROOT / "build/drivers"))
#: By this variable all processes of a run are found, also those that left the launcher's session.
MARK = "AUREOLE_TEST_RUN"
#: A folder that does not exist: thresholds that were measured on this machine are for its user.
NO_CACHE = "/nonexistent"
#: Libraries by which a program finds the devices of a kind.
DEVICES = {"cuda": "libcudart.so.13", "hip": "libamdhip64.so.6"}

#: What launchers and MPIs say of a rank that touched the memory of a device.
CRASH = re.compile(
    r"segmentation fault|SIGSEGV|killed by signal|exited on signal|bad address|MPI_ERR_INTERN"
    r"|EXIT CODE: (11|6|134|139)\b|Fatal error in ",
    re.IGNORECASE,
)
#: Statuses with which launchers tell the same: by signals, and Open MPI's of an internal error.
CODES = (6, 11, 17, 134, 139)
#: What the preload says of a call that it does not take, by name.
REFUSAL = re.compile(r"aureole-mpi: rank \d+: (P?MPI_\w+): this call cannot take device memory")
#: Whether windows on device memory are among these; if not, they must work.
WINDOWS_ARE_REFUSED = True


@dataclass(frozen=True)
class Run:
    """How programs are started."""

    mpi: Mpi
    preload: bool = True
    devices: str | None = "cuda"  # cuda, hip or none
    double: str = ""  # settings of the double, as in AUREOLE_DOUBLE
    limit: float = 60  # seconds

    def environment(self) -> dict[str, str]:
        """What the ranks get, beside all that this process has."""
        folders = [self.mpi.libraries()]
        variables = dict(self.mpi.environment)
        variables["XDG_CACHE_HOME"] = NO_CACHE
        if self.devices:
            folders.append(DRIVERS)
            variables["AUREOLE_DOUBLE"] = self.double
        if self.preload:
            variables["LD_PRELOAD"] = str(PRELOAD)
        variables["LD_LIBRARY_PATH"] = ":".join(str(folder) for folder in folders)
        return variables

    def command(self, ranks: int, program: Sequence[str], extra: dict[str, str]) -> list[str]:
        """The command line; the launcher itself has neither preload nor double."""
        rank_variables = {**self.environment(), **extra}
        settings = [f"{name}={value}" for name, value in rank_variables.items()]
        return [str(self.mpi.mpiexec), "-n", str(ranks), "env", *settings, *map(str, program)]


@dataclass(frozen=True)
class Outcome:
    code: int | None  # none: it ran past its limit
    output: str
    seconds: float
    line: str  # the command, to be pasted into a shell

    @property
    def crashed(self) -> bool:
        """A rank ended by a signal or an error of MPI; no launcher that failed to start."""
        if self.code in (0, None):
            return False
        return self.code in CODES or CRASH.search(self.output) is not None

    def refused(self) -> set[str]:
        """Names of the calls that the preload refused; none if the program crashed all the same."""
        if re.search(r"segmentation fault|SIGSEGV", self.output, re.IGNORECASE):
            return set()
        return set(REFUSAL.findall(self.output))

    def told(self, most: int = 4000) -> str:
        """For the message of a test that failed."""
        end = "ran past its limit" if self.code is None else f"ended with {self.code}"
        shown = self.output if len(self.output) <= most else "[...]\n" + self.output[-most:]
        return f"{self.line}\n{end} after {self.seconds:.1f} s:\n{shown}"


def _marked(mark: str) -> list[int]:
    """Processes whose environment has a mark."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (place / "environ").read_bytes().split(b"\0"):
                found.append(int(place.name))
    return found


def _end_all(process: subprocess.Popen, mark: str) -> None:
    """Kill the launcher's group, and the ranks that left it; until none is found."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for _ in range(50):
        others = _marked(mark)
        if not others:
            return
        for pid in others:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


#: What launchers say that did not start because another one started at the same moment.
NOT_STARTED = re.compile(r"PMIx server's listener thread failed to start")


def start(
    run: Run,
    ranks: int,
    program: Sequence[str],
    folder: Path | None = None,
    **extra: str,
) -> Outcome:
    """Run a program on ranks to its end or its limit; `extra` are variables of the ranks."""
    for _ in range(5):
        outcome = start_once(run, ranks, program, folder, **extra)
        if not NOT_STARTED.search(outcome.output):
            break
        time.sleep(0.5)
    return outcome


def start_once(
    run: Run,
    ranks: int,
    program: Sequence[str],
    folder: Path | None = None,
    **extra: str,
) -> Outcome:
    """Run a program on ranks to its end or its limit; `extra` are variables of the ranks."""
    command = run.command(ranks, program, extra)
    mark = uuid.uuid4().hex
    inherited = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "LD_LIBRARY_PATH")}
    environment = {**inherited, **run.mpi.environment, MARK: mark}
    shown = shlex.join([f"{k}={v}" for k, v in run.mpi.environment.items()] + command)
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    code: int | None
    try:
        output, _ = process.communicate(timeout=run.limit)
        code = process.returncode
    except subprocess.TimeoutExpired:
        code = None
        _end_all(process, mark)
        output, _ = process.communicate()
    finally:
        _end_all(process, mark)
    return Outcome(code, output.decode(errors="replace"), time.monotonic() - began, shown)
