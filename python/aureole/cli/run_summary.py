# SPDX-License-Identifier: Apache-2.0
"""Words for people: what runs where, and how a run went. Returns text, prints nothing."""

from __future__ import annotations

import os
import re
import textwrap
from typing import IO, TYPE_CHECKING, Any

from aureole.base.text import duration, printable, rate

if TYPE_CHECKING:
    from aureole.simulation.simulation import Simulation


WIDTH = 100  # columns of a terminal that lines fit into
_PAIR, _BOUND = re.compile(r"(?<=\d) (?=[^\W\d])"), "\N{NO-BREAK SPACE}"
_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Paint:
    """Colours text where the stream is a terminal that wants them."""

    def __init__(self, stream: IO[str]) -> None:
        unwanted = os.environ.get("TERM") == "dumb" or bool(os.environ.get("NO_COLOR"))
        self.on = stream.isatty() and not unwanted

    def __call__(self, text: str, *styles: str) -> str:
        if not self.on or not styles:
            return text
        return f"\033[{';'.join(_CODES[style] for style in styles)}m{text}\033[0m"


def uncoloured(text: str, *_: str) -> str:
    """The `Paint` of a stream without colours."""
    return text


def table(rows: list[tuple[str, str]], paint: Any = uncoloured, indent: str = "  ") -> str:
    """Names and values in two columns; long values continue in the next line.

    A number and the word after it stay together.
    """
    width = max(len(name) for name, _ in rows)
    margin = " " * (len(indent) + width + 2)
    lines = []
    for name, value in rows:
        parts = textwrap.wrap(
            _PAIR.sub(_BOUND, printable(value)),
            WIDTH - len(margin),
            break_long_words=False,
            break_on_hyphens=False,
        )
        words = f"\n{margin}".join(parts).replace(_BOUND, " ")
        lines.append(f"{indent}{paint(printable(name).ljust(width), 'cyan')}  {words}".rstrip())
    return "\n".join(lines)


def header(sim: Any, version: str, paint: Any = uncoloured) -> str:
    """The first lines of a run."""
    rows = sim.header_rows() if hasattr(sim, "header_rows") else _rows_of_particles(sim)
    return f"{paint('aureole', 'bold')} {version}\n" + table(rows, paint)


def _rows_of_particles(sim: Simulation) -> list[tuple[str, str]]:
    """Particles, device, precision, list, threads, outputs."""
    from aureole.engine.mesh import (
        mesh_in_use,  # with NumPy, which words about commands do not need
    )

    about = sim.describe()
    box = " × ".join(f"{length:.5g}" for length in sim.box.lengths)
    tilt = "" if sim.box.six[3:] == (0.0, 0.0, 0.0) else ", triclinic"
    threads = int(about.get("threads", 1))
    where = str(about.get("description") or about["device"])
    parts = [str(about.get("isa", "")), f"{threads} thread{'s' if threads != 1 else ''}"]
    device = [where, *(part for part in parts if part and part not in where)]
    density = sim.units.density_of(sim.n, float(sim.get("mass").sum()), sim.box.volume)
    unit = f" {sim.units.symbol('density')}".rstrip()
    rows = [
        ("particles", f"{sim.n:,} in a box of {box}{tilt}, density {density:.5g}{unit}"),
        ("device", ", ".join(device)),
        ("precision", str(about.get("precision", sim.device.precision))),
        ("list", _list_words(sim, about)),
        ("forces", "; ".join(_force_words(force) for force in sim.forces) or "none"),
    ]
    if used := mesh_in_use(sim):
        rows.append(("mesh", used[1].about(sim.units.physical)))
    rows.append(("integrator", _integrator_words(sim)))
    outputs = [
        f"{spec.path} every {spec.every:,}"
        for spec in sim.observers
        if getattr(spec, "path", None) is not None
    ]
    if outputs:
        rows.append(("output", ", ".join(outputs)))
    return rows


def _list_words(sim: Simulation, about: dict[str, Any]) -> str:
    mode = str(about.get("list", sim.neighbors.mode))
    words = f"{mode} ({sim.neighbors.tolerance:g})" if mode == "tolerance" else mode
    buffer = about.get("buffer")
    return words + (f", buffer {float(buffer):.3g}" if buffer else "")


def _force_words(force: Any) -> str:
    cut = getattr(force, "r_cut", None)
    if not hasattr(force, "tail_correction"):  # no potential of pairs alone
        name = type(force).__name__
        return f"{name} (r_cut {cut:g})" if isinstance(cut, float) else name
    words = "default cut-off"
    if isinstance(cut, dict):
        words = f"r_cut {min(cut.values()):g} to {max(cut.values()):g}"
    elif cut is not None:
        words = f"r_cut {cut:g}"
    tail = ", tail correction" if force.tail_correction else ""
    return f"{force.kind} ({words}, mode {force.mode}{tail})"


def _integrator_words(sim: Simulation) -> str:
    spec = sim.integrator
    if spec is None:
        return "none"
    numbers = [f"{k} {v:g}" for k, v in spec.parameters().items() if k != "remove_com_every" or v]
    return f"{type(spec).__name__} ({', '.join(numbers)})"


def summary(sim: Simulation, steps: int, seconds: float, paint: Any = uncoloured) -> str:
    """The last lines of a run: speed and state."""
    speed = steps / seconds if seconds > 0 else 0.0
    energy = sim.energy
    done = (
        f"{steps:,} steps in {duration(seconds)}: {rate(speed)} steps/s, "
        f"{rate(speed * sim.dt * 86400)} τ/day, {speed * sim.n / 1e6:.3g} Matom-steps/s"
    )
    state = (
        f"step {sim.step:,}: energy {energy.total / sim.n:.6g} per particle "
        f"(potential {energy.potential / sim.n:.6g}), temperature {sim.temperature:.5g}, "
        f"pressure {sim.pressure:.5g}"
    )
    return table([("done", done), ("state", state)], paint)
