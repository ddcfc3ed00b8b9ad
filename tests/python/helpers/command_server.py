# SPDX-License-Identifier: Apache-2.0
"""A process that has imported the package and forks for each command; `commands` talks to it.

It has begun no simulation and no thread; those of NumPy's linear algebra end before each fork, of
themselves. A child gets the working folder, the variables and the standard streams of its command,
the signals of a fresh process, and ends as an interpreter does.
"""

from __future__ import annotations

import array
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys

#: What commands of tests import; they import the rest themselves.
MODULES = ("check", "convert", "info", "mdrun.main", "mdrun.rerun", "mdrun.steep", "run")
STREAMS = 3
MOST_BYTES = 1 << 16


def serve(control: socket.socket) -> list[str] | None:
    """Fork until the tests end. Returns the words of a command in its process, None in this one."""
    ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    ended, wake = os.pipe()
    os.set_blocking(ended, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the tests, and so this process
    running: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([control, ended], [], [])
        if ended in ready:
            os.read(ended, MOST_BYTES)
            report(running)
        if control not in ready:
            continue
        request, descriptors = receive(control)
        if request is None:
            return None
        reply = socket.socket(fileno=descriptors.pop())
        process = os.fork()
        if process == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            if not ignored:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            for file in (control, *running.values()):
                file.close()
            os.close(ended)
            os.close(wake)
            take_streams(descriptors)
            os.chdir(request["folder"])
            os.environ.clear()
            os.environ.update(request["environment"])
            reply.send(str(os.getpid()).encode())  # from now on it may be signalled
            reply.close()
            return list(request["words"])
        for descriptor in descriptors:
            os.close(descriptor)
        running[process] = reply


def receive(control: socket.socket) -> tuple[dict | None, list[int]]:
    """The next command, and its descriptors; None when no test can send one any more."""
    numbers = array.array("i")
    space = socket.CMSG_SPACE((STREAMS + 1) * numbers.itemsize)
    text, about, _, _ = control.recvmsg(MOST_BYTES, space, socket.MSG_CMSG_CLOEXEC)
    for _, _, data in about:
        numbers.frombytes(data)
    return (json.loads(text) if text else None), list(numbers)


def report(running: dict[int, socket.socket]) -> None:
    """Tell how commands ended."""
    for process in list(running):
        found, status = os.waitpid(process, os.WNOHANG)
        if found == process:
            with running.pop(process) as reply:
                try:
                    reply.send(str(status).encode())
                except OSError:  # nobody wants to know
                    continue


def take_streams(descriptors: list[int]) -> None:
    """Have the standard streams be those of the command."""
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdout.reconfigure(line_buffering=sys.stdout.isatty())


def run(words: list[str]) -> None:
    """As `python -m aureole` does in the working folder."""
    sys.path[0] = os.getcwd()
    sys.argv = ["-m", *words]
    runpy.run_module("aureole", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    for name in MODULES:
        importlib.import_module(f"aureole.cli.{name}")
    command = serve(socket.socket(fileno=int(sys.argv[1])))
    if command is not None:
        run(command)
