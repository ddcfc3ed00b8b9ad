// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "preload/page.hpp"
#include "preload/staging.hpp"

namespace aureole::preload {

/// A header that came in place of a payload, which comes in chunks.
class ChunkedArrival {
  public:
    /// The header in the first bytes of a message, if it is one; `n` bytes came, or -1 if that is
    /// not known.
    static std::optional<ChunkedArrival> in(const std::byte* message, std::int64_t n);

    std::int64_t size() const { return static_cast<std::int64_t>(header_.size); }
    /// Receives the payload; as much of it as there is room for goes to where it belongs. Throws
    /// core::RankError if its sender could not read it, core::DeviceError.
    void fetch(Staged& into, std::int64_t room);
    /// Receives it into memory of the host, one byte after the other.
    void fetch(std::byte* into, std::int64_t room);
    /// Receives it for nothing.
    void discard();

  private:
    explicit ChunkedArrival(const Header& header) : header_(header) {}
    template <class Target>
    void receive(Target& target);

    Header header_;
};

}  // namespace aureole::preload
