// SPDX-License-Identifier: Apache-2.0
#include "preload/agreement.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <utility>

#include "preload/abi.hpp"
#include "preload/all_ranks.hpp"
#include "preload/chunks.hpp"
#include "preload/mpi.hpp"
#include "preload/node.hpp"
#include "preload/pause.hpp"
#include "preload/settings.hpp"
#include "preload/thresholds.hpp"

namespace aureole::preload {

namespace {

using Clock = std::chrono::steady_clock;

/// How long a rank waits for others to end MPI_Init, which waits for them itself.
constexpr std::chrono::seconds patience{3};

/// How many ranks the launcher has started on this node; 0 if it does not tell.
int ranks_here() {
    for (const char* const name : {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"})
        if (const char* const text = std::getenv(name)) return std::atoi(text);
    return 0;
}

/// Lets other processes run, and MPI work, as they may wait for that.
void pause() {
    let_mpi_work();
    usleep(100);
}

/// Waits until a rank can be seen; null if it takes too long.
std::shared_ptr<MappedPage> wait_for(int rank, Clock::time_point end) {
    for (;; pause())
        if (auto found = node().seek(rank); found != nullptr || Clock::now() > end) return found;
}

/// Rank 0: counts the ranks that are ready.
bool count_all(int size, Clock::time_point end) {
    for (int rank = 1; rank < size; ++rank) {
        const auto other = wait_for(rank, end);
        if (other == nullptr) return false;
        for (;; pause()) {
            Vote vote = Vote::ready;
            if ((*other)->vote.compare_exchange_strong(vote, Vote::counted)) break;
            if (vote == Vote::gave_up || Clock::now() > end) return false;
        }
    }
    return true;
}

/// The others: rank 0's result.
bool wait_for_result(Page& own, const MappedPage& first, Clock::time_point end) {
    own.vote.store(Vote::ready, std::memory_order_release);
    for (;; pause()) {
        const Result result = first->result.load(std::memory_order_acquire);
        if (result != Result::none) return result == Result::all;
        if (!first.is_there()) return false;
        Vote ready = Vote::ready;
        if (Clock::now() > end && own.vote.compare_exchange_strong(ready, Vote::gave_up))
            return false;
    }
}

int largest_tag() {
    void* value = nullptr;
    int is_there = 0;
    mpi.comm_get_attr(abi().comm_world, abi().tag_ub, &value, &is_there);
    return is_there != 0 ? *static_cast<int*>(value) : 0;
}

}  // namespace

void Agreement::negotiate() {
    if (settings().all_ranks) world_ = duplicate_world();
    negotiate_straight();
    if (world_ != 0) mpi.comm_set_errhandler(world_, abi().errors_return);
    if (world_ != 0) chunks().begin(world_, settings().all_ranks);
}

void Agreement::negotiate_straight() {
    Page* const own = node().page();
    int size = 0;
    mpi.comm_size(abi().comm_world, &size);
    if (own == nullptr || size > most_ranks || (ranks_here() != 0 && ranks_here() != size)) return;
    const auto end = Clock::now() + patience;
    bool is_reached = false;
    if (node().rank() == 0) {
        own->collectives_from = settings().mapped_from.value_or(Threshold::usual);
        is_reached = count_all(size, end);
        own->result.store(is_reached ? Result::all : Result::not_all, std::memory_order_release);
    } else if (const auto first = wait_for(0, end)) {
        is_reached = wait_for_result(*own, *first, end);
        own->collectives_from = (*first)->collectives_from;
    }
    if (!is_reached) return;
    if (largest_tag() >= first_tag + most_ranks * tags_of_a_rank)
        collectives_from_ = own->collectives_from;
    if (world_ == 0) mpi.comm_dup(abi().comm_world, &world_), world_ = abi().at(&world_, 0);
    mpi.comm_split(world_, node().rank(), 0, &alone_), alone_ = abi().at(&alone_, 0);
    mpi.comm_set_errhandler(alone_, abi().errors_return);
}

void Agreement::end() {
    collectives_from_ = -1;
    chunks().end();
    for (Handle* const comm : {&world_, &alone_}) {
        if (*comm == 0) continue;
        Handle word = abi().in_memory(std::exchange(*comm, 0));
        mpi.comm_free(&word);
    }
}

Agreement& agreement() {
    static auto* const only = new Agreement;  // outlives MPI's threads
    return *only;
}

}  // namespace aureole::preload
