# SPDX-License-Identifier: Apache-2.0
"""The program that other ranks than the first run; see `ranks`.

Most of the package is for the leader. A follower imports what it is called for, and all of
`aureole` once one of its names is asked for: a start takes a third of the time.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any


def import_package_later(folder: Path) -> None:
    """Make `aureole` a package of which only those modules are imported that are asked for."""
    spec = importlib.util.spec_from_file_location("aureole", folder / "__init__.py")
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)

    def found(name: str) -> Any:
        if name.startswith("_") and name not in ("_core", "__all__", "__version__"):
            raise AttributeError(name)
        if importlib.util.find_spec(f"aureole.{name}") is not None:
            return importlib.import_module(f"aureole.{name}")
        del vars(package)["__getattr__"]
        spec.loader.exec_module(package)
        return getattr(package, name)

    vars(package)["__getattr__"] = found
    sys.modules["aureole"] = package


if __name__ == "__main__":
    import_package_later(Path(__file__).parent)
    from aureole.ranks import live_as_follower

    live_as_follower()
