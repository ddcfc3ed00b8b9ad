// SPDX-License-Identifier: Apache-2.0
// Buffers that a program attaches for buffered sends. MPI gets memory of the host in their place,
// and the program its own address back.
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "preload/call.hpp"
#include "preload/chunk_gate.hpp"
#include "preload/entry.hpp"
#include "preload/library.hpp"
#include "preload/where.hpp"

namespace aureole::preload {

namespace {

struct Attached {
    std::mutex lock;
    struct Pair {
        void* of_program;
        std::unique_ptr<std::byte[]> of_host;
    };
    std::map<void*, Pair> buffers;  // by the host's address
};

Attached& attached() {
    static auto* const all = new Attached;
    return *all;
}

/// Calls `next` with memory of the host.
template <class Run>
int attach(const char* name, Scope scope, void* buffer, Count size, Run&& next) {
    const Allocation at = where(buffer);
    if (!at.on_device()) return next(buffer);
    return with_devices(name, scope, [&](auto&) {
        throw_if_unknown(at);
        auto memory = std::make_unique<std::byte[]>(static_cast<std::size_t>(size));
        void* const host = memory.get();
        const int error = next(host);
        if (error != 0) return error;
        Attached& all = attached();
        const std::lock_guard guard(all.lock);
        all.buffers[host] = {buffer, std::move(memory)};
        return 0;
    });
}

/// After MPI gave an address back.
int detach(int error, void* address) {
    if (error != 0) return error;
    Attached& all = attached();
    const std::lock_guard guard(all.lock);
    auto& given = *static_cast<void**>(address);
    const auto found = all.buffers.find(given);
    if (found == all.buffers.end()) return 0;
    given = found->second.of_program;
    all.buffers.erase(found);
    return 0;
}

}  // namespace

}  // namespace aureole::preload

using namespace aureole::preload;  // NOLINT: functions of MPI are in no namespace

AUREOLE_ENTRY(MPI_Buffer_attach, (void* buffer, int size)) {
    static constinit Next<int(void*, int)> next("MPI_Buffer_attach");
    return attach("MPI_Buffer_attach", {}, buffer, size, [&](void* b) { return next(b, size); });
}
AUREOLE_ENTRY(MPI_Buffer_attach_c, (void* buffer, Count size)) {
    static constinit Next<int(void*, Count)> next("MPI_Buffer_attach_c");
    if (!next.exists())
        return with_devices("MPI_Buffer_attach_c", {}, [&](auto& call) {
            return MPI_Buffer_attach(buffer, call->narrow(size));
        });
    return attach("MPI_Buffer_attach_c", {}, buffer, size, [&](void* b) { return next(b, size); });
}
AUREOLE_ENTRY(MPI_Buffer_detach, (void* address, int* size)) {
    static constinit Next<int(void*, int*)> next("MPI_Buffer_detach");
    before_waiting();
    return detach(next(address, size), address);
}
AUREOLE_ENTRY(MPI_Buffer_detach_c, (void* address, Count* size)) {
    static constinit Next<int(void*, Count*)> next("MPI_Buffer_detach_c");
    before_waiting();
    if (!next.exists()) {
        int plain = 0;
        const int error = MPI_Buffer_detach(address, &plain);
        *size = plain;
        return error;
    }
    return detach(next(address, size), address);
}

// Buffers of a communicator or of a session: MPI 4.1.
AUREOLE_ENTRY(MPI_Comm_attach_buffer, (Handle comm, void* buffer, int size)) {
    static constinit Next<int(Handle, void*, int)> next("MPI_Comm_attach_buffer");
    return attach("MPI_Comm_attach_buffer", on_comm(comm), buffer, size,
                  [&](void* b) { return next(comm, b, size); });
}
AUREOLE_ENTRY(MPI_Comm_attach_buffer_c, (Handle comm, void* buffer, Count size)) {
    static constinit Next<int(Handle, void*, Count)> next("MPI_Comm_attach_buffer_c");
    return attach("MPI_Comm_attach_buffer_c", on_comm(comm), buffer, size,
                  [&](void* b) { return next(comm, b, size); });
}
AUREOLE_ENTRY(MPI_Comm_detach_buffer, (Handle comm, void* address, int* size)) {
    static constinit Next<int(Handle, void*, int*)> next("MPI_Comm_detach_buffer");
    before_waiting();
    return detach(next(comm, address, size), address);
}
AUREOLE_ENTRY(MPI_Comm_detach_buffer_c, (Handle comm, void* address, Count* size)) {
    static constinit Next<int(Handle, void*, Count*)> next("MPI_Comm_detach_buffer_c");
    before_waiting();
    return detach(next(comm, address, size), address);
}
AUREOLE_ENTRY(MPI_Session_attach_buffer, (Handle session, void* buffer, int size)) {
    static constinit Next<int(Handle, void*, int)> next("MPI_Session_attach_buffer");
    return attach("MPI_Session_attach_buffer", {}, buffer, size,
                  [&](void* b) { return next(session, b, size); });
}
AUREOLE_ENTRY(MPI_Session_attach_buffer_c, (Handle session, void* buffer, Count size)) {
    static constinit Next<int(Handle, void*, Count)> next("MPI_Session_attach_buffer_c");
    return attach("MPI_Session_attach_buffer_c", {}, buffer, size,
                  [&](void* b) { return next(session, b, size); });
}
AUREOLE_ENTRY(MPI_Session_detach_buffer, (Handle session, void* address, int* size)) {
    static constinit Next<int(Handle, void*, int*)> next("MPI_Session_detach_buffer");
    before_waiting();
    return detach(next(session, address, size), address);
}
AUREOLE_ENTRY(MPI_Session_detach_buffer_c, (Handle session, void* address, Count* size)) {
    static constinit Next<int(Handle, void*, Count*)> next("MPI_Session_detach_buffer_c");
    before_waiting();
    return detach(next(session, address, size), address);
}
