# SPDX-License-Identifier: Apache-2.0
"""`aureole bench mpi` and `aureole bench stencil`: MPIs with GPU pointers, as they are and preloaded."""
