# SPDX-License-Identifier: Apache-2.0
"""What CI runs after the fast tier: lanes that are owed, as long as there is time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from . import machine, table
from .config import Config, Problem
from .files import git
from .runner import Outcome, closing_line, run_lane, say
from .states import State, States

#: Seconds on the clock for all of CI, at factor 1 and on the slowest machine.
LIMIT, LONGEST_LIMIT = 900.0, 1800.0
#: The clock of a lane beside processor time on all cores: set-up and the last tests run alone.
UNEVEN = 1.06
#: A lane may be owed for so many commits.
MOST_COMMITS = 100
#: When CI began, in seconds since 1970: .ci/run sets it.
VARIABLE = "AUREOLE_CI_BEGAN"


def expected(state: State, factor: float) -> float:
    """Seconds on the clock that a lane will take here, where nothing is built yet.

    Receipts tell less: most lanes passed on trees that had been built before.
    """
    return UNEVEN * state.lane.budget * factor / machine.cores()


def limit(factor: float) -> float:
    """Seconds on the clock for all of CI here."""
    return min(LIMIT * max(factor, 1.0), LONGEST_LIMIT)


def repeated(config: Config, states: list[State]) -> State | None:
    """The proven lane that runs again, chosen by the commit."""
    able = (s for s in states if s.proven and not s.lane.by_hand)
    proven = sorted(able, key=lambda s: s.lane.name)
    commit = git(config.root, "rev-parse", "HEAD").strip()
    return proven[int(commit, 16) % len(proven)] if proven else None


def beginning(clock: Callable[[], float]) -> float:
    given = os.environ.get(VARIABLE) or str(clock())
    try:
        return float(given)
    except ValueError:
        raise Problem(f"{VARIABLE}={given} (it is no time). Start .ci/run.") from None


def run(config: Config, clock: Callable[[], float] = time.time) -> int:
    """Runs what is owed, most urgent first, and tells what became of each lane."""
    began = min(beginning(clock), clock())  # which may have been set back
    states, factor = States(config).all(), machine.factor(config)
    outcomes: dict[str, Outcome] = {}
    owed = sorted((s for s in states if not s.proven), key=lambda s: s.order)
    again = repeated(config, states)
    for state in [*owed, *([again] if again else [])]:
        if state.lane.by_hand:
            say(f"[lanes] {state.lane.name}: not here ({state.lane.by_hand})")
            continue
        need, left = expected(state, factor), limit(factor) - (clock() - began)
        if need > left:
            say(f"[lanes] {state.lane.name}: no time ({need:.0f} s of {left:.0f} s that are left)")
            continue
        outcomes[state.lane.name] = run_lane(config, state.lane)
    return tell(states, outcomes, factor)


def tell(states: list[State], outcomes: dict[str, Outcome], factor: float) -> int:
    """The tables, and whether CI has passed."""
    say("")
    if outcomes:
        say(table.of_times(outcomes.values(), factor))
        say("")
    rows = []
    for state in states:
        outcome = outcomes.get(state.lane.name)
        now = f"{'passed' if outcome.ok else 'FAILED'} now" if outcome else ""
        if outcome and state.proven:
            now += f", repeated ({state.text})"
        elif outcome:
            now += f" ({state.text})"
        rows.append((state, now))
    say(table.of_lanes(rows))
    problems = [p for o in outcomes.values() for p in o.problems]
    left = [s for s in states if not s.proven and s.lane.name not in outcomes]
    problems += filter(None, map(fault, left))
    for problem in problems:
        say(f"[lanes] FAILED {problem}")
    faults = [Outcome(s.lane.name, 0, problems=[f]) for s in left if (f := fault(s))]
    say(closing_line([*outcomes.values(), *faults]))
    return 1 if problems else 0


def fault(state: State) -> str:
    """Why a lane may not stay owed."""
    name = state.lane.name
    if state.urgent:
        why = "CI does not run it" if state.lane.by_hand else "there was no time to run it"
        return f"{name}: {state.why}, and {why}. Run: make check LANES={name}"
    if state.commits > MOST_COMMITS:
        return (
            f"{name} is owed for {state.commits} commits (at most {MOST_COMMITS}). "
            f"Run: make check LANES={name}"
        )
    return ""
