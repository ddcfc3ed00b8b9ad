#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the entry points of the preload library, `src/preload/entries.gen.cpp`.

    tools/gen_mpi.py            writes the file
    tools/gen_mpi.py --check    ends with 1 if the file is not what would be written
    tools/gen_mpi.py --table    prints every procedure with user buffers and what happens to it

The procedures and their parameters are those of the MPI standard, from `pympistandard` (PyPI).
"""

import argparse
import subprocess
import sys
from pathlib import Path

import gen_mpi_waiting
from gen_mpi_waiting import is_poly

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "src/preload/entries.gen.cpp"

# Nothing of the user's is read or written there: addresses that MPI hands out or takes back.
NO_DATA = {
    "MPI_Alloc_mem", "MPI_Free_mem", "MPI_Get_address", "MPI_Buffer_detach",
    "MPI_Comm_detach_buffer", "MPI_Session_detach_buffer", "MPI_Win_allocate",
    "MPI_Win_allocate_shared", "MPI_Win_shared_query", "MPI_Win_detach",
}  # fmt: skip
BY_HAND = {  # src/preload/attached.cpp, pack.cpp, split_files.cpp
    "MPI_Buffer_attach", "MPI_Comm_attach_buffer",
    "MPI_Session_attach_buffer",
    "MPI_Pack", "MPI_Unpack", "MPI_Pack_external",
    "MPI_Unpack_external",
    "MPI_File_read_all_end", "MPI_File_read_at_all_end",
    "MPI_File_read_ordered_end", "MPI_File_write_all_end",
    "MPI_File_write_at_all_end", "MPI_File_write_ordered_end",
}  # fmt: skip
WINDOW = "Make the window of host memory, or send messages instead."
REFUSED = {
    "MPI_Win_create": WINDOW, "MPI_Win_attach": WINDOW,
}  # fmt: skip

# What the buffers of a procedure are, by its name without I, _init and the like. A statement names
# the buffer's arguments; `{s}` is its place.
P2P_SEND = ["call->in(buf_at, buf, count, datatype);"]
P2P_RECEIVE = ["call->received(buf_at, buf, count, datatype);"]
SEND_ONE = "call->in(sendbuf_at, sendbuf, sendcount, sendtype);"
RECEIVE_ONE = "call->out(recvbuf_at, recvbuf, recvcount, recvtype);"
ALL = "call->group().peers()"
STEPS = {
    "Send": P2P_SEND, "Bsend": P2P_SEND, "Ssend": P2P_SEND, "Rsend": P2P_SEND,
    "Recv": P2P_RECEIVE, "Mrecv": P2P_RECEIVE,
    "Psend": ["call->partitions = partitions;",
              "call->in(buf_at, buf, count * partitions, datatype);"],
    "Precv": ["call->partitions = partitions;",
              "call->out(buf_at, buf, count * partitions, datatype);"],
    "Sendrecv": [SEND_ONE, "call->received(recvbuf_at, recvbuf, recvcount, recvtype);"],
    "Isendrecv": [
        SEND_ONE, "call->received_beside_send(recvbuf_at, recvbuf, recvcount, recvtype);"],
    "Isendrecv_replace": ["call->received_beside_send(buf_at, buf, count, datatype, true);"],
    "Sendrecv_replace": ["call->replaced(buf_at, buf, count, datatype);"],
    "Bcast": ["call->broadcast(buffer_at, buffer, count, datatype, root);"],
    "Gather": [
        "if (call->group().faces(root)) " + SEND_ONE,
        "if (call->group().is_root(root))",
        f"    call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, {ALL});"],
    "Gatherv": [
        "if (call->group().faces(root)) " + SEND_ONE,
        "if (call->group().is_root(root))",
        f"    call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, {ALL});"],
    "Scatter": [
        "if (call->group().is_root(root))",
        f"    call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, {ALL});",
        "if (call->group().faces(root)) " + RECEIVE_ONE],
    "Scatterv": [
        "if (call->group().is_root(root))",
        f"    call->in_each(sendbuf_at, sendbuf, sendcounts, displs, sendtype, {ALL});",
        "if (call->group().faces(root)) " + RECEIVE_ONE],
    "Allgather": [
        SEND_ONE, f"call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, {ALL});"],
    "Allgatherv": [
        SEND_ONE, f"call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, {ALL});"],
    "Alltoall": [
        f"call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, {ALL});",
        f"call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, {ALL});"],
    "Alltoallv": [
        f"call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype, {ALL});",
        f"call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, {ALL});"],
    "Alltoallw": [
        f"call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes, {ALL});",
        f"call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes, {ALL});"],
    "Reduce": [
        "if (call->group().faces(root))",
        "    call->reduce_in(sendbuf_at, sendbuf, count, datatype);",
        "if (call->group().is_root(root))",
        "    call->reduce_out(recvbuf_at, recvbuf, count, datatype);"],
    "Allreduce": [
        "call->reduce_in(sendbuf_at, sendbuf, count, datatype);",
        "call->reduce_out(recvbuf_at, recvbuf, count, datatype);"],
    "Exscan": [
        "call->reduce_in(sendbuf_at, sendbuf, count, datatype);",
        "call->reduce_out(recvbuf_at, recvbuf, count, datatype,",
        "                 call->group().rank() == 0 ? 0 : count);"],
    "Reduce_scatter": [
        "const auto all = call->sum(recvcounts);",
        "call->reduce_in(sendbuf_at, sendbuf, all, datatype);",
        "call->reduce_scattered(recvbuf_at, recvbuf, all, datatype,",
        "                       recvcounts[call->group().rank()]);"],
    "Reduce_scatter_block": [
        "const Count all = static_cast<Count>(recvcount) * call->group().size();",
        "call->reduce_in(sendbuf_at, sendbuf, all, datatype);",
        "call->reduce_scattered(recvbuf_at, recvbuf, all, datatype, recvcount);"],
    "Reduce_local": [
        "call->reduce_in(inbuf_at, inbuf, count, datatype);",
        "call->accumulate(inoutbuf_at, inoutbuf, count, datatype);"],
}  # fmt: skip
# Messages to one process whose payload its receiver may fetch by itself; and receives, which such a
# message may be for, also where their buffer is in memory of the host: the buffer's arguments.
ENVELOPES = {"Send", "Ssend", "Rsend", "Isend", "Issend", "Irsend", "Sendrecv"}
HEADER_TAKERS = {
    "Recv": ("count", "datatype"), "Mrecv": ("count", "datatype"),
    "Sendrecv": ("recvcount", "recvtype"), "Isendrecv": ("recvcount", "recvtype"),
    "Sendrecv_replace": ("count", "datatype"), "Isendrecv_replace": ("count", "datatype"),
}  # fmt: skip
STEPS["Scan"] = STEPS["Allreduce"]
# One-sided: accumulating calls look at elements, so that their datatypes stay.
for _name in ("Put", "Rput"):
    STEPS[_name] = ["call->in(origin_addr_at, origin_addr, origin_count, origin_datatype);"]
for _name in ("Get", "Rget"):
    STEPS[_name] = ["call->out(origin_addr_at, origin_addr, origin_count, origin_datatype);"]
for _name in ("Accumulate", "Raccumulate"):
    STEPS[_name] = ["call->reduce_in(origin_addr_at, origin_addr, origin_count, origin_datatype);"]
for _name in ("Get_accumulate", "Rget_accumulate"):
    STEPS[_name] = [
        *STEPS["Accumulate"],
        "call->reduce_out(result_addr_at, result_addr, result_count, result_datatype);",
    ]
STEPS["Fetch_and_op"] = [
    "call->reduce_in(origin_addr_at, origin_addr, 1, datatype);",
    "call->reduce_out(result_addr_at, result_addr, 1, datatype);",
]
STEPS["Compare_and_swap"] = [
    STEPS["Fetch_and_op"][0],
    "call->reduce_in(compare_addr_at, compare_addr, 1, datatype);",
    STEPS["Fetch_and_op"][1],
]
for _name in ("Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw"):
    STEPS["Neighbor_" + _name.lower()] = [
        line.replace(ALL, f"call->group().{'destinations' if 'send' in line else 'sources'}()")
        for line in STEPS[_name]
    ]

# How blocking collectives are compared between processes (check_collective.hpp).
ROOT, SENDS = "check.root(root);", "check.sends(sendbuf, sendcount, sendtype);"
RECEIVES = "check.receives(recvbuf, recvcount, recvtype);"
ALIKE, OPERATION = "check.alike(count, datatype);", "check.operation(op);"
SENDS_EACH = "check.sends_each(sendbuf, sendcounts, sendtype);"
RECEIVES_EACH = "check.receives_each(recvbuf, recvcounts, recvtype);"
AT_ROOT = "if (check.is_root()) "
COMPARED = {
    "Bcast": [ROOT, ALIKE],
    "Gather": [ROOT, SENDS, AT_ROOT + RECEIVES],
    "Gatherv": [ROOT, SENDS, AT_ROOT + RECEIVES_EACH],
    "Scatter": [ROOT, AT_ROOT + SENDS, RECEIVES],
    "Scatterv": [ROOT, AT_ROOT + SENDS_EACH, RECEIVES],
    "Allgather": [SENDS, RECEIVES],
    "Allgatherv": [SENDS, RECEIVES_EACH],
    "Alltoall": [SENDS, RECEIVES],
    "Alltoallv": ["check.exchanges();", SENDS_EACH, RECEIVES_EACH],
    "Alltoallw": ["check.exchanges();", SENDS_EACH.replace("type)", "types)"),
                  RECEIVES_EACH.replace("type)", "types)")],
    "Reduce": [ROOT, ALIKE, OPERATION],
    "Allreduce": [ALIKE, OPERATION],
    "Scan": [ALIKE, OPERATION],
    "Exscan": [ALIKE, OPERATION],
    "Reduce_scatter": ["check.alike_each(recvcounts, datatype);", OPERATION],
    "Reduce_scatter_block": [ALIKE.replace("count", "recvcount"), OPERATION],
}  # fmt: skip

# Blocking collective calls that may go straight between devices (straight_collectives.hpp).
SENT, RECEIVED = "{sendbuf, sendcount, sendtype}", "{recvbuf, recvcount, recvtype}"
STRAIGHT = {
    "Bcast": "straight_bcast({buffer, count, datatype}, root, comm)",
    "Gather": f"straight_gather({SENT}, {RECEIVED}, root, comm)",
    "Scatter": f"straight_scatter({SENT}, {RECEIVED}, root, comm)",
    "Allgather": f"straight_allgather({SENT}, {RECEIVED}, comm)",
    "Allgatherv": f"straight_allgatherv({SENT}, {{recvbuf, 0, recvtype}}, "
                  "RankBlocks::make(recvcounts, displs, comm), comm)",
    "Alltoall": f"straight_alltoall({SENT}, {RECEIVED}, comm)",
    "Reduce": "straight_reduce(sendbuf, {recvbuf, count, datatype}, op, root, comm)",
    "Allreduce": "straight_allreduce(sendbuf, {recvbuf, count, datatype}, op, comm)",
    "Reduce_scatter": "straight_reduce_scatter(sendbuf, recvbuf, RankBlocks::numbers(recvcounts, "
                      "comm), datatype, op, comm)",
    "Reduce_scatter_block": "straight_reduce_scatter(sendbuf, recvbuf, RankBlocks::equal("
                            "recvcount, comm), datatype, op, comm)",
}  # fmt: skip

SCALARS = {
    "DATATYPE": "Handle", "COMMUNICATOR": "Handle", "OPERATION": "Handle", "FILE": "Handle",
    "WINDOW": "Handle", "INFO": "Handle", "SESSION": "Handle",
    "MESSAGE": "void*", "REQUEST": "void*", "STATUS": "void*",
    "RANK": "int", "RANK_NNI": "int", "TAG": "int", "PARTITION": "int",
    "OFFSET": "Count", "XFER_NUM_ELEM_NNI": "Count", "RMA_DISPLACEMENT_NNI": "Count",
    "WINDOW_SIZE": "Count", "WIN_ATTACH_SIZE": "Count",
}  # fmt: skip
POLY = {"POLYXFER_NUM_ELEM_NNI", "POLYXFER_NUM_ELEM", "POLYDISPLACEMENT", "POLYNUM_BYTES_NNI"}


def procedures() -> list[dict]:
    """Procedures with buffers of the user's, in alphabetical order."""
    found = []
    directions = {"MPI_Precv_init": "out"}  # as the text has them
    for one in gen_mpi_waiting.standard():
        marks = one["attributes"]
        if marks["callback"] or not marks["c_expressible"] or one["name"].startswith("MPI_T_"):
            continue
        kinds = {p["kind"] for p in one["parameters"]}
        for p in one["parameters"]:
            if p["kind"] == "BUFFER" and one["name"] in directions:
                p["param_direction"] = directions[one["name"]]
        if "BUFFER" in kinds and "_FN" not in one["name"] and one["name"] not in NO_DATA:
            found.append(one)
    return found


def stem(name: str) -> str:
    """Of a name: MPI_Ineighbor_alltoall_init and the like without what says when it ends."""
    bare = name.removeprefix("MPI_").removesuffix("_init")
    if bare.startswith("I") and bare not in STEPS and bare[1:].capitalize() in STEPS:
        return bare[1:].capitalize()
    return bare


def parameter_type(p: dict, large: bool) -> str:
    """C++ type of a parameter."""
    kind, is_array = p["kind"], p["length"] is not None
    if kind == "BUFFER":
        return "void*" if p["param_direction"] in ("out", "inout") else "const void*"
    if kind == "DATATYPE" and is_array:
        return "const void*"
    if kind in POLY:
        number = "Count" if large else "int"
        return f"const {number}*" if is_array else number
    if kind == "POLYRMA_DISPLACEMENT":
        return "Count" if large else "int"
    if kind == "DISPLACEMENT" and is_array:
        return "const Count*"
    return SCALARS[kind]


class Entry:
    """One procedure, or its twin with large counts."""

    def __init__(self, one: dict, large: bool) -> None:
        self.base, self.large = one["name"], large
        self.name = one["name"] + ("_c" if large else "")
        self.parameters = one["parameters"]
        self.names = [p["name"] for p in self.parameters]
        self.buffers = [p for p in self.parameters if p["kind"] == "BUFFER"]

    def types(self) -> list[str]:
        """C++ types of its parameters."""
        return [parameter_type(p, self.large) for p in self.parameters]

    def has(self, name: str) -> bool:
        """Whether there is a parameter of this name."""
        return name in self.names

    def scope(self) -> str:
        """Whose error handler is called."""
        if self.has("comm"):
            return "on_comm(comm)"
        if self.has("win") and "target_rank" in self.names:
            return "on_window(win)"
        return "on_file(fh)" if self.has("fh") else "on_comm(0)"

    def is_checked(self) -> bool:
        """Whether checks look at buffers on hosts: of messages, and of requests that stay open."""
        if self.has("win") or self.has("fh") or self.base in REFUSED:
            return False
        return self.has("request") or self.has("tag") or self.has("message") or self.has("sendtag")

    def may_wait(self) -> bool:
        """Whether other ranks may be waited for: not by calls that make requests."""
        return not (self.has("request") or self.base in ("MPI_Reduce_local", "MPI_Bsend"))

    def places(self) -> list[str]:
        """Declarations of where the buffers are."""
        lines = []
        for p in self.buffers:
            name = p["name"]
            index = self.names.index(name)
            typed = next(
                (q for q in self.parameters[index:] if q["kind"] == "DATATYPE" and not q["length"]),
                None,
            )
            more = f", {typed['name']}" if typed and self.base not in REFUSED else ""
            if "lltoallw" in self.base:
                which = "peers"
                if "eighbor" in self.base:
                    which = "destinations" if name == "sendbuf" else "sources"
                arrays = ", ".join(self.names[index + 1 : index + 4])
                more = f", {arrays}, [&] {{ return Group(comm).{which}().n; }}"
            lines.append(f"    const Allocation {name}_at = where({name}{more});")
        return lines

    def steps(self) -> list[str]:
        """Statements that stage the buffers, or send an envelope."""
        if self.base.startswith("MPI_File_"):
            writes = "write" in self.base
            return P2P_SEND if writes else P2P_RECEIVE
        steps = STEPS[stem(self.base)]
        if stem(self.base) in ("Recv", "Sendrecv"):
            steps = ["call->from(source);", *steps]
        name = self.base.removeprefix("MPI_")
        if name.removesuffix("_init") not in ENVELOPES:
            return steps
        if name.endswith("_init"):
            later = "call->wraps_later(buf_at, buf, count, datatype, {dest, tag, comm});"
            return [later, *steps]
        if self.base != "MPI_Sendrecv":
            request = "request" if self.has("request") else "nullptr"
            return [
                "if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))",
                f"    return Call::post(call, {request});",
                *steps,
            ]
        count = "call->narrow(recvcount, recvtype)" if self.large else "recvcount"
        start, send, receive = steps
        return [
            start,
            receive,
            "call->needs(status);",
            "if (call->wraps(sendbuf_at, sendbuf, sendcount, sendtype, {dest, sendtag, comm})) {",
            f"    const int n = {count};",
            "    return call->exchange({recvbuf, n, recvtype, source, recvtag}, status);",
            "}",
            send,
        ]

    def receive(self) -> str:
        """The arguments of a receive that is watched in memory of the host too."""
        arguments = HEADER_TAKERS.get(stem(self.base))
        if self.base.startswith("MPI_File_") or arguments is None:
            return ""
        kind = "Posted" if self.has("request") else "Blocking"
        return f"{kind}Receive, {', '.join(arguments)}"

    def on_host(self) -> list[str]:
        """Statements that receive in memory of the host without a list of the buffer."""
        given = {"buf": "to", "datatype": "type", "status": "told"}
        again = ", ".join(given.get(name, name) for name in self.names)
        return [
            "    if (!is_checking && receive.needs_no_list(buf_at))",
            f'        return receive_on_host("{self.name}", {self.scope()},',
            "            HostBuffer{buf, count, datatype}, status,",
            f"            [&](void* to, Handle type, void* told) {{ return next({again}); }});",
        ]

    def text(self) -> str:
        """Of its definition."""
        types = self.types()
        listed = ", ".join(f"{t} {n}" for t, n in zip(types, self.names, strict=True))
        again = ", ".join(self.names)
        lines = [
            f"AUREOLE_ENTRY({self.name}, ({listed})) {{",
            f'    static constinit Next<int({", ".join(types)})> next("{self.name}");',
        ]
        if self.large:
            lines += self.narrow()
        if self.may_wait():
            lines.append("    before_waiting();")
        lines += self.places()
        on_device = " || ".join(f"{p['name']}_at.on_device()" for p in self.buffers)
        compared = self.compared(on_device)
        lines += compared
        straight = STRAIGHT.get(self.base.removeprefix("MPI_"))
        if straight:
            lines += [
                "    if (collects_straight()) [[unlikely]] {",
                f'        const auto error = collect("{self.name}", on_comm(comm), [&] {{',
                f"            return {straight};",
                "        });",
                "        if (error) return *error;",
                "    }",
            ]
        if receive := self.receive():
            kind, count, datatype = receive.split(", ")
            lines.append(f"    const {kind} receive({count}, {datatype});")
            on_device += " || receive.is_watched()"
        if self.is_checked():
            on_device = "is_checking || " + on_device
        lines.append(f"    if (!({on_device})) [[likely]] return next({again});")
        if stem(self.base) in ("Recv", "Mrecv") and not self.has("request"):
            lines += self.on_host()
        if self.base in REFUSED:
            lines += [
                f'    return refuse("{self.name}", {self.scope()}, "{REFUSED[self.base]}");',
                "}",
                "",
            ]
            return "\n".join(lines)
        lines.append(f'    return with_devices("{self.name}", {self.scope()}, [&](auto& call) {{')
        persistent = self.base.endswith("_init")
        if persistent:
            lines.append("        call->is_persistent = true;")
        lines += ["        " + line for line in self.steps()]
        if self.has("status") and "call->needs(status);" not in self.steps():
            lines.append("        call->needs(status);")
        if compared:
            lines.append("        if (is_checking) compare_deferred();")
        lines.append(f"        const int error = next({again});")
        if self.base.endswith("_begin"):
            lines.append("        return keep_split(call, error, fh);")
        elif self.has("target_rank") and not self.has("request"):
            lines.append("        return keep_until_synchronised(call, error, win, target_rank);")
        elif self.has("request"):
            keep = "keep_persistent" if persistent else "keep"
            lines.append(f"        return Call::{keep}(call, error, request);")
        else:
            lines.append("        return call->end(error);")
        return "\n".join([*lines, "    });", "}", ""])

    def compared(self, on_device: str) -> list[str]:
        """Statements by which processes compare a blocking collective call."""
        bare = self.base.removeprefix("MPI_")
        if (bare not in COMPARED and not bare.startswith("Neighbor_")) or self.has("request"):
            return []
        body = "\n".join("            " + line for line in COMPARED.get(bare, []))
        capture, name = ("&", "check") if body else ("", "")
        return [
            "    if (is_checking) [[unlikely]]",
            f'        check_collective("{self.base}", on_comm(comm), {on_device},',
            f"        [{capture}](auto& {name}) {{",
            *([body] if body else []),
            "        });",
        ]

    def narrow(self) -> list[str]:
        """The plain call in place of one with large counts that the library lacks."""
        lines, again = [], []
        typed = [p["name"] for p in self.parameters if p["kind"] == "DATATYPE" and not p["length"]]
        is_reduction = self.has("op") or self.has("win")
        for index, p in enumerate(self.parameters):
            name, kind = p["name"], p["kind"]
            if kind not in POLY and kind != "POLYRMA_DISPLACEMENT":
                again.append(name)
                continue
            again.append(f"plain_{name}")
            if p["length"]:
                which = "sources" if name in ("recvcounts", "rdispls", "displs") else "destinations"
                number = f"call->group().{which}().n" if "eighbor" in self.base else "n"
                if self.has("root"):  # significant there alone
                    number = f"call->group().is_root(root) ? {number} : 0"
                lines.append(f"const int* const plain_{name} = call->narrow({name}, {number});")
                continue
            own = next((q["name"] for q in self.parameters[index:] if q["name"] in typed), None)
            if own and not is_reduction and not self.base.startswith("MPI_Win"):
                lines.append(f"const int plain_{name} = call->narrow({name}, {own});")
            else:
                lines.append(f"const int plain_{name} = call->narrow({name});")
        if any(", n)" in line or "? n : 0)" in line for line in lines):
            count = "size()" if "reduce_scatter" in self.base.lower() else "peers().n"
            lines.insert(0, f"const int n = call->group().{count};")
        last = f"{self.base}({', '.join(again)})"
        if self.has("request"):
            if self.base.endswith("_init"):
                lines.insert(0, "call->is_persistent = true;")
            last = f"Call::keep_arrays(call, {last}, request)"
        body = "\n".join("            " + line for line in [*lines, f"return {last};"])
        return [
            "    if (!next.exists()) [[unlikely]]",
            f'        return with_devices("{self.name}", {self.scope()}, [&](auto& call) {{',
            body,
            "        });",
        ]


HEAD = """// SPDX-License-Identifier: Apache-2.0
// Written by tools/gen_mpi.py: do not edit.
#include "preload/call.hpp"
#include "preload/check_collective.hpp"
#include "preload/chunk_gate.hpp"
#include "preload/entry.hpp"
#include "preload/host_receive.hpp"
#include "preload/library.hpp"
#include "preload/split_files.hpp"
#include "preload/straight_collectives.hpp"
#include "preload/where.hpp"
#include "preload/windows.hpp"

using namespace aureole::preload;  // NOLINT: functions of MPI are in no namespace

"""


def text() -> str:
    """Of the file, formatted."""
    entries = []
    for one in procedures():
        if one["name"] in BY_HAND:
            continue
        entries.append(Entry(one, False).text())
        if is_poly(one):
            entries.append(Entry(one, True).text())
    entries += gen_mpi_waiting.entries()
    formatter = ["clang-format", "--assume-filename", str(OUTPUT)]
    run = subprocess.run(
        formatter, input=HEAD + "\n".join(entries), capture_output=True, text=True, check=True
    )
    return run.stdout


def table() -> list[str]:
    """One line for each procedure: its name, whether it has a large-count twin, what happens."""
    lines = []
    for one in procedures():
        what = "refused" if one["name"] in REFUSED else "staged"
        lines.append(f"{one['name']} {'large' if is_poly(one) else 'plain'} {what}")
    return lines


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table", action="store_true")
    chosen = parser.parse_args()
    if chosen.table:
        print("\n".join(table()))
        return 0
    written = text()
    if chosen.check:
        if OUTPUT.read_text() == written:
            return 0
        print(f"{OUTPUT.relative_to(ROOT)} is not what tools/gen_mpi.py writes: run it")
        return 1
    OUTPUT.write_text(written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
