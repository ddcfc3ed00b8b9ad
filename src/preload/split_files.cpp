// SPDX-License-Identifier: Apache-2.0
#include "preload/split_files.hpp"

#include <map>
#include <mutex>

#include "preload/chunk_gate.hpp"
#include "preload/entry.hpp"
#include "preload/library.hpp"

namespace aureole::preload {

namespace {

struct Open {
    std::mutex lock;
    std::map<Handle, std::unique_ptr<Call>> calls;
};

Open& open() {
    static auto* const all = new Open;
    return *all;
}

using End = Next<int(Handle, void*, void*)>;

/// The second half.
int end(End& next, Handle file, void* buffer, void* status) {
    before_waiting();
    std::unique_ptr<Call> call;
    {
        Open& all = open();
        const std::lock_guard guard(all.lock);
        const auto found = all.calls.find(abi().own(file));
        if (found != all.calls.end()) {
            call = std::move(found->second);
            all.calls.erase(found);
        }
    }
    if (!call) return next(file, buffer, status);
    try {
        call->needs(status);
        return call->end(next(file, call->staged()[0].host(), status));
    } catch (const std::exception& error) {
        return fail(call->name(), call->scope(), error);
    }
}

}  // namespace

int keep_split(std::unique_ptr<Call>& call, int error, Handle file) {
    if (error != 0) return error;
    Open& all = open();
    const std::lock_guard guard(all.lock);
    all.calls[abi().own(file)] = std::move(call);
    return 0;
}

}  // namespace aureole::preload

using namespace aureole::preload;  // NOLINT: functions of MPI are in no namespace

AUREOLE_ENTRY(MPI_File_read_all_end, (Handle fh, void* buf, void* status)) {
    static constinit End next("MPI_File_read_all_end");
    return end(next, fh, buf, status);
}
AUREOLE_ENTRY(MPI_File_read_at_all_end, (Handle fh, void* buf, void* status)) {
    static constinit End next("MPI_File_read_at_all_end");
    return end(next, fh, buf, status);
}
AUREOLE_ENTRY(MPI_File_read_ordered_end, (Handle fh, void* buf, void* status)) {
    static constinit End next("MPI_File_read_ordered_end");
    return end(next, fh, buf, status);
}
AUREOLE_ENTRY(MPI_File_write_all_end, (Handle fh, void* buf, void* status)) {
    static constinit End next("MPI_File_write_all_end");
    return end(next, fh, buf, status);
}
AUREOLE_ENTRY(MPI_File_write_at_all_end, (Handle fh, void* buf, void* status)) {
    static constinit End next("MPI_File_write_at_all_end");
    return end(next, fh, buf, status);
}
AUREOLE_ENTRY(MPI_File_write_ordered_end, (Handle fh, void* buf, void* status)) {
    static constinit End next("MPI_File_write_ordered_end");
    return end(next, fh, buf, status);
}
