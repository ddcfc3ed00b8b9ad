// SPDX-License-Identifier: Apache-2.0
#include "preload/straight_call.hpp"

#include <algorithm>
#include <atomic>

#include "core/error.hpp"
#include "preload/mpi.hpp"
#include "preload/page.hpp"
#include "preload/staging.hpp"
#include "preload/world.hpp"

// Ours, which send envelopes.
extern "C" {
int MPI_Isend_c(const void*, aureole::preload::Count, aureole::preload::Handle, int, int,
                aureole::preload::Handle, void*);
int MPI_Irecv_c(void*, aureole::preload::Count, aureole::preload::Handle, int, int,
                aureole::preload::Handle, void*);
int MPI_Waitall(int, void*, void*);
}

namespace aureole::preload {

namespace {

/// What each rank tells the others of a call.
struct Told {
    Count bytes;
    std::int32_t is_on_device, is_possible;
    std::uint32_t number, zero = 0;  ///< of this process's calls
};

/// From the first rank and the number of its calls: many of them may be open in its threads.
int tag_of(int first, std::uint32_t number) {
    using Tags = Agreement;
    return Tags::first_tag + first * Tags::tags_of_a_rank +
           static_cast<int>(number % Tags::tags_of_a_rank);
}

}  // namespace

std::optional<StraightCall> StraightCall::begin(Handle comm, Count bytes, bool is_on_device,
                                                bool is_possible) {
    static std::atomic<std::uint32_t> calls = 0;
    StraightCall call;
    if (!are_large(bytes)) return {};
    call.world_ranks_ = world_ranks(comm);
    call.size_ = static_cast<int>(call.world_ranks_.size());
    if (call.size_ < 2) return {};
    mpi.comm_rank(comm, &call.rank_);
    const Told mine{bytes, is_on_device, is_possible, calls++};
    std::vector<Told> all(call.world_ranks_.size());
    constexpr int n = sizeof(Told);
    if (mpi.allgather(&mine, n, abi().byte, all.data(), n, abi().byte, comm) != 0) return {};
    // Calls that do not fit together are left to MPI, which may tell why.
    const auto fits = [&](const Told& one) { return one.is_possible != 0 && one.bytes == bytes; };
    const auto is_any = [](const Told& one) { return one.is_on_device != 0; };
    if (!std::ranges::all_of(all, fits) || std::ranges::none_of(all, is_any)) return {};
    call.tag_ = tag_of(call.world_ranks_[0], all[0].number);
    return call;
}

void StraightCall::send(const Elements& data, int to) {
    if (error_ != 0 || data.count == 0) return;
    Handle request = 0;
    note(MPI_Isend_c(data.at, data.count, data.type, world(to), tag_, agreement().world(),
                     &request));
    requests_.push_back(abi().at(&request, 0));
}

void StraightCall::receive(const Elements& data, int from) {
    if (error_ != 0 || data.count == 0) return;
    Handle request = 0;
    note(MPI_Irecv_c(data.at, data.count, data.type, world(from), tag_, agreement().world(),
                     &request));
    requests_.push_back(abi().at(&request, 0));
}

int StraightCall::wait() {
    std::vector<Handle> words(requests_.size());
    for (std::size_t k = 0; k < requests_.size(); ++k)
        abi().put(words.data(), static_cast<Count>(k), requests_[k]);
    requests_.clear();
    if (!words.empty() && error_ == 0)
        note(MPI_Waitall(static_cast<int>(words.size()), words.data(), abi().status_ignore));
    return error_;
}

void StraightCall::copy(const Elements& from, const Elements& to) {
    const Allocation source = where(from.at), target = where(to.at);
    const auto from_type = datatype(from.type), to_type = datatype(to.type);
    const auto bytes = static_cast<std::size_t>(from.count * from_type->size);
    if (source.on_device() && target.driver == source.driver && from_type->is_dense &&
        to_type->is_dense) {
        target.driver->copy(static_cast<std::byte*>(to.at), static_cast<std::byte*>(from.at), bytes,
                            target);
        return target.driver->finish(target);
    }
    send(from, rank_);
    receive(to, rank_);
    wait();
}

bool are_large(Count bytes) {
    const Count from = agreement().collectives_from();
    return from >= 0 && bytes >= from && bytes > Header::most;  // shorter ones have no envelopes
}

Count bytes_of(Count count, Handle type) {
    Count size = 0;
    if (abi().own(type) != abi().datatype_null) mpi.type_size(type, &size);
    return count <= 0 ? 0 : count * size;
}

bool is_rank(int root, Handle comm) { return root >= 0 && root < size_in(comm); }

std::shared_ptr<const Datatype> known_type(Handle type) {
    if (abi().own(type) == abi().datatype_null) return nullptr;
    try {
        return datatype(type);
    } catch (const core::Error&) {  // MPI's own way may know it
        return nullptr;
    }
}

bool has_blocks(const Elements& data) {
    const auto type = data.at == nullptr ? nullptr : known_type(data.type);
    return type != nullptr && type->low(1) >= 0 && type->extent >= 0;
}

Elements block(const Elements& data, Count k) { return part(data, k * data.count, data.count); }

Elements part(const Elements& data, Count first, Count count) {
    Count low = 0, extent = 0;
    mpi.type_get_extent(data.type, &low, &extent);
    return {static_cast<std::byte*>(data.at) + first * extent, count, data.type};
}

}  // namespace aureole::preload
