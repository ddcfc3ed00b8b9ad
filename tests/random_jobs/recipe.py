# SPDX-License-Identifier: Apache-2.0
"""What a random job consists of: plain data, so that it can be printed, kept and shrunk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

Features = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Recipe:
    """A job of molecules, run from the files of GROMACS.

    Args:
        seed: of places, velocities, and of what the properties choose
        molecules: kinds and counts, in the order of the topology
        vectors: nine numbers of the box, as .gro files order them [nm]
        cells: lattice on which molecules are placed
        rule: combination rule, the number in [ defaults ]
        special: whether pairs of types deviate from the rule
        between: whether the first and the last molecule are bound to each other
        features: options of the .mdp file, by the feature that needs them together
        precision, algorithm, threads: of the engine
        steps: length of the run
        stop: the step at which it is interrupted, for the restart
        part: steps of a second part, after which it is interrupted again; 0 for none
        outputs: names of files for options of mdrun, such as "-o": "a.gsd"
        process: restart through the command line in processes of their own
    """

    seed: int
    molecules: tuple[tuple[str, int], ...]
    vectors: tuple[float, ...]
    cells: tuple[int, int, int]
    rule: int = 2
    special: bool = False
    between: bool = False
    features: Features = field(default_factory=dict)
    precision: str = "double"
    algorithm: str = "clusters"
    threads: int = 1
    steps: int = 20
    stop: int = 7
    part: int = 0
    outputs: Mapping[str, str] = field(default_factory=dict)
    process: bool = False

    @property
    def options(self) -> dict[str, str]:
        """All options of the .mdp file."""
        merged: dict[str, str] = {}
        for one in self.features.values():
            merged |= one
        return merged

    def with_options(self, **changes: str | None) -> Recipe:
        """The same with options changed, `_` for `-`; None takes one out."""
        features = {name: dict(one) for name, one in self.features.items()}
        for key, value in changes.items():
            name = key.replace("_", "-")
            for one in features.values():
                one.pop(name, None)
            if value is not None:
                features.setdefault("changed", {})[name] = value
        return replace(self, features=features)

    def text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def of(cls, text: str) -> Recipe:
        """From the JSON that `text` made."""
        data: dict[str, Any] = json.loads(text)
        data["molecules"] = tuple((kind, count) for kind, count in data["molecules"])
        data["vectors"], data["cells"] = tuple(data["vectors"]), tuple(data["cells"])
        return cls(**data)
