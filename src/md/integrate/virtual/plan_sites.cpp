// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/error.hpp"
#include "md/integrate/virtual/virtual_sites.hpp"

namespace aureole::md {

namespace {

using core::InputError;

struct KindOfSite {
    SiteKind kind;
    const char* name;
    std::size_t parents, parameters;
};

std::string who(Tag tag) { return "virtual site " + std::to_string(tag); }

/// Checks and reads the terms of one kind.
class Reader {
  public:
    Reader(std::int64_t n, std::vector<SitePlan>& out)
        : n_(n), is_site_(static_cast<std::size_t>(n), 0), out_(out) {}

    void read(const TermColumns& terms, const KindOfSite& kind) {
        check_columns(terms, kind.parents + 1, kind.parameters, kind.name);
        for (std::size_t k = 0; k < terms.row.size(); ++k) {
            const auto* tags = &terms.particles[k * (kind.parents + 1)];
            SitePlan site{kind.kind, tags[0], {tags + 1, tags + 1 + kind.parents}, {}};
            const auto* p =
                terms.parameters.data() + static_cast<std::size_t>(terms.row[k]) * kind.parameters;
            std::copy(p, p + kind.parameters, site.p);
            if (kind.kind == SiteKind::angle3) {
                const double theta = p[0], d = p[1];
                site.p[0] = d * std::cos(theta), site.p[1] = d * std::sin(theta);
            }
            take(std::move(site));
        }
    }

    void read_means(const TermColumns& terms) {
        check_columns(terms, 2, 1, "vsiten");
        std::map<Tag, SitePlan> sites;
        for (std::size_t k = 0; k < terms.row.size(); ++k) {
            const auto tag = terms.particles[2 * k];
            auto& site = sites[tag];
            site.kind = SiteKind::mean, site.tag = tag;
            site.parents.push_back(terms.particles[2 * k + 1]);
            site.weights.push_back(terms.parameters[static_cast<std::size_t>(terms.row[k])]);
        }
        for (auto& [tag, site] : sites) {
            double sum = 0;
            for (const double w : site.weights) sum += w;
            if (!(std::abs(sum - 1) < 1e-6))
                throw InputError(who(tag) + " has weights that sum to " + std::to_string(sum),
                                 "they must sum to 1, so that the site moves with its parents",
                                 "Divide them by their sum.");
            for (double& w : site.weights) w /= sum;
            take(std::move(site));
        }
    }

  private:
    void check_columns(const TermColumns& terms, std::size_t particles, std::size_t parameters,
                       const std::string& name) const {
        if (terms.particles.size() != terms.row.size() * particles)
            throw InputError(
                "the columns of " + name + " differ in length",
                "each needs " + std::to_string(particles) + " particles and one parameter row",
                "Give one row number per site.");
        if (parameters == 0) return;
        const auto rows = static_cast<std::int64_t>(terms.parameters.size() / parameters);
        for (const auto row : terms.row)
            if (row < 0 || row >= rows)
                throw InputError("a " + name + " has no parameters",
                                 "there are " + std::to_string(rows) +
                                     " parameter rows, and it refers to row " + std::to_string(row),
                                 "Correct its row number.");
    }

    void take(SitePlan site) {
        auto all = site.parents;
        all.push_back(site.tag);
        for (const auto tag : all)
            if (tag < 0 || tag >= n_)
                throw InputError(
                    who(site.tag) + " refers to the unknown particle " + std::to_string(tag),
                    "there are " + std::to_string(n_) + " particles", "Correct the topology.");
        if (is_site_[static_cast<std::size_t>(site.tag)]++ != 0)
            throw InputError(who(site.tag) + " is defined twice",
                             "a virtual site has only one construction", "Remove one definition.");
        std::ranges::sort(all);
        if (std::ranges::adjacent_find(all) != all.end())
            throw InputError(who(site.tag) + " names a particle twice",
                             "the site and its parents must all differ", "Correct the topology.");
        for (const double p : site.p)
            if (!std::isfinite(p))
                throw InputError(who(site.tag) + " has a parameter that is not finite",
                                 "the input holds NaN or infinity", "Correct its parameters.");
        out_.push_back(std::move(site));
    }

    std::int64_t n_;
    std::vector<std::uint8_t> is_site_;
    std::vector<SitePlan>& out_;
};

/// Levels; a site waits for parents that are sites themselves.
void find_levels(std::vector<SitePlan>& sites, std::int64_t n) {
    std::vector<std::int32_t> site_of(static_cast<std::size_t>(n), -1);
    for (std::size_t k = 0; k < sites.size(); ++k)
        site_of[static_cast<std::size_t>(sites[k].tag)] = static_cast<std::int32_t>(k);
    for (std::size_t round = 0;; ++round) {
        bool changed = false;
        for (auto& site : sites)
            for (const auto tag : site.parents) {
                const auto parent = site_of[static_cast<std::size_t>(tag)];
                if (parent < 0 || sites[static_cast<std::size_t>(parent)].level < site.level)
                    continue;
                site.level = sites[static_cast<std::size_t>(parent)].level + 1;
                changed = true;
                if (round > sites.size())
                    throw InputError(who(site.tag) + " is constructed from itself",
                                     "its parents depend on it", "Remove the cycle.");
            }
        if (!changed) return;
    }
}

/// Colours the sites of each level, so that no two sites of a colour have a parent in common.
void colour_sites(std::vector<SitePlan>& sites, std::int64_t n) {
    std::vector<std::vector<int>> taken(static_cast<std::size_t>(n));
    int level = -1;
    for (auto& site : sites) {
        if (site.level != level) {
            for (auto& colours : taken) colours.clear();
            level = site.level;
        }
        const auto is_taken = [&](int colour) {
            return std::ranges::any_of(site.parents, [&](auto tag) {
                const auto& colours = taken[static_cast<std::size_t>(tag)];
                return std::ranges::find(colours, colour) != colours.end();
            });
        };
        while (is_taken(site.colour)) ++site.colour;
        for (const auto tag : site.parents)
            taken[static_cast<std::size_t>(tag)].push_back(site.colour);
    }
}

}  // namespace

std::vector<SitePlan> plan_sites(const SiteSpec& spec) {
    using enum SiteKind;
    std::vector<SitePlan> sites;
    Reader reader(spec.n, sites);
    reader.read(spec.vsite1, {copy, "vsite1", 1, 0});
    reader.read(spec.vsite2, {linear2, "vsite2", 2, 1});
    reader.read(spec.vsite2fd, {distance2, "vsite2fd", 2, 1});
    reader.read(spec.vsite3, {linear3, "vsite3", 3, 2});
    reader.read(spec.vsite3fd, {distance3, "vsite3fd", 3, 2});
    reader.read(spec.vsite3fad, {angle3, "vsite3fad", 3, 2});
    reader.read(spec.vsite3out, {out3, "vsite3out", 3, 3});
    reader.read(spec.vsite4fdn, {normal4, "vsite4fdn", 4, 3});
    reader.read_means(spec.vsiten);
    find_levels(sites, spec.n);
    std::ranges::sort(sites, {}, [](const auto& s) { return std::pair(s.level, s.tag); });
    colour_sites(sites, spec.n);
    std::ranges::stable_sort(sites, {}, [](const auto& s) { return std::pair(s.level, s.colour); });
    return sites;
}

}  // namespace aureole::md
