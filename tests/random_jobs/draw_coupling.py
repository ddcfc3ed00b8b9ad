# SPDX-License-Identifier: Apache-2.0
"""Thermostats and barostats of a random job."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draw import Draft


def thermostat(d: Draft) -> None:
    """A thermostat, or the friction of sd, for one group or two; at times annealed."""
    if d.integrator == "steep" or (d.integrator != "sd" and d.chance(0.35)):
        return
    kind = d.draw.choices(("v-rescale", "nose-hoover", "berendsen"), (50, 32, 18))[0]
    names = ["First", "Rest"] if d.chance(0.35) else ["System"]
    taus = [d.draw.choice(("0.1", "0.5", "1.0")) for _ in names]
    if len(names) == 2 and d.chance(0.15):
        taus[1] = "-1"
    found = {} if d.integrator == "sd" else {"tcoupl": kind}
    found |= {
        "tc-grps": " ".join(names),
        "tau-t": " ".join(taus),
        "ref-t": " ".join(d.draw.choice(("280", "300", "330")) for _ in names),
    }
    if d.integrator != "sd" and d.chance(0.5):
        found["nsttcouple"] = d.draw.choice(("1", "2", "5", "10"))
    if kind == "nose-hoover" and d.chance(0.4):
        found["nh-chain-length"] = d.draw.choice(("1", "3", "10"))
    d.options["thermostat"] = found
    if d.chance(0.12):
        ways = [d.draw.choice(("single", "periodic")), *["no"] * (len(names) - 1)]
        d.options["annealing"] = {
            "annealing": " ".join(ways),
            "annealing-npoints": " ".join(["3", *["0"] * (len(names) - 1)]),
            "annealing-time": "0 0.01 0.03",
            "annealing-temp": "300 340 300",
        }


def barostat(d: Draft) -> None:
    """A barostat of any shape."""
    thermostat = d.options.get("thermostat", {})
    if d.pbc != "xyz" or d.integrator == "steep" or not d.chance(0.4):
        return
    kinds = ["c-rescale", "c-rescale", "parrinello-rahman", "berendsen"]
    if not thermostat:
        kinds = ["parrinello-rahman", "berendsen"]
    if thermostat.get("tcoupl") == "nose-hoover" and d.integrator == "md-vv":
        kinds = [kind for kind in kinds if kind != "berendsen"]
    shape = d.draw.choices(("isotropic", "semiisotropic", "anisotropic"), (50, 25, 25))[0]
    squeeze, pressure = "4.5e-5", d.draw.choice(("1", "1", "500"))
    found = {
        "pcoupl": d.draw.choice(kinds),
        "pcoupltype": shape,
        "tau-p": d.draw.choice(("1", "2", "5")),
        "compressibility": squeeze,
        "ref-p": pressure,
    }
    if shape == "semiisotropic":
        other = d.draw.choice((squeeze, "0"))
        found |= {"compressibility": f"{squeeze} {other}", "ref-p": f"{pressure} 1"}
    if shape == "anisotropic":
        off = d.draw.choice(("0 0 0", "1e-5 1e-5 1e-5"))
        found |= {"compressibility": f"{squeeze} " * 3 + off, "ref-p": f"{pressure} 1 1 0 0 0"}
    if d.chance(0.5):
        found["nstpcouple"] = d.draw.choice(("1", "5", "10"))
    d.options["barostat"] = found
