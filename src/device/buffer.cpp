// SPDX-License-Identifier: Apache-2.0
#include "device/buffer.hpp"

#include <atomic>

namespace aureole::device::detail {

Storage::Storage(Queue& queue, std::size_t bytes, Resource resource)
    : bytes_(bytes), resource_(resource) {
    if (bytes == 0) return;
    queue_ = queue.state().shared_from_this();
    ++queue_->counted.allocations;
    data_ = queue_->allocate(bytes, resource);
    static std::atomic<std::uint64_t> allocations{0};
    number_ = ++allocations;
}

Storage::~Storage() {
    if (data_) queue_->release(data_, bytes_, resource_);
}

}  // namespace aureole::device::detail
