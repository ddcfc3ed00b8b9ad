#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs whose sources no package registry has: run by hand, with a folder that has them.

    by_hand.py osu FOLDER    OSU's benchmarks 7.0, each of whose messages is validated (`-c`)
    by_hand.py hpcg FOLDER   HPCG 3.1, whose residuals must not change under the preload

FOLDER is an unpacked tree (mvapich.cse.ohio-state.edu/benchmarks, github.com/hpcg-benchmark/hpcg).
Both are built into .setup/suites for each MPI with a compiler script, and run on the driver double.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import mpis
from mpich_suite import SUITES
from rank_runs import DRIVERS, Run, start

#: What OSU's programs take from CUDA's headers.
OSU_HEADER = """
#include <stddef.h>
typedef int CUresult, CUdevice, cudaError_t;
typedef void *CUcontext, *cudaStream_t, *cudaEvent_t;
enum { CUDA_SUCCESS, cudaSuccess = 0, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum { cudaMemAttachGlobal = 1, cudaCpuDeviceId = -1 };
struct cudaMemLocation { int type, id; };
CUresult cuInit(unsigned), cuDeviceGet(CUdevice *, int);
CUresult cuDevicePrimaryCtxRetain(CUcontext *, CUdevice);
#define cuCtxGetCurrent(c) 0
const char *cudaGetErrorString(int);
int cudaDeviceSynchronize(void), cudaDeviceReset(void), cudaSetDevice(int);
int cudaGetDeviceCount(int *), cudaMalloc(void **, size_t), cudaFree(void *);
int cudaMallocManaged(void **, size_t, unsigned), cudaMemset(void *, int, size_t);
int cudaMemcpy(void *, const void *, size_t, int);
int cudaStreamCreate(void **), cudaStreamDestroy(void *), cudaStreamSynchronize(void *);
int cudaEventCreate(void **), cudaEventDestroy(void *), cudaEventRecord(void *, void *);
int cudaEventSynchronize(void *), cudaEventElapsedTime(float *, void *, void *);
int cudaMemPrefetchAsync(const void *, size_t, int, void *);
"""
#: Where the buffers of the two ranks lie: on a device or a host. Collectives have one place.
PLACES = ("D D", "H D", "D H")


def run_and_log(command: list[str | Path], folder: Path) -> None:
    subprocess.run([str(word) for word in command], cwd=folder, check=True)


def mpis_with_compilers() -> list[mpis.Mpi]:
    return [mpi for mpi in mpis.at_hand() if mpi.mpicc]


def osu_programs(source: Path, mpi: mpis.Mpi) -> list[Path]:
    """Message benchmarks and collectives, without configure, which asks for CUDA's own files."""
    place = SUITES / "osu" / mpi.name
    place.mkdir(parents=True, exist_ok=True)
    for name in ("cuda.h", "cuda_runtime.h"):
        (place / name).write_text(f"#pragma once\n{OSU_HEADER if name == 'cuda.h' else ''}")
    helpers = sorted((source / "c/util").glob("osu_util*.c"))
    helpers = [p for p in helpers if p.stem not in ("osu_util_nccl", "osu_util_pgas")]
    defined = ['-DPACKAGE_VERSION="7.0"', "-DFIELD_WIDTH=18", "-DFLOAT_PRECISION=2"]
    defined += ["-D_ENABLE_CUDA_=1", f"-I{place}", f"-I{source}/c/util"]
    drivers = ["-l:libcudart.so.13", "-l:libcuda.so.1", "-lm", "-lpthread"]
    made = []
    for folder in ("pt2pt", "collective"):
        for text in sorted((source / "c/mpi" / folder).glob("osu_*.c")):
            if text.stem == "osu_latency_mp":  # it forks, and knows no devices
                continue
            target = place / text.stem
            command = ["cc", "-w", "-O1", *defined, text, *helpers, *mpi.flags()]
            if not target.exists():
                run_and_log([*command, f"-L{DRIVERS}", *drivers, "-o", target], place)
            made.append(target)
    return made


def osu(source: Path) -> int:
    failed = 0
    for mpi in mpis_with_compilers():
        run = Run(mpi, limit=300)
        for program in osu_programs(source, mpi):
            pair = "collective" not in str(next((source / "c/mpi").rglob(f"{program.name}.c")))
            ranks = 2 if pair else 4
            for places in PLACES:
                words = ["-d", "cuda", "-m", "1:262144", "-i", "10", "-x", "2"]
                words += [] if "barrier" in program.name else ["-c"]
                words += ["-t", "2:2"] if program.name == "osu_latency_mt" else []
                words += places.split() if pair else []
                found = start(run, ranks, [program, *words])
                right = found.code == 0 and "Fail" not in found.output
                failed += not right
                print(f"{mpi.name} {program.name} {places}: {'passed' if right else found.told()}")
                if not pair:
                    break
    print(f"{failed} failed")
    return 1 if failed else 0


def hpcg_program(source: Path, mpi: mpis.Mpi) -> Path:
    place = SUITES / "hpcg" / mpi.name
    program = place / "xhpcg"
    place.mkdir(parents=True, exist_ok=True)
    if not program.exists():
        files = [p for p in sorted((source / "src").glob("*.cpp")) if p.stem != "main_hpcg"]
        flags = [flag for flag in mpi.flags() if flag not in ("-lmpi_cxx", "-lmpicxx")]
        command = ["c++", "-w", "-O2", "-DHPCG_NO_OPENMP", f"-I{source}/src", *files, *flags]
        run_and_log([*command, "-o", program], place)
    return program


def hpcg_figures(run: Run, program: Path, name: str) -> dict[str, str]:
    """What HPCG says of its own tests and residuals, by the names in its report."""
    folder = program.parent / name
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    (folder / "hpcg.dat").write_text("HPCG\nA by-hand run\n16 16 16\n1\n")
    found = start(run, 4, [program], folder)
    assert found.code == 0, found.told()
    reports = [p.read_text() for p in folder.glob("*.txt") if "Scaled residual" in p.read_text()]
    assert reports, found.told()
    wanted = re.compile(r"(residual|Result|Departure|variance|mean)", re.IGNORECASE)
    pairs = (line.split("=", 1) for line in reports[0].splitlines() if "=" in line)
    figures = {key: value for key, value in pairs if wanted.search(key)}
    # The summary tells speeds.
    return {key: value for key, value in figures.items() if "Final Summary" not in key}


def hpcg(source: Path) -> int:
    failed = 0
    for mpi in mpis_with_compilers():
        program = hpcg_program(source, mpi)
        alone = hpcg_figures(Run(mpi, preload=False, limit=600), program, "without")
        under = hpcg_figures(Run(mpi, limit=600), program, "with")
        same = alone == under and len(alone) > 5
        failed += not same
        print(f"{mpi.name}: {len(alone)} figures, {'the same' if same else (alone, under)}")
    return 1 if failed else 0


if __name__ == "__main__":
    what, folder = sys.argv[1], Path(sys.argv[2]).resolve()
    raise SystemExit({"osu": osu, "hpcg": hpcg}[what](folder))
