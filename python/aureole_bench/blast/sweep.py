# SPDX-License-Identifier: Apache-2.0
"""The sweep of `aureole bench blast`: how tasks are launched on a device, and the host notified."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from aureole.amr.schedules import NOTICES, Subgrids
from aureole.base.errors import bad_input
from aureole.base.text import counted

from aureole_bench.blast.engines import Ours
from aureole_bench.engines import cpus
from aureole_bench.lists import counts, words
from aureole_bench.stats import spread
from aureole_bench.table import Row

SCHEDULES = ("subgrids", "aggregate")
WARM, STEPS = 1, 3  # untimed and, at most, timed steps of each row
#: Notices follow each other, so that rows with equal settings are measured side by side.
DEFAULTS = {
    "executors": "1,2,8,32,128",
    "most": "1,8,64",
    "notice": ",".join(NOTICES),
    "workers": "2,all",
}
#: Defaults for a host with delays, on which many queues take long.
DEFAULTS_HOSTILE = DEFAULTS | {"executors": "1,4", "most": "1,8", "workers": "2"}
_HELP = {
    "executors": "queues that tasks share",
    "most": "sub-grids that share launches",
    "notice": "how the host learns that work is done",
    "workers": "host threads that run tasks",
}


@dataclass(frozen=True)
class Sweep:
    """All combinations of these settings are measured, with both schedules that have tasks."""

    executors: Sequence[int]
    most: Sequence[int]
    notice: Sequence[str]
    workers: Sequence[int]

    def settings(self, workers: int) -> list[dict[str, Any]]:
        """Arguments of a schedule, those with this number of workers."""
        product = itertools.product(self.executors, self.most, self.notice)
        names = ("executors", "most", "notice")
        return [dict(zip(names, one, strict=True), workers=workers) for one in product]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Lists of settings."""
    for name, default in DEFAULTS.items():
        parser.add_argument(
            f"--{name}", metavar="LIST", help=f"sweep on devices: {_HELP[name]} (default {default})"
        )


def plan_of(chosen: argparse.Namespace) -> Sweep | None:
    """The sweep that the options ask for; None on the host.

    Raises InputError for values that no schedule takes, and for any of them on the host.
    """
    given = {name: getattr(chosen, name) for name in DEFAULTS}
    if chosen.device == "host":
        for name, value in given.items():
            if value is not None:
                raise bad_input(
                    f"--{name} is given, and the device is the host",
                    "there each worker computes its sub-grids itself, so that nothing would differ",
                    "Give --device gpu:0 or --device hostile too, or leave it out",
                )
        return None
    usual = DEFAULTS_HOSTILE if chosen.device == "hostile" else DEFAULTS
    text = {name: usual[name] if value is None else value for name, value in given.items()}
    workers = ",".join(str(len(cpus())) if w == "all" else w for w in words(text["workers"]))
    sweep = Sweep(
        executors=counts(text["executors"], "executors"),
        most=counts(text["most"], "most"),
        notice=words(text["notice"]) or [text["notice"]],
        workers=sorted(set(counts(workers, "workers"))),
    )
    for settings in itertools.chain(*map(sweep.settings, sweep.workers)):
        Subgrids(**settings)
    return sweep


def measure(
    sweep: Sweep,
    engine_of: Callable[..., Ours],
    result: dict[str, Any],
    say: Callable[[str], None],
    save: Callable[[dict[str, Any]], None],
) -> None:
    """Put rows into `result`, and what they show; rows that the device refuses are left out.

    It is saved after each schedule and number of workers.
    """
    steps = min(result["steps"], STEPS)
    result["sweep_settings"] = {**asdict(sweep), "steps": steps}
    for schedule, workers in itertools.product(SCHEDULES, sweep.workers):
        engine = engine_of(style=schedule, device=result["device"])
        settings = sweep.settings(workers)
        told = engine.work("sweep", 0, warm=WARM, steps=steps, settings=settings)["rows"]
        rows, refused = [], set()
        for setting, row in zip(settings, told, strict=True):
            if "refused" in row:
                refused.add(row["refused"])
                continue
            ms = 1e3 * row["seconds"] / steps
            counts = {name: row["counts"].get(name) for name in COUNTED}
            of = {"schedule": schedule, **setting, "ms_per_step": ms, **counts}
            rows.append({**of, "bits": row["bits"]})
        result["missing"] += [f"Sweep of {schedule}: {reason}" for reason in sorted(refused)]
        if rows:
            best = _fastest(rows)
            say(
                f"  sweep of {schedule}, {counted(workers, 'worker')}: {len(rows)} runs, at best "
                f"{best['ms_per_step']:.2f} ms/step, with {described(best)}"
            )
        result["sweep"] = [*result["sweep"], *rows]
        result["same_bits"] &= len({row["bits"] for row in result["sweep"]}) <= 1
        result["sweep_shows"] = shown(result["sweep"])
        save(result)


COUNTED = ("launches", "copies", "mean_batch", "idle")


def described(row: Row) -> str:
    """Settings in words, but for the workers."""
    return f"{counted(row['executors'], 'executor')}, most {row['most']}, {row['notice']}"


def shown(rows: Sequence[Row]) -> dict[str, list[dict[str, Any]]]:
    """The fastest rows, how much faster polling is than waiting, and what shared launches gain."""
    kinds = itertools.product(SCHEDULES, NOTICES)
    of_kinds = [_where(rows, schedule=name, notice=notice) for name, notice in kinds]
    workers = sorted({row["workers"] for row in rows})
    compared = [_poll_to_wait(rows, *of) for of in itertools.product(SCHEDULES, workers)]
    gained = [_aggregated(_where(rows, schedule=name)) for name in SCHEDULES]
    return {
        "best": [dict(_fastest(some)) for some in of_kinds if some],
        "poll_to_wait": [row for row in compared if row],
        "aggregated": [row for row in gained if row],
    }


def _poll_to_wait(rows: Sequence[Row], schedule: str, workers: int) -> dict[str, Any] | None:
    """Times of waiting to those of polling, at equal settings."""
    polls, waits = (
        {
            (row["executors"], row["most"]): row
            for row in _where(rows, schedule=schedule, workers=workers, notice=notice)
        }
        for notice in ("poll", "wait")
    )
    both = [settings for settings in polls if settings in waits]
    if not both:
        return None
    ratio = {of: waits[of]["ms_per_step"] / polls[of]["ms_per_step"] for of in both}
    best = _fastest([polls[of] for of in both])
    at = (best["executors"], best["most"])
    return {
        **{"schedule": schedule, "workers": workers, "settings": len(both)},
        **{"least": min(ratio.values()), "median": spread(list(ratio.values())).median},
        **{"largest": max(ratio.values()), "executors": at[0], "most": at[1], "at_best": ratio[at]},
    }


def _aggregated(rows: Sequence[Row]) -> dict[str, Any] | None:
    """The fastest of a schedule with shared launches to the fastest of one executor without."""
    alone = _where(rows, executors=1, most=1)
    shared = [row for row in rows if row["most"] > 1]
    if not alone or not shared:
        return None
    best, one = _fastest(shared), _fastest(alone)
    ratio = one["ms_per_step"] / best["ms_per_step"]
    return {"schedule": best["schedule"], "ratio": ratio, "best": dict(best), "alone": dict(one)}


def _where(rows: Iterable[Row], **values: Any) -> list[Row]:
    return [row for row in rows if all(row[name] == value for name, value in values.items())]


def _fastest(rows: Iterable[Row]) -> Row:
    return min(rows, key=lambda row: float(row["ms_per_step"]))
