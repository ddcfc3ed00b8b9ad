// SPDX-License-Identifier: Apache-2.0
#include "preload/call.hpp"

#include "core/error.hpp"
#include "preload/check_request.hpp"
#include "preload/mpi.hpp"
#include "preload/requests.hpp"

namespace aureole::preload {

void Call::throw_too_large() {
    throw core::InputError("a buffer has more than 2^31 elements or bytes in its blocks",
                           "their displacements are numbers of 32 bits in this call",
                           "Use the call with large counts, whose name ends in _c.");
}

std::vector<Block> Call::single(Count count, Handle& type, bool is_dense) {
    if (count <= 0 || is_null(type)) return {};  // MPI says what is wrong with it
    auto one = datatype(type);
    if (is_dense && !keeps_arguments_) type = one->dense;
    kept_types_.push_back(one);
    return {{std::move(one), count, 0, 0}};
}

std::vector<Block> Call::of_peers(Count count, Handle& type, const Peers& peers) {
    if (count <= 0 || is_null(type)) return {};
    if (peers.absent.empty()) return single(count * peers.n, type, true);
    const auto one = datatype(type);
    std::vector<Block> blocks;
    for (int k = 0; k < peers.n; ++k)
        if (!peers.is_absent(k))
            blocks.push_back({one, count, k * count * one->extent, k * count * one->size});
    if (!keeps_arguments_) type = one->dense;
    kept_types_.push_back(one);
    return blocks;
}

void* Call::add(void* buffer, const Allocation& at, std::vector<Block> blocks, const Use& use) {
    const bool is_plain = blocks.size() == 1 && blocks[0].type->is_dense;
    const Count size = blocks.empty() ? 0 : blocks[0].type->size;
    if (checked_ != nullptr)
        checked_->add({buffer, at, blocks, static_cast<int>(staged_.size()),
                       use.loads && !use.is_filled, use.stores},
                      is_persistent);
    staged_.emplace_back(
        buffer, at, std::move(blocks),
        use.is_mirrored && !is_plain ? Staged::Form::mirrored : Staged::Form::dense);
    Staged& staged = staged_.back();
    staged.loads = use.loads, staged.stores = use.stores, staged.receives = use.receives;
    if (use.written >= 0) staged.limit = use.written * size;
    if (use.loads && !is_persistent) staged.load();
    if (checked_ != nullptr && use.loads && !is_persistent && !use.is_filled)
        checked_->loaded(staged);
    return staged.host();
}

void Call::store(const void* status) {
    for (int k = 0; k < partitions; ++k) store_partition(k);
    if (partitions > 0) return;
    Count received = Staged::everything;
    const bool is_told = status != nullptr && std::ranges::any_of(staged_, &Staged::receives);
    if (is_told) {
        int is_cancelled = 0;  // libraries do not set this mark for files
        if (scope_.kind == Scope::Kind::comm && is_active)
            mpi.test_cancelled(status, &is_cancelled);
        if (is_cancelled != 0)
            received = 0;
        else
            mpi.get_elements(status, abi().byte, &received);
    }
    for (Staged& staged : staged_)
        if (staged.stores)
            staged.store(staged.receives ? std::min(received, staged.limit) : staged.limit);
}

void Call::load_partition(int k) {
    for (Staged& staged : staged_) {
        const Count part = staged.size() / partitions;
        staged.load_blocks(k * part, part);
        if (checked_ != nullptr) checked_->loaded(staged, k * part, part);
    }
}

void Call::store_partition(int k) {
    const std::lock_guard guard(partitions_lock_);
    arrived_.resize(static_cast<std::size_t>(partitions));
    if (arrived_[static_cast<std::size_t>(k)]) return;
    for (Staged& staged : staged_) {
        if (!staged.stores) continue;
        const Count part = staged.size() / partitions;
        staged.store_blocks(k * part, part);
    }
    arrived_[static_cast<std::size_t>(k)] = true;
}

void Call::start() {
    is_active = true;
    arrived_.clear();
    if (checked_ != nullptr) checked_->start(partitions > 0);
    if (partitions > 0) return;  // each partition is loaded when it is ready
    for (Staged& staged : staged_)
        if (staged.loads) {
            staged.load();
            if (checked_ != nullptr) checked_->loaded(staged);
        }
}

int Call::narrow(Count number) {
    if (number > std::numeric_limits<int>::max() || number < std::numeric_limits<int>::min())
        throw core::InputError("the number " + std::to_string(number) + " is too large",
                               "the MPI library has no calls with large counts",
                               "Use a library of MPI 4, or send the data in parts.");
    return static_cast<int>(number);
}

int Call::narrow(Count count, Handle& type) {
    if (count <= std::numeric_limits<int>::max()) return narrow(count);
    large_types_.push_back(std::make_unique<LargeType>(count, type));
    type = large_types_.back()->handle();
    return 1;
}

const int* Call::narrow(const Count* numbers, int n) {
    if (numbers == nullptr) return nullptr;  // significant at the root alone
    int* const narrowed = room<int>(n);
    for (int k = 0; k < n; ++k) narrowed[k] = narrow(numbers[k]);
    return narrowed;
}

int Call::keep_arrays(std::unique_ptr<Call>& call, int error, void* request) {
    if (error != 0 || call->arrays_.empty()) return error;
    if (Call* const other = requests().find(abi().at(request, 0))) {  // with device memory too
        std::ranges::move(call->arrays_, std::back_inserter(other->arrays_));
        return 0;
    }
    return call->is_persistent ? keep_persistent(call, error, request) : keep(call, error, request);
}

int Call::end(int error) {
    if (error == 0) store(status_);
    return error;
}

int Call::keep(std::unique_ptr<Call>& call, int error, void* request) {
    requests().finish_freed(false);
    if (error != 0) return error;
    int is_complete = 0;
    void* const status = call->own_status_.data();
    // Libraries give one handle to many requests that are complete at once, so these are not kept.
    // Requests of files have handles of their own; after a look at one, MPI_Wait of Open MPI 5.0
    // does not return.
    if (call->scope_.kind == Scope::Kind::comm)
        mpi.request_get_status(abi().at(request, 0), &is_complete, status);
    call->is_active = true;
    if (is_complete != 0) {
        call->store(status);
        return keep_checked(call, request);
    }
    if (call->checked_ != nullptr) call->checked_->open();
    requests().add(abi().at(request, 0), std::move(call));
    return 0;
}

/// A request that is complete: the checks wait for the program to complete it too.
int Call::keep_checked(std::unique_ptr<Call>& call, void* request) {
    if (call->checked_ == nullptr) return 0;
    const bool is_known = requests().find(abi().at(request, 0)) != nullptr;
    if (is_known && !replace_complete_request(request)) return 0;
    call->is_active = false;
    call->checked_->open();
    requests().add(abi().at(request, 0), std::move(call));
    return 0;
}

int Call::keep_persistent(std::unique_ptr<Call>& call, int error, void* request) {
    if (error != 0) return error;
    call->is_persistent = true;
    requests().add(abi().at(request, 0), std::move(call));
    return 0;
}

}  // namespace aureole::preload
