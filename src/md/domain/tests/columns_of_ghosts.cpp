// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "md/domain/tests/rig.hpp"
#include "md/lists/columns_of_ghosts.hpp"

// Columns that potentials read of both particles: ghosts have their owners' values, those that
// change with steps as of each step.
namespace aureole::md::testing {
namespace {

double number_of(Tag tag, double step) { return 1 + 0.5 * static_cast<double>(tag) + 1e4 * step; }
Vec3d vector_of(Tag tag, double step) {
    return {number_of(tag, step), -number_of(tag, 2 * step), 3 + static_cast<double>(tag)};
}

template <class T, class F>
void fill(RankRig<double>& rig, Column<T>& column, const F& value) {
    std::vector<T> values;
    for (const auto tag : download_tags(rig.queue, rig.system.particles))
        values.push_back(value(tag));
    column.resize(rig.queue, rig.system.particles.n);
    device::copy_from_host(rig.queue, column.view(), values.data());
}

template <class T, class F>
void expect_of_tags(RankRig<double>& rig, const Column<T>& column, const F& value) {
    const auto& p = rig.system.particles;
    ASSERT_EQ(column.ghosts(), p.ghosts);
    const auto found = download(rig.queue, column.all());
    const auto tags = download(rig.queue, p.tag.all());
    ASSERT_EQ(found.size(), tags.size());
    for (std::size_t i = 0; i < tags.size(); ++i)
        ASSERT_EQ(found[i], value(tags[i])) << column.spec().name << " of " << tags[i];
}

std::vector<PairForce> spheres() {
    PairForceSpec spec;
    spec.potential = "SoftSpheres", spec.parameters = {20}, spec.r_cut = {1.4};
    spec.r_switch = {0};
    return {PairForce(spec)};  // which read diameters
}

void on_four(const std::function<void(RankRig<double>&)>& test) {
    const auto start = fcc(6, 0.8, 0.05, 1);
    comm::World::of_threads(4, [&](comm::World& world) {
        RankRig<double> rig(start, 2.5, {}, {}, 1, &world, {2, 1, 2});
        test(rig);
    });
}

void make_ghosts(RankRig<double>& rig) {
    auto& p = rig.system.particles;
    rig.domain->migrate(rig.queue, rig.system.box, p);
    rig.domain->make_ghosts(rig.queue, rig.system.box, p, 3);
    ASSERT_GT(p.ghosts, 100);
}

TEST(ColumnsOfGhosts, AreThereWherePotentialsReadThem) {
    on_four([](RankRig<double>& rig) {
        auto& p = rig.system.particles;
        auto& diameter = p.column<double>({.name = "diameter", .of_user = true});
        const auto value = [](Tag tag) { return number_of(tag, 7); };
        fill(rig, diameter, value);
        put_on_ghosts(p, spheres(), {spheres(), {}});
        make_ghosts(rig);
        expect_of_tags(rig, diameter, value);
    });
}

TEST(ColumnsOfGhosts, AreAsOfEachStepWhereTheyChange) {
    on_four([](RankRig<double>& rig) {
        auto& p = rig.system.particles;
        auto& diameter = p.column<double>({.name = "diameter", .of_user = true});
        fill(rig, diameter, [](Tag tag) { return number_of(tag, 0); });
        const ChangingColumns changing(spheres(), {"velocity", "diameter"});
        put_on_ghosts(p, spheres(), changing);
        changing.keep_first(rig.queue, p);
        make_ghosts(rig);
        const auto& kept = p.column<double>({.name = "diameter in pair forces"});
        for (const std::int64_t step : {0, 1, 2, 3}) {
            const auto value = [&](Tag tag) { return number_of(tag, static_cast<double>(step)); };
            fill(rig, diameter, value);
            if (step > 0)
                changing.keep(rig.queue, p, [&](AnyColumn& column) {
                    bring_to_ghosts(rig.queue, *rig.domain, column, step);
                });
            expect_of_tags(rig, kept, value);
        }
    });
}

TEST(ColumnsOfGhosts, MayBeVectors) {
    on_four([](RankRig<double>& rig) {
        auto& p = rig.system.particles;
        auto& flow = p.column<Vec3d>({.name = "flow", .on_ghosts = true});
        fill(rig, flow, [](Tag tag) { return vector_of(tag, 0); });
        make_ghosts(rig);
        for (const std::int64_t step : {0, 1, 2}) {
            const auto value = [&](Tag tag) { return vector_of(tag, static_cast<double>(step)); };
            fill(rig, flow, value);
            if (step > 0) bring_to_ghosts(rig.queue, *rig.domain, flow, step);
            expect_of_tags(rig, flow, value);
        }
    });
}

}  // namespace
}  // namespace aureole::md::testing
