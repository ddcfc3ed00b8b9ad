// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "io/checkpoint.hpp"
#include "md/checkpoint/state_blocks.hpp"
#include "md/simulation/tests/molecules_systems.hpp"

// Checkpoints of earlier versions named the particles of terms by 32-bit tags.
namespace aureole::md::testing {
namespace {

/// Dumbbells in chains of bonds.
std::unique_ptr<Simulation> chains() {
    const auto start = fcc(3, 0.8, 0.05);
    auto sim = bound(start, motion(Scheme::leap_frog, 0.004));
    const auto n = static_cast<Tag>(start.particles.position.size());
    std::vector<Tag> bonds;
    Exclusions exclusions{{0}, {}};
    for (Tag i = 0; i < n; ++i) {
        if (i % 2 == 1 && i + 1 < n) bonds.insert(bonds.end(), {i, i + 1});
        exclusions.partner.push_back(i % 2 == 0 ? i + 1 : i - 1);
        exclusions.start.push_back(i + 1);
    }
    const std::vector<std::int32_t> row(bonds.size() / 2, 0);
    sim->add_bonded("harmonic_bond", bonds, row, {1.5, 20});
    sim->set_exclusions(exclusions);
    return sim;
}

/// The file as an earlier version wrote it; how many blocks of it differ.
int narrow_tags(const std::filesystem::path& path) {
    auto blocks = io::read_blocks(path);
    int changed = 0;
    const std::string ending = ".tags";
    for (const auto& [name, bytes] : StateBlocks(blocks)) {
        if (!name.ends_with(ending)) continue;
        const auto of = name.substr(0, name.size() - ending.size());
        const auto tags = get<Tag>(blocks, name);
        blocks.erase(name);
        put(blocks, of + (of == "exclusions" ? ".partner" : ".particles"),
            std::vector<std::int32_t>(tags.begin(), tags.end()));
        ++changed;
    }
    io::write_blocks(path, blocks);
    return changed;
}

TEST(OldCheckpoints, WithNarrowTagsContinueToTheBit) {
    under_test = host(1);
    const auto sim = chains();
    sim->run(30, no_interruption);
    const auto file = scratch_file("narrow");
    sim->write_checkpoint(file, "");
    EXPECT_EQ(narrow_tags(file), 3);  // bonds, constraints, exclusions
    std::string extra;
    const auto resumed = Simulation::read_checkpoint(file, host(1), extra);
    EXPECT_EQ(resumed->system().bonded.lists()[0].spec.particles,
              sim->system().bonded.lists()[0].spec.particles);
    EXPECT_EQ(resumed->system().exclusions.partner, sim->system().exclusions.partner);
    sim->run(50, no_interruption), resumed->run(50, no_interruption);
    EXPECT_EQ(phase(*resumed), phase(*sim));
    EXPECT_EQ(resumed->thermo().potential, sim->thermo().potential);
}

}  // namespace
}  // namespace aureole::md::testing
