# SPDX-License-Identifier: Apache-2.0
"""The words of the page, from the table beside this module: word → word, by section."""

from __future__ import annotations

from pathlib import Path

from aureole.base.data_table import records

_SECTIONS: dict[str, dict[str, str]] = {}
for _record in records(Path(__file__).with_suffix(".table")):
    _name, _, _words = _record.head.partition(":")
    _SECTIONS.setdefault(_record.section, {})[_name] = _words.strip()

UNITS = _SECTIONS["Units"]
REDUCED_UNITS = _SECTIONS["Reduced units"]
COLUMNS = _SECTIONS["Columns"]
PARTS_OF_A_STEP = _SECTIONS["Parts of a step"]
INPUTS = _SECTIONS["Inputs"]
MAIN_SETTINGS = _SECTIONS["Main settings"]
PARTS_OF_A_RUN = _SECTIONS["Parts of a run"]
WITH_PREFIX = _SECTIONS["Files with a prefix"]
WITHOUT_PREFIX = _SECTIONS["Files without a prefix"]
