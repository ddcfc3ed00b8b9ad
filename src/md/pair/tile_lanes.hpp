// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/simd.hpp"
#include "device/team.hpp"
#include "md/neighbor/site.hpp"
#include "md/neighbor/tile_list.hpp"
#include "md/particles/fixed_forces.hpp"

// The 32 lanes of a tile, in lock step. Lane 8 j + i has the i-th particle of an i cluster and the
// j-th of a j cluster. A kernel is written once, for a number of each lane: on GPUs lanes are those
// of a team, and a number is a float; on processors a number is a pack of 32.
namespace aureole::md {

/// The particles of all lanes.
template <class Number, class Types>
struct TileParticles {
    Number x, y, z;
    Types type;
};

/// A lane of a GPU.
class TeamLanes {
  public:
    using Number = float;
    using Mask = bool;
    using Types = std::int32_t;
    using Particles = TileParticles<Number, Types>;

    AUREOLE_FN explicit TeamLanes(device::Team& team)
        : team_(team), i_(team.rank() & 7), j_(team.rank() >> 3) {}

    /// The particles of an i cluster, or of a j cluster.
    AUREOLE_FN Particles of_i(const Site<float>* site, std::int32_t first) const {
        return of(site[first + i_]);
    }
    AUREOLE_FN Particles of_j(const Site<float>* site, std::int32_t first) const {
        return of(site[first + j_]);
    }
    template <class Own>
    AUREOLE_FN Own own_of_i(const Own* own, std::int32_t first) const {
        return own[first + i_];
    }
    template <class Own>
    AUREOLE_FN Own own_of_j(const Own* own, std::int32_t first) const {
        return own[first + j_];
    }
    AUREOLE_FN static Number of_pair(const float* table, std::int32_t n_types, Types i, Types j) {
        return table[i * n_types + j];
    }
    AUREOLE_FN Mask bits(std::uint32_t word) const { return (word >> team_.rank() & 1) != 0; }

    /// Adds the sums over an i cluster's places to the forces on a j cluster, and the other way.
    AUREOLE_FN void add_to_j(const FixedForces& force, float per_unit, std::int32_t cluster,
                             Number x, Number y, Number z) const {
        const float sum = component_of(x, y, z, 1, i_);
        const float all = sum + team_.shuffle_xor_of_32(sum, 4);
        if (i_ < 3) force.add_units(cluster, 4 * i_ + j_, all * per_unit);
    }
    AUREOLE_FN void add_to_i(const FixedForces& force, std::int64_t first, Number x, Number y,
                             Number z) const {
        const float sum = component_of(x, y, z, 8, j_);
        if (j_ < 3) force.add_component(first + i_, j_, sum);
    }
    /// The sum over all lanes, for the first.
    AUREOLE_FN double total(Number a) const { return team_.reduce_sum(double(a)); }
    AUREOLE_FN bool is_first() const { return team_.rank() == 0; }

  private:
    AUREOLE_FN static Particles of(const Site<float>& s) { return {s.x, s.y, s.z, s.type}; }
    /// Sums over four lanes that are `step` apart: those at 0 and 1 are left with x and y, those at
    /// 2 and 3 with z.
    AUREOLE_FN float component_of(float x, float y, float z, int step, int at) const {
        const bool odd = (at & 1) != 0, two = (at & 2) != 0;
        const float xy = (odd ? y : x) + team_.shuffle_xor_of_32(odd ? x : y, step);
        const float zz = z + team_.shuffle_xor_of_32(z, step);
        return (two ? zz : xy) + team_.shuffle_xor_of_32(two ? xy : zz, 2 * step);
    }

    device::Team& team_;
    int i_, j_;
};

inline namespace HWY_NAMESPACE {

/// All lanes on a processor.
class PackLanes {
  public:
    using Number = core::Pack<float, 32>;
    using Mask = core::Mask<float, 32>;
    using Types = std::array<std::int32_t, 32>;
    using Particles = TileParticles<Number, Types>;
    struct Own {
        Number charge, a, b;
    };

    static Particles of_i(const Site<float>* site, std::int32_t first) {
        return of<&i_of>(site + first);
    }
    static Particles of_j(const Site<float>* site, std::int32_t first) {
        return of<&j_of>(site + first);
    }
    template <class From>
    static Own own_of_i(const From* own, std::int32_t first) {
        return own_of<&i_of>(own + first);
    }
    template <class From>
    static Own own_of_j(const From* own, std::int32_t first) {
        return own_of<&j_of>(own + first);
    }
    static Number of_pair(const float* table, std::int32_t n_types, const Types& i,
                          const Types& j) {
        Lanes from;
        for (int l = 0; l < 32; ++l) from.of[l] = table[i[l] * n_types + j[l]];
        return Number::load(from.of);
    }
    static Mask bits(std::uint32_t word) { return Mask::from_bits(word); }

    static void add_to_j(const FixedForces& force, float, std::int32_t cluster, Number x, Number y,
                         Number z) {
        add<&j_of, 4>(force, std::int64_t{4} * cluster, x, y, z);
    }
    static void add_to_i(const FixedForces& force, std::int64_t first, Number x, Number y,
                         Number z) {
        add<&i_of, 8>(force, first, x, y, z);
    }
    static double total(Number a) {
        const Lanes lanes(a);
        double all = 0;
        for (const float lane : lanes.of) all += double(lane);
        return all;
    }
    static bool is_first() { return true; }

  private:
    struct Lanes {
        alignas(64) float of[32];
        Lanes() = default;
        explicit Lanes(Number a) { a.store(of); }
    };
    static constexpr int i_of(int lane) { return lane & 7; }
    static constexpr int j_of(int lane) { return lane >> 3; }

    template <auto index>
    static Particles of(const Site<float>* cluster) {
        Lanes x, y, z;
        Particles all;
        for (int l = 0; l < 32; ++l) {
            const auto& s = cluster[index(l)];
            x.of[l] = s.x, y.of[l] = s.y, z.of[l] = s.z, all.type[std::size_t(l)] = s.type;
        }
        all.x = Number::load(x.of), all.y = Number::load(y.of), all.z = Number::load(z.of);
        return all;
    }
    template <auto index, class From>
    static Own own_of(const From* cluster) {
        Lanes charge, a, b;
        for (int l = 0; l < 32; ++l) {
            const auto& own = cluster[index(l)];
            charge.of[l] = own.charge, a.of[l] = own.a, b.of[l] = own.b;
        }
        return {Number::load(charge.of), Number::load(a.of), Number::load(b.of)};
    }
    template <auto index, int n>
    static void add(const FixedForces& force, std::int64_t first, Number x, Number y, Number z) {
        const Lanes of_x(x), of_y(y), of_z(z);
        core::Vec3f sum[n]{};
        for (int l = 0; l < 32; ++l)
            sum[index(l)] += core::Vec3f{of_x.of[l], of_y.of[l], of_z.of[l]};
        for (int k = 0; k < n; ++k) force.add(first + k, sum[k]);
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
