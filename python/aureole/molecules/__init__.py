# SPDX-License-Identifier: Apache-2.0
"""Molecules to build systems of: published models, placement, and files of GROMACS."""
