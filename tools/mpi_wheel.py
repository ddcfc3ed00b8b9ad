#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the wheel `aureole-mpi` of the two files that the build puts into a folder.

The command goes into bin/ of an environment, the library into lib/aureole_mpi/, where the command
looks for it. Nothing of Python is in it, so that one wheel serves all versions.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from base64 import urlsafe_b64encode
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMAND, LIBRARY = "aureole-mpi", "libaureole_mpi.so"
#: What every Linux with glibc has; anything else would have to come along.
SYSTEM = {
    *("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1"),
    "ld-linux-x86-64.so.2",
}
METADATA = """\
Metadata-Version: 2.4
Name: aureole-mpi
Version: {version}
Summary: GPU pointers for MPI programs whose MPI library cannot take them
License-Expression: Apache-2.0
License-File: LICENSE
Classifier: Operating System :: POSIX :: Linux
Description-Content-Type: text/markdown

"""
WHEEL = """\
Wheel-Version: 1.0
Generator: mpi_wheel.py
Root-Is-Purelib: false
Tag: {tag}
"""


def version() -> str:
    """The version, which stands in CMakeLists.txt alone."""
    found = re.search(r"project\(aureole VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert found, "CMakeLists.txt names no version"
    return found[1]


def oldest_glibc(files: list[Path]) -> int:
    """N of the oldest glibc 2.N that has every symbol which the files ask for."""
    told = "".join(
        subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout
        for file in files
    )
    if others := set(re.findall(r"NEEDED\s+(\S+)", told)) - SYSTEM:
        raise SystemExit(
            f"mpi_wheel.py: the files need {', '.join(sorted(others))} (the wheel has no "
            "dependencies). Link it statically."
        )
    return max(int(n) for n in re.findall(r"\bGLIBC_2\.(\d+)", told))


def stripped(file: Path, folder: Path) -> bytes:
    """A program or library without the symbols that only a debugger reads."""
    made = folder / file.name
    subprocess.run(["strip", "--strip-unneeded", "-o", made, file], check=True)
    return made.read_bytes()


def contents(build: Path, tag: str) -> dict[str, bytes]:
    """Files of the wheel by name, the list of them last."""
    stem = f"aureole_mpi-{version()}"
    data, info = f"{stem}.data", f"{stem}.dist-info"
    readme = (ROOT / "packaging/mpi/README.md").read_text()
    with tempfile.TemporaryDirectory() as folder:
        files = {
            f"{data}/scripts/{COMMAND}": stripped(build / COMMAND, Path(folder)),
            f"{data}/data/lib/aureole_mpi/{LIBRARY}": stripped(build / LIBRARY, Path(folder)),
        }
    files |= {
        f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{info}/METADATA": (METADATA.format(version=version()) + readme).encode(),
        f"{info}/WHEEL": WHEEL.format(tag=tag).encode(),
    }
    listed = ""
    for name, content in files.items():
        digest = urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        listed += f"{name},sha256={digest},{len(content)}\n"
    return files | {f"{info}/RECORD": f"{listed}{info}/RECORD,,\n".encode()}


def write(build: Path, out: Path) -> Path:
    """Make the wheel, the same to the bit for the same files; returns its file."""
    needed = oldest_glibc([build / COMMAND, build / LIBRARY])
    tag = f"py3-none-manylinux_2_{needed}_x86_64"
    wheel = out / f"aureole_mpi-{version()}-{tag}.whl"
    out.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in contents(build, tag).items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if ".data/" in name else 0o100644) << 16
            file.writestr(entry, content)
    return wheel


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path, help="folder with the launcher and the library")
    parser.add_argument("out", type=Path, help="folder for the wheel")
    given = parser.parse_args()
    for name in (COMMAND, LIBRARY):
        if not (given.build / name).is_file():
            raise SystemExit(
                f"mpi_wheel.py: {given.build / name} is missing (the build makes it). "
                "Run tools/mpi_wheel.sh."
            )
    print(write(given.build, given.out))


if __name__ == "__main__":
    sys.exit(main())
