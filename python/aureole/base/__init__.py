# SPDX-License-Identifier: Apache-2.0
try:
    from aureole import _core as _core
except ImportError as error:  # of a library that it needs
    from .missing_libraries import words_for

    raise ImportError(words_for(str(error)), name=error.name) from None
