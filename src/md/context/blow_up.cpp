// SPDX-License-Identifier: Apache-2.0
#include "md/context/blow_up.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "md/external/external_forces.hpp"
#include "md/integrate/constraints/groups.hpp"
#include "md/integrate/motion.kernel.hpp"
#include "md/pair/particle_columns.hpp"

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
    std::vector<ColumnsRead> read;  ///< by each pair force, at index_of_tag
    std::vector<std::size_t> index_of_tag;

    /// Columns of all particles if all ranks make them `together`; otherwise of the particles that
    /// this rank owns, and of its ghosts.
    Columns(device::Queue& queue, const System& system, bool together) {
        const auto& p = system.particles;
        const auto tags = download(queue, p.tag.all());
        const auto own = std::span(tags).first(static_cast<std::size_t>(p.n));
        for (const auto& force : system.forces) read.emplace_back(queue, p, force.potential());
        index_of_tag.assign(static_cast<std::size_t>(system.n_total()), absent);
        if (together) {
            std::iota(index_of_tag.begin(), index_of_tag.end(), std::size_t{0});
            const std::vector<Tag> of_rank(own.begin(), own.end());
            const auto in_order = [&](const auto& local) { return system.by_tag(local, of_rank); };
            for (auto& one : read) one.reorder(of_rank.size(), in_order);
            take(p, [&](const auto& column) { return in_order(download(queue, column)); });
            return;
        }
        // A particle's own row comes before those of ghosts.
        for (std::size_t i = tags.size(); i-- > 0;)
            index_of_tag[static_cast<std::size_t>(tags[i])] = i;
        take(p, [&]<class T>(const Column<T>& column) {
            const auto local = download(queue, column.all());
            std::vector<T> values(index_of_tag.size());
            for (std::size_t tag = 0; tag < values.size(); ++tag)
                if (index_of_tag[tag] < local.size()) values[tag] = local[index_of_tag[tag]];
            return values;
        });
    }

    bool has(Tag tag) const { return index_of_tag[static_cast<std::size_t>(tag)] != absent; }

  private:
    static constexpr auto absent = std::numeric_limits<std::size_t>::max();

    template <class ByTag>
    void take(const Particles& p, const ByTag& by_tag) {
        position = by_tag(p.position), velocity = by_tag(p.velocity);
        type = by_tag(p.type), mass = by_tag(p.mass);
        if (p.charge.in_use()) charge = by_tag(p.charge);
    }
};

/// Names what determined the position of a particle: the parents of a site, or a constraint with
/// another particle.
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

double finite_or_infinite(double size) {
    return std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
}

/// Keeps the largest force that it is given.
class Worst {
  public:
    explicit Worst(core::BlowUp& what) : what_(what) {}

    double size() const { return size_; }
    void consider(double size, std::int64_t partner, const std::string& force) {
        size = finite_or_infinite(size);
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
        if (j == i || !of.has(static_cast<Tag>(j)) || !finite(of.position[j])) continue;
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
            if (!std::all_of(members, members + n, [&](Tag one) { return of.has(one); })) return;
            for (int p = 0; p < n; ++p) {
                if (members[p] != tag) continue;
                const auto& f = result.force[static_cast<std::size_t>(p)];
                worst.consider(std::sqrt(dot(f, f)), n > 1 ? members[p > 0 ? p - 1 : 1] : -1,
                               system.bonded.name(k));
            }
        });
}

void consider_externals(device::Queue& queue, const System& system, Tag tag, bool together,
                        Worst& worst) {
    if (system.externals.empty()) return;
    const auto tags = download_tags(queue, system.particles);
    std::vector<double> sizes(system.externals.size(), -1);  // of a rank that does not own it
    StepState now;
    now.step = system.step, now.box = system.box;
    for_each_external(queue, system.particles, system.externals,
                      {&now, system.coupling.start, system.motion.dt},
                      [&](std::size_t k, std::size_t i, const ExternalResult& one) {
                          if (tags[i] == tag)
                              sizes[k] = finite_or_infinite(std::sqrt(dot(one.force, one.force)));
                      });
    for (std::size_t k = 0; k < sizes.size(); ++k)
        worst.consider(together ? system.combine(sizes[k], device::Max{}) : sizes[k], -1,
                       system.externals[k].name);
}

/// The partner with the largest force on a particle, at the current positions; where a rank looks
/// alone, among the partners that it knows.
core::BlowUp diagnose(device::Queue& queue, const System& system, Tag tag, bool together) {
    const Columns of(queue, system, together);
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
        if (!of.has(bearer) || !finite(of.position[static_cast<std::size_t>(bearer)])) continue;
        consider_pairs(system, of, bearer, worst);
        consider_bonded(system, of, bearer, worst);
        consider_externals(queue, system, bearer, together, worst);
    }
    const double speed = std::sqrt(dot(v, v));
    if (speed * of.mass[i] > worst.size() * system.motion.dt) {  // no force acted on it
        what.force = "velocity", what.partner = -1, what.value = speed;
    }
    return what;
}

[[noreturn]] void throw_blow_up(const System& system, const core::BlowUp& what,
                                std::int64_t lists_outrun = 0) {
    const auto number = [](double v) {
        if (std::isnan(v)) return std::string("nan");  // whose sign says nothing
        char text[32];
        std::snprintf(text, sizeof text, "%.4g", v);
        return std::string(text);
    };
    const auto partner = " with particle " + std::to_string(what.partner);
    std::string why = "its " + what.force + " is " + number(what.value);
    if (what.force == "settle" || what.force == "constraint")
        why = "its " + what.force + partner + " cannot be satisfied";
    else if (what.force == "virtual site")
        why =
            "the position of this virtual site cannot be constructed from its parents, the first "
            "of which is particle " +
            std::to_string(what.partner);
    else if (what.partner >= 0)
        why = what.force + partner + " gives a force of " + number(what.value);
    if (lists_outrun > 0)
        why += "; pair lists rebuilt before that because particles moved farther than planned: " +
               std::to_string(lists_outrun);
    why += remark_on_rings(system.constraints, what.tag);
    throw core::BlowUpError(
        "the simulation became unstable at step " + std::to_string(what.step) + ": particle " +
            std::to_string(what.tag) + " moved too far",
        why,
        "Minimise first, shorten dt, or look for overlaps and wrong parameters near this particle.",
        what);
}

/// The constraint whose length is farthest from its own, in parts of that, in `what.value`.
core::BlowUp worst_constraint(const System& system, const std::vector<Vec3d>& position) {
    core::BlowUp worst;
    worst.step = system.step, worst.value = 0;
    const auto look = [&](Tag a, Tag b, double length, const char* name) {
        const auto d = system.box.minimum_image(position[static_cast<std::size_t>(a)] -
                                                position[static_cast<std::size_t>(b)]);
        const double off = std::abs(std::sqrt(dot(d, d)) / length - 1);
        if (off > worst.value)
            worst.value = off, worst.tag = b, worst.partner = a, worst.force = name;
    };
    const auto& settle = system.constraints.settle;
    const auto& constraint = system.constraints.constraint;
    for (std::size_t k = 0; k < settle.row.size(); ++k) {
        const Tag* t = &settle.particles[3 * k];
        const double* d = &settle.parameters[2 * static_cast<std::size_t>(settle.row[k])];
        look(t[0], t[1], d[0], "settle"), look(t[0], t[2], d[0], "settle");
        look(t[1], t[2], d[1], "settle");
    }
    for (std::size_t k = 0; k < constraint.row.size(); ++k)
        look(constraint.particles[2 * k], constraint.particles[2 * k + 1],
             constraint.parameters[static_cast<std::size_t>(constraint.row[k])], "constraint");
    return worst;
}

}  // namespace

void report_blow_up(device::Queue& queue, const System& system, Tag tag,
                    std::int64_t lists_outrun) {
    throw_blow_up(system, diagnose(queue, system, tag, system.domain == nullptr), lists_outrun);
}

void report_of_any(device::Queue& queue, const System& system, Tag mine,
                   std::int64_t lists_outrun) {
    const Tag lowest = system.combine(mine, device::Min{});
    if (lowest != StepState::nobody)
        throw_blow_up(system, diagnose(queue, system, lowest, true), lists_outrun);
}

void report_of_constraints(device::Queue& queue, const System& system) {
    if (system.constraints.settle.row.empty() && system.constraints.constraint.row.empty()) return;
    constexpr double torn = 0.1;  // of its length; steps leave a thousandth and less
    const auto worst = worst_constraint(system, Columns(queue, system, true).position);
    if (worst.value > torn) throw_blow_up(system, worst);
}

}  // namespace aureole::md
