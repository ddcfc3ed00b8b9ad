// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/constraints/groups.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

#include "core/error.hpp"

namespace aureole::md {

namespace {

using core::InputError;

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

/// Lengths whose squares and products are numbers of double precision.
bool usable(double length) { return length > 1e-50 && length < 1e50; }

void check_columns(const TermColumns& terms, int atoms, int parameters, std::size_t n,
                   const std::string& name) {
    const auto count = terms.row.size();
    if (terms.particles.size() != count * static_cast<std::size_t>(atoms))
        throw InputError("the columns of " + name + "s differ in length",
                         "each needs " + std::to_string(atoms) + " particles and one parameter row",
                         "Give one row number per term.");
    const auto rows = static_cast<std::int64_t>(terms.parameters.size()) / parameters;
    for (std::size_t k = 0; k < count; ++k) {
        const auto who = name + " " + std::to_string(k);
        if (terms.row[k] < 0 || terms.row[k] >= rows)
            throw InputError(who + " has no parameters",
                             "there are " + std::to_string(rows) +
                                 " parameter rows, and it refers to row " +
                                 std::to_string(terms.row[k]),
                             "Correct its row number.");
        for (int i = 0; i < atoms; ++i) {
            const auto tag =
                terms.particles[k * static_cast<std::size_t>(atoms) + static_cast<std::size_t>(i)];
            if (tag < 0 || static_cast<std::size_t>(tag) >= n)
                throw InputError(who + " refers to the unknown particle " + std::to_string(tag),
                                 "there are " + std::to_string(n) + " particles",
                                 "Correct the topology.");
        }
    }
}

void check_bonds(const ConstraintSpec& spec) {
    const auto& terms = spec.constraint;
    std::set<std::pair<Tag, Tag>> seen;
    for (std::size_t k = 0; k < terms.row.size(); ++k) {
        const auto a = terms.particles[2 * k], b = terms.particles[2 * k + 1];
        const auto who =
            "the constraint of particles " + std::to_string(a) + " and " + std::to_string(b);
        const double length = terms.parameters[static_cast<std::size_t>(terms.row[k])];
        if (!usable(length))
            throw InputError(who + " has length " + number(length), "it must be from 1e-50 to 1e50",
                             "Correct its parameters.");
        if (a == b || !seen.insert(std::minmax(a, b)).second)
            throw InputError(who + (a == b ? " binds a particle to itself" : " is given twice"),
                             "its equations have no solution", "Remove it.");
        const double m_a = spec.mass[static_cast<std::size_t>(a)],
                     m_b = spec.mass[static_cast<std::size_t>(b)];
        if (!(m_a > 0) || !(m_b > 0))
            throw InputError(
                who + " involves a particle without mass",
                "virtual sites are constructed from other particles, not moved by forces",
                "Constrain the particles from which the site is constructed.");
        if (std::isinf(m_a) && std::isinf(m_b))
            throw InputError(who + " joins two fixed particles", "neither can move to satisfy it",
                             "Remove it.");
    }
}

std::vector<WaterList> sort_waters(const ConstraintSpec& spec, std::vector<std::uint8_t>& taken) {
    std::map<std::tuple<double, double, double, double>, std::vector<Tag>> kinds;
    const auto& terms = spec.settle;
    for (std::size_t k = 0; k < terms.row.size(); ++k) {
        const Tag* tags = &terms.particles[3 * k];
        const double* lengths = &terms.parameters[2 * static_cast<std::size_t>(terms.row[k])];
        const auto mass = [&](int i) { return spec.mass[static_cast<std::size_t>(tags[i])]; };
        const auto who = "the rigid water of particle " + std::to_string(tags[0]);
        if (!usable(lengths[0]) || !usable(lengths[1]) || !(lengths[1] < 2 * lengths[0]))
            throw InputError(who + " cannot form a triangle",
                             "d_oh is " + number(lengths[0]) + " and d_hh is " + number(lengths[1]),
                             "Correct its lengths.");
        if (!(mass(0) > 0) || !(mass(1) > 0) || mass(1) != mass(2) || std::isinf(mass(0)) ||
            std::isinf(mass(1)))
            throw InputError(who + " has masses that SETTLE does not support",
                             "both hydrogens must have the same mass, and no particle may be fixed",
                             "Use three constraints instead.");
        for (int i = 0; i < 3; ++i) {
            if (taken[static_cast<std::size_t>(tags[i])]++ != 0)
                throw InputError(
                    who + " shares particle " + std::to_string(tags[i]) + " with another",
                    "a particle can belong to only one rigid water", "Correct the topology.");
        }
        auto& list = kinds[{lengths[0], lengths[1], mass(0), mass(1)}];
        list.insert(list.end(), tags, tags + 3);
    }
    std::vector<WaterList> waters;
    for (auto& [key, tags] : kinds) {
        const auto& [d_oh, d_hh, mass_o, mass_h] = key;
        waters.push_back({d_oh, d_hh, mass_o, mass_h, std::move(tags)});
    }
    return waters;
}

/// Number of the shape that a component has, or -1; its particles then stand in `tags`, and its
/// constraints in the order of the shape.
int group_shape(std::vector<Bond>& bonds, std::vector<Tag>& tags) {
    const auto n = bonds.size();
    const auto has = [](const Bond& bond, Tag tag) { return bond.a == tag || bond.b == tag; };
    for (const auto centre : {bonds[0].a, bonds[0].b}) {
        if (n > largest_star ||
            !std::ranges::all_of(bonds, [&](auto& b) { return has(b, centre); }))
            continue;
        tags = {centre};
        for (const auto& bond : bonds) tags.push_back(bond.a == centre ? bond.b : bond.a);
        return static_cast<int>(n) - 1;
    }
    if (n != 3 && n != 6) return -1;
    std::set<Tag> all;
    for (const auto& bond : bonds) all.insert({bond.a, bond.b});
    if (all.size() != (n == 3 ? 3 : 4)) return -1;
    tags.assign(all.begin(), all.end());
    // All pairs, in the order of their first and then their second ones.
    std::ranges::sort(bonds, {}, [](const Bond& x) { return std::minmax(x.a, x.b); });
    return n == 3 ? triangle_shape : tetrahedron_shape;
}

}  // namespace

std::vector<std::int64_t> components(std::size_t n, const std::vector<Tag>& links) {
    std::vector<Tag> root(n);
    std::iota(root.begin(), root.end(), Tag(0));
    const auto find = [&](Tag i) {
        while (root[static_cast<std::size_t>(i)] != i) {
            auto& up = root[static_cast<std::size_t>(i)];
            up = root[static_cast<std::size_t>(up)];
            i = up;
        }
        return i;
    };
    for (std::size_t k = 0; k + 1 < links.size(); k += 2) {
        const auto a = find(links[k]), b = find(links[k + 1]);
        root[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
    std::vector<std::int64_t> out(n);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < n; ++i) {  // a root is the lowest of its component
        const auto r = static_cast<std::size_t>(find(static_cast<Tag>(i)));
        out[i] = r == i ? count++ : out[r];
    }
    return out;
}

ConstraintSpec without_fixed(const ConstraintSpec& spec) {
    check_columns(spec.settle, 3, 2, spec.mass.size(), "settle");
    check_columns(spec.constraint, 2, 1, spec.mass.size(), "constraint");
    const auto fixed = [&](Tag tag) {
        return std::isinf(spec.mass[static_cast<std::size_t>(tag)]);
    };
    auto out = spec;
    out.settle.particles.clear(), out.settle.row.clear();
    out.constraint.particles.clear(), out.constraint.row.clear();
    const auto bind = [&](Tag a, Tag b, std::int32_t row) {
        if (fixed(a) && fixed(b)) return;
        out.constraint.particles.insert(out.constraint.particles.end(), {a, b});
        out.constraint.row.push_back(row);
    };
    for (std::size_t k = 0; k < spec.constraint.row.size(); ++k)
        bind(spec.constraint.particles[2 * k], spec.constraint.particles[2 * k + 1],
             spec.constraint.row[k]);
    auto& lengths = out.constraint.parameters;
    const auto own = static_cast<std::int32_t>(lengths.size());  // rows of waters follow, in pairs
    lengths.insert(lengths.end(), spec.settle.parameters.begin(), spec.settle.parameters.end());
    for (std::size_t k = 0; k < spec.settle.row.size(); ++k) {
        const Tag* t = &spec.settle.particles[3 * k];
        const auto row = spec.settle.row[k];
        if (fixed(t[0]) || fixed(t[1]) || fixed(t[2])) {
            bind(t[0], t[1], own + 2 * row), bind(t[0], t[2], own + 2 * row);
            bind(t[1], t[2], own + 2 * row + 1);
        } else {
            out.settle.particles.insert(out.settle.particles.end(), t, t + 3);
            out.settle.row.push_back(row);
        }
    }
    return out;
}

std::string remark_on_rings(const ConstraintSpec& spec, Tag tag) {
    const auto& ends = spec.constraint.particles;
    if (ends.empty() || static_cast<std::size_t>(tag) >= spec.mass.size()) return "";
    const auto component = components(spec.mass.size(), ends);
    const auto here = component[static_cast<std::size_t>(tag)];
    std::set<Tag> atoms;
    std::vector<Bond> bonds;
    for (std::size_t k = 0; k + 1 < ends.size(); k += 2)
        if (component[static_cast<std::size_t>(ends[k])] == here) {
            atoms.insert({ends[k], ends[k + 1]});
            bonds.push_back({ends[k], ends[k + 1], 0});
        }
    std::vector<Tag> tags;
    if (bonds.size() <= atoms.size() || group_shape(bonds, tags) >= 0) return "";
    return "; its molecule has " + std::to_string(bonds.size()) + " constraints between " +
           std::to_string(atoms.size()) +
           " particles in fused rings, for which the corrections may not converge: use fewer "
           "constraints, or flexible bonds";
}

ConstraintGroups sort_constraints(const ConstraintSpec& spec) {
    check_columns(spec.settle, 3, 2, spec.mass.size(), "settle");
    check_columns(spec.constraint, 2, 1, spec.mass.size(), "constraint");
    if (spec.order < 1 || spec.iterations < 0)
        throw InputError("LINCS with order " + std::to_string(spec.order) + " and " +
                             std::to_string(spec.iterations) + " iterations cannot work",
                         "the order must be positive, and the number of iterations not negative",
                         "Usual values are 4 and 1.");
    check_bonds(spec);
    ConstraintGroups out;
    std::vector<std::uint8_t> taken(spec.mass.size(), 0);
    out.waters = sort_waters(spec, taken);
    const auto& terms = spec.constraint;
    for (const auto tag : terms.particles)
        if (taken[static_cast<std::size_t>(tag)] != 0)
            throw InputError("particle " + std::to_string(tag) + " has a further constraint",
                             "it belongs to a rigid water", "Correct the topology.");
    const auto component = components(spec.mass.size(), terms.particles);
    std::map<std::int64_t, std::vector<Bond>> bonds_of;
    for (std::size_t k = 0; k < terms.row.size(); ++k)
        bonds_of[component[static_cast<std::size_t>(terms.particles[2 * k])]].push_back(
            {terms.particles[2 * k], terms.particles[2 * k + 1], terms.row[k]});
    for (auto& [first, bonds] : bonds_of) {
        std::vector<Tag> tags;
        const int shape = group_shape(bonds, tags);
        if (shape < 0) {
            out.coupled.push_back(std::move(bonds));
            continue;
        }
        auto& list = out.groups[static_cast<std::size_t>(shape)];
        list.atoms = static_cast<int>(tags.size());
        list.constraints = static_cast<int>(bonds.size());
        list.tags.insert(list.tags.end(), tags.begin(), tags.end());
        for (const auto& bond : bonds) list.rows.push_back(bond.row);
    }
    return out;
}

}  // namespace aureole::md
