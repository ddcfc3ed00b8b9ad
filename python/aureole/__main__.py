# SPDX-License-Identifier: Apache-2.0
"""`python -m aureole` is the command `aureole`."""

import sys

from .cli import main

sys.exit(main())
