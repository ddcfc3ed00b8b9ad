# SPDX-License-Identifier: Apache-2.0
"""The checks find what they are for: each is shown a tree with one planted offence."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOOLS))

import check_isa_symbols  # noqa: E402
import check_layers  # noqa: E402
import check_python  # noqa: E402
import check_style  # noqa: E402
import feature_table  # noqa: E402
import list_depth  # noqa: E402
import prose_width  # noqa: E402
import retired_words  # noqa: E402

LAYERS = "core\ndevice\nio fft\nmd\nmd/neighbor\nmd/pair md/bonded\n"


def tree(root: Path, files: dict[str, str]) -> Path:
    (root / "layers.txt").write_text(LAYERS)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root.resolve()


def test_downward_includes_are_allowed(tmp_path):
    files = {
        "core/a.hpp": "#include <vector>\n",
        "md/neighbor/n.hpp": '#include "core/a.hpp"\n',
        "md/pair/p.hpp": '#include "md/neighbor/n.hpp"\n',
        "md/neighbor/tests/t.cpp": '#include "md/pair/p.hpp"\n',
    }
    assert check_layers.check(tree(tmp_path, files)) == []


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("core/a.hpp", "device/b.hpp", "lies above"),
        ("io/a.hpp", "fft/b.hpp", "sibling"),
        ("md/neighbor/a.hpp", "md/pair/b.hpp", "does not lie below"),
        ("md/bonded/a.hpp", "md/pair/b.hpp", "does not lie below"),
        ("odd/a.hpp", "core/b.hpp", "no layer"),
    ],
)
def test_an_include_against_the_order_is_named(tmp_path, source, target, words):
    for include in (f'#include "{target}"\n', f"#include <{target}>\n"):
        problems = check_layers.check(tree(tmp_path, {source: include, target: ""}))
        assert len(problems) == 1
        assert words in problems[0]
        assert source in problems[0]


def test_a_part_that_is_not_listed_is_named(tmp_path):
    files = {"md/engine.hpp": "", "md/odd/tests/t.cpp": "", "core/a.hpp": "", "md/pair/p.hpp": ""}
    problems = check_layers.check(tree(tmp_path, files))
    assert problems == [
        "md/engine.hpp: md/engine is not listed in src/layers.txt",
        "md/odd/tests/t.cpp: md/odd is not listed in src/layers.txt",
    ]


def test_a_ring_is_named(tmp_path):
    files = {
        "core/a.hpp": '#include "core/b.hpp"\n',
        "core/b.hpp": '#include "c.hpp"\n',
        "core/c.hpp": '#include "core/a.hpp"\n',
    }
    problems = check_layers.check(tree(tmp_path, files))
    assert problems == ["ring: core/a.hpp -> core/b.hpp -> core/c.hpp -> core/a.hpp"]


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("src/md/a.cpp", "int x;\n", "no licence line"),
        ("src/md/a.cpp", "{}\n#ifdef AUREOLE_GPU\n#endif\n", "preprocessor"),
        ("src/device/gpu/queue.cpp", "{}\nint a = cudaFree(b);\n", "cuda is a vendor's"),
        ("src/md/a.cpp", "{}\n// as __shfl of HIP does\n", "HIP is a vendor's"),
        ("src/md/a.cpp", "{}\nvoid f() { std::cout << 1; }\n", "neither prints"),
        ("src/md/a.cpp", "{}\n" + "int x;\n" * 600, "601 lines"),
    ],
)
def test_style_offences_are_named(path, text, words):
    problems = check_style.problems_of(
        Path(path), text.replace("{}", f"// {check_style.LICENCE}", 1)
    )
    assert len(problems) == 1
    assert words in problems[0]


def test_vendors_are_named_in_their_headers_and_in_tests():
    text = f"// {check_style.LICENCE}\n#if defined(__HIPCC__)\nint a = hipFree(b);\n#endif\n"
    for folder in ("src/device/gpu/vendor", "src/core/gpu", "src/fft/gpu", "src/device/tests"):
        assert check_style.problems_of(Path(folder) / "a.hpp", text) == []


REFUSED = {
    "bath": [
        ("src/a.hpp", "int bath_every;"),
        ("python/a.py", "# Particles in a bath."),
        ("docs/a.md", "Groups have baths."),
    ],
    "gateway": [("python/a.py", "from .gateways import x"), ("docs/a.md", "a gateway to AMBER")],
    "reach": [
        ("src/md/a.cpp", "double most_reach_ = 0;"),
        ("src/md/a.cpp", "struct ReachRule {};"),
        ("src/md/a.cpp", "// The inner reach of a particle."),
    ],
    "life": [
        ("src/md/a.cpp", "int outer_life = 0;"),
        ("docs/a.md", "Time decides the list's life."),
        ("docs/a.md", "lists' lives"),
    ],
    "outlived": [("src/md/a.cpp", "state.list_outlived = 1;"), ("docs/a.md", "It was outlived.")],
    "owed": [("src/md/a.cpp", "bool kick_owed;"), ("src/md/a.cpp", "/// a half kick is owed")],
    "meet": [
        ("python/a.py", "meet = ~excluded"),
        ("docs/a.md", "Pairs that do not meet are left out."),
        ("src/md/a.cpp", '"a particle would meet\\n two images"'),
        ("docs/a.md", "until the constraints are met"),
        ("python/a.py", '"""Whether the start meets the constraints."""'),
    ],
    "wave": [
        ("src/md/a.cpp", "Buffer waves_;"),
        ("src/md/a.cpp", "struct SumWave {};"),
        ("docs/a.md", "Ewald's sum over waves"),
        ("src/md/a.cpp", "/// Ewald's sum over\n/// waves."),
    ],
    "share": [("src/md/a.cpp", "int do_share(int n);"), ("docs/a.md", "a thread's own share")],
    "place": [
        ("src/md/a.cpp", "template <class Place> void f();"),
        ("src/md/a.cpp", "if (i == no_place) return;"),
        ("docs/a.md", "the places of tags"),
    ],
    "lanes": [
        ("src/md/a.cpp", "class LaneLists;"),
        ("cmake/a.cpp.in", "LaneLists lists;"),
        ("python/a.py", "lane_list = 1"),
        ("docs/a.md", "the lists of lanes"),
    ],
    "slow": [("src/md/a.cpp", "struct SlowGroups {};")],
}


@pytest.mark.parametrize(
    "name, path, text", [(name, *case) for name, cases in REFUSED.items() for case in cases]
)
def test_retired_words_are_refused(name, path, text):
    rule = next(rule for rule in retired_words.RULES if rule.name == name)
    found = retired_words.problems_of(Path(path), text)
    assert found and all(rule.instead in line for line in found)
    assert found[0].startswith(f"{path}:1:")


def test_each_retired_word_has_a_test():
    assert REFUSED.keys() == {rule.name for rule in retired_words.RULES}


@pytest.mark.parametrize(
    "path, text",
    [
        ("docs/a.md", "A signal reaches the process; `rvdw` may reach half the box."),
        ("docs/a.md", "Two programs share a disk, and meet there in the life of a job."),
        ("docs/a.md", "wave vectors; a standing wave; in place of it"),
        ("src/md/a.cpp", "auto lanes = team.size();  // SIMD lanes"),
        ("src/md/a.cpp", "std::shared_ptr<T> shared; v.emplace_back(lifetime, displacement);"),
        ("src/md/a.cpp", "fft::Mode wave_number; WaveVector wave_vector;"),
        ("src/md/particles/particles.hpp", 'Column<int> group{{.name = "bath"}};'),
        ("tests/python/test_a.py", "def test_thermostats_reach_their_temperature(): ..."),
        ("docs/reference/glossary.md", "| thermostat | | bath |"),
        ("bench/results/a.md", "baths"),
    ],
)
def test_ordinary_words_pass(path, text):
    assert retired_words.problems_of(Path(path), text) == []


WIDE = "word " * 22 + "b"  # 111 characters
ADDRESS = "https://a.example/" + "b" * 100


@pytest.mark.parametrize(
    "path, text",
    [
        ("README.md", WIDE),
        ("docs/a.md", f"# {WIDE}"),
        ("docs/howto/a.md", f"* {WIDE}"),
        ("docs/a.md", f"See {ADDRESS}"),
        ("docs/a.md", f"[a]({ADDRESS}) and more"),
        ("docs/a.md", f"```\n~~~\n```\n{WIDE}"),
        ("docs/a.md", f"````\n```\n````\n{WIDE}"),
    ],
)
def test_wide_lines_of_prose_are_refused(path, text):
    last = text.splitlines()[-1]
    number = len(text.splitlines())
    assert prose_width.problems_of(Path(path), text) == [
        f"{path}:{number}: {len(last)} characters (at most 110 in prose)"
    ]


@pytest.mark.parametrize(
    "path, text",
    [
        ("docs/a.md", WIDE[1:]),
        ("docs/a.md", "µ" * 110),
        ("docs/a.md", f"| {WIDE} |"),
        ("docs/a.md", f"  ```c++\n{WIDE}\n  ```\n{WIDE[1:]}"),
        ("docs/a.md", f"````\n```\n{WIDE}\n````"),
        ("docs/a.md", f"~~~\n```\n{WIDE}\n~~~"),
        ("docs/a.md", f"~~~\n{WIDE}\n~~~"),
        ("docs/a.md", f"```\n```c++\n{WIDE}\n```"),
        ("docs/a.md", ADDRESS),
        ("docs/a.md", f"  * [a]({ADDRESS})."),
        ("docs/a.md", f"[a b]: {ADDRESS}"),
        ("docs/a.md", f"<!-- Made by tools/gen_docs.py: change the sources. -->\n\n{WIDE}"),
        ("bench/results/a.md", WIDE),
        ("tools/a.py", WIDE),
    ],
)
def test_what_cannot_be_broken_may_be_wide(path, text):
    assert prose_width.problems_of(Path(path), text) == []


@pytest.mark.parametrize(
    "text, columns",
    [
        ("1. a\n   * b\n", 3),
        ("* a\n  * b\n", 2),
        ("* a\n  1. b\n", 2),
        ("* a\n    - b\n      + c\n", 6),
        ("* a\n    * b\n        1. c\n", 0),
        ("* a\n  -b is no item\n", 0),
        ("```\n  * b\n```\n", 0),
        ("| a |\n", 0),
    ],
)
def test_lists_in_lists_have_four_columns_a_level(text, columns):
    """As many as Python-Markdown needs, which makes the site; GitHub takes them too."""
    found = list_depth.problems_of(Path("a/b.md"), text)
    told = [int(re.search(r"stands (\d+) columns in", problem)[1]) for problem in found]
    assert told == ([columns] if columns else [])
    assert list_depth.problems_of(Path("a/b.py"), text) == []


def test_the_style_check_reads_documents():
    problems = subprocess.run(
        [sys.executable, str(TOOLS / "check_style.py")], capture_output=True, text=True, check=False
    )
    assert problems.returncode == 0, problems.stderr
    texts = [p for p in check_style.tracked() if p.suffix == ".md"]
    assert len(texts) > 40


def test_a_shared_symbol_of_an_instruction_set_is_found(tmp_path):
    """An inline function under its common name is a leak, one in the set's namespace is not."""
    folder = tmp_path / "CMakeFiles" / "aureole_md_avx512.dir"
    folder.mkdir(parents=True)
    code = (
        "namespace N_AVX3 { __attribute__((noinline)) inline int own(int a) { return a + 1; } }\n"
        "namespace shared { __attribute__((noinline)) inline int leak(int a) { return a + 2; } }\n"
        "int f(int a) { return N_AVX3::own(a) + shared::leak(a); }\n"
    )
    (tmp_path / "a.cpp").write_text(code)
    command = ["c++", "-c", str(tmp_path / "a.cpp"), "-o", str(folder / "a.cpp.o")]
    subprocess.run(command, check=True)
    objects = check_isa_symbols.objects_of(tmp_path)
    assert [check_isa_symbols.weak_symbols(path) for path in objects] == [["shared::leak(int)"]]


def test_the_feature_table_follows_the_instantiations():
    move = "aureole::md::Move<Dense<{}>,NoThermostat>"
    both = [move.format("float"), move.format("double")]
    assert feature_table.gpu_has("Move<NoThermostat>", both)
    assert not feature_table.gpu_has("Move<NoThermostat>", both[:1])
    assert not feature_table.gpu_has("Move<LangevinThermostat>", both)
    assert feature_table.gpu_has("Wrap", ["aureole::md::Wrap"])
    assert not feature_table.gpu_has("Wrap", [])


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("aureole/a/one.py", "from .two import _hidden\n", "_hidden is private"),
        ("aureole/a/one.py", "from . import two\n\ntwo._hidden()\n", "two._hidden is private"),
        ("aureole/b/one.py", "from aureole.a import two\n\ntwo._x\n", "two._x is private"),
        ("aureole/a/one.py", "import importlib\n\nimportlib.import_module('x')\n", "string"),
        (
            "aureole/a/one.py",
            "from importlib import import_module\n\nimport_module('x')\n",
            "string",
        ),
        ("aureole/b/__init__.py", "def made():\n    pass\n", "defines nothing"),
        ("aureole/b/__init__.py", "LIMIT = 3\n", "defines nothing"),
        (
            "aureole/a/one.py",
            "import warnings\n\nwarnings.warn('x', stacklevel=3)\n",
            "one.py:3: a w",
        ),
        ("aureole/a/one.py", "from warnings import warn\n", "a warning would name a line of ours"),
        ("aureole/a/one.py", "x = 1\n" * 451, "451 lines (at most 450)"),
    ],
)
def test_rules_of_the_python_package(tmp_path, capsys, path, text, said):
    allowed = {
        "aureole/__init__.py": "from importlib import import_module\n\nimport_module('a')\n",
        "aureole/a/__init__.py": "from .two import shown\n\n__all__ = ['shown']\n",
        "aureole/a/two.py": "import os\n\n_hidden = shown = 1\nos._exit\nself._own = 1\n",
    }
    for name, content in allowed.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    assert check_python.main(tmp_path) == 0
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    assert check_python.main(tmp_path) == 1
    assert said in capsys.readouterr().err
