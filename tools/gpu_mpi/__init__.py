# SPDX-License-Identifier: Apache-2.0
"""Messages of MPI between two processes on one GPU: what is packed, run and reported."""
