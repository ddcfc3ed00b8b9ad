// SPDX-License-Identifier: Apache-2.0
// MPI_Pack, MPI_Unpack and their relatives: one buffer of elements, one of bytes.
#include "preload/call.hpp"
#include "preload/entry.hpp"
#include "preload/library.hpp"
#include "preload/where.hpp"

namespace aureole::preload {

namespace {

/// The buffer of elements of a call, and that of bytes.
template <class Elements, class Bytes, class N, class S>
struct Buffers {
    Elements buffer;
    N count;
    Handle type;
    Bytes bytes;
    S size;
};
template <class Elements, class Bytes, class N, class S>
Buffers(Elements, N, Handle, Bytes, S) -> Buffers<Elements, Bytes, N, S>;

/// Elements into bytes, from `position` on. `next` gets what MPI is to see.
template <class N, class S, class Run>
int pack(const char* name, Scope scope, Buffers<const void*, void*, N, S> of, const S* position,
         Run&& next) {
    const Allocation buffer_at = where(of.buffer, of.type), bytes_at = where(of.bytes);
    if (!buffer_at.on_device() && !bytes_at.on_device()) return next(of.buffer, of.type, of.bytes);
    return with_devices(name, scope, [&](auto& call) {
        const auto before = static_cast<Count>(*position);
        call->in(buffer_at, of.buffer, of.count, of.type);
        Staged* const packed = call->bytes(bytes_at, of.bytes, static_cast<Count>(of.size));
        const int error = next(of.buffer, of.type, of.bytes);
        if (error == 0 && packed != nullptr) packed->store_blocks(before, *position - before);
        return error;
    });
}

/// Bytes into elements.
template <class N, class S, class Run>
int unpack(const char* name, Scope scope, Buffers<void*, const void*, N, S> of, Run&& next) {
    const Allocation buffer_at = where(of.buffer, of.type), bytes_at = where(of.bytes);
    if (!buffer_at.on_device() && !bytes_at.on_device()) return next(of.bytes, of.buffer, of.type);
    return with_devices(name, scope, [&](auto& call) {
        Staged* const packed = call->bytes(bytes_at, of.bytes, static_cast<Count>(of.size));
        if (packed != nullptr) packed->load();
        call->out(buffer_at, of.buffer, of.count, of.type);
        return call->end(next(of.bytes, of.buffer, of.type));
    });
}

}  // namespace

}  // namespace aureole::preload

using namespace aureole::preload;  // NOLINT: functions of MPI are in no namespace

AUREOLE_ENTRY(MPI_Pack, (const void* buffer, int count, Handle type, void* bytes, int size,
                         int* position, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, void*, int, int*, Handle)> next("MPI_Pack");
    return pack("MPI_Pack", on_comm(comm), Buffers{buffer, count, type, bytes, size}, position,
                [&](const void* b, Handle t, void* to) {
                    return next(b, count, t, to, size, position, comm);
                });
}
AUREOLE_ENTRY(MPI_Unpack, (const void* bytes, int size, int* position, void* buffer, int count,
                           Handle type, Handle comm)) {
    static constinit Next<int(const void*, int, int*, void*, int, Handle, Handle)> next(
        "MPI_Unpack");
    return unpack("MPI_Unpack", on_comm(comm), Buffers{buffer, count, type, bytes, size},
                  [&](const void* from, void* b, Handle t) {
                      return next(from, size, position, b, count, t, comm);
                  });
}
AUREOLE_ENTRY(MPI_Pack_external, (const char* as, const void* buffer, int count, Handle type,
                                  void* bytes, Count size, Count* position)) {
    static constinit Next<int(const char*, const void*, int, Handle, void*, Count, Count*)> next(
        "MPI_Pack_external");
    return pack("MPI_Pack_external", {}, Buffers{buffer, count, type, bytes, size}, position,
                [&](const void* b, Handle t, void* to) {
                    return next(as, b, count, t, to, size, position);
                });
}
AUREOLE_ENTRY(MPI_Unpack_external, (const char* as, const void* bytes, Count size, Count* position,
                                    void* buffer, int count, Handle type)) {
    static constinit Next<int(const char*, const void*, Count, Count*, void*, int, Handle)> next(
        "MPI_Unpack_external");
    return unpack("MPI_Unpack_external", {}, Buffers{buffer, count, type, bytes, size},
                  [&](const void* from, void* b, Handle t) {
                      return next(as, from, size, position, b, count, t);
                  });
}

AUREOLE_ENTRY(MPI_Pack_c, (const void* buffer, Count count, Handle type, void* bytes, Count size,
                           Count* position, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Count*, Handle)> next(
        "MPI_Pack_c");
    if (!next.exists())
        return with_devices("MPI_Pack_c", on_comm(comm), [&](auto& call) {
            int at = call->narrow(*position);
            const int n = call->narrow(count, type);
            const int error = MPI_Pack(buffer, n, type, bytes, call->narrow(size), &at, comm);
            *position = at;
            return error;
        });
    return pack("MPI_Pack_c", on_comm(comm), Buffers{buffer, count, type, bytes, size}, position,
                [&](const void* b, Handle t, void* to) {
                    return next(b, count, t, to, size, position, comm);
                });
}
AUREOLE_ENTRY(MPI_Unpack_c, (const void* bytes, Count size, Count* position, void* buffer,
                             Count count, Handle type, Handle comm)) {
    static constinit Next<int(const void*, Count, Count*, void*, Count, Handle, Handle)> next(
        "MPI_Unpack_c");
    if (!next.exists())
        return with_devices("MPI_Unpack_c", on_comm(comm), [&](auto& call) {
            int at = call->narrow(*position);
            const int n = call->narrow(count, type);
            const int error = MPI_Unpack(bytes, call->narrow(size), &at, buffer, n, type, comm);
            *position = at;
            return error;
        });
    return unpack("MPI_Unpack_c", on_comm(comm), Buffers{buffer, count, type, bytes, size},
                  [&](const void* from, void* b, Handle t) {
                      return next(from, size, position, b, count, t, comm);
                  });
}
AUREOLE_ENTRY(MPI_Pack_external_c, (const char* as, const void* buffer, Count count, Handle type,
                                    void* bytes, Count size, Count* position)) {
    static constinit Next<int(const char*, const void*, Count, Handle, void*, Count, Count*)> next(
        "MPI_Pack_external_c");
    if (!next.exists())
        return with_devices("MPI_Pack_external_c", {}, [&](auto& call) {
            const int n = call->narrow(count, type);
            return MPI_Pack_external(as, buffer, n, type, bytes, size, position);
        });
    return pack("MPI_Pack_external_c", {}, Buffers{buffer, count, type, bytes, size}, position,
                [&](const void* b, Handle t, void* to) {
                    return next(as, b, count, t, to, size, position);
                });
}
AUREOLE_ENTRY(MPI_Unpack_external_c, (const char* as, const void* bytes, Count size,
                                      Count* position, void* buffer, Count count, Handle type)) {
    static constinit Next<int(const char*, const void*, Count, Count*, void*, Count, Handle)> next(
        "MPI_Unpack_external_c");
    if (!next.exists())
        return with_devices("MPI_Unpack_external_c", {}, [&](auto& call) {
            const int n = call->narrow(count, type);
            return MPI_Unpack_external(as, bytes, size, position, buffer, n, type);
        });
    return unpack("MPI_Unpack_external_c", {}, Buffers{buffer, count, type, bytes, size},
                  [&](const void* from, void* b, Handle t) {
                      return next(as, from, size, position, b, count, t);
                  });
}
