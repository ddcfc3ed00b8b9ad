# SPDX-License-Identifier: Apache-2.0
"""Checks of time step, intervals and the removal of the whole's motion, by the options alone."""

from __future__ import annotations

from collections.abc import Iterator

from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, error, note, rule, warning

INTERVALS = (
    *("nstxout", "nstvout", "nstfout", "nstlog", "nstenergy", "nstxout-compressed"),
    *("fourier-nx", "fourier-ny", "fourier-nz"),
)


@rule("A101")
def single_point(p: RunParameters) -> Iterator[Finding]:
    if p.n_steps == 0 and p.dynamics and not p["continuation"]:
        yield note(
            "nsteps",
            "nsteps = 0 without continuation = yes moves particles onto their constraints first.",
        )


@rule("A102")
def repeated_noise(p: RunParameters) -> Iterator[Finding]:
    if p.integrator == "sd" and p["continuation"] and p["ld-seed"] != -1:
        yield note("ld-seed", f"ld-seed = {p['ld-seed']} must differ from that of the run before.")


@rule("A103")
def time_step_positive(p: RunParameters) -> Iterator[Finding]:
    if p.dynamics and p.dt <= 0.0:
        yield error("dt", f"dt = {p.dt:g} (time advances by it). Give for example 0.002.")


@rule("A104")
def number_of_steps(p: RunParameters) -> Iterator[Finding]:
    if p.n_steps < -1:
        yield error("nsteps", f"nsteps = {p.n_steps} (-1 alone means without end). Count steps.")


@rule("A107")
def repartition_factor(p: RunParameters) -> Iterator[Finding]:
    key = "mass-repartition-factor"
    factor = p[key]
    if factor < 1.0:
        yield error(key, f"{key} = {factor:g} (it must be 1 or more). 3 is usual.")


@rule("A108")
def intervals_not_negative(p: RunParameters) -> Iterator[Finding]:
    for key in INTERVALS:
        if p[key] < 0:
            yield error(key, f"{key} = {p[key]} (0 is the least). Use 0.")
    if p["compressed-x-precision"] <= 0.0:
        yield error("compressed-x-precision", "compressed-x-precision must be positive. Use 1000.")


@rule("A109")
def minimisation_numbers(p: RunParameters) -> Iterator[Finding]:
    if p.dynamics:
        return
    for key in ("emtol", "emstep"):
        if p[key] <= 0.0:
            yield error(key, f"{key} = {p[key]:g} (it must be positive).")


@rule("A110")
def coarse_grained_habits(p: RunParameters) -> Iterator[Finding]:
    if p["epsilon-r"] not in (15.0, 2.5) or p.dt < 0.01:
        return
    for key in ("rcoulomb", "rvdw"):
        if abs(p[key] - 1.1) > 1e-6:
            yield note(key, f"{key} = {p[key]:g} (Martini's parameters were made with 1.1 nm).")
    if p["vdw-modifier"] != "Potential-shift":
        yield note(
            "vdw-modifier",
            f"vdw-modifier = {p.values['vdw-modifier']} (Martini's parameters were made with "
            "Potential-shift).",
        )


@rule("A702")
def ice_cubes(p: RunParameters) -> Iterator[Finding]:
    if p.integrator in ("md", "md-vv") and not any(p.periodic) and p["comm-mode"] != "Angular":
        yield note(
            "comm-mode",
            "the overall rotation is kept with pbc = no (a flying ice cube may result). Use "
            "comm-mode = Angular.",
        )


@rule("A703")
def rotation_in_a_box(p: RunParameters) -> Iterator[Finding]:
    if p["comm-mode"] != "Angular":
        return
    if p["periodic-molecules"]:
        yield error("comm-mode", "periodic molecules cannot turn. Use comm-mode = Linear.")
    elif any(p.periodic):
        yield warning(
            "comm-mode",
            "comm-mode = Angular disturbs a periodic system, unless the group is one cluster "
            "that crosses no boundary. Use comm-mode = Linear.",
        )


@rule("A704")
def frequent_motion_removal(p: RunParameters) -> Iterator[Finding]:
    if p.dynamics and p["comm-mode"] != "None" and 0 < p["nstcomm"] < p["nstcalcenergy"]:
        yield note(
            "nstcomm",
            f"nstcomm = {p['nstcomm']} is less than nstcalcenergy = {p['nstcalcenergy']} (sums "
            f"cost time). Use nstcomm = {p['nstcalcenergy']}.",
        )
