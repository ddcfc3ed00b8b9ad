# SPDX-License-Identifier: Apache-2.0
"""Turns a process of mpirun into what a task of srun finds, and runs a Python program in it.

Open MPI's mpirun serves PMIx and MPICH's PMI, as Slurm does with --mpi=pmix and --mpi=pmi2. What
they tell besides is taken away; the variables of Slurm are set in its place.
"""

from __future__ import annotations

import os
import sys

SEEN = ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK")
OF_MPIRUN = ("OMPI_", "PRTE_", "MPI_", "MPIR_", "HYD", "PMI_HOSTNAME")


def environment(given: dict[str, str]) -> dict[str, str]:
    """Of a task of srun on one node, from that of a process of mpirun."""
    size, rank = next((given[a], given[b]) for a, b in SEEN if a in given)
    kept = {name: value for name, value in given.items() if not name.startswith(OF_MPIRUN)}
    return kept | {
        **{"SLURM_JOB_ID": "17", "SLURM_STEP_ID": "0", "SLURM_NTASKS": size},
        **{"SLURM_PROCID": rank, "SLURM_LOCALID": rank, "SLURM_NODEID": "0"},
        **{"SLURM_STEP_NUM_TASKS": size, "SLURM_STEP_NUM_NODES": "1"},
        **{"SLURM_TASKS_PER_NODE": size, "SLURM_STEP_TASKS_PER_NODE": size},
    }


if __name__ == "__main__":
    os.execve(sys.executable, [sys.executable, *sys.argv[1:]], environment(dict(os.environ)))
