# SPDX-License-Identifier: Apache-2.0
"""`aureole bench mpi` and `aureole bench stencil`: GPU pointers in any MPI."""
