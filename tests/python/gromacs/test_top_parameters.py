# SPDX-License-Identifier: Apache-2.0
"""Parameters that are looked up or combined: by types, by rules, along bonds."""

import math
import random

import numpy as np
import pytest
from aureole.base.errors import InputError
from aureole.system.exclusions import exclusions
from top_tools import ATOMS, END, FIELD, top


def molecule(*arguments, **options):
    return top(*arguments, **options).blocks[0][0]


def rows(terms, kind):
    """The parameters of each term of a kind."""
    return terms[kind].parameters[terms[kind].row].tolist()


def dihedral(folder, types, line="1 2 3 4 9"):
    """Force constants of the dihedral of particles bC-bH-bO-bC."""
    made = molecule(folder, f"[ dihedraltypes ]\n{types}", f"[ dihedrals ]\n{line}")
    return [row[1] for row in rows(made.terms, "periodic_dihedral")]


def test_types_are_found_both_ways_round(tmp_path):
    types = "[ angletypes ]\nbO bH bC 1 100 7\nbH bO bC 1 110 8\nbO bC bH 1 120 9"
    made = molecule(tmp_path, types, "[ angles ]\n1 2 3\n3 2 1\n2 3 1\n2 1 3\n3 1 2")
    assert [k for _, k in rows(made.terms, "harmonic_angle")] == [7, 7, 8, 9, 9]


def test_each_function_has_its_own_list(tmp_path):
    types = "[ bondtypes ]\nbC bH 1 0.1 1\nbC bH 2 0.1 2\nbC bH 6 0.1 6\n"
    made = molecule(tmp_path, types, "[ bonds ]\n1 2 6\n1 2 2\n1 2 1")
    found = {kind: rows(made.terms, kind)[0][1] for kind in made.terms}
    assert found == {"harmonic_bond": 1, "harmonic_restraint": 6, "g96_bond": 2}
    with pytest.raises(InputError, match=r"no default bond parameters .*function 3"):
        top(tmp_path, types, "[ bonds ]\n1 2 3")


@pytest.mark.parametrize(
    "types, found",
    [
        ("bC bH bO bC 9 0 1 1\nX bH bO X 9 0 2 1", 1),
        ("X bH bO X 9 0 2 1\nbC bO bH bC 9 0 1 1", 1),
        ("X bH bO X 9 0 2 1\nX bH bO bC 9 0 3 1", 3),
        ("bC bO bH X 9 0 3 1\nX bH bO X 9 0 2 1", 3),
        ("X X X X 9 0 4 1\nX bO bH X 9 0 2 1", 2),
        ("X bH bO bC 9 0 5 1\nbC bH bO X 9 0 6 1", 5),
        ("bC bH bO X 9 0 6 1\nX bH bO bC 9 0 5 1", 6),
        ("bC bC bO X 9 0 6 1\nX X X bC 9 0 5 1", 5),
        ("bH bO 9 0 7 1", 7),
        ("bO bH 1 0 8 1", 8),
    ],
)
def test_the_entry_with_the_fewest_open_types_is_taken(tmp_path, types, found):
    assert dihedral(tmp_path, types) == [found]


def test_two_types_of_an_improper_are_the_outer_ones(tmp_path):
    made = molecule(
        tmp_path, "[ dihedraltypes ]\nbC bC 2 35 9\nbH bO 2 0 8", "[ dihedrals ]\n1 2 3 4 2"
    )
    assert rows(made.terms, "harmonic_improper") == [[math.radians(35), 9]]


def test_lines_of_a_sum_are_all_taken(tmp_path):
    block = "bC bO bH bC 9 0 1 1\nbC bO bH bC 9 0 2 2\nbC bO bH bC 9 180 3 3\nX bH bO X 9 0 4 1"
    assert dihedral(tmp_path, block) == [1, 2, 3]
    assert dihedral(tmp_path, block, "1 2 3 4 1") == [1, 2, 3]
    assert dihedral(tmp_path, block, "1 2 3 4 9 0 5 2") == [5]
    same_again = block + "\nbH bH bH bH 9 0 6 1\nX bH bO X 9 0 4 1"
    assert dihedral(tmp_path, same_again) == [1, 2, 3]


@pytest.mark.parametrize(
    "types",
    ["bC bH bO bC 9 0 1 1\nX X X X 9 0 9 1\nbC bH bO bC 9 0 2 2",
     "bC bH bO bC 9 0 1 1\nbC bO bH bC 9 0 2 2",
     "bC bH bO bC 9 0 1 1\nbC bH bO bC 9 0 2 2\nX X X X 9 0 9 1\nbC bH bO bC 9 0 1 1",
     "bC bH bO bC 9 0 1 1\nbC bH bO bC 9 0 2 2\nX X X X 9 0 9 1\nbC bH bO bC 1 0 1 1"],
)  # fmt: skip
def test_a_second_block_of_a_sum_is_an_error(tmp_path, types):
    with pytest.raises(InputError, match="a second block"):
        dihedral(tmp_path, types)


def test_later_parameters_replace_earlier_ones_and_are_told(tmp_path):
    found = top(tmp_path, "[ bondtypes ]\nbC bH 1 0.1 1\nbC bH 1 0.1 1\nbH bC 1 0.1 2")
    assert [words.split(": ")[1] for words in found.redefined] == [
        f"parameters of bH-bC replace those of {tmp_path}/mini.top:10"
    ]
    assert dihedral(tmp_path, "X bH bO X 1 0 1 1\nX bH bO X 1 0 2 1") == [2]


def test_macros_give_parameters(tmp_path):
    field = "#define gb_2 0.1 1.87e7\n#define imp 0 167 2 ; planar\n" + FIELD
    made = molecule(tmp_path, "[ bonds ]\n1 2 2 gb_2\n[ dihedrals ]\n1 2 3 4 4 imp", field=field)
    assert rows(made.terms, "g96_bond") == [[0.1, 1.87e7]]
    assert rows(made.terms, "periodic_dihedral") == [[0, 167, 2]]


def test_correction_maps(tmp_path):
    grid = " ".join(str(k) for k in range(16))
    types = f"[ cmaptypes ]\nbC bH bO bC bH 1 4 4 \\\n{grid}\nbH bC bO bH bC 1 2 2 1 2 3 4"
    atoms = ATOMS + "5 tH 1 RES H2 1\n"
    found = top(tmp_path, types, "[ cmap ]\n1 2 3 4 5 1", atoms=atoms)
    made = found.blocks[0][0].terms["cmap"]
    assert (made.particles.tolist(), made.parameters.tolist()) == ([[0, 1, 2, 3, 4]], [[0.0]])
    assert found.cmaps[0].tolist() == np.arange(16.0).reshape(4, 4).tolist()
    with pytest.raises(InputError, match="no default cmap parameters for the types bC-bO"):
        top(tmp_path, types, "[ cmap ]\n1 3 2 4 5 1", atoms=atoms)


# Lennard-Jones ---------------------------------------------------------------------------------

VALUES = {"tC": (0.35, 0.40), "tH": (0.25, 0.06), "tO": (0.30, 0.90)}


def combined(rule, a, b):
    """V and W of two types, as the manual writes the rules."""
    (v, w), (x, y) = VALUES[a], VALUES[b]
    first = (v + x) / 2 if rule == 2 else math.sqrt(v * x)
    return first, math.sqrt(w * y)


def coefficients(rule, v, w):
    return (v, w) if rule == 1 else (4 * w * v**6, 4 * w * v**12)


def by_rule(rule, rest="yes 0.5 0.8"):
    return FIELD.replace("1 2 yes 0.5 0.8", f"1 {rule} {rest}")


@pytest.mark.parametrize("rule", [1, 2, 3])
def test_combination_rules(tmp_path, rule):
    found = top(tmp_path, field=by_rule(rule)).nonbonded
    assert found.type_names == ("tC", "tH", "tO")
    assert found.rule == ("lorentz-berthelot" if rule == 2 else "geometric")
    for i, a in enumerate(found.type_names):
        for j, b in enumerate(found.type_names):
            c6, c12 = coefficients(rule, *combined(rule, a, b))
            assert found.c6[i, j] == pytest.approx(c6, rel=1e-14)
            assert found.c12[i, j] == pytest.approx(c12, rel=1e-14)


@pytest.mark.parametrize("rule", [1, 2, 3])
def test_pairs_of_types_that_follow_no_rule(tmp_path, rule):
    found = top(tmp_path, "[ nonbond_params ]\ntH tC 1 0.2 0.1", field=by_rule(rule)).nonbonded
    c6, c12 = coefficients(rule, 0.2, 0.1)
    assert found.rule == "none"
    assert found.c6[0, 1] == found.c6[1, 0] == pytest.approx(c6, rel=1e-14)
    assert found.c12[0, 1] == found.c12[1, 0] == pytest.approx(c12, rel=1e-14)
    unused = top(tmp_path, "[ nonbond_params ]\ntV tC 1 0.2 0.1", field=by_rule(rule))
    assert unused.nonbonded.rule != "none"


@pytest.mark.parametrize("rule", [2, 3])
def test_a_negative_sigma_only_repels(tmp_path, rule):
    found = top(tmp_path, field=by_rule(rule).replace("A 0.25", "A -0.25")).nonbonded
    assert found.rule == "none"
    assert found.c6[1].tolist() == [0, 0, 0]
    assert found.c12[1, 2] == pytest.approx(coefficients(rule, *combined(rule, "tH", "tO"))[1])
    assert found.c6[0, 2] == pytest.approx(coefficients(rule, *combined(rule, "tC", "tO"))[0])


def test_types_that_do_not_combine(tmp_path):
    with pytest.raises(InputError, match="no Lennard-Jones parameters for the pair tC-tH"):
        top(tmp_path, field=by_rule(1).replace("A 0.25", "A -0.25"))
    with pytest.raises(InputError, match="no Lennard-Jones parameters"):
        top(tmp_path, field=by_rule(2).replace("A 0.25", "A 1e100"))


PAIR = "[ pairs ]\n1 2 1"


@pytest.mark.parametrize("rule", [1, 2, 3])
def test_pairs_made_from_types(tmp_path, rule):
    found = rows(molecule(tmp_path, PAIR, field=by_rule(rule)).terms, "pair")[0]
    c6, c12 = coefficients(rule, *combined(rule, "tC", "tH"))
    # fudgeLJ times the potential is fudgeLJ times both coefficients, whatever the rule
    assert found == pytest.approx([0.5 * c6, 0.5 * c12, 0.8 * 0.25 * 0.10], rel=1e-14)


def test_pairs_made_from_overridden_types(tmp_path):
    override = "[ nonbond_params ]\ntC tH 1 0.2 0.1"
    found = rows(molecule(tmp_path, override, PAIR).terms, "pair")[0]
    assert found[:2] == pytest.approx([0.5 * c for c in coefficients(2, 0.2, 0.1)], rel=1e-14)


@pytest.mark.parametrize("gen", ["yes", "no"])
def test_listed_pairs_are_taken_as_they_are(tmp_path, gen):
    types = "[ pairtypes ]\ntH tC 1 0.2 0.1"
    found = rows(molecule(tmp_path, types, PAIR, field=by_rule(2, f"{gen} 0.5 0.8")).terms, "pair")
    assert found[0][:2] == pytest.approx(coefficients(2, 0.2, 0.1), rel=1e-14)


@pytest.mark.parametrize("rest", ["no 0.5 0.8", "no", ""])
def test_a_pair_without_parameters_is_an_error(tmp_path, rest):
    with pytest.raises(InputError, match="no default pair parameters for the types tC-tH"):
        top(tmp_path, PAIR, field=by_rule(2, rest))


@pytest.mark.parametrize(
    "line, v, w, qq",
    [
        ("[ pairs ]\n1 2 1 0.2 0.1", 0.2, 0.1, 0.8 * 0.025),
        ("[ pairs ]\n1 2 1 0.2 0.1 0.2 0.3", 0.2, 0.1, 0.8 * 0.025),
        ("[ pairs ]\n1 2 2 0.7 0.3 -0.4 0.2 0.1", 0.2, 0.1, 0.7 * 0.3 * -0.4),
        ("[ pairs_nb ]\n1 2 1 0.3 -0.4 0.2 0.1", 0.2, 0.1, 0.3 * -0.4),
    ],
)
def test_pairs_with_parameters_of_their_own(tmp_path, line, v, w, qq):
    found = rows(molecule(tmp_path, line).terms, "pair")[0]
    assert found == pytest.approx([*coefficients(2, v, w), qq], rel=1e-14)


# Exclusions ------------------------------------------------------------------------------------


def partners(found, i):
    return found.partner[found.start[i] : found.start[i + 1]].tolist()


def apart(n, edges, depth):
    """Who is at most `depth` edges from whom, by walking from each particle."""
    near = {i: {j for pair in edges for j in pair if i in pair} - {i} for i in range(n)}
    found = []
    for i in range(n):
        seen, front = {i}, {i}
        for _ in range(depth):
            front = set().union(*(near[j] for j in front)) - seen
            seen |= front
        found.append(sorted(seen - {i}))
    return found


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 5, 10**9])
def test_exclusions_along_bonds_are_those_of_a_walk(depth):
    rng = random.Random(depth)
    for n in (1, 2, 9, 40):
        edges = [tuple(rng.sample(range(n), 2)) for _ in range(n if n > 1 else 0)]
        found = exclusions(n, edges, [], depth)
        assert [partners(found, i) for i in range(n)] == apart(n, edges, min(depth, n))
        assert (found.start.dtype, found.partner.dtype) == (np.int64, np.int32)


CHAIN = "[ moleculetype ]\nMOL {}\n[ atoms ]\n" + "".join(
    f"{k} tC 1 RES C{k} 1\n" for k in range(1, 6)
)


@pytest.mark.parametrize(
    "lines, counts",
    [("[ bonds ]\n1 2 {} 0.1 9 9", True), ("[ constraints ]\n1 2 1 0.1", True),
     ("[ constraints ]\n1 2 2 0.1", False), ("[ bonds ]\n1 2 6 0.1 9", False),
     ("[ bonds ]\n1 2 5", True), ("[ pairs ]\n1 2 1", False)],
)  # fmt: skip
def test_what_counts_as_a_bond(tmp_path, lines, counts):
    for kind in (3, 4) if "{}" in lines else (0,):
        found = molecule(tmp_path, lines.format(kind), atoms=CHAIN.format(1)).exclusions
        assert (
            [partners(found, i) for i in range(5)] == [[1], [0], [], [], []]
            if counts
            else ([[]] * 5)
        )
    for kind in (1, 2):
        bond = f"[ bonds ]\n1 2 {kind} 0.1 9"
        assert molecule(tmp_path, bond, atoms=CHAIN.format(1)).exclusions.partner.tolist() == [1, 0]


@pytest.mark.parametrize("depth, found", [(0, []), (1, [1, 2]), (2, [1, 2])])
def test_a_settle_bonds_its_hydrogens_to_its_oxygen(tmp_path, depth, found):
    made = molecule(tmp_path, "[ settles ]\n1 1 0.1 0.16", atoms=CHAIN.format(depth)).exclusions
    assert partners(made, 0) == found
    assert partners(made, 1) == {0: [], 1: [0], 2: [0, 2]}[depth]


def test_listed_exclusions_count_both_ways(tmp_path):
    lines = "[ bonds ]\n1 2 1 0.1 9\n[ exclusions ]\n5 1 3 5\n3\n2 1"
    made = molecule(tmp_path, lines, atoms=CHAIN.format(1)).exclusions
    assert [partners(made, i) for i in range(5)] == [[1, 4], [0], [4], [], [0, 2]]


def test_too_many_exclusions_are_an_error(tmp_path, monkeypatch):
    from aureole.system import exclusions as top_exclusions

    monkeypatch.setattr(top_exclusions, "MOST", 10)
    bonds = "[ bonds ]\n" + "".join(f"{k} {k + 1} 1 0.1 9\n" for k in range(1, 5))
    with pytest.raises(InputError, match=r"mini.top:\d+: MOL has too many exclusions"):
        top(tmp_path, bonds, atoms=CHAIN.format(4), end=END)
