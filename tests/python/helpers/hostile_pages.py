# SPDX-License-Identifier: Apache-2.0
"""Runs whose files have one word in every field that a user's file can set, for tests of pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bead_runs
import gsd.fl
import numpy as np
import report_run

#: Lower-case letters alone: what a page does to names leaves it as it is.
PLAIN = "plainword"
#: Words that would end or begin an element or a script, or that a browser or a reader would obey.
WORDS = {
    "elements": "</script><script>window.broken=1</script></title></style><!--<script>"
    "</td></table></h1><img src=x onerror=window.broken=1>",
    "quotes": '" onmouseover=\'window.broken=1\' autofocus onfocus="window.broken=1" '
    "&lt;b&gt;&#60;i&#62;&amp;amp;&quot {{ 7*7 }}{% raw %}${window.broken=1}`",
    "controls": "\x07\x1b[31m\x00\x01\x7f \u202egro.exe\u202c\u200f\u2066\udc00\ud800",
}
#: Names of what each object of JavaScript has; columns may have these names as well.
OF_OBJECTS = ("__proto__", "constructor", "toString")
_MEAN = {"mean": 1.0, "error": 0.1, "drift": 0.0, "spread": 1.0}


def in_name(word: str) -> str:
    """What of a word can be in the name of a file."""
    return in_line(word).replace("/", "∕")[:80]


def in_line(word: str) -> str:
    """What of a word a text file of columns can hold."""
    return word.replace(",", ";").encode(errors="ignore").decode().replace("\x00", "") or "none"


def in_columns(word: str) -> str:
    """What of a word five columns can hold: .gro files with control characters are refused."""
    return "".join(letter for letter in in_line(word) if " " < letter <= "~")[:5]


def summary(word: str, name: str) -> dict[str, Any]:
    """What a run says about itself, with the word wherever there are words."""
    told = report_run.summary()
    return told | {
        "version": word,
        "system": told["system"]
        | {"title": word, "molecules": [{"name": word, "count": 2}], word: word, "more": {word: 1}},
        "inputs": {word: word, "conf": word},
        "notes": [word, {"text": word}],
        "settings": {word: word, "list": [word], "table": {word: [word]}},
        "speed": told["speed"] | {"device": word, word: word},
        "profile": [{"part": word, "seconds": 1.0, "calls": 2}],
        "averages": {f"{word} of the run": _MEAN | {"unit": word}}
        | dict.fromkeys(OF_OBJECTS, _MEAN),
        "error": word,
        "outputs": {"trajectory": f"{name}.xtc", "energies": f"{name}.csv"},
    }


def name_rows(names: list[str]) -> Any:
    """(k, m) bytes of names, which GSD files hold as UTF-8."""
    rows = np.array([name.encode() for name in names])
    return rows.view(np.uint8).reshape(len(names), -1)


def molecules(folder: Path, word: str) -> Path:
    """Files of a molecular run; returns their prefix."""
    name = in_name(word)
    prefix = report_run.write(folder, name)
    Path(f"{prefix}.json").write_text(json.dumps(summary(word, name)))
    table = Path(f"{prefix}.csv").read_text().replace("harmonic_bond", in_line(word))
    Path(f"{prefix}.csv").write_text(table.replace("# energies of a test", f"# {in_line(word)}"))
    path = Path(f"{prefix}.gro")
    text = path.read_text().replace("SOL  ", f"{in_columns(word):<5s}")
    path.write_text(text.replace("box of water", in_line(word)))
    return prefix


def particles(folder: Path, word: str) -> Path:
    """Files of a run of particles, whose types are words."""
    name = in_name(word)
    rng = np.random.default_rng(1)
    types = [in_line(word), f"{in_line(word)} b"]
    chunks = {
        "configuration/box": np.array([6, 6, 6, 0, 0, 0], np.float32),
        "particles/N": np.array([120], np.uint32),
        "particles/types": name_rows(types),
        "particles/typeid": (np.arange(120) // 80).astype(np.uint32),
        "particles/position": (6 * rng.random((120, 3)) - 3).astype(np.float32),
        "bonds/N": np.array([1], np.uint32),
        "bonds/types": name_rows(types[:1]),
        "bonds/typeid": np.zeros(1, np.uint32),
        "bonds/group": np.array([[0, 1]], np.uint32),
    }
    with gsd.fl.open(f"{folder / name}.gsd", "w", "a test", "hoomd", (1, 4)) as file:
        for key, values in chunks.items():
            file.write_chunk(key, values)
        file.end_frame()
    rows = "".join(f"{k},{0.1 * k},{k % 7},{k % 5}\n" for k in range(40))
    Path(f"{folder / name}.csv").write_text(f"step,time,potential,{in_line(word)}\n{rows}")
    told = summary(word, name)
    told["system"] |= {"units": "reduced", "molecules": [], "periodic": [True, True, False]}
    told["settings"]["forces"] = [{"type": word, "sigma": {f"{word},{word}": 1.0}}]
    told["outputs"] = {"trajectory": f"{name}.gsd"}
    Path(f"{folder / name}.json").write_text(json.dumps(told))
    return folder / name


def beads(folder: Path, word: str) -> Path:
    """The end of a minimisation of beads, whose names are words."""
    bead_runs.write(folder)
    name, short = in_name(word), in_columns(word)
    text = (folder / "conf.gro").read_text().replace("  C2B", f"{short:>5s}")
    Path(f"{folder / name}.gro").write_text(text.replace("a bilayer", in_line(word)))
    rows = "".join(f"{k},{0.01 * k},{-k},{100 - k},{k},{k}\n" for k in range(40))
    head = f"step,displacement,potential,max_force,particle,{in_line(word)}\n"
    Path(f"{folder / name}.csv").write_text(head + rows)
    told = summary(word, name) | {"stopped": word}
    told["minimum"] = {"converged": False, "energy": -1.0, "max_force": 5.0, "steps": 40}
    told["minimum"]["reason"] = word
    told["settings"]["integrator"] = "steep"
    Path(f"{folder / name}.json").write_text(json.dumps(told))
    return folder / name


RUNS = {"molecules": molecules, "particles": particles, "beads": beads}
