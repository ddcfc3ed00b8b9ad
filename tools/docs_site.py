# SPDX-License-Identifier: Apache-2.0
"""What mkdocs (mkdocs.yml) has to know of this project, as its hooks.

docs/ is used as it is. The README is the front page, the table of docs/README.md the navigation.
Files outside docs/ that pages link to become pages of the site too, below project/: Markdown as it
is, other text as code, folders as lists. Links are rewritten to where these are.
"""

from __future__ import annotations

import logging
import os
import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

TOOLS = Path(__file__).resolve().parent
ROOT = TOOLS.parent
sys.path.insert(0, str(TOOLS))

import check_links  # noqa: E402 - beside this file
import list_depth  # noqa: E402 - beside this file
from prose_width import outside_fences  # noqa: E402 - beside this file

MAP = Path("docs/README.md")
#: Pages outside docs/ that the navigation shows, besides those that others link to.
PROJECT = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md")
#: Copied as they are: tables of numbers are no reading.
RAW = {".json", ".jsonl", ".png"}
_LANGUAGES = {
    ".py": "python",
    ".hpp": "cpp",
    ".cpp": "cpp",
    ".cu": "cpp",
    ".sh": "bash",
    ".toml": "toml",
}
#: Code of 100 columns is seen whole.
STYLE = "@media (min-width: 76.25em) { .md-grid { max-width: 80rem; } }\n"
_SPAN = re.compile(r"`[^`]*`")


def place(path: Path) -> str:
    """Where a file or folder of the project stands among the sources of the site."""
    if path == Path("README.md"):
        return "index.md"
    if path == MAP:
        return "map.md"
    if path.parts[0] == "docs":
        return path.relative_to("docs").as_posix()
    name = f"project/{path.as_posix()}"
    if (ROOT / path).is_dir():
        return f"{name}/index.md"
    return name if path.suffix in {".md", *RAW} else f"{name}.md"


def linked(page: Path, text: str) -> list[Path]:
    """Files and folders of the project that a page links to."""
    names = [target.partition("#")[0] for _, target in check_links.links(text)]
    return [goal(page, name) for name in names if name]


def goal(page: Path, name: str) -> Path:
    """What a relative link of a page leads to, from the root."""
    return Path(os.path.normpath(page.parent / name))


def text_of(path: Path) -> str:
    """The Markdown of a page: that of the file, or made of its code or of a folder's list."""
    file = ROOT / path
    if file.is_dir():
        names = sorted(p.name for p in file.iterdir() if p.is_file() and p.suffix != ".pyc")
        return f"# {path}\n\n" + "".join(f"* [{name}]({name})\n" for name in names)
    text = file.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    fence = "`" * 6
    return f"# {path}\n\n{fence}{_LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n{fence}\n"


def outside() -> list[Path]:
    """What the site needs besides docs/: all that its pages lead to."""
    seen: dict[Path, None] = {Path("README.md"): None, MAP: None}
    seen |= {path.relative_to(ROOT): None for path in sorted((ROOT / "docs").rglob("*.md"))}
    seen |= {Path(name): None for name in PROJECT}
    queue = list(seen)
    while queue:
        page = queue.pop()
        folder = (ROOT / page).is_dir()
        if page.suffix != ".md" and not folder:
            continue
        base = page / "index.md" if folder else page
        for path in linked(base, text_of(page)):
            if path not in seen and (ROOT / path).exists():
                seen[path] = None
                queue.append(path)
    inside = [p for p in seen if p.parts[0] != "docs" or p == MAP]
    return sorted(inside)


def navigation() -> list[dict[str, Any]]:
    """The columns of the map as sections, in its order."""
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in (ROOT / MAP).read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    sections = []
    for column, head in enumerate(rows[0]):
        pages = [re.match(r"\[(.+?)\]\(([^)]+)\)", row[column]) for row in rows[2:]]
        found: list[Any] = []
        for title, target in (match.groups() for match in pages if match):
            name = title[0].upper() + title[1:]
            below = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
            if target == "decisions/README.md":
                found.append({name: [target, *(f"decisions/{page.name}" for page in below)]})
            else:
                found.append({name: target})
        sections.append({head: found})
    project = [place(Path(name)) for name in PROJECT]
    return [{"Aureole": ["index.md", {"All pages": "map.md"}]}, *sections, {"Project": project}]


def on_config(config: Any) -> Any:
    """The navigation, and the width of pages."""
    config.nav = navigation()
    config.extra_css.append("site.css")
    return config


def on_files(files: Files, config: Any) -> Files:
    """The front page, the map, and what pages lead to outside docs/."""
    files.remove(files.get_file_from_path("README.md"))
    files.append(File.generated(config, "site.css", content=STYLE))
    origins.update({place(path): path for path in outside()})
    for path in origins.values():
        if path.suffix in RAW:
            file = File.generated(config, place(path), abs_src_path=str(ROOT / path))
        else:
            file = File.generated(config, place(path), content=text_of(path))
        files.append(file)
    return files


#: Paths of the project of the sources of the site that are not those below docs/.
origins: dict[str, Path] = {}


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links of a page, to where their files stand on the site; its lists are looked at."""
    here = page.file.src_uri
    path = origins.get(here, Path("docs") / here)
    if path.suffix != ".md" and not (ROOT / path).is_dir():
        return markdown
    for problem in list_depth.problems_of(path.with_suffix(".md"), markdown):
        logging.getLogger("mkdocs.hooks.docs_site").warning(problem)
    base = path / "index.md" if (ROOT / path).is_dir() else path

    def moved(match: re.Match[str]) -> str:
        target = match[1]
        name, hash_, anchor = target.partition("#")
        if check_links.ELSEWHERE.match(target) or not name:
            return match[0]
        there = posixpath.relpath(place(goal(base, name)), posixpath.dirname(here) or ".")
        return match[0].replace(target, there + hash_ + anchor, 1)

    lines = []
    for line, prose in zip(markdown.splitlines(True), outside_fences(markdown), strict=True):
        if prose:
            code = [span.span() for span in _SPAN.finditer(line)]
            line = check_links.LINK.sub(
                lambda m, code=code: m[0] if any(a < m.start() < b for a, b in code) else moved(m),
                line,
            )
        lines.append(line)
    return "".join(lines)
