# SPDX-License-Identifier: Apache-2.0
"""Words that the glossary (docs/reference/glossary.md) retired, and where they still stand.

Names are checked word by word (`bath_every` holds `bath`), prose by phrases, as many of these words
are ordinary English in other places: a signal may reach a process, but a particle has no reach.
"""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

CPP = {".hpp", ".cpp", ".cu", ".cuh"}
TEXT = CPP | {".py", ".md", ".toml", ".cmake", ".in", ".txt", ".sh", ".table"}
#: Where retired words are the subject, or what was measured and printed long ago.
LEFT_OUT = re.compile(
    r"docs/reference/glossary\.md|tools/(retired_words|check_style|tests/test_checks)\.py"
    r"|(bench|validation)/results/|tests/data/|CHANGELOG\.md"
)
#: Names that checkpoints, command lines and scripts of users hold: file, and the word in it.
KEPT = {
    ("src/md/particles/particles.hpp", "bath"),
    ("src/md/simulation/simulation_checkpoint.cpp", "bath"),
    ("python/aureole/system/user_columns.py", "bath"),
}


@dataclass(frozen=True)
class Rule:
    """One retired word.

    Args:
        name: of the rule
        instead: what to write
        words: parts of identifiers that are refused
        names: a pattern of whole identifiers that are refused
        prose: a pattern of phrases that are refused in comments, messages and documentation
        where: the folders whose names are checked; prose is checked everywhere
        hints: what every offence holds, in small letters, to pass over the rest quickly
    """

    name: str
    instead: str
    words: frozenset[str] = frozenset()
    names: str = "(?!)"
    prose: str = "(?!)"
    where: tuple[str, ...] = ("src", "cmake", "python", "tests", "tools", "examples", "validation")
    hints: tuple[str, ...] = ()

    def may_be_in(self, lowered: str) -> bool:
        """Whether a text in small letters holds a hint."""
        return any(hint in lowered for hint in self.hints or (self.name,))

    @cached_property
    def phrases(self) -> re.Pattern[str]:
        """The prose pattern, whose blanks may be line ends with the next line's indentation."""
        return re.compile(self.prose.replace(" ", r"[ \n]+"), re.IGNORECASE)


_BODIES = r"(?:particles?|pairs?|charges?|atoms?|ions?|molecules?|partners?|fillers?|groups?)"
_HELPERS = r"(?: (?:that|which|do|does|not|never|may|would|must|cannot))*"
RULES = (
    Rule("bath", "thermostat", frozenset({"bath", "baths"}), prose=r"\bbaths?\b"),
    Rule("gateway", "converter", frozenset({"gateway", "gateways"}), prose=r"\bgateways?\b"),
    Rule(
        "reach",
        "displacement limit, buffer, range or extent",
        frozenset({"reach", "reaches"}),
        prose=r"\b(?:inner|outer|new|largest|least|displacement) reach(?:es)?\b"
        r"|\breaches of (?:the|single|particles)\b",
    ),
    Rule(
        "life",
        "lifetime",
        frozenset({"life", "lives"}),
        prose=r"\blists?['’]?s?['’]? (?:life|lives)\b|\b(?:inner|outer|planned) (?:life|lives)\b",
        hints=("life", "lives"),
    ),
    Rule(
        "outlived",
        "expired",
        frozenset({"outlive", "outlived", "outlives"}),
        prose=r"\boutlived\b|\boutlives? (?:its|the|their) lists?\b",
        hints=("outlive",),
    ),
    Rule(  # a lane of the checks may be owed
        "owed",
        "pending",
        frozenset({"owe", "owed", "owes"}),
        prose=r"\b(?:half|kicks?)\b[^.\n]{0,40}\bowe[ds]?\b|\bowe[ds]? (?:\w+ ){0,2}kicks?\b",
        where=("src", "cmake", "python"),
        hints=("owe",),
    ),
    Rule(
        "meet",
        "interact; constraints are satisfied",
        frozenset({"meet", "meets"}),
        prose=rf"\b{_BODIES}{_HELPERS} meets?\b|\bmeets? two images\b"
        r"|\bconstraints? (?:\w+ ){0,3}met\b|\bmeets? (?:the |its |their |all )?constraints\b",
        hints=("meet", "met"),
    ),
    Rule(
        "wave",
        "reciprocal-space sum, wave vector, mode",
        frozenset({"waves"}),
        names=r"(?:\w+_)?wave_?|Wave|\w+Wave|Wave(?!Vector|Number)[A-Z]\w*",
        prose=r"\bsum(?:s|med)? over (?:the |all )?waves\b|\bspace of waves\b",
        where=("src",),
    ),
    Rule(
        "share",
        "partition, fraction or contribution",
        frozenset({"share", "shares"}),
        prose=r"\bthreads?['’]s? (?:own )?shares?\b|\bshares? of (?:the )?(?:work|threads)\b",
        where=("src",),
    ),
    Rule(
        "place",
        "KernelLayout, or local index of a tag",
        names=r"Places?|Place[A-Z]\w*|[A-Z]\w*[a-z]Places?|no_place|place_of\w*|place_",
        prose=r"\bkernel places?\b|\bplaces? of (?:the |a )?tags?\b",
        where=("src",),
    ),
    Rule(
        "lanes",
        "flat list (lanes are those of SIMD)",
        names=r"(?i:(?:\w*_)?lane_?(?:lists?|engine|pair_?forces|search)\w*)",
        prose=r"\b[Ll]ane (?:lists?|kernels?|engines?)\b|\b(?:lists?|engines?) of lanes\b",
        hints=("lane",),
    ),
    Rule(
        "slow",
        "a verb that says what happens, such as scale",
        names=r"Slow[A-Z]\w*",
        where=("src",),
    ),
)
_CPP_PARTS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_PY_PARTS = re.compile(
    r'[rfb]*"""(?:\\.|[^\\])*?"""|#[^\n]*|[rfb]*"(?:\\.|[^"\\\n])*"|[rfb]*\'(?:\\.|[^\'\\\n])*\'',
    re.DOTALL,
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
#: In the name of a test, which is a sentence, these are verbs.
_SENTENCE = re.compile(r"test_\w+|(?:[A-Z][a-z]*){4,}")


def _split(path: Path, text: str) -> tuple[str, str]:
    """The code and the prose of a file, each with the lines of the whole."""
    parts = _CPP_PARTS if path.suffix in CPP else _PY_PARTS if path.suffix == ".py" else None
    if parts is None:
        return text if path.suffix in {".in", ".cmake"} else "", text

    def blank(some: str) -> str:
        return "\n".join(" " * len(line) for line in some.split("\n"))

    code = parts.sub(lambda m: blank(m[0]), text)
    prose, at = [], 0
    for m in parts.finditer(text):
        prose += [blank(text[at : m.start()]), m[0]]
        at = m.end()
    return code, "".join([*prose, blank(text[at:])])


@cache
def _rules_against(name: str) -> tuple[Rule, ...]:
    """Those that refuse an identifier."""
    lowered = name.lower()
    rules = [rule for rule in RULES if rule.may_be_in(lowered)]
    if not rules or _SENTENCE.fullmatch(name):
        return ()
    words = {word.lower() for word in _WORD.findall(name)}
    return tuple(r for r in rules if r.words & words or re.fullmatch(r.names, name))


def problems_of(path: Path, text: str) -> list[str]:
    """Printable offences of one file."""
    if LEFT_OUT.match(path.as_posix()) or path.suffix not in TEXT:
        return []
    code, prose = _split(path, text)
    # A phrase may go on in the next line of a comment.
    joined = re.sub(r"\n[ \t]*(?://+<?|#:?)? ?", lambda m: "\n" + " " * (len(m[0]) - 1), prose)
    refused = {name for name in set(_NAME.findall(code)) if _rules_against(name)}
    names = [(m.start(), m[0]) for m in _NAME.finditer(code) if m[0] in refused] if refused else []
    lowered = joined.lower()
    found = []
    for rule in RULES:
        hits = []
        if rule.may_be_in(lowered):
            hits = [(m.start(), m[0]) for m in rule.phrases.finditer(joined)]
        if path.parts[0] in rule.where:
            hits += [hit for hit in names if rule in _rules_against(hit[1])]
        for at, what in sorted(hits):
            if (path.as_posix(), what.strip().lower()) not in KEPT:
                line = text.count("\n", 0, at) + 1
                found.append(
                    f"{path}:{line}: '{' '.join(what.split())}' is a retired word (write: "
                    f"{rule.instead})"
                )
    return found
