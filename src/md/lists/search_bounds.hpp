// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/buffer.hpp"
#include "device/launch.hpp"
#include "md/integrate/list_report.kernel.hpp"
#include "md/neighbor/find_bounds.kernel.hpp"

namespace aureole::md {

/// Bounds of the particles that a search goes through, in device memory.
template <class T>
class SearchBounds {
  public:
    explicit SearchBounds(device::Queue& queue) : all_(queue, 1) {}

    /// Room for n particles; `of_8`: clusters of 8 are wanted as well.
    void resize(device::Queue& queue, std::int64_t n, bool of_8) {
        levels_.n = n;
        const auto blocks = levels_.blocks();
        of_4_.resize(queue, bounds_block / 4 * blocks);
        if (of_8) of_8_.resize(queue, bounds_block / 8 * blocks);
        block_.resize(queue, blocks), group_.resize(queue, levels_.groups());
        region_.resize(queue, levels_.regions());
        levels_.of_4 = of_4_.data(), levels_.of_8 = of_8 ? of_8_.data() : nullptr;
        levels_.block = block_.data(), levels_.group = group_.data();
        levels_.region = region_.data(), levels_.all = all_.data();
    }

    /// Finds them, after what `first` does for each particle.
    void find(device::Queue& queue, const BeginList<T>& first, const SearchOrder& order,
              const Site<T>* site, const T* limit) {
        using OfBlocks = FindBlockBounds<T, BeginList<T>>;
        device::team_for(queue, "bounds of blocks",
                         device::TeamPolicy{levels_.blocks(), OfBlocks::lanes, 0},
                         OfBlocks{first, order, site, limit, levels_});
        device::team_for(queue, "bounds of groups",
                         device::TeamPolicy{1, FindUpperBounds<T>::most_lanes, 0},
                         FindUpperBounds<T>{levels_});
    }
    const BoundsLevels<T>& levels() const { return levels_; }

  private:
    BoundsLevels<T> levels_;
    device::Buffer<Bounds<T>> of_4_, of_8_, block_, group_, region_, all_;
};

}  // namespace aureole::md
