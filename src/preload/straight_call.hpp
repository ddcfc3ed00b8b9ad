// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "preload/datatype.hpp"
#include "preload/straight_collectives.hpp"

namespace aureole::preload {

/// A collective call that goes straight, and its messages. All of them are on our communicator of
/// all ranks and have a tag that no other call has at the same time: calls on communicators with
/// the same ranks may be made by several threads.
class StraightCall {
  public:
    /// Asks all ranks of the communicator. `bytes`: of one message, the same on each of them.
    /// Nothing if the call goes the usual way on all of them.
    static std::optional<StraightCall> begin(Handle comm, Count bytes, bool is_on_device,
                                             bool is_possible = true);

    int rank() const { return rank_; }
    int size() const { return size_; }
    /// The k-th rank from this one.
    int to(int k) const { return (rank_ + k) % size_; }
    int from(int k) const { return (rank_ + size_ - k) % size_; }

    void send(const Elements& data, int to);
    void receive(const Elements& data, int from);
    /// Calls `exchange` with 1 to size - 1, and waits for the messages now and then: there are
    /// envelopes for so many at once.
    template <class Exchange>
    int each_other(Exchange&& exchange) {
        for (int k = 1; k < size_ && error_ == 0; ++k) {
            exchange(k);
            if (requests_.size() >= most_open) wait();
        }
        return wait();
    }
    /// Each rank's block to all ranks: `own` from this one, to where `block_of` tells for a rank.
    template <class BlockOf>
    int to_all(const Elements& own, BlockOf&& block_of) {
        return each_other([&](int k) {
            receive(block_of(from(k)), from(k));
            send(own, to(k));
        });
    }
    /// Until all messages have been sent and received. MPI's error of any since the beginning.
    int wait();
    /// This rank's own block.
    void copy(const Elements& from, const Elements& to);
    /// Something of MPI's that was called otherwise.
    void note(int error) {
        if (error_ == 0) error_ = error;
    }
    int error() const { return error_; }

  private:
    static constexpr std::size_t most_open = 48;

    int world(int rank) const { return world_ranks_[static_cast<std::size_t>(rank)]; }

    int rank_ = 0, size_ = 1, tag_ = 0, error_ = 0;
    std::vector<int> world_ranks_;
    std::vector<Handle> requests_;
};

/// Whether messages of this size are of use. To be asked first: most calls are small.
bool are_large(Count bytes);
Count bytes_of(Count count, Handle type);
/// Whether a root is a rank of the communicator.
bool is_rank(int root, Handle comm);
/// Null if the datatype is none, or cannot be taken apart.
std::shared_ptr<const Datatype> known_type(Handle type);
/// Whether a buffer can be taken apart into blocks that are messages: each is told by its address,
/// which with lower bounds below 0 may lie outside of its memory.
bool has_blocks(const Elements& data);
/// The k-th of blocks of `data.count` elements each.
Elements block(const Elements& data, Count k);
/// `count` elements from the first one on.
Elements part(const Elements& data, Count first, Count count);

}  // namespace aureole::preload
