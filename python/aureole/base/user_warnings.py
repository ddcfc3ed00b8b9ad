# SPDX-License-Identifier: Apache-2.0
"""Warnings that name the line of the user's own code, however deep in the package they arise."""

from __future__ import annotations

import os
import sys
import sysconfig
import warnings
from types import FrameType

_PACKAGE = __name__.partition(".")[0]
_LIBRARY = (sysconfig.get_path("stdlib") + os.sep, "<frozen ")
#: Folders of packages that others have installed, where they are below Python's library.
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


def warn(words: str, kind: type[Warning] = UserWarning) -> None:
    """Warn at the innermost line on the way here that neither the package nor Python's library has.

    Without one, as in a thread of the package, the warning names the outermost line.
    """
    frame: FrameType = sys._getframe(1)
    level = 2
    while _is_inner(frame) and frame.f_back is not None:
        frame, level = frame.f_back, level + 1
    warnings.warn(words, kind, stacklevel=level)


def _is_inner(frame: FrameType) -> bool:
    module, file = str(frame.f_globals.get("__name__", "")), frame.f_code.co_filename
    if module.partition(".")[0] == _PACKAGE:
        return True
    return file.startswith(_LIBRARY) and not any(part in file for part in _INSTALLED)
