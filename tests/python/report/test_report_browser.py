# SPDX-License-Identifier: Apache-2.0
"""The page about a run in a browser: it loads without complaints, draws, and follows pointers."""

from __future__ import annotations

import io
import json

import browser
import hostile_pages
import numpy as np
import particle_runs
import pytest
import report_run
from aureole.base.text import printable
from aureole.report.write import write

image = pytest.importorskip("matplotlib.image", reason="matplotlib reads the screenshots")
pytestmark = pytest.mark.skipif(
    browser.program() is None, reason="no Chromium here (Debian: apt-get install chromium)"
)
PLACE = "(() => { const r = document.querySelector('%s').getBoundingClientRect(); "
PLACE += "return {x: r.x, y: r.y + scrollY, width: r.width, height: r.height}; })()"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return write(report_run.write(tmp_path_factory.mktemp("run")))[0]


@pytest.fixture(scope="module", params=["webgl", "flat"])
def shown(request, page):
    """The page at the width of a laptop, with either painter of the picture."""
    with browser.Browser(webgl=request.param == "webgl") as window:
        window.show(page, 820, 520)
        painter = window.value("document.getElementById('viewer').dataset.painter")
        if request.param == "webgl" and painter != "webgl":
            pytest.skip("this browser has no WebGL")
        assert painter == request.param
        yield window


def pixels(window, what: str) -> np.ndarray:
    """(h, w, 3) what an element looks like, 0 to 1."""
    window.settle()
    return image.imread(io.BytesIO(window.screenshot(window.value(PLACE % what))))[..., :3]


def middle(window, what: str) -> tuple[float, float]:
    """A point in the middle of an element, which is scrolled into view."""
    window.value(f"document.querySelector('{what}').scrollIntoView({{block: 'center'}})")
    r = window.value(PLACE % what)
    return r["x"] + r["width"] / 2, r["y"] + r["height"] / 2 - window.value("scrollY")


def changed(before: np.ndarray, after: np.ndarray) -> float:
    """Part of the pixels that differ."""
    return float((np.abs(before - after).max(axis=2) > 0.05).mean())


def test_nothing_is_complained_of_nor_fetched(shown, page):
    assert shown.complaints == []
    assert {url for url in shown.requests if not url.startswith("about:")} == {page.as_uri()}
    assert shown.value("typeof document.querySelector('.notes b')") == "object"
    assert shown.value("document.querySelector('.notes b')") is None  # words stay words


def test_picture_is_drawn_and_turns(shown):
    first = pixels(shown, "canvas")
    paper = np.median(first.reshape(-1, 3), axis=0)
    assert changed(first, np.broadcast_to(paper, first.shape)) > 0.03
    red = (first[..., 0] - first[..., 1] > 0.3).mean()
    assert red > 0.002  # oxygen
    x, y = middle(shown, "canvas")
    shown.drag((x, y), (x + 90, y + 40))
    second = pixels(shown, "canvas")
    assert changed(first, second) > 0.02
    shown.pointer("mouseWheel", x, y, deltaX=0, deltaY=-300)
    shown.settle()
    third = pixels(shown, "canvas")
    assert changed(second, third) > 0.02
    shown.value("[...document.querySelectorAll('.set button')].at(-1).click()")  # reset
    assert changed(first, pixels(shown, "canvas")) < 0.01


def test_water_and_styles_change_the_picture(shown):
    def press(value):
        shown.value(f"document.querySelector('[data-value=\"{value}\"]').click()")
        return pixels(shown, "canvas")

    without = press("off")
    assert changed(without, press("on")) > 0.03
    assert changed(press("balls"), press("spheres")) > 0.03


def test_pointer_reads_values(shown):
    table = report_run.energies()
    x, y = middle(shown, '[data-chart="large:2"] svg')
    shown.pointer("mouseMoved", x, y)
    shown.settle()
    said = shown.value("document.querySelector('[data-chart=\"large:2\"] .read').textContent")
    time, rest = said.split(" ps")
    row = round(float(time) / 0.01)
    value = rest.split("average")[0].replace("−", "-").strip()
    assert float(value) == pytest.approx(table["temperature"][row], abs=0.06)
    # The others follow.
    other = shown.value("document.querySelector('[data-chart=\"large:0\"] .read').textContent")
    assert other.startswith(time)


def test_any_quantity_can_be_chosen(shown):
    shown.value("document.querySelector('[data-column=\"pressure\"]').click()")
    title = "document.querySelector('[data-chart=\"any\"] .head b').textContent"
    assert shown.value(title) == "Pressure bar"
    paths = shown.value("document.querySelectorAll('[data-chart=\"any\"] path').length")
    assert paths == 2
    assert shown.value("document.querySelectorAll('.spark path').length") == 8


@pytest.mark.parametrize("dark", [False, True])
def test_phone(page, dark):
    with browser.Browser() as window:
        window.show(page, 390, 844, dark=dark, dense=2)
        assert window.value("document.documentElement.scrollWidth") == 390
        assert window.complaints == []
        shade = image.imread(io.BytesIO(window.screenshot()))[..., :3].mean()
        assert shade < 0.35 if dark else shade > 0.8
        window.value("document.getElementById('theme').click()")
        window.settle()
        other = image.imread(io.BytesIO(window.screenshot()))[..., :3].mean()
        assert (other < shade) != dark


@pytest.mark.parametrize("webgl", [True, False])
def test_particles_by_type(tmp_path, monkeypatch, webgl):
    """Beads in the colours of the legend, with their types; nothing of molecules."""
    monkeypatch.chdir(tmp_path)
    particle_runs.mixture()
    with browser.Browser(webgl) as window:
        window.show(write("mixture")[0], 820, 520)
        assert window.complaints == []
        legend = window.value("document.querySelector('.legend').innerText")
        assert "A 400" in legend and "B 100" in legend
        first = pixels(window, "canvas")
        blue = (first[..., 2] - first[..., 0] > 0.15).mean()
        orange = (first[..., 0] - first[..., 2] > 0.15).mean()
        assert blue > 3 * orange > 0.01
        assert window.value("document.querySelectorAll('.set button').length") == 4
        words = window.value("document.querySelector('main').innerText")
        assert "Elements are guessed" not in words and "distance / σ" in words
        x, y = middle(window, '[data-chart="distributions"] svg')
        window.pointer("mouseMoved", x, y)
        window.settle()
        read = window.value("document.querySelector('[data-chart=distributions] .read').innerText")
        assert "σ" in read and "A–A" in read


def test_parts_missing(tmp_path):
    for lost in (["run.csv", "run.json"], ["run.gro"]):
        prefix = report_run.write(tmp_path)
        for name in lost:
            (tmp_path / name).unlink()
        with browser.Browser() as window:
            window.show(write(prefix)[0])
            assert window.complaints == []
            assert window.value("document.querySelectorAll('.missing').length") >= len(lost)


#: Elements, those of them that run something, and what ran.
STRUCTURE = """JSON.stringify([document.querySelectorAll('*').length,
    [...document.querySelectorAll('*')].filter(
        e => [...e.attributes].some(a => a.name.startsWith('on'))).length,
    document.scripts.length, document.images.length, typeof window.broken])"""


@pytest.mark.parametrize("kind", hostile_pages.RUNS)
def test_words_of_others_stay_words(tmp_path, kind):
    """The page of a browser has the elements of one with plain words, and runs nothing else."""
    with browser.Browser(webgl=False) as window:
        found = {}
        for name, word in {"plain": hostile_pages.PLAIN, **hostile_pages.WORDS}.items():
            folder = tmp_path / name
            folder.mkdir()
            window.show(write(hostile_pages.RUNS[kind](folder, word), folder / "page.html")[0])
            assert window.complaints == [], name
            found[name] = json.loads(window.value(STRUCTURE))
            title = window.value("document.title")
            assert printable(word).strip() in title or kind == "beads", name
        assert found["plain"][1:] == [0, 3, 0, "undefined"]
        assert {name: of for name, of in found.items() if of != found["plain"]} == {}
