# SPDX-License-Identifier: Apache-2.0
"""Words of others change no page: it has the elements of a page with plain words, and these words
as text.
"""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import aureole as au
import hostile_pages
import pytest
from aureole.base.text import printable
from aureole.cli.main import main
from aureole.report.page import render
from aureole.report.view import scene_of
from aureole.report.write import collect
from hostile_pages import PLAIN, RUNS, WORDS, in_columns, in_line, in_name


class Parts(HTMLParser):
    """The elements of a page with the names of their attributes, its words, its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, ...]] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self._in = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self._in = tag
        self.elements.append((tag, *(name for name, _ in attrs)))
        self.words += [f"{name}={value}" for name, value in attrs]
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self._in = ""
        self.elements.append((f"/{tag}",))

    def handle_comment(self, data):
        self.elements.append(("a comment",))

    def handle_data(self, data):
        if self._in == "script":
            self.scripts[-1] += data
        elif data.strip():
            self.words.append(" ".join(data.split()))


def in_lines(words: list[str]) -> str:
    """Words as they are compared: a page may begin columns with a capital, and break lines."""
    return " ".join(" ".join(words).lower().replace("_", " ").split())


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The parts of the page of each run with plain words."""
    found = {}
    for kind, make in RUNS.items():
        page = render(collect(make(tmp_path_factory.mktemp(kind), PLAIN)))
        assert PLAIN in page
        found[kind] = Parts(page)
    return found


@pytest.mark.parametrize("kind", RUNS)
@pytest.mark.parametrize("word", WORDS.values(), ids=list(WORDS))
def test_a_page_is_that_of_plain_words(tmp_path, plain, kind, word):
    page = render(collect(RUNS[kind](tmp_path, word)))
    assert printable(page) == page  # no half of a letter either
    found, usual = Parts(page), plain[kind]
    assert found.elements == usual.elements
    assert len(found.scripts) == len(usual.scripts) == 3
    assert found.scripts[::2] == usual.scripts[::2]
    data = json.loads(found.scripts[1])
    assert shape(data) == shape(json.loads(usual.scripts[1]))
    said, expected = in_lines(found.words), in_lines(usual.words)
    shown = {in_lines([printable(form(word))]) for form in (str, in_name, in_line)}
    assert all(one in said for one in shown)
    assert sum(said.count(one) for one in shown) >= expected.count(PLAIN) > 30
    of_kind = {"molecules": in_line, "particles": in_line, "beads": in_columns}[kind]
    assert any(printable(of_kind(word))[1:] in one for one in words_of(data))


def words_of(data):
    """All words of a structure."""
    if isinstance(data, (dict, list)):
        parts = [*data, *data.values()] if isinstance(data, dict) else data
        return [word for part in parts for word in words_of(part)]
    return [data] if isinstance(data, str) else []


def shape(data):
    """A structure without its words and numbers; a key that a user chose is one of many."""
    if isinstance(data, dict):
        known = ("scene", "large", "small", "distributions", "series", "elements", "name", "title")
        kept = [(key if key in known else "", shape(value)) for key, value in data.items()]
        return sorted(kept, key=str)
    return [shape(one) for one in data] if isinstance(data, list) else type(data).__name__


def test_the_words_are_told_by_the_command_without_control_characters(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    word = in_name("run" + WORDS["controls"])
    hostile_pages.particles(tmp_path, word)
    Path(f"{word}.json").unlink()
    assert main(["report", word]) == 0
    out, err = capsys.readouterr()
    assert printable(out) == out and printable(err) == err and "run" in out


@pytest.mark.parametrize("word", WORDS.values(), ids=list(WORDS))
def test_tables_and_the_view_of_a_notebook(word):
    def shown(name: str) -> tuple[list[Parts], dict]:
        box = au.Box.of(8.0)
        system = au.System(box, [[0, 0, 0], [1.2, 0, 0]], type=[0, 1], type_names=[name, "b"])
        lj = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.0)
        log = au.Log(f"{in_name(name)}.csv", every=1)
        with au.Simulation(system, [lj], au.NVE(dt=0.001), [log], threads=1) as sim:
            tables = [system, sim, sim.energy, sim.describe()]
            return [Parts(table._repr_html_()) for table in tables], scene_of(sim)

    word = in_line(word)
    (tables, scene), (usual, _) = shown(word), shown(PLAIN)
    assert [of.elements for of in tables] == [of.elements for of in usual]
    assert printable(word).split()[0] in " ".join(tables[0].words).replace("\u00a0", " ")
    assert scene["elements"][0]["name"] == printable(word)
    assert all(printable(part) == part for of in tables for part in of.words)
