# SPDX-License-Identifier: Apache-2.0
"""What random systems have besides energies of terms: couplings, integrators, and what has no
counterpart here and must be refused.
"""

from __future__ import annotations

import openmm as mm
from openmm_molecules import Drawn

#: Couplings, of which a remark has to tell, by the frequency with which they act.
_COUPLINGS = (
    lambda every: mm.AndersenThermostat(310.0, 0.5 * every),
    lambda every: mm.MonteCarloBarostat(1.5, 305.0, every),
    lambda every: mm.MonteCarloAnisotropicBarostat(
        mm.Vec3(1, 2, 3), 305.0, True, False, True, every
    ),
    lambda every: mm.MonteCarloMembraneBarostat(
        1.0, 0.0, 305.0, mm.MonteCarloMembraneBarostat.XYIsotropic,
        mm.MonteCarloMembraneBarostat.ZFree, every,
    ),
)  # fmt: skip
#: Forces without a counterpart here.
_ALIEN = ("GBSAOBCForce", "CustomGBForce", "CustomCompoundBondForce", "CustomCentroidBondForce",
          "CustomHbondForce", "CustomManyParticleForce", "RMSDForce", "CustomCVForce",
          "CustomVolumeForce")  # fmt: skip


def other_forces(drawn: Drawn) -> list[mm.Force]:
    """Forces that are no terms."""
    found = []
    if drawn.chance(0.2):
        found.append(mm.CMMotionRemover(drawn.choose((1, 1, 7))))
    if drawn.chance(0.1):
        found += [drawn.choose(_COUPLINGS)(drawn.choose((0, 0, 1, 25)))]
    if drawn.chance(0.02):
        found.append(_alien(drawn))
    return found


def _alien(drawn: Drawn) -> mm.Force:
    """A force that has no counterpart here, with an energy in most cases."""
    name = drawn.choose(_ALIEN)
    if name == "GBSAOBCForce":
        force = mm.GBSAOBCForce()
        force.setNonbondedMethod(force.CutoffPeriodic)
        for _ in range(drawn.n):
            force.addParticle(0.1, 0.15, 0.8)
        return force
    if name == "CustomGBForce":
        force = mm.CustomGBForce()
        for _ in range(drawn.n):
            force.addParticle([])
        force.addEnergyTerm("1", force.SingleParticle)
        return force
    if name == "CustomCompoundBondForce":
        force = mm.CustomCompoundBondForce(2, "9*distance(p1,p2)^2")
        force.addBond([0, 1], [])
        return force
    if name == "CustomCentroidBondForce":
        force = mm.CustomCentroidBondForce(2, "9*distance(g1,g2)^2")
        for group in ([0, 1], [2, 3]):
            force.addGroup(group)
        force.addBond([0, 1], [])
        return force
    if name == "CustomHbondForce":
        force = mm.CustomHbondForce("distance(a1,d1)^2")
        force.addDonor(0, -1, -1, [])
        force.addAcceptor(1, -1, -1, [])
        return force
    if name == "CustomManyParticleForce":
        force = mm.CustomManyParticleForce(3, "distance(p1,p2)+distance(p1,p3)")
        for _ in range(drawn.n):
            force.addParticle([], 0)
        return force
    rmsd = mm.RMSDForce(drawn.position + 0.01 * drawn.rng.normal(size=(drawn.n, 3)), [])
    if name == "RMSDForce":
        return rmsd
    if name == "CustomCVForce":
        force = mm.CustomCVForce("100*rmsd")
        force.addCollectiveVariable("rmsd", rmsd)
        return force
    return mm.CustomVolumeForce("0.1*v")


def other_methods(drawn: Drawn, force: mm.NonbondedForce) -> None:
    """Let the non-bonded force be of another kind, in few systems."""
    if drawn.chance(0.02):
        force.setNonbondedMethod(
            drawn.choose((force.NoCutoff, force.CutoffNonPeriodic, force.Ewald, force.LJPME))
        )
    if drawn.chance(0.01):
        force.addGlobalParameter("more", drawn.choose((0.0, 1.0)))
        if drawn.chance(0.5) or not force.getNumExceptions():
            force.addParticleParameterOffset("more", 0, 0.3, 0.01, 0.1)
        else:
            force.addExceptionParameterOffset("more", 0, 0.3, 0.01, 0.1)
    if drawn.chance(0.005):
        force.setIncludeDirectSpace(False)
    if drawn.chance(0.005):
        force.addParticle(0.0, 0.1, 0.0)


def change_particles(drawn: Drawn, system: mm.System) -> None:
    """Hold a particle, or let a site be of another kind, in few systems."""
    first, size = drawn.choose(drawn.molecules)
    last = first + size - 1
    if drawn.chance(0.005):
        i = int(drawn.rng.integers(drawn.n))
        fixed = {j for k in range(system.getNumConstraints())
                 for j in system.getConstraintParameters(k)[:2]}  # fmt: skip
        if i not in fixed:
            system.setParticleMass(i, 0.0)
    elif drawn.chance(0.01) and size >= 4 and system.getNumConstraints() == 0:
        weights = [1, 0, 0], [-1, 1, 0], [-1, 0, 1]
        site = mm.LocalCoordinatesSite([first, first + 1, first + 2], *weights, mm.Vec3(0, 0.1, 0))
        system.setParticleMass(last, 0.0)
        system.setVirtualSite(last, site)


def integrator_of(drawn: Drawn) -> mm.Integrator | None:
    """One of OpenMM's in some systems."""
    if not drawn.chance(0.3):
        return None
    dt = float(drawn.rng.uniform(0.0002, 0.002))
    if drawn.chance(0.03):
        return drawn.choose((mm.BrownianIntegrator(300, 1.0, dt), mm.VariableVerletIntegrator(dt)))
    heat = float(drawn.rng.uniform(250, 350)), float(drawn.choose((0.0, 0.5, 1.0, 5.0))), dt
    return drawn.choose(
        (
            lambda: mm.VerletIntegrator(dt),
            lambda: mm.VerletIntegrator(dt),
            lambda: mm.LangevinIntegrator(*heat),
            lambda: mm.LangevinMiddleIntegrator(*heat),
            lambda: mm.NoseHooverIntegrator(heat[0], 20.0, dt),
        )
    )()
