// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace aureole::preload {

/// How large a message in chunks is. It is sent, on our communicator, before the message's header,
/// as MPI does not let a probe read that.
struct Announcement {
    std::uint64_t size;  ///< [bytes]
    std::uint32_t serial;
    std::int32_t tag;
};

/// Announcements that have come here, and which messages were served, by the sender's rank and
/// slot.
class Announcements {
  public:
    /// The announcement of a message whose header may have come; waits up to 1 ms for it. Nothing
    /// if there is none: then the message is data of the program's.
    std::optional<Announcement> find(int rank, int slot, int tag);
    /// The header was received: its announcement is no longer needed.
    void consume(int rank, int slot, std::uint32_t serial);
    /// Whether a header is an old one, left in memory.
    bool is_served(int rank, int slot, std::uint32_t serial);

  private:
    struct Known {
        std::optional<Announcement> open;
        std::uint32_t served = 0;
    };

    std::mutex lock_;
    std::map<std::pair<int, int>, Known> known_;
};

Announcements& announcements();

}  // namespace aureole::preload
