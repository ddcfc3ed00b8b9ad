// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "preload/chunks.hpp"
#include "preload/handle.hpp"
#include "preload/node.hpp"
#include "preload/staging.hpp"

namespace aureole::preload {

/// A header that came in place of a payload.
class Arrival {
  public:
    /// The header in the first bytes of a message, if it is one; `n` bytes came, or -1 if that is
    /// not known. Throws core::RankError if it is one whose payload is gone.
    static std::optional<Arrival> in(const std::byte* message, std::int64_t n);

    std::int64_t size() const { return static_cast<std::int64_t>(slot_->size.load()); }
    /// Copies the payload, or as much of it as there is room for, to where it belongs, and lets the
    /// sender go on.
    void fetch(Staged& into, std::int64_t room);
    /// Lets the sender go on without it.
    void discard();

  private:
    Arrival(std::shared_ptr<MappedPage> from, Slot& slot, std::uint32_t serial)
        : from_(std::move(from)), slot_(&slot), serial_(serial) {}
    Location location();

    std::shared_ptr<MappedPage> from_;
    Slot* slot_;
    std::uint32_t serial_;  // the slot may have another message by now
};

/// Whether headers may come to this process, now or later.
inline bool headers_may_come() { return node().page() != nullptr || chunks().are_for_all(); }

/// Whether messages that come to this process have to be looked at.
inline bool may_be_header() {
    if (chunks().are_for_all()) return true;
    const Page* const page = node().page();
    return page != nullptr && page->is_sent_to.load(std::memory_order_acquire) != 0;
}

/// A header that a probe may have found.
struct Probed {
    Header header;
    std::int64_t size;  ///< of its payload [bytes]
};
/// The header that a message of some length may be; nothing if it is certainly none.
std::optional<Probed> probed(Handle comm, int source, int tag, std::int64_t length);

}  // namespace aureole::preload
