// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "preload/page.hpp"
#include "preload/staging.hpp"

namespace aureole::preload {

/// A buffer in memory of the host that is received into, where a header may come in place of a
/// payload. A header is a number of bytes that need not be whole elements of different sizes, so
/// that MPI receives bytes then: in the buffer itself if its elements have no gaps, else in a copy.
class Watched {
  public:
    /// `is_sent`: its elements are sent before. `is_told`: a status says how many bytes have come;
    /// else all of the buffer is written, with what it held where nothing came.
    struct Use {
        bool is_sent = false, is_told = true;
    };
    Watched(void* buffer, Block block, Use use);

    /// What MPI is given in place of the buffer, and whether as bytes.
    void* data() const { return copy_ != nullptr ? copy_.get() : buffer_; }
    bool is_as_bytes() const { return block_.type->is_dense || copy_ != nullptr; }
    /// The first bytes that have come, or zeros if there is no room for a header.
    Header head() const;
    std::int64_t size() const { return block_.count * block_.type->size; }
    /// How many bytes have come, by what a status says; -1 if it does not say.
    std::int64_t told(std::int64_t received) const { return is_told_ ? received : -1; }
    /// Puts the first bytes of a payload, one after the other, where they belong.
    void store(const std::byte* payload, std::int64_t bytes) const;
    /// After the first bytes were received: they are put where they belong.
    void store(std::int64_t bytes) const;

  private:
    template <class Copy>
    void each_row(std::int64_t bytes, Copy&& copy) const;

    std::byte* buffer_;
    Block block_;
    bool is_told_;
    std::unique_ptr<std::byte[]> copy_;
};

}  // namespace aureole::preload
