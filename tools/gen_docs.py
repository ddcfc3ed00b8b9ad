# SPDX-License-Identifier: Apache-2.0
"""Writes the reference pages that the engine knows best: potentials, features, input files.

python tools/gen_docs.py [--check] [--out FOLDER]
with --check nothing is written, stale pages are named; with --out FOLDER they are written there
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

import feature_table
from aureole.jobs import input_file
from aureole.specs import pair as potentials
from aureole.specs.kinds import KINDS
from pages import fill, table, write
from reference_page import fluids_page, python_page

OUT = Path(__file__).parents[1] / "docs" / "reference"
FAMILIES = (
    *(
        "system",
        "force",
        "integrator",
        "thermostat",
        "barostat",
        "annealing",
        "constraint",
        "stage",
    ),
    *("observer", "minimizer", "list", "device"),
)
NOTE = "<!-- Made by tools/gen_docs.py: change the sources instead. -->\n"


def potentials_page() -> str:
    parts = [
        NOTE,
        "# Potentials\n",
        "Each has one leaf file in `src/md/pair/leaves/`, or in `pair/` of an extension folder.\n",
    ]
    for entry in potentials.SCHEMA:
        rows = [
            [f"`{p['name']}`", p["doc"], p["unit"], _needed(entry, p.get("default"))]
            for p in entry["parameters"]
        ]
        rows += [
            ["`r_cut`", "cut-off; 0 turns a pair off", "length", _own_end(entry)],
            ["`r_switch`", "start of the smoothing in mode `xplor`", "length", ""],
            ["`mode`", ", ".join(f"`{mode}`" for mode in potentials.MODES), "", "`none`"],
            ["`tail_correction`", "long-range correction of energy and pressure", "", "`False`"],
        ]
        parts += [f"## {entry['name']}\n", fill(entry["doc"]) + "\n"]
        for column in entry["reads"]:
            parts.append(
                f"Reads the column `{column['name']}` ({column['unit']}) of each particle.\n"
            )
        parts.append(table(["parameter", "meaning", "unit", "default"], rows))
    return "\n".join(parts)


def _own_end(entry: dict) -> str:
    return "where the potential ends" if entry.get("natural_cutoff") else "required"


def _default(value: object) -> str:
    return "required" if value is None else f"{value:g}"


def _needed(entry: dict, value: object) -> str:
    """Some potentials may take the parameters that the types of a system have."""
    of_types = entry["name"] == potentials.OF_TYPES and value is None
    return "those of the system's types" if of_types else _default(value)


def features_page() -> str:
    """Feature × backend, as the sources have it."""
    words = "A backend refuses what it does not support; nothing is silently copied to the host.\n"
    return "\n".join([NOTE, "# Features and backends\n", words, feature_table.markdown()])


def input_page() -> str:
    parts = [NOTE, "# Input files\n", "TOML files; names are those of the Python classes.\n"]
    parts.append(table(["key", "meaning"], [[f"`{k}`", v] for k, v in input_file.KEYS.items()]))
    for family in FAMILIES:
        parts.append(f"## {family}\n")
        for name, cls in sorted(KINDS[family].items()):
            if name == "Callback":
                continue
            words = fill((cls.__doc__ or "").split("\n\n")[0].strip())
            parts.append(f"### `{name}`\n\n{words}\n")
            rows = [[f"`{f.name}`", _written(f)] for f in dataclasses.fields(cls)]
            parts.append(table(["key", "default"], rows))
    return "\n".join(parts)


def _written(field: dataclasses.Field) -> str:
    value = field.default
    if field.default_factory is not dataclasses.MISSING:
        value = field.default_factory() or None
    if value is dataclasses.MISSING:
        return "required"
    return "" if value is None else f"`{json.dumps(value)}`"


def main() -> int:
    pages = {
        "potentials.md": potentials_page(),
        "input.md": input_page(),
        "python.md": python_page(NOTE),
        "amr.md": fluids_page(NOTE),
        "features.md": features_page(),
    }
    return write(OUT, pages, "gen_docs.py")


if __name__ == "__main__":
    sys.exit(main())
