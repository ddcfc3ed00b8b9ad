# SPDX-License-Identifier: Apache-2.0
"""The schema of the records of fluids. Only readers of checkpoints import this module."""

from __future__ import annotations

from aureole.records import schema
from aureole.records.schema import OfSpec


class Record(schema.Record, kw_only=True):
    """The whole record."""

    mesh: OfSpec
    gas: OfSpec
    scheme: OfSpec
    schedule: OfSpec
    refine: list[OfSpec]
    time: float
    target_time: float | None
