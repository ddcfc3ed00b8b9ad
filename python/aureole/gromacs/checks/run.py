# SPDX-License-Identifier: Apache-2.0
"""Checks of time step, intervals and the removal of the whole's motion, by the options alone."""

from __future__ import annotations

from collections.abc import Iterator

from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, checking, error, note, warning

INTERVALS = (
    *("nstxout", "nstvout", "nstfout", "nstlog", "nstenergy", "nstxout-compressed"),
    *("fourier-nx", "fourier-ny", "fourier-nz"),
)


@checking("A101", "note")
def single_point(p: RunParameters) -> Iterator[Finding]:
    """A single point moves particles onto their constraints first.

    With nsteps = 0 the energies of just one configuration are wanted. Unless continuation = yes,
    constrained bonds are brought to their lengths before, so that the energies are those of
    slightly different positions.
    """
    if p.n_steps == 0 and p.dynamics and not p["continuation"]:
        yield note(
            "nsteps",
            "nsteps = 0 without continuation = yes moves particles onto their constraints first.",
        )


@checking("A102", "note")
def repeated_noise(p: RunParameters) -> Iterator[Finding]:
    """A continued Langevin run with a seed of its own.

    Noise that starts from the same seed in every part of a run repeats itself, and a system that
    gets the same noise again is driven by it. ld-seed = -1 chooses a new seed each time.
    """
    if p.integrator == "sd" and p["continuation"] and p["ld-seed"] != -1:
        yield note("ld-seed", f"ld-seed = {p['ld-seed']} must differ from that of the run before.")


@checking("A103", "error")
def time_step_positive(p: RunParameters) -> Iterator[Finding]:
    """A time step that is not positive.

    Dynamics needs dt > 0; time is not run backwards.
    """
    if p.dynamics and p.dt <= 0.0:
        yield error("dt", f"dt = {p.dt:g} (time advances by it). Give for example 0.002.")


@checking("A104", "error")
def number_of_steps(p: RunParameters) -> Iterator[Finding]:
    """A number of steps that is neither positive nor -1.

    -1 means that the run goes on until it is stopped; no other negative number has a meaning.
    """
    if p.n_steps < -1:
        yield error("nsteps", f"nsteps = {p.n_steps} (-1 alone means without end). Count steps.")


@checking("A107", "error")
def repartition_factor(p: RunParameters) -> Iterator[Finding]:
    """mass-repartition-factor below 1.

    The factor makes light atoms heavier; below 1 it would make them lighter.
    """
    key = "mass-repartition-factor"
    factor = p[key]
    if factor < 1.0:
        yield error(key, f"{key} = {factor:g} (it must be 1 or more). 3 is usual.")


@checking("A108", "error")
def intervals_not_negative(p: RunParameters) -> Iterator[Finding]:
    """Negative intervals and numbers of grid points.

    0 switches an output off, or leaves a choice to the program; a negative number means nothing.
    """
    for key in INTERVALS:
        if p[key] < 0:
            yield error(key, f"{key} = {p[key]} (0 is the least). Use 0.")
    if p["compressed-x-precision"] <= 0.0:
        yield error("compressed-x-precision", "compressed-x-precision must be positive. Use 1000.")


@checking("A109", "error")
def minimisation_numbers(p: RunParameters) -> Iterator[Finding]:
    """Minimisation without a tolerance or a step.

    emtol is the force at which minimisation stops, emstep the length of its first step. Both must
    be positive.
    """
    if p.dynamics:
        return
    for key in ("emtol", "emstep"):
        if p[key] <= 0.0:
            yield error(key, f"{key} = {p[key]:g} (it must be positive).")


@checking("A110", "note")
def coarse_grained_habits(p: RunParameters) -> Iterator[Finding]:
    """Martini's permittivity with other cut-offs than Martini's.

    epsilon-r = 15 (or 2.5 for polarisable water) is the permittivity of the Martini force field,
    whose parameters were fitted with cut-offs of 1.1 nm and potentials shifted to 0 there. Other
    settings give another force field.
    """
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


@checking("A702", "note")
def ice_cubes(p: RunParameters) -> Iterator[Finding]:
    """Rotation is kept in a system without periodicity.

    A thermostat that scales velocities can feed the rotation of a free cluster until that is all
    its kinetic energy. comm-mode = Angular takes rotation out; sd has no such trouble.
    """
    if p.integrator in ("md", "md-vv") and not any(p.periodic) and p["comm-mode"] != "Angular":
        yield note(
            "comm-mode",
            "the overall rotation is kept with pbc = no (a flying ice cube may result). Use "
            "comm-mode = Angular.",
        )


@checking("A703", "warning")
def rotation_in_a_box(p: RunParameters) -> Iterator[Finding]:
    """Rotation is removed in a periodic system.

    The rotation of a periodic system around its centre has no meaning, and taking it out disturbs
    the motion, unless the group is one cluster that never crosses the boundary. Molecules bound
    to their own images cannot turn at all.
    """
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


@checking("A704", "note")
def frequent_motion_removal(p: RunParameters) -> Iterator[Finding]:
    """Centre-of-mass motion is removed more often than energies are computed.

    Each removal needs sums over all particles, the very thing that nstcalcenergy saves. Equal
    intervals cost less.
    """
    if p.dynamics and p["comm-mode"] != "None" and 0 < p["nstcomm"] < p["nstcalcenergy"]:
        yield note(
            "nstcomm",
            f"nstcomm = {p['nstcomm']} is less than nstcalcenergy = {p['nstcalcenergy']} (sums "
            f"cost time). Use nstcomm = {p['nstcalcenergy']}.",
        )
