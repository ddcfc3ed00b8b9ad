# SPDX-License-Identifier: Apache-2.0
"""The check on a GPU machine, with parts that sleep, crash and hang in the place of its own."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

import pytest

TOOL = Path(__file__).resolve().parents[1] / "gpu_check.py"

DRILL = """
import sys, time
from pathlib import Path
sys.path.insert(0, {tools!r})
import gpu_check

here = Path({here!r})
gpu_check.PACK, gpu_check.ROOT = here / "pack", here
gpu_check.devices = lambda: {devices}
gpu_check.gpus = lambda: {gpus!r}
keep = gpu_check.keep
gpu_check.keep = lambda *a: (time.sleep({pause}), keep(*a))

def sh(words):
    return gpu_check.command(["sh", "-c", words])

def raises(seconds):
    raise RuntimeError("part of the drill")

def parts():
    first = sh("echo ran >> first; echo 'RESULT {{\\"a\\": 1}}'")
    yield gpu_check.Step("first", 1, 5, first, device=False)
    yield gpu_check.Step("crash", 1, 5, sh("echo $CUDA_LAUNCH_BLOCKING; kill -SEGV $$"))
    yield gpu_check.Step("raises", 1, 5, raises)
    yield gpu_check.Step("hang", 1, 0.12, sh("sleep 60 & echo $! > child; sleep 60"))
    yield gpu_check.Step("sleep", 1, 5, sh("sleep 0.1; echo ran >> sleep"))
    yield gpu_check.Step("nothing", 1, 5, sh("exit 77"))
    yield gpu_check.Step("no program", 1, 5, gpu_check.gtests("none.sh", "cuda"))

gpu_check.parts = parts
raise SystemExit(gpu_check.main())
"""

OUTCOMES = ("passed", "failed", "failed", "hung", "passed", "not run", "failed")
PARTS = ("first", "crash", "raises", "hang", "sleep", "nothing", "no program")


def test_a_pack_of_another_rocm_is_told(tmp_path):
    sys.path.insert(0, str(TOOL.parent))
    import gpu_check

    program = tmp_path / "test_device"
    assert gpu_check.loader_says(program) == ""
    said = "test_device: error while loading shared libraries: libamdhip64.so.6: cannot open"
    program.write_text(f"#!/bin/sh\necho '{said} shared object file: No such file' >&2; exit 127\n")
    program.chmod(0o755)
    assert gpu_check.loader_says(program) == "libamdhip64.so.6: cannot open shared object file"
    program.write_text("#!/bin/sh\necho Devices.\n")
    assert gpu_check.loader_says(program) == ""


@pytest.fixture
def here(tmp_path):
    (tmp_path / "pack" / "wheels").mkdir(parents=True)
    (tmp_path / "python" / "aureole").mkdir(parents=True)
    program = b"#!/bin/sh\necho GLIBC_2.99 not found; exit 127\n"
    about = tarfile.TarInfo("none.sh")
    about.mode, about.size = 0o755, len(program)
    with tarfile.open(tmp_path / "pack" / "programs.tar.xz", "w:xz") as archive:
        archive.addfile(tarfile.TarInfo("_core.abi3.so"), io.BytesIO())
        archive.addfile(about, io.BytesIO(program))
    return tmp_path


def drill(
    here: Path, *words: str, devices: int = 1, gpus: str = "GPU 0", pause: float = 0, **more: Any
) -> subprocess.Popen[str]:
    told = {"devices": devices, "gpus": gpus, "pause": pause}
    program = DRILL.format(tools=str(TOOL.parent), here=str(here), **told)
    command = [sys.executable, "-c", program, "--out", str(here / "out"), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **more)


def found(here: Path) -> dict:
    return json.loads((here / "out" / "gpu-check.json").read_text())


def states(here: Path) -> dict[str, str]:
    return {name: row["state"] for name, row in found(here).items() if name != "programs"}


def ran(here: Path, part: str) -> int:
    return (here / part).read_text().count("ran") if (here / part).exists() else 0


def gone(process: int) -> bool:
    """Whether a process has ended (a zombie has)."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_limits_crashes_and_a_second_call(here):
    call = drill(here)
    said, _ = call.communicate(timeout=30)
    assert call.returncode == 1
    after = dict(zip(PARTS, OUTCOMES, strict=True))
    assert states(here) == after
    assert found(here)["first"]["data"] == [{"a": 1}]
    assert found(here)["crash"]["code"] == -signal.SIGSEGV
    assert "failed: crash, raises, hang, no program" in said
    assert "a second call goes on" in said
    assert "lists none of the tests (exit code 127): GLIBC" in found(here)["no program"]["said"]
    assert "part of the drill" in found(here)["raises"]["said"]
    assert gone(int((here / "child").read_text()))  # the whole process group ends with its part

    call = drill(here)  # what passed is not repeated; what failed runs with launches that block
    call.communicate(timeout=30)
    assert states(here) == after
    assert ran(here, "first") == ran(here, "sleep") == 1
    crash = found(here)["crash"]
    assert crash["blocking"] and crash["said"].startswith("1")


def test_other_programs_begin_anew(here):
    drill(here).communicate(timeout=30)
    (here / "pack" / "programs.tar.xz").write_bytes(
        (here / "pack" / "programs.tar.xz").read_bytes() + b"\0" * 4
    )
    said, _ = drill(here).communicate(timeout=30)
    assert "of other programs" in said
    assert ran(here, "first") == 2


def test_without_a_device_each_part_says_so(here):
    call = drill(here, devices=0)
    call.communicate(timeout=30)
    assert call.returncode == 4
    assert states(here) == {
        "first": "passed",
        **dict.fromkeys(PARTS[1:], "no device"),
    }


def test_what_failed_is_kept_where_no_device_is_left(here):
    drill(here).communicate(timeout=30)
    before = states(here)
    said, _ = drill(here, devices=0, gpus="").communicate(timeout=30)
    assert states(here) == before | {"nothing": "no device"}
    assert "there is no device" in said and found(here)["programs"]["gpus"] == "GPU 0"
    drill(here).communicate(timeout=30)
    assert ran(here, "first") == 1  # on the same GPU what passed is not repeated


def test_other_gpus_begin_anew(here):
    drill(here, "--only", "first").communicate(timeout=30)
    said, _ = drill(here, "--only", "first", gpus="GPU 1").communicate(timeout=30)
    assert "of other GPUs (GPU 0): all parts anew" in said and ran(here, "first") == 2


def test_a_folder_that_cannot_be_written_is_told(here):
    (here / "out").write_text("a file")
    call = drill(here, stderr=subprocess.PIPE)
    _, told = call.communicate(timeout=30)
    assert call.returncode == 1 and "Name another folder in OUT" in told


def test_time_that_runs_out_leaves_the_rest_for_a_second_call(here):
    call = drill(here, "--minutes", "0.0001")
    call.communicate(timeout=30)
    assert call.returncode == 3
    assert set(states(here).values()) == {"not run"}
    call = drill(here)
    call.communicate(timeout=30)
    assert states(here)["first"] == states(here)["sleep"] == "passed"


@pytest.mark.parametrize("seed", range(4))
def test_a_kill_leaves_a_file_that_a_second_call_completes(here, seed):
    moment = random.Random(seed).uniform(0.05, 0.5)
    call = drill(here, pause=0.05)
    time.sleep(moment)
    os.kill(call.pid, signal.SIGKILL if seed % 2 else signal.SIGTERM)
    call.communicate(timeout=30)
    if (here / "out" / "gpu-check.json").exists():
        assert all(
            "state" in row for row in found(here).values()
        )  # whole JSON, whatever was killed
    call = drill(here)
    call.communicate(timeout=30)
    assert set(states(here)) == set(PARTS)
    assert states(here)["first"] == states(here)["sleep"] == "passed"


def test_the_parts_that_are_asked_for(here):
    drill(here, "--only", "sleep").communicate(timeout=30)
    assert states(here) == {"sleep": "passed"}


def test_a_missing_pack_is_told(here):
    (here / "pack" / "programs.tar.xz").unlink()
    call = drill(here, stderr=subprocess.PIPE)
    _, told = call.communicate(timeout=30)
    assert call.returncode == 1 and "make gpu-pack" in told


def test_an_older_python_is_told():
    if sys.version_info >= (3, 12):
        pytest.skip("this Python runs the pack")
    done = subprocess.run([sys.executable, str(TOOL)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "needs Python 3.12 or later" in done.stderr


@pytest.mark.parametrize("text", ["{", "[]", '{"first": "passed"}', '{"first": {}}'])
def test_a_damaged_file_is_told_and_replaced(here, text):
    (here / "out").mkdir()
    (here / "out" / "gpu-check.json").write_text(text)
    said, _ = drill(here, "--only", "first").communicate(timeout=30)
    assert "damaged: all parts anew" in said
    assert states(here) == {"first": "passed"}


def test_what_cannot_be_meant_is_refused(here):
    for words in (("--only", "thrist"), ("--minutes", "nan"), ("--resume", str(here / "none"))):
        call = drill(here, *words)
        call.communicate(timeout=30)
        assert call.returncode not in (0, 4)
    assert ran(here, "first") == 0


def test_a_torn_pack_is_told(here):
    archive = here / "pack" / "programs.tar.xz"
    archive.write_bytes(archive.read_bytes()[:40])
    call = drill(here)
    call.communicate(timeout=30)
    assert call.returncode == 1 and not (here / "pack" / "bin").exists()
