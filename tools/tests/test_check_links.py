# SPDX-License-Identifier: Apache-2.0
"""The check of links finds each kind of offence that is planted, and nothing in what is right."""

import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOOLS))

import check_links  # noqa: E402

PAGES = {
    "README.md": "# A\n\n[The map](docs/README.md#pages), [above](#a), [b][b], [c](https://b.org)\n",
    "docs/README.md": "# Map\n\n## Pages\n\n[use](howto/use.md), [choices](decisions/README.md)\n",
    "docs/howto/use.md": "# Use `it` - now!\n\n## Run\n\n## Run\n\n![p](../p.png) [s](../../src)\n",
    "docs/decisions/README.md": "# All\n\n[1](001-a.md), [now](../howto/use.md#use-it---now)\n",
    "docs/decisions/001-a.md": "# 001\n\n[again](../howto/use.md#run-1), `[x](y.md)`\n",
}


def offences(root: Path, changes: dict[str, str]) -> list[str]:
    """Of a small project in which some pages have other texts."""
    pages = PAGES | changes
    for name, text in pages.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "docs" / "p.png").touch()
    (root / "src").mkdir()
    return check_links.problems(root, [Path(name) for name in pages])


def test_what_is_right_passes(tmp_path):
    assert offences(tmp_path, {}) == []


@pytest.mark.parametrize(
    "name, text, problem",
    [
        ("README.md", "a\n[x](docs/gone.md)", "README.md:2: links to docs/gone.md, which does not"),
        ("README.md", "![x](docs/q.png)", "README.md:1: links to docs/q.png, which does not"),
        ("README.md", "[x](docs/howto/)", None),
        ("README.md", "[x](docs/README.md#page)", "links to docs/README.md#page, a heading"),
        ("README.md", "[x](#b)", "links to #b, a heading that does not exist"),
        ("README.md", "```\n# b\n```\n[x](#b)", "links to #b, a heading that does not exist"),
        ("README.md", "`a\nb` [x](c.md)", "README.md:2: links to c.md, which does not exist"),
        ("README.md", "```\n[x](c.md)\n```\n`[x]\n(c.md)`", None),
        ("docs/howto/use.md", "# Use", "links to ../howto/use.md#use-it---now, a heading"),
    ],
)
def test_dead_links_are_found(tmp_path, name, text, problem):
    found = offences(tmp_path, {name: text})
    assert bool(found) == (problem is not None)
    assert problem is None or problem in found[0]


@pytest.mark.parametrize(
    "changes, problem",
    [
        ({"docs/theory/new.md": "# New"}, "docs/theory/new.md is linked 0 times"),
        ({"docs/README.md": PAGES["docs/README.md"] + "[a](howto/use.md)"}, "use.md is linked 2"),
        ({"docs/decisions/002-b.md": "# 002"}, None),
        ({"bench/new.md": "# New"}, None),
    ],
)
def test_pages_off_the_map_are_found(tmp_path, changes, problem):
    found = offences(tmp_path, changes)
    assert len(found) == (problem is not None)
    assert problem is None or problem in found[0]


def test_the_links_of_this_project_are_right(capsys):
    assert check_links.main() == 0, capsys.readouterr().err
