# SPDX-License-Identifier: Apache-2.0
"""Options of an .mdp file, part 1: what is run, minimisation, output, neighbour lists."""

from __future__ import annotations

TABLE = """
== Preprocessing
include: words =
    Folders, each written -Ifolder, in which the topology's included files are looked up.
define: words =
    Macros, each written -DNAME or -DNAME=value, that the topology can ask about: -DPOSRES and
    -DFLEXIBLE by custom.

== Run control
integrator: enum = md
    How the particles advance: in time, or downhill in energy.
    + md: leap-frog
    + md-vv: velocity Verlet
    + sd: leap-frog with friction and noise (Langevin dynamics)
    + steep: minimisation by steepest descent
    - md-vv-avek: averaging the kinetic energy of both half steps is not implemented; instead: md-vv
    - bd: overdamped Brownian dynamics is not implemented; instead: sd
    - sd2: it has left GROMACS too; instead: sd
    > sd1: sd
    - cg: minimisation by conjugate gradients is not implemented; instead: steep
    - l-bfgs: quasi-Newton minimisation is not implemented; instead: steep
    - nm: normal modes are not computed; instead: none
    - tpi: insertion of test particles is not implemented; instead: none
    - tpic: insertion of test particles is not implemented; instead: none
    - mimic: coupling to the MiMiC framework is not implemented; instead: none
tinit: real = 0 [ps]
    Time of the first step.
dt: real = 0.001 [ps]
    Time step.
nsteps: int = 0
    Number of steps to run or to minimise; -1 means without end.
init-step: int = 0
    Number of the first step; the time is tinit + step dt.
simulation-part: int = 1
    Number of the first of the pieces in which one simulation is run; file names of later pieces
    (mdrun -noappend) are counted from it.
mts: bool = no | refused
    Slow forces are computed less often than fast ones.
    because: multiple time steps are not implemented; instead: mass-repartition-factor = 3
mts-levels: int = 2 | under mts
    Number of levels of multiple time stepping.
mts-level2-forces: words = longrange-nonbonded | under mts
    Forces of the second level.
mts-level2-factor: int = 2 [steps] | under mts
    Interval at which the forces of the second level are computed.
mass-repartition-factor: real = 1
    Light atoms get this many times the lowest mass, taken from the atom that they are bound to;
    3 allows 4 fs steps with constrained hydrogens.
comm-mode: enum = Linear
    Which common motion of all particles is removed.
    + Linear: the velocity of the centre of mass
    + Angular: that and the rotation around the centre of mass
    + None: nothing
    - Linear-acceleration-correction: only accelerated groups need it; instead: Linear
nstcomm: int = 100 [steps]
    Interval of that removal; 0 means never.
comm-grps: words =
    Groups whose motion is removed separately; none means the whole system.

== Langevin dynamics
bd-fric: real = 0 [amu/ps] | no effect
    Friction coefficient of Brownian dynamics.
    because: only integrator = bd reads it
ld-seed: int = -1
    Seed of the noise of sd, v-rescale and C-rescale; -1 takes gen-seed if velocities are
    generated and it is given, and chooses a seed otherwise. The log has the seed that was used.

== Energy minimisation
emtol: real = 10 [kJ/mol/nm]
    Minimisation has converged when no force is larger.
emstep: real = 0.01 [nm]
    Largest displacement of the first step of minimisation.
nstcgsteep: int = 1000 [steps] | no effect
    Steepest descent step in between conjugate gradients.
    because: only integrator = cg reads it
nbfgscorr: int = 10 | no effect
    Number of corrections that L-BFGS remembers.
    because: only integrator = l-bfgs reads it
niter: int = 20 | no effect
    Largest number of iterations for shells and flexible constraints.
    because: shells and flexible constraints are refused with the topology
fcstep: real = 0 [ps^2] | no effect
    Step size for flexible constraints.
    because: flexible constraints are refused with the topology
rtpi: real = 0.05 [nm] | no effect
    Radius of the sphere into which test particles are inserted.
    because: only integrator = tpi reads it

== Output
nstxout: int = 0 [steps]
    Interval of full-precision positions; 0 writes none.
nstvout: int = 0 [steps]
    Interval of velocities; 0 writes none.
nstfout: int = 0 [steps]
    Interval of forces; 0 writes none.
nstlog: int = 1000 [steps]
    Interval of energies in the log.
nstcalcenergy: int = 100 [steps] | no effect
    Interval at which energies and pressure are computed, for averages.
    because: averages are those of the rows of the energy file; nstenergy alone is made a multiple
nstenergy: int = 1000 [steps]
    Interval of energies in the energy file; a multiple of nstcalcenergy.
nstxout-compressed: int = 0 [steps]
    Interval of rounded positions in the compressed trajectory; 0 writes none.
compressed-x-precision: real = 1000 [1/nm]
    Compressed positions are multiples of one over this number.
compressed-x-grps: words =
    Groups that the compressed trajectory holds; none means all.
energygrps: words = | no effect, told
    Groups whose mutual short-range energies are written.
    because: energies of pairs of groups are not split

== Neighbour lists
cutoff-scheme: enum = Verlet
    How pair lists are made.
    + Verlet: lists of clusters with a buffer
    - group: GROMACS has removed charge groups as well; instead: Verlet
nstlist: int = 10 [steps]
    Steps that a pair list lasts where verlet-buffer-tolerance is negative. Otherwise it changes
    nothing: a list lasts as long as is cheapest, with the buffer that the tolerance needs for that.
pbc: enum = xyz
    Directions in which the box repeats itself.
    + xyz: all three
    + xy: two
    + no: none; cut-offs of 0 then mean none
    - screw: screw symmetry along x is not implemented; instead: none
periodic-molecules: bool = no
    Molecules bind to their own images, as in crystals and nanotubes.
verlet-buffer-tolerance: real = 0.005 [kJ/mol/ps]
    Largest energy drift per particle that an outdated pair list may cause; sets rlist. A negative
    value takes rlist as given.
verlet-buffer-pressure-tolerance: real = 0.5 [bar] | no effect
    Largest error of the pressure that an outdated pair list may cause; negative for none.
    because: the tolerated drift of the energy alone sets the buffer
rlist: real = 1 [nm]
    Radius of pair lists, where verlet-buffer-tolerance is negative.
"""
