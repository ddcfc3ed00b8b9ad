// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "preload/handle.hpp"

namespace aureole::preload {

/// The communicator of our own beside one of the program's, by which its processes compare calls.
/// Made by all of them at the first use, kept as an attribute, and freed with the program's.
class CheckComm {
  public:
    explicit CheckComm(Handle of);
    /// `bytes` of each process to all, by rank. Whether that was possible.
    bool all_gather(const void* mine, void* all, std::size_t bytes) const;
    /// `bytes` from each process to each.
    bool exchange(const void* to, void* from, std::size_t bytes) const;

  private:
    Handle comm_ = 0;
    bool is_made_ = false;
};

}  // namespace aureole::preload
