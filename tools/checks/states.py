# SPDX-License-Identifier: Apache-2.0
"""Which lanes are proven for this tree, and for how long others have been owed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from . import receipts, tiers
from .config import PLACE, Config, Part, Problem
from .files import Files, git
from .globs import path_matches
from .receipts import Receipt
from .tiers import Tiers

#: Files that say what a lane is.
DEFINITIONS = (PLACE, tiers.PLACE)


@dataclass(frozen=True)
class State:
    lane: Part
    receipt: Receipt | None
    proven: bool
    why: str = ""  # it is owed
    commits: int = 0  # for how many it is owed, the present one included
    urgent: bool = False  # nothing says what it was: it must run
    own_changed: bool = False

    @property
    def text(self) -> str:
        if self.proven:
            return f"proven by {self.receipt.commit[:10]}"
        return f"owed{f' for {self.commits} commits' if self.commits else ''}: {self.why}"

    @property
    def order(self) -> tuple[bool, bool, int, str]:
        """Of running: the most urgent first."""
        return (not self.urgent, not self.own_changed, -self.commits, self.lane.name)


class States:
    def __init__(self, config: Config) -> None:
        self.config = config
        self.files, self.tiers = Files(config.root), Tiers(config)

    @cached_property
    def receipts(self) -> dict[str, Receipt]:
        return receipts.read(self.config.root)

    def digest(self, lane: Part) -> str:
        return self.files.digest(lane.all, self.tiers.selection(lane))

    def all(self) -> list[State]:
        return [self.of(lane) for lane in self.config.lanes.values()]

    def of(self, lane: Part) -> State:
        receipt = self.receipts.get(lane.name)
        if receipt is None:
            return self._without_receipt(lane)
        if receipt.digest == self.digest(lane):
            return State(lane, receipt, True)
        if not self._is_ancestor(receipt.commit):
            why = f"its receipt is of {receipt.commit[:10]}, which is no commit before this one"
            if git(self.config.root, "rev-parse", "--is-shallow-repository").strip() == "true":
                why += " in this shallow clone (git fetch --unshallow brings the others)"
            return State(lane, receipt, False, why, urgent=True, own_changed=True)
        changed = [n for n in self._changed_since(receipt.commit) if path_matches(n, lane.all)]
        if not changed and self._definition_changed(receipt.commit):
            why = "its definition or its list of slow tests changed"
            commits = self._commits_since(receipt.commit, DEFINITIONS)
            return State(lane, receipt, False, why, commits, own_changed=True)
        if not changed:
            why = "its receipt has a digest that no change of its files explains"
            return State(lane, receipt, False, why, urgent=True, own_changed=True)
        own = [name for name in changed if path_matches(name, lane.own)]
        first = (own or changed)[0]
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        why = f"{first}{more} changed"
        commits = self._commits_since(receipt.commit, lane.all)
        return State(lane, receipt, False, why, commits, own_changed=bool(own))

    def _without_receipt(self, lane: Part) -> State:
        """A lane that never had one is owed since it is there; one that lost it must run."""
        started = self._first_commit_with(f"[lanes.{lane.name}]", PLACE)
        lost = self._first_commit_with(f"[{lane.name}]", receipts.PLACE)
        if lost or not started:
            return State(lane, None, False, "it has no receipt", urgent=True, own_changed=True)
        commits = len(self._history_since(started)) + 1
        return State(lane, None, False, "it never had a receipt", commits, own_changed=True)

    @cache  # noqa: B019
    def _first_commit_with(self, text: str, name: str) -> str:
        """The first commit of this history whose file of that name got a text; "" if none did."""
        log = git(self.config.root, "log", "--reverse", "--format=%H", "-S", text, "--", name)
        return log.split("\n", 1)[0].strip()

    def _definition_changed(self, commit: str) -> bool:
        return any(name in DEFINITIONS for name in self._changed_since(commit))

    @cache  # noqa: B019 - one object a process
    def _is_ancestor(self, commit: str) -> bool:
        try:
            git(self.config.root, "merge-base", "--is-ancestor", commit, "HEAD")
        except Problem:
            return False
        return True

    @cache  # noqa: B019
    def _changed_since(self, commit: str) -> list[str]:
        """Files that differ from those of a commit, in commits or in the working tree."""
        names = git(self.config.root, "diff", "--name-only", "-z", "--no-renames", commit)
        untracked = git(self.config.root, "ls-files", "-o", "--exclude-standard", "-z")
        return sorted({name for name in (names + untracked).split("\0") if name})

    @cache  # noqa: B019
    def _history_since(self, commit: str) -> list[list[str]]:
        """The files that each commit after this one touched, oldest first."""
        log = git(
            self.config.root,
            "log",
            "--reverse",
            "--topo-order",
            "--no-renames",
            "-m",
            "--first-parent",
            "--name-only",
            "-z",
            "--format=%x01",
            f"{commit}..HEAD",
        )
        return [part.lstrip("\0\n").split("\0") for part in log.split("\1")[1:]]

    def _commits_since(self, commit: str, globs: tuple[str, ...]) -> int:
        """Commits since the first that touched some files, that one included."""
        history = self._history_since(commit)
        for at, names in enumerate(history):
            if any(name and path_matches(name, globs) for name in names):
                return len(history) - at
        return 0  # in the working tree alone
