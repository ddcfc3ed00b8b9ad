#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fetches and builds the public suites into .setup/suites; says in one line why one cannot be had.

`fetch.py [NAME...]`, names are those of SUITES_BY_NAME below; what is there already is left as it
is. A suite that cannot be had leaves a file NAME.missing with the reason, with which its tests are
skipped; the next call tries again.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path

import mpich_suite
import mpis
from mpich_suite import SUITES

MPICH_VERSION = "4.0.2"
MPI4PY_VERSION = "4.1.2"
ABIS = ("mpich", "openmpi", "standard")
#: What MPICH's suite calls of CUDA's runtime; the real header is not ours to copy.
CUDA_CALLS = (
    "cudaGetDeviceCount(int *)",
    "cudaSetDevice(int)",
    "cudaMalloc(void **, size_t)",
    "cudaMallocHost(void **, size_t)",
    "cudaMallocManaged(void **, size_t, unsigned)",
    "cudaFree(void *)",
    "cudaFreeHost(void *)",
    "cudaMemcpy(void *, const void *, size_t, int)",
    "cudaStreamSynchronize(void *)",
)


class Missing(Exception):
    """Why a suite cannot be had, in one line."""


def call(command: Sequence[str | Path], log: Path, folder: Path | None = None) -> None:
    """Run a command; its output goes to a file, whose last line tells what was wrong."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as out:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=folder,
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        told = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
        raise Missing(
            f"{command[0]} failed: {told[-1].strip() if told else 'without a word'} ({log})"
        )


def apt(folder: Path) -> list[str | Path]:
    """apt-get with lists and caches of its own: what is installed stays as it is."""
    if not shutil.which("apt-get"):
        raise Missing("it needs apt-get, which is not here")
    state = folder / "apt"
    for part in ("lists/partial", "cache/archives/partial"):
        (state / part).mkdir(parents=True, exist_ok=True)
    options = [
        f"Dir::State::lists={state}/lists",
        f"Dir::Cache={state}/cache",
        "APT::Sandbox::User=root",
        "Debug::NoLocking=1",
    ]
    return ["apt-get", "-qq", *(word for option in options for word in ("-o", option))]


def debian_source(package: str, version: str, folder: Path) -> Path:
    """The original archive of a source package."""
    sources = folder / "sources.list"
    sources.write_text("deb-src http://deb.debian.org/debian bookworm main\n")
    command = [
        *apt(folder),
        "-o",
        f"Dir::Etc::sourcelist={sources}",
        "-o",
        "Dir::Etc::sourceparts=-",
    ]
    call([*command, "update"], folder / "update.log", folder)
    call([*command, "source", "--download-only", package], folder / "source.log", folder)
    found = sorted(folder.glob(f"{package}_{version}.orig.tar.*"))
    if not found:
        raise Missing(f"Debian's source of {package} is no longer {version}")
    return found[0]


def debian_packages(names: tuple[str, ...], folder: Path) -> None:
    """Packages, and all that they need and this system lacks, unpacked instead of installed.

    Installed, they would put an mpirun into the way of all other tests.
    """
    root, archives = folder / "root", folder / "apt" / "cache" / "archives"
    command = apt(folder)
    call([*command, "update"], folder / "update.log", folder)
    install = [*command, "install", "-y", "--download-only", "--no-install-recommends", *names]
    call(install, folder / "install.log", folder)
    call(
        [*command, "download", *names], folder / "download.log", archives
    )  # also what is installed
    half = folder / "root.part"
    shutil.rmtree(half, ignore_errors=True)
    for package in sorted(archives.glob("*.deb")):
        call(["dpkg-deb", "-x", package, half], folder / "unpack.log")
    half.rename(root)


def unpack(archive: Path, inner: str, place: Path) -> None:
    """One folder of an archive, whole or not at all."""
    half = place.with_name(place.name + ".part")
    shutil.rmtree(half, ignore_errors=True)
    with tarfile.open(archive) as packed:
        if hasattr(tarfile, "data_filter"):  # from Python 3.11.4 on
            packed.extraction_filter = tarfile.data_filter
        members = ((m.name.partition("/")[2], m) for m in packed.getmembers())
        wanted = [m for name, m in members if f"{name}/".startswith(f"{inner}/")]
        if not wanted:
            raise Missing(f"{archive.name} has no {inner}")
        packed.extractall(half, wanted)
    top = next(half.iterdir())
    (top / inner).rename(place)
    shutil.rmtree(half)


def cuda_for_building(folder: Path) -> None:
    """A header with the few declarations, and an empty library to link with; the double runs."""
    header, library = folder / "include/cuda_runtime_api.h", folder / "lib/libcudart.so"
    if library.exists():
        return
    header.parent.mkdir(parents=True, exist_ok=True)
    library.parent.mkdir(parents=True, exist_ok=True)
    declared = "".join(f"int {call};\n" for call in CUDA_CALLS)
    header.write_text(
        "#include <stddef.h>\nenum { cudaMemAttachGlobal = 1, cudaMemcpyDefault = 4 };\n"
        f"typedef void *cudaStream_t;\n{declared}"
    )
    source = folder / "empty.c"
    source.write_text("".join(f"void {call.split('(')[0]}(void) {{}}\n" for call in CUDA_CALLS))
    soname = "-Wl,-soname,libcudart.so.13"
    call(["cc", "-shared", "-fPIC", soname, source, "-o", library], folder / "build.log")


def suite_for(abi: str, log: Path) -> None:
    """Configure MPICH's suite with an MPI and make the library that its programs share."""
    mpi, place = mpis.compiler_of(abi), mpich_suite.built(abi)
    if mpi is None or (place / "libmtest.a").exists():
        return
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    print(f"[suites] configuring MPICH's suite for {mpi.name}", flush=True)
    configure: list[str | Path] = [mpich_suite.SOURCE / "configure", f"--with-mpi={mpi.prefix}"]
    configure += [f"MPICC={mpi.mpicc}", f"--with-cuda={SUITES}/cuda"]
    call([*configure, "--disable-fortran", "--disable-cxx"], log, place)
    names = ("mtest", "mtest_common", "mtest_single", "dtypes")
    sources = [mpich_suite.SOURCE / "util" / f"{name}.c" for name in names]
    sources += sorted((mpich_suite.SOURCE / "dtpools" / "src").glob("*.c"))
    objects = place / "objects"
    objects.mkdir()
    compiler = ["cc", *mpich_suite.compiler_flags(abi), "-DHAVE_CONFIG_H", "-c"]
    call([*compiler, *sources], place / "library.log", objects)
    call(["ar", "rcs", place / "libmtest.a", *objects.glob("*.o")], place / "ar.log")


def mpich() -> None:
    """MPICH's suite: source by Debian, one folder for each binary interface."""
    place = SUITES / "mpich"
    if not mpich_suite.SOURCE.exists():
        place.mkdir(parents=True, exist_ok=True)
        unpack(debian_source("mpich", MPICH_VERSION, place), "test/mpi", mpich_suite.SOURCE)
    cuda_for_building(SUITES / "cuda")
    if not any(mpis.compiler_of(abi) for abi in ABIS):
        raise Missing("no MPI with a compiler script is installed")
    for abi in ABIS:
        suite_for(abi, place / f"configure-{abi}.log")


def mpi4py() -> None:
    """mpi4py's tests, which its wheels do not have."""
    place = SUITES / "mpi4py"
    if (place / "test").exists():
        return
    place.mkdir(parents=True, exist_ok=True)
    archive = place / f"mpi4py-{MPI4PY_VERSION}.tar.gz"
    if not archive.exists():
        pip = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--disable-pip-version-check",
            "--no-deps",
        ]
        pip += ["--no-binary", "mpi4py", f"mpi4py=={MPI4PY_VERSION}"]
        call(pip, place / "pip.log", place)
    unpack(archive, "test", place / "test")


def fortran() -> None:
    """Debian's Open MPI and MPICH, which have Fortran's modules; PyPI's have none."""
    if not shutil.which("gfortran"):
        raise Missing("gfortran is not installed")
    cuda_for_building(SUITES / "cuda")
    for name, packages in mpis.DEBIAN.items():
        place = SUITES / "fortran" / name
        if not (place / "root").exists():
            place.mkdir(parents=True, exist_ok=True)
            debian_packages(packages, place)


def imb() -> None:
    """Intel's benchmarks, ready-made in impi-rt, whose licence allows their use."""
    intel = mpis.named("intel")
    if intel is None or not (intel.prefix / "bin/IMB-MPI1-GPU").exists():
        raise Missing(mpis.missing("intel"))


SUITES_BY_NAME: dict[str, Callable[[], None]] = {
    "mpich": mpich,
    "mpi4py": mpi4py,
    "imb": imb,
    "fortran": fortran,
}


def why_missing(name: str) -> str | None:
    """The reason that the last try left, or that there was none; none where the suite is there."""
    left = SUITES / f"{name}.missing"
    if left.exists():
        return left.read_text().strip()
    places = {"mpich": "mpich/source", "mpi4py": "mpi4py/test", "fortran": "fortran/openmpi/root"}
    if name in places and not (SUITES / places[name]).exists():
        return f"{name} is not fetched: tests/mpi/suites/fetch.py {name}"
    return None


def main(names: list[str]) -> int:
    SUITES.mkdir(parents=True, exist_ok=True)
    for name in names or SUITES_BY_NAME:
        left = SUITES / f"{name}.missing"
        try:
            SUITES_BY_NAME[name]()
        except (Missing, OSError) as problem:
            left.write_text(f"{name}: {problem}\n")
            print(f"[suites] {name} is missing: {problem}")
        else:
            left.unlink(missing_ok=True)
            print(f"[suites] {name} is there")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
