# SPDX-License-Identifier: Apache-2.0
"""Options of an .mdp file, part 3: temperature, pressure, annealing, velocities."""

from __future__ import annotations

TABLE = """
== Ensemble temperature
ensemble-temperature-setting: enum = auto
    How the temperature of the ensemble is known where it is not that of the thermostats.
    + auto: from the groups of the thermostat
    - constant: only temperatures of groups are used; instead: auto
    - variable: simulated tempering is not implemented; instead: none
    - not-available: only temperatures of groups are used; instead: auto
ensemble-temperature: real = -1 [K] | under ensemble-temperature-setting
    That temperature.

== Temperature coupling
tcoupl: enum = No
    Thermostat of the groups tc-grps.
    + No: none
    + V-rescale: velocities scaled by a stochastic factor that gives the canonical ensemble
    + Nose-Hoover: an extended system that gives the canonical ensemble by oscillation
    + Berendsen: exponential relaxation; no ensemble, for equilibration
    ~ yes: an old name of Berendsen
    - Andersen: resetting single velocities at random is not implemented; instead: V-rescale
    - Andersen-massive: resetting velocities at random is not implemented; instead: V-rescale
nsttcouple: int = -1 [steps]
    Interval of temperature coupling; -1 takes 10, or less for a small tau-t.
nh-chain-length: int = 10
    Length of the chains of Nose-Hoover thermostats; leap-frog takes 1.
print-nose-hoover-chain-variables: bool = no | no effect, told
    The chain's positions and velocities go to the energy file.
    because: the energy file holds energies and the conserved quantity
tc-grps: words =
    Groups that are coupled separately; all atoms are in exactly one.
tau-t: reals = [ps]
    Time constant of each group; of sd, one over its friction; -1 means no coupling.
ref-t: reals = [K]
    Temperature of each group.

== Pressure coupling
pcoupl: enum = No
    Barostat.
    + No: none
    + C-rescale: a stochastic, first-order barostat that gives the right ensemble
    + Parrinello-Rahman: an extended system in which the box oscillates
    + Berendsen: exponential relaxation; no ensemble, for equilibration
    ~ Isotropic: an old name of Berendsen
    - MTTK: not built; instead: C-rescale
pcoupltype: enum = isotropic
    What of the box can change.
    + isotropic: its size; 1 number each for compressibility and ref-p
    + semiisotropic: its size in x and y, and in z; 2 numbers each
    + anisotropic: every component; 6 numbers each: xx yy zz xy xz yz
    - surface-tension: not built; instead: none
nstpcouple: int = -1 [steps]
    Interval of pressure coupling; -1 takes 10, or less for a small tau-p.
tau-p: real = 1 [ps]
    Time constant of the barostat.
compressibility: reals = [1/bar]
    Compressibility of the system; 4.5e-5 is that of water.
ref-p: reals = [bar]
    Pressure wanted.
refcoord-scaling: enum = No
    What happens to reference positions of restraints when the box changes.
    + No: nothing
    + All: they scale with the box
    + COM: their centre scales with the box, the rest stays

== Simulated annealing
annealing: words =
    For each group of tc-grps: no, single (a schedule with an end) or periodic.
annealing-npoints: ints =
    For each of the groups: number of points of its course; 0 without one.
annealing-time: reals = [ps]
    Times of the points, of one group after the other.
annealing-temp: reals = [K]
    Temperatures of the points, of one group after the other.

== Generated velocities
gen-vel: bool = no
    Velocities are drawn at the start; otherwise those of the input are taken.
gen-temp: real = 300 [K]
    Temperature of the drawn velocities.
gen-seed: int = -1
    Seed of the generated velocities; -1 takes the seed of the noise (see ld-seed). The log has the
    seed that was used.
"""
