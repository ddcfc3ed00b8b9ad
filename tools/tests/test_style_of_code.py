# SPDX-License-Identifier: Apache-2.0
"""Sizes of functions and first words of comments: each check is shown a planted offence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOOLS))

import first_words  # noqa: E402 - after its folder is known
import function_size  # noqa: E402

LONG = "    work();\n" * 59
SHORT = "    work();\n" * 58
SEVEN = ", ".join(f"int {name}" for name in "abcdefg")


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("void f(int a) {{\n{long}}}\n", "a.cpp:1: f() has 61 lines (at most 60)"),
        ("void f(int a) {{\n{short}}}\n", None),
        (
            "template <class T>\nvoid A<T>::f(const B& b,\n    int a) const {{\n{short}}}\n",
            "A<T>::f() has 62 lines",
        ),
        ("class A {{\n    int f() {{\n{long}    }}\n}};\n", "a.cpp:2: f() has 61 lines"),
        ("void f(int a, int b, int c, int d, int e, A<int, int> f) {{\n}}\n", None),
        ("void f(int a, int b, int c, int d, int e, int f, int g) {{\n}}\n", "7 parameters"),
        (
            "A::A(int a, int b, int c,\n     int d, int e, int f, int g)\n    : a_(a) {{\n}}\n",
            "7 par",
        ),
        ("namespace {{\nstruct A {{\n{long}}};\n}}\n", None),
        ("const auto f = [](int a) {{\n{long}}};\n", None),
        ("inline int f({seven}) {{ return 1; }}\n", "a.cpp:1: f() has 7 parameters"),
        ("    int f(int a, int b,\n          {five}) const {{ return 1; }}\n", "7 par"),
        ("template <class T>\n    requires std::integral<T>\nvoid f({seven}) {{\n}}\n", "7 par"),
        ('extern "C" void f({seven}) {{\n}}\n', "f() has 7 parameters"),
        ("void operator()({seven}) const {{\n}}\n", "operator()() has 7 parameters"),
        ("decltype(auto) f({seven}) {{\n}}\n", "f() has 7 parameters"),
        ("int a = f({seven});\nif (f({seven})) {{ return; }}\n", None),
        ('void f() {{\n    g("{{ ( {{");\n{short}}}\n', "f() has 61 lines"),
    ],
)
def test_functions_that_are_too_large_are_named(code, found):
    text = code.format(long=LONG, short=SHORT, seven=SEVEN, five=SEVEN[: -len(", int f, int g")])
    told = function_size.problems_of(Path("src/md/a.cpp"), text)
    assert (len(told) == 1 and found in told[0]) if found else told == []
    assert function_size.problems_of(Path("src/md/tests/a.cpp"), text) == []


def test_no_exception_is_idle():
    for (place, name), why in function_size.ALLOWED.items():
        text = (TOOLS.parent / place).read_text()
        too_large = {
            one
            for one, _, lines, parameters in function_size.functions(text)
            if lines > function_size.MOST_LINES or parameters > function_size.MOST_PARAMETERS
        }
        assert name in too_large and why


def test_comments_that_begin_with_pronouns_are_counted():
    cpp = "/// What it is.\n/// What it was.\nint a;  ///< of it\nint b;  ///< What b is\n"
    python = (
        '"""Whatever."""\n#: What it is.\n#: What it was.\nA = 1\n\n\ndef f():\n    """Of."""\n'
    )
    texts = {Path("src/a.hpp"): cpp * 34, Path("python/a.py"): python, Path("tests/a.py"): python}
    assert first_words.problems_of(texts) == []  # 69 + 1 begin with What
    texts[Path("src/b.hpp")] = "/// Of it.\nint a;\n/// Those.\nint b;\n" * 10
    (said, *places) = first_words.problems_of(texts)
    assert said.startswith("21 comments begin with That, Those") and len(places) == 21
    assert "python/a.py:7: Of." in places and "src/b.hpp:3: Those." in places
    texts = {Path("src/a.hpp"): cpp * 51}
    assert first_words.problems_of(texts)[0].startswith("102 comments begin with What (at most 100")
