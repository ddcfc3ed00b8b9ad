# SPDX-License-Identifier: Apache-2.0
"""The end of a recorder."""

from __future__ import annotations

from aureole.base.errors import FileError, file_error

from .observer import Recorder


def closed(recorder: Recorder) -> Exception | None:
    """Close the files of a recorder; return the error if the last bytes were not written."""
    try:
        recorder.close()
    except FileError as error:
        return error
    except (OSError, RuntimeError) as error:
        path = getattr(recorder.spec, "path", "output")
        return file_error(path, "cannot be closed", error, "Check its end, and free space there")
    except Exception as error:  # of a user's own
        return error
    return None
