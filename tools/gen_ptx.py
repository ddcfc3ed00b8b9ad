#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write src/drivers/copy_runs_ptx.gen.cpp: the kernel of copy_runs.cu as PTX.

    tools/gen_ptx.py            writes the file
    tools/gen_ptx.py --check    ends with 1 if the file is not what would be written
    tools/gen_ptx.py --sources  the same for its sources alone, without a compiler

The compiler is that of tools/check_cuda.py. It writes PTX of its own version for devices of
capability 7.5 or later, which older drivers refuse. The kernel uses nothing that PTX 6.0 and
capability 5.0 lack, so the file says these, and the assembler checks that.
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from check_cuda import ROOT, nvcc_from_packages

SOURCE = ROOT / "src/drivers/copy_runs.cu"
#: All that it includes of ours.
SOURCES = [SOURCE, ROOT / "src/drivers/copy_runs.kernel.hpp", ROOT / "src/core/macros.hpp"]
OUTPUT = ROOT / "src/drivers/copy_runs_ptx.gen.cpp"
FLAGS = ["-std=c++20", "-O3", "-arch=compute_75", "-I", str(ROOT / "src")]
#: Of CUDA 9: all drivers since 2017.
VERSION, TARGET = "6.0", "sm_50"
RELEASE = "13.0.88"

TEXT = """// SPDX-License-Identifier: Apache-2.0
// Written by tools/gen_ptx.py: do not edit. SHA-256 of its sources:
// {hash}
#include "drivers/copy_runs_ptx.hpp"

namespace aureole::drivers {{

const char* const copy_runs_ptx = R"ptx(
{ptx}
)ptx";

}}  // namespace aureole::drivers
"""


def hash_of_sources() -> str:
    """SHA-256 of the sources."""
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in SOURCES)).hexdigest()


def compiler() -> Path | None:
    """The nvcc on PATH if it is the wanted release, or that of the PyPI packages."""
    found = shutil.which("nvcc")
    if found:
        told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
        if f"V{RELEASE}" in told.stdout:
            return Path(found)
    return nvcc_from_packages()


def ptx(nvcc: Path) -> str:
    """The kernel, without remarks, for old drivers and devices."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.ptx"
        subprocess.run([nvcc, *FLAGS, "-ptx", SOURCE, "-o", made], check=True)
        text = re.sub(r"//[^\n]*", "", made.read_text())
        text = re.sub(r"^\.version .*$", f".version {VERSION}", text, flags=re.MULTILINE)
        text = re.sub(r"^\.target .*$", f".target {TARGET}", text, flags=re.MULTILINE)
        text = "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())
        made.write_text(text + "\n")
        assembler = [nvcc.parent / "ptxas", "-arch=sm_75", made, "-o", Path(folder) / "made.cubin"]
        subprocess.run(assembler, check=True)
    return text


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--sources", action="store_true")
    chosen = parser.parse_args()
    name = OUTPUT.relative_to(ROOT)
    if chosen.sources:
        if hash_of_sources() in OUTPUT.read_text():
            return 0
        print(f"{name} is not of these sources: run tools/gen_ptx.py")
        return 1
    nvcc = compiler()
    if nvcc is None:
        print(f"ptx: no nvcc {RELEASE} is here and its packages could not be fetched (above).")
        return 1
    written = TEXT.format(hash=hash_of_sources(), ptx=ptx(nvcc))
    if chosen.check:
        if OUTPUT.read_text() == written:
            print(f"{name} is what tools/gen_ptx.py writes")
            return 0
        print(f"{name} is not what tools/gen_ptx.py writes: run it")
        return 1
    OUTPUT.write_text(written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
