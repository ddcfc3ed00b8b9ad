# SPDX-License-Identifier: Apache-2.0
"""Options of an .mdp file, part 2: non-bonded forces, constraints, walls, fields."""

from __future__ import annotations

TABLE = """
== Electrostatics
coulombtype: enum = Cut-off
    How charges act on each other.
    + Cut-off: plain, to rcoulomb
    + PME: everywhere: directly to rcoulomb, the rest on a grid
    + Reaction-Field: to rcoulomb, beyond it a medium of permittivity epsilon-rf
    > RF: Reaction-Field
    - Ewald: the plain Ewald sum is not implemented; instead: PME
    - P3M-AD: analytically differentiated particle-mesh is not implemented; instead: PME
    ~ Reaction-Field-zero: read as Reaction-Field with epsilon-rf = 0
    - Generalized-Reaction-Field: it has left GROMACS too; instead: Reaction-Field
    - Reaction-Field-nec: it has left GROMACS too; instead: Reaction-Field
    - Poisson: it was never finished in GROMACS; instead: PME
    - Generalized-Born: implicit solvent is not implemented; instead: PME in explicit solvent
    - Shift: only the group scheme had it; instead: Reaction-Field
    - Switch: only the group scheme had it; instead: Reaction-Field
    - Encad-shift: only the group scheme had it; instead: Reaction-Field
    - PME-Switch: switching the direct part of PME is not implemented; instead: PME
    - PME-User: user-defined tables are not read; instead: none
    - PME-User-Switch: user-defined tables are not read; instead: none
    - User: user-defined tables are not read; instead: none
    - FMM: fast multipoles are not implemented; instead: PME
coulomb-modifier: enum = Potential-shift
    What is done to the potential between charges at the cut-off.
    + Potential-shift: a constant makes it 0 there; forces do not change
    + None: nothing
    > Potential-shift-Verlet: Potential-shift
    - Potential-switch: the Verlet scheme has it for Lennard-Jones alone; instead: Potential-shift
    - Force-switch: the Verlet scheme has it for Lennard-Jones alone; instead: Potential-shift
    - Exact-cutoff: only the group scheme had it; instead: None
rcoulomb-switch: real = 0 [nm] | no effect
    Where switching of Coulomb forces would begin.
    because: no kind of electrostatics of the Verlet scheme is switched
rcoulomb: real = 1 [nm]
    Cut-off of direct forces between charges.
epsilon-r: real = 1
    Relative permittivity between charges; 0 means infinite, so no Coulomb forces.
epsilon-rf: real = 0
    Relative permittivity of the reaction field beyond rcoulomb; 0 means infinite.

== Van der Waals forces
vdwtype: enum = Cut-off
    How Lennard-Jones forces act.
    + Cut-off: to rvdw
    - PME: the grid of dispersion is not implemented; instead: Cut-off with DispCorr = EnerPres
    ~ Shift: read as Cut-off with vdw-modifier = Force-switch
    ~ Switch: read as Cut-off with vdw-modifier = Potential-switch
    - Encad-shift: only the group scheme had it; instead: Cut-off
    - User: user-defined tables are not read; instead: none
vdw-modifier: enum = Potential-shift
    What is done to Lennard-Jones forces towards the cut-off.
    + Potential-shift: a constant makes the potential 0 there; forces do not change
    + None: nothing
    + Force-switch: forces go smoothly to 0 between rvdw-switch and rvdw
    + Potential-switch: the potential goes smoothly to 0 between rvdw-switch and rvdw
    > Potential-shift-Verlet: Potential-shift
    - Exact-cutoff: only the group scheme had it; instead: None
rvdw-switch: real = 0 [nm]
    Where switching of Lennard-Jones forces begins.
rvdw: real = 1 [nm]
    Cut-off of direct Lennard-Jones forces.
DispCorr: enum = No
    Mean-field correction for what lies beyond the cut-off of Lennard-Jones forces.
    + No: none
    + Ener: of the energy, for the attraction
    + EnerPres: of energy and pressure, for the attraction
    + AllEner: of the energy, for attraction and repulsion
    + AllEnerPres: of energy and pressure, for attraction and repulsion

== Tables
table-extension: real = 1 [nm] | no effect
    How far tables of pair potentials reach beyond the cut-off.
    because: no tables are used
energygrp-table: words = | refused
    Pairs of groups that interact through user-defined tables.
    because: user-defined tables are not read; instead: none

== Ewald
fourierspacing: real = 0.12 [nm]
    Largest spacing of the PME grid, where the grid is not given.
fourier-nx: int = 0
    Points of the PME grid along x; 0 takes them from fourierspacing.
fourier-ny: int = 0
    Points of the PME grid along y.
fourier-nz: int = 0
    Points of the PME grid along z.
pme-order: int = 4
    Order of the splines that spread charges on the grid.
ewald-rtol: real = 1e-5
    Strength of the direct Coulomb potential at rcoulomb, relative to the unscreened one, at least
    1e-15; sets the splitting.
ewald-rtol-lj: real = 0.001 | under vdwtype
    The same for dispersion with vdwtype = PME.
lj-pme-comb-rule: word = Geometric | under vdwtype
    Combination rule of the grid of dispersion.
ewald-geometry: enum = 3d
    In which directions Ewald sums repeat.
    + 3d: all
    - 3dc: the correction for slabs is not implemented; instead: 3d with a thick vacuum layer
epsilon-surface: real = 0 | refused
    Permittivity around the infinite crystal of images; 0 means a conductor.
    because: only a conducting surrounding is built; instead: epsilon-surface = 0
fmm-backend: enum = inactive
    Who computes electrostatics by fast multipoles.
    + inactive: nobody
    - exafmm: fast multipoles are not implemented; instead: coulombtype = PME
    - fmsolvr: fast multipoles are not implemented; instead: coulombtype = PME
fmm-exafmm-order: int = 6 | under fmm-backend
    Order of the multipoles of ExaFMM.
fmm-exafmm-direct-range: int = 2 | under fmm-backend
    Cells that meet directly in ExaFMM.
fmm-exafmm-direct-provider: word = GROMACS | under fmm-backend
    Who computes the near field of ExaFMM.
fmm-fmsolvr-order: int = 8 | under fmm-backend
    Order of the multipoles of FMSolvr.
fmm-fmsolvr-direct-range: int = 1 | under fmm-backend
    Cells that meet directly in FMSolvr.
fmm-fmsolvr-direct-provider: word = FMM | under fmm-backend
    Who computes the near field of FMSolvr.
fmm-fmsolvr-dipole-compensation: bool = yes | under fmm-backend
    FMSolvr takes out the dipole of the box.
fmm-fmsolvr-tree-depth: int = 3 | under fmm-backend
    Depth of the tree of FMSolvr.
fmm-fmsolvr-sparse: bool = no | under fmm-backend
    FMSolvr works on sparse trees.

== Constraints
constraints: enum = none
    Bonds of the topology that become rigid; water by SETTLE is rigid in any case.
    + none: none
    + h-bonds: those with a hydrogen
    + all-bonds: all
    - h-angles: rigid angles are not implemented; instead: h-bonds
    - all-angles: rigid angles are not implemented; instead: all-bonds
constraint-algorithm: enum = LINCS
    How they are kept rigid.
    + LINCS: by a series expansion, parallel
    + SHAKE: by iteration to shake-tol
continuation: bool = no
    The input is the end of a run: the first step corrects neither positions nor velocities.
Shake-SOR: bool = no | no effect
    Successive over-relaxation in SHAKE.
    because: it would change the speed of SHAKE alone
shake-tol: real = 0.0001
    Relative tolerance of SHAKE.
lincs-order: int = 4
    Order of the expansion of LINCS.
lincs-iter: int = 1
    Iterations that correct for rotation in LINCS.
lincs-warnangle: real = 30 [degrees]
    A bond that turns further in one step is reported in the log (looked for every 50 steps or so).
morse: bool = no | refused
    Harmonic bonds become Morse bonds.
    because: bonds are taken as the topology has them; instead: bonds of type 3 in the topology

== Walls
nwall: int = 0 | refused
    Number of walls, with pbc = xy.
    because: walls are not implemented; instead: frozen or restrained layers of atoms
wall-type: word = 9-3 | under nwall
    Potential of the walls.
wall-atomtype: words = | under nwall
    Atom type of each wall.
wall-density: reals = [nm^-3 or nm^-2] | under nwall
    Density of atoms in each wall.
wall-r-linpot: real = -1 [nm] | under nwall
    Distance below which the wall's potential goes on as a straight line.
wall-ewald-zfac: real = 3 | under nwall
    Height of the box that the Ewald sum sees, in boxes.

== Electric fields
electric-field-x: reals = 0 0 0 0 [V/nm, 1/ps, ps, ps]
    Strength, angular frequency, and centre and width of the pulse of a field along x; frequency 0
    means a constant field, width 0 no pulse, whatever its centre.
electric-field-y: reals = 0 0 0 0 [V/nm, 1/ps, ps, ps]
    The same along y.
electric-field-z: reals = 0 0 0 0 [V/nm, 1/ps, ps, ps]
    The same along z.
"""
