# SPDX-License-Identifier: Apache-2.0
"""Readers of GROMACS input files."""

from __future__ import annotations
