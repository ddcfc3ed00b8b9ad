# SPDX-License-Identifier: Apache-2.0
"""Seeds of noise and of generated velocities: what the log says makes the run again."""

from __future__ import annotations

import json

from mdrun_inputs import mdrun, rows, water


def test_seeds_in_the_log_repeat_the_run(here):
    """Also those that were chosen; noise and velocities have a seed each."""
    water(here, "tcoupl = v-rescale\ntc-grps = System\ntau-t = 0.1\nref-t = 300\n")
    mdp = (here / "grompp.mdp").read_text().replace("gen-seed = 3\n", "")

    def last(name, seeds=""):
        (here / "grompp.mdp").write_text(mdp + seeds)
        mdrun("-nsteps", "40", "-nt", "1", "-deffnm", name)
        used = json.loads((here / f"{name}.json").read_text())["settings"]
        return rows(f"{name}.csv")["total"].tolist(), used["ld-seed"], used["gen-seed"]

    chosen, noise, velocities = last("chosen")
    assert noise >= 0 and velocities >= 0
    seeds = f"ld-seed = {noise}\ngen-seed = {velocities}\n"
    assert last("again", seeds) == (chosen, noise, velocities)
    # Without generated velocities gen-seed means nothing: parts of a run have noise of their own.
    kept = "gen-seed = 3\ngen-vel = no\n"
    base, mdp = mdp, mdp.replace("gen-vel = yes\n", "")
    assert last("first", kept)[1] != last("second", kept)[1]
    mdp = base
    other, *used = last("other", f"ld-seed = {noise}\ngen-seed = {velocities + 1}\n")
    assert used == [noise, velocities + 1]
    assert other != chosen  # the first energies agree to rounding, as the temperature does
