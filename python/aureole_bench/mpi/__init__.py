# SPDX-License-Identifier: Apache-2.0
"""`aureole bench mpi`, `stencil` and `hpcg`: GPU pointers in any MPI."""
