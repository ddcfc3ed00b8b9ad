# SPDX-License-Identifier: Apache-2.0
"""Converters: systems built by other programs, as topology, coordinates and settings."""

from __future__ import annotations
