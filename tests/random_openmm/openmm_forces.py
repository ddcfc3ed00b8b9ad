# SPDX-License-Identifier: Apache-2.0
"""Random bonded forces of OpenMM, with energies that are taken over and others."""

from __future__ import annotations

import math

import numpy as np
import openmm as mm
from openmm_molecules import Drawn
from openmm_texts import COMPOSED, composed

MOST = 14  #: terms of a force

#: Texts of energies, with the parameters of their terms and global ones. Those behind None are
#: none of ours; they are drawn less often.
BONDS = (
    ("0.5*k*(r-r0)^2", "k r0", ""),
    ("k*(r-r0)^2", "k r0", ""),
    ("k/2*(r-r0)*(r-r0)", "r0 k", ""),
    ("half*k*square(d); d=r0-r; half=1/2", "r0 k", ""),
    ("scale*k*(r-r0)^2", "k r0", "scale"),
    ("k*(r^2 - 2*r*r0 + r0^2)", "k r0", ""),
    ("4*epsilon*((sigma/r)^12-(sigma/r)^6)", "epsilon sigma", ""),
    ("4*epsilon*(u*u-u)+138.93545764438198*qq/r; u=(sigma/r)^6", "qq epsilon sigma", ""),
    None,
    ("k*(r-r0)^2+shift", "k r0 shift", ""),
    ("k*(r-r0)^4", "k r0", ""),
    ("k*max(0, r-r0)^2", "k r0", ""),
    ("k*(exp(-2*(r-r0))-2*exp(-(r-r0)))", "k r0", ""),
    ("k*r^3", "k", ""),
)
ANGLES = (
    ("0.5*k*(theta-theta0)^2", "k theta0", ""),
    ("k*(theta-theta0)^2", "k theta0", ""),
    ("scale*k*(theta-theta0)^2", "theta0 k", "scale"),
    ("k*(cos(theta)-cos(theta0))^2", "k theta0", ""),
    None,
    ("0.5*k*(cos(theta)-c0)^2", "k c0", ""),
    ("k*(1-cos(theta-theta0))", "k theta0", ""),
    ("k*(theta-theta0)^2*(1-0.014*(theta-theta0))", "k theta0", ""),
    ("k*sin(theta)", "k", ""),
)
_ROUND = "dtheta_torus = dtheta - floor(dtheta/(2*pi)+0.5)*(2*pi); dtheta = theta - theta0; "
_NEAR = "k*min(dtheta, 2*pi-dtheta)^2; dtheta = abs(theta-theta0); "
TORSIONS = (
    ("k*(theta-theta0)^2", "k theta0", ""),
    ("0.5*k*(theta-theta0)^2", "k theta0", ""),
    ("k*theta^2", "k", ""),
    (_NEAR + "pi = 3.14159265358979", "k theta0", ""),
    (_NEAR + "pi = 3.141593", "k theta0", ""),
    ("k*dtheta_torus^2; " + _ROUND + "pi = 3.14159265358979", "k theta0", ""),
    ("0.5*k*dtheta_torus^2; " + _ROUND + "pi = 3.14159265358979", "theta0 k", ""),
    ("k*dtheta_torus^2; dtheta_torus = 2*(theta-theta0)", "k theta0", ""),
    ("k*dtheta_torus^2; dtheta_torus = sin(theta-theta0)", "k theta0", ""),
    ("k*(1+cos(n*theta-theta0))", "k n theta0", ""),
    ("scale*k*(1-cos(theta-theta0))", "k theta0", "scale"),
    ("a*cos(theta)+b*cos(2*theta)+c", "a b c", ""),
    ("k*cos(theta)^5", "k", ""),
    None,
    ("k*abs(sin(theta-theta0))", "k theta0", ""),
    ("k*select(step(theta), theta-theta0, theta+theta0)^2", "k theta0", ""),
    ("k*(theta-theta0)^4", "k theta0", ""),
)  # fmt: skip
RESTRAINTS = (
    ("k*periodicdistance(x, y, z, x0, y0, z0)^2", "k x0 y0 z0", ""),
    ("0.5*k*periodicdistance(x,y,z,x0,y0,z0)^2", "x0 y0 z0", "k"),
    ("(k/2)*periodicdistance(x,y,z,x1,y1,z1)^2", "x1 y1 z1 k", ""),
    ("k*((x-x0)^2+(y-y0)^2+(z-z0)^2)", "k x0 y0 z0", ""),
    ("0.5*(kx*(x-x0)^2+ky*(y-y0)^2+kz*(z-z0)^2)", "kx ky kz x0 y0 z0", ""),
    ("k*periodicdistance(0,0,z,0,0,z0)^2", "k z0", ""),
    ("k*(z-z0)^2", "k z0", ""),
    None,
    ("k*(x-x0)*(y-y0)", "k x0 y0", ""),
    ("k*max(0, periodicdistance(x,y,z,x0,y0,z0)-0.1)^2", "k x0 y0 z0", ""),
    ("-k*x", "k", ""),
)


def bonded_forces(drawn: Drawn) -> list[mm.Force]:
    """Some forces, each with terms along bonds and a few anywhere."""
    found = []
    for make in (_bonds, _angles, _torsions, _ryckaert, _cmaps, _custom_bonds, _custom_angles,
                 _custom_torsions):  # fmt: skip
        for _ in range(int(drawn.chance(0.55)) + int(drawn.chance(0.05))):
            force = make(drawn)
            if drawn.chance(0.25):
                force.setUsesPeriodicBoundaryConditions(True)
            if drawn.chance(0.1):
                force.setName("named")
            found.append(force)
    if drawn.chance(0.3):
        found.append(_restraints(drawn))
    return found


def _terms(drawn: Drawn, length: int) -> list[tuple[int, ...]]:
    """Particles of terms along bonds, and of a few others."""
    paths = drawn.paths(length)
    drawn.rng.shuffle(paths)
    found = [tuple(path) for path in paths[: int(drawn.rng.integers(MOST - 2))]]
    for _ in range(int(drawn.rng.integers(0, 3))):  # within a molecule, or far
        first, size = drawn.choose(drawn.molecules)
        if size >= length and drawn.chance(0.8):
            chosen = first + drawn.rng.choice(size, length, replace=False)
            found.append(tuple(int(i) for i in chosen))
        elif drawn.chance(0.02):
            found.append(drawn.anywhere(length))
    return [_spoilt(drawn, particles) for particles in found if _bent(drawn, particles)]


def _bent(drawn: Drawn, particles: tuple[int, ...]) -> bool:
    """Whether no three of them in turn are in a line, and no four in a plane: dihedrals have no
    value there, or one with either sign.
    """
    steps = np.diff(drawn.position[list(particles)], axis=0)
    steps /= np.linalg.norm(steps, axis=1)[:, None]
    normals = np.cross(steps[1:], steps[:-1])
    turns = np.linalg.norm(normals, axis=1)
    twists = np.linalg.norm(np.cross(normals[1:], normals[:-1]), axis=1)
    return bool((turns > 0.02).all() and (twists > 1e-6).all())


def _spoilt(drawn: Drawn, particles: tuple[int, ...]) -> tuple[int, ...]:
    """The same, or seldom with a particle that is not there or twice."""
    if not drawn.chance(0.002):
        return particles
    k = int(drawn.rng.integers(len(particles)))
    wrong = drawn.choose((-1, -drawn.n, drawn.n, particles[k - 1], -2, drawn.n + 3))
    return (*particles[:k], wrong, *particles[k + 1 :])


def _strength(drawn: Drawn, size: float) -> float:
    return float(drawn.choose((0.0, 1.0, 1.0, 1.0, -0.3)) * size * drawn.rng.uniform(0.1, 1.0))


def _bonds(drawn: Drawn) -> mm.HarmonicBondForce:
    force = mm.HarmonicBondForce()
    for i, j in _terms(drawn, 2):
        length = drawn.rng.uniform(0.08, 0.2) * (-1 if drawn.chance(0.001) else 1)
        force.addBond(i, j, length, _strength(drawn, 2e5))
    return force


def _angles(drawn: Drawn) -> mm.HarmonicAngleForce:
    force = mm.HarmonicAngleForce()
    for i, j, k in _terms(drawn, 3):
        angle = drawn.choose((drawn.rng.uniform(0, math.pi), math.pi, 0.0))
        if drawn.chance(0.001):
            angle = drawn.choose((4.0, -0.1))
        force.addAngle(i, j, k, angle, _strength(drawn, 500.0))
    return force


def _torsions(drawn: Drawn) -> mm.PeriodicTorsionForce:
    force = mm.PeriodicTorsionForce()
    for particles in _terms(drawn, 4):
        n = int(drawn.rng.integers(1, 8)) if drawn.chance(0.995) else drawn.choose((0, -2, 80))
        force.addTorsion(*particles, n, drawn.rng.uniform(-4, 4), _strength(drawn, 40.0))
    return force


def _ryckaert(drawn: Drawn) -> mm.RBTorsionForce:
    force = mm.RBTorsionForce()
    for particles in _terms(drawn, 4):
        force.addTorsion(*particles, *drawn.rng.normal(size=6) * 10)
    return force


def _cmaps(drawn: Drawn) -> mm.CMAPTorsionForce:
    force = mm.CMAPTorsionForce()
    for _ in range(int(drawn.rng.integers(1, 3))):
        size = int(drawn.choose((4, 6, 8, 12, 24, 24, 2, 10))) + drawn.chance(0.01)
        force.addMap(size, drawn.rng.normal(size=size * size) * 5)
    for a, b, c, d, e in _terms(drawn, 5):
        number = int(drawn.rng.integers(force.getNumMaps()))
        if drawn.chance(0.004):
            number = drawn.choose((-1, force.getNumMaps()))
        second = (b, c, d, e) if drawn.chance(0.995) else (a, c, d, e)
        force.addTorsion(number, a, b, c, d, *second)
    return force


def _custom(drawn: Drawn, what: str, forms: tuple, values: dict[str, float], size: float):
    """A force with one of the texts, and a function that gives the parameters of a term."""
    end = forms.index(None)
    text, own, shared = drawn.choose(forms[:end] if drawn.chance(0.95) else forms[end + 1 :])
    if what in COMPOSED and drawn.chance(0.1):
        text, own, shared = composed(drawn, what), f"k {COMPOSED[what][0]}0", ""
    force = getattr(mm, f"Custom{what}Force")(text)
    kind = "PerParticle" if what == "External" else f"Per{what}"
    for name in own.split():
        getattr(force, f"add{kind}Parameter")(name)
    for name in shared.split():
        force.addGlobalParameter(name, values.get(name, lambda: size)())
    return force, lambda: [
        values.get(name, lambda: _strength(drawn, size))() for name in own.split()
    ]


def _custom_bonds(drawn: Drawn) -> mm.CustomBondForce:
    values = {
        "r0": lambda: drawn.choose((0.15, 0.3, -0.1, 1.2)),
        "sigma": lambda: drawn.rng.uniform(0.1, 0.3),
        "epsilon": lambda: drawn.rng.uniform(0, 1),
        "qq": lambda: drawn.rng.normal(),
        "scale": lambda: 0.7,
        "shift": lambda: drawn.choose((0.0, 0.5)),
    }
    force, parameters = _custom(drawn, "Bond", BONDS, values, 1e4)
    for i, j in _terms(drawn, 2):
        force.addBond(i, j, parameters())
    return force


def _custom_angles(drawn: Drawn) -> mm.CustomAngleForce:
    values = {
        "theta0": lambda: drawn.choose((drawn.rng.uniform(0, math.pi), math.pi, 4.0, -0.5)),
        "c0": lambda: drawn.choose((0.3, -0.9, 1.2)),
        "scale": lambda: 0.7,
    }
    force, parameters = _custom(drawn, "Angle", ANGLES, values, 300.0)
    for particles in _terms(drawn, 3):
        force.addAngle(*particles, parameters())
    return force


def _custom_torsions(drawn: Drawn) -> mm.CustomTorsionForce:
    values = {
        "theta0": lambda: drawn.choose((drawn.rng.uniform(-math.pi, math.pi), 0.0, math.pi, 5.0)),
        "n": lambda: drawn.choose((1, 2, 3, 6, 0, 5)) if drawn.chance(0.99) else 2.5,
        "scale": lambda: 0.7,
    }
    force, parameters = _custom(drawn, "Torsion", TORSIONS, values, 50.0)
    for particles in _terms(drawn, 4):
        force.addTorsion(*particles, parameters())
    return force


def _restraints(drawn: Drawn) -> mm.CustomExternalForce:
    turn = drawn.chance(0.3)
    place = np.zeros(3)
    values = {f"{axis}{k}": (lambda a=a: float(place[a])) for k in (0, 1)
              for a, axis in enumerate("xyz")}  # fmt: skip
    force, parameters = _custom(drawn, "External", RESTRAINTS, values, 1000.0)
    for i in drawn.anywhere(int(drawn.rng.integers(1, drawn.n))):
        place[:] = drawn.position[i] + drawn.rng.uniform(-0.3, 0.3, 3)
        if turn:
            place[:] += drawn.rng.integers(-1, 2, 3) @ drawn.vectors
        (particle,) = _spoilt(drawn, (i,))
        force.addParticle(particle, parameters())
    return force
