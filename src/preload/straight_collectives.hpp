// SPDX-License-Identifier: Apache-2.0
// Blocking collective calls on one node whose data go straight from device to device: they are made
// of messages between two ranks, which have envelopes. Every rank gets here, also with buffers of
// the host, so that all of them take the same way.
#pragma once

#include <exception>
#include <optional>
#include <vector>

#include "preload/agreement.hpp"
#include "preload/report.hpp"
#include "preload/settings.hpp"
#include "preload/where.hpp"
#include "preload/world.hpp"

namespace aureole::preload {

/// Whether large collective calls may go straight at all.
inline bool collects_straight() { return agreement().collectives_from() >= 0 && !is_checking; }

/// `count` elements of a buffer of the program's.
struct Elements {
    void* at;
    Count count;
    Handle type;

    Elements(const void* buffer, Count n, Handle of)
        : at(const_cast<void*>(buffer)), count(n), type(of) {}
};
/// One block for each rank, at displacements in elements.
struct RankBlocks {
    std::vector<Count> counts, displacements;

    template <class N, class D>
    static RankBlocks make(const N* counts, const D* displacements, Handle comm) {
        RankBlocks made;
        made.counts = numbers(counts, comm);
        made.displacements = numbers(displacements, comm);
        return made;
    }
    template <class N>
    static std::vector<Count> numbers(const N* of_ranks, Handle comm) {
        return {of_ranks, of_ranks + size_in(comm)};
    }
    static std::vector<Count> equal(Count number, Handle comm) {
        return std::vector<Count>(static_cast<std::size_t>(size_in(comm)), number);
    }
    /// Bytes for each rank.
    static Count per_rank(Count bytes, Handle comm) {
        const int size = size_in(comm);
        return size == 0 ? 0 : bytes / size;
    }
};

// Each of them returns MPI's error, or nothing if the call goes the usual way: it is small, or no
// rank has its buffers on a device, or some rank has a datatype that is not possible here.

std::optional<int> straight_bcast(const Elements& data, int root, Handle comm);
std::optional<int> straight_gather(const Elements& from, const Elements& to, int root, Handle comm);
std::optional<int> straight_scatter(const Elements& from, const Elements& to, int root,
                                    Handle comm);
std::optional<int> straight_allgather(const Elements& from, const Elements& to, Handle comm);
std::optional<int> straight_allgatherv(const Elements& from, const Elements& to,
                                       const RankBlocks& blocks, Handle comm);
std::optional<int> straight_alltoall(const Elements& from, const Elements& to, Handle comm);

/// In the order of the ranks, from the last one back: a op (b op c). The result has the same bits
/// in each run.
std::optional<int> straight_reduce(const void* from, const Elements& to, Handle op, int root,
                                   Handle comm);
std::optional<int> straight_allreduce(const void* from, const Elements& to, Handle op, Handle comm);
/// Rank k gets the k-th of these numbers of elements.
std::optional<int> straight_reduce_scatter(const void* from, void* to, std::vector<Count> counts,
                                           Handle type, Handle op, Handle comm);

/// Runs one of them, and turns errors of ours into MPI's.
template <class Run>
std::optional<int> collect(const char* name, const Scope& scope, Run&& run) {
    const CallInside inside(name);
    try {
        const std::optional<int> error = run();
        return error && *error != 0 ? raise(scope, *error) : error;
    } catch (const std::exception& error) {
        return fail(name, scope, error);
    }
}

}  // namespace aureole::preload
