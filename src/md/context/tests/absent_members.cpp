// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "core/error.hpp"
#include "device/tests/devices.hpp"
#include "md/context/topology.hpp"
#include "md/lists/term_forces.hpp"
#include "md/particles/tests/fixed_force_reads.hpp"
#include "md/simulation/tests/rigid_systems.hpp"

// A topology where some particles are elsewhere: terms of absent particles are left out, and what
// one rank owns together is refused where some of it is absent.
namespace aureole::md::testing {
namespace {

constexpr Tag per_molecule = 12;

/// A water with a virtual site, a pair and a chain with constraints, and bonds between them; an
/// angle in the first molecule alone.
struct Molecules {
    explicit Molecules(int count) {
        sites.vsite3.parameters = {0.13, 0.13};
        for (int m = 0; m < count; ++m) add_molecule(m * per_molecule);
        system.box = rigid.box;
        system.particles.n = count * per_molecule;
        system.constraints = rigid.spec;
        system.sites = sites;
        system.sites.n = system.particles.n;
        system.exclusions = exclusions;
        system.bonded.add(bonds, system.particles.n), system.bonded.add(angle, system.particles.n);
        system.coupling.barostat.kind = Barostat::c_rescale;
    }

    void add_molecule(Tag o) {
        rigid.water();
        const auto place = rigid.position.back();
        rigid.atom(place, 0);
        for (int k = 4; k < per_molecule; ++k)
            rigid.atom(rigid.position.back() + 0.15 * rigid.direction(), 2.0 + 0.1 * k);
        const auto at = [&](int k) { return static_cast<std::int32_t>(o) + k; };
        rigid.bind(at(4), at(5));
        for (int k = 6; k + 1 < per_molecule; ++k) rigid.bind(at(k), at(k + 1));
        sites.vsite3.particles.insert(sites.vsite3.particles.end(), {o + 3, o, o + 1, o + 2});
        sites.vsite3.row.push_back(0);
        bonds.particles.insert(bonds.particles.end(), {o + 2, o + 4, o + 5, o + 6});
        bonds.row.insert(bonds.row.end(), {0, 0});
        for (int k = 0; k < per_molecule; ++k) {
            for (int other = 0; other < per_molecule; ++other)
                if (other != k) exclusions.partner.push_back(o + other);
            exclusions.start.push_back(static_cast<std::int64_t>(exclusions.partner.size()));
        }
    }

    Rigid rigid;
    SiteSpec sites;
    Exclusions exclusions{{0}, {}};
    TermSpec bonds{"harmonic_bond", {}, {}, {0.1, 1000}};
    TermSpec angle{"harmonic_angle", {0, 4, 7}, {0}, {1.9, 300}};
    System system;
};

/// Results of a topology for the local particles, by tag.
struct Outcome {
    std::vector<Vec3d> force, position;
    std::vector<double> energy;
    std::vector<std::set<Tag>> excluded;
    std::int64_t rigid_groups = 0;
};

class AbsentMembers : public device::testing::OnDevices {
  protected:
    template <class T>
    static std::vector<T> chosen(const std::vector<T>& by_tag, const std::vector<Tag>& tags) {
        std::vector<T> out;
        for (const auto tag : tags) out.push_back(by_tag[static_cast<std::size_t>(tag)]);
        return out;
    }

    Outcome act(Topology<double>& topology, const Molecules& of, const std::vector<Tag>& tags) {
        const auto n = of.rigid.size(), here = tags.size();
        const auto column = upload(tags);
        topology.localise(column.view(), static_cast<Tag>(n));
        const auto before = upload(chosen(of.rigid.position, tags));
        FixedForceColumn force(queue, -40);
        force.resize(queue, static_cast<std::int64_t>(here));
        const BondedBox box(of.rigid.box);
        for (const auto& job : topology.bonded.jobs(force.view(), box, before.data()))
            add_term_forces(queue, job, {});
        auto sums = upload(std::vector<EnergyVirial>(2));
        topology.bonded.sums(queue, box, before.data(), sums.data());
        auto moved = of.rigid.position;
        std::mt19937_64 random(3);
        std::normal_distribution<double> step(0, 0.003);
        for (auto& r : moved) r += Vec3d{step(random), step(random), step(random)};
        auto after = upload(chosen(moved, tags));
        ConstraintMove move{of.rigid.box, before.view(), after.view()};
        move.inverse_dt = 500;
        topology.constraints->enqueue(queue, move);
        if (topology.sites) topology.sites->construct(queue, {of.rigid.box, after.view()});
        Outcome out{std::vector<Vec3d>(n),
                    std::vector<Vec3d>(n),
                    {},
                    std::vector<std::set<Tag>>(n),
                    topology.rigid_group_count()};
        for (const auto& sum : download(sums)) out.energy.push_back(sum.energy);
        const auto local_force = read_forces(queue, force, column.size());
        const auto local_position = download(after);
        std::vector<std::int32_t> start(here + 1), partner(here * (per_molecule - 1));
        if (const auto partners = topology.exclusions.partners(); partners.any()) {
            device::copy_to_host(queue, start.data(), {partners.start, column.size() + 1});
            device::copy_to_host(queue, partner.data(),
                                 {partners.partner, static_cast<std::int64_t>(partner.size())});
        }
        for (std::size_t i = 0; i < here; ++i) {
            const auto tag = static_cast<std::size_t>(tags[i]);
            out.force[tag] = local_force[i], out.position[tag] = local_position[i];
            for (auto k = start[i]; k < start[i + 1]; ++k)
                out.excluded[tag].insert(tags[static_cast<std::size_t>(partner[std::size_t(k)])]);
        }
        return out;
    }

    static std::vector<Tag> all_of(const Molecules& of) {
        std::vector<Tag> tags(of.rigid.size());
        std::iota(tags.begin(), tags.end(), Tag(0));
        return tags;
    }
};

TEST_P(AbsentMembers, LeaveTheOthersAsTheyAre) {
    constexpr int count = 12;
    const Molecules of(count);
    Topology<double> topology(queue, of.system, Constraints::Path::automatic);
    const auto whole = act(topology, of, all_of(of));
    EXPECT_EQ(whole.rigid_groups, count * 3);
    EXPECT_GT(whole.energy[1], 0);
    std::mt19937 random(5);
    for (const int present : {7, 0, count}) {
        std::vector<Tag> tags;
        for (Tag tag = 0; tag < count * per_molecule; ++tag)
            if (count - tag / per_molecule <= present) tags.push_back(tag);
        std::ranges::shuffle(tags, random);
        const auto some = act(topology, of, tags);
        EXPECT_EQ(some.rigid_groups, 3 * present);
        EXPECT_EQ(some.energy[1], present == count ? whole.energy[1] : 0);
        if (present < count) {
            EXPECT_LT(some.energy[0], whole.energy[0]);
        }
        for (const auto t : tags) {
            const auto tag = static_cast<std::size_t>(t);
            const bool with_angle = t < per_molecule && present < count;
            const auto df = some.force[tag] - whole.force[tag];
            const auto dr = some.position[tag] - whole.position[tag];
            if (!with_angle) {
                EXPECT_LE(dot(df, df), 1e-20) << t;
            }
            EXPECT_LE(dot(dr, dr), 1e-24) << t;
            EXPECT_EQ(some.excluded[tag], whole.excluded[tag]) << t;
        }
    }
}

TEST_P(AbsentMembers, OfWhatOneRankOwnsTogetherAreNamed) {
    const auto refused = [&](const Molecules& of, Tag absent, const std::string& words) {
        Topology<double> topology(queue, of.system, Constraints::Path::automatic);
        auto tags = all_of(of);
        std::erase(tags, absent);
        const auto column = upload(tags);
        try {
            topology.localise(column.view(), static_cast<Tag>(of.rigid.size()));
            ADD_FAILURE() << words << " was not found";
        } catch (const core::Error& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("particle " + std::to_string(absent) + " is"),
                      std::string::npos)
                << error.what();
        }
        act(topology, of, all_of(of));  // nothing is left of the attempt
    };
    Molecules of(3);
    refused(of, 5, "the constraint of particles 4 and 5");
    refused(of, 21, "the constraint of particles 20 and 21");
    refused(of, 13, "the settle of particles 12, 13 and 14");
    of.system.constraints.settle = {};
    refused(of, 13, "the virtual site of particles 15, 12, 13 and 14");
}

INSTANTIATE_TEST_SUITE_P(Devices, AbsentMembers, ::testing::ValuesIn(device::testing::all_setups()),
                         device::testing::name_of);

}  // namespace
}  // namespace aureole::md::testing
