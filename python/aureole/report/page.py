# SPDX-License-Identifier: Apache-2.0
"""The page itself: the parts put together into one file without references to other files."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from aureole.analysis.statistics import BLOCKS, Average
from aureole.base.engine_schema import VERSION
from aureole.base.text import printable
from aureole.formats.coordinates import Coordinates

from . import charts, facts, minimum, verdict
from .beads import Beads
from .energies import Energies, unit_of, words_of
from .files import RunFiles, number_of, section
from .frames import Frame
from .minimum import Minimum
from .numerals import short, with_error
from .series import WINDOW
from .units import MOLECULAR
from .vocabulary import INPUTS, MAIN_SETTINGS, PARTS_OF_A_STEP
from .web_files import web

Values = dict[str, Any]

_SCRIPTS = ("values.js", "charts.js", "viewer.js", "painter.js", "turning.js", "page.js")


#: Beyond so many settings only the main ones are shown at once.
_MANY = 32


@dataclass(eq=False)
class Content:
    """All that goes on the page.

    Args:
        run: its files and its summary
        missing: part → why it is not on the page
        means: column → average
        minimum: the end of a minimisation
        ends: column → first and last value of a minimisation
        large, small, distributions, scene: what is drawn, as `charts` and `scene` make them
        frames: words about the frames of the pair distributions
        beads: particles that are known by their types or are beads, in place of atoms
        radii: words about the radii of beads
    """

    run: RunFiles
    missing: dict[str, str]
    names: Coordinates | None = None
    frame: Frame | None = None
    energies: Energies | None = None
    means: dict[str, Average] = field(default_factory=dict)
    minimum: Minimum | None = None
    ends: dict[str, tuple[float, float]] = field(default_factory=dict)
    large: list[dict[str, Any]] = field(default_factory=list)
    small: dict[str, dict[str, Any]] = field(default_factory=dict)
    distributions: dict[str, Any] | None = None
    frames: str = ""
    scene: dict[str, Any] | None = None
    beads: Beads | None = None
    radii: str = ""


def render(of: Content) -> str:
    """The text of the page."""
    data = {name: getattr(of, name) for name in ("scene", "large", "small", "distributions")}
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.from_string(web("page.html")).render(
        version=VERSION,
        title=facts.title(of.run, of.names),
        subtitle=_subtitle(of),
        style="\n".join(map(web, ("viewer.css", "page.css"))),
        figures=_figures(of),
        notes=facts.notes(of.run),
        number=itertools.count(1).__next__,
        why=lambda *parts: " ".join(of.missing[part] for part in parts if part in of.missing),
        system=facts.system_rows(of.run, of.names, of.frame, of.beads),
        run=_run(of),
        minimum=of.minimum is not None,
        scene=_scene(of),
        charts=len(of.large),
        window=f"{100 * WINDOW:.0f}",
        drift=verdict.of_conserved(of.run.summary, of.energies, facts.particles(of.run, of.names)),
        structure=of.distributions,
        frames=of.frames,
        beads=of.beads is not None,
        molecules=of.beads.molecules if of.beads is not None else None,
        bonded=of.beads is not None and of.beads.molecules is None and len(of.beads.bonds) > 0,
        radii=of.radii,
        quantities=_quantities(of) if of.minimum is None else _ends(of),
        drawn=bool(of.small),
        profile=_profile(of),
        settings=_settings(of),
        sources=_sources(of),
        own_errors=bool(of.run.summary.get("averages"))
        and not charts.fuller(of.energies, of.run.summary),
        blocks=BLOCKS,
        data=_embedded(data),
        script="\n".join(map(web, _SCRIPTS)),
    )


def _figures(of: Content) -> list[facts.Figure]:
    if of.minimum is not None:
        return minimum.figures(of.minimum, facts.particles(of.run, of.names))
    return facts.figures(of.run, of.names, of.energies, of.means)


def _run(of: Content) -> facts.Rows:
    if of.minimum is not None:
        return minimum.rows(of.minimum, of.run)
    return facts.run_rows(of.run, of.energies)


def _shown(value: Any) -> Any:
    """Words of others without characters that a page would obey; Markup is our own."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _embedded(data: Any) -> str:
    """JSON that is safe within a script element, with words as they are in the rest of the page."""
    text = json.dumps(_all_shown(data), allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _all_shown(data: Any) -> Any:
    if isinstance(data, dict):
        return {_shown(name): _all_shown(value) for name, value in data.items()}
    return [_all_shown(one) for one in data] if isinstance(data, list) else _shown(data)


def _subtitle(of: Content) -> str:
    kinds = facts.molecules(of.run, of.names)
    parts = [f"{count:,} {name}" for name, count in kinds[:4]]
    name = of.run.name if of.run.name != facts.title(of.run, of.names) else ""
    return " · ".join(filter(None, [", ".join(parts), name]))


def _scene(of: Content) -> Values | None:
    if of.scene is None:
        return None
    time = of.frame.time if of.frame and of.minimum is None else None
    when = f" at {facts.time_words(time, of.run.unit('ps'))}" if time is not None else ""
    if of.beads is not None and of.beads.step:
        when = f", step {of.beads.step:,}"
    hidden = of.scene["hidden"]
    return {"when": when, "hidden": f"{hidden:,}" if hidden else ""}


def _quantities(of: Content) -> list[Values]:
    rows = []
    for name, found in of.means.items():
        # Columns of zeros, such as the tilt of a rectangular box, are left out.
        if not (math.isfinite(found.mean) and (found.mean or found.error > 0)):
            continue
        mean, error = with_error(found.mean, found.error)
        rows.append(
            {
                "column": name,
                "name": words_of(name),
                "drawn": name in of.small,
                "mean": mean,
                "error": error,
                "spread": short(found.spread, 3),
                "drift": short(found.drift, 2),
                "unit": _unit(of, name),
            }
        )
    return rows


def _ends(of: Content) -> list[Values]:
    return [
        {
            "column": name,
            "name": words_of(name),
            "drawn": name in of.small,
            "first": short(first, 6),
            "last": short(last, 6),
            "unit": _unit(of, name),
        }
        for name, (first, last) in of.ends.items()
    ]


def _unit(of: Content, name: str) -> str:
    if of.energies and name in of.energies.units:
        return of.energies.units[name]
    told = section(section(of.run.summary, "averages"), name).get("unit")
    known = told.replace("^3", "³") if isinstance(told, str) else unit_of(name)
    if of.run.units != MOLECULAR:
        return of.run.unit(unit_of(name)) if unit_of(name) else ""
    return known


def _profile(of: Content) -> Values | None:
    told = of.run.summary.get("profile")
    rows = [
        (str(one.get("part", "?")), seconds, number_of(one.get("calls")))
        for one in (told if isinstance(told, list) else [])
        if isinstance(one, dict) and (seconds := number_of(one.get("seconds"))) is not None
    ]
    whole = sum(seconds for _, seconds, _ in rows)
    if whole <= 0:
        return None
    rows.sort(key=lambda row: (row[0] == "rest", -row[1]))
    longest = max(seconds for _, seconds, _ in rows)
    parts = []
    for part, seconds, calls in rows:
        shown = PARTS_OF_A_STEP.get(part, part.replace("_", " "))
        parts.append(
            {
                "name": shown[:1].upper() + shown[1:],
                "width": f"{100 * seconds / longest:.2f}",
                "share": f"{100 * seconds / whole:.1f}",
                "time": short(seconds, 3),
                "each": f"{short(1e3 * seconds / calls, 3)} ms × {int(calls):,}" if calls else "",
            }
        )
    return {
        "parts": parts,
        "counted": any(calls for _, _, calls in rows),
        "whole": short(whole, 4),
        "ranks": bool(of.run.summary.get("ranks")),
    }


def _settings(of: Content) -> dict[str, facts.Rows]:
    rows = list(facts.flat(section(of.run.summary, "settings")))
    main = [row for row in rows if row[0].lower().replace("_", "-") in MAIN_SETTINGS]
    return {"all": rows, "main": main if len(rows) > _MANY else rows}


def _sources(of: Content) -> facts.Rows:
    run = of.run
    inputs = run.summary.get("inputs")
    given: facts.Rows = []
    if isinstance(inputs, dict):
        given = facts.named((INPUTS.get(name, name), told) for name, told in facts.flat(inputs))
    if isinstance(inputs, list):
        given = [("Inputs", facts.words(inputs))]
    files = [path for path in (run.energies, run.trajectory, run.last_frame) if path]
    return [*given, *facts.file_rows(files)]
