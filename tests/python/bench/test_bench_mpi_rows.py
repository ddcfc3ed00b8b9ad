# SPDX-License-Identifier: Apache-2.0
"""`aureole bench mpi` and `stencil`: what they make of what ranks print, and of how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aureole as au
import pytest
from aureole_bench import main
from aureole_bench.mpi import launchers, worker

HEAD = {"version": "Toy MPI 1.0", "abi": "standard", "ranks": 2, "preloaded": True,
        "devices": "cuda", "number": 2, "emulated": True}  # fmt: skip
TIMES = {"host": {"staged": 1e-6, "mapped": 1e-6}, "device": {"staged": 8e-6, "mapped": 2e-6}}
#: Stands for mpirun: acts as the ranks would. Without the preload device memory crashes.
MPIRUN = """#!/bin/sh
case "$*" in *--version*) exit 0;; esac
echo 'a warning'
case "$*" in *aureole-mpi\\ --quiet*) echo '{preloaded}';; *) echo '{plain}';; esac
case "$*" in *run=stencil*) what=stencil;; *seconds=0) what=check;; *) what=time;; esac
case "$AUREOLE_MPI_MAPPED_FROM" in 0) way=mapped;; *) way=staged;; esac
case "$*" in
  *tables=barrier*) cat check-barrier;;
  *aureole-mpi\\ --quiet*memory=device*) cat $what-device-$way;;
  *memory=device*) echo 'Segmentation fault'; exit 139;;
  *) cat $what-host-$way;;
esac
echo '{{"ended": true}}'
"""


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker, "FOLDER", tmp_path)
    monkeypatch.delenv("AUREOLE_MPI_LIBRARY", raising=False)
    for name in (worker.PROGRAM, worker.LAUNCHER, "libaureole_mpi.so"):
        Path(name).touch()
    mpirun = Path("mpirun")
    plain = json.dumps(HEAD | {"preloaded": False})
    mpirun.write_text(MPIRUN.format(preloaded=json.dumps(HEAD), plain=plain))
    mpirun.chmod(0o755)
    said("check-barrier", {"table": "barrier", "bytes": 0, "wrong": 0})
    for memory, of in TIMES.items():
        for way, seconds in of.items():
            went = WENT[memory, way]
            rows = ({"table": t, "bytes": 4096, "wrong": 0, **went} for t in TABLES)
            said(f"check-{memory}-{way}", *rows)
            said(f"time-{memory}-{way}", *timed(seconds, went))
            said(f"stencil-{memory}-{way}", steps(seconds, went), SAME)
    return tmp_path


TABLES = ("latency", "bandwidth")
#: How many messages went straight, of those that were large enough.
STRAIGHT, STAGED = {"straight": 64, "large": 64}, {"straight": 0, "large": 0}
WENT = {(memory, way): STRAIGHT if (memory, way) == ("device", "mapped") else STAGED
        for memory in TIMES for way in TIMES[memory]}  # fmt: skip


def timed(seconds: float, went: dict[str, int]) -> tuple[dict[str, Any], ...]:
    rate = {"table": "bandwidth", "bytes": 4096, "bytes_per_second": 1 / seconds}
    return {"table": "latency", "bytes": 4096, "seconds": seconds, **went}, {**rate, **went}


def steps(microseconds: float, went: dict[str, int]) -> dict[str, Any]:
    return {
        "grid": [2, 1, 1],
        "seconds": microseconds * 5e5,
        "exchange": microseconds * 1e5,
        **went,
    }


SAME = {"different": 0, "of": 1000, "sum": "0123456789abcdef"}
MPI = ["mpi", "--mpirun", "./mpirun", "--tables", "latency,bandwidth", "--sizes", "4096",
       "--memory", "host,device", "--rounds", "3", "--json", "a.json"]  # fmt: skip
STENCIL = ["stencil", "--mpirun", "./mpirun", "--cells", "10", "--steps", "500", "--ranks", "2",
           "--memory", "host,device", "--rounds", "3", "--json", "a.json"]  # fmt: skip


def said(file: str, *rows: dict[str, Any]) -> None:
    Path(file).write_text("".join(json.dumps(row) + "\n" for row in rows))


def lines(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_tables_with_ratios_and_what_crashes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(MPI) == 0
    shown = lines(capsys)
    on_host = ["1.00", "1.00", "1.00", "1.000", "1.000", "1.000–1.000", "1.00"]
    assert ["latency", "host", "4,096", "µs", *on_host] in shown
    on_device = ["crashes", "8.00", "2.00", "–", "0.250", "0.250–0.250", "2.00"]
    assert ["latency", "device", "4,096", "µs", *on_device] in shown
    # A rate that is eight times smaller is a time that is eight times longer.
    on_device[1:3] = ["0.1", "0.5"]
    assert ["bandwidth", "device", "4,096", "MB/s", *on_device] in shown
    assert any("not those of a GPU." in " ".join(words) for words in shown)
    rows = json.loads(Path("a.json").read_text())["rows"]
    assert [len(row["runs"][way]) for row in rows for way in ("staged", "mapped")] == [3] * 8
    assert [len(row["runs"]["off"]) for row in rows] == [3, 0, 3, 0]
    assert rows[1]["verdicts"] == {"off": "crashes", "staged": "right", "mapped": "right"}
    assert rows[1]["paths"] == {"staged": "staged", "mapped": "mapped"}


def test_wrong_data_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = {"table": "bandwidth", "bytes": 4096, "wrong": 1, **STAGED}
    said("check-device-staged", {"table": "latency", "bytes": 4096, "wrong": 0, **STAGED}, wrong)
    assert main.main(MPI) == 1
    told = "NOT right: Toy MPI 1.0, bandwidth, device, staged, wrong data"
    assert told in capsys.readouterr().out


def test_a_table_that_is_missing_is_not_right() -> None:
    said("check-device-mapped", {"table": "latency", "bytes": 4096, "wrong": 0, **STRAIGHT})
    assert main.main(MPI) == 1


@pytest.mark.parametrize("when", ["check", "time"])
@pytest.mark.parametrize("straight", [0, 57])
def test_messages_that_went_another_way_are_not_mapped(
    capsys: pytest.CaptureFixture[str], when: str, straight: int
) -> None:
    """In a trial or in any round; a few may, where many are in flight."""
    went = {"straight": straight, "large": 64}
    rows = {"check": ({"table": t, "bytes": 4096, "wrong": 0, **went} for t in TABLES),
            "time": timed(2e-6, went)}  # fmt: skip
    said(f"{when}-device-mapped", *rows[when])
    assert main.main(MPI) == 1
    out = capsys.readouterr().out
    assert "NOT right: Toy MPI 1.0, latency, device, mapped, not mapped" in out
    row = ["latency", "device", "4,096", "µs", "crashes", "8.00", "not", "mapped", "–", "–", "–"]
    assert row in [line.split() for line in out.splitlines()]
    said("check-device-mapped", *({"table": t, "bytes": 4096, "wrong": 0, "straight": 58,
                                   "large": 64} for t in TABLES))  # fmt: skip
    said("time-device-mapped", *timed(2e-6, {"straight": 58, "large": 64}))
    assert main.main(MPI) == 0


def test_messages_that_went_straight_are_not_staged() -> None:
    said("time-device-staged", *timed(8e-6, {"straight": 1, "large": 0}))
    assert main.main(MPI) == 1


def test_updates_of_the_stencil(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(STENCIL) == 0
    shown = lines(capsys)
    before = ["Toy", "MPI", "1.0"]
    grid = ["2", "2", "x", "1", "x", "1"]
    # 1000 cells, 500 steps, 0.5 s
    numbers = ["1.0", "1.0", "1.0", "1.000", "1.000", "1.000–1.000", "20%"]
    assert [*before, "host", *grid, *numbers] in shown
    numbers = ["crashes", "0.1", "0.5", "–", "0.250", "0.250–0.250", "20%"]
    assert [*before, "device", *grid, *numbers] in shown


def test_a_stencil_whose_faces_went_another_way_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    said("stencil-device-mapped", steps(2e-6, {"straight": 0, "large": 8}), SAME)
    assert main.main(STENCIL) == 1
    out = capsys.readouterr().out
    assert "NOT all messages went as they should: not mapped." in out
    assert "results are those of one rank" not in out


@pytest.mark.parametrize("change", [{"different": 1}, {"sum": "0123456789abcdee"}])
def test_a_stencil_that_differs_is_told(
    capsys: pytest.CaptureFixture[str], change: dict[str, Any]
) -> None:
    """From the loop of one rank, or from another way."""
    said("stencil-device-mapped", steps(2e-6, STRAIGHT), {**SAME, **change})
    assert main.main(STENCIL) == 1
    assert "NOT all results are those of one rank" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([*MPI, "--sizes", "6"], "multiples of 4"),
        ([*MPI, "--ranks", "1"], "messages need two"),
        ([*MPI, "--tables", "latencies"], "latencies"),
        ([*MPI, "--rounds", "0"], "nothing would be measured"),
        ([*STENCIL, "--cells", "4,4"], "one or three"),
        ([*STENCIL, "--cells", "4", "--ranks", "8"], "fewer cells"),
        ([*STENCIL, "--memory", "disk"], "disk"),
    ],
)
def test_options_that_make_no_sense(words: list[str], told: str) -> None:
    with pytest.raises(au.InputError, match=told):
        main.main(words)


@pytest.mark.parametrize(
    ("ranks", "told"),
    [
        ("exit 0", "it ends without starting our program"),
        ("echo no slots; exit 1", "left out .no slots"),
        ('echo \'{"refused": "no such library"}\'; exit 3', "left out .no such library"),
    ],
)
@pytest.mark.parametrize("what", [MPI, STENCIL])
def test_an_mpirun_that_starts_nothing_is_refused(ranks: str, told: str, what: list[str]) -> None:
    Path("mpirun").write_text(f"#!/bin/sh\n{ranks}\n")
    with pytest.raises(au.InputError, match=f"no MPI works here.*{told}"):
        main.main(what)


def test_memory_that_is_not_there_is_refused() -> None:
    mpirun = Path("mpirun")
    mpirun.write_text(mpirun.read_text().replace('"devices": "cuda"', '"devices": "none"'))
    with pytest.raises(au.InputError, match=r"memory is device,managed.*no driver of devices"):
        main.main([*MPI, "--memory", "device,managed"])
    assert main.main([*MPI, "--memory", "device,host"]) == 0


def test_one_round_is_told_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    for what, told in ((MPI, "; one round. Off"), (STENCIL, ", one round; ratios")):
        assert main.main([*what, "--rounds", "1"]) == 0
        assert told in capsys.readouterr().out


def test_a_preload_in_the_environment_is_noticed() -> None:
    mpirun = Path("mpirun")
    mpirun.write_text(mpirun.read_text().replace("false", "true"))
    with pytest.raises(au.Error, match="Unset LD_PRELOAD"):
        main.main(MPI)


def test_a_build_without_the_program_is_refused() -> None:
    Path(worker.PROGRAM).unlink()
    with pytest.raises(au.Error, match=f"{worker.PROGRAM}: is missing"):
        main.main(MPI)


@pytest.mark.parametrize(
    ("says", "library"),
    [("mpirun (Open MPI) 5.0.11", "libmpi.so.40"), ("HYDRA build details:", "libmpi.so.12")],
)
def test_the_library_of_a_launcher_is_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, library: str
) -> None:
    """Where a folder has those of two MPIs."""
    for folder in ("bin", "lib"):
        (tmp_path / folder).mkdir()
    for name in ("libmpi.so.40", "libmpi.so.12"):
        (tmp_path / "lib" / name).touch()
    program = tmp_path / "bin/mpirun"
    program.write_text(f"#!/bin/sh\necho '{says}'\n")
    program.chmod(0o755)
    (found,) = launchers.at_hand(str(program))
    assert found.library == str(tmp_path / "lib" / library)
    monkeypatch.setenv("AUREOLE_MPI_LIBRARY", "another.so")
    (found,) = launchers.at_hand(str(program))
    assert found.library == "another.so"
