# SPDX-License-Identifier: Apache-2.0
"""Writes docs/gromacs-mdp.md, docs/checks.md, docs/features.md and the end of docs/mdrun.md.

python tools/gen_mdp_docs.py [--check]     with --check nothing is written, stale pages are named
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "python" / "helpers"))

import molecule_features
from aureole.cli.mdrun import help as mdrun_help
from aureole.gromacs.mdp.options.table import Option, obsolete_lines, options, renamed_lines
from aureole.gromacs.notes import RULES
from effect_table import evidence
from pages import fill, table, write

OUT = Path(__file__).parents[1] / "docs"
MARK = "<!-- From here on made by tools/gen_mdp_docs.py. -->"
NOTE = "<!-- Made by tools/gen_mdp_docs.py: change the sources instead. -->\n"

HEAD = """\
# Options of .mdp files

Run parameters are read in the format of GROMACS 2022 to 2026: `key = value ; comment`. Case, `-`
and `_` in keys are ignored, and an empty value means the default. An *honoured* option does what it
does in GROMACS. An option with *no effect* is accepted. A *refused* option may have its default
value or one that switches it off; otherwise reading stops with the line, the reason and what to do
instead. An option *with* another one belongs to a refused method. It is read and ignored while that
method is off. `#` stands for a number.

The last column says how this is tested (`tests/python/gromacs/test_effects.py`). *Steps of
GROMACS*: small jobs, with the option and without it, agree with `gmx_d` after ten steps in double
precision: positions, velocities, forces and energies to 10⁻⁹.
`tests/python/helpers/effect_table.py` lists wider tolerances and the reasons. *Change of GROMACS*:
the steps are integrated differently, so the change that the option makes to velocities or to the
box is compared; it agrees to the given percentage.
Otherwise a separate test is named.
"""

CHECKS_HEAD = """\
# Checks of run parameters

`aureole.gromacs.checks.run_checks.check` compares run parameters with each other and with the
system. *Notes* are worth knowing, *warnings* are probably mistakes, and *errors* prevent a
simulation. The severity given here is the highest that a check can have. The numbers are fixed.
Checks marked *while reading* change a setting, as GROMACS would, and report the change.
"""


FEATURES_HEAD = """\
# Features of molecular simulations

*yes*: available and tested. Under cuda it means that the kernels compile for sm_90, and that the
same functors and the same step loop are tested on the host (`algorithm="flat"`), against cluster
lists and against GROMACS. `make gpu-check` tests them on a GPU, last in November 2026. *compiled*,
under hip: the same kernels compile for GPUs of AMD and are tested on an emulated GPU; none has run
on such a GPU yet. *next*: partly available. *no*: not available. A dash: nothing is computed on a
device. Nothing is copied to the host silently: thermostats and barostats act on the device. The
host checks pair lists once per list, every ten steps if lists are exact, and every step until
tolerance lists have lasted 250 steps. The parts of the engine are listed in [features and
backends](reference/features.md).
"""


def options_page() -> str:
    parts = [NOTE, HEAD, _summary()]
    section = ""
    rows: list[list[str]] = []
    head = ["option", "kind", "default", "unit", "meaning", "support", "tested by"]
    for option in options().values():
        if option.section != section:
            if rows:
                parts.append(table(head, rows))
            section, rows = option.section, []
            parts.append(f"## {section}\n")
        rows.append(_row(option))
    parts.append(table(head, rows))
    parts.append("## Old names\n")
    parts.append(table(["old", "new"], [[f"`{old}`", f"`{new}`"] for old, new in renamed_lines()]))
    parts.append("These options are ignored, with a note.\n")
    rows = [[", ".join(f"`{name}`" for name in names), why] for names, why in obsolete_lines()]
    parts.append(table(["option", "why"], rows))
    return "\n".join(parts)


def _summary() -> str:
    counts: dict[str, int] = {}
    for option in options().values():
        counts[option.support] = counts.get(option.support, 0) + 1
    words = ", ".join(f"{n} {support}" for support, n in counts.items())
    return f"{len(options())} options: {words}.\n"


def _row(option: Option) -> list[str]:
    meaning = option.text
    for value in option.values:
        mark = {"refused": "refused, ", "alias": "another name of "}.get(value.support, "")
        meaning += f"<br>`{value.name}`: {mark}{value.words}"
    here = option.support
    if option.parent:
        here = f"with `{option.parent}`"
    elif option.reason:
        here += f": {option.reason}"
    default = f"`{option.default}`" if option.default else ""
    names = [f"`{option.name}`", option.kind, default, option.unit, meaning, here]
    return [*names, _shown_by(option)]


def _shown_by(option: Option) -> str:
    """What the tests know about an option."""
    if option.parent:
        return "read without effect"
    words = {"no effect": "bitwise no change", "refused": "refused by name"}.get(option.support)
    return words or evidence(option.name) or "refused by name"


def checks_page() -> str:
    parts = [NOTE, CHECKS_HEAD]
    chapter = ""
    for number, rule in sorted(RULES.items()):
        if rule.chapter != chapter:
            chapter = rule.chapter
            parts.append(f"## {chapter}\n")
        when = f"; needs {', '.join(rule.needs)}" if rule.needs else ""
        when += "; while reading" if rule.reading else ""
        words = fill(rule.paragraph)
        parts.append(f"### {number}: {rule.title}\n\n*{rule.severity}{when}*\n\n{words}\n")
    return "\n".join(parts)


def features_page() -> str:
    parts = [NOTE, FEATURES_HEAD]
    rows = molecule_features.rows()
    for group in molecule_features.GROUPS:
        parts.append(f"## {group}\n")
        parts.append(
            table(
                ["feature", "host", "cuda", "hip"],
                [list(row[1:]) for row in rows if row[0] == group],
            )
        )
    return "\n".join(parts)


def mdrun_page() -> str:
    """The guide as it stands, with the options of this version at its end."""
    guide, mark, _ = (OUT / "mdrun.md").read_text().partition(MARK)
    return f"{guide}{mark}\n\n{mdrun_help.markdown()}"


def main() -> int:
    pages = {
        "gromacs-mdp.md": options_page(),
        "checks.md": checks_page(),
        "features.md": features_page(),
        "mdrun.md": mdrun_page(),
    }
    return write(OUT, pages, "gen_mdp_docs.py")


if __name__ == "__main__":
    sys.exit(main())
