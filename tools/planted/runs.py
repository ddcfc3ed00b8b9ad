# SPDX-License-Identifier: Apache-2.0
"""Runs of a command without a fault and with each, what found them, and the table of it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import copies

if TYPE_CHECKING:
    from plant_faults import Fault

COMMAND = "tools/lanes.py fast unit hostile python --no-build --first-failure"
#: In the copy; git ignores it.
RESULTS = "build-planted/results.json"
#: How GoogleTest, pytest and ctest name a test that failed, the most telling first.
FAILED = [
    re.compile(r"^\[  FAILED  \] (\w[\w/]*\.[\w/]+)", re.MULTILINE),
    re.compile(r"^(?:FAILED|ERROR) (\S+\.py\S*)", re.MULTILINE),
    re.compile(r"^\s*\d+ - (\S+) \([A-Z]", re.MULTILINE),
]
#: GoogleTest's last words in a process that crashes.
BEGUN = re.compile(r"^\[ RUN      \] (\w[\w/]*\.[\w/]+)", re.MULTILINE)

Results = dict[str, Any]


@dataclass(frozen=True)
class How:
    """A command, its name in the table, the seconds that it has, and whether to run it again."""

    command: str
    label: str
    timeout: float
    again: bool = False

    def of(self, fault: Fault) -> How:
        """That of a fault."""
        command, label = (text.replace("{lane}", fault.lane) for text in (self.command, self.label))
        return How(command, label, self.timeout, self.again)


def finder_of(output: str) -> str:
    """The first test that failed by what a command has printed, or its last line."""
    for pattern in FAILED:
        if found := pattern.search(output):
            return found[1]
    if begun := BEGUN.findall(output):
        return begun[-1]
    lines = output.split("\n")
    return next(
        (line.strip()[:120] for line in reversed(lines) if line.strip()), "nothing was said"
    )


def end_all(token: str) -> None:
    """End the processes that a run has left behind: those that have its token."""
    wanted = f"AUREOLE_PLANTED_RUN={token}".encode()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        with suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)


def run_once(folder: Path, number: int, how: How) -> dict[str, Any]:
    """Run the command with one fault; 0 is none."""
    log = folder / Path(RESULTS).parent / f"{how.label}-{number}.log"
    log.parent.mkdir(exist_ok=True)
    token = uuid.uuid4().hex
    python = os.pathsep.join(filter(None, [str(folder / "python"), os.environ.get("PYTHONPATH")]))
    more = {"AUREOLE_PLANTED": str(number), "AUREOLE_PLANTED_RUN": token, "PYTHONPATH": python}
    began, late = time.monotonic(), False
    with log.open("wb") as out:
        process = subprocess.Popen(
            ["bash", "-c", how.command],
            cwd=folder,
            env=os.environ | more,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(how.timeout)
        except subprocess.TimeoutExpired:
            late = True
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            end_all(token)
            process.wait()
    found = late or process.returncode != 0
    by = finder_of(log.read_text(encoding="utf-8", errors="replace")) if found else ""
    if late:
        by = f"no end within {how.timeout:g} s ({by})"
    seconds = round(time.monotonic() - began, 1)
    return {"found": found, "by": by, "seconds": seconds}


def read_results(folder: Path) -> Results:
    """What was found in this very copy, by fault and label."""
    commit = copies.git(folder, "rev-parse", "HEAD^{tree}").strip()
    with suppress(FileNotFoundError):
        results = json.loads((folder / RESULTS).read_text(encoding="utf-8"))
        if results["tree"] == commit:
            return results
        print("the copy has changed: earlier results do not count")
    return {"tree": commit, "faults": {}}


def keep_results(folder: Path, results: Results) -> None:
    path = folder / RESULTS
    path.parent.mkdir(exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    beside.replace(path)


def is_found(results: Results, number: int) -> bool:
    return any(one["found"] for one in results["faults"].get(str(number), {}).values())


def run(folder: Path, faults: list[Fault], how: How, ids: list[int]) -> int:
    """Run what is left to be run; 1 if the command fails without a fault."""
    results = read_results(folder)
    for fault in faults:
        mine = how.of(fault)
        if ids and fault.id not in ids:
            continue
        done = mine.label in results["faults"].get(str(fault.id), {})
        if not mine.again and (done or (not ids and is_found(results, fault.id))):
            continue
        without = results["faults"].setdefault("0", {})
        if mine.label not in without:
            print(f"{mine.label} without a fault ...", flush=True)
            outcome = run_once(folder, 0, mine)
            if outcome["found"]:
                print(f"{mine.label} fails without a fault: {outcome['by']}", file=sys.stderr)
                return 1
            without[mine.label] = outcome
            keep_results(folder, results)
        outcome = run_once(folder, fault.id, mine)
        results["faults"].setdefault(str(fault.id), {})[mine.label] = outcome
        keep_results(folder, results)
        what = f"found by {outcome['by']}" if outcome["found"] else "NOT FOUND"
        print(f"{fault.id:2d} {mine.label} {what} ({outcome['seconds']} s)", flush=True)
    return 0


def show_table(folder: Path, faults: list[Fault]) -> int:
    """Print what found each fault; 1 if one was found by nothing."""
    results, counts = read_results(folder), {}
    for fault in faults:
        outcomes = results["faults"].get(str(fault.id), {})
        found = [(label, one) for label, one in outcomes.items() if one["found"]]
        if found:
            label, one = found[0]
            words = f"{label}: {one['by']} ({one['seconds']:g} s)"
        else:
            label = "not found" if outcomes else "not run"
            words = f"NOT FOUND by {', '.join(outcomes)}" if outcomes else "not run"
        counts[label] = counts.get(label, 0) + 1
        print(f"{fault.id:2d} {fault.layer:8s} {fault.title}\n   {words}")
    print(", ".join(f"{label}: {count}" for label, count in counts.items()))
    return 0 if all(is_found(results, fault.id) for fault in faults) else 1
