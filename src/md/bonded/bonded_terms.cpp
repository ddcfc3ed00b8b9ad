// SPDX-License-Identifier: Apache-2.0
#include "md/bonded/bonded_terms.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "md/bonded/map.hpp"
#include "md/leaf/leaf_name.hpp"

namespace aureole::md {

const Term& term_kind(std::string_view name) {
    return leaf_named(term_kinds(), name, "bonded term");
}

namespace {

std::string of_term(const TermSpec& spec, std::size_t i) {
    return "term " + std::to_string(i) + " of " + spec.name;
}

void check_sizes(const TermSpec& spec, const Term& kind) {
    const auto k = static_cast<std::size_t>(kind.particles), np = kind.parameters.size();
    if (spec.particles.size() != k * spec.row.size())
        throw core::InputError(spec.name + " has the wrong number of particles",
                               std::to_string(spec.row.size()) + " terms of " + std::to_string(k) +
                                   " particles each need " + std::to_string(k * spec.row.size()) +
                                   " tags, not " + std::to_string(spec.particles.size()),
                               "Give one row of tags and one row number per term.");
    if (spec.parameters.size() % np != 0)
        throw core::InputError(spec.name + " has the wrong number of parameters",
                               "every row must have length " + std::to_string(np),
                               "Give the parameters in the order of the term's description.");
    // Indices of forces have 32 bits.
    if (spec.particles.size() > 0x7FFFFF00u)
        throw core::InputError("there are too many terms of " + spec.name,
                               "the terms of a kind can list at most 2,147,483,392 particles",
                               "Simulate a smaller system.");
}

void check_particles(const TermSpec& spec, const Term& kind, std::int64_t n_particles) {
    const auto k = static_cast<std::size_t>(kind.particles);
    for (std::size_t i = 0; i < spec.row.size(); ++i) {
        const Tag* tags = spec.particles.data() + i * k;
        for (std::size_t p = 0; p < k; ++p) {
            if (tags[p] < 0 || tags[p] >= n_particles)
                throw core::InputError(
                    of_term(spec, i) + " refers to the unknown particle " + std::to_string(tags[p]),
                    "there are " + std::to_string(n_particles) + " particles",
                    "Number particles from 0 in the order in which they were given.");
            const auto apart = static_cast<std::size_t>(kind.apart);
            for (std::size_t q = p - p % apart; q < p; ++q)
                if (tags[p] == tags[q])
                    throw core::InputError(
                        of_term(spec, i) + " names particle " + std::to_string(tags[p]) + " twice",
                        "its particles must differ", "Correct the particles of this term.");
        }
    }
}

void check_rows(const TermSpec& spec, const Term& kind, const TermConstants& constants) {
    const auto np = kind.parameters.size(), rows = spec.parameters.size() / np;
    for (std::size_t i = 0; i < spec.row.size(); ++i)
        if (spec.row[i] < 0 || static_cast<std::size_t>(spec.row[i]) >= rows)
            throw core::InputError(
                of_term(spec, i) + " refers to the unknown row " + std::to_string(spec.row[i]),
                "there are " + std::to_string(rows) + " rows of parameters",
                "Add the row or correct its number.");
    for (std::size_t r = 0; r < rows; ++r) {
        const double* parameters = spec.parameters.data() + r * np;
        const auto where = " in row " + std::to_string(r) + " of " + spec.name;
        for (std::size_t k = 0; k < np; ++k)
            if (!std::isfinite(parameters[k]))
                throw core::InputError(
                    std::string("parameter ") + kind.parameters[k].name + where + " is not finite",
                    "it is " + std::to_string(parameters[k]), "Give a finite number.");
        if (const char* why = kind.problem(parameters, constants))
            throw core::InputError("the parameters" + where + " are invalid", why,
                                   "Correct this row.");
    }
}

}  // namespace

void BondedTerms::add(TermSpec spec, std::int64_t n_particles) {
    const auto& kind = term_kind(spec.name);
    check_sizes(spec, kind);
    check_particles(spec, kind, n_particles);
    check_rows(spec, kind, term_constants());
    if (spec.row.empty()) return;
    auto same = std::ranges::find(lists_, &kind, &List::kind);
    if (same == lists_.end()) {
        same = lists_.insert(lists_.end(), List{});
        same->kind = &kind, same->spec.name = spec.name;
    }
    auto& all = same->spec;
    const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    append(all.particles, spec.particles), append(all.parameters, spec.parameters);
    for (const auto row : spec.row) all.row.push_back(same->rows + row);
    same->n = static_cast<std::int64_t>(all.row.size());
    same->rows = static_cast<std::int32_t>(all.parameters.size() / kind.parameters.size());
    derive(*same);
}

void BondedTerms::derive(List& list) const {
    const auto nc = static_cast<std::size_t>(list.kind->coefficients);
    const auto rows = static_cast<std::size_t>(list.rows), np = list.kind->parameters.size();
    list.coefficients.resize(nc * rows);
    std::vector<double> one(nc);
    for (std::size_t r = 0; r < rows; ++r) {
        list.kind->derive(list.spec.parameters.data() + r * np, term_constants(), one.data());
        for (std::size_t k = 0; k < nc; ++k) list.coefficients[k * rows + r] = one[k];
    }
}

void BondedTerms::set_constants(BondedConstants constants) {
    if (!std::isfinite(constants.coulomb))
        throw core::InputError("the Coulomb constant is not finite",
                               "it is the energy of two unit charges at unit distance",
                               "Use 138.935458 for kJ/mol, nm and elementary charges.");
    std::vector<MapEntry> indices;
    std::vector<double> nodes;
    for (std::size_t k = 0; k < constants.maps.size(); ++k) {
        const auto& map = constants.maps[k];
        const int size = static_cast<int>(std::lround(std::sqrt(static_cast<double>(map.size()))));
        bool usable = size >= 2 && static_cast<std::size_t>(size) * size == map.size();
        for (const double energy : map) usable = usable && std::isfinite(energy);
        if (!usable)
            throw core::InputError("map " + std::to_string(k) + " is invalid",
                                   "a CMAP needs a square grid of finite energies",
                                   "Give the same number of energies along both angles.");
        indices.push_back({static_cast<std::int64_t>(nodes.size()), size});
        const auto more = map_nodes(map, size, constants.periodic_splines);
        nodes.insert(nodes.end(), more.begin(), more.end());
    }
    constants_ = std::move(constants), maps_ = std::move(indices), nodes_ = std::move(nodes);
    for (auto& list : lists_) {
        check_rows(list.spec, *list.kind, term_constants());
        derive(list);
    }
}

BondedTerms::Reader::Reader(const List& l) : list(l) {
    const auto n = static_cast<std::size_t>(list.n);
    const auto k = static_cast<std::size_t>(list.kind->particles);
    particle.resize(n * k);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t p = 0; p < k; ++p)
            particle[p * n + i] = static_cast<std::int32_t>(list.spec.particles[i * k + p]);
}

TermView<double> BondedTerms::Reader::view(const BondedTerms& terms, const core::Box& box,
                                           const std::vector<core::Vec3d>& by_tag) const {
    const double* coefficients = list.coefficients.data();
    return {by_tag.data(),
            box,
            particle.data(),
            list.spec.row.data(),
            list.n,
            coefficients,
            coefficients,
            list.rows,
            {terms.map_table().data()},
            {terms.constants().anchors, box}};
}

}  // namespace aureole::md
