# SPDX-License-Identifier: Apache-2.0
"""The numerical scheme."""

from __future__ import annotations

from typing import ClassVar

from aureole import _core
from aureole.base.values import choice, flag, number
from aureole.specs.spec import Spec, checked, spec

from .names_elsewhere import OF_SCHEME

_KNOWN = _core.fluid_schemes()
RECONSTRUCTIONS, RIEMANN_SOLVERS = (tuple(_KNOWN[name]) for name in ("reconstruct", "riemann"))
STEPS = ("rk2", "rk3")


@spec
class Scheme(Spec, family="scheme"):
    """A finite-volume scheme of the Godunov type, with one time step for all cells.

    Args:
        reconstruct: states at cell faces from cell averages of density, velocity and pressure:
            "constant" (of first order), "plm" (piecewise linear, the slope the harmonic mean of
            those of both sides), "ppm" (piecewise parabolic, with the limiter that keeps smooth
            extrema) or "wenoz" (of fifth order in smooth flow)
        riemann: fluxes from the states on both sides of a face: "hllc" (three waves, Einfeldt's
            wave speeds), "hlle" (two waves, free of the instabilities of strong shocks along the
            mesh, and smears contacts) or "llf" (one speed, the most diffusive)
        steps: strong-stability-preserving Runge-Kutta steps: "rk2" or "rk3"
        cfl: the time step as a part of the longest one by the CFL condition, above 0, at most 1
        repair: make a step again where it would leave cells without positive density or pressure:
            with fluxes of first order around them; False ends the run there

    The time step is cfl / max(Σ (|v| + c) / Δx), the sum over axes, the maximum over cells.
    Repairs keep mass, momentum and energy. A cell that stays bad even so gets a thousandth of the
    density or pressure that it had, which does not keep them. Both are counted in
    `Simulation.repairs`, and are quantities of `Log`.
    Sources: plm: van Leer, J. Comput. Phys. 14, 361 (1974); ppm: Colella and Sekora, J. Comput.
    Phys. 227, 7069 (2008), McCorquodale and Colella, CAMCoS 6, 1 (2011); wenoz: Borges et al., J.
    Comput. Phys. 227, 3191 (2008); hllc: Toro, Riemann Solvers and Numerical Methods for Fluid
    Dynamics (2009), section 10.4; hlle, wave speeds: Einfeldt, SIAM J. Numer. Anal. 25, 294
    (1988); llf: Rusanov, Zh. Vychisl. Mat. Mat. Fiz. 1, 267 (1961); steps: Shu and Osher, J.
    Comput. Phys. 77, 439 (1988); repairs: Lemaster and Stone, ApJ 691, 1092 (2009), section 2.
    """

    _prefix = "amr."
    _of_others: ClassVar = OF_SCHEME

    reconstruct: str = checked(choice, "plm", known=RECONSTRUCTIONS)
    riemann: str = checked(choice, "hllc", known=RIEMANN_SOLVERS)
    steps: str = checked(choice, "rk2", known=STEPS)
    cfl: float = checked(number, 0.4, low=0.0, open_low=True, high=1.0)
    repair: bool = checked(flag, True)
