// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "core/simd_random.hpp"
#include "md/integrate/move_job.hpp"

namespace aureole::md {
inline namespace HWY_NAMESPACE {

/// Standard normal vectors for Langevin dynamics, drawn for so many neighbours at once that vector
/// registers are filled. A particle's vector does not depend on its neighbours.
class DrawnNoise {
  public:
    static constexpr int size = drawn_at_once;

    DrawnNoise(std::uint64_t seed, std::int64_t step, const Tag* tag, std::int64_t end)
        : seed_(seed), step_(static_cast<std::uint64_t>(step)), tag_(tag), end_(end) {}

    /// x y z x y z … of particles i, i + 1, … i + n − 1, all below `end`.
    AUREOLE_FN const double* of(std::int64_t i, int n) {
        if (i < first_ || first_ + size < i + n) draw(i);
        return vectors_ + 3 * (i - first_);
    }

  private:
    AUREOLE_FN void draw(std::int64_t i) {
        const Tag* tags = tag_ + i;
        Tag last[size];
        if (end_ < i + size) {
            for (int k = 0; k < size; ++k) last[k] = tag_[std::min(i + k, end_ - 1)];
            tags = last;
        }
        const core::Normals<size> g(seed_, core::Stream::langevin, step_, tags);
        store(g.x, g.y, g.z, vectors_);
        first_ = i;
    }
    template <int N>
    AUREOLE_FN static void store(core::Pack<double, N> x, core::Pack<double, N> y,
                                 core::Pack<double, N> z, double* to) {
        if constexpr (N == 4) {
            core::store_interleaved(x, y, z, to);
        } else {
            store(lower(x), lower(y), lower(z), to);
            store(upper(x), upper(y), upper(z), to + 3 * N / 2);
        }
    }

    std::uint64_t seed_, step_;
    const Tag* tag_;
    std::int64_t end_;
    std::int64_t first_ = -size;  ///< the particle whose vector is the first of vectors_
    alignas(64) double vectors_[3 * size];
};

inline void add_noise(const Noise& noise, std::int64_t begin, std::int64_t end) {
    DrawnNoise drawn(noise.seed, noise.state->step, noise.c.tag, end);
    for (std::int64_t i = begin; i < end; ++i) {
        const double* g = drawn.of(i, 1);
        noise.add(i, {g[0], g[1], g[2]});
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
