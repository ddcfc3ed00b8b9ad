# SPDX-License-Identifier: Apache-2.0
"""The notebook among the examples, as Jupyter's own kernel and client run it, and its picture in a
browser.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
import sys
from pathlib import Path

import aureole as au
import browser
import numpy as np
import pytest

nbclient = pytest.importorskip("nbclient", reason="needs nbclient and ipykernel")
nbformat = pytest.importorskip("nbformat", reason="needs nbformat, which nbclient brings")

NOTEBOOK = Path(__file__).parents[3] / "examples" / "11_notebook.ipynb"
WIDGETS = "application/vnd.jupyter.widget-state+json"
#: Fewer molecules and steps.
SHORTER = {'water(500, "spce")': 'water(300, "spce")', '"2 ps"': '"0.2 ps"', '"1 ps"': '"0.3 ps"'}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """The notebook with its outputs, and the folder that it ran in."""
    folder = tmp_path_factory.mktemp("notebook")
    book = nbformat.read(NOTEBOOK, 4)
    for cell in book.cells:
        for long, short in SHORTER.items():
            cell.source = cell.source.replace(long, short)
    client = nbclient.NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    return book, folder


def outputs(book, code):
    """Kinds and data of what the cell with some code has shown, without notes on a busy machine."""
    (cell,) = (one for one in book.cells if one.cell_type == "code" and code in one.source)
    busy = "other programs use some of the processors"
    shown = [one for one in cell.outputs if busy not in one.get("text", "")]
    return [(one.output_type, one.get("data", one)) for one in shown]


def test_the_notebook_as_it_stands_has_no_outputs():
    book = nbformat.read(NOTEBOOK, 4)
    nbformat.validate(book)
    assert not any(cell.get("outputs") for cell in book.cells)
    source = "\n".join(cell.source for cell in book.cells)
    assert all(long in source for long in SHORTER)


def test_progress_is_one_line_of_a_cell(ran):
    for code, step in (('sim.run("0.2 ps")', 100), ("sim.observers.append", 250)):
        shown = outputs(ran[0], code)
        assert [(kind, set(data)) for kind, data in shown] == [("display_data", {"text/plain"})], (
            shown
        )
        data = shown[0][1]
        assert data["text/plain"].startswith("100.0 %  ━") and f"step {step} " in data["text/plain"]
        assert "\r" not in data["text/plain"] and "\x1b" not in data["text/plain"]
    (_, line), _ = outputs(ran[0], "sim.minimize")
    assert line["text/plain"].startswith("minimise ")


def test_tables(ran):
    found = {
        code: html.unescape(outputs(ran[0], code)[-1][1]["text/html"])
        for code in ("au.build.water", "au.Simulation(", "sim.energy", "sim.describe()")
    }
    assert all(text.startswith("<table>") for text in found.values())
    assert "300 SOL" in found["au.build.water"]
    (density,) = re.findall(r"([\d.]+) kg/m\^3", found["au.build.water"])
    assert float(density) == pytest.approx(997, abs=2)
    assert "au.PME(r_cut='0.9 nm')" in found["au.Simulation("]
    assert "Energy [kJ/mol]" in found["sim.energy"]
    assert "kick and drift" in found["sim.describe()"]
    with open(ran[1] / "water.csv") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert [int(row["step"]) for row in rows] == [100, 150, 200, 250]


def state(book):
    """What the notebook keeps of the picture."""
    models = book.metadata["widgets"][WIDGETS]["state"].values()
    (found,) = (model["state"] for model in models if model["model_module"] == "anywidget")
    return found


PAGE = """<!doctype html><meta charset="utf-8"><style>body { margin: 20px; background: #fff; }
%(_css)s</style><div id="here"></div>
<script id="state" type="application/json">%(json)s</script>
<script type="module">
const state = JSON.parse(document.getElementById("state").textContent), heard = {};
window.model = {
  get: name => state[name], off: () => {}, on: (event, act) => { heard[event] = act; },
  set: (name, value) => { state[name] = value; heard[`change:${name}`](); },
};
const code = URL.createObjectURL(new Blob([state._esm], {type: "text/javascript"}));
const {default: widget} = await import(code);
window.end = widget.render({model: window.model, el: document.getElementById("here")});
const drawn = () => document.querySelector(".tools");
const wait = setInterval(() => {
  if (drawn()) { clearInterval(wait); document.documentElement.dataset.ready = "yes"; }
}, 50);
</script>"""


@pytest.mark.skipif(
    browser.program() is None, reason="no Chromium here (Debian: apt-get install chromium)"
)
def test_the_picture_in_a_browser(ran, tmp_path):
    """It is drawn, turns, and shows other particles from where one looks."""
    image = pytest.importorskip("matplotlib.image", reason="matplotlib reads the screenshots")
    kept = state(ran[0])
    assert kept["scene"]["n"] == 900
    page = tmp_path / "picture.html"
    page.write_text(PAGE % {**kept, "json": json.dumps(kept).replace("<", "\\u003c")})

    def picture(window):
        window.settle()
        place = "(() => { const r = document.querySelector('canvas').getBoundingClientRect(); "
        place += "return {x: r.x, y: r.y, width: r.width, height: r.height}; })()"
        return image.imread(io.BytesIO(window.screenshot(window.value(place))))[..., :3]

    def changed(one, other):
        return float((np.abs(one - other).max(axis=2) > 0.05).mean())

    with browser.Browser() as window:
        window.show(page, 820, 620)
        first = picture(window)
        assert (first[..., 0] - first[..., 1] > 0.3).mean() > 0.002  # oxygen is red
        window.drag((300, 250), (420, 300))
        turned = picture(window)
        assert changed(first, turned) > 0.02
        other = json.dumps(au.view(au.build.lattice("fcc", n=256, density=0.8)).scene)
        window.value(f"model.set('scene', {other})")
        atoms = picture(window)
        assert changed(turned, atoms) > 0.02
        assert window.value("document.querySelectorAll('canvas').length") == 1
        assert "A 256" in window.value("document.querySelector('.legend').textContent")
        window.value("model.set('scene', {...model.get('scene')})")
        assert changed(atoms, picture(window)) < 0.01  # the view has stayed
        window.value("end()")
        assert window.complaints == []


def test_a_view_of_types():
    def kinds(view):
        return [(kind["name"], kind["count"]) for kind in view.scene["elements"]]

    view = au.view(au.build.lattice("fcc", n=32, density=0.5, type=[0] * 30 + [1] * 2))
    assert kinds(view) == [("A", 30), ("B", 2)]
    view.update(au.build.water(20).system())
    assert kinds(view) == [("oxygen", 20), ("hydrogen", 40)]
    with pytest.raises(au.InputError, match="view got 3"):
        au.view(3)


def test_without_anywidget(monkeypatch):
    from aureole.report import view

    view._widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    words = r'needs the package anywidget .*pip install "aureole\[notebook\]"'
    with pytest.raises(au.InputError, match=words):
        au.view(au.build.lattice("fcc", n=32, density=0.5))
    view._widget_class.cache_clear()
