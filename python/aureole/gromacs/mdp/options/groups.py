# SPDX-License-Identifier: Apache-2.0
"""Options of an .mdp file, part 4: groups, experiments' data, own numbers; and old names."""

from __future__ import annotations

TABLE = """
== Energy group exclusions
energygrp-excl: words = | refused
    Pairs of groups without non-bonded forces between them.
    because: forces are not left out by groups; instead: [ exclusions ] in the topology, or \
    frozen groups

== Frozen and driven groups
freezegrps: words =
    Groups that do not move along the directions of freezedim.
freezedim: bools =
    Y or N for x, y and z of each frozen group.
acc-grps: words = | refused
    Groups that are accelerated.
    because: constant acceleration is not implemented; instead: none
accelerate: reals = [nm/ps^2] | refused
    Acceleration in x, y and z of each of acc-grps.
    because: constant acceleration is not implemented; instead: none
cos-acceleration: real = 0 [nm/ps^2] | refused
    Amplitude of a cosine profile of acceleration, to measure the viscosity.
    because: it is not implemented; instead: the viscosity from pressure fluctuations
deform: reals = 0 0 0 0 0 0 [nm/ps] | refused
    Velocities of the box components xx yy zz yx zx zy.
    because: boxes do not shear or stretch at a given rate; instead: none
deform-init-flow: bool = no | under deform
    The flow that belongs to the deformation is added to the velocities.

== Distance restraints
disre: enum = no
    Restraints of distances from NMR.
    + no: none
    - simple: restrained distances are not implemented; instead: bonds of type 6 in the topology
    - ensemble: restrained distances are not implemented; instead: bonds of type 6 in the topology
disre-weighting: word = Conservative | under disre
    How a restraint of several pairs divides its force.
disre-mixed: bool = no | under disre
    Uses the root of the product of averaged and instantaneous violation.
disre-fc: real = 1000 [kJ/mol/nm^2] | under disre
    Force constant of the restraints.
disre-tau: real = 0 [ps] | under disre
    Time constant of averaging.
nstdisreout: int = 100 [steps] | under disre
    Interval of averaged distances in the energy file.

== Orientation restraints
orire: bool = no | refused
    Restraints of orientations from NMR.
    because: they are not implemented; instead: none
orire-fc: real = 0 [kJ/mol] | under orire
    Force constant of the restraints.
orire-tau: real = 0 [ps] | under orire
    Time constant of averaging.
orire-fitgrp: words = | under orire
    Group to fit for the frame of the molecule.
nstorireout: int = 100 [steps] | under orire
    Interval of orientations in the energy file.

== Interactive simulation
IMD-group: words = | refused
    Atoms that a viewer sees and pulls at while the simulation runs.
    because: nobody listens; instead: a Python callback on the running simulation

== Methods of the past
implicit-solvent: enum = no
    Water as a continuum.
    + no: none
    - GBSA: it has left GROMACS too; instead: water as molecules
adress: bool = no | refused
    Adaptive resolution.
    because: it has left GROMACS too; instead: none

== Reserved for people's own code
user1-grps: words = | refused
    Groups without a meaning.
    because: there is no code to read them; instead: none
user2-grps: words = | refused
    Groups without a meaning.
    because: there is no code to read them; instead: none
userint#: int = 0 | refused
    A number without a meaning (1 to 4).
    because: there is no code to read it; instead: none
userreal#: real = 0 | refused
    A number without a meaning (1 to 4).
    because: there is no code to read it; instead: none
"""

#: Old names and new ones.
RENAMED = """
nstxtcout nstxout-compressed
xtc-grps compressed-x-grps
xtc-precision compressed-x-precision
unconstrained-start continuation
verlet-buffer-drift verlet-buffer-tolerance
foreign-lambda fep-lambdas
pull-print-com1 pull-print-com
"""

#: Names that are left out with a note, and why they may be.
OBSOLETE = """
title: a file's own comments say what it is for
cpp: the preprocessor is part of the reader
warnings: notes are counted where the file is used
ns-type ns-method: neighbours are always found on a grid
domain-decomposition: domains are chosen when the run starts
optimize-fft: transforms are always planned
nstcheckpoint: checkpoints are written by the clock
rlistlong nstcalclr: twin-range lists belonged to the group scheme
andersen-seed bd-temp: it belonged to integrators that are gone
dihre dihre-fc dihre-tau nstdihreout: dihedral restraints stand in the topology
pull-print-com2: it was replaced by pull-print-com
gb-algorithm nstgbradii rgbradii gb-epsilon-solvent gb-saltconc gb-obc-alpha gb-obc-beta \
gb-obc-gamma gb-dielectric-offset sa-algorithm sa-surface-tension: implicit solvent is gone
adress-type adress-const-wf adress-ex-width adress-hy-width adress-ex-forcecap \
adress-interface-correction adress-site adress-reference-coords adress-tf-grp-names \
adress-cg-grp-names adress-do-hybridpairs: the AdResS scheme is gone
QMmethod QMbasis QMcharge QMmult QMMMscheme MMChargeScaleFactor SH CASorbitals CASelectrons \
SAon SAoff SAsteps: this coupling to quantum mechanics is gone
"""
