#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check the house rules that a formatter does not know.

Every source file starts with one licence line; no back end is named by the preprocessor outside
core/ and device/, and no vendor of GPUs outside the headers of vendors; libraries neither print nor
exit; C++ files stay under 500 lines, functions under 60 (`function_size.py`); names, comments and
documentation use the words of the glossary (`retired_words.py`); comments name what they are about
(`first_words.py`); lines of documentation are at most 110 characters wide (`prose_width.py`), and
lists in lists are indented by 4 (`list_depth.py`).
"""

import re
import subprocess
import sys
from pathlib import Path

import first_words
import function_size
import list_depth
import prose_width
import retired_words

ROOT = Path(__file__).resolve().parent.parent
LICENCE = "SPDX-License-Identifier: Apache-2.0"
CPP = {".hpp", ".cpp", ".cu", ".cuh"}
SOURCE = CPP | {".py", ".cmake", ".sh"}
MAX_LINES = 500
CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b(?!.*__has_include)")
#: Makers of GPUs, and what is theirs alone.
VENDORS = re.compile(r"cuda|nvcc|nvidia|rocm|gfx\d|\bptx|\bhip(?!p)|\bamd", re.IGNORECASE)
#: Where they may be named. Drivers and what is preloaded serve programs that have chosen a vendor.
OF_VENDORS = re.compile(
    r"src/(core/gpu|device/gpu/vendor|fft/gpu|drivers|preload|device/emulated)/|/tests/|/bench/"
)
PRINTS = re.compile(r"\bstd::(cout|cerr|exit)\b|(?<![\w:.])(printf|puts|exit)\s*\(")


def tracked() -> list[Path]:
    """Files that git knows or would take, relative to the root."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode:  # an unpacked archive
        return [p.relative_to(ROOT) for p in (ROOT / "src").rglob("*") if p.is_file()]
    return [Path(line) for line in run.stdout.splitlines() if (ROOT / line).is_file()]


def problems_of(path: Path, text: str) -> list[str]:
    """Printable offences of one file."""
    found = []
    lines = text.splitlines()
    if lines and not any(LICENCE in line for line in lines[:3]):
        found.append(f"{path}:1: no licence line ({LICENCE})")
    if path.suffix not in CPP or path.parts[0] != "src":
        return found
    if len(lines) > MAX_LINES and not path.name.endswith(".gen.cpp"):
        found.append(f"{path}: {len(lines)} lines (at most {MAX_LINES}): split it by idea")
    layer = path.parts[1]
    may_name_vendors = OF_VENDORS.search(path.as_posix())
    for number, line in enumerate(lines, 1):
        code = line.split("//")[0]
        if not may_name_vendors and layer not in ("core", "device") and CONDITIONAL.match(code):
            found.append(f"{path}:{number}: preprocessor condition outside core/ and device/")
        if not may_name_vendors and (vendor := VENDORS.search(line)):
            found.append(f"{path}:{number}: {vendor[0]} is a vendor's: device/gpu/vendor names it")
        if "tests" not in path.parts and PRINTS.search(re.sub(r'"[^"]*"', '""', code)):
            found.append(f"{path}:{number}: a library neither prints nor exits")
    return found


def main() -> int:
    files = [p for p in tracked() if p.suffix in SOURCE or p.name == "CMakeLists.txt"]
    problems = []
    for path in files:
        text = (ROOT / path).read_text(encoding="utf-8")
        problems += problems_of(path, text) + function_size.problems_of(path, text)
    texts = [p for p in tracked() if p.suffix in retired_words.TEXT]
    for path in texts:
        text = (ROOT / path).read_text(encoding="utf-8")
        for rule in (retired_words, prose_width, list_depth):
            problems += rule.problems_of(path, text)
    problems += first_words.problems_of({p: (ROOT / p).read_text("utf-8") for p in files})
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    print(f"style: {len({*files, *texts})} files, {len(problems)} offences")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
