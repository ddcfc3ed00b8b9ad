// SPDX-License-Identifier: Apache-2.0
// Probes, which are to tell the size of a payload where its header has come.
#include "preload/arrival.hpp"
#include "preload/chunk_gate.hpp"
#include "preload/entry.hpp"
#include "preload/library.hpp"
#include "preload/matched.hpp"
#include "preload/mpi.hpp"

namespace aureole::preload {

namespace {

void correct(Handle comm, void* status, bool is_taken = false) {
    if (!may_be_header() || abi().is_ignored(status)) return;
    Count length = 0;
    mpi.get_elements(status, abi().byte, &length);
    const auto found = probed(comm, abi().in_status(status, abi().source_at),
                              abi().in_status(status, abi().tag_at), length);
    // It is another message of just this length if the header has found its receive before:
    // messages of one sender and tag are matched in order.
    if (!found || matched().has(found->header)) return;
    mpi.status_set_elements(status, abi().byte, found->size);
    if (is_taken) matched().add(found->header);
}

}  // namespace

}  // namespace aureole::preload

using namespace aureole::preload;  // NOLINT: functions of MPI are in no namespace

AUREOLE_ENTRY(MPI_Probe, (int source, int tag, Handle comm, void* status)) {
    static constinit Next<int(int, int, Handle, void*)> next("MPI_Probe");
    before_waiting();
    const int error = next(source, tag, comm, status);
    if (error == 0) correct(comm, status);
    return error;
}
AUREOLE_ENTRY(MPI_Iprobe, (int source, int tag, Handle comm, int* flag, void* status)) {
    static constinit Next<int(int, int, Handle, int*, void*)> next("MPI_Iprobe");
    before_looking();
    const int error = next(source, tag, comm, flag, status);
    if (error == 0 && *flag != 0) correct(comm, status);
    return error;
}
AUREOLE_ENTRY(MPI_Mprobe, (int source, int tag, Handle comm, void* message, void* status)) {
    static constinit Next<int(int, int, Handle, void*, void*)> next("MPI_Mprobe");
    before_waiting();
    OwnStatus own;
    if (abi().is_ignored(status)) status = own.data();
    const int error = next(source, tag, comm, message, status);
    if (error == 0) correct(comm, status, true);
    return error;
}
AUREOLE_ENTRY(MPI_Improbe,
              (int source, int tag, Handle comm, int* flag, void* message, void* status)) {
    static constinit Next<int(int, int, Handle, int*, void*, void*)> next("MPI_Improbe");
    before_looking();
    OwnStatus own;
    if (abi().is_ignored(status)) status = own.data();
    const int error = next(source, tag, comm, flag, message, status);
    if (error == 0 && *flag != 0) correct(comm, status, true);
    return error;
}
