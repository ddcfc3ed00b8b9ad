#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check the links of the documentation.

Every relative link of a Markdown file names a file that exists, and a heading that this file has.
Every page below docs/ is linked once from docs/README.md; the decisions count as one page.
"""

import re
import sys
from pathlib import Path

import check_style
from prose_width import outside_fences

MAP = Path("docs/README.md")
DECISIONS = Path("docs/decisions")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:|//")


def prose(text: str) -> list[str]:
    """Lines of a page, less what is code: blocks, and spans, which may end on the next line."""
    span = re.compile(r"`(?:[^`\n]|\n(?!\n))*`")
    return span.sub(lambda m: "\n" * m[0].count("\n"), "\n".join(outside_fences(text))).split("\n")


def links(text: str) -> list[tuple[int, str]]:
    """Line numbers and targets of the links of a page that stay in this project."""
    found = [(n, t) for n, line in enumerate(prose(text), 1) for t in LINK.findall(line)]
    return [(n, target) for n, target in found if not ELSEWHERE.match(target)]


def anchors(text: str) -> set[str]:
    """What may follow # in a link to a page: its headings, as GitHub writes them there."""
    names: set[str] = set()
    for line in outside_fences(text):
        heading = HEADING.match(line)
        if not heading:
            continue
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1])
        name = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        again = sum(re.fullmatch(rf"{re.escape(name)}(-\d+)?", n) is not None for n in names)
        names.add(f"{name}-{again}" if again else name)
    return names


def dead_links(root: Path, page: Path) -> list[str]:
    """Links of a page to what is not there."""
    found = []
    for line, target in links((root / page).read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        file = root / page.parent / name if name else root / page
        if not file.exists():
            found.append(f"{page}:{line}: links to {name}, which does not exist")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text("utf-8")):
            found.append(f"{page}:{line}: links to {target}, a heading that does not exist")
    return found


def off_the_map(root: Path, pages: list[Path]) -> list[str]:
    """Pages that the map of the documentation lacks, or has more than once."""
    targets = [target.partition("#")[0] for _, target in links((root / MAP).read_text("utf-8"))]
    found = []
    for page in pages:
        if page.parts[0] != "docs" or page == MAP or page.suffix != ".md":
            continue
        if page.parent == DECISIONS and page.name != "README.md":
            continue
        count = targets.count(page.relative_to("docs").as_posix())
        if count != 1:
            found.append(f"{MAP}: {page} is linked {count} times (each page once)")
    return found


def problems(root: Path, pages: list[Path]) -> list[str]:
    found = [problem for page in pages for problem in dead_links(root, page)]
    return found + off_the_map(root, pages)


def main() -> int:
    pages = sorted(path for path in check_style.tracked() if path.suffix == ".md")
    found = problems(check_style.ROOT, pages)
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    print(f"links: {len(pages)} pages, {len(found)} offences")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
