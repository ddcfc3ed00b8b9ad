#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What kernels for NVIDIA GPUs use and how many instructions they take, without a GPU.

    kernel_report.py check BUILD    refuses what is beyond tests/kernel_limits.toml
    kernel_report.py write BUILD    also writes docs/reference/kernels-on-nvidia.md

BUILD is a CUDA build whose device code is not compressed (preset `cuda`). Registers and stack are
those that ptxas noted in it; instructions come from NVIDIA's disassembler, which is fetched from
PyPI once.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from kernels import sass
from kernels.cubin import Resources, cubins_of, resources_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "kernels-on-nvidia.md"
LIMITS = ROOT / "tests" / "kernel_limits.toml"
DISASSEMBLER = "nvidia-cuda-nvdisasm==13.5.37"
HEAD = """# Kernels on GPUs of NVIDIA

<!-- Written by tools/kernel_report.py. -->

What the kernels of a step need for sm_90: registers of a thread, bytes of stack, how many warps of
64 a multiprocessor holds, and warp instructions on the path that most warps take. Limits are those
of `tests/kernel_limits.toml`, which the lane *cuda* checks.

| kernel | registers | stack | warps | instructions | limit |
|---|--:|--:|--:|---|--:|
"""
#: Of a multiprocessor of sm_90.
REGISTERS, MOST_WARPS, REGISTERS_AT_ONCE = 65536, 64, 8


class Problem(Exception):
    """The report cannot be made."""


@dataclass
class Row:
    """One kernel of the report."""

    title: str
    of: Resources
    counts: dict[str, float]
    limits: dict[str, float]

    @property
    def warps(self) -> int:
        each = -(-self.of.registers // REGISTERS_AT_ONCE) * REGISTERS_AT_ONCE
        return min(MOST_WARPS, REGISTERS // (32 * each) // 4 * 4)

    def beyond(self) -> list[str]:
        """What is above its limit."""
        known = self.counts | {"registers": self.of.registers, "stack": self.of.stack}
        missing = [f"{self.title}: {key} could not be counted"
                   for key in self.limits if key not in known]  # fmt: skip
        above = [f"{self.title}: {key} {known[key]:.4g}, at most {limit:.4g}"
                 for key, limit in self.limits.items() if known.get(key, 0) > limit]  # fmt: skip
        return missing + above

    def line(self) -> str:
        counts = ", ".join(f"{value:.0f} {name.replace('_', ' ')}"
                           for name, value in self.counts.items())  # fmt: skip
        limits = ", ".join(
            f"{self.limits[name]:.0f}" for name in self.counts if name in self.limits
        )
        return (f"| {self.title} | {self.of.registers} | {self.of.stack} | {self.warps} "
                f"| {counts} | {limits} |")  # fmt: skip


def disassembler() -> str:
    """The path of nvdisasm."""
    folder = ROOT / ".setup" / "nvdisasm"
    found = sorted(folder.glob("**/bin/nvdisasm"))
    if not found:
        print(f"Fetching {DISASSEMBLER} (once) ...", flush=True)
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
                               "--target", str(folder), DISASSEMBLER], check=False)  # fmt: skip
        found = sorted(folder.glob("**/bin/nvdisasm"))
        if done.returncode != 0 or not found:
            raise Problem(f"{DISASSEMBLER} could not be installed into {folder}")
    found[0].chmod(0o755)
    return str(found[0])


def demangled(names: list[str]) -> list[str]:
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True,
                          check=True)  # fmt: skip
    return done.stdout.splitlines()


def code_of(cubin: bytes, nvdisasm: str) -> dict[str, sass.Code]:
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        text = subprocess.run([nvdisasm, "-c", file.name], capture_output=True, text=True,
                              check=True).stdout  # fmt: skip
    return sass.parse(text)


def rows(build: Path, limits: dict) -> list[Row]:
    """All kernels that the limits name."""
    nvdisasm = disassembler()
    found = []
    for unit in limits["unit"]:
        objects = sorted(build.glob(f"CMakeFiles/**/{unit['object']}.o"))
        if not objects:
            raise Problem(f"{build} has no {unit['object']}.o: build it with the preset cuda")
        cubins = cubins_of(objects[0].read_bytes())
        if not cubins:
            raise Problem(f"{objects[0]} has no device code that is not compressed: build it with "
                          "the preset cuda")  # fmt: skip
        for cubin in cubins:
            resources = resources_of(cubin)
            code = code_of(cubin, nvdisasm)
            names = dict(zip(resources, demangled(list(resources)), strict=True))
            for wanted in unit["kernel"]:
                found += [row_of(wanted, resources[mangled], code[mangled])
                          for mangled, name in names.items() if wanted["name"] in name]  # fmt: skip
    return found


def row_of(wanted: dict, resources: Resources, code: sass.Code) -> Row:
    way = wanted.get("count")
    counts = sass.COUNTS[way](code, wanted) if way else {}
    return Row(wanted["title"], resources, counts, wanted["at_most"])


def main(arguments: list[str]) -> int:
    if len(arguments) != 2 or arguments[0] not in ("check", "write"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        limits = tomllib.loads(LIMITS.read_text())
        found = rows(Path(arguments[1]), limits)
    except Problem as problem:
        print(f"kernel_report: {problem}", file=sys.stderr)
        return 1
    text = HEAD + "".join(f"{row.line()}\n" for row in found)
    print(text[text.index("| kernel") :])
    if arguments[0] == "write":
        PAGE.write_text(text)
    complaints = [line for row in found for line in row.beyond()]
    wanted = sum(len(unit["kernel"]) for unit in limits["unit"])
    if len(found) < wanted:
        complaints.append(f"{wanted} kernels have limits, {len(found)} were found")
    for line in complaints:
        print(f"kernel_report: {line}")
    return 1 if complaints else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
