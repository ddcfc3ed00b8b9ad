// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "md/pair/tests/all_pairs.hpp"
#include "md/simulation/tests/systems.hpp"
#include "md/system/engine.hpp"

// After every step of a hot run the list misses no pair within the cut-off: forces are those of all
// pairs. Limits are planned too short on purpose, so that lists expire, and are extended and
// renewed all the time.
namespace aureole::md::testing {
namespace {

/// A cut-off where the force is steep: a missed pair is no rounding.
constexpr double r_cut = 1.8;

/// A system with an engine of its own, without the rest of a simulation.
template <class T>
struct Rig {
    Rig(const Start& start, const MotionSpec& motion, int threads, bool flat,
        const CouplingSpec& coupling = {})
        : device(device::Device::host({.threads = threads, .pin = false})), queue(device) {
        system.box = start.box;
        system.particles = upload(queue, start.particles);
        system.forces.emplace_back(lennard_jones(r_cut, EnergyMode::none, start.n_types));
        system.motion = motion;
        system.coupling = coupling,
        system.motion.coupled = coupling.barostat.kind != Barostat::none;
        system.first_volume = start.box.volume();
        system.seed = 3;
        engine = flat ? make_flat_engine<T>(queue, system) : make_cluster_engine<T>(queue, system);
    }

    device::Device device;
    device::Queue queue;
    System system;
    std::unique_ptr<Engine> engine;
};

struct Hot {
    const char* name;
    std::function<Start()> start;
    MotionSpec motion;
    ListTuning tuning;
    int every;  ///< steps between comparisons
    CouplingSpec coupling = {};
};
void PrintTo(const Hot& h, std::ostream* out) { *out << h.name; }

core::Box open_along_z() {
    core::Box box{8, 7, 9};
    box.periodic_z = false;
    return box;
}

/// A barostat that strains the box by some tenths of a percent at every other step.
CouplingSpec pressed(Barostat kind, BoxShape shape) {
    CouplingSpec spec;
    spec.groups = {{4, 0, 0, {}, {}, false}};
    auto& b = spec.barostat;
    b.kind = kind, b.shape = shape, b.every = 2, b.tau = 0.5;
    b.pressure = {20, 18, 25, 0, 0, 0};
    b.compressibility = {0.02, 0.02, 0.02, 0.02, 0.02, 0.02};
    return spec;
}

std::vector<Hot> runs() {
    const ListTuning tight{0.02, 0.02, 6, 12}, hasty{0.0, 0.0, 3, 60}, usual{0.35, 0.7, 7, 30};
    const auto crystal = [] { return fcc(3, 0.7, 0.03, 4); };
    auto verlet = nve(0.003), leap_frog = nve(0.003);
    verlet.scheme = Scheme::verlet, leap_frog.scheme = Scheme::leap_frog;
    const auto drop = [](const core::Box& box, int n, double apart, double kT) {
        return [=] { return liquid(box, n, apart, kT); };
    };
    const auto tilted = drop({6.6, 5.8, 6.2, 0.35, -0.2, 0.4}, 158, 0.92, 3);
    return {
        {"crystal", crystal, nve(0.004), tight, 1},
        {"crystal_hasty", crystal, nve(0.004), hasty, 1},
        {"crystal_usual", crystal, nve(0.004), usual, 1},
        {"tilted", tilted, nve(0.003), tight, 1},
        {"tilted_hasty", tilted, nve(0.003), hasty, 1},
        {"tilted_kicked", tilted, langevin(0.003, 4, 40), hasty, 1},
        {"rescaled", tilted, bussi(0.003, 6, 0.01, 3), tight, 1},
        {"open", drop(open_along_z(), 300, 0.92, 3), nve(0.003), hasty, 1},
        {"small", drop({3.61, 3.62, 3.63}, 26, 0.9, 2), nve(0.003), hasty, 1},
        {"gas", drop({30, 28, 26}, 250, 0.95, 6), nve(0.01), hasty, 1},
        {"large", [] { return fcc(6, 0.75, 0.03, 4); }, nve(0.004), tight, 10},
        {"c_rescale", crystal, verlet, usual, 1, pressed(Barostat::c_rescale, BoxShape::isotropic)},
        {"c_rescale_hasty", tilted, verlet, hasty, 1,
         pressed(Barostat::c_rescale, BoxShape::anisotropic)},
        {"berendsen", tilted, leap_frog, usual, 1,
         pressed(Barostat::berendsen, BoxShape::anisotropic)},
        {"parrinello_rahman", tilted, leap_frog, usual, 1,
         pressed(Barostat::parrinello_rahman, BoxShape::anisotropic)}};
}

class ExactList : public ::testing::TestWithParam<Hot> {
  protected:
    template <class T>
    void run(int threads, bool flat) {
        const auto& hot = GetParam();
        SCOPED_TRACE(std::to_string(threads) + " threads" + (flat ? ", lanes" : "") +
                     (sizeof(T) == 4 ? ", mixed" : ", double"));
        Rig<T> rig(hot.start(), hot.motion, threads, flat, hot.coupling);
        rig.engine->set_tuning(hot.tuning);
        rig.engine->prepare();
        const std::int64_t looks = std::max<std::int64_t>(1, steps(120) / hot.every);
        const std::int64_t total = looks * hot.every;
        // Rounding, with room for particles that collide or sit across a face; a pair missed at
        // the cut-off has twenty times that.
        const double rms = sizeof(T) == 4 ? 5e-5 : 1e-12;
        const double largest = sizeof(T) == 4 ? 5e-4 : 1e-11;
        for (std::int64_t k = 0; k < total; k += hot.every) {
            rig.engine->advance(hot.every);
            const auto want = all_pairs<T>(rig.queue, rig.system);
            const auto error =
                compare(download_forces(rig.queue, *rig.engine, rig.system.particles.n), want);
            ASSERT_LE(error.rms, rms) << "at step " << rig.system.step;
            ASSERT_LE(error.largest, largest) << "at step " << rig.system.step;
        }
        const auto want = all_pairs<T>(rig.queue, rig.system);
        EXPECT_NEAR(rig.engine->potential().total.energy, want.total.energy,
                    rms * want.absolute_energy);
        EXPECT_EQ(rig.engine->statistics().steps, total);
        if (!flat) {
            EXPECT_GE(rig.engine->statistics().prunings, total / 10);
        }
    }
};

TEST_P(ExactList, MissesNoPairOnOneThread) { run<float>(1, false), run<double>(1, false); }
TEST_P(ExactList, MissesNoPairOnTwoThreads) { run<float>(2, false), run<double>(2, false); }
TEST_P(ExactList, MissesNoPairOnThreeThreads) { run<float>(3, false), run<double>(3, false); }
TEST_P(ExactList, MissesNoPairWithFlatLists) { run<float>(2, true), run<double>(1, true); }

INSTANTIATE_TEST_SUITE_P(Hot, ExactList, ::testing::ValuesIn(runs()),
                         [](const auto& p) { return std::string(p.param.name); });

TEST(ExactListStatistics, TightLimitsExpireAndAreHandled) {
    Rig<float> rig(fcc(4, 0.7, 0.03, 4), nve(0.004), 2, false);
    rig.engine->set_tuning({0.0, 0.0, 3, 60});
    rig.engine->prepare();
    rig.engine->advance(100);
    EXPECT_GT(rig.engine->statistics().early_prunings, 0);
    EXPECT_GT(rig.engine->statistics().searches, 1);
}

}  // namespace
}  // namespace aureole::md::testing
