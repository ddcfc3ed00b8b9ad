// SPDX-License-Identifier: Apache-2.0
#include "preload/requests.hpp"

#include "preload/mpi.hpp"

namespace aureole::preload {

Requests& requests() {
    static auto* const all = new Requests;  // outlives MPI's threads
    return *all;
}

void Requests::add(Handle request, std::unique_ptr<Call> call) {
    Part& in = part(request);
    const std::lock_guard guard(in.lock);
    if (in.calls.insert_or_assign(request, std::move(call)).second) ++open_;
}

std::unique_ptr<Call> Requests::take(Handle request) {
    if (are_none()) return nullptr;
    Part& in = part(request);
    const std::lock_guard guard(in.lock);
    const auto found = in.calls.find(request);
    if (found == in.calls.end()) return nullptr;
    auto call = std::move(found->second);
    in.calls.erase(found);
    --open_;
    return call;
}

Call* Requests::find(Handle request) {
    if (are_none()) return nullptr;
    Part& in = part(request);
    const std::lock_guard guard(in.lock);
    const auto found = in.calls.find(request);
    return found == in.calls.end() ? nullptr : found->second.get();
}

void Requests::add_freed(Handle request, std::unique_ptr<Call> call) {
    const std::lock_guard guard(freed_lock_);
    freed_.push_back({request, std::move(call)});
    has_freed_ = true;
}

void Requests::finish_freed(bool all) {
    if (!has_freed_) return;
    const std::lock_guard guard(freed_lock_);
    std::erase_if(freed_, [all](Freed& freed) {
        Handle holder = abi().in_memory(freed.request);
        OwnStatus status;
        int is_complete = 1;
        if (all)
            mpi.wait(&holder, status.data());
        else
            mpi.test(&holder, &is_complete, status.data());
        if (is_complete != 0) {
            try {
                freed.call->store(status.data());
            } catch (const std::exception& error) {
                fail(freed.call->name(), freed.call->scope(), error);
            }
            if (freed.call->is_persistent) mpi.request_free(&holder);
        }
        return is_complete != 0;
    });
    has_freed_ = !freed_.empty();
}

}  // namespace aureole::preload
