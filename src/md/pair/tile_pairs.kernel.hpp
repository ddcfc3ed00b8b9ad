// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "md/pair/flat.kernel.hpp"
#include "md/pair/tile_job.hpp"
#include "md/pair/tile_lanes.hpp"

// Forces of pairs by tiles, each pair once. What the pairs of a lane do is the potential's; the
// rest is the same for all: coordinates and sums of a block stay in registers while its row goes
// by.
namespace aureole::md {

inline namespace HWY_NAMESPACE {

/// Energies and virials of the pairs of a lane.
template <class Number>
struct TilePairSums {
    Number energy{0.0f}, xx{0.0f}, yy{0.0f}, zz{0.0f}, xy{0.0f}, xz{0.0f}, yz{0.0f};

    AUREOLE_FN void add(Number u, Number f, const core::Vec3<Number>& d) {
        energy += u;
        const Number x = f * d.x, y = f * d.y, z = f * d.z;
        xx += x * d.x, yy += y * d.y, zz += z * d.z;
        xy += x * d.y, xz += x * d.z, yz += y * d.z;
    }
    template <class Lanes>
    AUREOLE_FN PairSums total(const Lanes& lanes) const {
        return {lanes.total(energy),
                {lanes.total(xx), lanes.total(yy), lanes.total(zz), lanes.total(xy),
                 lanes.total(xz), lanes.total(yz)}};
    }
};

/// Pairs of molecules.
template <Coulomb coulomb, VdwEnd end, class Rule, bool with_energy, class Lanes>
class MoleculePairs {
  public:
    using Number = typename Lanes::Number;
    using Mask = typename Lanes::Mask;
    using Job = NonbondedTileJob;
    using Total = NonbondedPairSums;
    static constexpr bool energy = with_energy;

    /// The particles of an i or a j cluster.
    struct Side {
        typename Lanes::Particles at;
        decltype(std::declval<Lanes>().own_of_i(std::declval<const OwnNumbers<float>*>(), 0)) own;
    };
    struct Sums {
        TilePairSums<Number> of_vdw, of_charges;

        AUREOLE_FN Total total(const Lanes& lanes) const {
            return {of_vdw.total(lanes), of_charges.total(lanes)};
        }
    };

    AUREOLE_FN explicit MoleculePairs(const Job& job)
        : job_(job), law_(job.numbers), rule_(job.numbers) {}

    AUREOLE_FN Side side_i(const Lanes& lanes, std::int32_t first) const {
        return {lanes.of_i(job_.site, first), lanes.own_of_i(job_.own, first)};
    }
    AUREOLE_FN Side side_j(const Lanes& lanes, std::int32_t first) const {
        return {lanes.of_j(job_.site, first), lanes.own_of_j(job_.own, first)};
    }
    AUREOLE_FN Mask near(Number r2) const { return r2 < Number(job_.largest_cut2); }
    /// The force over the distance of pairs that are near; others may have any.
    AUREOLE_FN Number force(Number r2, Mask counted, const core::Vec3<Number>& d, const Side& i,
                            const Side& j, Sums& sums) const {
        const bool one = rule_.one_cut_off;  // pairs that count are within it
        const auto pair = nonbonded_pair<with_energy>(
            law_, one,
            PairsAtDistance{r2, one ? counted : r2 < law_.r_vdw2,
                            one ? counted : r2 < law_.r_coulomb2, i.own.charge * j.own.charge},
            NoneExcluded(),
            [&](Number inv_r, Number inv_r2) { return vdw(r2, inv_r, inv_r2, i, j); });
        if constexpr (with_energy) {
            sums.of_vdw.add(zero_unless(counted, pair.energy_of_vdw),
                            zero_unless(counted, pair.of_vdw), d);
            sums.of_charges.add(zero_unless(counted, pair.energy_of_charge),
                                zero_unless(counted, pair.of_charge), d);
        }
        return pair.force;
    }

  private:
    AUREOLE_FN auto vdw(Number r2, Number inv_r, Number inv_r2, const Side& i,
                        const Side& j) const {
        if (rule_.mixing == Mixing::table) {
            const auto n = job_.numbers.n_types;
            return law_.vdw(r2, inv_r, inv_r2,
                            PowerCoefficients<Number>{
                                Lanes::of_pair(job_.numbers.c6, n, i.at.type, j.at.type),
                                Lanes::of_pair(job_.numbers.c12, n, i.at.type, j.at.type)});
        }
        if (rule_.mixing == Mixing::geometric)
            return law_.vdw(r2, inv_r, inv_r2,
                            mix<Mixing::geometric>(i.own.a, i.own.b, j.own.a, j.own.b));
        return law_.vdw(r2, inv_r, inv_r2,
                        mix<Mixing::lorentz_berthelot>(i.own.a, i.own.b, j.own.a, j.own.b));
    }

    const Job& job_;
    const NonbondedLaw<coulomb, end, with_energy, Number> law_;
    const Rule rule_;
};

/// Pairs of a potential whose leaf reads no columns; those of others are never asked for.
template <class P, Modifier modifier, bool with_energy, class Lanes>
class PotentialPairs {
  public:
    using Number = typename Lanes::Number;
    using Mask = typename Lanes::Mask;
    using Job = PotentialTileJob;
    using Total = PairSums;
    static constexpr bool energy = with_energy;

    struct Side {
        typename Lanes::Particles at;
    };
    struct Sums {
        TilePairSums<Number> all;

        AUREOLE_FN Total total(const Lanes& lanes) const { return all.total(lanes); }
    };

    AUREOLE_FN explicit PotentialPairs(const Job& job) : job_(job) {
        if (job.n_types == 1) load(one_, [&](std::int64_t row) { return Number(job.tables[row]); });
    }
    AUREOLE_FN Side side_i(const Lanes& lanes, std::int32_t first) const {
        return {lanes.of_i(job_.site, first)};
    }
    AUREOLE_FN Side side_j(const Lanes& lanes, std::int32_t first) const {
        return {lanes.of_j(job_.site, first)};
    }
    /// By the largest cut-off.
    AUREOLE_FN Mask near(Number r2) const { return r2 < Number(job_.largest_cut2); }
    AUREOLE_FN Number force(Number r2, Mask counted, const core::Vec3<Number>& d, const Side& i,
                            const Side& j, Sums& sums) const {
        if (job_.n_types == 1) return force_of(one_, r2, counted, d, sums);
        Parameters of_pair;
        load(of_pair, [&](std::int64_t row) {
            return Lanes::of_pair(job_.tables + row * job_.n_types * job_.n_types, job_.n_types,
                                  i.at.type, j.at.type);
        });
        return force_of(of_pair, r2, counted, d, sums);
    }

  private:
    struct Parameters {
        Coefficients<Number, coefficient_count<P>> c;
        CutOff<Number> cut;
    };
    template <class Read>
    AUREOLE_FN static void load(Parameters& to, const Read& read) {
        constexpr auto n = static_cast<std::int64_t>(coefficient_count<P>);
        for (std::int64_t k = 0; k < n; ++k) to.c[static_cast<std::size_t>(k)] = read(k);
        to.cut = {read(n), read(n + 1), read(n + 2), read(n + 3), read(n + 4), read(n + 5)};
    }
    AUREOLE_FN Number force_of(const Parameters& p, Number r2, Mask counted,
                               const core::Vec3<Number>& d, Sums& sums) const {
        const Mask in_range = r2 < p.cut.r_cut2;
        if constexpr (reads_columns<P>) {
            return Number(0.0f);
        } else if constexpr (with_energy) {
            const auto value = evaluate<P, modifier, Number>(r2, p.c, p.cut);
            const Number f = zero_unless(in_range, value.force_over_r);
            sums.all.add(zero_unless(counted & in_range, value.energy), zero_unless(counted, f), d);
            return f;
        } else {
            return zero_unless(in_range, evaluate_force<P, modifier, Number>(r2, p.c, p.cut));
        }
    }

    const Job& job_;
    Parameters one_;
};

/// A part of a row.
template <class Pairs, class Lanes>
class TilePart {
  public:
    using Number = typename Lanes::Number;
    using Mask = typename Lanes::Mask;

    AUREOLE_FN static void run(const typename Pairs::Job& job, const Lanes& lanes,
                               std::int64_t warp) {
        const auto parts = job.parts(), of_whole = job.parts(job.list.whole);
        const auto block = warp / parts, part = warp - block * parts;
        TilePart one(job, lanes, block);
        if (!job.is_void()) {
            if (part < of_whole)
                one.template go<false>(job.list.whole, part);
            else
                one.template go<true>(job.list.masked, part - of_whole);
        }
        if constexpr (Pairs::energy) {
            const auto total = one.sums_.total(lanes);
            if (lanes.is_first()) job.sums[warp] = total;
        }
    }

  private:
    using Side = typename Pairs::Side;
    using Vec3 = core::Vec3<Number>;

    AUREOLE_FN TilePart(const typename Pairs::Job& job, const Lanes& lanes, std::int64_t block)
        : job_(job), lanes_(lanes), pairs_(job), block_(static_cast<std::int32_t>(block)) {
        if constexpr (!Pairs::energy) per_unit_ = job.force.unit->per_unit_f;
    }

    /// The particles of a j cluster, moved by a lattice shift: what rounding takes off is kept, so
    /// that pairs across a face are as exact as others.
    struct Moved {
        Side side;
        Vec3 at, rest;
    };

    template <bool masked>
    AUREOLE_FN void go(const TileRow& row, std::int64_t part) {
        const auto begin = static_cast<std::int32_t>(part) * job_.part;
        const auto left = row.count[block_] - begin;
        const auto count = left < job_.part ? left : job_.part;
        if (count <= 0) return;
        Side i[i_clusters];
        Vec3 force_i[i_clusters];
        AUREOLE_UNROLL for (int c = 0; c < i_clusters; ++c) {
            i[c] = pairs_.side_i(lanes_, tile_block * block_ + tile_i * c);
            force_i[c] = {Number(0.0f), Number(0.0f), Number(0.0f)};
        }
        const auto at = block_ * row.stride + begin;
        const TileEntry* const end = row.entry + at + count;
        const std::uint32_t* bits = masked ? job_.list.bits + i_clusters * at : nullptr;
        for (const TileEntry* next = row.entry + at; next != end; ++next) {
            const TileEntry entry = *next;
            Moved j;
            j.side = pairs_.side_j(lanes_, tile_j * entry.j);
            j.at = {j.side.at.x, j.side.at.y, j.side.at.z};
            if (entry.is_central()) {
                tiles<masked, false>(entry, bits, i, j, force_i);
            } else {
                move(j, *job_.shifts, entry.shift());
                tiles<masked, true>(entry, bits, i, j, force_i);
            }
            if constexpr (masked) bits += i_clusters;
        }
        if constexpr (!Pairs::energy)
            AUREOLE_UNROLL for (int c = 0; c < i_clusters; ++c)
                lanes_.add_to_i(job_.force, tile_block * block_ + tile_i * c, force_i[c].x,
                                force_i[c].y, force_i[c].z);
    }
    AUREOLE_FN static void move(Moved& j, const TileShifts& shifts, int shift) {
        const auto &by = shifts.by[shift], &rest = shifts.rest[shift];
        const auto sum = [](Number& at, Number& left, float s, float more) {
            // Knuth's two-sum: sum and remainder together are at + s exactly.
            const Number moved = at + Number(s), part = moved - at;
            left = (at - (moved - part)) + (Number(s) - part) + Number(more);
            at = moved;
        };
        sum(j.at.x, j.rest.x, by.x, rest.x), sum(j.at.y, j.rest.y, by.y, rest.y),
            sum(j.at.z, j.rest.z, by.z, rest.z);
    }
    template <bool masked, bool shifted>
    AUREOLE_FN void tiles(const TileEntry& entry, const std::uint32_t* bits, const Side* i,
                          const Moved& j, Vec3* force_i) {
        Vec3 force_j{Number(0.0f), Number(0.0f), Number(0.0f)};
        AUREOLE_UNROLL for (int c = 0; c < i_clusters; ++c) {
            if (!entry.has(c)) continue;
            Vec3 d{i[c].at.x - j.at.x, i[c].at.y - j.at.y, i[c].at.z - j.at.z};
            if constexpr (shifted) d = {d.x - j.rest.x, d.y - j.rest.y, d.z - j.rest.z};
            const Number r2 = fma(d.z, d.z, fma(d.y, d.y, d.x * d.x));
            Mask counted = pairs_.near(r2);
            if constexpr (masked) counted = counted & lanes_.bits(bits[c]);
            if (!any(counted)) continue;
            const Number f =
                zero_unless(counted, pairs_.force(r2, counted, d, i[c], j.side, sums_));
            auto& to = force_i[c];
            to = {fma(f, d.x, to.x), fma(f, d.y, to.y), fma(f, d.z, to.z)};
            force_j = {fma(-f, d.x, force_j.x), fma(-f, d.y, force_j.y), fma(-f, d.z, force_j.z)};
        }
        if constexpr (!Pairs::energy)
            lanes_.add_to_j(job_.force, per_unit_, entry.j, force_j.x, force_j.y, force_j.z);
    }

    const typename Pairs::Job& job_;
    const Lanes& lanes_;
    const Pairs pairs_;
    std::int32_t block_;
    float per_unit_ = 0;
    typename Pairs::Sums sums_;
};

/// Tiles by the teams of a GPU.
template <class Pairs>
struct TilesOfTeam {
    using device_kernel = void;
    static constexpr int blocks_on_processor = Pairs::energy ? 1 : 6;
    typename Pairs::Job job;

    AUREOLE_FN void operator()(device::Team& team, std::int64_t warp) const {
        TilePart<Pairs, TeamLanes>::run(job, TeamLanes(team), warp);
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::md
