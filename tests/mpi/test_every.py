# SPDX-License-Identifier: Apache-2.0
"""Every procedure with a buffer gives what hosts get, or refuses device memory by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import gen_mpi
import mpis
import pytest
from every import all_procedures, program
from rank_runs import REFUSAL, Run, start


def results(text: str) -> dict[str, str]:
    """What became of each procedure."""
    lines = (line.split() for line in text.splitlines() if line.startswith("MPI_"))
    return {words[0]: words[1] for words in lines if len(words) == 2}


@pytest.mark.parametrize("device", ["cuda", "hip"])
def test_every_procedure_does_what_it_does_on_hosts(
    any_mpi: mpis.Mpi, build: Callable, tmp_path: Path, device: str
) -> None:
    source = tmp_path / "every.c"
    source.write_text(program())
    binary = build("every", any_mpi, source)
    runtime = {"cuda": "libcudart.so.13", "hip": "libamdhip64.so.6"}[device]
    run = start(Run(any_mpi, devices=device), 1, [binary, runtime, tmp_path / "data"])
    found = results(run.output)
    assert run.code == 0, run.told()
    expected = {one.name for one in all_procedures()}
    assert set(found) == expected
    for name, what in sorted(found.items()):
        print(name, what)
    # What no library at hand has yet is missing on all; here at most what MPI 4.1 added.
    missing = {name for name, what in found.items() if what == "missing"}
    assert all("attach_buffer" in name for name in missing)
    refused = {name for name, what in found.items() if what == "refused"}
    assert {name.removesuffix("_c") for name in refused} == set(gen_mpi.REFUSED)
    told = set(REFUSAL.findall(run.output))
    assert refused <= told | {f"{name}_c" for name in told}
    assert set(found.values()) - {"missing", "refused"} == {"right"}, found


def test_the_entry_points_are_those_of_the_standard() -> None:
    assert gen_mpi.text() == gen_mpi.OUTPUT.read_text(), "run tools/gen_mpi.py"
