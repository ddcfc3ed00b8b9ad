# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of fluids on a mesh."""
