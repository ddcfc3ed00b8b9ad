#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What kernels for GPUs of AMD use, from clang's remarks: registers, spills, waves, shared memory.

    kernel_resources.py compile FILE COMMAND...   runs clang, and puts its remarks into FILE
    kernel_resources.py check BUILD               refuses what such GPUs cannot run well
    kernel_resources.py write BUILD               writes docs/reference/kernels-on-amd.md

A build with AUREOLE_HIP_REMARKS=ON (preset `hip`) compiles by the first.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "kernels-on-amd.md"
ASKED = "-Rpass-analysis=kernel-resource-usage"
REMARK = re.compile(r": remark:\s+(.*?): (\S+) \[-Rpass-analysis=kernel-resource-usage\]")
#: Lines that clang prints below a remark: the source and a mark.
SOURCE = re.compile(r"^\s*\d* \| |^In file included from ")
#: What a block has [bytes].
BLOCK_BYTES = 64 << 10
#: Device sources where a·b + c is rounded once (cmake/gpu.cmake): kernels of forces and transforms.
CONTRACTED = re.compile(r"/(pair|bonded|longrange|fft)/[a-z]+\.cu$|/(lanes|terms)_[a-z_0-9]+\.cu$")
HEAD = """# Kernels on GPUs of AMD

<!-- Written by tools/kernel_resources.py. -->

What each kernel needs on MI200 (gfx90a, waves of 64 lanes) and on RDNA2 (gfx1030, waves of 32), as
clang 19 says: vector registers of a lane, scalar registers of a wave, how many of each are spilled
to memory, stack of a lane and memory of a block beside what a launch asks for (both in bytes), and
how many waves one SIMD holds, of 8 and of 16. Registers of MI200 are those for vectors and for
accumulation together, 512 at most. Kernels of pair forces in double precision with energies fill
them to one wave; simulations in mixed precision do not use these. Nothing has run on such a GPU
yet.

| kernel | MI200: vector, scalar | spilled | stack | block | waves | RDNA2 | spilled | waves |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
"""


@dataclass
class Usage:
    """One kernel on one architecture."""

    name: str
    numbers: dict[str, str]

    @property
    def is_wide(self) -> bool:
        """Whether its waves have 64 lanes: gfx9 alone has accumulation registers."""
        return "AGPRs" in self.numbers

    def of(self, key: str) -> int:
        """A number of its remarks."""
        return int(self.numbers[key])

    @property
    def vectors(self) -> int:
        return self.of("VGPRs") + int(self.numbers.get("AGPRs", 0))


def usages_in(text: str) -> list[Usage]:
    """Kernels in clang's remarks, once for each architecture."""
    found: list[Usage] = []
    for line in text.splitlines():
        match = REMARK.search(line)
        if match is None:
            continue
        key, value = match[1].split(" [")[0], match[2]
        if key == "Function Name":
            found.append(Usage(value, {}))
        elif found:
            found[-1].numbers[key] = value
    return found


def compile_by(file: Path, command: list[str]) -> int:
    """Runs the compiler; what it says beside remarks goes where it should."""
    run = subprocess.run([*command, ASKED], stderr=subprocess.PIPE, text=True, check=False)
    remarks, others = [], []
    for line in run.stderr.splitlines(keepends=True):
        if ASKED in line:
            remarks.append(line)
        else:
            others.append(line)
    if any(not SOURCE.search(line) for line in others) or run.returncode:
        sys.stderr.write("".join(others))
    if run.returncode == 0:
        file.write_text("".join(remarks))
    return run.returncode


def kernels_of(build: Path) -> list[Usage]:
    """All kernels of a build by plain name, each once for an architecture."""
    found: dict[tuple[str, bool], Usage] = {}
    for file in sorted(build.glob("hip/**/*.remarks")):
        if "extended" in file.parent.name:  # leaf files of tests
            continue
        if not file.with_suffix("").exists():  # of a source that is no more
            continue
        for usage in usages_in(file.read_text()):
            if "LDS Size" not in usage.numbers:  # clang's last
                sys.exit(f"{file} ends early. Remove {file.with_suffix('')} and build again.")
            found[(usage.name, usage.is_wide)] = usage
    usages = list(found.values())
    mangled = "\n".join(usage.name for usage in usages)
    plain = subprocess.run(["c++filt"], input=mangled, capture_output=True, text=True, check=True)
    for usage, name in zip(usages, plain.stdout.splitlines(), strict=True):
        usage.name = short(name)
    return [usage for usage in usages if "rocprim" not in usage.name]


def short(name: str) -> str:
    """`for_kernel<md::Drift>` of a demangled name with all its namespaces and parameters."""
    name = name.removeprefix("void ")
    depth, end = 0, len(name)
    for i, letter in enumerate(name):  # parameters of the function
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0 and not name.startswith("(anonymous", i):
            end = i
            break
    name = name[:end].replace("(anonymous namespace)::", "")
    return re.sub(r"\baureole::|\bdevice::gpu::|\bdevice::(?=\w)", "", name)


def complaints(usages: list[Usage], build: Path) -> list[str]:
    """What must not be."""
    found = []
    for usage in usages:
        where = f"{usage.name} ({'gfx90a' if usage.is_wide else 'gfx1030'})"
        if usage.of("VGPRs Spill"):
            found.append(f"{where} spills {usage.of('VGPRs Spill')} vector registers")
        if usage.numbers["Dynamic Stack"] != "False":
            found.append(f"{where} has a stack whose size is not known")
        if usage.of("LDS Size") > BLOCK_BYTES:
            found.append(f"{where} declares {usage.of('LDS Size')} bytes of a block's memory")
    lennard_jones = r"team_kernel<md::FlatForce<md::leaves::LennardJones, "
    flat = re.compile(lennard_jones + r".*0, float, false, true> ?>")
    waves = [u.of("Occupancy") for u in usages if u.is_wide and flat.search(u.name)]
    if waves != [8]:
        found.append(f"flat Lennard-Jones in mixed precision has {waves} waves a SIMD, not 8")
    for entry in json.loads((build / "compile_hip.json").read_text()):
        wanted = "fast" if CONTRACTED.search(entry["source"]) else "off"
        if entry["contract"] != wanted:
            found.append(f"{entry['source']} is compiled with -ffp-contract={entry['contract']}")
    return found


def page(usages: list[Usage]) -> str:
    """The table of the documentation."""
    wide = {usage.name: usage for usage in usages if usage.is_wide}
    narrow = {usage.name: usage for usage in usages if not usage.is_wide}
    rows = []
    for name in sorted(wide.keys() & narrow.keys()):
        a, b = wide[name], narrow[name]
        spilled = f"{a.of('VGPRs Spill')}, {a.of('SGPRs Spill')}"
        rows.append(
            f"| `{name}` | {a.vectors}, {a.of('SGPRs')} | {spilled} | {a.of('ScratchSize')} | "
            f"{a.of('LDS Size')} | {a.of('Occupancy')} | {b.vectors} | "
            f"{b.of('VGPRs Spill')}, {b.of('SGPRs Spill')} | {b.of('Occupancy')} |"
        )
    return HEAD + "\n".join(rows) + "\n"


def main() -> int:
    if len(sys.argv) < 3 or sys.argv[1] not in ("compile", "check", "write"):
        sys.exit(__doc__)
    what, path, *rest = sys.argv[1:]
    if what == "compile":
        return compile_by(Path(path), rest)
    usages = [u for u in kernels_of(Path(path)) if "testing::" not in u.name]
    if not usages:
        sys.exit(f"{path} has no remarks of clang. Build there first, with preset hip.")
    if what == "write":
        PAGE.write_text(page(usages), encoding="utf-8")
    found = complaints(usages, Path(path))
    if PAGE.read_text(encoding="utf-8") != page(usages):
        found.append(f"{PAGE.relative_to(ROOT)} is of other kernels: {sys.argv[0]} write {path}")
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    print(f"hip: {len(usages)} kernels for two kinds of waves, {len(found)} complaints")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
