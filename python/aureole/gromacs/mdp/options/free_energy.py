# SPDX-License-Identifier: Apache-2.0
"""Options of an .mdp file, part 6: free energies, expanded ensembles, simulated tempering."""

from __future__ import annotations

TABLE = """
== Free energy
free-energy: enum = no
    Between two topologies, A and B, along the coupling parameter lambda.
    + no: topology A alone
    - yes: perturbed topologies are not implemented; instead: none
    - expanded: perturbed topologies are not implemented; instead: none
init-lambda: real = -1 | under free-energy
    Lambda at the start.
delta-lambda: real = 0 | under free-energy
    Change of lambda in a step.
init-lambda-state: int = -1 | under free-energy
    Column of the lambda arrays to start with.
fep-lambdas: reals = | under free-energy
    Values of lambda of all terms without an array of their own.
coul-lambdas: reals = | under free-energy
    Values of lambda of charges.
vdw-lambdas: reals = | under free-energy
    Values of lambda of Lennard-Jones terms.
bonded-lambdas: reals = | under free-energy
    Values of lambda of bonded terms.
restraint-lambdas: reals = | under free-energy
    Values of lambda of restraints.
mass-lambdas: reals = | under free-energy
    Values of lambda of masses.
temperature-lambdas: reals = | under free-energy
    Values of lambda of temperatures.
calc-lambda-neighbors: int = 1 | under free-energy
    How many neighbours in lambda get energies; -1 for all.
sc-function: word = beutler | under free-energy
    Kind of soft core.
sc-alpha: real = 0 | under free-energy
    Softness of the core; 0 for none.
sc-r-power: real = 6 | under free-energy
    Power of the distance in the soft core.
sc-coul: bool = no | under free-energy
    Charges get a soft core too.
sc-power: int = 1 | under free-energy
    Power of lambda in the soft core.
sc-sigma: real = 0.3 [nm] | under free-energy
    Size of atoms without one in the soft core.
sc-gapsys-scale-linpoint-lj: real = 0.85 | under free-energy
    Where the force becomes linear, for Lennard-Jones terms.
sc-gapsys-scale-linpoint-q: real = 0.3 [nm/e^2] | under free-energy
    Where the force becomes linear, for charges.
sc-gapsys-sigma-lj: real = 0.3 [nm] | under free-energy
    Size of atoms without one in that soft core.
couple-moltype: words = | under free-energy
    Molecule that appears or vanishes.
couple-lambda0: word = vdw-q | under free-energy
    Its forces at lambda 0.
couple-lambda1: word = vdw-q | under free-energy
    Its forces at lambda 1.
couple-intramol: bool = no | under free-energy
    Its internal forces vanish too.
nstdhdl: int = 50 [steps] | under free-energy
    Interval of derivatives by lambda.
dhdl-derivatives: bool = yes | under free-energy
    Derivatives are written.
dhdl-print-energy: word = no | under free-energy
    Which energy is written beside them.
separate-dhdl-file: bool = yes | under free-energy
    They go to a file of their own.
dh-hist-size: int = 0 | under free-energy
    Bins of their histogram; 0 for none.
dh-hist-spacing: real = 0.1 [kJ/mol] | under free-energy
    Width of its bins.

== Simulated tempering
simulated-tempering: bool = no | refused
    The temperature walks along a ladder.
    because: it is not implemented; instead: none
simulated-tempering-scaling: word = geometric | under simulated-tempering
    Spacing of the ladder.
sim-temp-low: real = 300 [K] | under simulated-tempering
    Its lowest temperature.
sim-temp-high: real = 300 [K] | under simulated-tempering
    Its highest temperature.

== Expanded ensembles
nstexpanded: int = -1 [steps] | under free-energy
    Interval of moves between states.
lmc-stats: word = no | under free-energy
    How weights of states are found.
lmc-mc-move: word = no | under free-energy
    How states change.
lmc-move: word = no | under free-energy
    The same, by the name that GROMACS itself writes.
lmc-seed: int = -1 | under free-energy
    Seed of these moves.
mc-temperature: real = -1 [K] | under free-energy
    Temperature of these moves.
lmc-weights-equil: word = no | under free-energy
    When weights stop changing.
weight-equil-number-all-lambda: int = -1 | under free-energy
    Samples of every state until then.
weight-equil-number-samples: int = -1 | under free-energy
    Samples of all states until then.
weight-equil-number-steps: int = -1 [steps] | under free-energy
    Steps until then.
weight-equil-wl-delta: real = -1 | under free-energy
    Wang-Landau increment until then.
weight-equil-count-ratio: real = -1 | under free-energy
    Ratio of the rarest state to the mean until then.
weight-c-range: int = 0 | under free-energy
    Visits between samples of the weights.
wl-ratio: real = 0.8 | under free-energy
    Flatness that lets the Wang-Landau increment shrink.
wl-scale: real = 0.8 | under free-energy
    Factor by which it shrinks.
init-wl-delta: real = 1 [kT] | under free-energy
    Its first value.
wl-oneovert: bool = no | under free-energy
    It falls with one over time in the end.
lmc-repeats: int = 1 | under free-energy
    Moves tried each time.
lmc-gibbsdelta: int = -1 | under free-energy
    Farthest state of a Gibbs move; -1 for any.
lmc-forced-nstart: int = 0 | under free-energy
    Samples in each state at the start.
nst-transition-matrix: int = -1 [steps] | under free-energy
    Interval of the transition matrix in the log.
symmetrized-transition-matrix: bool = no | under free-energy
    It is made symmetric.
mininum-var-min: int = 100 | under free-energy
    Samples from which the minimum-variance rule holds.
init-lambda-weights: reals = | under free-energy
    First weights of the states.
init-lambda-counts: ints = | under free-energy
    First visits of the states.
init-wl-histogram-counts: reals = | under free-energy
    First Wang-Landau histogram.
"""
