// SPDX-License-Identifier: Apache-2.0
// Functions that start, complete and free requests.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "preload/chunk_gate.hpp"
#include "preload/entry.hpp"
#include "preload/library.hpp"
#include "preload/mpi.hpp"
#include "preload/requests.hpp"

namespace aureole::preload {

namespace {

/// The error of one request, after a function for several of them returned `error`: that of its
/// status, if that is where it is.
int error_of(const void* status, int error) {
    int kind = 0;
    if (error != 0) mpi.error_class(error, &kind);
    if (kind != abi().error_in_status) return error;
    const int own = abi().in_status(status, abi().error_at);
    if (own != 0) mpi.error_class(own, &kind);
    return own == 0 ? 0 : kind;
}

/// After a request of ours is complete: copies what it received. A persistent one stays open; so
/// does one that was only looked at (`is_open`), if its status has to be corrected again.
int complete(std::unique_ptr<Call> call, Handle request, const void* status, bool is_open = false) {
    if (call == nullptr) return 0;
    int error = 0;
    try {
        if (Checked* const checked = call->checked()) checked->complete(call->staged());
        if (call->is_active)
            call->store(status);
        else
            call->correct(status);
        if (const int late = call->late_error(); late != 0 && !is_open) throw MpiError(late);
    } catch (const std::exception& problem) {
        error = fail(call->name(), call->scope(), problem);
    }
    call->is_active = false;
    if (call->is_persistent || (is_open && call->has_payload()))
        requests().add(request, std::move(call));
    return error;
}

/// After a request of ours is not complete, or failed: it stays if it is still there.
int put_back(std::unique_ptr<Call> call, Handle handle, const void* request, int error) {
    if (error != 0) call->discard_headers();
    if (abi().at(request, 0) == handle) requests().add(handle, std::move(call));
    return error;
}

/// Requests of an array, and those of them that are ours, which are out of the table meanwhile.
class Array {
  public:
    Array(int n, const void* handles) : handles_(static_cast<std::size_t>(std::max(n, 0))) {
        for (std::size_t k = 0; k < handles_.size(); ++k) {
            handles_[k] = abi().at(handles, static_cast<Count>(k));
            auto call = requests().take(handles_[k]);
            if (call == nullptr) continue;
            calls_.resize(handles_.size());
            calls_[k] = std::move(call);
        }
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() {
        for (std::size_t k = 0; k < calls_.size(); ++k)
            if (calls_[k] != nullptr) requests().add(handles_[k], std::move(calls_[k]));
    }

    bool are_none() const { return calls_.empty(); }
    /// What MPI is given in place of the program's array: persistent requests whose messages go in
    /// envelopes are inactive for MPI, and others stand for them.
    void* given(void* handles) {
        if (!has_stand_ins()) return handles;
        given_.resize(handles_.size());
        for (std::size_t k = 0; k < handles_.size(); ++k) {
            const Handle other = stand_in(static_cast<int>(k));
            abi().put(given_.data(), static_cast<Count>(k), other != 0 ? other : handles_[k]);
        }
        return given_.data();
    }
    /// After MPI was given that: the other requests of the program's array are as MPI left them.
    int take_back(int error, void* handles) {
        for (int k = 0; k < static_cast<int>(given_.size()); ++k)
            if (stand_in(k) == 0) abi().put(handles, k, abi().at(given_.data(), k));
        return error;
    }
    /// Statuses of ours, where the program ignores them and we do not.
    void needs(void*& statuses) {
        if (are_none() || !abi().is_ignored(statuses)) return;
        statuses_.resize((handles_.size() + 1) * static_cast<std::size_t>(abi().status_bytes));
        statuses = statuses_.data();
    }
    /// After an error: requests that are gone from the program's array are no longer ours.
    int fail(int error, const void* handles) {
        if (error == 0) return 0;
        for (std::size_t k = 0; k < calls_.size(); ++k)
            if (abi().at(handles, static_cast<Count>(k)) != handles_[k]) calls_[k] = nullptr;
        return error;
    }
    int complete(int k, const void* status) {
        const auto at = static_cast<std::size_t>(k);
        return at < calls_.size() ? preload::complete(std::move(calls_[at]), handles_[at], status)
                                  : 0;
    }
    /// Completes the `n` requests with these statuses, those of `indices` if there are any; after
    /// an error, those whose status has none. An error of ours goes into its status.
    int complete_all(int returned, int n, const int* indices, void* statuses) {
        int error = returned;
        bool are_told = returned != 0;  // whether statuses have errors
        // Receives first: the other side of a message may be waiting for that as we do.
        for (const bool is_sent : {false, true})
            for (int k = 0; k < n; ++k) {
                const int at = indices == nullptr ? k : indices[k];
                void* const status = abi().status_at(statuses, k);
                Call* const of = call(at);
                if (of == nullptr || of->sends_envelope() != is_sent) continue;
                if (const int own = error_of(status, returned); own != 0) {
                    // A header may be there already for a request that is still pending.
                    if (own != abi().error_pending) drop(at);
                    continue;
                }
                const int ours = complete(at, status);
                if (ours == 0) continue;
                for (int other = 0; other < n && !are_told; ++other)
                    abi().put_error(abi().status_at(statuses, other), 0);
                are_told = true;
                abi().put_error(status, ours);
                error = abi().error_in_status;
            }
        return error;
    }

    /// A request failed and is complete; MPI_Testall of MPICH 5.0 leaves its handle in the array.
    void drop(int k) {
        std::unique_ptr<Call>& failed = calls_[static_cast<std::size_t>(k)];
        failed->discard_headers();
        failed->is_active = false;
        if (!failed->is_persistent) failed = nullptr;
    }

    /// Before persistent requests are started.
    int start() {
        for (const auto& call : calls_) try {
                if (call != nullptr) call->start();
            } catch (const std::exception& error) {
                return preload::fail(call->name(), call->scope(), error);
            }
        return 0;
    }
    bool has_stand_ins() const {
        return std::ranges::any_of(
            calls_, [](const auto& call) { return call != nullptr && call->stand_in() != 0; });
    }
    /// The request that MPI knows in place of one of the program's; 0 if it knows that itself.
    Handle stand_in(int k) const {
        const Call* const of = call(k);
        return of == nullptr ? 0 : of->stand_in();
    }
    /// After they were started: their handles may be others.
    void take_handles(const void* handles) {
        for (std::size_t k = 0; k < handles_.size(); ++k)
            handles_[k] = abi().at(handles, static_cast<Count>(k));
    }

  private:
    /// Null if it is none of ours.
    Call* call(int k) const {
        const auto at = static_cast<std::size_t>(k);
        return at < calls_.size() ? calls_[at].get() : nullptr;
    }

    std::vector<Handle> handles_, given_;
    std::vector<std::unique_ptr<Call>> calls_;
    std::vector<std::byte> statuses_;
};

/// After a look at a request that leaves it as it is.
int look(Handle request, const void* status) {
    auto call = requests().take(request);
    if (call == nullptr) return 0;
    // Without its call a request that is not persistent is as any other of the library's.
    return complete(std::move(call), request, status, true);
}

/// What MPI is given for a request of the program's.
void* given(Call& call, void* request) {
    thread_local Handle other;
    if (call.stand_in() == 0) return request;
    other = abi().in_memory(call.stand_in());
    return &other;
}
/// The same for handles that stay as they are.
Handle given(Handle request) {
    const Call* const call = requests().find(abi().own(request));
    return call == nullptr || call->stand_in() == 0 ? request : call->stand_in();
}
const void* given(int n, const void* array, std::vector<Handle>& room) {
    room.resize(static_cast<std::size_t>(std::max(n, 0)));
    for (int k = 0; k < n; ++k) abi().put(room.data(), k, given(abi().at(array, k)));
    return room.data();
}

thread_local OwnStatus own_status;

/// A status of ours where the program ignores it.
void* known(void* status) { return abi().is_ignored(status) ? own_status.data() : status; }

/// Runs `act` for the call of a request, if it is ours.
template <class Act>
int with_call(Handle request, Act&& act) {
    Call* const call = requests().find(request);
    if (call == nullptr) return 0;
    try {
        act(*call);
        return 0;
    } catch (const std::exception& error) {
        return fail(call->name(), call->scope(), error);
    }
}

int load_partition(Handle request, int k) {
    return with_call(request, [k](Call& call) { call.load_partition(k); });
}

}  // namespace

}  // namespace aureole::preload

using namespace aureole::preload;  // NOLINT: functions of MPI are in no namespace

// ------------------------------------------------------------------------------ one request

AUREOLE_ENTRY(MPI_Wait, (void* request, void* status)) {
    static constinit Next<int(void*, void*)> next("MPI_Wait");
    before_waiting();
    if (requests().are_none()) [[likely]]
        return next(request, status);
    const Handle handle = abi().at(request, 0);
    auto call = requests().take(handle);
    if (call == nullptr) return next(request, status);
    status = known(status);
    const int error = next(given(*call, request), status);
    return error != 0 ? put_back(std::move(call), handle, request, error)
                      : complete(std::move(call), handle, status);
}

AUREOLE_ENTRY(MPI_Test, (void* request, int* flag, void* status)) {
    static constinit Next<int(void*, int*, void*)> next("MPI_Test");
    before_looking();
    if (requests().are_none()) [[likely]]
        return next(request, flag, status);
    const Handle handle = abi().at(request, 0);
    auto call = requests().take(handle);
    if (call == nullptr) return next(request, flag, status);
    status = known(status);
    const int error = next(given(*call, request), flag, status);
    if (error == 0 && *flag != 0) return complete(std::move(call), handle, status);
    return put_back(std::move(call), handle, request, error);
}

AUREOLE_ENTRY(MPI_Cancel, (void* request)) {
    static constinit Next<int(void*)> next("MPI_Cancel");
    Call* const call = requests().find(abi().at(request, 0));
    return next(call == nullptr ? request : given(*call, request));
}

AUREOLE_ENTRY(MPI_Request_get_status, (Handle request, int* flag, void* status)) {
    static constinit Next<int(Handle, int*, void*)> next("MPI_Request_get_status");
    before_looking();
    if (requests().are_none()) [[likely]]
        return next(request, flag, status);
    status = known(status);
    const int error = next(given(request), flag, status);
    return error != 0 || *flag == 0 ? error : look(abi().own(request), status);
}

AUREOLE_ENTRY(MPI_Request_free, (void* request)) {
    static constinit Next<int(void*)> next("MPI_Request_free");
    const Handle handle = abi().at(request, 0);
    auto call = requests().take(handle);
    if (call != nullptr && call->checked() != nullptr) call->checked()->close();
    if (call == nullptr || !call->is_active) return next(request);
    if (const Handle other = call->stand_in(); other != 0) {  // MPI's own is inactive
        call->is_persistent = false;
        requests().add_freed(other, std::move(call));
        return next(request);
    }
    requests().add_freed(handle, std::move(call));
    abi().put(request, 0, abi().request_null);
    return 0;
}

// ------------------------------------------------------------------------------------- arrays

AUREOLE_ENTRY(MPI_Waitall, (int n, void* array, void* statuses)) {
    static constinit Next<int(int, void*, void*)> next("MPI_Waitall");
    before_waiting();
    if (requests().are_none()) [[likely]]
        return next(n, array, statuses);
    Array ours(n, array);
    ours.needs(statuses);
    if (ours.are_none()) return next(n, array, statuses);
    const int returned = ours.take_back(next(n, ours.given(array), statuses), array);
    return ours.fail(ours.complete_all(returned, n, nullptr, statuses), array);
}

AUREOLE_ENTRY(MPI_Testall, (int n, void* array, int* flag, void* statuses)) {
    static constinit Next<int(int, void*, int*, void*)> next("MPI_Testall");
    before_looking();
    if (requests().are_none()) [[likely]]
        return next(n, array, flag, statuses);
    Array ours(n, array);
    ours.needs(statuses);
    const int error = ours.take_back(next(n, ours.given(array), flag, statuses), array);
    if (ours.are_none() || (*flag == 0 && error == 0)) return error;
    return ours.fail(ours.complete_all(error, n, nullptr, statuses), array);
}

AUREOLE_ENTRY(MPI_Waitany, (int n, void* array, int* index, void* status)) {
    static constinit Next<int(int, void*, int*, void*)> next("MPI_Waitany");
    before_waiting();
    if (requests().are_none()) [[likely]]
        return next(n, array, index, status);
    Array ours(n, array);
    if (!ours.are_none()) status = known(status);
    const int error = ours.take_back(next(n, ours.given(array), index, status), array);
    if (error != 0) return ours.fail(error, array);
    return *index < 0 ? 0 : ours.complete(*index, status);
}

AUREOLE_ENTRY(MPI_Testany, (int n, void* array, int* index, int* flag, void* status)) {
    static constinit Next<int(int, void*, int*, int*, void*)> next("MPI_Testany");
    before_looking();
    if (requests().are_none()) [[likely]]
        return next(n, array, index, flag, status);
    Array ours(n, array);
    if (!ours.are_none()) status = known(status);
    const int error = ours.take_back(next(n, ours.given(array), index, flag, status), array);
    if (error != 0) return ours.fail(error, array);
    return *flag == 0 || *index < 0 ? 0 : ours.complete(*index, status);
}

namespace {

/// MPI_Waitsome and MPI_Testsome.
int some(Next<int(int, void*, int*, int*, void*)>& next, int n, void* array, int* done,
         int* indices, void* statuses) {
    if (requests().are_none()) [[likely]]
        return next(n, array, done, indices, statuses);
    Array ours(n, array);
    ours.needs(statuses);
    if (ours.are_none()) return next(n, array, done, indices, statuses);
    const int returned = ours.take_back(next(n, ours.given(array), done, indices, statuses), array);
    // The number is negative if there is none.
    return ours.fail(ours.complete_all(returned, *done, indices, statuses), array);
}

}  // namespace

AUREOLE_ENTRY(MPI_Waitsome, (int n, void* array, int* done, int* indices, void* statuses)) {
    static constinit Next<int(int, void*, int*, int*, void*)> next("MPI_Waitsome");
    before_waiting();
    return some(next, n, array, done, indices, statuses);
}
AUREOLE_ENTRY(MPI_Testsome, (int n, void* array, int* done, int* indices, void* statuses)) {
    static constinit Next<int(int, void*, int*, int*, void*)> next("MPI_Testsome");
    before_looking();
    return some(next, n, array, done, indices, statuses);
}

AUREOLE_ENTRY(MPI_Request_get_status_any,
              (int n, const void* array, int* index, int* flag, void* status)) {
    static constinit Next<int(int, const void*, int*, int*, void*)> next(
        "MPI_Request_get_status_any");
    before_looking();
    if (requests().are_none()) [[likely]]
        return next(n, array, index, flag, status);
    status = known(status);
    std::vector<Handle> room;
    const int error = next(n, given(n, array, room), index, flag, status);
    if (error != 0 || *flag == 0 || *index < 0) return error;
    return look(abi().at(array, *index), status);
}

AUREOLE_ENTRY(MPI_Request_get_status_all, (int n, const void* array, int* flag, void* statuses)) {
    static constinit Next<int(int, const void*, int*, void*)> next("MPI_Request_get_status_all");
    before_looking();
    if (requests().are_none()) [[likely]]
        return next(n, array, flag, statuses);
    std::vector<std::byte> own(static_cast<std::size_t>((n + 1) * abi().status_bytes));
    if (abi().is_ignored(statuses)) statuses = own.data();
    std::vector<Handle> room;
    int error = next(n, given(n, array, room), flag, statuses);
    for (int k = 0; k < n && error == 0 && *flag != 0; ++k)
        error = look(abi().at(array, k), abi().status_at(statuses, k));
    return error;
}

AUREOLE_ENTRY(MPI_Request_get_status_some,
              (int n, const void* array, int* done, int* indices, void* statuses)) {
    static constinit Next<int(int, const void*, int*, int*, void*)> next(
        "MPI_Request_get_status_some");
    before_looking();
    if (requests().are_none()) [[likely]]
        return next(n, array, done, indices, statuses);
    std::vector<std::byte> own(static_cast<std::size_t>((n + 1) * abi().status_bytes));
    if (abi().is_ignored(statuses)) statuses = own.data();
    std::vector<Handle> room;
    int error = next(n, given(n, array, room), done, indices, statuses);
    for (int k = 0; k < *done && error == 0; ++k)
        error = look(abi().at(array, indices[k]), abi().status_at(statuses, k));
    return error;
}

// ------------------------------------------------------------------------- persistent requests

namespace {

/// Starts requests of an array by `next`, or one by one if MPI has not to start some of them. Open
/// MPI may give a persistent request another handle there, if the last message is still on its way.
template <class Run>
int start(int n, void* array, Run&& next) {
    if (requests().are_none()) [[likely]]
        return next();
    Array ours(n, array);
    int error = ours.start();
    if (error != 0) return error;
    if (ours.has_stand_ins()) {
        for (int k = 0; k < n && error == 0; ++k)
            if (ours.stand_in(k) == 0)
                error = mpi.start(static_cast<std::byte*>(array) + k * abi().handle_bytes);
    } else {
        error = next();
    }
    ours.take_handles(array);
    return error;
}

}  // namespace

AUREOLE_ENTRY(MPI_Start, (void* request)) {
    static constinit Next<int(void*)> next("MPI_Start");
    return start(1, request, [&] { return next(request); });
}

AUREOLE_ENTRY(MPI_Startall, (int n, void* array)) {
    static constinit Next<int(int, void*)> next("MPI_Startall");
    return start(n, array, [&] { return next(n, array); });
}

AUREOLE_ENTRY(MPI_Pready, (int partition, Handle request)) {
    static constinit Next<int(int, Handle)> next("MPI_Pready");
    const int error = load_partition(abi().own(request), partition);
    return error != 0 ? error : next(partition, request);
}

AUREOLE_ENTRY(MPI_Pready_range, (int first, int last, Handle request)) {
    static constinit Next<int(int, int, Handle)> next("MPI_Pready_range");
    for (int k = first; k <= last && !requests().are_none(); ++k) {
        const int error = load_partition(abi().own(request), k);
        if (error != 0) return error;
    }
    return next(first, last, request);
}

AUREOLE_ENTRY(MPI_Pready_list, (int n, const int* partitions, Handle request)) {
    static constinit Next<int(int, const int*, Handle)> next("MPI_Pready_list");
    for (int k = 0; k < n && !requests().are_none(); ++k) {
        const int error = load_partition(abi().own(request), partitions[k]);
        if (error != 0) return error;
    }
    return next(n, partitions, request);
}

AUREOLE_ENTRY(MPI_Parrived, (Handle request, int partition, int* flag)) {
    static constinit Next<int(Handle, int, int*)> next("MPI_Parrived");
    before_looking();
    const int error = next(request, partition, flag);
    if (error != 0 || *flag == 0) return error;
    return with_call(abi().own(request), [partition](Call& call) {
        if (call.is_active) call.store_partition(partition);
    });
}
