# SPDX-License-Identifier: Apache-2.0
"""Output of `aureole bench blast` on its sweep."""

from __future__ import annotations

from aureole.base.text import counted

from aureole_bench.blast.sweep import WARM, described
from aureole_bench.table import Cell, Row, table

#: Figures of another program, which stand beside ours as text; see report.PAPER.
PAPER = (
    "Daiß et al. (2023, section 4.2), best combinations, 32 workers: with polling 1.11 times as "
    "fast as with waiting\non an A100 (128 executors, most 8), and 1.15 times on an MI100 "
    "(8 executors, most 32). With one executor\nand shared launches polling gains more. Callbacks "
    "by host tasks are mostly slower than waiting."
)
_NO_TIMES = "The device is hostile: its delays are random, and the times say nothing about GPUs.\n"
_BEST: dict[str, Cell] = {
    **{"schedule": "{schedule}", "notice": "{notice}", "executors": "{executors}"},
    **{"most": "{most}", "workers": "{workers}", "ms/step": "{ms_per_step:.2f}"},
    **{"launches/step": "{launches:,.0f}", "copies/step": "{copies:,.0f}"},
    **{"mean batch": "{mean_batch:.1f}", "idle": "{idle:.0%}"},
}
_RATIOS: dict[str, Cell] = {
    **{"schedule": "{schedule}", "workers": "{workers}", "settings": "{settings}"},
    **{"least": "{least:.2f}", "median": "{median:.2f}", "largest": "{largest:.2f}"},
    "at polling's best settings": "{at_best:.2f} ({executors} executors, most {most})",
}


def text(result: Row) -> list[str]:
    """Tables of the fastest rows and of ratios."""
    rows = result["sweep"]
    given, shows = result["sweep_settings"], result["sweep_shows"]
    lists = "; ".join(
        f"{name} {', '.join(map(str, given[name]))}"
        for name in ("executors", "most", "notice", "workers")
    )
    parts = [_NO_TIMES] if result["device"] == "hostile" else []
    parts += [
        f"Sweep of {len(rows)} runs: {lists}.",
        f"The fastest of each schedule and notice; means of {given['steps']} steps after {WARM}",
        table(shows["best"], _BEST, left=2),
    ]
    if shows["poll_to_wait"]:
        parts += ["", "Time of a step with waiting to that with polling, at equal settings"]
        parts += [table(shows["poll_to_wait"], _RATIOS)]
    for row in shows["aggregated"]:
        best, one = row["best"], row["alone"]
        parts += [
            f"{row['schedule'].capitalize()} with shared launches, at best "
            f"{best['ms_per_step']:.2f} ms ({described(best)}, "
            f"{counted(best['workers'], 'worker')}), is {row['ratio']:.2f} times as fast\n"
            "as one executor without, at best "
            f"{one['ms_per_step']:.2f} ms ({one['notice']}, {counted(one['workers'], 'worker')})."
        ]
    different = len({row["bits"] for row in rows})
    same = f"The states DIFFER: there are {different} of {len(rows)}."
    parts += ["All runs end with the same bits." if different == 1 else same, PAPER]
    return parts
