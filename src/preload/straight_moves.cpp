// SPDX-License-Identifier: Apache-2.0
// Collective calls that move data.
#include <algorithm>

#include "preload/mpi.hpp"
#include "preload/straight_call.hpp"

namespace aureole::preload {

namespace {

bool is_in_place(const Elements& data) { return data.at == abi().in_place; }
bool is_on_device(const Elements& data) {
    return !is_in_place(data) && where(data.at, data.type).on_device();
}
Count bytes_of(const Elements& data) { return preload::bytes_of(data.count, data.type); }

template <class BlockOf>
int all_gather(StraightCall& call, const Elements& from, BlockOf&& block_of) {
    const Elements own = block_of(call.rank());
    if (!is_in_place(from)) call.copy(from, own);
    return call.to_all(is_in_place(from) ? own : from, block_of);
}

}  // namespace

std::optional<int> straight_bcast(const Elements& data, int root, Handle comm) {
    if (!are_large(bytes_of(data))) return {};
    auto call = StraightCall::begin(comm, bytes_of(data), is_on_device(data), is_rank(root, comm));
    if (!call) return {};
    // A binomial tree: rank r, counted from the root, receives from r without its lowest bit.
    const int size = call->size(), r = (call->rank() + size - root) % size;
    const auto rank = [&](int counted) { return (counted + root) % size; };
    int bit = 1;
    while (bit < size && (r & bit) == 0) bit <<= 1;
    if (r != 0) call->receive(data, rank(r - bit));
    call->wait();
    for (bit >>= 1; bit > 0; bit >>= 1)
        if (r + bit < size) call->send(data, rank(r + bit));
    return call->wait();
}

std::optional<int> straight_gather(const Elements& from, const Elements& to, int root,
                                   Handle comm) {
    const int rank = rank_in(comm);
    const bool receives = rank == root;
    const Elements& own = receives ? to : from;
    if (!are_large(bytes_of(own))) return {};
    auto call = StraightCall::begin(comm, bytes_of(own), is_on_device(own),
                                    is_rank(root, comm) && (!receives || has_blocks(to)));
    if (!call) return {};
    if (!receives) {
        call->send(from, root);
        return call->wait();
    }
    if (!is_in_place(from)) call->copy(from, block(to, root));
    return call->each_other([&](int k) { call->receive(block(to, call->from(k)), call->from(k)); });
}

std::optional<int> straight_scatter(const Elements& from, const Elements& to, int root,
                                    Handle comm) {
    const int rank = rank_in(comm);
    const bool sends = rank == root;
    const Elements& own = sends ? from : to;
    if (!are_large(bytes_of(own))) return {};
    auto call = StraightCall::begin(comm, bytes_of(own), is_on_device(own),
                                    is_rank(root, comm) && (!sends || has_blocks(from)));
    if (!call) return {};
    if (!sends) {
        call->receive(to, root);
        return call->wait();
    }
    const int error =
        call->each_other([&](int k) { call->send(block(from, call->to(k)), call->to(k)); });
    if (error == 0 && !is_in_place(to)) call->copy(block(from, root), to);
    return call->wait();
}

std::optional<int> straight_allgather(const Elements& from, const Elements& to, Handle comm) {
    if (!are_large(bytes_of(to))) return {};
    auto call = StraightCall::begin(comm, bytes_of(to), is_on_device(from) || is_on_device(to),
                                    has_blocks(to));
    if (!call) return {};
    const auto block_of = [&](int rank) { return block(to, rank); };
    return all_gather(*call, from, block_of);
}

std::optional<int> straight_allgatherv(const Elements& from, const Elements& to,
                                       const RankBlocks& blocks, Handle comm) {
    Count all = 0;
    for (const Count n : blocks.counts) all += n;
    const Count bytes = RankBlocks::per_rank(preload::bytes_of(all, to.type), comm);
    if (!are_large(bytes)) return {};
    auto call =
        StraightCall::begin(comm, bytes, is_on_device(from) || is_on_device(to),
                            has_blocks(to) && std::ranges::all_of(blocks.displacements,
                                                                  [](Count d) { return d >= 0; }));
    if (!call) return {};
    const auto block_of = [&](int rank) {
        const auto k = static_cast<std::size_t>(rank);
        return part(to, blocks.displacements[k], blocks.counts[k]);
    };
    return all_gather(*call, from, block_of);
}

std::optional<int> straight_alltoall(const Elements& from, const Elements& to, Handle comm) {
    if (!are_large(bytes_of(to))) return {};
    auto call = StraightCall::begin(comm, bytes_of(to), is_on_device(from) || is_on_device(to),
                                    !is_in_place(from) && has_blocks(from) && has_blocks(to));
    if (!call) return {};
    call->copy(block(from, call->rank()), block(to, call->rank()));
    return call->each_other([&](int k) {
        call->receive(block(to, call->from(k)), call->from(k));
        call->send(block(from, call->to(k)), call->to(k));
    });
}

}  // namespace aureole::preload
