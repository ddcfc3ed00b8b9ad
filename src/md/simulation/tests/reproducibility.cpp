// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "md/simulation/tests/systems.hpp"

// The same input gives the same bits, however the run is cut into pieces and looked at.
namespace aureole::md::testing {
namespace {

struct Recipe {
    std::string name;
    DeviceSpec device;
    MotionSpec motion;
    Precision precision;
};
void PrintTo(const Recipe& r, std::ostream* out) { *out << r.name; }

std::vector<Recipe> recipes() {
    std::vector<Recipe> all;
    const std::pair<const char*, MotionSpec> motions[] = {{"nve", nve(0.005)},
                                                          {"langevin", langevin(0.004, 1.2, 1)},
                                                          {"bussi", bussi(0.004, 1.2, 0.2, 7)}};
    for (const auto& device : everywhere())
        for (const auto& [name, motion] : motions)
            for (const auto precision : {Precision::mixed, Precision::full})
                all.push_back({std::string(name) + "_" + name_of(device) +
                                   (precision == Precision::mixed ? "_mixed" : "_double"),
                               device, motion, precision});
    return all;
}

class Reproducibility : public ::testing::TestWithParam<Recipe> {
  protected:
    static Start start() { return fcc(4, 0.8, 0.05, 2, 5, 2); }
    static std::unique_ptr<Simulation> make() {
        const auto& r = GetParam();
        return simulate(start(), lennard_jones(2.5, EnergyMode::shift, 2), r.motion, r.device,
                        r.precision);
    }
    static Phase straight(std::int64_t n) {
        const auto sim = make();
        sim->run(n, no_interruption);
        return phase(*sim);
    }
    static std::filesystem::path file() { return scratch_file(GetParam().name); }
    const std::int64_t n = steps(100);
};
INSTANTIATE_TEST_SUITE_P(All, Reproducibility, ::testing::ValuesIn(recipes()),
                         [](const auto& p) { return p.param.name; });

TEST_P(Reproducibility, TwiceTheSameIsTheSame) { EXPECT_EQ(straight(n), straight(n)); }

TEST_P(Reproducibility, ARunInPiecesIsTheRun) {
    const auto sim = make();
    for (std::int64_t done = 0, piece = 1; done < n;
         done += piece, piece = std::min(piece + 3, n - done))
        sim->run(piece, no_interruption);
    EXPECT_EQ(sim->system().step, n);
    EXPECT_EQ(phase(*sim), straight(n));
}

TEST_P(Reproducibility, LookingChangesNothing) {
    const auto sim = make();
    for (std::int64_t done = 0; done < n; ++done) {
        if (done % 9 == 4) sim->thermo();
        if (done % 13 == 5) sim->forces();
        if (done % 17 == 6) sim->particle_sums();
        sim->run(1, no_interruption);
    }
    EXPECT_EQ(phase(*sim), straight(n));
}

TEST_P(Reproducibility, TheThreadsThatTakePartChangeNothing) {
    const auto sim = make();
    if (sim->device().backend() != device::Backend::host) GTEST_SKIP() << "not a host's threads";
    auto& threads = sim->device().threads();
    for (std::int64_t done = 0; done < n; done += 2) {
        threads.fix_active(1 + static_cast<int>(done / 2 % threads.size()));
        sim->run(std::min<std::int64_t>(2, n - done), no_interruption);
    }
    threads.fix_active(0);
    EXPECT_EQ(phase(*sim), straight(n));
}

TEST_P(Reproducibility, ARestartIsTheUninterruptedRun) {
    const auto want = straight(n);
    std::mt19937 engine(static_cast<unsigned>(std::hash<std::string>{}(GetParam().name)));
    for (int repeat = 0; repeat < 3; ++repeat) {
        const auto stop = static_cast<std::int64_t>(engine() % static_cast<unsigned>(n + 1));
        SCOPED_TRACE("written at step " + std::to_string(stop));
        {
            const auto sim = make();
            sim->run(stop, no_interruption);
            sim->write_checkpoint(file(), "a note");
            sim->run(n - stop, no_interruption);  // writing changes nothing either
            EXPECT_EQ(phase(*sim), want);
        }
        std::string note;
        const auto sim = Simulation::read_checkpoint(file(), GetParam().device, note);
        EXPECT_EQ(note, "a note");
        EXPECT_EQ(sim->system().step, stop);
        sim->run(n - stop, no_interruption);
        EXPECT_EQ(phase(*sim), want);
    }
}

TEST_P(Reproducibility, ARestartOfARestartIsTheUninterruptedRun) {
    std::string note;
    auto sim = make();
    for (std::int64_t k = 0; k < 4; ++k) {
        sim->run(n / 4, no_interruption);
        sim->write_checkpoint(file(), note);
        sim = Simulation::read_checkpoint(file(), GetParam().device, note);
        sim->write_checkpoint(file(), note);  // twice in a row
        sim = Simulation::read_checkpoint(file(), GetParam().device, note);
    }
    EXPECT_EQ(phase(*sim), straight(4 * (n / 4)));
}

}  // namespace
}  // namespace aureole::md::testing
