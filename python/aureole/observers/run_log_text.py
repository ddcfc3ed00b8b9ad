# SPDX-License-Identifier: Apache-2.0
"""The words of a `RunLog`."""

from __future__ import annotations

import math
import platform
import textwrap
import time
from collections.abc import Collection
from typing import Any

from aureole.base.text import duration, printable, rate
from aureole.engine.observed import Observed
from aureole.live.live import WITHOUT_END

from .energy_columns import Quantities

_COLUMNS = (
    ("step", 12, 0),
    ("time", 14, 3),
    ("temperature", 12, 2),
    ("pressure", 12, 2),
    ("potential", 16, 4),
    ("total", 16, 4),
    ("conserved", 16, 4),
)
_PROCESS = (
    *("command", "folder", "process", "nodes", "slurm_job", "slurm_array", "slurm_restarts"),
    *("build", "mpi", "pinning"),
)
_WRAP = 96


def header(facts: dict[str, Any], sim: Observed, path: str, idle: Collection[str] = ()) -> str:
    """The header of a log: what is run, and where.

    Args:
        facts: from `facts_of`
        sim: the simulation
        path: of the log
        idle: settings without effect here, which stand apart
    """
    system = facts["system"]
    parts = [
        f"Aureole {facts['version']}",
        f"{path}, begun {now()} on {_host(sim)}\n",
        _process(facts["run"]),
        _section("Input", list(facts["inputs"].items())),
        _section("System", _system(system, sim.units.physical)),
        _section("Mesh of PME", _mesh(facts["mesh"], sim.units.physical)),
        *_settings(facts["settings"], sim, idle),
    ]
    if facts["notes"]:
        notes = (textwrap.fill(note, _WRAP, subsequent_indent="    ") for note in facts["notes"])
        parts.append("Notes\n" + "\n".join(f"  {note}" for note in notes) + "\n")
    return printable("\n".join(part for part in parts if part)) + "\n"


def continued(sim: Observed, facts: dict[str, Any], error: str) -> str:
    """The head of a continued run, with the line "Ended by an error" of the part before."""
    head = f"\nContinued at step {sim.step:,}, {now()} on {_host(sim)}\n"
    head += f"The part before e{error[1:]}\n" if error else ""
    return printable(f"{head}\n{_process(facts['run'])}")


def _process(facts: dict[str, Any]) -> str:
    """The process of this part of the run; the line above names host and device."""
    rows = [(name.replace("_", " "), str(facts[name])) for name in _PROCESS if name in facts]
    return _section("Run", rows)


def table_head(sim: Observed, target: int, quantities: Quantities) -> str:
    """The header of the table of one run."""
    names, units = titles(quantities.names, quantities)
    speed = "ns/day" if quantities.units.physical else "steps/s"
    until = f"{sim.time + (target - sim.step) * sim.dt:g}"
    unit = " ps" if quantities.units.physical else ""
    span = f"to {target:,}, time {sim.time:g} to {until}{unit}"
    if target >= WITHOUT_END:
        span = f"without a last step, time from {sim.time:g}{unit}"
    return (
        f"\nRun from step {sim.step:,} {span}, begun {now()}\n\n{names}{speed:>12}  left\n{units}\n"
    )


def titles(names: Collection[str], quantities: Quantities) -> tuple[str, str]:
    """The words over the columns of the log among `names`, and their units."""
    shown = [(name, width) for name, width, _ in _COLUMNS if name in names]
    units = "".join(f"{quantities.unit(name):>{width}}" for name, width in shown)
    return "".join(f"{name:>{width}}" for name, width in shown), units.rstrip()


def cells(row: dict[str, float]) -> str:
    """The numbers of a row, under the words of `titles`."""
    return "".join(f"{row[name]:{w}.{d}f}" for name, w, d in _COLUMNS if name in row)


def line(sim: Observed, row: dict[str, float], speed: float, target: int) -> str:
    """One line of the table; `speed` [1/s] is that of the steps before it."""
    shown = rate(speed * sim.dt * 86.4 if sim.units.physical else speed) if speed > 0 else "-"
    endless = speed <= 0 or target >= WITHOUT_END
    left = "-" if endless else duration((target - sim.step) / speed)
    return cells(row) + f"{shown:>12}  {left}\n"


def end(sim: Observed, span: tuple[int, int], summary: dict[str, Any], samples: int) -> str:
    """The end of a run from one step to another: speed, averages, where the time went, files."""
    (first, target), speed = span, summary["speed"]
    word = "Done"
    if sim.step < target:
        last = "" if target >= WITHOUT_END else f" before step {target:,}"
        word = f"Stopped by {summary['stopped']}{last}"
    pace = f"{rate(speed['steps_per_second'])} steps/s"
    if speed["ns_per_day"] is not None:
        pace = f"{rate(speed['ns_per_day'])} ns/day, {pace}"
    wall = duration(speed["wall_seconds"])
    took = f" after {wall}: {pace}"
    if summary["steps"] > sim.step - first:
        took = f"; all {summary['steps']:,} steps, in {wall}: {pace}"
    if speed["from_step"] is not None:
        took = f"; speed of the last {summary['steps']:,} steps, in {wall}: {pace}"
    head = f"\n{word} at step {sim.step:,}{took}, {now()}\n"
    counted = f"{samples:,} sample{'s' * (samples != 1)}"
    return f"{head}\n{closing(summary, counted)}"


def closing(summary: dict[str, Any], samples: str) -> str:
    """Averages of "12 samples", where the time went, and files."""
    files = [(k, v) for k, v in summary["outputs"].items() if v and isinstance(v, str)]
    return "\n".join(
        (
            _averages(summary["averages"], samples),
            _profile(summary["profile"], bool(summary.get("ranks"))),
            *(_ranks(told) for told in [summary.get("ranks")] if told),
            *(_outrun(count) for count in [summary.get("lists", {}).get("outrun")] if count),
            printable(_section("Output", files)),
        )
    )


def _averages(averages: dict[str, Any], samples: str) -> str:
    width = max((len(name) for name in averages), default=8)
    head = f"  {'':{width}}{'mean':>16}{'error':>12}{'drift':>12}{'spread':>12}"
    lines = []
    for name, value in averages.items():
        error = value["error"]
        mean = f"{value['mean']:.{_decimals(error)}f}"
        cells = [_short(value[key]) for key in ("error", "drift", "spread")]
        text = "".join(f"{cell:>12}" for cell in cells)
        lines.append(f"  {name:{width}}{mean:>16}{text}  {value['unit']}".rstrip())
    return (
        f"Averages of {samples}\n{head}\n"
        + "\n".join(lines)
        + "\n  Errors are standard errors of the means, by blocking. The drift is the rise of a\n"
        "  straight line over the run, the spread the standard deviation of the samples.\n"
    )


def _profile(profile: list[dict[str, Any]], of_ranks: bool) -> str:
    lines = [f"  {'':16}{'seconds':>12}{'calls':>12}{'share':>9}"]
    for row in profile:
        calls = "-" if row["calls"] is None else f"{row['calls']:,}"
        lines.append(
            f"  {row['part']:16}{row['seconds']:12.3f}{calls:>12}{100 * row['share']:7.1f} %"
        )
    if of_ranks:
        lines.append("  Means over the ranks; halo and sums include waiting for other ranks.")
    return "Where the time went\n" + "\n".join(lines) + "\n"


def _outrun(count: int) -> str:
    words = f"{count:,} rebuilt, because particles moved farther than planned"
    return _section("Pair lists", [("early", words)])


_LOAD = "the slowest rank over the mean, in pair and bonded forces and lists"


def _ranks(told: dict[str, Any]) -> str:
    """How the ranks worked together."""
    grid = " × ".join(map(str, told["grid"])) or "-"
    busy = math.prod(told["grid"])
    number = f"{told['ranks']}, grid {grid}"
    if busy < told["ranks"]:
        number = f"{busy} of {told['ranks']} in use (the box is too small for more), grid {grid}"
    uneven = told["load_imbalance"]
    between = told["collectives_per_step_between_renewals"]
    rows = [
        ("number", number),
        ("load imbalance", "-" if uneven is None else f"{100 * uneven:.1f} %: {_LOAD}"),
        (
            "collectives per step",
            f"{told['collectives_per_step']:.3f}, of which {between:.3f} outside list renewals "
            "(calls in which all ranks wait for each other)",
        ),
        (
            "early list renewals",
            f"{told['renewals_ahead_of_plan']:,} of {told['list_renewals']:,}: a particle moved "
            "farther than planned",
        ),
        ("steps taken back", f"{told['steps_taken_back']:,}"),
    ]
    return _section("Ranks", rows)


def _system(system: dict[str, Any], physical: bool) -> list[tuple[str, str]]:
    rows = [("particles", f"{system['particles']:,}")]
    if system["molecules"]:
        kinds = ", ".join(f"{m['count']:,} {m['name']}" for m in system["molecules"])
        rows.append(("molecules", kinds))
    vectors = system["box"]
    skew = any(vectors[i][j] for i in range(3) for j in range(3) if i != j)
    shown = [" ".join(f"{x:.6g}" for x in v) for v in vectors]
    box = "; ".join(shown) if skew else " × ".join(f"{vectors[k][k]:.6g}" for k in range(3))
    rows.append(("box", box + (" nm" if physical else "")))
    rows.append(("density", f"{system['density']:.6g}" + (" kg/m^3" if physical else "")))
    return rows


def _mesh(mesh: dict[str, Any] | None, physical: bool) -> list[tuple[str, str]]:
    """The mesh that is in use, and the expected errors of its forces."""
    if mesh is None:
        return []
    nm, force = (" nm", " kJ/mol/nm") if physical else ("", "")
    points, beta = " × ".join(map(str, mesh["grid"])), f"{mesh['beta']:.6g}"
    split = f"beta {beta}{'/nm' if physical else ''}, ewald-rtol {mesh['tolerance']:g}"
    errors = f"of the mesh {mesh['mesh_error']:.2g}, of the cut-off {mesh['pair_error']:.2g}"
    return [
        ("points", f"{points}, at most {mesh['spacing']:.4g}{nm} apart"),
        ("order", f"{mesh['order']}"),
        ("splitting", split if physical else split.replace("ewald-rtol", "tolerance")),
        ("force error", f"{mesh['force_error']:.2g}{force} expected (r.m.s.; {errors})"),
    ]


def _section(title: str, rows: list[tuple[str, str]]) -> str:
    if not rows:
        return ""
    width = max(len(name) for name, _ in rows)
    return f"{title}\n" + "\n".join(f"  {n:{width}}  {v}".rstrip() for n, v in rows) + "\n"


def _settings(settings: dict[str, Any], sim: Observed, idle: Collection[str]) -> list[str]:
    """Settings that the user chose, a line each; below, in a few lines, default settings."""
    origin = sim.origin
    shown = [(name, _setting(value)) for name, value in settings.items()]
    if origin is None:
        return [_section("Settings", shown)]
    given = [row for row in shown if row[0] in origin.lines]
    left = [row for row in shown if row[1] and row[0] not in {*origin.lines, *idle}]
    of, useless = f"Settings of {origin.path}", [row for row in given if row[0] in idle]
    return [
        _section(of, [row for row in given if row[0] not in idle]),
        _paragraph("Default settings", left),
        _paragraph(f"{of} without effect here", useless),
    ]


def _paragraph(title: str, settings: list[tuple[str, str]]) -> str:
    """Settings one behind the other."""
    if not settings:
        return ""
    wrapped = textwrap.fill(
        ", ".join(f"{name}={text}" for name, text in settings),
        _WRAP,
        initial_indent="  ",
        subsequent_indent="  ",
        break_on_hyphens=False,
    )
    return f"{title}\n{wrapped}\n"


def _setting(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "-"}[value]
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, dict):
        return ", ".join(f"{k} {_setting(v)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return " ".join(_setting(item) for item in value)
    return str(value)


def _host(sim: Observed) -> str:
    about = sim.describe()
    where = str(about.get("description") or about.get("device", ""))
    threads = int(about.get("threads", 1))
    parts = [platform.node(), where]
    if "thread" not in where:
        parts.append(f"{threads} thread{'s' if threads != 1 else ''}")
    parts += [str(about.get("isa", "")), f"{about.get('precision', '')} precision"]
    return ", ".join(part for part in parts if part)


def now() -> str:
    """The present time of day, with its date."""
    return time.strftime("%Y-%m-%d %H:%M:%S")


def _decimals(error: float) -> int:
    """Decimals of a mean that show two digits of its error."""
    if not math.isfinite(error) or error <= 0:
        return 4
    return min(9, max(0, 1 - math.floor(math.log10(error))))


def _short(value: float) -> str:
    return f"{value:.3g}" if math.isfinite(value) else "-"
