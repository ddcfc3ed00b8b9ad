# SPDX-License-Identifier: Apache-2.0
"""Checks of run parameters: each says something where it should, and nothing elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from aureole.base.errors import FileError
from aureole.gromacs.checks.checked_job import Case
from aureole.gromacs.checks.freedom import degrees_of_freedom
from aureole.gromacs.checks.listed_twice import terms_listed_twice
from aureole.gromacs.checks.run_checks import check
from aureole.gromacs.checks.system import longest_cut_off
from aureole.gromacs.mdp.read import read_mdp
from aureole.gromacs.notes import RULES, Finding, Rule, read_rules
from aureole.system.topology import Terms
from gromacs_mini import EDGE, LIGANDS, WATERS, charged, frame, groups, one, topology
from gromacs_presets import AMBER, CHARMM, GRAPPA, GROMOS, MARTINI, WRONG

PR = "pcoupl = parrinello-rahman\ntau-p = 5\ncompressibility = 4.5e-5\nref-p = 1\n"
NH = "tcoupl = nose-hoover\ntc-grps = System\ntau-t = 1\nref-t = 300\n"
COURSE = (
    GRAPPA + "annealing = {}\nannealing-npoints = 2\nannealing-time = {}\nannealing-temp = {}\n"
)


def read(text):
    Path("run.mdp").write_text(text)
    return read_mdp("run.mdp")


def edited(molecule, **changes):
    """A topology whose first molecule type has other columns of atoms."""
    system = topology(molecule)
    (first, count), *rest = system.blocks
    atoms = replace(first.atoms, **changes)
    return replace(system, blocks=((replace(first, atoms=atoms), count), *rest))


def loose():
    """A topology whose waters are held by nothing."""
    return topology(rigid=False)


def doubled(kind, particles, parameters=None, row=None):
    """A topology whose first molecule type has these terms."""
    system = topology()
    (first, count), *rest = system.blocks
    n = len(particles)
    given = np.array([[0.1, 1000.0]] if parameters is None else parameters, dtype=float)
    rows = np.array([0] * n if row is None else row, dtype=np.int32)
    terms = Terms(np.array(particles, dtype=np.int32), rows, given)
    return replace(system, blocks=((replace(first, terms={kind: terms}), count), *rest))


def ions():
    """Groups with a thermostat for few degrees of freedom: this has 5."""
    rows = groups()
    return rows | {"Few": np.arange(5), "Rest": np.arange(5, len(rows["System"]))}


FEW = GRAPPA.replace("System", "Few Rest").replace("= 0.5", "= 1 1").replace("= 300", "= 300 300")
POS = dict(topology=topology("h-bonds", posres=True))
#: number of a check: text that it has something to say about, what else is known, severity.
CASES = {
    "A101": ("", {}, "note"),
    "A102": (
        WRONG["epsilon"][0].replace("epsilon-r = -1", "") + "continuation = yes\nld-seed = 5\n"
        "integrator = sd\ntc-grps = System\ntau-t = 1\nref-t = 300\n",
        {},
        "note",
    ),
    "A103": ("dt = 0\n", {}, "error"),
    "A104": ("nsteps = -2\n", {}, "error"),
    "A107": ("mass-repartition-factor = 0.9\n", {}, "error"),
    "A108": ("nstxout = -5\n", {}, "error"),
    "A109": ("integrator = steep\nemtol = 0\n", {}, "error"),
    "A110": (MARTINI.replace("= 1.1", "= 1.2"), {}, "note"),
    "A201": ("rvdw = -1\n", {}, "error"),
    "A202": ("nstlist = 0\n", {}, "error"),
    "A203": ("nstlist = 5\n", {}, "note"),
    "A204": ("rvdw = 0.9\n", {}, "error"),
    "A205": ("verlet-buffer-tolerance = 0\n", {}, "error"),
    "A206": ("rvdw = 0\nrcoulomb = 0\n", {}, "error"),
    "A207": ("rlist = 1\nverlet-buffer-tolerance = -1\n", {}, "note"),
    "A208": ("rlist = 1.2\n", {}, "note"),
    "A209": (GRAPPA.replace("= 0.5", "= 10"), {}, "warning"),
    "A210": ("pbc = no\n", {}, "error"),
    "A211": ("rvdw = 1.8\nrcoulomb = 1.8\n", dict(coordinates=frame()), "error"),
    "A212": ("pbc = xy\ncoulombtype = PME\n", {}, "error"),
    "A213": ("nsteps = 10\n", dict(coordinates=frame()), "note"),
    "A303": ("coulombtype = reaction-field\nepsilon-rf = 2\nepsilon-r = 3\n", {}, "error"),
    "A306": ("coulombtype = PME\nfourier-nx = 5\n", {}, "error"),
    "A307": ("vdw-modifier = force-switch\nrvdw-switch = 0.3\n", {}, "note"),
    "A309": (AMBER, dict(topology=charged(topology("h-bonds"), 3.0)), "warning"),
    "A310": (AMBER, dict(topology=charged(topology("h-bonds"), 0.3)), "note"),
    "A311": ("", dict(topology=topology()), "note"),
    "A312": (
        "coulombtype = PME\nfourierspacing = 0.8\n",
        dict(topology=topology(), coordinates=frame()),
        "warning",
    ),
    "A405": (GROMOS, {}, "warning"),
    "A406": (NH + "nsttcouple = 10\ndt = 0.006\n", {}, "warning"),
    "A407": (NH.replace("300", "-300"), {}, "error"),
    "A408": (CHARMM.replace("310.15 310.15", "300 310"), {}, "note"),
    "A409": ("gen-vel = yes\ncontinuation = yes\n", {}, "error"),
    "A410": (AMBER + "gen-vel = yes\ngen-temp = 200\n", {}, "note"),
    "A411": (COURSE.format("periodic", "0 10", "300 400"), {}, "note"),
    "A412": (FEW.replace("= 1 1", "= 1 -1"), {}, "warning"),
    "A503": (GROMOS, {}, "warning"),
    "A504": (AMBER.replace("tau-p ", "nstpcouple = 200\ntau-p "), {}, "warning"),
    "A505": (PR.replace("4.5e-5", "-1"), {}, "error"),
    "A506": (PR + "gen-vel = yes\n", {}, "warning"),
    "A507": (NH + PR.replace("= 5", "= 1"), {}, "warning"),
    "A508": (
        "integrator = md-vv\n" + NH + PR.replace("parrinello-rahman", "berendsen"),
        {},
        "error",
    ),
    "A509": (PR.replace("parrinello-rahman", "C-rescale"), {}, "error"),
    "A511": (AMBER, POS, "warning"),
    "A513": (AMBER + "freezegrps = Other\nfreezedim = Y Y Y\n", {}, "note"),
    "A514": (
        FEW.replace("300 300", "300 310") + PR.replace("parrinello-rahman", "C-rescale"),
        {},
        "warning",
    ),
    "A602": ("constraints = h-bonds\nnsteps = 10\n", {}, "note"),
    "A603": ("constraints = h-bonds\nconstraint-algorithm = shake\nshake-tol = 0\n", {}, "error"),
    "A604": ("constraints = all-bonds\ndt = 0.004\n", {}, "note"),
    "A605": ("dt = 0.002\n", dict(topology=topology()), "note"),
    "A606": ("dt = 0.003\n", dict(topology=topology("h-bonds")), "note"),
    "A702": ("pbc = no\n", {}, "note"),
    "A703": ("comm-mode = angular\n", {}, "warning"),
    "A704": ("nstcomm = 10\n", {}, "note"),
    "A705": (GRAPPA.replace("System", "Watr"), dict(groups=groups()), "error"),
    "A706": (
        GRAPPA.replace("System", "Water"),
        dict(groups=groups(), topology=topology()),
        "error",
    ),
    "A707": (AMBER + "comm-grps = Water\n", dict(groups=groups(), topology=topology()), "warning"),
    "A708": (
        "freezegrps = LIG Other\nfreezedim = Y Y Y N N N\n",
        dict(groups=groups(), topology=topology()),
        "error",
    ),
    "A709": (
        "freezegrps = LIG\nfreezedim = Y Y N\n",
        dict(groups=groups(), topology=topology()),
        "warning",
    ),
    "A710": (FEW, dict(groups=ions(), topology=topology()), "note"),
    "A711": ("comm-mode = none\nnsteps = 100\n", dict(topology=topology()), "warning"),
    "A712": (AMBER, POS, "note"),
    "A713": (
        "freezegrps = LIG\nfreezedim = Y Y N\n",
        dict(groups=groups(), topology=topology("h-bonds")),
        "error",
    ),
    "A714": (
        "compressed-x-grps = LIG Other\n",
        dict(groups=groups(), topology=topology()),
        "error",
    ),
    "A801": (
        "",
        dict(coordinates=replace(frame(), position=np.zeros((5, 3))), topology=topology()),
        "error",
    ),
    "A802": ("", dict(coordinates=replace(frame(), box=None)), "error"),
    "A803": ("", POS | dict(coordinates=frame()), "error"),
    "A804": ("", dict(topology=loose()), "note"),
    "A805": ("define = -DPOSRES\n", dict(topology=topology()), "note"),
    "A806": ("", dict(topology=edited("none", mass=np.zeros(2))), "error"),
    "A808": (
        "",
        dict(
            coordinates=replace(
                frame(), name=replace(frame().name, index=frame().name.index[::-1].copy())
            ),
            topology=topology(),
        ),
        "warning",
    ),
    "A809": (
        "",
        dict(topology=replace(topology(), redefined=("a.top:2: X replaces X",))),
        "warning",
    ),
    "A810": ("", dict(topology=doubled("harmonic_bond", [[0, 1], [1, 0]])), "note"),
    "A807": (AMBER, dict(coordinates=replace(frame(), velocity=None)), "note"),
}
#: Those that are told while a file is read.
READ = {
    "A105": "nstenergy = 150\n",
    "A106": AMBER.replace("tau-p                   = 2.0", "tau-p = 0.01"),
    "A304": "coulombtype = reaction-field-zero\nepsilon-rf = 78\n",
    "A904": "xyz =\n",
    "A301": "vdwtype = switch\nrvdw-switch = 0.8\n",
    "A302": "coulombtype = reaction-field\nepsilon-rf = 1\nepsilon-r = 62\n",
    "A401": GRAPPA.replace("v-rescale", "yes"),
    "A402": "integrator = steep\n" + NH,
    "A403": NH,
    "A404": NH.replace("tau-t = 1", "tau-t = 0"),
    "A501": PR.replace("parrinello-rahman", "isotropic"),
    "A502": "pbc = no\n" + PR,
    "A601": "lincs-warnangle = 100\n",
    "A701": "nstcomm = -10\n",
    "A901": "cpp = /lib/cpp\n",
    "A902": "nstxtcout = 5\n",
    "A903": "energygrps = A\n",
}


def test_every_rule_has_a_case():
    assert set(CASES) | set(READ) == set(RULES)


def test_a_table_of_rules(tmp_path):
    path = tmp_path / "notes.table"
    first = "== One\nA101: note | while reading\n A title.\n It is\n so > it.\n"
    second = "A102: error | needs topology, groups\n Two.\n Is.\n > dt: {dt} is\n too long.\n"
    second += " > note : {p.dt} is: odd.\n"
    path.write_text(first + second)
    assert read_rules(path) == {
        "A101": Rule("One", "note", "A title", "It is so > it.", reading=True),
        "A102": Rule(
            *("One", "error", "Two", "Is.", ("topology", "groups")),
            findings=(
                Finding("error", "dt", "{dt} is too long."),
                Finding("note", "", "{p.dt} is: odd."),
            ),
        ),
    }


@pytest.mark.parametrize(
    "text",
    [
        "A1: note\n Title.\n Text.",
        "A101: bad\n Title.\n Text.",
        "A101: note\n Title.",
        "A101: note | of it\n Title.\n Text.",
        "A100: note\n Title.\n Text.",
        "A101: note\n Title.\n Text.\n > bad dt: words",
    ],
)
def test_a_damaged_table_of_rules_names_its_line(tmp_path, text):
    path = tmp_path / "notes.table"
    path.write_text(f"A100: note | needs groups\n One.\n Two\n three.\n{text}\n")
    with pytest.raises(FileError, match=r"notes.table:5: .*(begins no rule|of no option)"):
        read_rules(path)


@pytest.mark.parametrize("number", CASES)
def test_says_something(here, number):
    text, known, severity = CASES[number]
    found = [note for note in check(read(text), **known) if note.number == number]
    assert severity in [note.severity for note in found]
    # Those are about other files.
    place = "" if number in ("A808", "A809", "A810") else "run.mdp"
    assert all(note.where.startswith(place) and note.text for note in found)
    head = f"{found[0].where}: " if place else ""
    assert str(found[0]).startswith(f"{head}{found[0].severity} {number}: ")
    worst = RULES[number].severity
    assert all(note.severity == worst or worst != "note" for note in found)


OPTIONS = {
    "A706": "tcoupl = v-rescale\ntc-grps = LIG SOL\ntau-t = 1 1\nref-t = 300 300\n",
    "A707": "comm-grps = LIG SOL\n",
    "A708": "freezegrps = LIG\nfreezedim = Y Y Y\n",
    "A714": "compressed-x-grps = LIG\n",
}


@pytest.mark.parametrize("number", OPTIONS)
def test_an_atom_that_its_group_lists_twice_is_refused(here, number):
    """As by grompp; beside it in test_mdp_gromacs.py."""
    twice = groups()
    twice["LIG"] = np.insert(twice["LIG"], 3, 2)
    known = dict(topology=topology(), coordinates=frame())
    told = [note for note in check(read(OPTIONS[number]), **known, groups=twice)]
    [found] = [note for note in told if note.severity == "error"]
    assert found.number == number and "or twice in one, starting with atom 3." in found.text
    assert found.text.startswith("1 particle is in more than one of ")
    told = check(read(OPTIONS[number]), **known, groups=groups())
    assert "error" not in [note.severity for note in told]


@pytest.mark.parametrize(
    "kind, particles, row, words",
    [
        ("harmonic_bond", [[0, 1], [0, 1]], None, "a term (harmonic_bond) is listed twice in LIG"),
        ("harmonic_bond", [[1, 0], [0, 1], [1, 0]], [0, 1, 0], "2 terms (harmonic_bond) are"),
        ("pair", [[0, 1], [1, 0]], None, "first the pair of atoms 2 and 1."),
        ("harmonic_angle", [[0, 1, 2], [2, 1, 0]], [0, 1], "first the angle of atoms 3, 2 and 1."),
        ("periodic_dihedral", [[0, 1, 2, 3], [3, 2, 1, 0]], None, "the dihedral of atoms 4, 3, 2"),
        ("periodic_dihedral", [[0, 1, 2, 3]] * 2, [0, 1], ""),  # two terms of one series
        ("harmonic_angle", [[0, 1, 2], [1, 2, 0]], None, ""),
        ("constraint", [[0, 1], [0, 1]], None, ""),  # the engine refuses these
    ],
)
def test_terms_that_are_listed_twice(here, kind, particles, row, words):
    system = doubled(kind, particles, [[0.1, 5.0], [0.2, 6.0]], row)
    texts = [found.text for found in terms_listed_twice(read(""), Case(read(""), system))]
    assert words in texts[0] if words else not texts


@pytest.mark.parametrize("number", READ)
def test_reading_says_something(here, number):
    assert number in [note.number for note in read(READ[number]).notes]


@pytest.mark.parametrize("text", [AMBER, CHARMM, GRAPPA], ids=["amber", "charmm", "grappa"])
def test_nothing_to_say(here, text):
    known = dict(topology=topology("h-bonds"), coordinates=frame(), groups=groups())
    assert check(read(text), **known) == []
    assert check(read(text)) == []


@pytest.mark.parametrize("name", WRONG)
def test_wrong_ones(here, name):
    text, words = WRONG[name]
    known = dict(topology=topology("h-bonds"), coordinates=frame(), groups=groups())
    try:
        found = check(read(text), **known)
    except ValueError as error:
        assert words in str(error)
    else:
        assert words in [note.number for note in found if note.severity == "error"]


def test_groups_that_are_not_there_are_told_once(here):
    """No check goes on about a group that another one has said is missing."""
    text = GRAPPA.replace("System", "Watr") + "comm-grps = Other Watr\n"
    known = dict(topology=topology("h-bonds"), coordinates=frame(), groups=groups())
    told = [note for note in check(read(text), **known) if "group" in str(note)]
    assert {note.number for note in told} == {"A705"} and len(told) == 2


def test_atoms_in_no_group_or_in_several_are_counted_from_one(here):
    by_name = groups()
    for number, first in (
        ("A706", np.setdiff1d(np.arange(topology().n), by_name["Water"]).min()),
        ("A708", np.intersect1d(by_name["LIG"], by_name["Other"]).min()),
    ):
        text, known, _ = CASES[number]
        (note,) = [note for note in check(read(text), **known) if note.number == number]
        assert f"starting with atom {first + 1}" in note.text


def test_period_of_a_bond(here):
    # 2 pi sqrt(mu / k) by hand: mu = 12.011 * 1.008 / 13.019 = 0.92996; k = 284512.
    period = 2.0 * np.pi * np.sqrt(0.92996 / 284512.0)
    assert abs(period - 0.01136) < 1e-5
    for steps, severity in ((9.9, "note"), (5.1, "note"), (4.9, "warning"), (10.1, None)):
        notes = check(read(f"dt = {period / steps:.8f}\n"), topology())
        found = [note.severity for note in notes if note.number == "A605"]
        assert found == ([severity] if severity else [])


def test_g96_bonds_and_flexible_water(here):
    system = topology()
    (ligand, n), (water, m) = system.blocks
    g96 = one(0, 1, parameters=(0.109, 284512.0 / (2.0 * 0.109**2)))
    ligand = replace(ligand, terms={"g96_bond": g96})
    note = [x for x in check(read("dt = 0.002\n"), replace(system, blocks=((ligand, n),)))]
    assert "0.011 ps" in next(x.text for x in note if x.number == "A605")
    held = replace(ligand, terms={"g96_bond": g96, "constraint": one(1, 0, parameters=(0.109,))})
    for blocks in (((held, n),), ((ligand, 0), (water, m))):
        notes = check(read("dt = 0.002\n"), replace(system, blocks=blocks))
        assert "A605" not in [x.number for x in notes]


def test_longest_cut_off():
    cube = 4.0 * np.eye(3)
    assert longest_cut_off(cube, (True, True, True)) == 2.0
    # The rhombic dodecahedron of edge 4: vectors of length 4, heights 4, 4, 2.83.
    root = np.sqrt(0.5)
    dodecahedron = 4.0 * np.array([[1, 0, 0], [0, 1, 0], [0.5, 0.5, root]])
    assert abs(longest_cut_off(dodecahedron, (True, True, True)) - 2.0) < 1e-12
    # Tilted beyond half by the rounding of a file: half of its faces, as in the engine.
    dodecahedron[2, 0] += 1e-5
    assert abs(longest_cut_off(dodecahedron, (True, True, True)) - np.sqrt(2.0)) < 1e-4
    flat = np.diag([4.0, 4.0, 1.0])
    assert longest_cut_off(flat, (True, True, False)) == 2.0
    assert longest_cut_off(flat, (True, True, True)) == 0.5


def test_degrees_of_freedom(here):
    p = read(
        GRAPPA.replace("System", "Other Water")
        .replace("= 0.5", "= 1 1")
        .replace("= 300", "= 300 300")
    )
    case = Case(p, topology("h-bonds"), groups=groups())
    found = degrees_of_freedom(case)
    other, water = LIGANDS * (6 - 1), WATERS * (9 - 3)
    share = (other + water - 3) / (other + water)
    # All particles are coupled, so the 3 are divided by degrees of freedom.
    assert np.allclose(found, [other * share, water * share, 0.0])
    still = read(GRAPPA + "freezegrps = Other\nfreezedim = Y Y Y\ncomm-mode = None\n")
    found = degrees_of_freedom(Case(still, topology(), groups=groups()))
    assert found[0] == water
    half = read(GRAPPA + "freezegrps = Other\nfreezedim = Y N N\ncomm-mode = None\n")
    found = degrees_of_freedom(Case(half, topology(), groups=groups()))
    assert found[0] == water + LIGANDS * 4


def test_box_and_cut_off(here):
    fine = read(f"rvdw = {EDGE / 2 - 0.01}\nrcoulomb = {EDGE / 2 - 0.01}\n")
    assert "A211" not in [note.number for note in check(fine, coordinates=frame())]
