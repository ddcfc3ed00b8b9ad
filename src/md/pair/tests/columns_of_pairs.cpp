// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "core/error.hpp"
#include "md/pair/leaves/lennard_jones.hpp"
#include "md/pair/tests/all_pairs.hpp"
#include "md/pair/tests/leaf_parameters.hpp"
#include "md/simulation/tests/systems.hpp"

// A potential that reads a column of the user's, over every kind of list, beside all pairs.
namespace aureole::md::testing {
namespace {

constexpr double r_cut = 1.4;  // no more than the largest diameter

void set_numbers(Simulation& sim, const std::string& name, const std::vector<double>& values) {
    sim.set_column(ElementType::real, {.name = name, .unit = "length"},
                   std::as_bytes(std::span(values)));
}

/// Diameters from 0.8 to 1.4, in numbers that single precision holds.
std::vector<double> diameters(std::size_t n) {
    std::vector<double> out;
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(static_cast<double>(0.8F + 0.05F * static_cast<float>(i * 7 % 13)));
    return out;
}

PairForceSpec spheres(EnergyMode mode = EnergyMode::none, int n_types = 1, double cut = r_cut) {
    PairForceSpec spec;
    spec.potential = "SoftSpheres", spec.n_types = n_types, spec.mode = mode;
    for (int a = 0; a < n_types; ++a)
        for (int b = 0; b < n_types; ++b) {
            spec.parameters.push_back(20 + 3 * (a + b));
            spec.r_cut.push_back(cut), spec.r_switch.push_back(0.8 * cut);
        }
    return spec;
}

Start spheres_at_random(int n_types = 1) {
    return liquid({9, 10, 8, 0.2, -0.1, 0.1}, 600, 0.6, 1, 5, n_types);
}

std::unique_ptr<Simulation> spheres_on(const Start& start, const PairForceSpec& force,
                                       const DeviceSpec& device, Precision precision) {
    auto sim = simulate(start, force, nve(0.004), device, precision);
    set_numbers(*sim, "diameter", diameters(start.particles.position.size()));
    return sim;
}

class ColumnsOfPairs : public ::testing::TestWithParam<DeviceSpec> {
  protected:
    template <class T>
    void check(Simulation& sim) {
        constexpr double bound = sizeof(T) == 4 ? 2e-6 : 1e-12;
        const auto force = sim.forces();
        const auto want = all_pairs<T>(sim.queue(), sim.system());
        ASSERT_GT(want.total.energy, 1);
        EXPECT_LE(compare(force, want.force).rms, bound);
        const auto thermo = sim.thermo();
        EXPECT_NEAR(thermo.potential, want.total.energy, bound * want.absolute_energy);
        EXPECT_LE(largest_component(thermo.virial + (-1.0) * want.total.virial),
                  bound * want.absolute_virial);
        EXPECT_EQ(sim.forces(), force);  // a look changes no force
        const auto sums = sim.particle_sums();
        for (std::size_t i = 0; i < sums.energy.size(); ++i)
            ASSERT_NEAR(sums.energy[i], want.energy[i], bound * want.absolute_energy);
    }
};
INSTANTIATE_TEST_SUITE_P(Everywhere, ColumnsOfPairs, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return name_of(p.param); });

TEST_P(ColumnsOfPairs, ForcesAreThoseOfAllPairs) {
    const auto start = spheres_at_random();
    const auto mixed = spheres_on(start, spheres(), GetParam(), Precision::mixed);
    const auto full = spheres_on(start, spheres(), GetParam(), Precision::full);
    check<float>(*mixed), check<double>(*full);
    // And after particles have been sorted anew, a few times.
    mixed->run(steps(150), no_interruption), full->run(steps(150), no_interruption);
    check<float>(*mixed), check<double>(*full);
}

TEST_P(ColumnsOfPairs, EndAtACutOffAsOthersDo) {
    for (const int n_types : {1, 2})
        for (const auto mode : all_modes) {
            SCOPED_TRACE(name_of(mode));
            const auto start = spheres_at_random(n_types);
            // Cut off where spheres still push each other.
            const auto force = spheres(mode, n_types, 1.0);
            check<float>(*spheres_on(start, force, GetParam(), Precision::mixed));
            check<double>(*spheres_on(start, force, GetParam(), Precision::full));
        }
}

TEST_P(ColumnsOfPairs, FollowTheColumn) {
    const auto start = spheres_at_random();
    const auto sim = spheres_on(start, spheres(), GetParam(), Precision::full);
    const double before = sim->thermo().potential;
    auto smaller = diameters(start.particles.position.size());
    for (double& d : smaller) d *= 0.9;
    set_numbers(*sim, "diameter", smaller);
    EXPECT_LT(sim->thermo().potential, 0.9 * before);
    check<double>(*sim);
}

TEST_P(ColumnsOfPairs, GoOnFromACheckpointToTheBit) {
    const auto file = scratch_file("columns_of_pairs_" + name_of(GetParam()));
    const auto start = spheres_at_random();
    for (const auto precision : {Precision::mixed, Precision::full}) {
        const auto whole = spheres_on(start, spheres(), GetParam(), precision);
        whole->run(steps(40), no_interruption);
        whole->write_checkpoint(file, "");
        whole->run(steps(60), no_interruption);
        std::string extra;
        const auto rest = Simulation::read_checkpoint(file, GetParam(), extra);
        rest->run(steps(60), no_interruption);
        EXPECT_EQ(phase(*rest), phase(*whole));
    }
}

TEST_P(ColumnsOfPairs, KeepTheEnergy) {
    const auto start = spheres_at_random();
    const auto sim = spheres_on(start, spheres(), GetParam(), Precision::full);
    sim->run(steps(50), no_interruption);
    const auto energy = [&] {
        const auto thermo = sim->thermo();
        return thermo.potential + thermo.kinetic;
    };
    const double before = energy();
    sim->run(steps(200), no_interruption);
    EXPECT_NEAR(energy(), before, 2e-4 * before);
}

std::string message_of(const std::function<void()>& what) {
    try {
        what();
    } catch (const core::InputError& error) {
        return error.what();
    }
    return "nothing was wrong";
}

TEST(ColumnsOfPairsInput, SaysWhatIsMissing) {
    const auto start = spheres_at_random();
    const auto sim = simulate(start, spheres(), nve(0.004), {{.threads = 1, .pin = false}});
    const auto message = message_of([&] { sim->forces(); });
    EXPECT_NE(message.find("no column 'diameter'"), std::string::npos) << message;
    EXPECT_NE(message.find("SoftSpheres"), std::string::npos) << message;
}

TEST(ColumnsOfPairsInput, RefusesColumnsOfOtherThings) {
    const auto start = spheres_at_random();
    const auto sim = simulate(start, spheres(), nve(0.004), {{.threads = 1, .pin = false}});
    const std::vector<Vec3d> vectors(start.particles.position.size());
    sim->set_column(ElementType::vector, {.name = "diameter"}, std::as_bytes(std::span(vectors)));
    const auto message = message_of([&] { sim->forces(); });
    EXPECT_NE(message.find("one number per particle"), std::string::npos) << message;
}

TEST(ColumnsOfPairsInput, RefusesWhatWouldNeedOneEnergyForAllPairs) {
    auto force = spheres();
    force.tail_correction = true;
    EXPECT_NE(message_of([&] { PairForce one(force); }).find("tail correction"), std::string::npos);
    const auto start = spheres_at_random();
    const auto sim = spheres_on(start, spheres(), {{.threads = 1, .pin = false}}, Precision::mixed);
    sim->set_list({.exact = false});
    EXPECT_NE(message_of([&] { sim->forces(); }).find("Use an exact list"), std::string::npos);
}

/// A leaf that reads two columns, by name and by position in its list.
struct TwoColumns {
    using diameter = leaves::user<"diameter">;
    using reads = leaves::Columns<leaves::charge, diameter>;
    static constexpr Parameter parameters[] = {{"epsilon", "energy", "strength"}};
    template <class R>
    static R energy(const Pair<R, reads>& pair, const Coefficients<R, 1>& c) {
        return c[0] * pair.i[leaves::charge{}] * pair.j[diameter{}] * pair.r2;
    }
};

TEST(ColumnsOfPairsLeaf, NamesItsColumns) {
    static_assert(numbers_read<TwoColumns> == 2 && numbers_read<leaves::LennardJones> == 0);
    EXPECT_STREQ(TwoColumns::reads::list[0].name, "charge");
    EXPECT_STREQ(TwoColumns::reads::list[1].name, "diameter");
    const PairOf<TwoColumns, double> pair{4.0, {{2, 3}}, {{5, 7}}};
    EXPECT_EQ((TwoColumns::energy<double>(pair, {1.5})), 1.5 * 2 * 7 * 4);
    // dU/d(r²) = 1.5 × 2 × 7, by dual numbers
    EXPECT_EQ((force_over_r<TwoColumns, double>(pair, {1.5})), -2 * 1.5 * 2 * 7);
}

/// Vectors and tags, which are several numbers each in kernels.
struct VectorsAndTags {
    using flow = leaves::user<"flow", "", Vec3d>;
    using reads = leaves::Columns<leaves::velocity, leaves::charge, leaves::tag, flow>;
    static constexpr Parameter parameters[] = {{"gamma", "mass/time", "strength"}};
    template <class R>
    static R energy(const Pair<R, reads>&, const Coefficients<R, 1>&) {
        return R(0);
    }
    template <class R>
    static R force_over_r(const Pair<R, reads>& pair, const Coefficients<R, 1>& c) {
        const R later = select(pair.i[leaves::tag{}] < pair.j[leaves::tag{}], R(1), R(2));
        return later * c[0] * pair.j[leaves::charge{}] *
               dot(pair.i[leaves::velocity{}] - pair.j[flow{}], pair.d);
    }
};

template <class T>
ColumnValues<T, VectorsAndTags::reads> values(const Vec3d& v, double q, Tag tag, const Vec3d& u) {
    ColumnValues<T, VectorsAndTags::reads> of;
    put_numbers(v, of.value, 1), put_numbers(q, of.value + 3, 1);
    put_numbers(tag, of.value + 4, 1), put_numbers(u, of.value + 6, 1);
    return of;
}

TEST(ColumnsOfPairsLeaf, GetsVectorsAndTags) {
    static_assert(numbers_read<VectorsAndTags> == 9 && reads_vectors<VectorsAndTags>);
    const Tag large = Tag(1) << 30;  // single precision holds no such number and its successor
    for (const Tag other : {large - 1, large + 1, 3 * large}) {
        const auto i = values<float>({1, 2, 3}, 5, large, {});
        const auto j = values<float>({}, 7, other, {1, 1, 1});
        const PairOf<VectorsAndTags, float> pair{4, i, j, {0, 1, 2}};
        const float along = (2 - 1) * 1 + (3 - 1) * 2;
        EXPECT_EQ((force_over_r<VectorsAndTags, float>(pair, {0.5F})),
                  (large < other ? 1 : 2) * 0.5F * 7 * along);
        if (other != 3 * large) {
            EXPECT_EQ(pair.i[leaves::tag{}] - pair.j[leaves::tag{}],
                      static_cast<float>(large - other));
        }
    }
}

}  // namespace
}  // namespace aureole::md::testing
