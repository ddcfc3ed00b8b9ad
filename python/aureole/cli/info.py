# SPDX-License-Identifier: Apache-2.0
"""`aureole info`: what is in a file."""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
from typing import Any

import numpy as np

from aureole import _core
from aureole.base.errors import file_error
from aureole.base.files import open_regular
from aureole.base.text import one_line
from aureole.checkpoint.continuing import command_of
from aureole.checkpoint.record import read_extra
from aureole.formats import gsd
from aureole.formats.read_coordinates import read_coordinates
from aureole.formats.scan import scan

from .run_summary import Paint, table

Rows = list[tuple[str, str]]

_KINDS = "GSD, XTC, TRR, DCD, GRO, PDB, checkpoint, input .toml or table .csv"
#: Files of a run that info does not describe, and what does.
_ELSEWHERE = {
    (".top", ".itp", ".mdp", ".ndx"): "Check it with the rest of its input: `aureole check`",
    (".log", ".json"): "Read it as text, or make a page about its run: `aureole report`",
}


def add_to(commands: Any, about: str) -> None:
    """Add the command to the parser; `about` says what it is for."""
    command = commands.add_parser(
        "info",
        help=about,
        description="Tell what is in trajectories, coordinates, checkpoints, input files and logs.",
    )
    command.add_argument("file", nargs="+", help=_KINDS)
    command.set_defaults(act=act)


def act(arguments: argparse.Namespace) -> int:
    """Print a few lines about each file."""
    paint = Paint(sys.stdout)
    for path in arguments.file:
        if not os.path.isfile(path):
            raise file_error(path, "cannot be read", "no such file", "Check its name")
        kind, rows = describe(path)
        rows.append(("size", f"{os.path.getsize(path):,} bytes"))
        sys.stdout.write(f"{paint(one_line(path), 'bold')}: {kind}\n{table(rows, paint)}\n")
    return 0


def describe(path: str) -> tuple[str, Rows]:
    """What kind of file it is, and its rows of names and values."""
    if gsd.looks_like_gsd(path):
        return "GSD file", _gsd(path)
    if path.endswith(".toml"):
        return "input file", _toml(path)
    if path.endswith(".csv"):
        return "log", _csv(path)
    if path.endswith((".xtc", ".trr", ".dcd")):
        return "trajectory", _trajectory(path)
    if path.endswith((".gro", ".pdb")):
        return "coordinates", _coordinates(path)
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


def _gsd(path: str) -> Rows:
    with gsd.GSDReader(path) as reader:
        if reader.frames == 0:
            return [("frames", "none")]
        last = reader.frames - 1
        n = reader.count(last)
        box = reader.numbers("configuration/box", last, (6,), "f")
        typeid = reader.numbers("particles/typeid", last, (n,), "iu")
        names = reader.names(last)
        counts = np.bincount(
            np.zeros(n, int) if typeid is None else np.clip(typeid, 0, len(names)).astype(int),
            minlength=len(names),
        )
        types = [f"{count:,} {name}" for count, name in zip(counts, names, strict=False)]
        rows = [
            ("frames", f"{reader.frames:,}, steps {reader.step(0):,} to {reader.step(last):,}"),
            ("particles", f"{n:,}: {', '.join(types)}"),
        ]
        if box is not None:
            rows.append(("box", " ".join(f"{value:.6g}" for value in box)))
            volume = float(box[0]) * float(box[1]) * float(box[2])
            if volume > 0:
                rows.append(("density", f"{n / volume:.6g}"))
        found = reader.file.find_matching_chunk_names("")
        rows.append(("holds", ", ".join(sorted(found))))
        return rows


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
        raise file_error(path, "is not a log", error, "Give a table of ours") from None
    if columns[:1] != ["step"]:
        raise file_error(path, "is not a log", "no column step comes first", "Give a table of ours")
    rows = [("columns", ", ".join(columns)), ("rows", f"{count:,}")]
    if last:
        pairs = zip(columns, last, strict=False)
        rows.append(("last", ", ".join(f"{k} {v}" for k, v in pairs)))
    return rows


def _trajectory(path: str) -> Rows:
    found = scan(path)
    rows = [("frames", f"{found.frames:,}"), ("particles", f"{found.particles:,}")]
    if found.first is not None and found.last is not None:
        (step, time), (end, last) = found.first, found.last
        rows += [("steps", f"{step:,} to {end:,}"), ("time", f"{time:g} to {last:g} ps")]
        rows.append(("holds", ", ".join(found.holds)))
    if found.rest:
        rows.append(("cut off", f"{found.rest:,} bytes after the last whole frame"))
    return rows


def _coordinates(path: str) -> Rows:
    found = read_coordinates(path)
    rows = [("title", found.title), ("particles", f"{found.n:,}")]
    if found.box is not None:
        rows.append(("box", "; ".join(" ".join(f"{x:.6g}" for x in row) for row in found.box)))
    holds = "positions" if found.velocity is None else "positions, velocities"
    return [*rows, ("holds", holds), *(("note", note) for note in found.notes)]


def _checkpoint(path: str) -> Rows:
    data = read_extra(path, _core.read_extra(path))
    target = data["target"]
    step = ("step", f"{data['step']:,}" + (f" of {target:,}" if target else ""))
    if "job" in data:
        return [step, *_job(path, data)]
    return [
        step,
        ("box", " ".join(f"{value:.6g}" for value in data["box"])),
        ("types", ", ".join(data["type_names"])),
        ("forces", "; ".join(map(_spec, data["forces"])) or "none"),
        ("integrator", _spec(data["integrator"]) if data["integrator"] else "none"),
        ("observers", "; ".join(map(_spec, data["observers"])) or "none"),
        ("checked", "every block, whole"),
    ]


def _job(path: str, data: dict[str, Any]) -> Rows:
    """A checkpoint of molecules: what it belongs to, and how to continue it."""
    rows = [("box", " ".join(f"{value:.6g}" for value in data["box"]))]
    rows += [(part, name) for part, name in data["job"]["files"].items()]
    written = [spec["path"] for spec in data["observers"] if spec.get("path")]
    return [
        *rows,
        ("part", str(data["part"])),
        ("output", ", ".join(written) or "none"),
        ("go on", command_of(data["continue"], path)),
        ("checked", "every block, whole"),
    ]


def _spec(data: dict[str, Any]) -> str:
    values = ", ".join(f"{k}={v}" for k, v in data.items() if k != "kind" and v is not None)
    return f"{data['kind']}({values})"
