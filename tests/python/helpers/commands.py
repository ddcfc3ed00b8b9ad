# SPDX-License-Identifier: Apache-2.0
"""Commands of `aureole` in processes of their own, started without importing the package again.

`run` and `start` are `subprocess.run` and `subprocess.Popen`. A server forks for a command that is
`python -m aureole` and would inherit just what this process had at its start, but for variables
that are read later (see `command_server`; there is one for each process of pytest). Other commands
start as they are.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HEAD = [sys.executable, "-m", "aureole"]
#: What `start` can pass on to the server; with other arguments a command starts as it is.
PASSED = {
    *("args", "bufsize", "cwd", "encoding", "env", "errors", "stderr", "stdin", "stdout", "text"),
    "universal_newlines",
}
#: Beginnings of variables that Python, its libraries or the engine read when they start.
_READ_AT_START = (
    *("AUREOLE_", "GLIBC_", "LANG", "LC_", "LD_", "MALLOC_", "MKL_", "MPI", "NPY_", "NUMPY_"),
    *("OMP_", "OMPI_", "OPENBLAS_", "PMIX_", "PMI_", "PYTHON", "SLURM_"),
)
_LIMITS = sorted(number for name, number in vars(resource).items() if name.startswith("RLIMIT_"))
_STATUS = ("Umask:", "SigBlk:", "SigIgn:")
_servers: dict[int, Server] = {}  # by process


def inherited(environment: Mapping[str, str] | None = None) -> list[Any]:
    """What a process that starts now would get from this one and a server cannot pass on."""
    lines = Path("/proc/self/status").read_text().splitlines()
    variables = os.environ if environment is None else environment
    return [
        {name: value for name, value in variables.items() if name.startswith(_READ_AT_START)},
        [line for line in lines if line.startswith(_STATUS)],
        [resource.getrlimit(number) for number in _LIMITS],
        sorted(os.sched_getaffinity(0)),
        os.getpriority(os.PRIO_PROCESS, 0),
        os.getpgrp(),
    ]


_AT_START = inherited()


class Server:
    """The process that forks, of this process."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        program = str(Path(__file__).with_name("command_server.py"))
        self.process = subprocess.Popen(
            [sys.executable, program, str(theirs.fileno())],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()
        atexit.register(self.end, os.getpid())

    @staticmethod
    def of_this_process() -> Server:
        """The one of this process, not of one that it was forked from."""
        server = _servers.get(os.getpid())
        if server is None or server.process.poll() is not None:
            server = _servers[os.getpid()] = Server()
        return server

    def start(self, streams: Sequence[int], **request: Any) -> socket.socket:
        """Start a command; returns where its process number comes, and later its status."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        text = json.dumps(request).encode()
        socket.send_fds(self.control, [text], [*streams, theirs.fileno()])
        theirs.close()
        return ours

    def end(self, owner: int) -> None:
        self.control.close()
        if os.getpid() == owner:
            self.process.wait()


class Command(subprocess.Popen):
    """A process that a server has forked."""

    def _execute_child(self, *parts: Any) -> None:
        words, folder, environment, pipes = parts[0], parts[5], parts[6], parts[10:16]
        streams = [pipes[k] if pipes[k] != -1 else n for n, k in enumerate((0, 3, 5))]
        self._reply = Server.of_this_process().start(
            streams,
            words=[os.fspath(word) for word in words[len(HEAD) :]],
            folder=os.getcwd() if folder is None else os.path.abspath(folder),
            environment=dict(os.environ if environment is None else environment),
        )
        self.pid = int(self._told(None))
        self._child_created = True
        self._close_pipe_fds(*pipes)

    def _told(self, timeout: float | None) -> bytes:
        """What the server says next; TimeoutError or BlockingIOError if it says nothing."""
        self._reply.settimeout(timeout)
        if not (text := self._reply.recv(100)):
            raise RuntimeError("the server of commands ended (see its traceback above)")
        return text

    def _wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            try:
                told = self._told(None if timeout is None else max(timeout, 0.0))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(self.args, timeout or 0.0) from None
            self.returncode = os.waitstatus_to_exitcode(int(told))
            self._reply.close()
        return self.returncode

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        try:
            return self._wait(0.0)
        except subprocess.TimeoutExpired:
            return None


def start(words: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
    """`subprocess.Popen`, by the server where that makes no difference."""
    same = list(words[: len(HEAD)]) == HEAD and set(options) <= PASSED
    if same and inherited(options.get("env")) == _AT_START:
        return Command(words, **options)
    return subprocess.Popen(words, **options)


def run(
    words: Sequence[str], *, timeout: float | None = None, fresh: bool = False, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """`subprocess.run`, by the server where that makes no difference.

    Args:
        fresh: start as a user does all the same
    """
    if options.pop("capture_output", False):
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with (subprocess.Popen if fresh else start)(words, **options) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            process.wait()
            raise
    return subprocess.CompletedProcess(words, process.returncode, out, err)
