// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/handle.hpp"

namespace aureole::preload {

/// Rank and size in a communicator of one group; false if it has two, or is none.
bool ranks_of(Handle comm, int& rank, int& size);

/// The communicator of our own beside one of the program's, by which its processes compare calls
/// and send what the program does not see. Made by all of them at the first use, kept as an
/// attribute, and freed with the program's.
class OwnComm {
  public:
    /// `of_world`: only if all its ranks are ranks of MPI_COMM_WORLD.
    enum class Ranks : std::uint8_t { any, of_world };
    explicit OwnComm(Handle of, Ranks ranks = Ranks::any);
    /// Whether it could be made.
    bool exists() const { return is_made_; }
    Handle handle() const { return comm_; }
    /// `bytes` of each process to all, by rank. Whether that was possible.
    bool all_gather(const void* mine, void* all, std::size_t bytes) const;
    /// `bytes` from each process to each.
    bool exchange(const void* to, void* from, std::size_t bytes) const;

  private:
    Handle comm_ = 0;
    bool is_made_ = false;
};

}  // namespace aureole::preload
