# SPDX-License-Identifier: Apache-2.0
"""The check on a GPU machine: limits, its JSON file and its second call, by parts without one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[1] / "gpu_check.py"

DRILL = """
import sys, time
sys.path.insert(0, {tools!r})
import gpu_check as check

def crash(seconds):
    raise RuntimeError("part of the drill")

def parts():
    speak = "print('RESULT {{\\"rate\\": 5}}'); print('said')"
    yield check.Step("quick", 1, 20, check.python("-c", speak))
    refuse = "import sys; print('no device'); sys.exit(3)"
    yield check.Step("fails", 1, 20, check.python("-c", refuse))
    yield check.Step("crashes", 1, 20, crash)
    yield check.Step("hangs", 1, {limit}, check.python("-c", "import time; time.sleep(60)"))
    yield check.Step("last", {least}, 20, check.python("-c", "pass"))

check.parts, check.prepare = parts, lambda: None
sys.exit(check.main())
"""


def drill(folder: Path, *options: str, limit: float = 0.4, least: float = 1) -> list[str]:
    text = DRILL.format(tools=str(TOOL.parent), limit=limit, least=least)
    return [sys.executable, "-c", text, "--out", str(folder), *options]


def found(folder: Path) -> dict[str, dict]:
    return json.loads((folder / "gpu-check.json").read_text())


def test_each_part_leaves_its_result(tmp_path):
    done = subprocess.run(drill(tmp_path), capture_output=True, text=True, timeout=60)
    states = {name: row["state"] for name, row in found(tmp_path).items()}
    assert states == {
        "quick": "passed",
        "fails": "failed",
        "crashes": "failed",
        "hangs": "hung",
        "last": "passed",
    }
    assert found(tmp_path)["quick"]["data"] == [{"rate": 5}]
    assert "no device" in found(tmp_path)["fails"]["said"]
    assert found(tmp_path)["fails"]["code"] == 3
    assert "part of the drill" in found(tmp_path)["crashes"]["said"]
    assert done.returncode == 1 and "failed: fails, crashes, hangs" in done.stdout


def test_a_second_call_repeats_what_has_not_passed(tmp_path):
    before = tmp_path / "before.json"
    rows = {"quick": {"state": "passed", "data": "kept"}, "fails": {"state": "failed"}}
    before.write_text(json.dumps(rows))
    subprocess.run(
        drill(tmp_path, "--resume", str(before), "--only", "quick", "fails", "last"), timeout=60
    )
    after = found(tmp_path)
    assert after["quick"]["data"] == "kept"
    assert after["fails"]["code"] == 3 and after["last"]["state"] == "passed"
    assert "hangs" not in after


def test_time_that_is_up_is_told(tmp_path):
    done = subprocess.run(
        drill(tmp_path, "--minutes", "0.5", "--only", "quick", "last", least=1000),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert found(tmp_path)["last"]["state"] == "not run"
    assert done.returncode == 3 and "time ran out: True" in done.stdout


def test_a_killed_one_has_kept_what_it_had(tmp_path):
    running = subprocess.Popen(drill(tmp_path, limit=50), start_new_session=True)
    try:
        for _ in range(200):
            if (tmp_path / "gpu-check.json").exists() and "crashes" in found(tmp_path):
                break
            time.sleep(0.1)
        else:
            pytest.fail("no file was written")
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    assert found(tmp_path)["quick"]["state"] == "passed"


def test_what_is_missing_is_told(tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / TOOL.name).write_text(TOOL.read_text())
    done = subprocess.run(
        [sys.executable, str(tmp_path / "tools" / TOOL.name), "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1 and "make gpu-pack" in done.stderr
