# SPDX-License-Identifier: Apache-2.0
"""Interactions of a random job: cut-offs, charges, dispersion, pair lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draw import Draft

LONGEST = 0.9  # nm


def cut_offs(d: Draft) -> None:
    """One radius, or none in the open."""
    if d.pbc == "no" and d.chance(0.5):
        d.options["cut-offs"] = {"rcoulomb": "0", "rvdw": "0"}
        return
    most = min(LONGEST, d.longest)
    r = f"{d.draw.uniform(0.62, 0.97) * most:.3f}"
    d.options["cut-offs"] = {"rcoulomb": r, "rvdw": r}


def electrostatics(d: Draft) -> None:
    """Mesh, reaction field or cut-off, with their numbers."""
    r = float(d.options["cut-offs"]["rcoulomb"])
    weights = (50, 25, 25) if d.pbc == "xyz" else (0, 50, 50) if r else (0, 0, 1)
    kind = d.draw.choices(("PME", "Reaction-Field", "Cut-off"), weights)[0]
    found = {"coulombtype": kind}
    if d.chance(0.15) and r:
        found["coulomb-modifier"] = "None"
    if kind == "Reaction-Field":
        found["epsilon-rf"] = d.draw.choice(("0", "61", "2.5"))
    if d.chance(0.12):
        found["epsilon-r"] = d.draw.choice(("2", "1.5"))
    d.options["charges"] = found
    if kind != "PME":
        return
    mesh = {"fourierspacing": d.draw.choice(("0.12", "0.1", "0.15", "0.08"))}
    if d.chance(0.5):
        mesh["pme-order"] = d.draw.choice(("4", "4", "5", "6", "7", "8"))
    if d.chance(0.5):
        mesh["ewald-rtol"] = d.draw.choice(("1e-3", "1e-4", "1e-6", "1e-7"))
    if d.chance(0.2):
        mesh |= {f"fourier-n{axis}": d.draw.choice(("14", "16", "20", "25")) for axis in "xyz"}
    d.options["mesh"] = mesh


def van_der_waals(d: Draft) -> None:
    """Modifiers, a shorter radius beside a mesh, the correction for the tail."""
    r = float(d.options["cut-offs"]["rvdw"])
    if not r:
        return
    found: dict[str, str] = {}
    if "mesh" in d.options and d.chance(0.15):
        r = round(0.9 * r, 3)
        found["rvdw"] = f"{r:g}"
    way = d.draw.choices(
        ("", "None", "Force-switch", "Potential-switch", "old"), (50, 12, 14, 14, 10)
    )
    if way[0] == "old":
        found["vdwtype"] = d.draw.choice(("Shift", "Switch"))
    elif way[0]:
        found["vdw-modifier"] = way[0]
    if way[0] not in ("", "None"):
        found["rvdw-switch"] = f"{d.draw.uniform(0.6, 0.95) * r:.3f}"
    if found:
        d.options["dispersion"] = found
    if d.pbc == "xyz" and d.chance(0.3):
        d.options["tail"] = {"DispCorr": d.draw.choice(("Ener", "EnerPres"))}


def list_of_pairs(d: Draft) -> None:
    """The default in most jobs; then it says nothing of lists."""
    r = float(d.options["cut-offs"]["rcoulomb"])
    if d.pbc != "xyz":
        d.options["list"] = {"verlet-buffer-tolerance": "-1", "rlist": f"{r * 1.02:.4f}"}
        d.options["list"]["nstlist"] = d.draw.choice(("5", "10"))
        return
    way = d.draw.choices(("", "tolerance", "radius"), (70, 18, 12))[0]
    if way == "tolerance":
        tolerance = d.draw.choice(("1e-4", "0.001", "0.05"))
        d.options["list"] = {"verlet-buffer-tolerance": tolerance}
    elif way == "radius":
        r_list = f"{min(1.1 * r, 0.995 * d.longest):.4f}"
        d.options["list"] = {"verlet-buffer-tolerance": "-1", "rlist": r_list}
    if d.chance(0.3):
        d.options["interval"] = {"nstlist": d.draw.choice(("1", "5", "20", "40"))}
