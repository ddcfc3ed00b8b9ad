# SPDX-License-Identifier: Apache-2.0
"""The demonstration of `make demo`: a liquid from a GSD file, with plot and checkpoint."""

import sys

from aureole.demo import main

sys.exit(main())
