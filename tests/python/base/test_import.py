# SPDX-License-Identifier: Apache-2.0
"""What `import aureole` imports, and that each public name is there when it is asked for."""

from __future__ import annotations

import ast
import importlib
import os
import pickle
import pkgutil
import subprocess
import sys
from pathlib import Path

import aureole as au
import pytest
from aureole.base.engine_schema import NAMES
from aureole.ranks import find_launcher
from aureole.specs.kinds import KINDS

FOLDER = Path(au.__file__).parent
#: What takes long to import, and what nobody needs who asks for no name.
HEAVY = {
    *("asyncio", "chemfiles", "concurrent", "decimal", "difflib", "email", "gsd", "http"),
    *("inspect", "jinja2", "logging", "matplotlib", "msgspec", "multiprocessing", "numpy"),
    *("openmm", "parmed", "pickle", "pyarrow", "socket", "subprocess", "tempfile", "tomllib"),
    *("urllib", "zipfile"),
}
#: What only some simulations need.
RARE = {
    *("asyncio", "chemfiles", "concurrent", "email", "gsd", "http", "jinja2", "logging"),
    *("matplotlib", "msgspec", "multiprocessing", "openmm", "parmed", "pyarrow", "tomllib"),
}
LJ = "au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)"
RUN = (
    "import aureole as au; system = au.build.lattice('fcc', n=500, density=0.8); "
    f"au.Simulation(system, [{LJ}], au.NVE(dt=0.005), threads=1).run(2)"
)


def imported(code: str, **variables: str) -> set[str]:
    """Names of the modules that a fresh Python has imported after some code."""
    # Other packages of the environment may import things at the start of any Python.
    code = f"import sys; before = set(sys.modules); {code}; print(*(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_an_import_alone_is_light():
    modules = imported("import aureole")
    assert not HEAVY & modules
    assert {m for m in modules if m.startswith("aureole")} == {"aureole"}
    assert len(modules) < 60, sorted(modules)


def test_ctrl_c_while_the_command_is_imported():
    code = (
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'aureole.cli.run_summary': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "from aureole.cli import main"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "ended: by Ctrl-C\n")


def test_a_run_imports_no_other_programs_and_formats():
    modules = imported(RUN)
    assert "aureole.simulation.simulation" in modules
    assert not RARE & modules
    others = {
        "aureole_bench",
        "aureole.amr",
        "aureole.cli",
        "aureole.jobs",
        "aureole.gromacs",
        "aureole.report",
    }
    assert not others & modules


def test_checkpoints_are_written_without_what_reads_them(here):
    code = RUN.replace(".run(2)", ".write_checkpoint('a.ckpt')")
    assert not RARE & imported(code)
    assert "msgspec" in imported(f"{code}; au.Simulation.from_checkpoint('a.ckpt')")


def test_checkpoints_are_described_by_a_module_that_is_alone(here):
    imported(RUN.replace(".run(2)", ".write_checkpoint('a.ckpt')"))
    imported("from aureole.cli.info import describe; describe('a.ckpt')")


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["run", "--nothing"]])
def test_words_about_commands_need_no_arrays(words, here):
    code = f"from aureole.cli import main\ntry:\n  main({words})\nexcept SystemExit: pass\n"
    modules = imported(f"exec({code!r})")
    assert ("numpy" in modules) == (words[0] == "run")
    assert not RARE - {"tomllib"} & modules


def test_a_check_imports_no_engine(here):
    modules = imported("from aureole.cli import main; assert main(['check']) == 2")
    assert not (RARE | {"aureole.simulation", "aureole.ranks.team", "aureole.observers"}) & modules


def test_public_names_are_those_of_their_modules():
    where = au._WHERE | au._leaves()
    assert set(au.__all__) == {"__version__", *where, *au._MODULES}
    assert len(au.__all__) == len(set(au.__all__)) > 80
    for name in (*where, *au._MODULES):
        thing = getattr(au, name)
        if name in au._MODULES:
            assert thing is importlib.import_module(f"aureole.{name}")
        else:
            assert thing is getattr(importlib.import_module(f"aureole.{where[name]}"), name)
        assert vars(au)[name] is thing  # found at once the next time
    assert set(au.__all__) <= set(dir(au))


def test_classes_of_leaf_files_are_those_that_were_made():
    for module, names in zip(au._OF_LEAVES, NAMES, strict=True):
        found = importlib.import_module(f"aureole.{module}")
        assert names == list(found.CLASSES) and set(names) < set(dir(found))
        with pytest.raises(AttributeError, match=f"Did you mean '{names[0]}'"):
            getattr(found, names[0][:-1])


def test_a_star_imports_all():
    names: dict[str, object] = {}
    exec("from aureole import *", names)
    assert {name: names[name] for name in au.__all__} == {n: getattr(au, n) for n in au.__all__}


def test_observers_are_all_there_before_they_are_made():
    code = "from aureole.observers import *; print(*dir(aureole.observers), Observer, write_frame)"
    names = imported(f"import aureole.observers; {code}")
    assert set(au.observers.__all__) <= names
    with pytest.raises(AttributeError, match=r"'aureole.observers' has no attribute 'Lgo'"):
        au.observers.Lgo  # noqa: B018


def test_threads_get_one_class_of_a_leaf_file():
    code = """if True:
        import importlib, sys, threading
        sys.setswitchinterval(1e-6)
        modules = [importlib.import_module("aureole." + name) for name in sys.argv[1:]]
        found, gate = [], threading.Barrier(16)
        def ask():
            gate.wait()
            found.append([getattr(module, name) for module in modules for name in module.CLASSES])
        threads = [threading.Thread(target=ask) for _ in range(16)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert len(found) == 16 and all(one == found[0] for one in found)
    """
    subprocess.run([sys.executable, "-c", code, *au._OF_LEAVES], check=True)


def test_type_checkers_see_the_same_names():
    stub = ast.parse((FOLDER / "__init__.pyi").read_text())
    seen = {
        alias.name: None if node.module is None else node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom) and node.level == 1
        for alias in node.names
        if alias.asname == alias.name
    }
    assert seen == au._WHERE | dict.fromkeys(au._MODULES)


@pytest.mark.parametrize("name", ["Simulaton", "lennardjones", "x", "__wrapped__"])
def test_other_names_are_errors_that_name_the_nearest(name):
    with pytest.raises(AttributeError, match=f"aureole has no '{name}'. ") as caught:
        getattr(au, name)
    hints = {
        "Simulaton": "mean 'Simulation'",
        "lennardjones": "mean 'LennardJones'",
        "x": "Known: ",
    }
    assert hints.get(name, "") in str(caught.value)
    with pytest.raises(ImportError):
        exec(f"from aureole import {name}")


def test_modules_are_found_as_if_all_were_imported():
    assert "aureole.observers" in imported("import aureole as au; au.observers.Log")
    for name in ("engine", "gromacs", "analysis", "specs"):
        assert getattr(au, name).__name__ == f"aureole.{name}"


def test_things_are_pickled_by_their_modules():
    things = [au.LennardJones, au.Simulation, au.NVE(dt=0.1), au.HarmonicBond, au.from_gromacs]
    data = pickle.dumps(things)
    assert pickle.loads(data) == things
    assert "aureole.jobs.from_gromacs" in imported(f"import pickle; pickle.loads({data!r})")


def test_specs_of_input_files_are_found_without_being_asked_for():
    spec = "from_dict('integrator', {'kind': 'NVE', 'dt': 1}, 'a')"
    assert "aureole.specs.integrators" in imported(
        f"from aureole.specs.kinds import from_dict; {spec}"
    )


def test_modules_with_specs_are_all_known():
    """Whatever else is imported adds none, but the kinds that only input files have."""
    for module in pkgutil.walk_packages(au.__path__, "aureole."):
        if not module.name.endswith(".__main__"):
            importlib.import_module(module.name)
    makers = {cls.__module__ for family in KINDS.values() for cls in family.values()}
    ours = ("aureole.specs.", "aureole.observers.", "aureole.recorders.", "aureole.live.")
    ours += ("aureole.amr.",)
    others = {name for name in makers if not name.startswith(ours)}
    assert others == {"aureole.jobs.input_file"}
    code = "import sys, aureole.specs.kinds"
    assert {name for name in makers if name.startswith("aureole.specs.")} <= imported(code)


def test_processes_of_launchers_show_that_they_end():
    assert {kind.size for kind in find_launcher.KINDS} == set(au._LAUNCHED_BY)
    for kind in find_launcher.KINDS:
        assert "aureole.ranks" in imported("import aureole", **{kind.size: "1", kind.rank: "0"})
