// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/simd.hpp"
#include "md/integrate/move_job.hpp"

// The displacement limits of whole clusters: the limits are bit-identical to those of `RenewLimits`
// for each particle, and of `RenewLimitsInHalo`. In double precision the test against the outer
// list may round in another way, within its margin.
namespace aureole::md {
inline namespace HWY_NAMESPACE {

template <class T>
class ClusterLimits {
  public:
    explicit ClusterLimits(const LimitsJob<T>& job) : job_(job) {}

    void run(std::int64_t begin, std::int64_t end) const {
        const std::int32_t* slot = job_.layout.slot;
        for (std::int64_t i = begin; i < end;) {
            const std::int32_t s = slot[i];
            const bool whole = (s & 3) == 0 && i + 3 < end && slot[i + 3] == s + 3;
            if (whole && four(i, block_index(s, 0))) {
                i += 4;
                continue;
            }
            const std::int64_t stop = whole ? i + 4 : i + 1;
            for (; i < stop; ++i) job_.single(job_.self, i);
        }
    }

  private:
    using Row = core::Pack<T, 4>;
    using Four = core::Pack<double, 4>;

    AUREOLE_FN Four limits(std::int64_t i, std::int64_t k) const {
        const LimitRule& rule = job_.rule;
        if (rule.uniform) return Four(rule.floor);
        Four x, y, z;
        core::load_interleaved(&job_.velocity[i].x, x, y, z);
        const Four a = core::to_doubles(job_.layout.force + k + 12);
        const Four d = sqrt(x * x + y * y + z * z) * Four(rule.time) +
                       Four(rule.acceleration * 0.5) * a * Four(rule.time) * Four(rule.time) +
                       Four(rule.floor);
        return min(d, Four(rule.most));
    }

    /// Sets the limits of a whole cluster; returns false if the outer list may not cover one of
    /// them, or a halo: the caller then treats each particle by itself.
    AUREOLE_FN bool four(std::int64_t i, std::int64_t k) const {
        const auto& p = job_.layout;
        T *const x = p.x + k, *const reference = p.reference + k;
        const T* const outer = p.outer + k;
        const Four want = limits(i, k);
        alignas(32) T limit[4];
        core::store_rounded(want, limit);
        Row d2(T(0));
        for (int row = 0; row < 12; row += 4) {
            const Row to = Row::load(x + row), d = to - Row::load(outer + row);
            d2 = d2 + d * d;
            to.store(reference + row);
        }
        const Row d = Row::load(limit);
        d.store(x + 12), (d * d).store(reference + 12);
        if (job_.rule.uniform) return true;
        alignas(32) T moved[4];
        sqrt(d2).store(moved);
        if (job_.halo != nullptr) {
            const float* const h = job_.halo + i;
            alignas(32) const double room[4] = {h[0], h[1], h[2], h[3]};
            if (!all(Four(1.0001) * core::to_doubles(moved) + Four(1e-6) + want < Four::load(room)))
                return false;
        }
        const Four need =
            Four(1.0001) * (Four(job_.grow) * (core::to_doubles(moved) + want) + Four(job_.add)) +
            Four(1e-6);
        return all(need < core::to_doubles(outer + 12));  // false for NaN
    }

    const LimitsJob<T>& job_;
};

template <class T>
void renew_limits(const LimitsJob<T>& job, std::int64_t begin, std::int64_t end) {
    ClusterLimits<T>(job).run(begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
