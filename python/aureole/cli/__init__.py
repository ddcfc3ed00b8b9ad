# SPDX-License-Identifier: Apache-2.0
"""The command `aureole`."""

from .main import main

__all__ = ["main"]
