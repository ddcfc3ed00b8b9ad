// SPDX-License-Identifier: Apache-2.0
#include "md/blow_up.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "md/external/external_forces.hpp"
#include "md/integrate/motion.kernel.hpp"
#include "md/pair/read_columns.hpp"

namespace aureole::md {

namespace {

bool finite(const Vec3d& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// The columns by tag.
struct Columns {
    std::vector<Vec3d> position, velocity;
    std::vector<std::int32_t> type;
    std::vector<double> charge, mass;
    std::vector<ColumnsRead> read;  ///< by each pair force, in local order
    std::vector<std::size_t> index_of_tag;

    Columns(device::Queue& queue, const System& system) {
        const auto& p = system.particles;
        const auto tags = download_tags(queue, p);
        index_of_tag.resize(tags.size());
        for (std::size_t i = 0; i < tags.size(); ++i)
            index_of_tag[static_cast<std::size_t>(tags[i])] = i;
        for (const auto& force : system.forces) read.emplace_back(queue, p, force.potential());
        position = to_tag_order(download(queue, p.position), tags);
        velocity = to_tag_order(download(queue, p.velocity), tags);
        type = to_tag_order(download(queue, p.type), tags);
        mass = to_tag_order(download(queue, p.mass), tags);
        if (p.charge.size() > 0) charge = to_tag_order(download(queue, p.charge), tags);
    }
};

/// What determined the position of a particle: a site's parents, or a constraint with another
/// particle.
void name_placing(const System& system, Tag tag, core::BlowUp& what) {
    for (const auto& site : plan_sites(system.sites))
        if (site.tag == tag) {
            what.force = "virtual site", what.partner = site.parents.front();
            return;
        }
    const auto look = [&](const TermColumns& terms, std::size_t size, const char* name) {
        for (std::size_t k = 0; k < terms.particles.size(); k += size)
            for (std::size_t p = 0; p < size && what.partner < 0; ++p)
                if (terms.particles[k + p] == tag)
                    what.force = name, what.partner = terms.particles[p > 0 ? k : k + 1];
    };
    look(system.constraints.settle, 3, "settle");
    look(system.constraints.constraint, 2, "constraint");
}

/// A particle, and the sites whose forces it gets.
std::vector<Tag> bearers(const System& system, Tag tag) {
    std::vector<Tag> found{tag};
    for (const auto& site : plan_sites(system.sites))
        for (const auto parent : site.parents)
            if (std::ranges::find(found, parent) != found.end()) {
                found.push_back(site.tag);
                break;
            }
    return found;
}

/// Keeps the largest force that it is given.
class Worst {
  public:
    explicit Worst(core::BlowUp& what) : what_(what) {}

    double size() const { return size_; }
    void consider(double size, std::int64_t partner, const std::string& force) {
        if (!std::isfinite(size)) size = std::numeric_limits<double>::infinity();
        if (size <= size_) return;
        size_ = size;
        what_.partner = partner, what_.force = force, what_.value = size;
    }

  private:
    core::BlowUp& what_;
    double size_ = -1;
};

void consider_pairs(const System& system, const Columns& of, Tag tag, Worst& worst) {
    const auto i = static_cast<std::size_t>(tag);
    for (std::size_t j = 0; j < of.position.size(); ++j) {
        if (j == i || !finite(of.position[j])) continue;
        const auto d = system.box.minimum_image(of.position[i] - of.position[j]);
        const double r2 = dot(d, d), r = std::sqrt(r2);
        const auto partner = static_cast<std::int64_t>(j);
        const bool excluded = system.exclusions.between(tag, static_cast<Tag>(j));
        for (std::size_t k = 0; k < system.forces.size() && !excluded; ++k) {
            const auto& force = system.forces[k];
            const auto numbers = of.read[k].pair(of.index_of_tag[i], of.index_of_tag[j], d);
            const auto value = force.evaluate(of.type[i], of.type[j], numbers);
            worst.consider(std::abs(value.force_over_r) * r, partner, force.name());
        }
        if (!system.nonbonded) continue;
        const double charges = of.charge.empty() ? 0 : of.charge[i] * of.charge[j];
        const auto pair = system.nonbonded->evaluate(of.type[i], of.type[j], charges, r2, excluded);
        worst.consider(std::abs(pair.vdw.force_over_r) * r, partner, "vdw");
        worst.consider(std::abs(pair.coulomb.force_over_r) * r, partner, "coulomb");
    }
}

void consider_bonded(const System& system, const Columns& of, Tag tag, Worst& worst) {
    system.bonded.for_each(
        system.box, of.position, [&](std::size_t k, const Tag* members, const TermResult& result) {
            const int n = system.bonded.lists()[k].kind->particles;
            for (int p = 0; p < n; ++p) {
                if (members[p] != tag) continue;
                const auto& f = result.force[static_cast<std::size_t>(p)];
                worst.consider(std::sqrt(dot(f, f)), n > 1 ? members[p > 0 ? p - 1 : 1] : -1,
                               system.bonded.name(k));
            }
        });
}

void consider_externals(device::Queue& queue, const System& system, Tag tag, Worst& worst) {
    if (system.externals.empty()) return;
    const auto tags = download_tags(queue, system.particles);
    StepState now;
    now.step = system.step, now.box = system.box;
    for_each_external(
        queue, system.particles, system.externals, {&now, system.coupling.start, system.motion.dt},
        [&](std::size_t k, std::size_t i, const ExternalResult& one) {
            if (tags[i] == tag)
                worst.consider(std::sqrt(dot(one.force, one.force)), -1, system.externals[k].name);
        });
}

/// Of a rank's own particle, which has its neighbours among particles and ghosts.
core::BlowUp diagnose_here(device::Queue& queue, const System& system, Tag tag) {
    const auto& p = system.particles;
    const auto all = [&]<class C>(const Column<C>& column) {
        return download(queue, column.all());
    };
    const auto tags = all(p.tag);
    const auto position = all(p.position);
    const auto type = all(p.type);
    core::BlowUp what;
    what.step = system.step, what.tag = tag, what.force = "position";
    const auto at = std::ranges::find(tags, tag);
    if (at == tags.end()) return what;
    const auto i = static_cast<std::size_t>(at - tags.begin());
    const auto& r = position[i];
    if (!somewhere(r)) {
        what.value = std::sqrt(dot(r, r));
        return what;
    }
    Worst worst(what);
    for (std::size_t j = 0; j < position.size(); ++j) {
        if (j == i || !finite(position[j])) continue;
        const auto d = system.box.minimum_image(r - position[j]);
        for (const auto& force : system.forces) {
            if (force.potential().numbers_read() > 0) continue;
            const auto value = force.evaluate(type[i], type[j], dot(d, d));
            worst.consider(std::abs(value.force_over_r) * std::sqrt(dot(d, d)), tags[j],
                           force.name());
        }
    }
    const auto velocity = download(queue, p.velocity)[i];
    const double speed = std::sqrt(dot(velocity, velocity));
    if (!finite(velocity) || worst.size() <= 0)
        what.force = "velocity", what.partner = -1, what.value = speed;
    return what;
}

}  // namespace

core::BlowUp diagnose(device::Queue& queue, const System& system, Tag tag) {
    if (system.domain != nullptr) return diagnose_here(queue, system, tag);
    const Columns of(queue, system);
    core::BlowUp what;
    what.step = system.step;
    what.tag = tag;
    const auto i = static_cast<std::size_t>(tag);
    const auto &r = of.position[i], &v = of.velocity[i];
    if (!somewhere(r) || !finite(v)) {
        what.force = somewhere(r) ? "velocity" : "position";
        what.value = std::sqrt(somewhere(r) ? dot(v, v) : dot(r, r));
        if (!somewhere(r)) name_placing(system, tag, what);
        return what;
    }
    Worst worst(what);
    for (const auto bearer : bearers(system, tag)) {
        if (!finite(of.position[static_cast<std::size_t>(bearer)])) continue;
        consider_pairs(system, of, bearer, worst);
        consider_bonded(system, of, bearer, worst);
        consider_externals(queue, system, bearer, worst);
    }
    const double speed = std::sqrt(dot(v, v));
    if (speed * of.mass[i] > worst.size() * system.motion.dt) {  // no force acted on it
        what.force = "velocity", what.partner = -1, what.value = speed;
    }
    return what;
}

void throw_blow_up(const core::BlowUp& what) {
    const auto number = [](double v) {
        char text[32];
        std::snprintf(text, sizeof text, "%.4g", v);
        return std::string(text);
    };
    const auto partner = " with particle " + std::to_string(what.partner);
    std::string why = "its " + what.force + " is " + number(what.value);
    if (what.force == "settle" || what.force == "constraint")
        why = "the " + what.force + partner + " cannot be satisfied from where they are";
    else if (what.force == "virtual site")
        why = "no position follows for this virtual site from its parents, particle " +
              std::to_string(what.partner) + " the first, are";
    else if (what.partner >= 0)
        why = what.force + partner + " gives a force of " + number(what.value);
    throw core::BlowUpError(
        "particle " + std::to_string(what.tag) + " was thrown out of its place at step " +
            std::to_string(what.step),
        why, "Minimise first, shorten dt, or look for overlaps and wrong parameters there.", what);
}

}  // namespace aureole::md
