# SPDX-License-Identifier: Apache-2.0
"""Runs each request in a forked child, so that hundreds of runs need one start of Python.

One JSON request a line on standard input, one JSON answer a line on standard output. A request
names a job (drill_jobs.py) and may have: fault (the environment of tools/faults/faults.cpp without
its prefix), kill_after (seconds after the job began its work) and signal (to do it with, 9), limit
(seconds), memory (bytes above what the child has at its start).
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import drill_jobs


def arm(fault: dict[str, Any]) -> None:
    """Give the preloaded fault injector its plan for this process."""
    for name, value in fault.items():
        os.environ[f"AUREOLE_FAULTS_{name.upper()}"] = str(value)
    ctypes.CDLL(None).aureole_faults_restart()


def limit_memory(more: int) -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def child(request: dict[str, Any], began: int) -> None:
    """Never returns."""
    status = 70
    try:
        notes = Path(request["notes"])
        output = os.open(notes / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(output, 1)
        os.dup2(output, 2)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(request.get("cwd", request["notes"]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if "memory" in request:
            limit_memory(request["memory"])
        if "fault" in request:
            arm(request["fault"])
        result = drill_jobs.perform(request, lambda: os.write(began, b"!"))
        (notes / "result.json").write_text(json.dumps(result))
        status = 0 if result["ok"] else 1
    except (KeyboardInterrupt, SystemExit) as ended:
        status = ended.code if isinstance(ended, SystemExit) else 130
        sys.stderr.write(f"{ended}\n")
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


def wait(pid: int, seconds: float) -> int | None:
    """The wait status of the child, or None if it lasts longer than that."""
    end = time.monotonic() + seconds
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        if time.monotonic() >= end:
            return None
        time.sleep(0.001)


def handle(request: dict[str, Any]) -> dict[str, Any]:
    notes = Path(request["notes"])
    for name in ("result.json", "first", "progress", "final.npz"):
        (notes / name).unlink(missing_ok=True)
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read_end)
        child(request, write_end)
    os.close(write_end)
    limit = request.get("limit", 60.0)
    start = time.monotonic()
    select.select([read_end], [], [], limit)  # readable when work began, or the child is gone
    os.close(read_end)
    timed_out = False
    status = wait(pid, request.get("kill_after", limit))
    if status is None and "signal" in request:
        os.kill(pid, request["signal"])
        status = wait(pid, limit)
    if status is None:
        timed_out = "kill_after" not in request or "signal" in request
        os.kill(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
    result = notes / "result.json"
    return {
        "killed": os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
        "status": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "timed_out": timed_out,
        "seconds": time.monotonic() - start,
        "result": json.loads(result.read_text()) if result.exists() else None,
        "output": (notes / "output").read_text(errors="replace")[-4000:],
    }


def main() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(handle(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
