# SPDX-License-Identifier: Apache-2.0
"""The LAMMPS program: data files of our systems, runs of scripts, and what they print."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from aureole_bench import lammps
from aureole_bench.engines import cpus, run_program


def program():
    """The lmp program, or a skip that says how to install it."""
    found = lammps.find()
    if found is None:
        pytest.skip(f"LAMMPS is missing. {lammps.INSTALL}")
    return found


def run(folder, script, limit=600.0):
    """What `lmp` says about a script that it runs in a folder, with one thread."""
    (Path(folder) / "in.lmp").write_text(script)
    words = [program(), "-in", "in.lmp", "-log", "none", "-nocite"]
    bind = {"OMP_NUM_THREADS": "1"}
    return run_program(words, on=cpus(), folder=folder, environment=bind, limit=limit)


def tables(text):
    """Columns of each table that `thermo` printed, one table for each run, by their names."""
    found = []
    for header, body in re.findall(r"^ *(Step\b.*)\n((?: *[-\d].*\n)+)", text, re.MULTILINE):
        rows = np.array([line.split() for line in body.splitlines()], dtype=float)
        found.append(dict(zip(header.split(), rows.T, strict=True)))
    return found


def write_data(path, system, **tuples):
    """A data file with `atom_style full`: particles, velocities, and bonds, angles and dihedrals.

    Types of particles are numbered as in `system.type_names`, and all of a type have one mass.
    Types of bonds are numbered in the order of their names. `tuples`, such as bonds={"OH": tags},
    take the place of what the system has.
    """
    masses = [np.unique(system.mass[system.type == k]) for k in range(len(system.type_names))]
    atoms = zip(
        (system.type + 1).tolist(),
        system.charge.tolist(),
        system.position.tolist(),
        system.image.tolist(),
        strict=True,
    )
    counts = {"atoms": system.n, "atom types": len(masses)}
    sections = {
        "Masses": [(k, mass.item()) for k, mass in enumerate(masses, 1)],
        "Atoms # full": [(k, 0, t, q, *r, *image) for k, (t, q, r, image) in enumerate(atoms, 1)],
        "Velocities": [(k, *v) for k, v in enumerate(system.velocity.tolist(), 1)],
    }
    for what in ("bonds", "angles", "dihedrals"):
        tables = tuples.get(what, getattr(system, what))
        rows = [
            (kind, *tags)
            for kind, table in enumerate(tables.values(), 1)
            for tags in (np.asarray(table) + 1).tolist()
        ]
        if rows:
            counts |= {what: len(rows), f"{what[:-1]} types": len(tables)}
            sections[what.title()] = [(k, *row) for k, row in enumerate(rows, 1)]
    lines = ["written by a test", "", *(f"{n} {what}" for what, n in counts.items()), ""]
    lines += _bounds(system.box)
    for name, rows in sections.items():
        lines += ["", name, "", *(" ".join(map(repr, row)) for row in rows)]
    Path(path).write_text("\n".join([*lines, ""]))


def _bounds(box):
    """Those of a box whose centre is the origin."""
    low = -0.5 * box.matrix.sum(axis=1)
    both = zip("xyz", low.tolist(), (low + box.lengths).tolist(), strict=True)
    (_, xy, xz), (_, _, yz), _ = box.matrix.tolist()
    tilts = [f"{xy!r} {xz!r} {yz!r} xy xz yz"] if xy or xz or yz else []
    return [f"{lo!r} {hi!r} {a}lo {a}hi" for a, lo, hi in both] + tilts
