// SPDX-License-Identifier: Apache-2.0
// Reductions: each rank fetches one part of all ranks' vectors, reduces it on the host in the order
// of the ranks, and gives it to those that want it.
#include <algorithm>
#include <cstring>
#include <memory>

#include "preload/bounce.hpp"
#include "preload/mpi.hpp"
#include "preload/staging.hpp"
#include "preload/straight_call.hpp"

namespace aureole::preload {

namespace {

/// Memory of the host for the parts of all ranks: pinned where this rank uses a device.
class Room {
  public:
    Room(std::size_t bytes, const Allocation& at) {
        if (at.on_device())
            pinned_ = Pinned(bytes + 1, at);
        else
            plain_.resize(bytes + 1);
    }
    std::byte* data() { return plain_.empty() ? pinned_.data() : plain_.data(); }

  private:
    Pinned pinned_;
    std::vector<std::byte> plain_;
};

class Reduction {
  public:
    /// `from`: this rank's vector. `counts`: the elements of each rank's part.
    Reduction(StraightCall& call, const Elements& from, const Allocation& device, Handle op,
              std::vector<Count> counts)
        : call_(call),
          from_(from),
          op_(op),
          counts_(std::move(counts)),
          size_(bytes_of(1, from.type)),
          room_(static_cast<std::size_t>(own() * size_ * call.size()), device) {}

    Count first(int rank) const {
        Count before = 0;
        for (int k = 0; k < rank; ++k) before += count(k);
        return before;
    }
    Count count(int rank) const { return counts_[static_cast<std::size_t>(rank)]; }
    /// This rank's part of the result, in memory of the host, after `run`.
    Elements result() { return result_at(part_of(call_.size() - 1)); }
    Elements result_at(std::byte* place) const { return {place, own(), from_.type}; }
    Count bytes() const { return own() * size_; }

    int run() {
        const int rank = call_.rank();
        call_.each_other([&](int k) {
            call_.receive({part_of(call_.from(k)), own(), from_.type}, call_.from(k));
            call_.send(part(from_, first(call_.to(k)), count(call_.to(k))), call_.to(k));
        });
        if (call_.error() != 0) return call_.error();
        load(part(from_, first(rank), own()), part_of(rank));
        for (int k = call_.size() - 2; k >= 0; --k) reduce(part_of(k), part_of(call_.size() - 1));
        return call_.error();
    }
    /// Copies the result to a buffer of the program's.
    void store(void* to) {
        const Allocation at = where(to);
        if (!at.on_device())
            std::memcpy(to, result().at, static_cast<std::size_t>(bytes()));
        else
            staged(to, at).unpack(static_cast<std::byte*>(result().at), bytes());
    }

  private:
    Count own() const { return count(call_.rank()); }
    std::byte* part_of(int rank) { return room_.data() + rank * own() * size_; }
    Staged staged(void* buffer, const Allocation& at) const {
        return {buffer, at, {{datatype(from_.type), own(), 0, 0}}, Staged::Form::apart};
    }
    void load(const Elements& from, std::byte* to) {
        const Allocation at = where(from.at);
        if (!at.on_device())
            std::memcpy(to, from.at, static_cast<std::size_t>(from.count * size_));
        else
            staged(from.at, at).pack(to);
    }
    void reduce(const std::byte* in, std::byte* into) {
        constexpr Count most = Count{1} << 30;  // its number has 32 bits
        for (Count done = 0; done < own(); done += most)
            call_.note(mpi.reduce_local(in + done * size_, into + done * size_,
                                        static_cast<int>(std::min(most, own() - done)), from_.type,
                                        op_));
    }

    StraightCall& call_;
    Elements from_;
    Handle op_;
    std::vector<Count> counts_;
    Count size_;
    Room room_;
};

/// Parts of nearly the same number of elements.
std::vector<Count> equal_parts(Count count, int n) {
    std::vector<Count> parts;
    for (int k = 0; k < n; ++k) parts.push_back(count * (k + 1) / n - count * k / n);
    return parts;
}

/// Whether elements have no gaps, so that they can be reduced in any place, and MPI takes the
/// operation for them. It is asked by a call that returns its errors.
bool is_reducible(Handle type, Handle op) {
    const auto known = known_type(type);
    if (known == nullptr || !known->is_dense) return false;
    std::int64_t in = 0, out = 0;
    return mpi.allreduce(&in, &out, 0, type, op, agreement().alone()) == 0;
}

/// Where this rank has device memory, if any of the two is there.
Allocation device_of(const void* from, const void* to, Handle type) {
    const Allocation at = from == abi().in_place ? Allocation{} : where(from, type);
    return at.on_device() ? at : where(to, type);
}

/// The size that counts for the threshold: parts go over the host once, and two times to and fro.
Count message_of(Count bytes, Handle comm) { return RankBlocks::per_rank(bytes, comm) / 2; }

}  // namespace

std::optional<int> straight_allreduce(const void* from, const Elements& to, Handle op,
                                      Handle comm) {
    const Count bytes = bytes_of(to.count, to.type);
    if (!are_large(message_of(bytes, comm))) return {};
    const Allocation at = device_of(from, to.at, to.type);
    auto call = StraightCall::begin(comm, message_of(bytes, comm), at.on_device(),
                                    is_reducible(to.type, op));
    if (!call) return {};
    const void* const own = from == abi().in_place ? to.at : from;
    Reduction sum(*call, {own, to.count, to.type}, at, op, equal_parts(to.count, call->size()));
    if (const int error = sum.run(); error != 0) return error;
    const auto part_of = [&](int rank) { return part(to, sum.first(rank), sum.count(rank)); };
    sum.store(part_of(call->rank()).at);
    return call->to_all(part_of(call->rank()), part_of);
}

std::optional<int> straight_reduce(const void* from, const Elements& to, Handle op, int root,
                                   Handle comm) {
    const int rank = rank_in(comm);
    const Count bytes = bytes_of(to.count, to.type);
    if (!are_large(message_of(bytes, comm))) return {};
    const bool is_root = rank == root;
    const void* const own = from == abi().in_place ? to.at : from;
    const Allocation at = device_of(own, is_root ? to.at : own, to.type);
    auto call = StraightCall::begin(comm, message_of(bytes, comm), at.on_device(),
                                    is_reducible(to.type, op) && is_rank(root, comm));
    if (!call) return {};
    Reduction sum(*call, {own, to.count, to.type}, at, op, equal_parts(to.count, call->size()));
    if (const int error = sum.run(); error != 0) return error;
    if (!is_root) {
        // From a device: where the root expects an envelope, its receive has no pinned memory.
        const auto result_bytes = static_cast<std::size_t>(sum.bytes());
        const auto piece = at.on_device() ? bounce().take(result_bytes, at) : Bounce::Piece();
        if (piece.exists()) sum.store(piece.data());
        call->send(piece.exists() ? sum.result_at(piece.data()) : sum.result(), root);
        return call->wait();
    }
    const auto part_of = [&](int k) { return part(to, sum.first(k), sum.count(k)); };
    sum.store(part_of(rank).at);
    return call->each_other([&](int k) { call->receive(part_of(call->from(k)), call->from(k)); });
}

std::optional<int> straight_reduce_scatter(const void* from, void* to, std::vector<Count> counts,
                                           Handle type, Handle op, Handle comm) {
    Count all = 0;
    for (const Count n : counts) all += n;
    const Count bytes = bytes_of(all, type);
    if (!are_large(message_of(bytes, comm))) return {};
    const Allocation at = device_of(from, to, type);
    auto call =
        StraightCall::begin(comm, message_of(bytes, comm), at.on_device(), is_reducible(type, op));
    if (!call) return {};
    Reduction sum(*call, {from == abi().in_place ? to : from, all, type}, at, op,
                  std::move(counts));
    if (const int error = sum.run(); error != 0) return error;
    sum.store(to);
    return call->error();
}

}  // namespace aureole::preload
