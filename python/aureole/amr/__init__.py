# SPDX-License-Identifier: Apache-2.0
"""Fluids on a mesh."""
