// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preload/abi.hpp"
#include "preload/arrival.hpp"
#include "preload/call.hpp"
#include "preload/chunks.hpp"
#include "preload/datatype.hpp"
#include "preload/mpi.hpp"
#include "preload/watch.hpp"

namespace aureole::preload {

/// Elements in memory of the host, as a call of the program names them.
template <class N>
struct HostBuffer {
    void* data;
    N count;
    Handle type;
};

/// Whether a message may be a header, by its length.
inline bool has_length_of_header(const void* status) {
    if (!may_be_header()) return false;
    Count bytes = 0;
    mpi.get_elements(status, abi().byte, &bytes);
    return Header::slot_of(bytes) >= 0 || Chunks::slot_of(bytes) >= 0;
}

/// A watched blocking receive while no other thread is in MPI. Most bring a payload, which is where
/// it belongs when MPI returns: a Call is made for headers and errors alone. `receive` calls MPI's
/// function with a buffer, a datatype and a status.
template <class N, class Receive>
[[gnu::noinline]] int receive_on_host(const char* name, const Scope& scope, HostBuffer<N> into,
                                      void* status, Receive&& receive) {
    OwnStatus own_status;
    if (abi().is_ignored(status)) status = own_status.data();
    const Handle as_bytes = header_taker(into.type);
    int error = 0;
    if (as_bytes != 0) {
        watch().answer_offers();
        error = receive(into.data, as_bytes, status);
        if (error == 0 && !has_length_of_header(status)) return 0;
    }
    return with_devices(name, scope, [&](auto& call) {
        call->received({}, into.data, into.count, into.type);
        call->needs(status);
        if (as_bytes == 0) error = receive(into.data, into.type, status);
        return call->end(error);
    });
}

}  // namespace aureole::preload
