# SPDX-License-Identifier: Apache-2.0
"""`aureole mpi --tune`: the threshold that follows from latencies, and the file that keeps it."""

from __future__ import annotations

import errno
import itertools
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import aureole as au
import pytest
from aureole.cli.main import main as aureole
from aureole_bench import main
from aureole_bench.mpi import thresholds, tune, worker

MACHINE = "CUDA; a device; Toy MPI 1.0; a processor"
HEAD = {"machine": MACHINE, "straight_from": -1, "version": "Toy MPI 1.0", "abi": "standard",
        "ranks": 2, "preloaded": True, "devices": "cuda", "number": 2,
        "emulated": True}  # fmt: skip
#: Stands for mpirun: prints what a file has for the way that it is asked for.
MPIRUN = """#!/bin/sh
case "$*" in *--version*) exit 0;; *aureole-mpi\\ --quiet*) ;; *) cat plain; exit 0;; esac
case "$AUREOLE_MPI_MAPPED_FROM" in 0) way=mapped;; off) way=staged;; *) exit 9;; esac
cat head
case "$*" in *seconds=0) cat check-$way;; *) cat time-$way;; esac
echo '{"ended": true}'
"""
#: Microseconds of the sizes 4 kB to 4 MB: mapped is ahead at 16 kB, behind at 32 kB, then ahead.
STAGED = [10, 11, 14, 16, 20, 30, 50, 90, 170, 330, 650]
MAPPED = [20, 20, 13, 17, 20.9, 22, 24, 30, 50, 90, 180]
PLACE = Path("cache/aureole/mpi-thresholds")


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker, "FOLDER", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for variable in ("AUREOLE_MPI_LIBRARY", "AUREOLE_MPI_MAPPED_FROM"):
        monkeypatch.delenv(variable, raising=False)
    for name in (worker.PROGRAM, worker.LAUNCHER, "libaureole_mpi.so"):
        Path(name).touch()
    Path("mpirun").write_text(MPIRUN)
    Path("mpirun").chmod(0o755)
    plain = [HEAD | {"preloaded": False}, {"ended": True}]
    Path("plain").write_text("".join(json.dumps(row) + "\n" for row in plain))
    Path("head").write_text(json.dumps(HEAD) + "\n")
    measured("staged", STAGED)
    measured("mapped", MAPPED)
    return tmp_path


def measured(way: str, microseconds: list[float], straight: int = 8) -> None:
    """Output of ranks, with how many of 8 messages went straight."""
    went = {"straight": straight, "large": 8} if way == "mapped" else {"straight": 0, "large": 0}
    for kind, name, values in (("check", "wrong", [0] * 11), ("time", "seconds", microseconds)):
        scale = 1 if kind == "check" else 1e-6
        rows = [{"table": "latency", "bytes": 4096 << k, name: value * scale, **went}
                for k, value in enumerate(values)]  # fmt: skip
        Path(f"{kind}-{way}").write_text("".join(json.dumps(row) + "\n" for row in rows))


def tuned(*words: str) -> int:
    return main.main(["tune", "--mpirun", "./mpirun", "--rounds", "2", *words])


def smallest(pairs: list[tuple[int, float]]) -> int | None:
    """By asking each size for all that follow."""
    good = [size for size, _ in pairs if all(r <= 1.05 for s, r in pairs if s >= size)]
    return min(good, default=None)


def test_the_threshold_is_that_of_all_larger_sizes() -> None:
    for ratios in itertools.product((0.5, 1.05, 1.06), repeat=6):
        pairs = [(4096 << k, ratio) for k, ratio in enumerate(ratios)]
        assert tune.threshold_of(pairs) == smallest(pairs)
    assert tune.threshold_of([(4096, 1.2), (8192, 0.9)]) == 8192
    assert tune.threshold_of([(4096, 0.9), (8192, 1.2)]) is None


def test_the_table_and_the_file_say_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tuned("--json", "a.json") == 0
    out, err = capsys.readouterr()
    shown = [line.split() for line in out.splitlines()]
    printed = {row[0]: row[1:] for row in shown if len(row) == 5 and row[0][0].isdigit()}
    assert len(printed) == 11
    assert printed["4,096"][:3] == ["10.00", "20.00", "2.000"]
    pairs = [(int(size.replace(",", "")), float(row[2])) for size, row in printed.items()]
    assert smallest(pairs) == 65536
    assert "Threshold: 65,536 bytes" in out and MACHINE in out
    assert "not those of a GPU" in out
    assert PLACE.read_text() == f"aureole-mpi-thresholds 1\n65536 {MACHINE}\n"
    assert err.endswith(f"Written to {PLACE.absolute()}.\n")
    result = json.loads(Path("a.json").read_text())
    assert [len(size["runs"]["mapped"]) for size in result["rows"][0]["sizes"]] == [2] * 11
    # A setting is told of that makes the file useless, and is none of the measurement's.
    monkeypatch.setenv("AUREOLE_MPI_MAPPED_FROM", "5")
    assert tuned() == 0
    assert "AUREOLE_MPI_MAPPED_FROM is set" in capsys.readouterr().out


def test_aureole_mpi_tune_is_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert aureole(["mpi", "--tune", "--mpirun", "./mpirun", "--rounds", "1"]) == 0
    assert "Threshold: 65,536 bytes" in capsys.readouterr().out
    assert aureole(["mpi", "--tune", "--rounds", "0"]) == 2
    assert "rounds is 0" in capsys.readouterr().err


def test_never_is_a_threshold_too(capsys: pytest.CaptureFixture[str]) -> None:
    measured("mapped", [2 * us for us in STAGED])
    assert tuned() == 0
    assert "Threshold: off (mapped is slower up to 4,194,304 bytes)." in capsys.readouterr().out
    assert PLACE.read_text() == f"aureole-mpi-thresholds 1\noff {MACHINE}\n"


def test_messages_that_do_not_go_straight_leave_no_threshold(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for straight in (0, 7):
        measured("mapped", MAPPED, straight)
        assert tuned() == 1
        told = "is left out (its messages do not go straight from device to device here)"
        assert told in capsys.readouterr().out
        assert not PLACE.exists()


def test_wrong_data_leave_no_threshold(capsys: pytest.CaptureFixture[str]) -> None:
    text = Path("check-staged").read_text()
    Path("check-staged").write_text(text.replace('"wrong": 0', '"wrong": 1', 1))
    assert tuned() == 1
    assert "is left out (staged: wrong data)" in capsys.readouterr().out


def test_no_device_is_told() -> None:
    Path("plain").write_text(Path("plain").read_text().replace("cuda", "none"))
    with pytest.raises(au.InputError, match="no device was found"):
        tuned()


def test_ranks_do_not_start_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "0")
    with pytest.raises(au.InputError, match="Run it without mpirun"):
        tuned()


def test_others_stay_in_the_file() -> None:
    thresholds.keep({"a": 1, "b": None})
    thresholds.keep({"b": 4096, "c": 0})
    assert thresholds.parsed(PLACE.read_text()) == {"a": 1, "b": 4096, "c": 0}
    assert thresholds.parsed(thresholds.written({"a": None})) == {"a": None}


BROKEN = ["", "\n", "aureole-mpi-thresholds 2\n1 a\n", "aureole-mpi-thresholds 1\n1 a",
          "aureole-mpi-thresholds 1\n1\n", "aureole-mpi-thresholds 1\n-1 a\n",
          "aureole-mpi-thresholds 1\n9999999999999 a\n",
          "aureole-mpi-thresholds 1\n1 \n", "\0" * 100]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_file_is_replaced_and_told_of(
    capsys: pytest.CaptureFixture[str], text: str
) -> None:
    """The library ignores such files too."""
    assert thresholds.parsed(text) is None
    PLACE.parent.mkdir(parents=True)
    PLACE.write_text(text)
    assert tuned() == 0
    assert "was broken or of another version; all of it was replaced" in capsys.readouterr().err
    assert thresholds.parsed(PLACE.read_text()) == {MACHINE: 65536}


def test_tunings_at_once_lose_nothing() -> None:
    """Processes, as threads would share what a process holds."""
    text = ("from aureole_bench.mpi import thresholds\nimport sys\n"
            "for k in range(20): thresholds.keep({f'{sys.argv[1]} {k}': k})")  # fmt: skip

    def one(name: str) -> int:
        return subprocess.run([sys.executable, "-c", text, name], check=False).returncode

    with ThreadPoolExecutor() as pool:
        assert set(pool.map(one, "abc")) == {0}
    found = thresholds.parsed(PLACE.read_text())
    assert found == {f"{name} {k}": k for name in "abc" for k in range(20)}
    assert sorted(os.listdir(PLACE.parent)) == [".mpi-thresholds.lock", "mpi-thresholds"]


def test_a_lock_that_stays_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thresholds, "_PATIENCE", 0.05)
    thresholds.prepare()
    with (
        thresholds._locked(PLACE.absolute()),
        pytest.raises(au.FileError, match=r"is locked .another process has held it"),
    ):
        thresholds.keep({"a": 1})


@pytest.mark.parametrize("function", ["fsync", "replace"])
def test_a_full_disk_leaves_the_file_as_it_was(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], function: str
) -> None:
    thresholds.keep({"a": 1})

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, function, full)
    with pytest.raises(au.FileError) as failed:
        tuned()
    assert str(failed.value) == (
        f"{PLACE.absolute()}: cannot be written (No space left on device). Free space there. Set "
        "XDG_CACHE_HOME to a folder that you may write to, here and where programs run. Or set "
        "AUREOLE_MPI_MAPPED_FROM=65536 where programs run."
    )
    assert "Threshold: 65,536 bytes" in capsys.readouterr().out  # what was measured is not lost
    assert thresholds.parsed(PLACE.read_text()) == {"a": 1}
    assert sorted(os.listdir(PLACE.parent)) == [".mpi-thresholds.lock", "mpi-thresholds"]


def test_a_home_that_cannot_be_written_is_told_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a file in the place of a folder, and by what the system says of one."""
    Path("cache").touch()
    with pytest.raises(au.FileError, match=r"cannot be made .* Set XDG_CACHE_HOME"):
        tuned()
    Path("cache").unlink()
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    with pytest.raises(au.FileError, match=r"mounted read-only.* Set XDG_CACHE_HOME"):
        tuned()
    assert "round" not in capsys.readouterr().err  # nothing was measured


def test_the_folder_is_that_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cases as in src/preload/tests/thresholds.cpp."""
    for cache, home, expected in (
        ("/c", "/h", "/c/aureole/mpi-thresholds"),
        (None, "/h", "/h/.cache/aureole/mpi-thresholds"),
        ("", "/h", "/h/.cache/aureole/mpi-thresholds"),
        ("c", "/h", "/h/.cache/aureole/mpi-thresholds"),
    ):
        _set(monkeypatch, cache, home)
        assert str(thresholds.path()) == expected
    for cache, home in ((None, None), ("c", "h")):
        _set(monkeypatch, cache, home)
        with pytest.raises(au.FileError, match="has no folder"):
            thresholds.path()


def _set(monkeypatch: pytest.MonkeyPatch, cache: str | None, home: str | None) -> None:
    for name, value in (("XDG_CACHE_HOME", cache), ("HOME", home)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
