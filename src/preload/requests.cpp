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
    std::unique_ptr<Call>& place = in.calls[request];
    if (place == nullptr && in.taken.erase(request) == 0) ++open_;
    place.swap(call);  // an earlier one ends without the lock
}

std::unique_ptr<Call> Requests::take(Handle request) {
    if (are_none()) return nullptr;
    Part& in = part(request);
    const std::lock_guard guard(in.lock);
    const auto found = in.calls.find(request);
    if (found == in.calls.end()) return nullptr;
    auto call = std::move(found->second);
    in.calls.erase(found);
    if (call->partitions > 0)
        in.taken[request] = call.get();
    else
        --open_;
    return call;
}

void Requests::forget(const Call* taken) {
    for (Part& in : parts_) {
        const std::lock_guard guard(in.lock);
        open_ -= static_cast<long>(
            std::erase_if(in.taken, [=](const auto& one) { return one.second == taken; }));
    }
}

Call* Requests::find(Handle request) {
    if (are_none()) return nullptr;
    Part& in = part(request);
    const std::lock_guard guard(in.lock);
    if (const auto found = in.calls.find(request); found != in.calls.end())
        return found->second.get();
    const auto found = in.taken.find(request);
    return found == in.taken.end() ? nullptr : found->second;
}

void Requests::add_freed(Handle request, std::unique_ptr<Call> call) {
    if (call->partitions > 0) forget(call.get());
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
