// SPDX-License-Identifier: Apache-2.0
#include "md/list_plan/drift_buffer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "md/lists/cluster_lists.hpp"
#include "md/simulation/tests/systems.hpp"

// What buffers of lists are for: energy that unseen pairs bring, by other ways than the estimate's.
namespace aureole::md::testing {
namespace {

constexpr double kT = 2.5, dt = 0.002, r_cut = 0.9;

/// A gas of pairs at the density of water, bound or free: what the estimate knows of a system.
class Gas {
  public:
    explicit Gas(bool bound)
        : start_(liquid({2.6, 2.6, 2.6}, 1700, 0.05)),
          device_(device::Device::host({.threads = 1, .pin = false})),
          queue_(device_) {
        auto& p = start_.particles;
        const auto n = p.position.size();
        p.charge.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            p.mass[i] = i % 2 == 0 ? heavy : light;
            p.charge[i] = i % 2 == 0 ? -0.4 : 0.4;
        }
        system_.box = start_.box;
        system_.particles = upload(queue_, p);
        NonbondedSpec spec;
        spec.n_types = 1, spec.c6 = {c6}, spec.c12 = {0};
        spec.r_vdw = spec.r_coulomb = r_cut;
        spec.coulomb_constant = 138.9;
        system_.nonbonded.emplace(spec);
        system_.motion.dt = dt;
        system_.list.exact = false, system_.list.tolerance = 0.5;
        if (!bound) return;
        auto& c = system_.constraints.constraint;
        c.parameters = {length};
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(n); i += 2)
            c.particles.push_back(i), c.particles.push_back(i + 1), c.row.push_back(0);
    }
    System& system() { return system_; }
    DriftBuffer buffer(int cluster) {
        return {queue_, system_, {kT, system_.box.volume()}, cluster};
    }
    device::Queue& queue() { return queue_; }
    const Start& start() const { return start_; }

    static constexpr double heavy = 15, light = 1, length = 0.1, c6 = 3e-3;

  private:
    Start start_;
    device::Device device_;
    device::Queue queue_;
    System system_;
};

/// A particle's displacement along a line: alone, or as an end of a freely turning rod.
class Flight {
  public:
    double along(bool bound, bool is_light, double time) {
        const double mass = is_light ? Gas::light : Gas::heavy;
        if (!bound) return std::sqrt(kT / mass) * time * normal_(random_);
        const double both = Gas::heavy + Gas::light;
        double x = std::sqrt(kT / both) * time * normal_(random_);
        if (!is_light) return std::sqrt(kT / mass) * time * normal_(random_);
        // About the centre of mass the end goes round a circle, at right angles to the rod.
        const double radius = Gas::length * Gas::heavy / both;
        const double speed = std::sqrt(kT * Gas::heavy / (Gas::light * both));
        const Vec3d rod = direction();
        Vec3d v{normal_(random_), normal_(random_), normal_(random_)};
        v -= dot(v, rod) * rod;
        const double size = std::sqrt(dot(v, v)), angle = speed * size * time / radius;
        const Vec3d moved =
            (radius * std::sin(angle) / size) * v + (radius * (std::cos(angle) - 1)) * rod;
        return x + moved.x;
    }
    double uniform() { return uniform_(random_); }

  private:
    Vec3d direction() {
        const Vec3d v{normal_(random_), normal_(random_), normal_(random_)};
        return (1 / std::sqrt(dot(v, v))) * v;
    }
    std::mt19937_64 random_{5};
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> uniform_;
};

class Drift : public ::testing::TestWithParam<std::pair<bool, int>> {};
INSTANTIATE_TEST_SUITE_P(Lifetimes, Drift,
                         ::testing::Values(std::pair{false, 4}, std::pair{false, 12},
                                           std::pair{true, 4}, std::pair{true, 12}));

/// The estimate beside flights that are made one by one.
TEST_P(Drift, IsThatOfFreeFlight) {
    const auto [bound, steps] = GetParam();
    Gas gas(bound);
    auto& system = gas.system();
    const double width = gas.buffer(1).width(steps), time = (steps - 1) * dt;
    const double range = 0.25, n = static_cast<double>(system.particles.n);
    const int samples = core::sanitized ? 1'000'000 : 3'000'000;
    Flight flight;
    double sum = 0;
    for (int k = 0; k < samples; ++k) {
        const bool light_a = flight.uniform() < 0.5, light_b = flight.uniform() < 0.5;
        const double r0 = r_cut + width + range * flight.uniform();
        const double r =
            r0 + flight.along(bound, light_a, time) + flight.along(bound, light_b, time);
        if (r >= r_cut) continue;
        const auto of = [&](double at, double charges) {
            const auto v = system.nonbonded->evaluate(0, 0, charges, at * at, false);
            return std::pair{v.vdw.energy, v.coulomb.energy};
        };
        const auto [lj, coulomb] = of(r, 0.16);
        const auto [lj_edge, coulomb_edge] = of(r_cut * (1 - 1e-9), 0.16);
        sum += r0 * r0 *
               (DriftBuffer::weight_of_attraction(true) * std::abs(lj - lj_edge) +
                std::abs(coulomb - coulomb_edge));
    }
    const double drift =
        sum / samples * range * 2 * std::numbers::pi * n / system.box.volume() / (steps * dt);
    const double tolerance = system.list.tolerance;
    // An upper bound, but not a far one: light particles of bound pairs swing less than it thinks.
    EXPECT_LT(drift, 1.15 * tolerance);
    EXPECT_GT(drift, (bound ? 0.3 : 0.8) * tolerance);
}

TEST(DriftBuffer, GrowsWithTheListLifetimeAndShrinksWithTheTolerance) {
    Gas gas(true);
    auto buffer = gas.buffer(4);
    EXPECT_EQ(buffer.width(1), 0);  // made for these positions
    double before = 0;
    for (const int steps : {2, 5, 10, 20, 40}) {
        EXPECT_GE(buffer.width(steps), before);
        EXPECT_LE(buffer.width(steps), gas.buffer(1).width(steps));
        before = buffer.width(steps);
    }
    gas.system().list.tolerance *= 1e-2;
    EXPECT_GT(gas.buffer(4).width(20), 1.2 * buffer.width(20));
}

/// How many pairs just beyond the radius of a list of clusters it has not got.
double missing_fraction(Gas& gas, double width) {
    auto& queue = gas.queue();
    const auto& box = gas.system().box;
    ColumnSort sort;
    const auto positions = to_device(queue, gas.start().particles.position);
    device::host_task(queue, "sort",
                      [&](device::ThreadPool& pool) { sort.sort(pool, box, positions.view()); });
    queue.synchronize();
    const auto n = static_cast<std::int64_t>(positions.size());
    ClusterPairs<float> pairs(queue, r_cut, false);
    pairs.lay_out(sort, n);
    const auto layout = pairs.packed();
    std::vector<Vec3d> at(static_cast<std::size_t>(pairs.clusters()) * cluster_size);
    std::vector<bool> filled(at.size());
    device::parallel_for(queue, "place", n, [&](std::int64_t i) {
        const auto r = gas.start().particles.position[static_cast<std::size_t>(
            sort.order()[static_cast<std::size_t>(i)])];
        layout.store(i, r), layout.set_outer_limit(i, 0.05F);
        const auto slot = static_cast<std::size_t>(layout.slot[i]);
        at[slot] = r, filled[slot] = true;
    });
    queue.synchronize();
    pairs.search(sort, box);
    device::parallel_for(queue, "reach", n, [&](std::int64_t i) {
        layout.set_limit(i, static_cast<float>(0.5 * width));
    });
    pairs.prune();
    const double from = r_cut + width, to = from + 0.02;
    std::int64_t listed = 0, all = 0;
    pairs.for_each_pair([&](std::int32_t i, std::int32_t j, std::int32_t shift, bool) {
        if (!filled[static_cast<std::size_t>(i)] || !filled[static_cast<std::size_t>(j)]) return;
        const auto s = lattice_of_shift(shift);
        const auto d = at[static_cast<std::size_t>(i)] + box.lattice(s.x, s.y, s.z) -
                       at[static_cast<std::size_t>(j)];
        if (dot(d, d) > from * from && dot(d, d) < to * to) ++listed;
    });
    const auto& r = gas.start().particles.position;
    for (std::size_t i = 0; i < r.size(); ++i)
        for (std::size_t j = i + 1; j < r.size(); ++j) {
            const auto d = box.minimum_image(r[i] - r[j]);
            if (dot(d, d) > from * from && dot(d, d) < to * to) ++all;
        }
    return 1 - static_cast<double>(listed) / static_cast<double>(all);
}

TEST(DriftBuffer, ListsOfClustersHoldMostPairsBeyondTheirRadius) {
    Gas gas(false);
    for (const double width : {0.0, 0.03, 0.08}) {
        const double measured = missing_fraction(gas, width);
        const double estimate = gas.buffer(4).missing_fraction(r_cut + width);
        EXPECT_LT(measured, 1.05 * estimate) << width;
        EXPECT_GT(measured, 0.3 * estimate) << width;
    }
}

/// Attraction and repulsion rise alike at the cut-off, from where few unseen pairs come far.
TEST(DriftBuffer, CountsRepulsionAsAttractionThatRisesAlike) {
    const auto width = [](double c6, double c12) {
        Gas gas(false);
        auto spec = gas.system().nonbonded->spec();
        spec.c6 = {c6}, spec.c12 = {c12}, spec.coulomb_constant = 0;
        gas.system().nonbonded.emplace(spec);
        gas.system().list.tolerance = 1e-4;
        return gas.buffer(4).width(4);
    };
    const double attraction = width(Gas::c6, 0);
    EXPECT_GT(attraction, 0.02);
    EXPECT_NEAR(width(0, 0.5 * Gas::c6 * std::pow(r_cut, 6)) / attraction, 1, 0.1);
}

/// A potential beside the charges may need a wider list than these do.
TEST(DriftBufferOfPotentials, CountsThemBesideMolecules) {
    const auto width = [](bool beside, double c6) {
        const auto start = liquid({2.6, 2.6, 2.6}, 1000, 0.15, kT);
        Simulation sim(host(1), Precision::mixed, start.box, start.particles, 1, 3);
        PairForceSpec force = lennard_jones(r_cut);
        force.parameters = {beside ? 40.0 : 0.0, 0.3};
        sim.add_pair(force);
        NonbondedSpec spec;
        spec.n_types = 1, spec.c6 = {c6}, spec.c12 = {0};
        spec.r_vdw = spec.r_coulomb = r_cut, spec.coulomb_constant = 138.9;
        sim.set_nonbonded(spec);
        sim.set_list(
            {.exact = false, .tolerance = 0.05, .inner_lifetime = 10, .outer_lifetime = 20});
        sim.set_motion(nve(dt), {});
        sim.forces();
        return sim.statistics().inner_buffer;
    };
    // 4 ε σ⁶ of the potential as the attraction of molecules: estimates of both agree on the scale.
    const double without = width(false, 0), with = width(true, 0);
    const double of_molecules = width(false, 160 * std::pow(0.3, 6));
    EXPECT_GT(with, without + 0.02);
    EXPECT_GT(with, 0.7 * of_molecules);
}

}  // namespace
}  // namespace aureole::md::testing
