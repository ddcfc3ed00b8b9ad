// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/buffer.hpp"
#include "md/neighbor/exclusions.hpp"
#include "md/neighbor/local_exclusions.kernel.hpp"
#include "md/particles/tag_map.hpp"

namespace aureole::md {

/// The exclusions of the local particles, by local indices, in the order of those by tags.
class LocalExclusions {
  public:
    LocalExclusions(device::Queue& queue, const Exclusions& exclusions);

    bool empty() const { return partner_of_tag_.size() == 0; }
    /// To be called after every sort, with the tags in local order.
    void localise(device::Queue& queue, device::View<const Tag> tag, const IndexOfTag& index);
    ExcludedPartners partners() const {
        return empty() ? ExcludedPartners{} : ExcludedPartners{start_.data(), partner_.data()};
    }

  private:
    device::Buffer<std::int64_t> start_of_tag_;
    device::Buffer<Tag> partner_of_tag_;
    device::Buffer<std::int32_t> start_, partner_;
};

}  // namespace aureole::md
