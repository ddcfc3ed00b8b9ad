# SPDX-License-Identifier: Apache-2.0
"""A C program that calls every procedure of MPI with a user's buffer, made from their list."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import gen_mpi  # noqa: E402

#: Types of parameters in C, where those of gen_mpi are neutral.
TYPES = {
    "DATATYPE": "MPI_Datatype",
    "COMMUNICATOR": "MPI_Comm",
    "OPERATION": "MPI_Op",
    "FILE": "MPI_File",
    "WINDOW": "MPI_Win",
    "INFO": "MPI_Info",
    "SESSION": "MPI_Session",
    "STRING": "const char*",
    "OFFSET": "MPI_Offset",
    "POLYDTYPE_NUM_ELEM": "int",
    "POLYDTYPE_NUM_ELEM_NNI": "int",
    "POLYDISPLACEMENT_COUNT": "int*",
    "POLYDTYPE_PACK_SIZE": "MPI_Aint",
    "POLYLOCATION": "MPI_Aint*",
}
LARGE = {
    "int": "MPI_Count",
    "int*": "MPI_Count*",
    "MPI_Aint*": "MPI_Count*",
    "MPI_Aint": "MPI_Count",
}
#: Arguments by the name of the parameter.
VALUES = {
    "sendbuf": "b->in",
    "inbuf": "b->in",
    "origin_addr": "b->in",
    "compare_addr": "b->in",
    "base": "b->in",
    "recvbuf": "b->out",
    "inoutbuf": "b->out",
    "outbuf": "b->out",
    "result_addr": "b->out",
    "buffer": "b->out",
    "count": "N",
    "sendcount": "N",
    "recvcount": "N",
    "incount": "N",
    "outcount": "N",
    "origin_count": "N",
    "target_count": "N",
    "result_count": "N",
    "partitions": "2",
    "datatype": "MPI_DOUBLE",
    "sendtype": "MPI_DOUBLE",
    "recvtype": "MPI_DOUBLE",
    "origin_datatype": "MPI_DOUBLE",
    "target_datatype": "MPI_DOUBLE",
    "result_datatype": "MPI_DOUBLE",
    "sendtypes": "types",
    "recvtypes": "types",
    "root": "0",
    "dest": "0",
    "source": "0",
    "tag": "7",
    "sendtag": "7",
    "recvtag": "7",
    "op": "MPI_SUM",
    "info": "MPI_INFO_NULL",
    "request": "&request",
    "status": "&status",
    "message": "&message",
    "fh": "file",
    "offset": "0",
    "win": "window",
    "target_rank": "0",
    "target_disp": "0",
    "size": "sizeof(double) * numbers",
    "disp_unit": "8",
    "datarep": '"external32"',
    "position": "&position",
    "outsize": "sizeof(double) * numbers",
    "insize": "sizeof(double) * numbers",
    "session": "session",
}


class Procedure(gen_mpi.Entry):
    """One of them, with the statements before and behind its call."""

    def c_types(self) -> list[str]:
        types = []
        for p, neutral in zip(self.parameters, gen_parameter_types(self), strict=True):
            kind = p["kind"]
            if (kind in TYPES and not p["length"]) or kind == "STRING":
                own = TYPES[kind]
                types.append(LARGE.get(own, own) if self.large and kind.startswith("POLY") else own)
            elif kind == "DATATYPE":
                types.append("const MPI_Datatype*")
            else:
                types.append(
                    {"Count": "MPI_Count", "const Count*": "const MPI_Count*"}.get(neutral, neutral)
                )
        return types

    def argument(self, p: dict) -> str:
        name = p["name"]
        if self.base == "MPI_Compare_and_swap" and name == "datatype":
            return "MPI_LONG"
        if name == "buf":
            return "b->out" if p["param_direction"] in ("out", "inout") else "b->in"
        if name == "comm":
            return "grid" if "eighbor" in self.base else "self"
        if name == "count" and self.base.startswith(("MPI_Psend", "MPI_Precv")):
            return "2"
        if name.endswith("counts"):
            return "counts" if self.large else "ints"
        if name.endswith("displs"):
            in_bytes = "lltoallw" in self.base
            if self.large or p["kind"] == "DISPLACEMENT":
                return "long_bytes" if in_bytes else "long_places"
            return "bytes" if in_bytes else "places"
        return VALUES[name]

    def before(self) -> list[str]:
        """Its partner, where it has one."""
        bare = self.base.removeprefix("MPI_").removesuffix("_init")
        lines = []
        if bare.lower().endswith("send") and bare != "Psend":
            lines.append("MPI_Irecv(b->other, N, MPI_DOUBLE, 0, 7, self, &partner);")
        if bare in ("Recv", "Irecv", "Mrecv", "Imrecv"):
            lines.append("MPI_Isend(b->other, N, MPI_DOUBLE, 0, 7, self, &partner);")
        if bare in ("Mrecv", "Imrecv"):
            lines.append("MPI_Mprobe(0, 7, self, &message, &status);")
        if bare == "Psend":
            lines.append(
                "MPI_Precv_init(b->other, 2, 2, MPI_DOUBLE, 0, 7, self, MPI_INFO_NULL, &partner);"
            )
        if bare == "Precv":
            lines.append(
                "MPI_Psend_init(b->other, 2, 2, MPI_DOUBLE, 0, 7, self, MPI_INFO_NULL, &partner);"
            )
        if self.has("session"):
            lines.append("MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);")
        if bare == "Win_attach":
            lines.append("MPI_Win_create_dynamic(MPI_INFO_NULL, self, &made);")
        return lines

    def behind(self) -> list[str]:
        """What completes it."""
        bare = self.base.removeprefix("MPI_").removesuffix("_init")
        lines = []
        if bare in ("Psend", "Precv"):
            lines += ["MPI_Start(&partner);", "MPI_Start(&request);"]
            sender = "request" if bare == "Psend" else "partner"
            lines.append(f"MPI_Pready_range(0, 1, {sender});")
        elif self.base.endswith("_init"):
            lines.append("MPI_Start(&request);")
        if self.has("request"):
            lines.append("MPI_Wait(&request, &status);")
        lines.append("MPI_Wait(&partner, &status);")
        for name in ("request", "partner"):
            lines.append(f"if ({name} != MPI_REQUEST_NULL) MPI_Request_free(&{name});")
        if self.base.endswith("_begin"):
            buffer = "b->out" if "read" in self.base else "b->in"
            lines.append(f"error = {self.base.replace('_begin', '_end')}(file, {buffer}, &status);")
        if bare.endswith(("attach_buffer", "Buffer_attach")):
            first = {"Comm_attach_buffer": "self, ", "Session_attach_buffer": "session, "}.get(
                bare, ""
            )
            name = self.base.replace("attach", "detach")
            kinds = {"self, ": "MPI_Comm, ", "session, ": "MPI_Session, ", "": ""}[first]
            lines += [
                f"int (*detach)({kinds}void*, int*) = NULL;",
                f'*(void**)&detach = dlsym(RTLD_DEFAULT, "{name}");',
                "void* given = NULL;",
                "int size = 0;",
                f"if (error == 0) error = detach({first}&given, &size);",
                "if (given != b->out) error = 1;",
                "copy(b->out, of_window, bytes_of_all, 4);  /* MPI may have written there */",
            ]
        if self.has("session"):
            lines.append("MPI_Session_finalize(&session);")
        if bare in ("Win_create", "Win_attach"):
            lines.append("if (made != MPI_WIN_NULL) MPI_Win_free(&made);")
        if self.has("win") and not bare.startswith("Win"):
            lines += ["MPI_Win_flush(0, window);", "memcpy(b->other, of_window, sizeof of_window);"]
        return lines

    def function(self) -> str:
        arguments = [self.argument(p) for p in self.parameters]
        if self.base in ("MPI_Win_create", "MPI_Win_attach"):
            arguments = ["&made" if n == "win" and self.base == "MPI_Win_create" else a
                         for n, a in zip(self.names, arguments, strict=True)]  # fmt: skip
            if self.base == "MPI_Win_attach":
                arguments[0] = "made"
        types = self.c_types()
        if self.base == "MPI_Win_create":
            types[-1] = "MPI_Win*"
        again = (
            ["MPI_Buffer_detach(&before, &size_before);"]
            if self.base == "MPI_Buffer_attach"
            else []
        )
        last = ["MPI_Buffer_attach(attached, sizeof attached);"] if again else []
        position = next((t for t in types if self.has("position") and t.endswith("*")
                         and types.index(t) == self.names.index("position")), "int*")  # fmt: skip
        body = [
            "MPI_Request request = MPI_REQUEST_NULL, partner = MPI_REQUEST_NULL;",
            "MPI_Status status;",
            "MPI_Message message;",
            "MPI_Session session = MPI_SESSION_NULL;",
            "MPI_Win made = MPI_WIN_NULL;",
            "void* before;",
            "int size_before;",
            f"{position.removesuffix('*')} position = 0;",
            "(void)b, (void)message, (void)session, (void)made;",
            "(void)before, (void)size_before, (void)position;",
            f"static int (*f)({', '.join(types)});",
            f'if (f == NULL) *(void**)&f = dlsym(RTLD_DEFAULT, "{self.name}");',
            f'if (f == NULL || !is_there("{self.base}")) return missing;',
            *again,
            *self.before(),
            f"int error = f({', '.join(arguments)});",
            *self.behind(),
            *last,
            "return error;",
        ]
        inside = "\n".join("    " + line for line in body)
        return f"static int do_{self.name}(struct buffers* b) {{\n{inside}\n}}\n"


def gen_parameter_types(one: gen_mpi.Entry) -> list[str]:
    """Neutral types, where gen_mpi has one."""
    return [
        "" if p["kind"] == "STRING" or (p["kind"] in TYPES and not p["length"])
        else gen_mpi.parameter_type(p, one.large)
        for p in one.parameters
    ]  # fmt: skip


IS_THERE = """
/* Whether the MPI library itself has a procedure: the preload has them all. */
static int is_there(const char* name) {
    static void* library;
    if (library == NULL) {
        Dl_info of;
        dladdr(dlsym(RTLD_NEXT, "MPI_Get_address"), &of);
        library = dlopen(of.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
    }
    return dlsym(library, name) != NULL;
}
"""


def all_procedures() -> list[Procedure]:
    """Every procedure, and its twin with large counts."""
    found = []
    for one in gen_mpi.procedures():
        if one["name"].endswith("_end"):
            continue  # with the procedure that begins it
        found.append(Procedure(one, False))
        if gen_mpi.is_poly(one):
            found.append(Procedure(one, True))
    return found


def program() -> str:
    """Its text."""
    listed = all_procedures()
    calls = [f'    compare("{one.name}", do_{one.name});' for one in listed]
    main = [
        "int main(int n, char** words) {",
        "    if (n != 3) return 2;",
        "    begin(words[1], words[2]);",
        *calls,
        "    end();",
        "    return 0;",
        "}",
    ]
    head = '/* SPDX-License-Identifier: Apache-2.0 */\n#define _GNU_SOURCE\n#include "every.h"\n'
    return head + IS_THERE + "\n".join(one.function() for one in listed) + "\n".join(main) + "\n"


if __name__ == "__main__":
    print(program())
