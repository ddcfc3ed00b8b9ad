# SPDX-License-Identifier: Apache-2.0
"""Facts about a run, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aureole.base.errors import Error
from aureole.engine.mesh import mesh_in_use
from aureole.engine.observed import Observed
from aureole.formats.box_vectors import from_box
from aureole.live.observer import Observer
from aureole.system.bonded_pairs import bonded_pairs
from aureole.system.coarse_grained import bead_diameters, is_coarse_grained

from .energy_columns import Quantities
from .process_facts import process_facts

Profile = dict[str, tuple[float, int | None]]
#: Parts of a step in which a rank waits for no other.
_COMPUTED = ("search", "prune", "force", "bonded")
_COUNTS = (
    *("steps_made", "steps_taken_back", "renewals", "early_renewals"),
    *("collectives", "collectives_of_renewals", "lists_outrun"),
)


def facts_of(sim: Observed, spec: Any, quantities: Quantities) -> dict[str, Any]:
    """Facts that stay the same in a run: version, inputs, system, settings, notes, process."""
    from aureole.base.engine_schema import VERSION

    return {
        "version": VERSION,
        "inputs": dict(spec.inputs or {}),
        "system": {
            "units": sim.units.name,
            "particles": sim.n,
            "molecules": _molecules(sim),
            "box": from_box(sim.box).tolist(),
            "periodic": list(sim.box.periodic),
            "density": quantities.mass / sim.box.volume * quantities.units.density,
        }
        | _beads(sim),
        "settings": _settings(sim),
        "notes": list(dict.fromkeys([*spec.notes, *_notes(sim)])),
        "mesh": _mesh(sim),
        "run": process_facts(sim),
    }


def _molecules(sim: Observed) -> list[dict[str, Any]]:
    topology = sim.topology
    counts: dict[str, int] = {}
    for molecule, count in topology.blocks if topology is not None else ():
        counts[molecule.name] = counts.get(molecule.name, 0) + count
    return [{"name": name, "count": count} for name, count in counts.items()]


def _beads(sim: Observed) -> dict[str, Any]:
    """Bonds and diameters of coarse-grained molecules, which no distance tells; or nothing."""
    topology = sim.topology
    if topology is None or sim.units.name != "molecular" or not is_coarse_grained(topology):
        return {}
    blocks = [
        {
            "count": count,
            "particles": molecule.atoms.n,
            "diameters": bead_diameters(molecule, topology.nonbonded).round(6).tolist(),
            "bonds": bonded_pairs(molecule).tolist(),
        }
        for molecule, count in topology.blocks
    ]
    return {"beads": blocks}


def _mesh(sim: Observed) -> dict[str, Any] | None:
    """The mesh of PME that is in use, with the expected errors of its forces; None without one."""
    used = mesh_in_use(sim)
    if used is None:
        return None
    pme, found = used
    return {
        "grid": list(found.grid),
        "spacing": found.spacing,
        "order": found.order,
        "beta": found.beta,
        "tolerance": float(pme.tolerance),
        "force_error": found.error,
        "mesh_error": found.mesh_error,
        "pair_error": found.pair_error,
    }


def _settings(sim: Observed) -> dict[str, Any]:
    if sim.origin is not None:
        chosen = dict(sim.origin.settings) | dict(sim.origin.seeds)
        return {name: _plain(value) for name, value in chosen.items()}
    lists = sim.neighbors.to_dict()
    if sim.neighbors.mode == "exact":
        del lists["tolerance"]  # it is not used
    settings: dict[str, Any] = {"seed": sim.seed, "neighbors": lists}
    if sim.integrator is not None:
        settings["integrator"] = sim.integrator.to_dict()
    if sim.constraints:
        settings["constraints"] = [spec.to_dict() for spec in sim.constraints]
    return settings | {"forces": [force.to_dict() for force in sim.forces]}


def _notes(sim: Observed) -> list[str]:
    of_files = () if sim.origin is None else sim.origin.notes
    of_topology = () if sim.topology is None else sim.topology.notes
    return [str(note) for note in (*of_files, *of_topology)]


def _plain(value: Any) -> Any:
    """A setting as JSON has it."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def speed_of(sim: Observed, steps: int, seconds: float, physical: bool) -> dict[str, Any]:
    """How fast `steps` were in `seconds`, and on what; ns/day only where time is in ps."""
    about, rate = sim.describe(), steps / seconds if seconds > 0 else 0.0
    return {
        "ns_per_day": 86.4 * rate * sim.dt if physical else None,
        "steps_per_second": rate,
        "wall_seconds": seconds,
        "threads": int(about.get("threads", 1)),
        "device": str(about.get("description") or about.get("device", "")),
    }


@dataclass(frozen=True)
class Tally:
    """Time and counts of the steps of all runs of a simulation so far."""

    profile: Profile  #: seconds and calls of each part of a step; on several ranks, mean seconds
    loads: list[float]  #: seconds of each rank in forces and lists, without waiting for others
    counts: dict[str, int]  #: collectives, renewals of lists, and the like

    @classmethod
    def of(cls, sim: Observed) -> Tally:
        about, by_rank = sim.describe(), _by_rank(sim)
        return cls(
            _mean(by_rank if len(by_rank) > 1 else [sim.profile()]),
            [sum(one[name] for name in _COMPUTED) for one in by_rank],
            {name: int(about.get(name, 0)) for name in _COUNTS},
        )


def _by_rank(sim: Observed) -> list[dict[str, float]]:
    """Seconds of each part of a step on each rank; none where ranks cannot be asked any more."""
    try:
        return sim.profiles()
    except Error:
        return []


def _mean(by_rank: list[dict[str, float]]) -> Profile:
    return {name: (sum(one[name] for one in by_rank) / len(by_rank), None) for name in by_rank[0]}


def spent(now: Profile, before: Profile) -> Profile:
    """Seconds and calls of each part between two profiles."""
    parts: Profile = {}
    for name, (seconds, calls) in now.items():
        began, called = before.get(name, (0.0, 0))
        if seconds > began:
            parts[name] = (seconds - began, None if calls is None else calls - (called or 0))
    return parts


def added(one: Profile, other: Profile) -> Profile:
    """Seconds and calls of each part in both together."""
    parts = dict(one)
    for name, (seconds, calls) in other.items():
        before, called = parts.get(name, (0.0, 0))
        both = None if calls is None or called is None else calls + called
        parts[name] = (before + seconds, both)
    return parts


def shares(parts: Profile, wall: float) -> list[dict[str, Any]]:
    """Parts of a step, the longest first; `share` is of the wall time `wall` [s].

    The time outside all parts, mostly of observers, is the last row, "rest".
    """
    rows: list[dict[str, Any]] = [
        {"part": name, "seconds": seconds, "calls": calls}
        for name, (seconds, calls) in parts.items()
    ]
    rows.sort(key=lambda row: -row["seconds"])
    rest = wall - sum(row["seconds"] for row in rows)
    rows.append({"part": "rest", "seconds": max(0.0, rest), "calls": None})
    return [row | {"share": row["seconds"] / wall if wall > 0 else 0.0} for row in rows]


def ranks_of(sim: Observed, now: Tally, before: Tally) -> dict[str, Any] | None:
    """How the ranks worked together between two tallies; None on one rank.

    A collective is a call in which each rank waits for all others: a sum, a barrier, a gathering.
    """
    about = sim.describe()
    if int(about.get("ranks", 1)) == 1:
        return None
    since = {name: count - before.counts[name] for name, count in now.counts.items()}
    steps = since["steps_made"]
    worked = [end - start for end, start in zip(now.loads, before.loads, strict=False)]
    mean = sum(worked) / len(worked) if worked else 0.0
    between = since["collectives"] - since["collectives_of_renewals"]
    return {
        "ranks": int(about["ranks"]),
        "grid": list(about.get("grid", ())),
        "load_imbalance": max(worked) / mean - 1 if mean > 0 else None,
        "collectives_per_step": since["collectives"] / steps if steps > 0 else 0.0,
        "collectives_per_step_between_renewals": between / steps if steps > 0 else 0.0,
        "list_renewals": since["renewals"],
        "renewals_ahead_of_plan": since["early_renewals"],
        "steps_taken_back": since["steps_taken_back"],
    }


def outputs_of(observers: Sequence[Observer], spec: Any) -> dict[str, Any]:
    """Files by their kind of contents; of several alike the first."""
    found: dict[str, Any] = dict.fromkeys(("trajectory", "energies", "last_frame", "checkpoint"))
    known = [(o.holds, o.files[0]) for o in observers if o.holds and o.files]
    for name, path in known:
        if found.get(name) is None:
            found[name] = path
    frames = [path for name, path in known if name == "trajectory"]
    return found | {"trajectories": frames} | dict(spec.outputs or {})
