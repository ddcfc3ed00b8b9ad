// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "comm/world.hpp"
#include "core/vec3.hpp"
#include "device/copy.hpp"
#include "halo/exchange.hpp"
#include "halo/fused.hpp"
#include "halo/grid.hpp"

// Random particles on a grid of ranks, with the plain exchange and the fused one beside each other.
namespace aureole::halo::testing {

struct GridCase {
    const char* name;
    core::Vec3i ranks;
    int pulses_per_axis = 1;
};
inline void PrintTo(const GridCase& g, std::ostream* out) { *out << g.name; }

inline std::vector<GridCase> grids() {
    return {{"two", {1, 1, 2}},
            {"three", {1, 3, 1}},
            {"four", {4, 1, 1}},
            {"two_by_two", {2, 2, 1}},
            {"two_cubed", {2, 2, 2}},
            {"three_cubed", {3, 3, 3}},
            {"three_twice", {3, 1, 1}, 2},
            {"four_by_three_twice", {4, 3, 1}, 2}};
}

inline std::mt19937_64 random_of(std::uint64_t seed, int rank, int what) {
    std::seed_seq all{seed, static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(what)};
    return std::mt19937_64(all);
}

inline std::int64_t gather_one(comm::World& world, int to, int from, std::int64_t value) {
    comm::Bytes bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    const comm::Parcel out{to, bytes};
    for (const auto& parcel : world.exchange({&out, 1}))
        if (parcel.rank == from) std::memcpy(&value, parcel.bytes.data(), sizeof value);
    return value;
}

/// How many particles a rank owns, and its pulses: random subsets of what is there, some of them
/// empty. The second pulse of an axis sends on what came by the first.
struct RandomPlan {
    std::int64_t owned = 0, all = 0;
    std::vector<PulsePlan> pulses;

    RandomPlan(comm::World& world, const GridCase& at, std::uint64_t seed) {
        const RankGrid grid{at.ranks};
        auto random = random_of(seed, world.rank(), 0);
        const auto below = [&](std::uint64_t n) { return random() % n; };
        owned = below(5) == 0 ? 0 : static_cast<std::int64_t>(below(60));
        all = owned;
        for (int axis = 2; axis >= 0; --axis) {
            for (int k = 0; k < at.pulses_per_axis && component(at.ranks, axis) > 1; ++k) {
                PulsePlan plan;
                plan.to = grid.neighbour(world.rank(), axis, -1);
                plan.from = grid.neighbour(world.rank(), axis, +1);
                const std::uint64_t of_eight = below(4) == 0 ? 0 : 1 + below(8);
                const std::int64_t first = k == 0 ? 0 : pulses.back().ghost_first;
                for (std::int64_t i = first; i < all; ++i)
                    if (below(8) < of_eight) plan.index.push_back(static_cast<std::int32_t>(i));
                plan.ghost_first = all;
                plan.ghosts = gather_one(world, plan.to, plan.from,
                                         static_cast<std::int64_t>(plan.index.size()));
                all += plan.ghosts;
                pulses.push_back(std::move(plan));
            }
        }
    }
};

inline std::vector<core::Vec3d> random_vectors(std::mt19937_64 random, std::int64_t n) {
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    std::vector<core::Vec3d> all(static_cast<std::size_t>(n));
    // Of very different sizes, so that the order of a sum shows in its bits.
    for (auto& v : all) {
        const double size = std::ldexp(1.0, static_cast<int>(random() % 40) - 20);
        v = {size * number(random), size * number(random), size * number(random)};
    }
    return all;
}

inline bool same_bits(const std::vector<core::Vec3d>& a, const std::vector<core::Vec3d>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(core::Vec3d)) == 0);
}

/// One rank's device with both exchanges.
class FusedRig {
  public:
    FusedRig(comm::World& world, const FusedOptions& options)
        : world_(world), plain_(world), fused(world, queue, options) {}

    void set(const RandomPlan& plan) {
        plan_ = &plan;
        plain_.begin();
        for (const auto& p : plan.pulses)
            plain_.add(p.to, p.from, p.index, p.ghost_first, p.ghosts);
        plain_.connect();
        fused.set_pulses(queue, plan.pulses);
    }

    /// Positions by the fused exchange, and by the plain one; ghosts are -1 before.
    std::vector<core::Vec3d> fused_positions(std::uint64_t seed, std::int64_t step) {
        upload(positions(seed));
        fused.send(queue, column.view(), step);
        fused.receive(queue, column.view(), step);
        fused.check(queue, step);
        return download();
    }
    std::vector<core::Vec3d> plain_positions(std::uint64_t seed, std::int64_t step) {
        auto all = positions(seed);
        plain_.forward<core::Vec3d>(
            step, [r = all.data()](std::int64_t i) { return r[i]; },
            [to = all.data()](std::int64_t i, const core::Vec3d& r) { to[i] = r; });
        return all;
    }
    std::vector<core::Vec3d> fused_forces(std::uint64_t seed, std::int64_t step) {
        upload(forces(seed));
        fused.take(queue, ColumnForces<double>{column.data()}, step);
        fused.check(queue, step);
        return download();
    }
    std::vector<core::Vec3d> plain_forces(std::uint64_t seed, std::int64_t step) {
        auto all = forces(seed);
        plain_.forces(ColumnForces<double>{all.data()}, step);
        return all;
    }
    /// Forces of the fused exchange in single precision.
    std::vector<core::Vec3d> fused_single_forces(std::uint64_t seed, std::int64_t step) {
        const auto values = in_single(forces(seed));
        device::Buffer<core::Vec3f> force(queue, static_cast<std::int64_t>(values.size()));
        device::copy_from_host(queue, force.view(), values.data());
        fused.take(queue, ColumnForces<float>{force.data()}, step);
        fused.check(queue, step);
        auto all = values;
        device::copy_to_host(queue, all.data(), force.view());
        return in_double(all);
    }
    std::vector<core::Vec3d> plain_single_forces(std::uint64_t seed, std::int64_t step) {
        auto all = in_single(forces(seed));
        plain_.forces(AsDouble{{all.data()}}, step);
        return in_double(all);
    }

    void upload(const std::vector<core::Vec3d>& values) {
        column.resize(queue, static_cast<std::int64_t>(values.size()));
        device::copy_from_host(queue, column.view(), values.data());
    }
    std::vector<core::Vec3d> positions(std::uint64_t seed) const {
        auto all = random_vectors(random_of(seed, world_.rank(), 1), plan_->owned);
        all.resize(static_cast<std::size_t>(plan_->all), core::Vec3d{-1, -1, -1});
        return all;
    }
    std::vector<core::Vec3d> forces(std::uint64_t seed) const {
        return random_vectors(random_of(seed, world_.rank(), 2), plan_->all);
    }
    std::vector<core::Vec3d> download() {
        std::vector<core::Vec3d> values(static_cast<std::size_t>(column.size()));
        device::copy_to_host(queue, values.data(), column.view());
        return values;
    }

  private:
    /// Forces in single precision as the plain exchange takes them.
    struct AsDouble {
        ColumnForces<float> column;
        core::Vec3d take_force(std::int64_t i) const {
            const core::Vec3f f = column.take_force(i);
            return {f.x, f.y, f.z};
        }
        void add_force(std::int64_t i, const core::Vec3d& f) const { column.add_force(i, f); }
    };
    static std::vector<core::Vec3f> in_single(const std::vector<core::Vec3d>& from) {
        std::vector<core::Vec3f> to;
        for (const auto& v : from) to.push_back({float(v.x), float(v.y), float(v.z)});
        return to;
    }
    static std::vector<core::Vec3d> in_double(const std::vector<core::Vec3f>& from) {
        std::vector<core::Vec3d> to;
        for (const auto& v : from) to.push_back({v.x, v.y, v.z});
        return to;
    }
    static device::HostOptions one_thread() {
        device::HostOptions options;
        options.threads = 1, options.pin = false;
        return options;
    }
    comm::World& world_;
    device::Device device_ = device::Device::host(one_thread());
    Exchange plain_;
    const RandomPlan* plan_ = nullptr;

  public:
    device::Queue queue{device_};
    FusedExchange fused;
    device::Buffer<core::Vec3d> column;
};

}  // namespace aureole::halo::testing
