// SPDX-License-Identifier: Apache-2.0
#include "md/domain/spanning_groups.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "device/launch.hpp"

namespace aureole::md {

SpanningGroups::SpanningGroups(comm::World& world, std::vector<std::int32_t> group_of_tag)
    : world_(world), group_of_tag_(std::move(group_of_tag)) {
    for (const auto group : group_of_tag_) size_ = std::max<std::int64_t>(size_, group + 1);
}

void SpanningGroups::localise(std::span<const Tag> tags) {
    index_.clear(), group_.clear();
    for (std::size_t i = 0; i < tags.size(); ++i) {
        if (!has(tags[i])) continue;
        index_.push_back(static_cast<std::int32_t>(i));
        group_.push_back(group_of_tag_[static_cast<std::size_t>(tags[i])]);
    }
}

/// Momenta of all groups, summed over this rank's particles.
std::vector<SpanningGroups::Momentum> SpanningGroups::momenta(const MotionColumns& c) const {
    std::vector<Momentum> sums(static_cast<std::size_t>(size_));
    for (std::size_t k = 0; k < index_.size(); ++k) {
        const auto i = index_[k];
        if (c.fixed(i)) continue;
        const double m = 1 / c.inv_mass(i);
        auto& sum = sums[static_cast<std::size_t>(group_[k])];
        sum.momentum += m * c.velocity[i], sum.mass += m;
    }
    return sums;
}

void SpanningGroups::scale_velocities(device::Queue& queue, const MotionColumns& columns,
                                      const Strain* by) {
    if (size_ == 0) return;
    constexpr std::size_t at_once = 32;
    using Some = std::array<Momentum, at_once>;
    static_assert(sizeof(Some) <= comm::World::most_bytes);
    device::host_task(queue, "scale spanning groups", [&](device::ThreadPool&) {
        auto sums = momenta(columns);
        for (std::size_t begin = 0; begin < sums.size(); begin += at_once) {
            const auto count = std::min(at_once, sums.size() - begin);
            Some some{};
            std::copy_n(sums.begin() + static_cast<std::ptrdiff_t>(begin), count, some.begin());
            some = world_.combine(some, [=](Some a, const Some& b) {
                for (std::size_t k = 0; k < at_once; ++k)
                    a[k].momentum += b[k].momentum, a[k].mass += b[k].mass;
                return a;
            });
            std::copy_n(some.begin(), count, sums.begin() + static_cast<std::ptrdiff_t>(begin));
        }
        for (std::size_t k = 0; k < index_.size(); ++k) {
            const auto i = index_[k];
            const auto& sum = sums[static_cast<std::size_t>(group_[k])];
            if (columns.fixed(i) || sum.mass == 0) continue;
            const auto common = (1 / sum.mass) * sum.momentum;
            columns.velocity[i] += free_part(columns, i, (*by)(common)-common);
        }
    });
    queue.synchronize();
}

}  // namespace aureole::md
