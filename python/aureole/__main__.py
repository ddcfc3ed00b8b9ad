# SPDX-License-Identifier: Apache-2.0
"""`python -m aureole` is the command `aureole`."""

from __future__ import annotations

import sys

from aureole.cli import main

sys.exit(main())
