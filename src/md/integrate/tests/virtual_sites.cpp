// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/virtual/virtual_sites.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/error.hpp"
#include "md/integrate/update_groups.hpp"
#include "md/pair/tests/all_pairs.hpp"
#include "md/simulation/tests/rigid_systems.hpp"

namespace aureole::md::testing {
namespace {

void add(TermColumns& terms, std::vector<Tag> particles, std::vector<double> parameters) {
    terms.particles.insert(terms.particles.end(), particles.begin(), particles.end());
    terms.row.push_back(static_cast<std::int32_t>(terms.row.size()));
    terms.parameters.insert(terms.parameters.end(), parameters.begin(), parameters.end());
}

/// Four parents (0 to 3) and one site of each kind (4 on), then sites made from sites.
SiteSpec one_of_each() {
    SiteSpec spec;
    spec.n = 16;
    add(spec.vsite1, {4, 1}, {});
    add(spec.vsite2, {5, 0, 1}, {0.3});
    add(spec.vsite2fd, {6, 2, 1}, {-0.07});
    add(spec.vsite3, {7, 0, 1, 2}, {0.2, 0.35});
    add(spec.vsite3fd, {8, 0, 1, 2}, {0.4, 0.1});
    add(spec.vsite3fad, {9, 1, 0, 3}, {2.0, 0.11});
    add(spec.vsite3out, {10, 3, 1, 2}, {-0.2, 0.3, 4.0});
    add(spec.vsite4fdn, {11, 0, 1, 2, 3}, {0.8, 1.1, 0.12});
    add(spec.vsiten, {12, 0}, {0.5});
    add(spec.vsiten, {12, 2}, {0.3});
    add(spec.vsiten, {12, 3}, {0.2});
    add(spec.vsite3out, {13, 8, 11, 2}, {0.5, 0.1, -3.0});  // from sites
    add(spec.vsite2fd, {14, 13, 9}, {0.2});
    add(spec.vsite1, {15, 14}, {});
    return spec;
}
constexpr std::size_t parents = 4;
const char* const kinds[] = {"vsite1",   "vsite2",    "vsite2fd",  "vsite3",
                             "vsite3fd", "vsite3fad", "vsite3out", "vsite4fdn",
                             "vsiten",   "level 1",   "level 2",   "level 3"};

class SiteBench {
  public:
    explicit SiteBench(const SiteSpec& spec, int threads = 2)
        : device_(device::Device::host({.threads = threads, .pin = false})),
          queue_(device_),
          sites(queue_, spec),
          index_of_(static_cast<std::size_t>(spec.n)) {
        std::iota(index_of_.begin(), index_of_.end(), 0);
        std::shuffle(index_of_.begin(), index_of_.end(), std::mt19937_64(3));
        sites.localise(queue_, map_of_indices(queue_, index_of_));
        for (auto* column : {&position_, &velocity_, &force_})
            *column = device::Buffer<Vec3d>(queue_, spec.n);
    }
    void construct(const core::Box& box, std::vector<Vec3d>& position,
                   std::vector<Vec3d>* velocity = nullptr) {
        send(position, position_);
        SiteMove move{box, position_.view()};
        if (velocity != nullptr) send(*velocity, velocity_), move.velocity = velocity_.view();
        sites.construct(queue_, move);
        fetch(position_, position);
        if (velocity != nullptr) fetch(velocity_, *velocity);
    }
    core::Sym3d spread(const core::Box& box, const std::vector<Vec3d>& position,
                       std::vector<Vec3d>& force) {
        send(position, position_), send(force, force_);
        sites.spread(queue_, {box, position_.view(), force_.view(), true});
        fetch(force_, force);
        core::Sym3d virial;
        device::copy_to_host(queue_, &virial, sites.last_virial());
        return virial;
    }

  private:
    void send(const std::vector<Vec3d>& by_tag, device::Buffer<Vec3d>& to) {
        auto local = by_tag;
        for (std::size_t i = 0; i < by_tag.size(); ++i)
            local[static_cast<std::size_t>(index_of_[i])] = by_tag[i];
        device::copy_from_host(queue_, to.view(), local.data());
    }
    void fetch(const device::Buffer<Vec3d>& from, std::vector<Vec3d>& by_tag) {
        const auto local = download(queue_, from);
        for (std::size_t i = 0; i < by_tag.size(); ++i)
            by_tag[i] = local[static_cast<std::size_t>(index_of_[i])];
    }

    device::Device device_;
    device::Queue queue_;

  public:
    VirtualSites sites;

  private:
    std::vector<std::int32_t> index_of_;
    device::Buffer<Vec3d> position_, velocity_, force_;
};

const core::Box triclinic{2, 2.5, 3, 0.2, -0.1, 0.3};

std::vector<Vec3d> places() {
    std::vector<Vec3d> r(16, Vec3d{0.05, 0.02, 0.01});
    r[0] = {0, 0, 0}, r[1] = {0.11, 0.02, -0.03}, r[2] = {-0.04, 0.12, 0.02};
    r[3] = {0.01, -0.05, 0.13};
    return r;
}

Vec3d cross_product(const Vec3d& a, const Vec3d& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double length(const Vec3d& a) { return std::sqrt(dot(a, a)); }

TEST(VirtualSites, StandWhereTheManualSays) {
    SiteBench bench(one_of_each());
    auto r = places();
    bench.construct(triclinic, r);
    const auto at = [&](int i, int j) {
        return r[static_cast<std::size_t>(j)] - r[static_cast<std::size_t>(i)];
    };
    const auto near = [&](int site, const Vec3d& want) {
        EXPECT_LT(length(r[static_cast<std::size_t>(site)] - want), 1e-15) << site;
    };
    near(4, r[1]);
    near(5, 0.7 * r[0] + 0.3 * r[1]);
    near(6, r[2] - (0.07 / length(at(2, 1))) * at(2, 1));
    near(7, 0.45 * r[0] + 0.2 * r[1] + 0.35 * r[2]);
    const auto on_line = at(0, 1) + 0.4 * at(1, 2);
    near(8, r[0] + (0.1 / length(on_line)) * on_line);
    // vsite3fad: distance and angle are what its parameters say, in the plane of its parents.
    const auto out = at(1, 9), along = at(1, 0);
    EXPECT_NEAR(length(out), 0.11, 1e-15);
    EXPECT_NEAR(dot(out, along) / (length(out) * length(along)), std::cos(2.0), 1e-14);
    EXPECT_NEAR(dot(out, cross_product(along, at(1, 3))), 0, 1e-17);
    EXPECT_GT(dot(out, at(0, 3) - (dot(at(0, 3), along) / dot(along, along)) * along), 0);
    near(10, r[3] - 0.2 * at(3, 1) + 0.3 * at(3, 2) + 4.0 * cross_product(at(3, 1), at(3, 2)));
    const auto normal = cross_product(0.8 * at(0, 2) - at(0, 1), 1.1 * at(0, 3) - at(0, 1));
    near(11, r[0] + (0.12 / length(normal)) * normal);
    near(12, 0.5 * r[0] + 0.3 * r[2] + 0.2 * r[3]);
    near(13, r[8] + 0.5 * at(8, 11) + 0.1 * at(8, 2) - 3.0 * cross_product(at(8, 11), at(8, 2)));
    near(14, r[13] + (0.2 / length(at(13, 9))) * at(13, 9));
    near(15, r[14]);
    // The same sites as gmx_d mdrun 2022.5 constructs them.
    const Vec3d of_gromacs[] = {{0.033, 0.006, -0.009},
                                {-0.096124860801609, 0.15741657386774, 0.03870828693387},
                                {0.008, 0.046, 0.001},
                                {0.063500063500095, 0.076200076200114, -0.012700012700019},
                                {0.18385610740015, -0.0047579409706262, 0.047668009879177},
                                {0.053, 0.063, 0.211},
                                {0.062788508976303, 0.075703316160609, 0.068750353183235}};
    for (std::size_t k = 0; k < std::size(of_gromacs); ++k)
        EXPECT_LT(length(r[k + 5] - of_gromacs[k]), 5e-14) << kinds[k + 1];
}

/// A potential of one site, and the site where the parents put it.
double potential_of(SiteBench& bench, std::vector<Vec3d> r, std::size_t site) {
    bench.construct(triclinic, r);
    const auto d = r[site] - Vec3d{0.3, -0.2, 0.15};
    return 50 * dot(d, d);
}

TEST(VirtualSites, ForcesAreSlopesOfTheEnergy) {
    const auto spec = one_of_each();
    SiteBench bench(spec);
    auto r = places();
    bench.construct(triclinic, r);
    for (std::size_t site = parents; site < r.size(); ++site) {
        SCOPED_TRACE(kinds[site - parents]);
        std::vector<Vec3d> force(r.size());
        force[site] = -100 * (r[site] - Vec3d{0.3, -0.2, 0.15});
        const auto on_site = force[site];
        const auto change = bench.spread(triclinic, r, force);
        Vec3d total{}, torque{};
        core::Sym3d virial =
            -1.0 * core::Sym3d{r[site].x * on_site.x, r[site].y * on_site.y, r[site].z * on_site.z};
        for (std::size_t i = 0; i < r.size(); ++i) {
            if (i >= parents) {
                EXPECT_EQ(force[i], Vec3d{});
                continue;
            }
            total += force[i], torque += cross_product(r[i], force[i]);
            virial += core::Sym3d{r[i].x * force[i].x, r[i].y * force[i].y, r[i].z * force[i].z};
            for (int axis = 0; axis < 3; ++axis) {
                constexpr double h = 1e-5;  // errors of h² and of rounding/h, both near 1e-10
                auto up = r, down = r;
                (&up[i].x)[axis] += h, (&down[i].x)[axis] -= h;
                const double slope =
                    (potential_of(bench, up, site) - potential_of(bench, down, site)) / (2 * h);
                EXPECT_NEAR((&force[i].x)[axis], -slope, 2e-6) << i << " " << axis;
            }
        }
        EXPECT_LT(length(total - on_site), 1e-12);
        EXPECT_LT(length(torque - cross_product(r[site], on_site)), 1e-12);
        EXPECT_NEAR(change.xx, virial.xx, 1e-12);
        EXPECT_NEAR(change.yy, virial.yy, 1e-12);
        EXPECT_NEAR(change.zz, virial.zz, 1e-12);
        // The energy's slope on stretching all that is real says the same.
        constexpr double e = 1e-5;
        auto wide = r, tight = r;
        for (std::size_t i = 0; i < parents; ++i) wide[i] *= 1 + e, tight[i] *= 1 - e;
        const double slope =
            (potential_of(bench, wide, site) - potential_of(bench, tight, site)) / (2 * e);
        EXPECT_NEAR(change.trace() + dot(r[site], on_site), -slope, 1e-6);
    }
}

TEST(VirtualSites, VelocitiesAreThoseOfTheirPositions) {
    SiteBench bench(one_of_each());
    auto r = places();
    std::vector<Vec3d> v(r.size());
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < parents; ++i)
        v[i] = {normal(random), normal(random), normal(random)};
    constexpr double h = 1e-6;
    auto later = r, earlier = r;
    for (std::size_t i = 0; i < parents; ++i) later[i] += h * v[i], earlier[i] -= h * v[i];
    bench.construct(triclinic, later), bench.construct(triclinic, earlier);
    auto plain = r;
    bench.construct(triclinic, plain);
    bench.construct(triclinic, r, &v);
    EXPECT_LT(largest_difference(plain, r), 1e-15);
    for (std::size_t i = parents; i < r.size(); ++i)
        EXPECT_LT(length(v[i] - (0.5 / h) * (later[i] - earlier[i])), 1e-6) << i;
}

TEST(VirtualSites, ImagesDoNotMatter) {
    SiteBench bench(one_of_each());
    auto r = places();
    for (auto& one : r) one += triclinic.cartesian({0.48, -0.49, 0.47});
    bench.construct(triclinic, r);
    auto folded = r;
    Vec3i image{};
    for (auto& one : folded) triclinic.wrap(one, image);
    EXPECT_GT(largest_difference(folded, r), 1);
    const auto before = folded;
    bench.construct(triclinic, folded);
    EXPECT_LT(largest_difference(folded, before), 1e-14);  // each stays in its image
    std::vector<Vec3d> force(r.size(), Vec3d{1, 2, -3}), other = force;
    const auto a = bench.spread(triclinic, r, force), b = bench.spread(triclinic, folded, other);
    EXPECT_LT(largest_difference(force, other), 1e-12);
    EXPECT_LT(largest_component(a + (-1.0) * b), 1e-12);
}

TEST(VirtualSites, SitesThatShareParentsTakeTurns) {
    SiteSpec spec;  // water with four charges, many times
    constexpr int n = 700;
    spec.n = 5 * n;
    for (std::int32_t k = 0; k < n; ++k) {
        const std::int32_t o = 5 * k;
        add(spec.vsite3out, {o + 3, o, o + 1, o + 2}, {-0.34, -0.34, -6.4});
        add(spec.vsite3out, {o + 4, o, o + 1, o + 2}, {-0.34, -0.34, 6.4});
    }
    const auto plan = plan_sites(spec);
    EXPECT_EQ(plan.back().colour, 1);
    EXPECT_EQ(std::ranges::count(plan, 0, &SitePlan::colour), n);
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal;
    std::vector<Vec3d> r(static_cast<std::size_t>(spec.n)), f = r;
    for (auto& one : r) one = {0.1 * normal(random), 0.1 * normal(random), 0.1 * normal(random)};
    for (auto& one : f) one = {normal(random), normal(random), normal(random)};
    auto few = f, many = f;
    SiteBench one(spec, 1), three(spec, 3);
    auto other = r;
    one.construct(triclinic, r), three.construct(triclinic, other);
    EXPECT_EQ(r, other);
    const auto a = one.spread(triclinic, r, few), b = three.spread(triclinic, r, many);
    EXPECT_EQ(few, many);  // the same bits, whoever adds them
    EXPECT_EQ(a.xy, b.xy);
    Vec3d total{}, after{};
    for (std::size_t i = 0; i < f.size(); ++i) total += f[i], after += few[i];
    EXPECT_LT(length(total - after), 1e-10);
}

TEST(VirtualSites, WhatCannotBePlacedIsRefused) {
    const auto refused = [](auto&& edit) {
        auto spec = one_of_each();
        edit(spec);
        EXPECT_THROW(plan_sites(spec), core::InputError);
    };
    refused([](SiteSpec& s) { s.vsite1.particles[1] = 4; });  // made from itself
    refused([](SiteSpec& s) {                                 // made from itself by way of others
        s.vsite1.particles[1] = 15, s.vsite3fd.particles[1] = 4;
    });
    refused([](SiteSpec& s) { s.vsite3.particles[0] = 4; });  // twice
    refused([](SiteSpec& s) { s.vsite3.particles[1] = 99; });
    refused([](SiteSpec& s) { s.vsite3.parameters[0] = NAN; });
    refused([](SiteSpec& s) { s.vsite3.row[0] = 3; });
    refused([](SiteSpec& s) { s.vsiten.parameters[0] = 0.9; });  // weights
    refused([](SiteSpec& s) { s.vsite4fdn.particles.pop_back(); });
}

TEST(UpdateGroups, HoldWhatMovesTogether) {
    Rigid rigid;
    rigid.water(), rigid.star(3), rigid.tree(40, 2);
    const auto free = rigid.atom({}, 12);
    const auto site = rigid.atom({}, 0), on_chain = rigid.atom({}, 0);
    rigid.atom({}, 5);
    SiteSpec sites;
    sites.n = static_cast<std::int64_t>(rigid.size());
    add(sites.vsite3, {site, 0, 1, 2}, {0.13, 0.13});
    add(sites.vsite2, {on_chain, 20, 21}, {0.5});
    const auto group = update_groups(rigid.spec, sites);
    const auto of = [&](std::int32_t tag) { return group[static_cast<std::size_t>(tag)]; };
    EXPECT_TRUE(of(0) == of(1) && of(1) == of(2) && of(site) == of(0));
    EXPECT_TRUE(of(3) == of(4) && of(4) == of(5) && of(5) == of(6) && of(3) != of(0));
    // A chain of 41 atoms is too large: only light ends stay with their neighbours.
    for (std::int32_t k = 9; k < 45; ++k) EXPECT_NE(of(k), of(k + 1));
    const auto mass = [&](std::int32_t tag) {
        return rigid.spec.mass[static_cast<std::size_t>(tag)];
    };
    EXPECT_EQ(of(7) == of(8), mass(7) < mass(8));
    EXPECT_EQ(of(on_chain), of(20));
    EXPECT_NE(of(free), of(free + 3));
    EXPECT_EQ(of(0), 0);
    EXPECT_EQ(of(3), 1);  // numbered in the order of lowest tags
    const auto whole = update_groups(rigid.spec, sites, 100);
    EXPECT_EQ(whole[7], whole[47]);
}

}  // namespace
}  // namespace aureole::md::testing
