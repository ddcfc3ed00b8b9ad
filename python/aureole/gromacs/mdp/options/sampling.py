# SPDX-License-Identifier: Apache-2.0
"""Options of an .mdp file, part 5: pulling, biasing and other programs; all off, or refused."""

from __future__ import annotations

TABLE = """
== Pulling
pull: bool = no | refused
    Forces or constraints on distances and angles between groups.
    because: pulling is not implemented; instead: bonds of type 6 or position restraints
pull-cylinder-r: real = 1.5 [nm] | under pull
    Radius of the cylinder of geometry cylinder.
pull-constr-tol: real = 1e-6 | under pull
    Relative tolerance of constraint pulling.
pull-print-com: bool = no | under pull
    Centres of mass are written.
pull-print-ref-value: bool = no | under pull
    Reference values are written.
pull-print-components: bool = no | under pull
    Components of distances are written.
pull-nstxout: int = 50 [steps] | under pull
    Interval of pulled coordinates.
pull-nstfout: int = 50 [steps] | under pull
    Interval of pull forces.
pull-pbc-ref-prev-step-com: bool = no | under pull
    The last centre of mass is the reference for large groups.
pull-xout-average: bool = no | under pull
    Averages of coordinates are written.
pull-fout-average: bool = no | under pull
    Averages of forces are written.
pull-ngroups: int = 1 | under pull
    Number of groups.
pull-ncoords: int = 1 | under pull
    Number of coordinates.
pull-group#-name: words = | under pull
    Group of atoms.
pull-group#-weights: reals = | under pull
    Weights of its atoms beside their masses.
pull-group#-pbcatom: int = 0 | under pull
    Atom that tells which images belong together.
pull-coord#-type: word = umbrella | under pull
    Umbrella, constraint, constant-force, flat-bottom or external-potential.
pull-coord#-potential-provider: word = | under pull
    Module that pulls.
pull-coord#-geometry: word = distance | under pull
    What is pulled.
pull-coord#-expression: words = | under pull
    Formula of a coordinate of coordinates.
pull-coord#-dx: real = 1e-9 | under pull
    Step of its derivative.
pull-coord#-groups: ints = | under pull
    Groups that it is about.
pull-coord#-dim: bools = Y Y Y | under pull
    Directions that count.
pull-coord#-origin: reals = 0 0 0 [nm] | under pull
    Absolute point to pull against.
pull-coord#-vec: reals = 0 0 0 | under pull
    Direction to pull along.
pull-coord#-start: bool = no | under pull
    The initial distance is added to the reference.
pull-coord#-init: real = 0 [nm or degrees] | under pull
    Reference value at the start.
pull-coord#-rate: real = 0 [nm/ps or degrees/ps] | under pull
    Rate of its change.
pull-coord#-k: real = 0 [kJ/mol/nm^2 or kJ/mol/rad^2] | under pull
    Force constant.
pull-coord#-kB: real = 0 [kJ/mol/nm^2 or kJ/mol/rad^2] | under pull
    Force constant of topology B.

== Accelerated weight histograms
awh: bool = no | refused
    Biases that learn to flatten a free energy.
    because: adaptive biases are not implemented; instead: none
awh-potential: word = convolved | under awh
    Kind of bias.
awh-share-multisim: bool = no | under awh
    Biases are shared between simulations.
awh-seed: int = -1 | under awh
    Seed of the moves of the umbrella.
awh-nstout: int = 100000 [steps] | under awh
    Interval of output.
awh-nstsample: int = 10 [steps] | under awh
    Interval of sampling.
awh-nsamples-update: int = 100 | under awh
    Samples between updates.
awh-nbias: int = 1 | under awh
    Number of biases.
awh#-error-init: real = 10 [kJ/mol] | under awh
    Error assumed at the start.
awh#-growth: word = exp-linear | under awh
    Growth of the histogram.
awh#-growth-factor: real = 2 | under awh
    Factor of its exponential growth.
awh#-equilibrate-histogram: bool = no | under awh
    Waits until sampling is flat.
awh#-target: word = constant | under awh
    Distribution wanted.
awh#-target-beta-scaling: real = 0 | under awh
    Strength of some target distributions.
awh#-target-cutoff: real = 0 [kJ/mol] | under awh
    Free energy above which the target falls off.
awh#-target-metric-scaling: bool = no | under awh
    The target follows the friction.
awh#-target-metric-scaling-limit: real = 10 | under awh
    Largest factor of that.
awh#-user-data: bool = no | under awh
    First bias and target come from a file.
awh#-share-group: int = 0 | under awh
    Biases that are shared.
awh#-ndim: int = 1 | under awh
    Number of its coordinates.
awh#-dim#-coord-provider: word = pull | under awh
    Where the coordinate comes from.
awh#-dim#-coord-index: int = 1 | under awh
    Which of them it is.
awh#-dim#-force-constant: real = 0 [kJ/mol/nm^2 or kJ/mol/rad^2] | under awh
    Force constant of the umbrellas.
awh#-dim#-start: real = 0 [nm or rad] | under awh
    Start of the interval.
awh#-dim#-end: real = 0 [nm or rad] | under awh
    End of the interval.
awh#-dim#-diffusion: real = 1e-5 [nm^2/ps or rad^2/ps] | under awh
    Diffusion constant assumed.
awh#-dim#-cover-diameter: real = 0 [nm or rad] | under awh
    How far a simulation covers around itself.

== Enforced rotation
rotation: bool = no | refused
    Groups are turned around an axis.
    because: enforced rotation is not implemented; instead: none
rot-ngroups: int = 1 | under rotation
    Number of groups.
rot-group#: words = | under rotation
    Group to turn.
rot-type#: word = iso | under rotation
    Kind of potential.
rot-massw#: bool = no | under rotation
    Masses are weights.
rot-vec#: reals = 1 0 0 | under rotation
    Axis.
rot-pivot#: reals = 0 0 0 [nm] | under rotation
    Point on the axis.
rot-rate#: real = 0 [degrees/ps] | under rotation
    Rate.
rot-k#: real = 0 [kJ/mol/nm^2] | under rotation
    Force constant.
rot-slab-dist#: real = 1.5 [nm] | under rotation
    Distance of slabs of flexible axes.
rot-min-gauss#: real = 0.001 | under rotation
    Weight below which a slab does not count.
rot-eps#: real = 0.0001 [nm^2] | under rotation
    Small number in the denominator of some kinds.
rot-fit-method#: word = rmsd | under rotation
    How the angle is found.
rot-potfit-nsteps#: int = 21 | under rotation
    Angles tried for that.
rot-potfit-step#: real = 0.25 [degrees] | under rotation
    Their distance.
rot-nstrout: int = 100 [steps] | under rotation
    Interval of angles and torques.
rot-nstsout: int = 1000 [steps] | under rotation
    Interval of slabs.

== Computational electrophysiology
swapcoords: enum = no
    Ions and water change places, to keep a difference of concentrations.
    + no: nothing does
    - X: swapping ions is not implemented; instead: none
    - Y: swapping ions is not implemented; instead: none
    - Z: swapping ions is not implemented; instead: none
swap-frequency: int = 1 [steps] | under swapcoords
    Interval of tries.
split-group#: words = | under swapcoords
    Group that marks a membrane.
massw-split#: bool = no | under swapcoords
    Masses are weights of its centre.
solvent-group: words = | under swapcoords
    Water.
coupl-steps: int = 10 | under swapcoords
    Tries that the number of ions is averaged over.
iontypes: int = 1 | under swapcoords
    Number of kinds of ions.
iontype#-name: words = | under swapcoords
    Group of ions.
iontype#-in-A: int = -1 | under swapcoords
    How many of them compartment A has.
iontype#-in-B: int = -1 | under swapcoords
    How many of them compartment B has.
bulk-offsetA: real = 0 | under swapcoords
    Shift of the layer of swaps in A.
bulk-offsetB: real = 0 | under swapcoords
    Shift of the layer of swaps in B.
threshold: int = 1 | under swapcoords
    Difference from which ions are swapped.
cyl#-r: real = 2 [nm] | under swapcoords
    Radius of the channel.
cyl#-up: real = 1 [nm] | under swapcoords
    Its reach upwards.
cyl#-down: real = 1 [nm] | under swapcoords
    Its reach downwards.

== Density-guided simulations
density-guided-simulation-active: bool = no | refused
    Forces towards a density from microscopy.
    because: they are not implemented; instead: none
density-guided-simulation-group: words = protein | under density-guided-simulation-active
    Atoms that are fitted.
density-guided-simulation-similarity-measure: word = inner-product \
| under density-guided-simulation-active
    How densities are compared.
density-guided-simulation-atom-spreading-weight: word = unity \
| under density-guided-simulation-active
    Weight of each atom.
density-guided-simulation-force-constant: real = 1e9 [kJ/mol] \
| under density-guided-simulation-active
    Strength.
density-guided-simulation-gaussian-transform-spreading-width: real = 0.2 [nm] \
| under density-guided-simulation-active
    Width of an atom's density.
density-guided-simulation-gaussian-transform-spreading-range-in-multiples-of-width: real = 4 \
| under density-guided-simulation-active
    Where that density is cut off.
density-guided-simulation-reference-density-filename: words = reference.mrc \
| under density-guided-simulation-active
    File of the density.
density-guided-simulation-nst: int = 1 [steps] | under density-guided-simulation-active
    Interval of its forces.
density-guided-simulation-normalize-densities: bool = yes \
| under density-guided-simulation-active
    Densities are brought to the same sum.
density-guided-simulation-adaptive-force-scaling: bool = no \
| under density-guided-simulation-active
    The strength adapts itself.
density-guided-simulation-adaptive-force-scaling-time-constant: real = 4 [ps] \
| under density-guided-simulation-active
    Time constant of that.
density-guided-simulation-shift-vector: reals = 0 0 0 [nm] \
| under density-guided-simulation-active
    Shift of the atoms before comparison.
density-guided-simulation-transformation-matrix: reals = 1 0 0 0 1 0 0 0 1 \
| under density-guided-simulation-active
    Rotation of the atoms before comparison.

== Quantum mechanics
QMMM: bool = no | refused
    Coupling to quantum mechanics by MiMiC.
    because: it is not implemented; instead: none
QMMM-grps: words = | under QMMM
    Atoms of the quantum part.
qmmm-cp2k-active: bool = no | refused
    Coupling to quantum mechanics by CP2K.
    because: it is not implemented; instead: none
qmmm-cp2k-qmgroup: words = System | under qmmm-cp2k-active
    Atoms of the quantum part.
qmmm-cp2k-qmmethod: word = PBE | under qmmm-cp2k-active
    Functional.
qmmm-cp2k-qmfilenames: words = | under qmmm-cp2k-active
    Names of the files for CP2K.
qmmm-cp2k-qmcharge: int = 0 | under qmmm-cp2k-active
    Charge of the quantum part.
qmmm-cp2k-qmmultiplicity: int = 1 | under qmmm-cp2k-active
    Multiplicity of the quantum part.

== Collective variables and neural networks
colvars-active: bool = no | refused
    The Colvars library adds its forces.
    because: it is not linked; instead: none
colvars-configfile: words = | under colvars-active
    Its configuration.
colvars-seed: int = -1 | under colvars-active
    Its seed.
nnpot-active: bool = no | refused
    A neural network gives the forces in a group.
    because: networks are not read; instead: a Python callback that adds forces
nnpot-modelfile: words = model.pt | under nnpot-active
    File of the network.
nnpot-input-group: words = System | under nnpot-active
    Atoms that it sees.
nnpot-embedding: word = mechanical | under nnpot-active
    How it meets the other atoms.
nnpot-link-type: word = H | under nnpot-active
    Element that ends cut bonds.
nnpot-link-distance: real = 0.1 [nm] | under nnpot-active
    Length of these bonds.
nnpot-pair-cutoff: real = 0 [nm] | under nnpot-active
    Cut-off of the pairs that it sees.
nnpot-nnp-charge: real = 0 [e] | under nnpot-active
    Charge of its atoms.
nnpot-model-input#: word = | under nnpot-active
    One of the quantities that it wants.
"""
