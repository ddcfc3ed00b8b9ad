# SPDX-License-Identifier: Apache-2.0
"""`aureole info`: what is in a file."""

from __future__ import annotations

import argparse
import csv
import io
import math
import os
import re
import sys
from typing import Any

from aureole import _core
from aureole.base.errors import Error, file_error
from aureole.base.files import open_regular
from aureole.base.text import one_line
from aureole.checkpoint.provenance_record import command_of
from aureole.checkpoint.record import read_extra
from aureole.formats.coordinates import Coordinates
from aureole.formats.registry import FileFormat, format_of_file
from aureole.formats.scan_trajectory import Contents, scan
from aureole.records.record import FLUIDS, application_in

from .commands import TABLE
from .run_summary import Paint, table

Rows = list[tuple[str, str]]

_KINDS = TABLE["info"]["file"]["help"]
#: Files of a run that info does not describe, and what does.
_ELSEWHERE = {
    (".top", ".itp", ".mdp", ".ndx"): "Check it with the other input files: `aureole check`",
    (".log", ".json"): "Read it as text, or write a page about its run: `aureole report`",
}


def act(arguments: argparse.Namespace) -> int:
    """Print a few lines about each file."""
    paint, wrong = Paint(sys.stdout), []
    for path in arguments.file:
        try:
            _tell(path, paint)
        except Error as error:
            wrong.append(error)
    if len(wrong) > 1:
        sys.stderr.write("".join(f"error: {error}\n" for error in wrong[:-1]))
    if wrong:
        raise wrong[-1]
    return 0


def _tell(path: str, paint: Paint) -> None:
    if not os.path.isfile(path):
        raise file_error(path, "cannot be read", "no such file", "Check its name")
    kind, rows = describe(path)
    rows.append(("size", f"{os.path.getsize(path):,} bytes"))
    sys.stdout.write(f"{paint(one_line(path), 'bold')}: {kind}\n{table(rows, paint)}\n")


def describe(path: str) -> tuple[str, Rows]:
    """The kind of a file, and its rows of names and values."""
    if path.endswith(".toml"):
        return "input file", _toml(path)
    if path.endswith(".csv"):
        return "log", _csv(path)
    known = format_of_file(path)
    rows = None if known is None else _of_format(known, path)
    if known is not None and rows is not None:
        return known.kind, rows
    for endings, instead in _ELSEWHERE.items():
        if path.endswith(endings):
            raise file_error(path, "is not a file that info describes", "it is text", instead)
    if not path.endswith((".cpt", ".ckpt", ".prev")) and not _starts_as_checkpoint(path):
        why = f"it is none of {_KINDS}"
        raise file_error(path, "is not a file that info describes", why, "Check its name")
    return "checkpoint", _checkpoint(path)


def _starts_as_checkpoint(path: str) -> bool:
    try:
        with open_regular(path, 2**62) as file:
            return file.read(4) == b"\x89AUR"
    except OSError:
        return True  # reading it as one says what is wrong


def _toml(path: str) -> Rows:
    from aureole.jobs import input_file

    plan = input_file.load(path)
    settings = plan.settings
    return [
        ("system", repr(plan.system)),
        ("steps", f"{plan.steps:,}"),
        ("forces", "; ".join(map(repr, settings["forces"])) or "none"),
        ("integrator", repr(settings["integrator"])),
        ("observers", "; ".join(map(repr, plan.observers)) or "none"),
    ]


def _csv(path: str) -> Rows:
    try:
        with io.TextIOWrapper(open_regular(path, 2**62), encoding="utf-8", newline="") as file:
            lines = csv.reader(line for line in file if not line.startswith("#"))
            columns = next(lines, [])
            count, last = 0, []
            for line in lines:
                count, last = count + 1, line
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise file_error(path, "is not a log", error, "Give a table of Aureole") from None
    if columns[:1] != ["step"]:
        raise file_error(path, "is not a log", "column 1 is not step", "Give a table of Aureole")
    rows = [("columns", ", ".join(columns)), ("rows", f"{count:,}")]
    if last:
        pairs = zip(columns, last, strict=False)
        rows.append(("last", ", ".join(f"{k} {v}" for k, v in pairs)))
    return rows


def _of_format(known: FileFormat, path: str) -> Rows | None:
    """Rows on the contents of a file of a known format; None where the format is not read."""
    if known.facts is not None:
        return known.facts(path)
    if known.frames is not None or known.scan is not None:
        return _trajectory(scan(path, known))
    return None if known.coordinates is None else _coordinates(known.coordinates(path))


def _trajectory(found: Contents) -> Rows:
    rows = [("frames", f"{found.frames:,}"), ("particles", f"{found.particles:,}")]
    if found.first is not None and found.last is not None:
        (step, time), (end, last) = found.first, found.last
        rows += [("steps", f"{step:,} to {end:,}"), ("time", f"{time:g} to {last:g} ps")]
        words = {name: f" (in {count:,} of them)" for name, count in found.counts.items()}
        rows.append(("holds", ", ".join(f"{name}{words.get(name, '')}" for name in found.holds)))
    if found.rest:
        rows.append(("cut off", f"{found.rest:,} bytes after the last complete frame"))
    return rows


def _coordinates(found: Coordinates) -> Rows:
    rows = [("title", found.title), ("particles", f"{found.n:,}")]
    if found.box is not None:
        rows.append(("box", "; ".join(" ".join(f"{x:.6g}" for x in row) for row in found.box)))
    holds = "positions" if found.velocity is None else "positions, velocities"
    return [*rows, ("holds", holds), *(("note", note) for note in found.notes)]


def _checkpoint(path: str) -> Rows:
    if application_in(path) == FLUIDS:
        from . import run_fluid

        return run_fluid.rows(path)
    data = read_extra(path, _core.read_extra(path))
    target = data["target"]
    return [
        ("step", f"{data['step']:,}" + (f" of {target:,}" if target else "")),
        ("box", " ".join(f"{value:.6g}" for value in data["box"])),
        *(_job(path, data) if "job" in data else _specs(data)),
        ("checked", "all blocks, intact"),
    ]


def _specs(data: dict[str, Any]) -> Rows:
    return [
        ("types", ", ".join(data["type_names"])),
        ("forces", "; ".join(map(_spec, data["forces"])) or "none"),
        ("integrator", _spec(data["integrator"]) if data["integrator"] else "none"),
        ("observers", "; ".join(map(_spec, data["observers"])) or "none"),
    ]


def _continuing(path: str, data: dict[str, Any]) -> str:
    """The command that continues the run, for a number of steps to fill in if it is finished."""
    command = command_of(data["continue"], path)
    if not command.startswith("aureole") or data["step"] < (data["target"] or math.inf):
        return command
    return re.sub(r" -nsteps \d+", "", command) + " -nsteps N (the run is finished)"


def _job(path: str, data: dict[str, Any]) -> Rows:
    """A checkpoint of molecules: what it belongs to, and how to continue it."""
    written = [spec["path"] for spec in data["observers"] if spec.get("path")]
    return [
        *data["job"]["files"].items(),
        ("part", str(data["part"])),
        ("output", ", ".join(written) or "none"),
        ("continue", _continuing(path, data)),
    ]


def _spec(data: dict[str, Any]) -> str:
    values = ", ".join(f"{k}={v}" for k, v in data.items() if k != "kind" and v is not None)
    return f"{data['kind']}({values})"
