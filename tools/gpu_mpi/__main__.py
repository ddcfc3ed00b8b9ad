#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures and tests messages between two processes on one GPU, from what pack.py gathered.

    python3 tools/gpu_mpi [--pack FOLDER | --archive FILE] [--out FOLDER] [--seconds 235] [--quick]

Needs neither a compiler nor a network nor an MPI, and runs on the driver double too. Each step has
a limit of its own; after each one FOLDER/gpu-mpi.json and gpu-mpi.md are written anew. What could
not be measured is named there. Exit code 0: nothing was wrong; 1: data are wrong, or a test of ours
failed; 77: there is nothing to run.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

# ruff: noqa: E402 - after their folder is known
from gpu_mpi.ranks import LIBRARIES, Pack, Row, unpacked
from gpu_mpi.report import aims, left_out, markdown
from gpu_mpi.steps import FAILED, NOT_MEASURED, PASSED, QUICK, Plan, Step, all_of, missing

PACKED = ROOT / "third_party" / "pack"
LEFT_OUT = 77  # what gpu_check.py takes for a part that has nothing to work on
LEAST = 4  # seconds with which a step is begun


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pack", type=Path, help="unpacked folder of pack.py")
    parser.add_argument("--archive", type=Path, default=PACKED / "mpi.tar.xz")
    out = os.environ.get("OUT") or ROOT / "bench" / "results"
    parser.add_argument("--out", type=Path, default=Path(out), help="default: OUT, or %(default)s")
    parser.add_argument("--seconds", type=float, default=235, help="for all (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="few and short, for a test of this")
    parser.add_argument("--only", nargs="*", metavar="WORD", help="steps with one of these in them")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    end = time.monotonic() + chosen.seconds
    if chosen.pack is None and not chosen.archive.exists():
        print(f"{chosen.archive} is missing: run `make gpu-pack` and bring third_party/pack.")
        return LEFT_OUT
    pack = Pack(chosen.pack or unpacked(chosen.archive, chosen.archive.parent / "mpi"))
    if not (pack.folder / "bin" / "costs").exists():
        print(f"{pack.folder} is no folder of tools/gpu_mpi/pack.py: make it again.")
        return LEFT_OUT
    chosen.out.mkdir(parents=True, exist_ok=True)
    steps = [
        step
        for step in all_of(pack, QUICK if chosen.quick else Plan())
        if not chosen.only or any(word in step.name for word in chosen.only)
    ]
    found = _all(pack, steps, end, chosen.out)
    print(markdown(found))
    for row in aims(found):
        print("RESULT " + json.dumps(row, ensure_ascii=False))
    wrong = [name for name, row in found["steps"].items() if row["state"] == FAILED]
    counted = [
        sum(row["state"] == state for row in found["steps"].values())
        for state in (PASSED, NOT_MEASURED)
    ]
    print("RESULT " + json.dumps({"passed": counted[0], "not measured": counted[1]}))
    print(f"[mpi] failed: {', '.join(wrong) or 'nothing'}")
    return 1 if wrong else 0


def _all(pack: Pack, steps: list[Step], end: float, out: Path) -> Row:
    """All steps in turn, each within its limit and what is left until `end`."""
    began = time.monotonic()
    found: Row = {"state": PASSED, "seconds": 0.0, "steps": {}, "aims": [], "not measured": []}
    found["lacking"] = {
        f"all of {name}": "it is not in the pack" for name in LIBRARIES if name not in pack.mpis
    }
    dead: dict[str, str] = {}  # MPIs that do not start
    for step in steps:
        left = end - time.monotonic()
        if step.mpi in dead:
            row = missing(f"{step.mpi} does not start: {dead[step.mpi]}")
        elif left < LEAST:
            row = missing("the time for all had run out")
        else:
            row = _row(step, min(step.most, left - 1))
        if step.name.endswith(" starts") and row["state"] != PASSED:
            dead[step.name.split()[0]] = row["why"]
        found["steps"][step.name] = row
        _keep(found, time.monotonic() - began, out)
        why = f": {row['why']}" if "why" in row else ""
        print(f"[mpi] {step.name}: {row['state']}{why}", flush=True)
    return found


def _row(step: Step, limit: float) -> Row:
    try:
        return step.act(limit)
    except OSError as error:  # a program that is missing or cannot be started
        return missing(repr(error))


def _keep(found: Row, seconds: float, out: Path) -> None:
    """Writes both files beside their places and renames them; they are whole at any time."""
    failed = any(row["state"] == FAILED for row in found["steps"].values())
    found["state"] = FAILED if failed else PASSED
    found["seconds"], found["aims"] = round(seconds, 1), aims(found)
    found["not measured"] = left_out(found)
    texts = {"json": json.dumps(found, indent=1, ensure_ascii=False), "md": markdown(found)}
    for kind, text in texts.items():
        beside = out / f"gpu-mpi.{kind}.new"
        beside.write_text(text, encoding="utf-8")
        beside.replace(out / f"gpu-mpi.{kind}")


if __name__ == "__main__":
    raise SystemExit(main())
