# SPDX-License-Identifier: Apache-2.0
"""Run parameters of the minimisation before a run."""

from __future__ import annotations

import re

_HEAD = """\
; The minimisation before grompp.mdp:
;   aureole mdrun -f em.mdp -deffnm em
;   aureole mdrun -c em.gro
integrator              = steep
emtol                   = 1000
nsteps                  = 5000
"""
#: Beginnings of options of motion, without - and _.
_MOTION = (
    *("integrator", "dt", "nsteps", "nstxout", "nstvout", "nstfout", "nstlog", "emtol"),
    *("tcoupl", "tcgrps", "taut", "reft", "nsttcouple", "annealing"),
    *("pcoupl", "taup", "refp", "compressibility", "nstpcouple", "gen", "continuation"),
)


def minimisation_before(mdp: str) -> str | None:
    """The text of an .mdp file with the forces of another; None if the other minimises itself."""
    kept = []
    for line in mdp.splitlines(keepends=True):
        name, _, value = re.sub("[-_ \t]", "", line.lower()).partition("=")
        if name == "integrator" and value.startswith(("steep", "cg", "lbfgs")):
            return None
        if name and name[0] not in ";\n" and not name.startswith(_MOTION):
            kept.append(line)
    return _HEAD + "".join(kept)
