# SPDX-License-Identifier: Apache-2.0
"""What to do where the engine cannot be loaded."""

from __future__ import annotations


def words_for(said: str) -> str:
    """The loader's words, with what they mean and what helps where we know it."""
    if "libamdhip64" not in said:
        return said
    return (
        f"this build of Aureole is for GPUs of AMD, and the runtime of ROCm that it was made with "
        f"cannot be loaded ({said}). Install ROCm of that version, or name its folder in "
        "LD_LIBRARY_PATH, or install Aureole without cmake.define.AUREOLE_GPU=hip."
    )
