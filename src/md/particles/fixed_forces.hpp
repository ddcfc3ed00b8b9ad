// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/atomic.hpp"
#include "core/vec3.hpp"

namespace aureole::md {

/// The unit of forces in fixed point, in device memory.
struct ForceUnit {
    static constexpr int smallest_exponent = -120, largest_exponent = 120;

    double unit = 0;                ///< a power of two
    double per_unit = 0;            ///< 1/unit
    float per_unit_f = 0;           ///< the same
    std::uint32_t uses_coarse = 0;  ///< some contribution did not fit into the fine number

    ForceUnit() = default;
    explicit ForceUnit(int exponent)
        : unit(std::ldexp(1.0, exponent)),
          per_unit(std::ldexp(1.0, -exponent)),
          per_unit_f(static_cast<float>(per_unit)) {}
};

/// Forces on particles in fixed point. Whole numbers add up alike in any order, so that kernels may
/// add contributions beside each other, and the sum has the same bits.
///
/// Each component is fine + 2⁵² coarse in units of a power of two. Contributions below 2⁵⁵ units go
/// to the fine number alone, larger ones are divided between the two, and with one above 2¹¹⁰
/// units, or that is not a number, the sum is not a number either.
struct FixedForces {
    std::int64_t* fine = nullptr;    ///< [n/4, rounded up][x y z][4]
    std::int64_t* coarse = nullptr;  ///< the same
    ForceUnit* unit = nullptr;

    /// Room for the fine or the coarse numbers of n particles.
    AUREOLE_FN static std::int64_t room(std::int64_t n) { return (n + 3) / 4 * 12; }
    AUREOLE_FN static std::int64_t index(std::int64_t i) { return (i >> 2) * 12 + (i & 3); }

    /// Adds a force, whatever other threads of the same or of other kernels add.
    template <class V>
    AUREOLE_FN void add(std::int64_t i, const core::Vec3<V>& f) const {
        V per = V(0);
        if constexpr (std::is_same_v<V, float>)
            per = unit->per_unit_f;
        else
            per = unit->per_unit;
        const std::int64_t at = index(i);
        add_number(at, f.x * per), add_number(at + 4, f.y * per), add_number(at + 8, f.z * per);
    }
    /// Adds one component of a force: 0 to 2 for x to z.
    AUREOLE_FN void add_component(std::int64_t i, int component, float f) const {
        add_number(index(i) + 4 * component, f * unit->per_unit_f);
    }
    /// Adds so many units to a component of one of the four particles of a cluster; `number`: four
    /// times the component, and which particle. For up to 1.4e9 particles.
    AUREOLE_FN void add_units(std::int32_t cluster, int number, float units) const {
        add_number(static_cast<std::uint32_t>(cluster) * 12u + static_cast<std::uint32_t>(number),
                   units);
    }
    AUREOLE_FN core::Vec3d read(std::int64_t i) const {
        const std::int64_t at = index(i);
        const double u = unit->unit;
        core::Vec3d f{u * double(fine[at]), u * double(fine[at + 4]), u * double(fine[at + 8])};
        if (unit->uses_coarse != 0)
            f += core::Vec3d{coarse_part(at), coarse_part(at + 4), coarse_part(at + 8)};
        return f;
    }
    /// As read(), leaving zeros behind.
    AUREOLE_FN core::Vec3d take(std::int64_t i) const {
        const auto f = read(i);
        clear(i);
        return f;
    }
    AUREOLE_FN void clear(std::int64_t i) const {
        const std::int64_t at = index(i);
        fine[at] = fine[at + 4] = fine[at + 8] = 0;
        if (unit->uses_coarse != 0) coarse[at] = coarse[at + 4] = coarse[at + 8] = 0;
    }

  private:
    static constexpr double coarse_units = 4503599627370496.0;      // 2⁵²
    static constexpr double most_coarse = 288230376151711744.0;     // 2⁵⁸
    static constexpr float most_at_once = 36028797018963968.0f;     // 2⁵⁵
    static constexpr std::int64_t no_number = INT64_MIN / 2;        // of coarse ones
    static constexpr std::int64_t surely_a_number = INT64_MIN / 4;  // or more

    template <class V>
    AUREOLE_FN void add_number(std::int64_t at, V x) const {
        if (std::abs(x) < V(most_at_once))
            core::atomic_add(fine + at, static_cast<std::int64_t>(std::rint(x)));
        else
            add_large(at, double(x));  // not-a-numbers too
    }
    AUREOLE_FN void add_large(std::int64_t at, double x) const {
        core::atomic_or(&unit->uses_coarse, 1);
        const double large = std::rint(x * (1 / coarse_units));
        if (!(std::abs(large) < most_coarse)) {
            core::atomic_min(coarse + at, no_number);
            return;
        }
        core::atomic_add(coarse + at, static_cast<std::int64_t>(large));
        core::atomic_add(fine + at, static_cast<std::int64_t>(std::rint(x - large * coarse_units)));
    }
    AUREOLE_FN double coarse_part(std::int64_t at) const {
        if (coarse[at] < surely_a_number) return std::numeric_limits<double>::quiet_NaN();
        return unit->unit * coarse_units * double(coarse[at]);
    }
};

}  // namespace aureole::md
