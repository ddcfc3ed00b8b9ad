// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/local_exclusions.hpp"

#include "core/error.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/primitives.hpp"

namespace aureole::md {

LocalExclusions::LocalExclusions(device::Queue& queue, const Exclusions& exclusions) {
    if (exclusions.empty()) return;
    const auto partners = static_cast<std::int64_t>(exclusions.partner.size());
    if (partners > 0x7FFFFF00)
        throw core::InputError("there are too many excluded pairs",
                               "the limit is 2,147,483,392 excluded partners",
                               "Simulate a smaller system.");
    start_of_tag_ =
        device::Buffer<std::int64_t>(queue, static_cast<std::int64_t>(exclusions.start.size()));
    device::copy_from_host(queue, start_of_tag_.view(), exclusions.start.data());
    partner_of_tag_ = device::Buffer<Tag>(queue, partners);
    device::copy_from_host(queue, partner_of_tag_.view(), exclusions.partner.data());
}

void LocalExclusions::localise(device::Queue& queue, device::View<const Tag> tag,
                               const IndexOfTag& index) {
    if (empty()) return;
    start_.resize(queue, tag.size + 1);
    device::parallel_for(queue, "count exclusions", tag.size,
                         CountExcluded{start_of_tag_.data(), tag.data, start_.data()});
    device::exclusive_scan(queue, start_.view().part(0, tag.size), start_.view());
    partner_.resize(queue, partner_of_tag_.size());
    device::parallel_for(queue, "localise exclusions", tag.size,
                         LocaliseExcluded{start_of_tag_.data(), partner_of_tag_.data(), tag.data,
                                          index, start_.data(), partner_.data()});
}

}  // namespace aureole::md
