# SPDX-License-Identifier: Apache-2.0
"""Gateways: systems that other programs have built, as topology, coordinates and settings."""
