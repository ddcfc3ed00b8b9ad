# SPDX-License-Identifier: Apache-2.0
"""Step 0 beside GROMACS in double precision: energies, forces, temperature and pressure."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gromacs_own
import numpy as np
from aureole.base.errors import Error
from aureole.gromacs.checks.system import longest_cut_off
from aureole_bench.engines import PeerFailed
from aureole_bench.gmx import Gmx, installed
from aureole_bench.trr import frames
from built import Built
from conservation import unwrapped
from files import NAMES, gro, places

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "validation"))

from gromacs_peer import TERMS
from single_point import own_energy

#: What makes one configuration of any job; positions and velocities are those of the input.
STEP_0 = {
    "nsteps": "0",
    "nstlist": "1",
    "nstxout": "1",
    "nstvout": "1",
    "nstfout": "1",
    "nstenergy": "1",
    "nstcalcenergy": "1",
    "tcoupl": "no",
    "pcoupl": "no",
    "verlet-buffer-tolerance": "-1",
}
#: Constraints are solved to their end on both sides: pressures have the errors of the solver. Those
#: of rods with LINCS of order 2 and two iterations differ by 1e-3, those of ethanol with SHAKE of
#: 1e-7 by 3e-5; solved like this, the same jobs agree to 7e-8. SHAKE of GROMACS may end early: with
#: any tolerance its pressure of job 11000729 is 14 bar from that of its LINCS, which is ours.
SOLVER = {"lincs-order": "8", "lincs-iter": "8", "constraint-algorithm": "LINCS"}
#: Allowed differences: of energies in parts of their sizes' sum, of forces in parts of their root
#: mean square, of the pressure in parts of the sizes of its parts.
ENERGY, FORCE, PRESSURE = 2e-7, 2e-6, 1e-6
#: GROMACS integrates the tail of a switched potential with the steps of a table: job 43000742 has
#: -0.945993 bar there, -0.946013 here and by adaptive quadrature.
PRESSURE_OF_TAIL = 3e-5
BAR = 16.6053906717384


class NotThere(Exception):
    """The property cannot be looked at, and why."""


def check(built: Built) -> Iterator[str]:
    """What differs from GROMACS, in words."""
    if any(name == "site:1" for name, _ in built.recipe.molecules):
        raise NotThere("GROMACS 2022 loses the forces on sites that stand upon one particle")
    theirs = _gromacs(built)
    energy, parameters = theirs["energy"], _solved(built)
    with built.simulation(
        precision="double", threads=1, position=theirs["x"], parameters=parameters
    ) as sim:
        ours = dict(sim.energy.per_force)
        found, potential, kinetic = sim.get("force"), sim.energy.potential, sim.energy.kinetic
        temperature, pressure, box = sim.temperature, sim.pressure, sim.box
        tail, of_angles = (
            _pressure_of(sim, n) for n in ("dispersion_correction", "angle_restraint")
        )
        allowed = PRESSURE * _size_of_pressure(sim) + PRESSURE_OF_TAIL * abs(tail)
    own = own_energy(built.job)
    if "mesh" in ours:
        ours["mesh"] -= own
        ours["coulomb"] += own
    size = max(sum(map(abs, ours.values())), 1.0)
    yield from _energies(ours | {"potential": potential}, energy, size)
    excess = gromacs_own.of_switched_exclusions(built.job, box, theirs["x"])
    force = theirs["f"] - excess.force
    error = np.sqrt(((found - force) ** 2).mean())
    scale = np.sqrt((force**2).mean())
    if not error <= FORCE * max(scale, 1.0):
        worst = int(((found - force) ** 2).sum(1).argmax())
        yield (
            f"forces differ from GROMACS by {error / scale:.3g} of {scale:.4g}; the worst is "
            f"row {worst}: {found[worst]} and {force[worst]}"
        )
    if not built.dynamics:
        return
    if _moves_otherwise(built):
        return
    if not abs(kinetic - energy["Kinetic-En."]) <= 1e-6 * max(energy["Kinetic-En."], 1.0):
        yield f"kinetic energy {kinetic:.10g}, in GROMACS {energy['Kinetic-En.']:.10g}"
    there = energy["Temperature"]
    if _counted_alike(built) and not abs(temperature - there) <= 1e-6 * max(there, 1.0):
        yield f"temperature {temperature:.10g}, in GROMACS {there:.10g} K"
    if not all(built.job.parameters.periodic):
        return
    if excess.force.any() and _constrained(built):  # which answers that force with another virial
        return
    if "angle_restraint" in ours and built.tilted:
        # Scaling changes no angle, so that these terms have no pressure. GROMACS 2022 finds one
        # where such a term crosses a tilted box: -606.405 bar in job 7000020 with whatever other
        # terms, none with the restraints left out or in a rectangular box.
        if not abs(of_angles) <= allowed:
            yield f"angle restraints make a pressure of {of_angles:.4g} bar"
        return
    more = excess.pressure_volume + gromacs_own.of_net_charge(built.job, box.volume)
    there = energy["Pressure"] - BAR * more / box.volume
    if not abs(pressure - there) <= allowed:
        yield f"pressure {pressure:.9g}, in GROMACS {there:.9g} bar; {allowed:.4g} are allowed"


def _solved(built: Built) -> Any:
    """The parameters with constraints that are solved to their end, by the job's algorithm."""
    order, iterations = int(SOLVER["lincs-order"]), int(SOLVER["lincs-iter"])
    solver = {"lincs-order": order, "lincs-iter": iterations, "shake-tol": 1e-12}
    return built.job.parameters.changed(solver)


def _moves_otherwise(built: Built) -> bool:
    """Are velocities drawn by another generator, noisy, or of masses that GROMACS 2022 lacks?"""
    p = built.job.parameters
    frozen = "frozen" in built.recipe.features
    if frozen and not _constrained(built):  # whose constraints give pressures of 1e19 bar there
        # The frozen of a continuation keep their velocities there.
        frozen = p["continuation"]
    # Velocities of a continued md-vv are of half a step before there.
    verlet = p.integrator == "md-vv" and p["continuation"]
    noisy = p["gen-vel"] or p.integrator == "sd" or verlet
    # The drift of groups at the start is taken off before step 0 there.
    return noisy or p["mass-repartition-factor"] > 1 or bool(p["comm-grps"]) or frozen


def _counted_alike(built: Built) -> bool:
    """GROMACS shares what the removal of drift takes by particles, frozen ones included."""
    return built.job.parameters["comm-mode"] == "None" or "frozen" not in built.recipe.features


def _constrained(built: Built) -> bool:
    terms = built.job.topology.expand_terms()
    return any(kind in terms and terms[kind].n > 0 for kind in ("settle", "constraint"))


def _size_of_pressure(sim: Any) -> float:
    """What the parts of the pressure add up to without their signs [bar]."""
    sizes = sum(
        float(np.abs(np.trace(np.reshape(t["virial"], (3, 3))))) for t in sim.thermo()["per_force"]
    )
    own = np.asarray(sim.thermo()["constraint_virial"], dtype=float).reshape(3, 3)
    sizes += float(np.abs(np.trace(own))) + 2 * sim.energy.kinetic
    return BAR * sizes / (3 * sim.box.volume) + 1.0


def _pressure_of(sim: Any, name: str) -> float:
    """What the virial of some terms is of the pressure [bar]."""
    found = [t for t in sim.thermo()["per_force"] if t["name"] == name]
    virial = sum(float(np.trace(np.reshape(t["virial"], (3, 3)))) for t in found)
    return BAR * virial / (3 * sim.box.volume)


def _energies(ours: dict[str, float], theirs: dict[str, float], size: float) -> Iterator[str]:
    ours = dict(ours)
    restraint = [name for name in ("harmonic_restraint",) if name in ours]
    for name in restraint:
        ours["harmonic_bond"] = ours.get("harmonic_bond", 0.0) + ours.pop(name)
    for name, value in ours.items():
        names = ("Potential",) if name == "potential" else TERMS.get(name, ())
        if name in ("pair", "vdw", "coulomb", "mesh"):
            continue
        there = sum(theirs.get(one, 0.0) for one in names)
        if not abs(value - there) <= ENERGY * size:
            yield f"{name} is {value:.10g}, in GROMACS {there:.10g}, of {size:.4g} kJ/mol"
    both = ("pair", "vdw", "coulomb", "mesh")  # whose parts are counted together there
    here = sum(ours.get(name, 0.0) for name in both)
    there = sum(theirs.get(one, 0.0) for name in both for one in TERMS[name])
    if not abs(here - there) <= ENERGY * size:
        parts = {name: ours[name] for name in both if name in ours}
        yield f"pair energies {parts} add up to {here:.10g}, in GROMACS {there:.10g}"


def _gromacs(built: Built) -> dict[str, Any]:
    """Energies by name, and arrays x and f of their step 0."""
    folder = built.folder / "gromacs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        gmx = installed(folder, double=True)
    except Error as error:
        raise NotThere(str(error).split(".")[0]) from None
    conf, top, _, index, references = (built.folder / name for name in NAMES)
    if built.job.parameters["continuation"] and not built.real.all():
        conf = _with_sites_in_place(built, folder)
    options = dict(built.recipe.options) | STEP_0 | SOLVER | _list(built) | _instead(built)
    text = "".join(f"{key} = {value}\n" for key, value in options.items())
    (folder / "p.mdp").write_text(text)
    try:
        gmx.run(
            *("grompp", "-f", "p.mdp", "-c", conf, "-p", top, "-n", index, "-r", references),
            *("-o", "p.tpr", "-po", "out.mdp", "-maxwarn", 99),
        )
        gmx.mdrun("p", "-notunepme")
        energy = {name: values[0] for name, values in _all_energies(gmx).items()}
    except PeerFailed as error:
        raise NotThere("GROMACS: " + _short(error)) from None
    found = next(frames(folder / "p.trr"))
    shutil.rmtree(folder)
    return {"energy": energy, "x": found["x"], "f": found["f"]}


def _with_sites_in_place(built: Built, folder: Path) -> Path:
    """Coordinates as a run leaves them: a continuation begins with the sites of the file there."""
    _, velocity = places(built.recipe)
    with built.simulation(precision="double", threads=1) as sim:
        position = unwrapped(sim) + built.middle()
    position[built.real] = built.job.coordinates.position[built.real]
    path = folder / "conf.gro"
    path.write_text(gro(built.recipe, position, velocity))
    return path


def _all_energies(gmx: Gmx) -> dict[str, list[float]]:
    terms = gmx.terms("p")
    try:
        return gmx.energies("p", *terms, "Kinetic-En.", "Temperature", "Pressure")
    except (Error, ValueError):  # of a minimiser, or without a box
        return gmx.energies("p", *terms)


def _list(built: Built) -> dict[str, str]:
    """A radius somewhat beyond the cut-off: right at it GROMACS misses pairs."""
    cut = built.job.parameters.r_cut
    box, periodic = built.job.coordinates.box, built.job.parameters.periodic
    most = 0.99 * longest_cut_off(box, periodic) if any(periodic) else 2 * cut
    return {"rlist": f"{max(min(1.1 * cut, most), cut):.6g}"}


def _instead(built: Built) -> dict[str, str]:
    """Steps that none makes: other integrators are computed alike but for their velocities."""
    integrator = built.recipe.options["integrator"]
    return {"integrator": "md"} if integrator in ("steep", "sd") else {}


def _short(error: PeerFailed) -> str:
    words = " ".join(str(error).split())
    return words[:160]
