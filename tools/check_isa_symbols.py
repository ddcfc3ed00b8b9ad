#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that objects compiled for one instruction set share no symbol with the rest.

A weak symbol (an inline function, say of the standard library) that such an object defines may be
the copy which the linker keeps for everyone, and then crash on a processor without those
instructions. So every weak or unique symbol must carry its instruction set's namespace.
"""

import re
import subprocess
import sys
from pathlib import Path

OWN = re.compile(r"\b(avx2|avx512|baseline|scalar|N_AVX2|N_AVX3\w*|N_SSE\w*|N_SCALAR|N_EMU128)\b")
# Data without code (type names, vtables of abstract bases) runs on any processor.
HARMLESS = re.compile(r"^(typeinfo|typeinfo name|vtable) for |^DW\.ref\.")


def objects_of(build: Path) -> list[Path]:
    """Objects that leaves.cmake compiled with flags of one instruction set."""
    found = []
    for path in build.rglob("*.o"):
        name = path.relative_to(build).as_posix()
        if re.search(r"aureole_(md|fft|amr)_(avx2|avx512)\.dir/", name):
            found.append(path)
    return sorted(found)


def weak_symbols(path: Path) -> list[str]:
    """Demangled names of the weak and unique symbols that an object defines."""
    run = subprocess.run(["nm", "-C", path], capture_output=True, text=True, check=True)
    matches = re.findall(r"^[0-9a-f]+ [WVuwv] (.*)$", run.stdout, re.MULTILINE)
    return [name for name in matches if not OWN.search(name) and not HARMLESS.match(name)]


def main() -> int:
    build = Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    objects = objects_of(build)
    leaks = [(path, name) for path in objects for name in weak_symbols(path)]
    for path, name in leaks:
        print(f"{path.relative_to(build)}: {name}", file=sys.stderr)
    print(f"symbols: {len(objects)} objects of one instruction set, {len(leaks)} leaks")
    return 1 if leaks else 0


if __name__ == "__main__":
    raise SystemExit(main())
