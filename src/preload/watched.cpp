// SPDX-License-Identifier: Apache-2.0
#include "preload/watched.hpp"

#include <cstring>
#include <utility>

namespace aureole::preload {

Watched::Watched(void* buffer, Block block, Use use)
    : buffer_(static_cast<std::byte*>(buffer)), block_(std::move(block)), is_told_(use.is_told) {
    if (block_.type->is_dense || block_.type->is_uniform()) return;
    copy_.reset(new std::byte[static_cast<std::size_t>(size())]);
    if (use.is_sent || !use.is_told)
        each_row(size(), [this](const std::byte* user, std::int64_t dense, std::size_t n) {
            std::memcpy(copy_.get() + dense, user, n);
        });
    else
        std::memset(copy_.get(), 0, static_cast<std::size_t>(std::min<std::int64_t>(size(), 64)));
}

/// Calls `copy` with runs of the buffer and where they are among the bytes of a message.
template <class Copy>
void Watched::each_row(std::int64_t bytes, Copy&& copy) const {
    block_.type->boxes(block_.count, 0, bytes, [&](const Box& box) {
        preload::each_row(box, [&](std::int64_t offset, std::int64_t dense) {
            copy(buffer_ + offset, dense, static_cast<std::size_t>(box.width));
        });
    });
}

Header Watched::head() const {
    Header header{};
    if (size() < Header::least) return header;
    if (copy_ != nullptr || block_.type->is_dense) {
        std::memcpy(&header, data(), sizeof header);
        return header;
    }
    auto* const bytes = reinterpret_cast<std::byte*>(&header);
    each_row(sizeof header, [&](const std::byte* user, std::int64_t dense, std::size_t n) {
        std::memcpy(bytes + dense, user, n);
    });
    return header;
}

void Watched::store(const std::byte* payload, std::int64_t bytes) const {
    each_row(std::min(bytes, size()), [&](std::byte* user, std::int64_t dense, std::size_t n) {
        std::memcpy(user, payload + dense, n);
    });
}

void Watched::store(std::int64_t bytes) const {
    if (copy_ != nullptr) store(copy_.get(), bytes);
}

}  // namespace aureole::preload
