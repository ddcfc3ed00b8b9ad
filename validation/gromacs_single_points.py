#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Energies per term and forces of single points, beside GROMACS in double precision.

    validation/gromacs_single_points.py REGRESSIONTESTS [--shared DATA] [--results DIR]

REGRESSIONTESTS is the folder of GROMACS' regression set; its program is AUREOLE_GMX or gmx on
PATH, and the same with _d in double precision. Inputs that use only supported features must agree;
of the others the rest is compared without the option that rules them out, where that can be done.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from aureole.base.errors import Error
from aureole.gromacs.job import read_job
from aureole_bench.gmx import Gmx, installed
from gromacs_inputs import Case, buffer_options, cases
from gromacs_peer import SINGLE_POINT, Files, single_point, single_point_options
from single_point import compare


def run_case(case: Case, peers: dict[str, Gmx], folder: Path) -> dict[str, Any]:
    """All that is known of one input, as a row for JSON."""
    row: dict[str, Any] = {
        "name": case.name,
        "eligible": case.eligible,
        "reasons": case.reasons,
        "small": case.small,
        "without": case.without,
    }
    if case.job is None or set(case.reasons) - set(case.without):
        return row
    row["particles"] = case.job.topology.n
    at = folder / case.name
    try:
        points = {}
        for name, peer in peers.items():
            (at / name).mkdir(parents=True, exist_ok=True)
            points[name] = single_point(Gmx(peer.program, at / name), case.files)
        point = points["double"]
        scale = float(np.sqrt((point.force**2).mean()))
        if "mixed" in points:
            error = points["mixed"].force - point.force
            row["gromacs mixed force"] = float(np.sqrt((error**2).mean())) / (scale or 1.0)
        for precision in ("double", "mixed"):
            found = compare(case.job, point, precision)
            row[precision] = {
                "good": found.good,
                "energy": max(found.differences().values(), default=0.0),
                "worst energy": max(found.differences().items(), key=_second, default=("", 0))[0],
                "force": found.force,
                "worst particle": found.worst + 1,
                "limits": found.limits,
                "terms": found.energy,
            }
    except (Error, ValueError, KeyError) as error:
        row["failed"] = re.sub(r"/\S*/", "", f"{type(error).__name__}: {error}")
    return row


def _second(item: tuple[str, float]) -> float:
    return item[1]


def shared_cases(data: Path, folder: Path) -> list[Case]:
    """The systems of the project's shared data, each in several forms."""
    forms = {
        "rf": "coulombtype = reaction-field\nepsilon-rf = 0\n",
        "pme": "coulombtype = pme\nfourierspacing = 0.12\n",
    }
    common = "cutoff-scheme = Verlet\nrcoulomb = 1\nrvdw = 1\ndt = 0.001\n"
    found = []
    for name in ("water-ethanol/we12k", "dhfr/dhfr"):
        conf, top = (data / name).with_suffix(".gro"), (data / name).with_suffix(".top")
        if not conf.exists():
            continue
        for form, text in forms.items():
            at = folder / "shared" / f"{conf.stem}-{form}"
            at.mkdir(parents=True, exist_ok=True)
            mdp = at / "grompp.mdp"
            mdp.write_text(single_point_options(common + text, SINGLE_POINT))
            job = read_job(conf, top, mdp)
            longer = SINGLE_POINT | buffer_options(job)
            mdp.write_text(single_point_options(common + text, longer))
            name = f"shared/{conf.stem}-{form}"
            found.append(Case(name, Files(mdp, conf, top), read_job(conf, top, mdp)))
    return found


def line_of(row: dict[str, Any]) -> str:
    """One input as one line of the table on the screen."""
    if "failed" in row:
        return f"{row['name']:44s} FAILED {row['failed'][:160]}"
    if "double" not in row:
        return f"{row['name']:44s} not run: {'; '.join(row['reasons'])[:120]}"
    words = [f"{row['name']:44s}{row['particles']:7d}"]
    for precision in ("double", "mixed"):
        one = row[precision]
        mark = "ok " if one["good"] else "BAD"
        words.append(f"{mark} E {one['energy']:.1e} ({one['worst energy']}) F {one['force']:.1e}")
    words.append(f"(gmx mixed F {row.get('gromacs mixed force', float('nan')):.1e})")
    return "  ".join(words)


def markdown(rows: Sequence[dict[str, Any]], version: str) -> str:
    """The table of what is eligible, what was measured, and what rules the others out."""
    regression = [row for row in rows if not row["name"].startswith("shared/")]
    eligible = [row for row in regression if row["eligible"]]
    small = [row for row in regression if row["small"] and not row["reasons"]]
    others = [row for row in regression if row["reasons"]]
    parts = [
        "# Single points beside GROMACS",
        _filled(
            f"Reference: {version}. Energies: largest difference of any term in parts of the sum "
            "of the magnitudes of all terms; forces: root mean square of the difference in parts "
            "of that of the forces."
        ),
        _filled(
            f"Of {len(regression)} inputs of the regression set {len(eligible)} are eligible, "
            f"{len(small)} have a box that is too small for their cut-off, and {len(others)} use "
            "something that is not supported."
        ),
        "## Eligible",
        _table(eligible),
        "## Systems of the shared data",
        _table([row for row in rows if row["name"].startswith("shared/")]),
        "## Box too small",
        "\n".join(f"* {row['name']}: {row['small']}" for row in small) or "none",
        _table([row for row in small if "double" in row]),
        "## Not eligible",
        "| input | ruled out by |\n|---|---|\n"
        + "\n".join(f"| {row['name']} | {'; '.join(row['reasons'])} |" for row in others),
        "## The rest of these inputs, without the options that rule them out",
        _table([row for row in others if "double" in row]),
    ]
    failed = [row for row in rows if "failed" in row]
    if failed:
        parts += ["## Failed", "\n".join(f"* {row['name']}: {row['failed']}" for row in failed)]
    return "\n\n".join(parts) + "\n"


def _filled(words: str) -> str:
    return "\n".join(textwrap.wrap(words, 110, break_on_hyphens=False))


def _table(rows: Sequence[dict[str, Any]]) -> str:
    head = (
        "| input | particles | double: energy | forces | mixed: energy | forces | "
        "GROMACS' own mixed forces | remarks |\n|---|---|---|---|---|---|---|---|\n"
    )
    lines = []
    for row in rows:
        if "double" not in row:
            lines.append(f"| {row['name']} | | | | | | | {row.get('failed', 'not run')} |")
            continue
        cells = [row["name"], str(row["particles"])]
        remarks = []
        for precision in ("double", "mixed"):
            one = row[precision]
            cells += [f"{one['energy']:.1e}", f"{one['force']:.1e}"]
            if not one["good"]:
                remarks.append(f"{precision} misses: {one['worst energy']}")
        if row["without"]:
            remarks.append("without " + ", ".join(row["without"]))
        cells += [f"{row.get('gromacs mixed force', float('nan')):.1e}", "; ".join(remarks)]
        lines.append("| " + " | ".join(cells) + " |")
    return head + "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path, help="folder of GROMACS' regression set")
    parser.add_argument("--shared", type=Path, help="folder of the project's shared data")
    parser.add_argument("--only", default="", help="inputs whose name contains this word")
    parser.add_argument("--results", type=Path, help="folder for the table and the JSON rows")
    parser.add_argument("--keep", type=Path, help="folder for files of the runs")
    options = parser.parse_args(arguments)
    try:
        peers = {"double": installed(Path.cwd(), double=True), "mixed": installed(Path.cwd())}
    except Error as error:
        print(error, file=sys.stderr)
        return 2
    os.environ.setdefault("GMXLIB", str(peers["double"].library))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as made:
        folder = options.keep or Path(made)
        found = cases(options.root.resolve(), folder)
        if options.shared:
            found += shared_cases(options.shared.resolve(), folder)
        eligible = sum(case.eligible for case in found)
        print(f"{len(found)} inputs, {eligible} eligible", flush=True)
        rows = []
        for case in found:
            if options.only not in case.name:
                continue
            rows.append(run_case(case, peers, folder))
            print(line_of(rows[-1]), flush=True)
    version = f"GROMACS {peers['double'].version}"
    if options.results:
        name = f"single-points-{time.strftime('%Y-%m-%d')}"
        options.results.mkdir(parents=True, exist_ok=True)
        (options.results / f"{name}.md").write_text(markdown(rows, version))
        head = {"reference": version, "seconds": round(time.monotonic() - began)}
        (options.results / f"{name}.json").write_text(
            json.dumps(head | {"inputs": rows}, indent=1) + "\n"
        )
    bad = [
        r
        for r in rows
        if r["eligible"] and not all(r.get(p, {}).get("good") for p in ("double", "mixed"))
    ]
    print(f"{len(bad)} of {sum(r['eligible'] for r in rows)} eligible inputs differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
