# SPDX-License-Identifier: Apache-2.0
"""Copies of the tree with planted faults, and runs of checks in them (tools/plant_faults.py)."""
