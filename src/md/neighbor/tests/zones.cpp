// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/zone.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

#include "md/neighbor/cluster_pairs.hpp"
#include "md/particles/particles.hpp"
#include "md/simulation/tests/systems.hpp"

// The pairs that ranks find in their zones, taken together, are all pairs, each once. The zones are
// made here, from all particles, without any message.
namespace aureole::md::testing {
namespace {

constexpr double r_cut = 1.0;

struct Divided {
    const char* name;
    core::Box box;
    core::Vec3i ranks;
};
void PrintTo(const Divided& d, std::ostream* out) { *out << d.name; }

core::Box open_along(int axis) {
    core::Box box{5, 4.5, 6};
    (axis == 0 ? box.periodic_x : axis == 1 ? box.periodic_y : box.periodic_z) = false;
    return box;
}

/// The zones of one rank, and which particles they hold.
struct OfRank {
    Frame frame;
    std::vector<Zone> zones;
    std::vector<std::int32_t> particle;
};

/// `width`: of the halo along each axis, in fractions of the box.
OfRank zones_of(const Divided& system, const std::vector<Vec3d>& position, const core::Vec3i& at,
                const Vec3d& width) {
    OfRank of;
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        const int n = component(system.ranks, k), here = component(at, k);
        low[k] = -0.5 + double(here) / n, high[k] = -0.5 + double(here + 1) / n;
        if (n > 1) of.frame.divided |= std::uint8_t(1 << k);
    }
    of.frame.low = {low[0], low[1], low[2]}, of.frame.high = {high[0], high[1], high[2]};
    for (int axes = 0; axes < 8; ++axes) {
        if ((axes & ~of.frame.divided) != 0) continue;
        // Within a zone, ghosts that crossed a face of the box and others are apart.
        for (int shifted = 0; shifted < 8; ++shifted) {
            if ((shifted & ~axes) != 0) continue;
            Zone zone;
            zone.begin = static_cast<std::int64_t>(of.particle.size());
            zone.axes = static_cast<std::uint8_t>(axes);
            zone.shift = {shifted & 1, shifted >> 1 & 1, shifted >> 2 & 1};
            bool possible = true;
            for (int k = 0; k < 3; ++k)
                if ((shifted >> k & 1) != 0 && !system.box.periodic(k)) possible = false;
            for (std::size_t i = 0; possible && i < position.size(); ++i) {
                const auto f = system.box.fractional(position[i]);
                bool inside = true;
                for (int k = 0; k < 3 && inside; ++k) {
                    const double x = component(f, k) + (shifted >> k & 1);
                    if ((of.frame.divided >> k & 1) == 0) continue;
                    inside = (axes >> k & 1) != 0
                                 ? x >= high[k] && x < high[k] + component(width, k)
                                 : x >= low[k] && x < high[k];
                }
                if (inside) of.particle.push_back(static_cast<std::int32_t>(i));
            }
            zone.end = static_cast<std::int64_t>(of.particle.size());
            if (zone.size() > 0 || axes == 0) of.zones.push_back(zone);
        }
    }
    return of;
}

using PairCount = std::map<std::pair<std::int32_t, std::int32_t>, int>;

class ZonesOf : public ::testing::TestWithParam<Divided> {};

TEST_P(ZonesOf, HoldEachPairOnce) {
    const auto& system = GetParam();
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    std::vector<Vec3d> position;
    for (int i = 0; i < 1500; ++i)
        position.push_back(
            system.box.cartesian({uniform(random), uniform(random), uniform(random)}));

    PairCount expected;
    for (std::int32_t i = 0; i < 1500; ++i)
        for (std::int32_t j = i + 1; j < 1500; ++j) {
            Vec3d d = position[static_cast<std::size_t>(i)] - position[static_cast<std::size_t>(j)];
            core::Box box = system.box;
            d = box.minimum_image(d);
            if (dot(d, d) < r_cut * r_cut) expected[{i, j}] = 1;
        }

    auto device = device::Device::host({.threads = 2, .pin = false});
    device::Queue queue(device);
    constexpr double limit = 0.04;
    const auto face = system.box.face_distances();
    const double width = r_cut + 2 * limit;
    const Vec3d widths{width / face.x, width / face.y, width / face.z};
    PairCount found;
    for (core::Vec3i at{}; at.x < system.ranks.x; ++at.x)
        for (at.y = 0; at.y < system.ranks.y; ++at.y)
            for (at.z = 0; at.z < system.ranks.z; ++at.z) {
                auto of = zones_of(system, position, at, widths);
                std::vector<Vec3d> local;
                for (const auto i : of.particle) local.push_back(position[std::size_t(i)]);
                ColumnSort sort;
                device::ThreadPool pool(2);
                const device::View<const Vec3d> all{local.data(),
                                                    static_cast<std::int64_t>(local.size())};
                const double edge = ColumnSort::edge_of_clusters(system.box, 1500);
                const auto owned = of.zones.front().end;
                sort.sort(pool, system.box, of.frame, edge, all.part(0, owned));
                sort.add_ghosts(pool, system.box, std::span(of.zones).subspan(1), edge, all);
                // Owned particles come into the order of columns.
                const auto before = of.particle;
                for (std::int64_t k = 0; k < owned; ++k)
                    of.particle[std::size_t(k)] = before[std::size_t(sort.order()[std::size_t(k)])];
                ClusterPairs<float> pairs(queue, r_cut, false);
                const auto n = static_cast<std::int64_t>(of.particle.size());
                pairs.lay_out(sort, n);
                const auto layout = pairs.packed();
                std::vector<std::int32_t> in_slot(std::size_t(pairs.clusters()) * 4, -1);
                {
                    const device::HostAccess access(queue);
                    for (std::int64_t i = 0; i < n; ++i) {
                        layout.store(i, position[std::size_t(of.particle[std::size_t(i)])]);
                        layout.set_outer_limit(i, float(0.5 * limit));
                        layout.set_limit(i, 0);
                        in_slot[std::size_t(layout.slot[i])] = of.particle[std::size_t(i)];
                    }
                }
                pairs.search(sort, system.box);
                {  // Some clusters need more than the search gave them.
                    const device::HostAccess access(queue);
                    for (std::int32_t c = 0; c < pairs.clusters(); c += 3)
                        pairs.asked()[c] = std::bit_cast<std::uint32_t>(float(limit));
                }
                ASSERT_TRUE(pairs.extend(pairs.clusters(), 1.0));
                pairs.prune();
                pairs.for_each_pair([&](std::int32_t a, std::int32_t b, std::int32_t shift, bool) {
                    const auto i = in_slot[std::size_t(a)], j = in_slot[std::size_t(b)];
                    if (i < 0 || j < 0) return;
                    const auto s = lattice_of_shift(shift);
                    const auto d = position[std::size_t(i)] + system.box.lattice(s.x, s.y, s.z) -
                                   position[std::size_t(j)];
                    if (dot(d, d) < r_cut * r_cut) ++found[std::minmax(i, j)];
                });
            }
    EXPECT_EQ(found, expected);
}

const core::Box even{6.1, 5.3, 7.2};
const core::Box tilted{7, 6.5, 6.8, 0.3, -0.25, 0.4};

INSTANTIATE_TEST_SUITE_P(
    Grids, ZonesOf,
    ::testing::Values(Divided{"one", even, {1, 1, 1}}, Divided{"two_along_x", even, {2, 1, 1}},
                      Divided{"two_along_y", even, {1, 2, 1}},
                      Divided{"two_along_z", even, {1, 1, 2}},
                      Divided{"four_along_z", even, {1, 1, 4}},
                      Divided{"two_by_two", even, {2, 2, 1}}, Divided{"eight", even, {2, 2, 2}},
                      Divided{"three_by_two", even, {3, 2, 1}},
                      Divided{"twenty_seven", even, {3, 3, 3}},
                      Divided{"eight_in_a_tilted_box", tilted, {2, 2, 2}},
                      Divided{"three_in_a_tilted_box", tilted, {3, 1, 2}},
                      Divided{"open_and_divided_along_x", open_along(0), {2, 1, 2}},
                      Divided{"open_along_z", open_along(2), {2, 2, 1}},
                      Divided{"open_and_divided_along_z", open_along(2), {1, 2, 3}}),
    [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace aureole::md::testing
