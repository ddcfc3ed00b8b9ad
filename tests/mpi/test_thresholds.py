# SPDX-License-Identifier: Apache-2.0
"""The file that `aureole mpi --tune` writes, as the library reads it on emulated devices.

Its text is tested in src/preload/tests; here is what becomes of messages.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from pathlib import Path

import mpis
import pytest
from bench_runs import Told, run

HEAD = "aureole-mpi-thresholds 1\n"
SIZES = (4096, 16384, 65536)
LATENCY = ["tables=latency", f"sizes={','.join(map(str, SIZES))}", "seconds=0"]
LOG = {"AUREOLE_MPI_LOG": "1"}
#: Told by ranks at their end.
SENT = re.compile(r"has sent (\d+) messages straight")
#: Messages by which the program begins, `greetings` in straight.c.
GREETINGS = 6


@pytest.fixture
def mpi() -> mpis.Mpi:
    """One that lets other processes run while it waits."""
    found = mpis.named("openmpi")
    if found is None:
        pytest.skip(mpis.missing("openmpi"))
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "aureole/mpi-thresholds"
    place.parent.mkdir()
    return place


def asked(mpi: mpis.Mpi, folder: Path, double: str = "", **variables: str) -> Told:
    """Messages between two devices, where `folder` is the user's cache."""
    told = run((mpi, "device", True), 2, *LATENCY, double=double,
               **LOG, **{"XDG_CACHE_HOME": str(folder), **variables})  # fmt: skip
    assert told.ended, told.said
    assert [row["wrong"] for row in told.rows] == [0] * len(SIZES)
    return told


def straight(told: Told) -> list[int]:
    """Sizes whose messages all went straight; the others have none that did."""
    assert {row["straight"] for row in told.rows} <= {0, *(row["large"] for row in told.rows)}
    return [row["bytes"] for row in told.rows if row["straight"] > 0]


def copied(log: Path) -> Counter[str]:
    """Bytes that the driver of both ranks copied, by direction."""
    lines = log.read_text().splitlines()
    return sum((Counter(json.loads(line)["bytes"]) for line in lines), Counter())


def test_messages_go_by_the_threshold_of_the_file(
    any_mpi: mpis.Mpi, tmp_path: Path, file: Path
) -> None:
    """Told by the library's own count, and by what the driver was asked to copy."""
    without = asked(any_mpi, tmp_path)
    assert straight(without) == [65536]
    machine = without.head["machine"]
    assert machine.startswith("CUDA; Aureole emulated device; ") and machine.count("; ") == 3
    over_host = {}
    for text, sizes in (("4096", SIZES), ("16384", SIZES[1:]), ("65537", ()), ("off", ())):
        log = tmp_path / text
        file.write_text(f"{HEAD}1 of another machine\n{text} {machine}\n")
        told = asked(any_mpi, tmp_path, double=f"log={log}")
        assert straight(told) == list(sizes), told.said
        assert f"({file})" in told.said and " is ignored" not in told.said
        over_host[text] = copied(log)["device_to_host"] - greetings(told)
    # Two comparisons, each with a message there and one back.
    assert over_host["65537"] == over_host["off"]
    assert over_host["off"] - over_host["16384"] == 4 * (16384 + 65536)
    assert over_host["16384"] - over_host["4096"] == 4 * 4096


def greetings(told: Told) -> int:
    """Bytes of the messages before the first row that did not go straight yet."""
    size = told.head["straight_from"]
    all_straight = sum(int(n) for n in SENT.findall(told.said))
    staged = GREETINGS - (all_straight - sum(row["straight"] for row in told.rows))
    return 0 if size < 0 else staged * ((size + 3) // 4 * 4)


def test_what_is_set_goes_before_the_file(mpi: mpis.Mpi, tmp_path: Path, file: Path) -> None:
    machine = asked(mpi, tmp_path).head["machine"]
    file.write_text(f"{HEAD}off {machine}\n")
    told = asked(mpi, tmp_path, AUREOLE_MPI_MAPPED_FROM="16384")
    assert straight(told) == [16384, 65536]
    assert "(AUREOLE_MPI_MAPPED_FROM)" in told.said and str(file) not in told.said


def test_without_a_file_nothing_is_said_of_it(mpi: mpis.Mpi, tmp_path: Path) -> None:
    told = asked(mpi, tmp_path)
    assert "from 65536 bytes on straight" in told.said and "(default)" in told.said
    assert "is ignored" not in told.said
    # A home is the next place, by an absolute name.
    machine = told.head["machine"]
    place = tmp_path / ".cache/aureole/mpi-thresholds"
    place.parent.mkdir(parents=True)
    place.write_text(f"{HEAD}16384 {machine}\n")
    for cache, sizes in (("", [16384, 65536]), ("relative", [16384, 65536]), ("/none", [65536])):
        told = asked(mpi, tmp_path, HOME=str(tmp_path), XDG_CACHE_HOME=cache)
        assert straight(told) == sizes


#: Texts of files that are ignored, and why.
IGNORED = {
    "": "it is broken in line 1",
    f"{HEAD}4096": "it is broken in line 2",
    f"{HEAD}4096 MACHINE\nmany MACHINE\n": "it is broken in line 3",
    "aureole-mpi-thresholds 2\n4096 MACHINE\n": "it is of another version of aureole-mpi",
    f"{HEAD}4096 CUDA; another device\n": "it has nothing for MACHINE. Run aureole mpi --tune.",
}


def test_files_that_are_ignored_are_told_once(mpi: mpis.Mpi, tmp_path: Path, file: Path) -> None:
    machine = asked(mpi, tmp_path).head["machine"]
    for text, why in IGNORED.items():
        file.write_text(text.replace("MACHINE", machine))
        told = asked(mpi, tmp_path)
        assert straight(told) == [65536], told.said
        line = f"aureole-mpi: {file} is ignored: {why.replace('MACHINE', machine)}"
        assert told.said.count(" is ignored") == 1 and line in told.said, told.said
        assert "(default)" in told.said
    file.unlink()
    for make in (file.mkdir, lambda: os.mkfifo(file)):
        make()
        told = asked(mpi, tmp_path)
        assert straight(told) == [65536] and told.said.count(" is ignored") == 1, told.said
        file.rmdir() if file.is_dir() else file.unlink()


def test_devices_of_amd_have_their_own(mpi: mpis.Mpi, tmp_path: Path, file: Path) -> None:
    way = (mpi, "device", True)
    words = [*LATENCY, "devices=hip"]
    machine = run(way, 2, *words).head["machine"]
    assert machine.startswith("HIP; ")
    file.write_text(f"{HEAD}16384 {machine}\noff CUDA{machine[3:]}\n")
    assert straight(run(way, 2, *words, XDG_CACHE_HOME=str(tmp_path))) == [16384, 65536]
    assert straight(run(way, 2, *LATENCY, XDG_CACHE_HOME=str(tmp_path))) == []
