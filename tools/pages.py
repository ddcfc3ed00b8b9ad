# SPDX-License-Identifier: Apache-2.0
"""What the generators of documentation share: tables, and writing or checking their pages."""

from __future__ import annotations

import sys
from pathlib import Path

import aureole as au


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def write(folder: Path, pages: dict[str, str], tool: str) -> int:
    """Write pages that changed, or with --check only name them; returns the exit code.

    With --out FOLDER they are written there instead.
    """
    check = "--check" in sys.argv[1:]
    if "--out" in sys.argv[1:-1]:
        folder = Path(sys.argv[sys.argv.index("--out") + 1])
    stale = []
    for name, text in pages.items():
        path = folder / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not check:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {path} of version {au.__version__}")
    if check and stale:
        print(f"stale, run tools/{tool}: " + ", ".join(stale))
        return 1
    return 0
