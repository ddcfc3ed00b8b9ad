# SPDX-License-Identifier: Apache-2.0
"""The page itself: the parts put together into one file without references to others."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from html import escape
from importlib import resources
from string import Template
from typing import Any

from aureole.analysis.statistics import BLOCKS, Average
from aureole.base.engine_schema import VERSION
from aureole.formats.coordinates import Coordinates

from . import facts, verdict
from .energies import Energies, unit_of, words_of
from .files import RunFiles, number_of, section
from .frames import Frame
from .numerals import short, with_error
from .series import WINDOW

_SCRIPTS = ("charts.js", "viewer.js", "painter.js", "page.js")


#: Settings that are listed first.
_MAIN = frozenset({
    "integrator", "dt", "nsteps", "define", "coulombtype", "rcoulomb", "fourierspacing",
    "pme-order", "vdwtype", "vdw-modifier", "rvdw", "dispcorr", "verlet-buffer-tolerance",
    "constraints", "tcoupl", "tc-grps", "ref-t", "tau-t", "pcoupl", "pcoupltype", "ref-p", "tau-p",
    "compressibility", "gen-vel",
})  # fmt: skip


#: Names of the regions of the engine's profile.
_PARTS_OF_A_STEP = {
    "search": "list search",
    "prune": "list pruning",
    "force": "pair forces",
    "bonded": "bonded forces",
    "mesh": "Ewald mesh",
    "update": "integration",
    "thermo": "energies and pressure",
    "halo_positions": "positions of ghosts",
    "halo_forces": "forces on ghosts",
    "sums": "sums over ranks",
}


#: Names of input files.
_INPUTS = {
    "conf": "coordinates",
    "top": "topology",
    "mdp": "run parameters",
    "index": "groups",
    "references": "reference positions",
}


@dataclass(eq=False)
class Content:
    """All that goes on the page.

    Args:
        run: its files and its summary
        missing: part → why it is not on the page
        means: column → average
        large, small, distributions, scene: what is drawn, as `charts` and `scene` make them
        frames: words about the frames of the pair distributions
    """

    run: RunFiles
    missing: dict[str, str]
    names: Coordinates | None = None
    frame: Frame | None = None
    energies: Energies | None = None
    means: dict[str, Average] = field(default_factory=dict)
    large: list[dict[str, Any]] = field(default_factory=list)
    small: dict[str, dict[str, Any]] = field(default_factory=dict)
    distributions: dict[str, Any] | None = None
    frames: str = ""
    scene: dict[str, Any] | None = None


def render(of: Content) -> str:
    """The text of the page."""
    number = _Numbers()
    parts = [
        _picture(of, number),
        _series(of, number),
        _structure(of, number),
        _table(of, number),
        _profile(of, number),
        _settings(of),
    ]
    data = {
        "scene": of.scene,
        "large": of.large,
        "small": of.small,
        "distributions": of.distributions,
    }
    return Template(_web("page.html")).substitute(
        version=escape(VERSION),
        title=escape(facts.title(of.run, of.names)),
        subtitle=_subtitle(of),
        style=_web("page.css"),
        figures=_figures(of),
        notes=_notes(of),
        body="\n".join(filter(None, parts)),
        footer=_footer(of),
        data=_embedded(data),
        script="\n".join(map(_web, _SCRIPTS)),
    )


class _Numbers:
    """Counts the figures of the page."""

    def __init__(self) -> None:
        self.last = 0

    def __call__(self) -> str:
        self.last += 1
        return f"<b>Figure {self.last}.</b>"


def _web(name: str) -> str:
    text = (resources.files(__package__) / "web" / name).read_text(encoding="utf-8")
    return text.partition("\n")[2].strip()  # without the line of the licence


def _embedded(data: Any) -> str:
    """JSON that is safe within a script element."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _subtitle(of: Content) -> str:
    parts = [f"{count:,} {name}" for name, count in facts.molecules(of.run, of.names)[:4]]
    name = of.run.name if of.run.name != facts.title(of.run, of.names) else ""
    said = " · ".join(filter(None, [", ".join(parts), name]))
    return escape(said)


def _figures(of: Content) -> str:
    tiles = []
    for one in facts.figures(of.run, of.names, of.energies, of.means):
        error = f'<span class="error">± {escape(one.error)}</span>' if one.error else ""
        unit = f'<span class="unit">{escape(one.unit)}</span>' if one.unit else ""
        tiles.append(
            f"<div><dt>{escape(one.name)}</dt><dd>{escape(one.value)} {error} {unit}</dd></div>"
        )
    return f'<dl class="figures">{"".join(tiles)}</dl>' if tiles else ""


def _notes(of: Content) -> str:
    said = facts.notes(of.run)
    if not said:
        return ""
    items = "".join(f"<li>{escape(note)}</li>" for note in said)
    return f'<section class="notes"><h2>Notes of the run</h2><ul>{items}</ul></section>'


def _missing(of: Content, *parts: str) -> str:
    said = " ".join(of.missing[part] for part in parts if part in of.missing)
    return f'<p class="missing">{escape(said)}</p>' if said else ""


def _rows(rows: facts.Rows, kind: str = "facts") -> str:
    cells = "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in rows)
    return f'<table class="{kind}">{cells}</table>' if rows else ""


def _picture(of: Content, number: _Numbers) -> str:
    system = _rows(facts.system_rows(of.run, of.names, of.frame))
    speed = _rows(facts.run_rows(of.run, of.energies))
    head = '<div class="two">'
    head += f"<section><h2>System</h2>{system}</section>" if system else ""
    head += f"<section><h2>Run</h2>{speed}</section>" if speed else ""
    head += "</div>"
    head += _missing(of, "summary")
    if of.scene is None:
        return head + _missing(of, "last_frame")
    time = of.frame.time if of.frame else None
    when = f" at {facts.time_words(time, of.run.unit('ps'))}" if time is not None else ""
    hidden = of.scene["hidden"]
    left = f" {hidden:,} sites without substance, or too many, are left out." if hidden else ""
    return f"""{head}
<figure class="picture">
<div id="viewer" class="viewer"></div>
<figcaption>{number()} The last frame{when}, molecules made whole. Elements are guessed from names,
bonds from distances.{left} Drag to turn, wheel or pinch to zoom, right button or two fingers to
move.</figcaption>
</figure>"""


def _series(of: Content, number: _Numbers) -> str:
    if not of.large:
        said = _missing(of, "energies") or '<p class="missing">No quantity changes with time.</p>'
        return f"<section><h2>Through time</h2>{said}</section>"
    slots = "".join(
        f'<div class="chart" data-chart="large:{k}"></div>' for k in range(len(of.large))
    )
    return f"""<section><h2>Through time</h2>
<figure><div class="charts">{slots}</div>
<figcaption>{number()} Thin lines are single values, thick ones running averages over
{100 * WINDOW:.0f} % of the run, dashed ones the means of all. A pointer reads all charts at
once. {escape(_drift(of))}</figcaption>
</figure></section>"""


def _drift(of: Content) -> str:
    if of.energies is None:
        return ""
    return verdict.of_conserved(of.run.summary, of.energies, facts.particles(of.run, of.names))


def _structure(of: Content, number: _Numbers) -> str:
    if of.distributions is None:
        said = _missing(of, "trajectory", "distributions")
        return f"<section><h2>Structure</h2>{said}</section>" if said else ""
    names = [series["name"] for series in of.distributions["series"]]
    water = " A w marks atoms of water." if any("w" in name for name in names) else ""
    return f"""<section><h2>Structure</h2>
<figure><div class="chart wide" data-chart="distributions"></div>
<figcaption>{number()} {escape(of.frames)} Pairs within one residue are left out.{water} Read-outs
give g(r) with its standard error, and n, the mean number of neighbours up to r.</figcaption>
</figure>{_missing(of, "trajectory", "distributions")}</section>"""


def _table(of: Content, number: _Numbers) -> str:
    # Columns of zeros, such as the tilt of a rectangular box, are left out.
    names = [n for n, m in of.means.items() if math.isfinite(m.mean) and (m.mean or m.error)]
    if not names:
        return ""
    rows = []
    for name in names:
        mean = of.means[name]
        value, error = with_error(mean.mean, mean.error)
        button = escape(words_of(name))
        if name in of.small:
            button = f'<button type="button" data-column="{escape(name)}">{button}</button>'
        rows.append(
            f"<tr><th>{button}</th><td>{value}</td><td>{error or '–'}</td>"
            f"<td>{short(mean.spread, 3)}</td><td>{short(mean.drift, 2)}</td>"
            f"<td>{escape(_unit(of, name))}</td>"
            f'<td class="spark" data-spark="{escape(name)}"></td></tr>'
        )
    chart = ""
    if of.small:
        chart = f"""<figure><div class="chart wide" data-chart="any"></div>
<figcaption>{number()} The quantity that is chosen in the table.</figcaption></figure>"""
    return f"""<section><h2>All quantities</h2>
{chart}<div class="scroll"><table class="averages">
<thead><tr><th>Quantity</th><td>mean</td><td>error</td><td>spread</td><td>drift</td><td>unit</td>
<td></td></tr></thead>
<tbody>{"".join(rows)}</tbody></table></div></section>"""


def _unit(of: Content, name: str) -> str:
    if of.energies and name in of.energies.units:
        return of.energies.units[name]
    told = section(section(of.run.summary, "averages"), name).get("unit")
    return told.replace("^3", "³") if isinstance(told, str) else unit_of(name)


def _profile(of: Content, number: _Numbers) -> str:
    told = of.run.summary.get("profile")
    rows = [
        (str(one.get("part", "?")), seconds, number_of(one.get("calls")))
        for one in (told if isinstance(told, list) else [])
        if isinstance(one, dict) and (seconds := number_of(one.get("seconds"))) is not None
    ]
    whole = sum(seconds for _, seconds, _ in rows)
    if whole <= 0:
        return ""
    rows.sort(key=lambda row: (row[0] == "rest", -row[1]))
    longest = max(seconds for _, seconds, _ in rows)
    lines = []
    for part, seconds, calls in rows:
        each = f"{short(1e3 * seconds / calls, 3)} ms × {int(calls):,}" if calls else ""
        each = f'<td class="each">{each}</td>' if any(row[2] for row in rows) else ""
        shown = _PARTS_OF_A_STEP.get(part, part.replace("_", " "))
        lines.append(
            f"<tr><th>{escape(shown[:1].upper() + shown[1:])}</th>"
            f'<td class="bar"><i style="width:{100 * seconds / longest:.2f}%"></i></td>'
            f"<td>{100 * seconds / whole:.1f} %</td><td>{short(seconds, 3)} s</td>"
            f"{each}</tr>"
        )
    ranks = of.run.summary.get("ranks")
    means = ", means over the ranks; halo and sums include waiting for other ranks" if ranks else ""
    return f"""<section><h2>Where time went</h2>
<figure><table class="profile">{"".join(lines)}</table>
<figcaption>{number()} Time of the parts of a step, {short(whole, 4)} s in all{means}.</figcaption>
</figure></section>"""


def _settings(of: Content) -> str:
    told = of.run.summary.get("settings")
    rows = list(facts.flat(told)) if isinstance(told, dict) else []
    if not rows:
        return ""
    many = len(rows) > 32
    main = [row for row in rows if not many or row[0].lower().replace("_", "-") in _MAIN]
    table = f'<div class="columns">{_rows(main, "facts names")}</div>'
    if many:
        rest = f'<div class="columns">{_rows(rows, "facts names")}</div>'
        table += f"<details><summary>All {len(rows)} settings</summary>{rest}</details>"
    return f"<section><h2>Settings</h2>{table}</section>"


def _footer(of: Content) -> str:
    run = of.run
    inputs = run.summary.get("inputs")
    given: facts.Rows = []
    if isinstance(inputs, dict):
        given = facts.named((_INPUTS.get(name, name), told) for name, told in facts.flat(inputs))
    if isinstance(inputs, list):
        given = [("Inputs", facts.words(inputs))]
    files = [path for path in (run.energies, run.trajectory, run.last_frame) if path]
    from_run = bool(run.summary.get("averages"))
    errors = "the run's own" if from_run else f"from the means of {BLOCKS} blocks"
    return f"""<section><h2>Sources and methods</h2>
{_rows([*given, *facts.file_rows(files)])}
<p>Means are over the whole run; their standard errors are {errors}. Spread is the
standard deviation of single values, drift the slope of a straight line through the series times
its length. Long series are drawn by the extremes of equal parts, so that no peak is lost. Written
by aureole {escape(VERSION)}.</p></section>"""
