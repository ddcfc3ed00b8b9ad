// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "md/simulation/tests/systems.hpp"

// A run that blows up names the particle, its partner, the force and the step.
namespace aureole::md::testing {
namespace {

constexpr std::uint32_t victim = 100, partner = 37;

struct Report {
    core::BlowUp what;
    std::string text;
};

/// The report of a run after `spoil` has changed the columns.
template <class Spoil>
Report report(const DeviceSpec& device, Spoil&& spoil) {
    const auto sim = simulate(fcc(4, 0.8442, 0.03), lennard_jones(2.5), nve(0.005), device);
    sim->run(steps(30), no_interruption);  // local order is no longer that of tags
    auto& p = sim->particles();
    auto& queue = sim->queue();
    const auto tags = download_tags(queue, p);
    auto r = to_tag_order(download(queue, p.position), tags);
    auto v = to_tag_order(download(queue, p.velocity), tags);
    spoil(r, v);
    device::copy_from_host(queue, p.position.view(), to_local_order(r, tags).data());
    device::copy_from_host(queue, p.velocity.view(), to_local_order(v, tags).data());
    sim->edited();
    try {
        sim->run(100, no_interruption);
    } catch (const core::BlowUpError& e) {
        return {e.what_happened, e.what()};
    }
    return {};
}

class BlowUps : public ::testing::TestWithParam<DeviceSpec> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, BlowUps, ::testing::ValuesIn(everywhere()),
                         [](const auto& p) { return name_of(p.param); });

using Columns = std::vector<Vec3d>;

TEST_P(BlowUps, AnOverlapNamesBothParticlesAndTheForce) {
    const auto found = report(GetParam(), [](Columns& r, Columns&) {
        r[victim] = r[partner] + Vec3d{1e-3, 0, 0};
    });
    EXPECT_EQ(found.what.tag, partner);  // the smaller tag of the two
    EXPECT_EQ(found.what.partner, victim);
    EXPECT_EQ(found.what.force, "LennardJones");
    EXPECT_EQ(found.what.step, steps(30) + 1);
    EXPECT_NE(found.text.find("particle 37 moved too far"), std::string::npos) << found.text;
    EXPECT_NE(found.text.find("LennardJones with particle 100"), std::string::npos) << found.text;
    EXPECT_NE(found.text.find("step " + std::to_string(steps(30) + 1)), std::string::npos);
}

TEST_P(BlowUps, AVelocityThatIsNotANumberIsFound) {
    const auto found = report(GetParam(), [](Columns&, Columns& v) {
        v[victim].y = std::numeric_limits<double>::quiet_NaN();
    });
    EXPECT_EQ(found.what.tag, victim);
    EXPECT_EQ(found.what.force, "velocity");
    EXPECT_EQ(found.what.step, steps(30) + 1);
}

TEST_P(BlowUps, AHugeVelocityIsFound) {
    const auto found = report(GetParam(), [](Columns&, Columns& v) { v[victim] = {1e6, 0, 0}; });
    EXPECT_EQ(found.what.tag, victim);
    EXPECT_EQ(found.what.force, "velocity");
    EXPECT_EQ(found.what.partner, -1);
}

TEST_P(BlowUps, TheReportIsTheSameEachTime) {
    const auto spoil = [](Columns& r, Columns& v) {
        r[victim] = r[partner] + Vec3d{0, 2e-3, 1e-3};
        v[7] = {0, 0, -1e7};
    };
    const auto once = report(GetParam(), spoil), again = report(GetParam(), spoil);
    EXPECT_EQ(once.text, again.text);
    EXPECT_EQ(once.what.tag, 7);  // the smallest tag of all that were thrown out
    EXPECT_EQ(once.what.step, again.what.step);
}

TEST(BlowUpReports, DoNotDependOnTheNumberOfThreads) {
    const auto spoil = [](Columns& r, Columns&) { r[victim] = r[partner] + Vec3d{1e-3, 0, 0}; };
    const auto one = report(host(1), spoil), two = report(host(2), spoil);
    EXPECT_EQ(one.what.tag, two.what.tag);
    EXPECT_EQ(one.what.partner, two.what.partner);
    EXPECT_EQ(one.what.step, two.what.step);
    EXPECT_EQ(one.what.force, two.what.force);
}

}  // namespace
}  // namespace aureole::md::testing
