# SPDX-License-Identifier: Apache-2.0
"""Descriptions of the benchmarks for `aureole bench BENCH --help`."""

LJ = """\
Runs Aureole and the installed peers (GROMACS, LAMMPS) in turn with the same particles, parameters,
threads and steps, from one equilibrated snapshot, which is made once and kept. First compares
energies and pressures at step 0 and measures drift and missed pairs of each pair list. Peers are
found on PATH, through AUREOLE_GMX and AUREOLE_LMP, or as the package lammps.
"""

GRAPPA = """\
Mixtures of one ethanol (OPLS-AA) and nine waters (SPC/E), like the Grappa systems of the GROMACS
papers, with a reaction field or PME to 1.0 nm, 2 fs steps and constrained bonds to hydrogen. gmx
builds, minimises and equilibrates them once. Compares initial energies term by term, and forces
with converged ones in double precision; then both engines run in turn with the same files and
threads. The gmx program is found on PATH or through AUREOLE_GMX.
"""
PROTEIN = """\
A protein in water with PME to 0.9 nm; otherwise like `grappa`, and with OpenMM's CPU platform if
installed. Without --conf and --top: dihydrofolate reductase from ../shared/data/dhfr.
"""
BUSY = """\
Steps per second on 1, 2 and all processors while none, half or all of them run other work, with
GROMACS for comparison if gmx is found. The machine must be idle otherwise. --before also compares
the quiet speed with another build. Exit code 1 below 0.7 of the best count or 0.99 of before.
"""
SCALING = """\
Without --ranks: two threads, large systems and memory use of Aureole. With --ranks: each case on
one processor, on N ranks of one thread and on one rank of N threads, in turn: efficiency, the time
of each part of a step, and a plot of it. Molecules (grappa-pme-12k, grappa-rf-48k, ...) need gmx,
which prepares them.
With --job: your own system, on 1, 2, 4 ... ranks and threads.
"""
COMM = """\
Messages and sums between processes on this machine, compared with each MPI whose mpirun is on PATH
or named: two pinned processes, then a ring of twice as many ranks as processors.
"""
BLAST = """\
The experiment of Daiß et al. (2023): Sedov's blast in 512 sub-grids of 8 x 8 x 8 cells, PPM, HLLC
and RK3, mean of 15 steps, for each schedule and thread count. The state at t = 0.01 is compared
with the exact solution, and bit by bit among schedules (exit code 1 if they differ). Then RK2 and
PLM on one processor beside PyClaw, in pairs, from one start; and a blast in two dimensions on a
mesh that refines itself, beside a uniform one. On devices other than the host also a sweep over how
tasks are launched, and how the host learns that they are done.
"""
TASKS = """\
Runs the program bench_tasks: times of spawning, futures and batches beside oneTBB, and executors on
queues whose kernels take set times, where the ideal is known, with polling and with waiting.
"""
LAUNCHES = """\
Runs the program bench_device: what the host pays for launches, events, questions, waits, calls,
memory, small copies and graphs, each alone and in trains of 100, on this host, on a clocked one
that stands in for a GPU, and on the GPUs that can be used.
"""
MPI = """\
The tables of OSU's benchmarks for each MPI whose mpirun is on PATH or named, in memory of the
host, of devices and managed: without the preload of aureole-mpi (off), with it through the host
(staged), and with it straight between devices (mapped). All data are compared first, in untimed
runs; an MPI that cannot take memory of devices is told by how it ends. Exit code 1 if data were
wrong, or messages did not go straight.
"""
STENCIL = """\
A seven-point stencil in three dimensions, on a Cartesian grid of ranks whose faces travel as
derived datatypes: million cell updates per second, for each MPI, kind of memory and number of
ranks: without the preload of aureole-mpi (off), with it through the host (staged), and with it
straight between devices (mapped). Exit code 1 if a result differs from that of one rank in a bit,
or messages did not go straight.
"""
HPCG = """\
Conjugate gradients with a multigrid preconditioner, as HPCG 3.1 defines them: 27-point operator,
four levels, symmetric Gauss-Seidel sweeps by eight colours, on a grid of ranks. GFLOP/s as HPCG
counts them, for each MPI, kind of memory and number of ranks: without the preload of aureole-mpi
(off), with it through the host (staged), and with it straight between devices (mapped). Exit code 1
if a test of HPCG fails, if residuals differ in a bit, or if messages did not go straight.
"""
TUNE = """\
Measures messages of 4 kB to 4 MB between two devices of this machine, through the host and straight
from device to device, for each MPI whose mpirun is on PATH or named. The size from which on they
should go straight is written into the user's cache (aureole/mpi-thresholds), where aureole-mpi
finds it. Run it once on each kind of machine, when nothing else runs there.
"""
