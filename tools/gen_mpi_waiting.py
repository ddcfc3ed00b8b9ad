# SPDX-License-Identifier: Apache-2.0
"""Entries of procedures without buffers in which a process may wait for others.

They let messages in chunks go on before. Procedures that came with MPI 4 have none, as programs ask
whether the library has them; some are written by hand.
"""

import json
from pathlib import Path

WAITING = {
    "Barrier", "Cart_create", "Cart_map", "Cart_sub", "Comm_accept", "Comm_connect", "Comm_create",
    "Comm_create_group", "Comm_disconnect", "Comm_dup", "Comm_dup_with_info", "Comm_free",
    "Comm_join", "Comm_set_info", "Comm_spawn", "Comm_spawn_multiple", "Comm_split",
    "Comm_split_type", "Dist_graph_create", "Dist_graph_create_adjacent", "File_close",
    "File_open", "File_preallocate", "File_seek_shared", "File_set_atomicity", "File_set_info",
    "File_set_size", "File_set_view", "File_sync", "Graph_create", "Graph_map",
    "Intercomm_create", "Intercomm_merge", "Win_allocate", "Win_allocate_shared",
    "Win_create_dynamic", "Win_lock", "Win_lock_all", "Win_post", "Win_set_info", "Win_start",
    "Win_wait",
}  # fmt: skip
LOOKING = {"Win_test"}

HANDLES = {
    "COMMUNICATOR", "DATATYPE", "ERRHANDLER", "FILE", "GROUP", "INFO", "SESSION", "WINDOW",
}  # fmt: skip
POINTERS = {"STRING", "STRING_ARRAY", "STRING_2DARRAY", "ARGUMENT_LIST", "STATUS", "C_BUFFER"}
LONG = {"OFFSET", "DISPLACEMENT", "WINDOW_SIZE"}


def standard() -> list[dict]:
    """All procedures of the MPI standard with their parameters, in alphabetical order."""
    import pympistandard

    path = Path(pympistandard.__file__).parent / "data/apis.json"
    found = list(json.loads(path.read_text()).values())
    for one in found:
        one["parameters"] = [p for p in one["parameters"] if p["kind"] != "ERROR_CODE"]
    return sorted(found, key=lambda one: one["name"])


def is_poly(one: dict) -> bool:
    """Whether it has a twin with large counts."""
    return any(p["kind"].startswith("POLY") for p in one["parameters"])


def waiting() -> list[dict]:
    """Procedures of WAITING and LOOKING."""
    wanted = {f"MPI_{name}" for name in WAITING | LOOKING}
    return [one for one in standard() if one["name"] in wanted]


def plain_type(p: dict, large: bool) -> str:
    """C++ type of a parameter that is passed on as it is."""
    if p["length"] is not None or p["param_direction"] != "in" or p["kind"] in POINTERS:
        return "void*"
    if p["kind"] in HANDLES:
        return "Handle"
    is_long = p["kind"] in LONG or (large and p["kind"].startswith("POLY"))
    return "Count" if is_long else "int"


def plain_text(one: dict, large: bool) -> str:
    """The definition of a procedure without buffers, which only lets chunks go on before."""
    name = one["name"] + ("_c" if large else "")
    types = [plain_type(p, large) for p in one["parameters"]]
    names = [p["name"] for p in one["parameters"]]
    listed = ", ".join(f"{t} {n}" for t, n in zip(types, names, strict=True))
    plain = [
        f"static_cast<int>({n})" if p["kind"].startswith("POLY") else n
        for p, n in zip(one["parameters"], names, strict=True)
    ]
    fallback = f"    if (!next.exists()) return {one['name']}({', '.join(plain)});"
    gate = "looking" if name.removeprefix("MPI_") in LOOKING else "waiting"
    return "\n".join(
        [
            f"AUREOLE_ENTRY({name}, ({listed})) {{",
            f'    static constinit Next<int({", ".join(types)})> next("{name}");',
            *([fallback] if large else []),
            f"    before_{gate}();",
            f"    return next({', '.join(names)});",
            "}",
            "",
        ]
    )


def entries() -> list[str]:
    """The definitions of all of them."""
    found = []
    for one in waiting():
        found.append(plain_text(one, False))
        if is_poly(one):
            found.append(plain_text(one, True))
    return found
