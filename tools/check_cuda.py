#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compile every device source for sm_90.

With a CUDA build in the folder named, its objects are proof enough. Otherwise nvcc is taken from
PATH, or from the PyPI packages of the CUDA compiler (fetched once into .setup/cuda).
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = [
    "nvidia-cuda-nvcc==13.0.88",
    "nvidia-nvvm==13.0.88",
    "nvidia-cuda-crt==13.0.88",
    "nvidia-cuda-runtime==13.0.96",
    "nvidia-cuda-cccl==13.0.85",
]
FLAGS = [
    "-std=c++20",
    "-arch=sm_90",
    "--expt-relaxed-constexpr",
    "--extended-lambda",
    '-DAUREOLE_GPU_VENDOR="cuda"',
    "-DAUREOLE_GPU_CUDA=1",
    '-DAUREOLE_GPU_ARCHITECTURES="90"',
    '-DAUREOLE_VERSION="check"',
    "-DXXH_INLINE_ALL",
    "-Xcompiler=-fPIC",
]


def device_sources(build: Path) -> list[Path]:
    """Everything that only a CUDA build compiles: under src/, and generated from leaf files."""
    src = ROOT / "src"
    generated = (build / "generated").glob("*.cu") if build.is_relative_to(ROOT) else []
    found = [*src.rglob("*.cu"), *src.glob("**/gpu/*.cpp"), *generated]
    return sorted(path for path in found if not {"emulated", "bench"} & set(path.parts))


def built_objects(build: Path) -> dict[Path, Path]:
    """Source -> object of a configured build, for those objects that exist."""
    database = build / "compile_commands.json"
    if not database.exists():
        return {}
    found = {}
    for entry in json.loads(database.read_text()):
        output = Path(entry["directory"]) / entry.get("output", "")
        if not entry.get("output"):
            words = entry["command"].split()
            output = Path(entry["directory"]) / words[words.index("-o") + 1]
        if output.is_file():
            found[Path(entry["file"])] = output
    return found


def nvcc_from_packages() -> Path | None:
    """nvcc of the PyPI packages, unpacked into .setup/cuda; None if they cannot be had."""
    target = ROOT / ".setup" / "cuda"
    home = target / "nvidia" / "cu13"
    nvcc = home / "bin" / "nvcc"
    if not nvcc.exists():
        print("cuda: nvcc is not on PATH; fetching the compiler's PyPI packages (about 270 MB)")
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target"]
        if subprocess.run([*command, str(target), *PACKAGES], check=False).returncode:
            return None
    if not (home / "lib64").exists():
        (home / "lib64").symlink_to("lib")
    nvcc.chmod(0o755)
    return nvcc


def compile_one(nvcc: Path, source: Path) -> tuple[Path, str]:
    """Compile one source to an object that is kept; returns it with what the compiler said."""
    out = ROOT / "build" / "cuda-check" / (source.relative_to(ROOT).as_posix().replace("/", "_"))
    out.parent.mkdir(parents=True, exist_ok=True)
    command = [str(nvcc), *FLAGS, "-x", "cu", "-I", str(ROOT / "src")]
    command += ["-c", str(source), "-o", f"{out}.o"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return source, "" if run.returncode == 0 else run.stderr + run.stdout


def main() -> int:
    build = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
    sources = device_sources(build)
    objects = built_objects(build)
    left = [s for s in sources if s not in objects]
    done = len(sources) - len(left)
    print(f"cuda: {done} of {len(sources)} device sources compiled for sm_90 by the build")
    if not left:
        return 0
    found = shutil.which("nvcc")
    nvcc = Path(found) if found else nvcc_from_packages()
    if nvcc is None:
        print("cuda: no nvcc is here and its packages could not be fetched (above). Install CUDA.")
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda s: compile_one(nvcc, s), left))
    for source, message in results:
        print(f"cuda: {source.relative_to(ROOT)}: {'FAILED' if message else 'compiles for sm_90'}")
        if message:
            print(message)
    return 1 if any(message for _, message in results) else 0


if __name__ == "__main__":
    raise SystemExit(main())
