// SPDX-License-Identifier: Apache-2.0
#include "md/particles/tag_map.hpp"

#include <algorithm>
#include <bit>

#include "device/copy.hpp"
#include "device/launch.hpp"

namespace aureole::md {

namespace {

/// An array with up to so many slots per particle takes little more memory than a table, and is
/// read in one step.
constexpr std::int64_t most_slots_per_particle = 16;

}  // namespace

void TagMap::make(device::Queue& queue, device::Input<Tag> tag, Tag end) {
    make(queue, tag, end, end <= most_slots_per_particle * tag.size ? Form::array : Form::table);
}

TagMapOnHost TagMap::on_host(device::Queue& queue) const {
    TagMapOnHost copy;
    if (form_ == Form::table) copy.key.resize(static_cast<std::size_t>(key_.size()));
    copy.index.resize(static_cast<std::size_t>(index_.size()));
    if (form_ == Form::table) device::copy_to_host(queue, copy.key.data(), key_.view());
    device::copy_to_host(queue, copy.index.data(), index_.view());
    return copy;
}

void TagMap::make(device::Queue& queue, device::Input<Tag> tag, Tag end, Form form) {
    form_ = form;
    n_ = tag.size, end_ = end;
    if (form == Form::array) {
        index_.resize(queue, end);
        if (n_ < end) device::fill(queue, index_.view(), no_index);
        device::parallel_for(queue, "tag indices", n_, SetIndices{tag.data, index_.data()});
        return;
    }
    const auto slots =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * n_ + 1)));
    key_.resize(queue, slots), index_.resize(queue, slots);
    device::fill(queue, key_.view(), no_tag);
    device::parallel_for(queue, "tag table", n_,
                         InsertTags{tag.data, key_.data(), index_.data(), slots});
}

}  // namespace aureole::md
