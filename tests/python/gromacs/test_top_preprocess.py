# SPDX-License-Identifier: Apache-2.0
"""The preprocessor of topologies, by what a reader of C would expect."""

import pytest
from aureole.base.errors import FileError, InputError
from aureole.gromacs.top import preprocessor as preprocess
from aureole.gromacs.top.preprocessor import Source


def texts(folder, text, **options):
    """The data lines that remain of a file."""
    return [line.text for line in lines(folder, text, **options)]


def lines(folder, text, **options):
    (folder / "a.top").write_text(text)
    return list(Source(folder / "a.top", **options))


def test_comments_blanks_and_stars_vanish(tmp_path):
    assert texts(tmp_path, "; c\n a b ; c\n\n* star\n  d\t\n;\n") == ["a b", "d"]


def test_lines_keep_their_file_and_number(tmp_path):
    (tmp_path / "b.itp").write_text("\nin b\n")
    found = lines(tmp_path, 'one\n#include "b.itp"\n\nlast \\\nof all\nend\n')
    where = [(line.text, line.file.rsplit("/", 1)[-1], line.number) for line in found]
    assert where == [
        ("one", "a.top", 1),
        ("in b", "b.itp", 2),
        ("last  of all", "a.top", 4),
        ("end", "a.top", 6),
    ]
    assert found[1].where.endswith("b.itp:2")


def test_values_replace_whole_words_only(tmp_path):
    text = "#define gb_1 0.1 2e7\n#define gb 9\n#define FLAG\n1 2 2 gb_1\ngb gb_12 xgb gb-1 FLAG\n"
    assert texts(tmp_path, text) == ["1 2 2 0.1 2e7", "9 gb_12 xgb 9-1 FLAG"]


def test_macros_nest_are_redefined_and_undefined(tmp_path):
    text = "#define A B B\n#define B 1\nA\n#define B 2\nA\n#undef B\nA\n"
    assert texts(tmp_path, text) == ["1 1", "2 2", "B B"]


def test_a_macro_in_its_own_value_stays(tmp_path):
    text = "#define C C 1\n#define P Q\n#define Q P\nC P\n"
    assert texts(tmp_path, text) == ["C 1 P"]


def test_comments_behind_directives_are_no_part_of_them(tmp_path):
    text = "#define A 1 ; one\n#ifdef A ; yes\nA x\n#endif ; done\n# define  B  2 \nB\n"
    assert texts(tmp_path, text) == ["1 x", "2"]


@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
def test_conditions_nest(tmp_path, a, b):
    text = (
        "#ifdef A\na\n#ifdef B\nab\n#else\na!b\n#endif\n#else\n!a\n"
        "#ifndef B\n!a!b\n#else\n!ab\n#endif\n#endif\nend\n"
    )
    defines = [name for name, given in (("A", a), ("B", b)) if given]
    first = "a" if a else "!a"
    expected = [first, first + ("b" if b else "!b"), "end"]
    assert texts(tmp_path, text, defines=defines) == expected


def test_what_is_not_read_is_not_looked_at(tmp_path):
    text = '#ifdef NO\n#include "absent"\n#define X 1\n#nonsense\n#endif\nX\n'
    assert texts(tmp_path, text) == ["X"]


def test_defines_are_taken_as_the_run_options_write_them(tmp_path):
    text = "#ifdef POSRES\nFC\n#endif\n"
    assert texts(tmp_path, text, defines="-DPOSRES -DFC=1000") == ["1000"]
    assert texts(tmp_path, text, defines=["POSRES", "FC=1000"]) == ["1000"]
    with pytest.raises(InputError, match="defines no macro"):
        texts(tmp_path, text, defines="-D")


def test_defines_that_are_used_nowhere_are_noted(tmp_path):
    (tmp_path / "a.top").write_text("#ifdef ONE\n#endif\nTWO\n")
    source = Source(tmp_path / "a.top", defines="-DONE -DTWO=2 -DTHREE -DFOUR=4")
    assert [line.text for line in source] == ["2"]
    assert [note.split()[0] for note in source.notes] == ["-DTHREE", "-DFOUR"]


def test_a_comment_that_continues_takes_the_next_line_and_is_noted(tmp_path):
    (tmp_path / "a.top").write_text("one ; why \\\ntwo\nthree\n")
    source = Source(tmp_path / "a.top")
    assert [line.text for line in source] == ["one", "three"]
    assert "a.top:1" in source.notes[0]


def test_a_directive_ends_a_line_that_continues(tmp_path):
    assert texts(tmp_path, "#ifdef A\n#else\na \\\n#endif\nb\n") == ["a", "b"]


def test_files_are_looked_for_in_order(tmp_path, monkeypatch):
    folders = ["", "sub", "given", "lib", "data/top"]
    for k, folder in enumerate(folders):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        for j in range(k + 1):
            (tmp_path / folder / f"f{j}.itp").write_text(f"f{j} of {folder or 'root'}\n")
    everything = "".join(f"#include <f{j}.itp>\n" for j in range(5))
    (tmp_path / "sub" / "all.itp").write_text(everything)
    monkeypatch.setenv("GMXLIB", f"{tmp_path}/absent:{tmp_path}/lib")
    monkeypatch.setenv("GMXDATA", f"{tmp_path}/data")
    found = texts(tmp_path, '#include "sub/all.itp"\n', include=f"-I{tmp_path}/given")
    # Beside the including file (sub has f0, f1), beside the topology, given, GMXLIB, GMXDATA.
    assert found == [
        "f0 of sub",
        "f1 of sub",
        "f2 of given",
        "f3 of lib",
        "f4 of data/top",
    ]
    (tmp_path / "sub" / "f0.itp").unlink()
    assert texts(tmp_path, '#include "sub/all.itp"\n', include=[tmp_path / "given"])[0] == (
        "f0 of root"
    )


@pytest.mark.parametrize(
    "text, error, words",
    [
        ('#include "no.itp"\n', FileError, "a.top:1: the included file 'no.itp' is not found"),
        ("#include no.itp\n", InputError, "a.top:1: #include without a file"),
        ('\n#include "a.top"\n', InputError, "a.top:2: .*a.top includes itself"),
        ("#ifdef A\nx\n", InputError, "a.top:1: this #ifdef has no #endif"),
        ("x\n#endif\n", InputError, "a.top:2: #endif without #ifdef"),
        ("#else\n", InputError, "a.top:1: #else without #ifdef"),
        ("#ifdef A\n#else\n#else\n#endif\n", InputError, "a.top:3: a second #else"),
        ("#if 1\n#endif\n", InputError, "a.top:1: #if is not supported"),
        ("#defin A\n", InputError, "a.top:1: #defin .* Did you mean 'define'"),
        ("#\n", InputError, "a.top:1: # is not supported"),
        ("#define\n", InputError, "a.top:1: #define without a name"),
        ("#define a-b 1\n", InputError, "a.top:1: the macro 'a-b' cannot be substituted"),
        ("ok\nb\0d\n", FileError, "a.top:2: is not text"),
    ],
)
def test_errors_name_file_and_line(tmp_path, text, error, words):
    with pytest.raises(error, match=words):
        lines(tmp_path, text)


def test_force_fields_of_the_gromacs_that_is_here(tmp_path, monkeypatch):
    """They are found as gmx finds them; a missing one names the folders."""
    program, folder = tmp_path / "bin" / "gmx", tmp_path / "share" / "gromacs" / "top"
    folder.mkdir(parents=True), program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setenv("GMXLIB", str(tmp_path / "mine"))
    monkeypatch.setenv("GMXDATA", str(tmp_path / "data"))
    with pytest.raises(FileError) as caught:
        lines(tmp_path, '#include "amber.ff/forcefield.itp"\n')
    assert f"{tmp_path / 'mine'}, {tmp_path / 'data' / 'top'}, {folder}" in str(caught.value)
    (folder / "amber.ff").mkdir()
    (folder / "amber.ff" / "forcefield.itp").write_text("of GROMACS\n")
    assert texts(tmp_path, '#include "amber.ff/forcefield.itp"\n') == ["of GROMACS"]
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(FileError, match="export GMXLIB="):
        lines(tmp_path, '#include "mine.ff/forcefield.itp"\n')


def test_misspelt_includes_are_told(tmp_path, monkeypatch):
    monkeypatch.setenv("GMXLIB", str(tmp_path / "top"))
    folder = tmp_path / "top" / "amber99sb-ildn.ff"
    folder.mkdir(parents=True)
    (folder / "tip3p.itp").write_text("")

    def told(name):
        with pytest.raises(FileError) as caught:
            lines(tmp_path, f'#include "{name}"\n')
        return str(caught.value)

    for name in ("amber99sb-idln.ff/tip3p.itp", "amber99sb-ildn.ff/tip3.itp"):
        assert "Did you mean amber99sb-ildn.ff/tip3p.itp?" in told(name)
    assert "GMXLIB" not in told("posre.itp") and "GMXLIB" in told("charmm36.ff/tip3p.itp")


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path, tmp_path / "absent", "/dev/zero", "a\0b"):
        with pytest.raises(FileError):
            list(Source(path))


def test_conditions_end_in_the_file_where_they_began(tmp_path):
    (tmp_path / "b.itp").write_text("#endif\n")
    with pytest.raises(InputError, match=r"b.itp:1: #endif without #ifdef"):
        lines(tmp_path, '#ifndef A\n#include "b.itp"\n')


def test_nothing_grows_without_end(tmp_path, monkeypatch):
    bomb = "".join(f"#define a{k} a{k + 1} a{k + 1}\n" for k in range(40))
    with pytest.raises(InputError, match="expands without limit"):
        lines(tmp_path, bomb + "#define a40 xxxxxxxx\na0\n")
    with pytest.raises(InputError, match="too long"):
        lines(tmp_path, "x \\\n" * (preprocess.MOST_CHARACTERS // 2))
    with pytest.raises(InputError, match="too long"):
        lines(tmp_path, "x" * (preprocess.MOST_CHARACTERS + 1))
    monkeypatch.setattr(preprocess, "MOST_BYTES", 1000)
    with pytest.raises(InputError, match="too large"):
        lines(tmp_path, "x\n" * 600)


def test_includes_do_not_multiply_without_end(tmp_path):
    for k in range(40):
        (tmp_path / f"i{k}").write_text(f'#include "i{k + 1}"\n' * 2)
    (tmp_path / "i40").write_text("x\n")
    with pytest.raises(InputError, match="too many files"):
        lines(tmp_path, '#include "i0"\n')
    for k in range(80):
        (tmp_path / f"i{k}").write_text(f'#include "i{k + 1}"\n')
    with pytest.raises(InputError, match="too many files"):
        lines(tmp_path, '#include "i0"\n')


def test_words_in_other_encodings_do_no_harm(tmp_path):
    (tmp_path / "a.top").write_bytes(b"\xef\xbb\xbfa\r\nb ; \xe4ngstr\xf6m\r\n")
    assert [line.text for line in Source(tmp_path / "a.top")] == ["a", "b"]
