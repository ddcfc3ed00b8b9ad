# SPDX-License-Identifier: Apache-2.0
"""Runs packed programs on two ranks of one device, by a packed MPI, within a time limit."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Row = dict[str, Any]

RANKS = 2
ALARM = (14, 128 + 14)  # launchers of a rank whose own time was up
GRACE = 4  # seconds in which a launcher ends whose ranks have ended
#: Open MPI refuses root, more ranks than cores, and binding where a container forbids it.
OPENMPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
}
LIBRARIES = {"openmpi": "libmpi.so.40", "mpich": "libmpi.so.12"}
#: Preloaded, they are found in the place of the ones that Open MPI brings, which know no GPUs.
UCX = ("libucm.so.0", "libucs.so.0", "libuct.so.0", "libucp.so.0")
UCX_WORDS = ("--mca", "pml", "ucx", "--mca", "opal_common_ucx_tls", "any",
             "--mca", "opal_common_ucx_devices", "any")  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    code: int | None  # none: it ran past its limit
    output: str
    seconds: float

    @property
    def rows(self) -> list[Row]:
        """Lines of JSON that the program printed."""
        rows = []
        for line in self.output.splitlines():
            if line.startswith("{"):
                with suppress(json.JSONDecodeError):
                    rows.append(json.loads(line))
        return rows

    def why(self) -> str:
        """How it ended, with its last words."""
        end = "it ran out of time" if self.code is None else f"it ended with {self.code}"
        lines = [line.strip() for line in self.output.splitlines() if not line.startswith("{")]
        words = [line for line in lines if line.strip("-=")]
        told = " / ".join(dict.fromkeys([*words[:3], *words[-2:]]))
        return f"{end} after {self.seconds:.1f} s{': ' + told[:500] if told else ''}"


@dataclass(frozen=True)
class Mpi:
    name: str
    prefix: Path

    @property
    def library(self) -> Path:
        return self.prefix / "lib" / LIBRARIES[self.name]

    def launcher(self) -> list[str]:
        return [str(self.prefix / "bin" / "mpiexec")]

    def environment(self) -> dict[str, str]:
        if self.name != "openmpi":
            return {}
        is_small = (os.cpu_count() or 1) < 2 * RANKS  # ranks that wait let others run
        return OPENMPI | ({"OMPI_MCA_mpi_yield_when_idle": "1"} if is_small else {})


@dataclass(frozen=True)
class Way:
    """How messages go: on hosts and by UCX without our library, staged and straight with it."""

    name: str
    memory: str = "device"
    preloaded: bool = True
    variables: tuple[tuple[str, str], ...] = ()


HOST = Way("host", memory="host", preloaded=False)
STAGED = Way(
    "staged",
    variables=(("AUREOLE_MPI_MAPPED_FROM", "off"), ("AUREOLE_MPI_SMALL_MAPPED", "off")),
)
STRAIGHT = Way("straight", variables=(("AUREOLE_MPI_MAPPED_FROM", "0"),))
DEFAULT = Way("default")
BY_UCX = Way("UCX", preloaded=False)


class Pack:
    """The unpacked folder of tools/gpu_mpi/pack.py."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        prefixes = {name: self.folder / name for name in LIBRARIES}
        self.mpis = {name: Mpi(name, place) for name, place in prefixes.items() if place.is_dir()}

    def program(self, name: str, mpi: Mpi) -> str:
        return str(self.folder / "programs" / mpi.name / name)

    def bench(self, mpi: Mpi, way: Way, words: Sequence[str], limit: float) -> Outcome:
        """The program of OSU's tables; it ends by itself after `limit` [s] too."""
        program = [str(self.folder / "bin" / "aureole-mpi-bench"), f"mpi={mpi.library}"]
        program += [f"memory={way.memory}", f"limit={max(1, int(limit))}", *words]
        if way.memory == "device":
            program.append("devices=cuda")
        outcome = self.start(mpi, way, program, limit)
        return replace(outcome, code=None) if outcome.code in ALARM else outcome

    def start(self, mpi: Mpi, way: Way, program: Sequence[str], limit: float) -> Outcome:
        """A program on the ranks; each of them is killed after `limit` [s]."""
        preload = [str(self.folder / "bin" / "aureole-mpi"), "--quiet"] if way.preloaded else []
        words, variables = [], dict(way.variables)
        if way is BY_UCX:
            ucx = self.folder / "ucx"
            variables["LD_PRELOAD"] = ":".join(str(ucx / name) for name in UCX)
            variables["UCX_MODULE_DIR"] = str(ucx / "ucx")
            words += UCX_WORDS
        settings = [f"{name}={value}" for name, value in (self.libraries(mpi) | variables).items()]
        killed = ["timeout", "--foreground", "-s", "KILL", f"{limit:.1f}"]
        command = [*mpi.launcher(), *words, "-n", str(RANKS), *killed, "env", *settings]
        return run([*command, *preload, *program], limit + GRACE, mpi.environment())

    def libraries(self, mpi: Mpi | None) -> dict[str, str]:
        """Variables by which programs find MPI, the driver and CUDA's runtime. The packed runtime
        comes last: the driver double, or the machine, may have its own."""
        folders = [str(mpi.library.parent)] if mpi else []
        folders += [os.environ.get("LD_LIBRARY_PATH", ""), str(self.folder / "cuda")]
        seen = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]
        return {
            "LD_LIBRARY_PATH": ":".join(folder for folder in folders if folder),
            "CUDA_VISIBLE_DEVICES": seen,  # one device, for both ranks
        }


def run(command: Sequence[str], limit: float, variables: Mapping[str, str]) -> Outcome:
    """A command with these variables more, and its process group's end after `limit` [s]."""
    ours = ("LD_PRELOAD", *(("LD_LIBRARY_PATH",) if "LD_LIBRARY_PATH" not in variables else ()))
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        env={**inherited, **variables},
    )
    code: int | None = None
    try:
        output, _ = process.communicate(timeout=limit)
        code = process.returncode
    except subprocess.TimeoutExpired:
        output = _ended(process)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    seconds = time.monotonic() - began
    # Its ranks were killed at their limit, which the launcher tells as an error.
    if code not in (0, None) and seconds >= limit - GRACE - 0.1:
        code = None
    return Outcome(code, output, seconds)


def _ended(process: subprocess.Popen[str]) -> str:
    """A launcher that is asked to end takes its ranks along; then it is killed."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        try:
            return process.communicate(timeout=2)[0] or ""
        except subprocess.TimeoutExpired:
            continue
    return ""  # it hangs in the driver and is left behind


def unpacked(archive: Path, folder: Path) -> Path:
    """The pack in a folder, which takes its name when it is full; unpacked once for each file."""
    stamp = f"{archive.stat().st_size} {archive.stat().st_mtime_ns}"
    mark = folder / "archive"
    if not mark.exists() or mark.read_text() != stamp:
        shutil.rmtree(folder, ignore_errors=True)
        beside = folder.with_name(folder.name + ".new")
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        shutil.unpack_archive(archive, beside)
        (beside / "archive").write_text(stamp)
        beside.rename(folder)
    return folder
