# SPDX-License-Identifier: Apache-2.0
"""The hook of the site: its navigation has every page, and links lead to where files stand."""

import sys
import types
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOOLS))


@pytest.fixture
def site(monkeypatch):
    """The hook without mkdocs, of which it needs two names when a site is built."""
    files = types.ModuleType("mkdocs.structure.files")
    files.File = files.Files = object
    for name in ("mkdocs", "mkdocs.structure"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, files.__name__, files)
    monkeypatch.delitem(sys.modules, "docs_site", raising=False)
    import docs_site

    yield docs_site
    sys.modules.pop("docs_site")


def reached(entries):
    """Pages below entries of a navigation."""
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, dict):
            (below,) = entry.values()
            yield from reached([below] if isinstance(below, str) else below)


def test_the_navigation_has_every_page_once(site):
    found = list(reached(site.navigation()))
    assert len(found) == len(set(found))
    pages = {site.place(p.relative_to(site.ROOT)) for p in (site.ROOT / "docs").rglob("*.md")}
    assert pages | {"index.md"} | {site.place(Path(name)) for name in site.PROJECT} == set(found)


@pytest.mark.parametrize(
    "page, link, there",
    [
        ("README.md", "docs/mdrun.md", "mdrun.md"),
        ("README.md", "docs/README.md", "map.md"),
        ("README.md", "examples", "project/examples/index.md"),
        ("README.md", "docs/images/wide.png", "images/wide.png"),
        (
            "docs/howto/install.md",
            "../../bench/README.md#ranks",
            "../project/bench/README.md#ranks",
        ),
        ("docs/howto/install.md", "../report.md", "../report.md"),
        ("docs/report.md", "../tools/pictures.py", "project/tools/pictures.py.md"),
        ("bench/README.md", "../README.md", "../../index.md"),
        ("docs/mdrun.md", "https://chemfiles.org", "https://chemfiles.org"),
        ("docs/mdrun.md", "#files", "#files"),
    ],
)
def test_links_lead_to_where_files_stand(site, page, link, there):
    if not page.startswith("docs/"):
        site.origins[site.place(Path(page))] = Path(page)
    made = types.SimpleNamespace(file=types.SimpleNamespace(src_uri=site.place(Path(page))))
    text = f"a [b]({link}), `[c]({link})`\n```\n[d]({link})\n```\n"
    assert site.on_page_markdown(text, made) == text.replace(f"[b]({link})", f"[b]({there})")


def test_what_pages_lead_to_is_there(site):
    found = site.outside()
    assert (
        Path("examples/08_liquid.py") in found and Path("bench/results/2026-11-23-zen5.md") in found
    )
    assert all((site.ROOT / path).exists() for path in found)


def test_lists_that_break_are_told(site, caplog):
    page = types.SimpleNamespace(file=types.SimpleNamespace(src_uri="howto/install.md"))
    site.on_page_markdown("1. a\n    * b\n", page)
    assert not caplog.text
    site.on_page_markdown("1. a\n   * b\n", page)
    assert "columns" in caplog.text
