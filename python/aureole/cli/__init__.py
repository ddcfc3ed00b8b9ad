# SPDX-License-Identifier: Apache-2.0
"""The command `aureole`."""

from __future__ import annotations

import sys

try:
    from .main import main
except KeyboardInterrupt:
    sys.stderr.write("ended: by Ctrl-C\n")
    sys.exit(130)
except ImportError as error:
    if error.name != "aureole._core":
        raise
    sys.exit(f"error: {error}")

__all__ = ["main"]
