# SPDX-License-Identifier: Apache-2.0
"""Parts of `aureole bench`: cases, snapshots, engines, statistics, tables."""

from __future__ import annotations
