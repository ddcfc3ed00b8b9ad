// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/constraints/packed_groups.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "device/copy.hpp"
#include "device/launch.hpp"
#include "device/primitives.hpp"
#include "md/integrate/constraints/localise.kernel.hpp"

namespace aureole::md {

PackedGroups::PackedGroups(device::Queue& queue, int atoms, const std::vector<Tag>& tags)
    : atoms_(atoms) {
    if (tags.empty()) return;
    groups_ = static_cast<std::int64_t>(tags.size()) / atoms;
    packs_ = (groups_ + pack_lanes - 1) / pack_lanes;
    tags_ = to_device(queue, tags);
    order_ = device::Buffer<std::int32_t>(queue, groups_);
    key_ = device::Buffer<std::uint32_t>(queue, groups_);
    atom_ = device::Buffer<std::int32_t>(queue, slots() * atoms_);
    std::vector<std::int32_t> count(static_cast<std::size_t>(packs_), pack_lanes);
    count.back() = static_cast<std::int32_t>(groups_ - (packs_ - 1) * pack_lanes);
    count_ = to_device(queue, count);
}

PackedGroups::PackedGroups(device::Queue& queue, const GroupList& list,
                           const std::vector<double>& mass, const std::vector<double>& lengths)
    : PackedGroups(queue, list.atoms, list.tags) {
    if (groups_ == 0) return;
    constraints_ = list.constraints;
    rows_ = list.rows;
    std::vector<double> inverse;
    for (const auto tag : list.tags) inverse.push_back(1 / mass[static_cast<std::size_t>(tag)]);
    inv_mass_of_ = to_device(queue, inverse);
    inv_mass_ = device::Buffer<double>(queue, slots() * atoms_);
    length_of_ = device::Buffer<double>(queue, groups_ * constraints_);
    length_ = device::Buffer<double>(queue, slots() * constraints_);
    std::vector<std::int32_t> order(static_cast<std::size_t>(groups_));
    std::iota(order.begin(), order.end(), 0);
    device::copy_from_host(queue, order_.view(), order.data());
    set_lengths(queue, lengths);
}

void PackedGroups::set_lengths(device::Queue& queue, const std::vector<double>& lengths) {
    if (rows_.empty()) return;
    std::vector<double> of_groups;
    for (const auto row : rows_) of_groups.push_back(lengths[static_cast<std::size_t>(row)]);
    device::copy_from_host(queue, length_of_.view(), of_groups.data());
    localise_packs(queue, nullptr);
}

/// Local indices of particles, if `tags` are given, masses and lengths of groups in their order.
void PackedGroups::localise_packs(device::Queue& queue, const TagMap* tags) {
    const auto indices = tags != nullptr ? tags->indices() : IndexOfTag{};
    device::parallel_for(
        queue, "localise constraints", slots(),
        LocaliseGroups{tags_.data(), inv_mass_of_.data(), length_of_.data(), order_.data(), indices,
                       tags != nullptr, groups_, atoms_, constraints_, atom_.data(),
                       inv_mass_.data(), length_.data()});
}

void PackedGroups::localise(device::Queue& queue, const TagMap& tags) {
    if (groups_ == 0) return;
    device::parallel_for(
        queue, "order constraints", groups_,
        GroupKeys{tags_.data(), atoms_, tags.indices(), key_.data(), order_.data()});
    device::sort_by_key(queue, key_.view(), order_.view(),
                        std::bit_width(static_cast<std::uint64_t>(tags.size() | 1)));
    localise_packs(queue, &tags);
}

}  // namespace aureole::md
