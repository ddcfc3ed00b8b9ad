# SPDX-License-Identifier: Apache-2.0
"""Checkpoints with right checksums and other contents: what is in them is not believed."""

from __future__ import annotations

import struct
from pathlib import Path

import aureole as au
import pytest
import resigned

pytestmark = pytest.mark.skipif(
    resigned.xxhash_library() is None, reason="libxxhash.so.0 is needed to sign checkpoints"
)


def saved(liquid, name="a.ckpt", **options):
    sim = liquid(n=108, forces=[au.WCA(epsilon=1.0, sigma=1.0)], **options)
    sim.run(20)
    sim.write_checkpoint(name)
    return resigned.blocks_of(Path(name).read_bytes())


def write(blocks):
    Path("b.ckpt").write_bytes(resigned.checkpoint_of(Path("a.ckpt").read_bytes(), blocks))
    return au.Simulation.from_checkpoint("b.ckpt")


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
def test_equal_states_give_equal_bytes(here, liquid, algorithm):
    """Nothing of what memory held before, as the padding of structs, is in a checkpoint."""
    device = au.Device(name="host", threads=1, algorithm=algorithm)
    one = saved(liquid, device=device)
    two = saved(liquid, "b.ckpt", device=device)
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []
    # Six lengths and tilts, and three times yes, one behind the other.
    box = list(au.Simulation.from_checkpoint("a.ckpt").box.six)
    at = one["header"].index(struct.pack("<6d3?", *box, True, True, True))
    assert at == 4 + 4 + 8 + 8 + 8
    if algorithm == "clusters":
        assert len(one["list.boxes"]) == 2 * (6 * 8 + 3)


def test_an_older_format_is_told(here, liquid):
    blocks = saved(liquid)
    blocks["header"] = struct.pack("<i", 1) + blocks["header"][4:] + bytes(16)
    with pytest.raises(au.FileError, match="its format is 1, and this program reads format 2"):
        write(blocks)


def test_what_is_yes_or_no_is_one_of_both(here, liquid):
    blocks = saved(liquid)
    header = bytearray(blocks["header"])
    header[4 + 4 + 24 + 48] = 7
    blocks["header"] = bytes(header)
    with pytest.raises(au.FileError, match="Boolean value is neither"):
        write(blocks)


@pytest.mark.parametrize("types", [0, -1, 2, 4097, 46341, 2**31 - 1])
def test_numbers_of_types_are_those_of_the_tables(here, liquid, types):
    blocks = saved(liquid)
    assert struct.unpack_from("<i", blocks["force.0.header"]) == (1,)
    blocks["force.0.header"] = struct.pack("<i", types) + blocks["force.0.header"][4:]
    with pytest.raises(au.FileError, match="the number of types is invalid"):
        write(blocks)


@pytest.mark.validate
def test_many_types_come_back(here):
    """Their tables have 17 million rows; 4,096 types were the most that could be read."""
    n = 4097
    names = tuple(f"T{k}" for k in range(n))
    system = au.build.lattice("sc", n=5832, density=0.1).replace(
        type=[k % n for k in range(5832)], type_names=names
    )
    sim = au.Simulation(system, [au.WCA(epsilon=1.0, sigma=1.0)], au.NVE(dt=0.001), threads=1)
    sim.write_checkpoint("a.ckpt")
    again = au.Simulation.from_checkpoint("a.ckpt")
    assert again.energy == sim.energy and len(again.type_names) == n
