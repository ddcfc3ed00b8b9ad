# SPDX-License-Identifier: Apache-2.0
"""Runs a stage or a lane: its commands, its time beside the budget, and for lanes the receipt."""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from . import inputs, machine, processes, receipts, records
from .config import PLACE, Config, Part, Problem, jobs
from .files import Files, git
from .records import Records
from .states import States
from .tiers import Names, Tiers, parse_choice

#: Over the budget times this, a stage or lane fails.
MOST = 1.5
#: Seconds of processor at factor 1 that a test of the fast tier may take.
LONGEST_FAST_TEST = 1.0


@dataclass
class Outcome:
    """What running a stage or lane has come to."""

    name: str
    budget: float
    wall: float = 0.0
    seconds: float = 0.0  # of processor, at factor 1
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    problems: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.problems and not self.failed


def say(text: str) -> None:
    print(text, flush=True)


def command_line(config: Config, command: str) -> list[str]:
    """A command of tests/lanes.toml, where `lanes` and `python` stand for ours."""
    tool = Path(__file__).resolve().parents[1] / "lanes.py"
    head = (
        f'lanes() {{ "{config.python}" "{tool}" --root "{config.root}" "$@"; }}; '
        f'python() {{ "{config.python}" "$@"; }}; '
    )
    return ["bash", "-euo", "pipefail", "-c", head + command]


def set_up(config: Config, part: Part) -> str:
    """Installs what a lane needs; the reason if that failed."""
    script = config.root / "tools" / "setup.sh"
    if not part.packages:
        return ""
    which = ["fast"] if part.name == "fast" else ["lane", part.name]
    done = subprocess.run([str(script), *which], cwd=config.root, check=False)
    if done.returncode == 0:
        return ""
    command = f"tools/setup.sh {' '.join(which)}"
    return f"{part.name}: a tool that it needs was not installed ({command} failed)"


def run(config: Config, part: Part, folder: str) -> Outcome:
    """The commands of a part in turn; what fails ends it."""
    outcome = Outcome(part.name, part.budget)
    left = Records(config.records / folder)
    left.clear()
    environment = processes.plain_environment()
    environment |= {records.VARIABLE: str(left.folder), "JOBS": str(jobs())}
    factor = machine.factor(config)
    began, before = time.monotonic(), machine.children_seconds()
    for command in part.commands:
        line = command_line(config, command)
        code, behind = processes.run(line, config.root, environment)
        if behind:
            say(f"[check] {part.name}: `{command}` left processes, now ended: {', '.join(behind)}")
        if code:
            outcome.problems.append(f"{part.name}: `{command}` failed (exit code {code})")
            break
    outcome.wall = time.monotonic() - began
    outcome.seconds = (machine.children_seconds() - before) / factor
    counts = left.outcomes()
    outcome.passed, outcome.failed = counts["passed"], counts["failed"]
    outcome.skipped = counts["skipped"]
    if outcome.failed and not outcome.problems:
        outcome.problems.append(f"{part.name}: {outcome.failed} tests failed")
    judge_time(outcome)
    return outcome


def judge_time(outcome: Outcome) -> None:
    """Time of processors beside the budget; the time on the clock never counts."""
    if not outcome.budget or outcome.seconds <= outcome.budget:
        return
    used, budget = outcome.seconds, outcome.budget
    text = f"{outcome.name} took {used:.0f} s of processor at factor 1, of {budget:.0f} s"
    if outcome.seconds > MOST * outcome.budget:
        outcome.problems.append(f"{text} (over {MOST} times its budget). Make it faster.")
    else:
        outcome.remarks.append(f"{text} (over its budget)")


def judge_fast_tests(config: Config, left: Records, outcome: Outcome) -> None:
    """Each test beside the time of a fast one; as with budgets, a little more is a remark."""
    tiers, factor = Tiers(config), machine.factor(config)
    for test, seconds in sorted(left.seconds().items()):
        took = seconds / factor
        if took <= LONGEST_FAST_TEST or tiers.is_representative(test):
            continue
        words = outcome.problems if took > MOST * LONGEST_FAST_TEST else outcome.remarks
        words.append(
            f"{test} took {took:.2f} s of processor at factor 1 (a fast test has "
            f"{LONGEST_FAST_TEST:g}). Make it faster, or list it by `tools/lanes.py measure`."
        )


def run_fast(config: Config, names: list[str]) -> list[Outcome]:
    """The fast tier's stages (all, or those named); the first that fails ends it."""
    if odd := set(names) - set(config.stages):
        raise Problem(f"no stage {min(odd)} (stages are {', '.join(config.stages)}).")
    outcomes = []
    for stage in config.stages.values():
        if names and stage.name not in names:
            continue
        say(f"\n[check] {stage.name}")
        outcome = run(config, stage, f"fast-{stage.name}")
        judge_fast_tests(config, Records(config.records / f"fast-{stage.name}"), outcome)
        outcomes.append(outcome)
        finish(outcome)
        if not outcome.ok:
            break
    if not names and outcomes and all(o.ok for o in outcomes):
        outcomes[-1].problems += faults_of_fast(config)
        for problem in outcomes[-1].problems:
            say(f"[check] {problem}")
    return outcomes


def faults_of_fast(config: Config) -> list[str]:
    """What the whole fast tier should have run."""
    left = [Records(config.records / f"fast-{name}") for name in config.stages]
    found = ways_not_run(config.fast, *left)
    tests = {test for records_of in left for test in records_of.seconds()}
    tests |= {test for r in left for record in r.of("tests") for test in record["outcomes"]}
    for name in config.representatives:
        one = Names.of([name])
        if not any(map(one.has, tests)):
            found.append(
                f"the representative {name} was not run (no test of the fast tier has this name)"
            )
    return found


def ways_not_run(part: Part, *left: Records) -> list[str]:
    """Tests that a part has by its definition, and that its commands do not start."""
    started = {record["way"] for one in left for record in one.of("tests")}
    wanted = {parse_choice(choice)[0] for choice in part.cpp}
    if part.python or part.whole or part.rest:
        wanted.add("pytest")
    return [
        f"{part.name}: its tests of {way} were not run. See its commands in {PLACE}."
        for way in sorted(wanted - started)
    ]


def run_lane(config: Config, lane: Part) -> Outcome:
    """A lane, and its receipt if it has passed."""
    say(f"\n[check] lane {lane.name}: {lane.what}")
    before = States(config).digest(lane)
    receipts.read(config.root)  # so that one that cannot be read is told now
    if problem := set_up(config, lane):
        outcome = Outcome(lane.name, lane.budget, problems=[problem])
    else:
        outcome = run(config, lane, lane.name)
    if outcome.ok:
        outcome.problems += faults_of_watching(config, lane, outcome)
    if outcome.ok and States(config).digest(lane) != before:
        outcome.problems.append(f"{lane.name}: its files changed while it ran. Run it again.")
    if outcome.ok:
        commit = git(config.root, "rev-parse", "HEAD").strip()
        tests = outcome.passed + outcome.skipped or len(lane.commands)
        receipt = receipts.Receipt(before, commit, tests, round(outcome.seconds, 1))
        receipts.write(config.root, receipts.read(config.root) | {lane.name: receipt})
    finish(outcome)
    return outcome


def faults_of_watching(config: Config, lane: Part, outcome: Outcome) -> list[str]:
    """Reasons why the receipt of a lane that has passed would say too much."""
    found = []
    if (lane.cpp or lane.python or lane.whole or lane.rest) and not outcome.passed:
        found.append(f"{lane.name}: no test passed (nothing was checked). See its commands.")
    left = Records(config.records / lane.name)
    found += ways_not_run(lane, left)
    try:
        names = inputs.unlisted(config, lane, Files(config.root), left)
    except Problem as problem:
        return [*found, f"{lane.name}: {problem}"]
    return found + [
        f"{lane.name} has used {name}, which is not among its files (its receipt would outlast a "
        f"change of it). Add it to lanes.{lane.name}.all."
        for name in names
    ]


def finish(outcome: Outcome) -> None:
    for line in (*outcome.remarks, *outcome.problems):
        say(f"[check] {line}")
    how = "passed" if outcome.ok else "FAILED"
    say(f"[check] {outcome.name} {how}: {outcome.wall:.0f} s, {outcome.seconds:.0f} s of processor")


def closing_line(outcomes: list[Outcome]) -> str:
    """How many tests there were, for a reader of the last line; any other failure counts as one."""
    failed = sum(o.failed or (0 if o.ok else 1) for o in outcomes)
    passed, skipped = sum(o.passed for o in outcomes), sum(o.skipped for o in outcomes)
    return f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")
