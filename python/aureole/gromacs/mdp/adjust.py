# SPDX-License-Identifier: Apache-2.0
"""Making options consistent while they are read: effects of one option on another.

Every rule changes settings as GROMACS' preprocessor would and says so in a finding. They are
applied in their order here: later ones see what earlier ones have changed. Conditions give the new
values of options.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from aureole.gromacs.notes import ACTIONS, RULES, Finding, note, rule, rules_when

from .read_lines import Settings

#: Interval of coupling that is taken if the time constants allow it [steps].
USUAL_INTERVAL = 10
#: Fewest couplings in one time constant, of relaxing thermostats and barostats and of
#: oscillating ones; the limits of GROMACS, below which the coupling is not integrated well.
FEWEST_T = {"Berendsen": 5, "V-rescale": 0, "Nose-Hoover": 20, "No": 0}
FEWEST_P = {"Berendsen": 10, "C-rescale": 10, "Parrinello-Rahman": 20, "No": 0}


def adjust(settings: Settings) -> None:
    """Apply every adjustment, in order, and keep their notes."""
    for number in filter(lambda number: RULES[number].reading, ACTIONS):
        for finding in ACTIONS[number](settings):
            where = settings.where(finding.key)
            settings.tell(number, finding.severity, where, finding.text)
            settings.values.update(finding.values)


def _switched(s: Settings) -> dict[str, Any]:
    kind, modifier = s["vdwtype"], s["vdw-modifier"]
    if kind not in ("Shift", "Switch"):
        return {}
    if modifier in ("None", "Potential-shift"):
        modifier = "Force-switch" if kind == "Shift" else "Potential-switch"
        return {"vdwtype": "Cut-off", "vdw-modifier": modifier}
    s.wrong(
        "vdwtype",
        f"vdwtype = {kind} cannot be combined with vdw-modifier = {modifier}",
        "the forces would be modified twice",
        f"Use vdwtype = Cut-off with vdw-modifier = {modifier}",
    )
    return {}


def _interval_of_energies(s: Settings) -> dict[str, Any]:
    if s["integrator"] != "steep" and s["nstcalcenergy"] < 0:
        s["nstcalcenergy"] = math.gcd(USUAL_INTERVAL, max(0, s["nstenergy"]))
    longer = s["integrator"] != "steep" and 0 < s["nstenergy"] < s["nstcalcenergy"]
    return {"nstcalcenergy": s["nstenergy"]} if longer else {}


def _next_multiple(s: Settings) -> dict[str, Any]:
    every, given = s["nstcalcenergy"], s["nstenergy"]
    if s["integrator"] == "steep" or every <= 0 or given % every == 0:
        return {}
    return {"nstenergy": (given // every + 1) * every}


def _interval_of_motion_removal(s: Settings) -> dict[str, Any]:
    if s["nstcomm"] == 0 or s["comm-mode"] == "None":
        s["nstcomm"], s["comm-mode"] = 0, "None"
    return {"nstcomm": -s["nstcomm"]} if s["nstcomm"] < 0 else {}


def _infinite_field(s: Settings) -> dict[str, Any]:
    if s["coulombtype"] != "Reaction-Field-zero":
        return {}
    s["coulombtype"] = "Reaction-Field"
    return {"epsilon-rf": 0.0} if s["epsilon-rf"] != 0.0 else {}


def _chain(s: Settings, wrong: bool) -> dict[str, Any]:
    return {"nh-chain-length": 1} if s["tcoupl"] == "Nose-Hoover" and wrong else {}


def _exchanged(s: Settings) -> dict[str, Any]:
    field = s["coulombtype"] == "Reaction-Field"
    exchanged = field and s["epsilon-rf"] == 1.0 and s["epsilon-r"] not in (0.0, 1.0)
    return {"epsilon-rf": s["epsilon-r"], "epsilon-r": 1.0} if exchanged else {}


def _uncoupled(s: Settings) -> dict[str, Any]:
    drawn = s["tcoupl"] in ("No", "V-rescale") and s["integrator"] != "sd"
    taus = tuple(-1.0 if tau == 0.0 else tau for tau in s["tau-t"])
    return {"tau-t": taus} if not drawn and 0.0 in s["tau-t"] else {}


rules_when(
    {
        "A301": _switched,
        "A402": (
            lambda s: s["tcoupl"] != "No" and s["integrator"] == "sd" and {"tcoupl": "No"},
            lambda s: s["tcoupl"] != "No" and s["integrator"] == "steep" and {"tcoupl": "No"},
        ),
        "A401": lambda s: s["tcoupl"] == "yes" and {"tcoupl": "Berendsen"},
        "A502": (
            lambda s: s["pcoupl"] != "No" and s["integrator"] == "steep" and {"pcoupl": "No"},
            lambda s: s["pcoupl"] != "No" and s["pbc"] == "no" and {"pcoupl": "No"},
        ),
        "A501": lambda s: s["pcoupl"] == "Isotropic" and {"pcoupl": "Berendsen"},
        "A105": (_interval_of_energies, _next_multiple),
        "A701": _interval_of_motion_removal,
        "A403": (
            lambda s: _chain(s, s["nh-chain-length"] < 1),
            lambda s: _chain(s, s["integrator"] == "md" and s["nh-chain-length"] > 1),
        ),
        "A304": _infinite_field,
        "A302": _exchanged,
        "A601": lambda s: s["lincs-warnangle"] > 90.0 and {"lincs-warnangle": 90.0},
        "A404": _uncoupled,
    }
)


@rule("A106")
def coupling_intervals(s: Settings) -> Iterator[Finding]:
    dt = s["dt"]
    for kind, key, taus, fewest in (
        (s["tcoupl"], "nsttcouple", s["tau-t"], FEWEST_T),
        (s["pcoupl"], "nstpcouple", (s["tau-p"],), FEWEST_P),
    ):
        if kind == "No" or s[key] >= 0:
            continue
        s[key] = best_interval(dt, taus, fewest.get(kind, 0))
        if s[key] < USUAL_INTERVAL:
            yield note(key, f"{key} is set to {s[key]} (the time constant is short).")


def best_interval(dt: float, taus: tuple[float, ...], fewest: int) -> int:
    """The interval [steps] at which a coupling with time constants `taus` [ps] is done."""
    shortest = min((tau for tau in taus if tau > 0.0), default=0.0)
    if shortest <= 0.0 or fewest == 0 or dt <= 0.0:
        return USUAL_INTERVAL
    # GROMACS compares in single precision, so equal numbers are equal there.
    if shortest > USUAL_INTERVAL * dt * (1.0 + 1e-6):
        return USUAL_INTERVAL
    return max(1, int(shortest / (dt * fewest) * (1.0 + 1e-6)))
