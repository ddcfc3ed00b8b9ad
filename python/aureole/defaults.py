# SPDX-License-Identifier: Apache-2.0
"""Defaults that specs take over from the engine's settings, by spec and field."""

from typing import Any

from . import _core

DEFAULTS: dict[str, dict[str, Any]] = _core.spec_defaults()
