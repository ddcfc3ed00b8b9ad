// SPDX-License-Identifier: Apache-2.0
#include "md/integrate/constraints/regions.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace aureole::md {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

std::int32_t filled(std::size_t n) {
    return static_cast<std::int32_t>((n + pack_lanes - 1) / pack_lanes * pack_lanes);
}

/// A region under construction.
struct Draft {
    std::vector<Tag> owned;
    std::vector<Bond> bonds;
    int order = 0;
};

class Planner {
  public:
    Planner(const ConstraintSpec& spec, RegionPlan& plan) : spec_(spec), plan_(plan) {}

    void add(const Draft& draft) {
        if (draft.bonds.empty()) return;
        number_atoms(draft);
        region_ = {};
        region_.order = draft.order;
        region_.atoms = filled(tags_.size());
        region_.owned = static_cast<std::int32_t>(draft.owned.size());
        region_.constraints = filled(draft.bonds.size());
        region_.first_atom = static_cast<std::int64_t>(plan_.tag.size());
        region_.first_constraint = static_cast<std::int64_t>(plan_.a.size());
        region_.first_coupling = static_cast<std::int64_t>(plan_.coupled.size());
        region_.first_bond = static_cast<std::int64_t>(plan_.bond.size());
        tags_.resize(at(region_.atoms), tags_[0]);
        plan_.tag.insert(plan_.tag.end(), tags_.begin(), tags_.end());
        add_constraints(draft);
        add_couplings(draft);
        add_pulls(draft);
        plan_.regions.push_back(region_);
    }

  private:
    double inverse_mass(Tag tag) const { return 1 / spec_.mass[at(tag)]; }
    std::int32_t number_of(Tag tag) const { return number_.at(tag); }

    /// Owned atoms first.
    void number_atoms(const Draft& draft) {
        number_.clear();
        tags_.clear();
        const auto take = [&](Tag tag) {
            if (number_.emplace(tag, static_cast<std::int32_t>(tags_.size())).second)
                tags_.push_back(tag);
        };
        for (const auto tag : draft.owned) take(tag);
        for (const auto& bond : draft.bonds) take(bond.a), take(bond.b);
        of_atom_.assign(tags_.size(), {});
        for (std::size_t k = 0; k < draft.bonds.size(); ++k) {
            of_atom_[at(number_of(draft.bonds[k].a))].push_back(static_cast<std::int32_t>(k));
            of_atom_[at(number_of(draft.bonds[k].b))].push_back(static_cast<std::int32_t>(k));
        }
    }

    double scale(const Bond& bond) const {
        return 1 / std::sqrt(inverse_mass(bond.a) + inverse_mass(bond.b));
    }

    void add_constraints(const Draft& draft) {
        for (std::int32_t k = 0; k < region_.constraints; ++k) {
            const bool real = at(k) < draft.bonds.size();
            const auto& bond = draft.bonds[real ? at(k) : 0];
            plan_.tag_a.push_back(bond.a), plan_.tag_b.push_back(bond.b);
            plan_.a.push_back(number_of(bond.a)), plan_.b.push_back(number_of(bond.b));
            plan_.row.push_back(bond.row);
            plan_.scale.push_back(real ? scale(bond) : 0);
            plan_.weight.push_back(real && number_of(bond.a) < region_.owned ? 1 : 0);
        }
    }

    /// Every two constraints of an atom are coupled through it.
    void add_couplings(const Draft& draft) {
        struct Coupling {
            std::int32_t other;
            double value;
        };
        std::vector<std::vector<Coupling>> all(draft.bonds.size());
        for (std::size_t i = 0; i < tags_.size() && i < of_atom_.size(); ++i)
            for (const auto k : of_atom_[i])
                for (const auto m : of_atom_[i]) {
                    if (k == m) continue;
                    const auto &one = draft.bonds[at(k)], &two = draft.bonds[at(m)];
                    const double sign = (one.a == tags_[i]) == (two.a == tags_[i]) ? -1 : 1;
                    all[at(k)].push_back(
                        {m, sign * scale(one) * scale(two) * inverse_mass(tags_[i])});
                }
        for (const auto& list : all)
            region_.couplings = std::max(region_.couplings, static_cast<std::int32_t>(list.size()));
        for (std::int32_t j = 0; j < region_.couplings; ++j)
            for (std::int32_t k = 0; k < region_.constraints; ++k) {
                const bool real = at(k) < all.size() && at(j) < all[at(k)].size();
                plan_.coupled.push_back(real ? all[at(k)][at(j)].other : 0);
                plan_.coupling.push_back(real ? all[at(k)][at(j)].value : 0);
            }
    }

    void add_pulls(const Draft& draft) {
        for (const auto& list : of_atom_)
            region_.bonds = std::max(region_.bonds, static_cast<std::int32_t>(list.size()));
        for (std::int32_t j = 0; j < region_.bonds; ++j)
            for (std::int32_t i = 0; i < region_.atoms; ++i) {
                const bool real = at(i) < of_atom_.size() && at(j) < of_atom_[at(i)].size();
                const std::int32_t k = real ? of_atom_[at(i)][at(j)] : 0;
                const double sign = draft.bonds[at(k)].a == tags_[at(i)] ? 1 : -1;
                plan_.bond.push_back(k);
                plan_.pull.push_back(real ? sign * inverse_mass(tags_[at(i)]) : 0);
            }
    }

    const ConstraintSpec& spec_;
    RegionPlan& plan_;
    Region region_{};
    std::vector<Tag> tags_;
    std::unordered_map<Tag, std::int32_t> number_;
    std::vector<std::vector<std::int32_t>> of_atom_;
};

/// Each constraint of a triangle is coupled to the two others along both, so that eigenvalues of A
/// come closer to 1 there and the expansion needs more terms.
int order_of(const ConstraintGraph& graph, const ConstraintSpec& spec) {
    return graph.has_triangle() ? 2 * spec.order : spec.order;
}

/// Number of couplings to the farthest constraint that an atom's correction depends on: the
/// expansion reaches `order` couplings far, and each iteration starts from where the atoms of all
/// these couplings have been put.
int depth_of(int order, const ConstraintSpec& spec) {
    return spec.iterations * (order + 1) + order;
}

}  // namespace

RegionPlan plan_regions(const std::vector<std::vector<Bond>>& coupled, const ConstraintSpec& spec,
                        RegionSize size) {
    RegionPlan plan;
    Planner planner(spec, plan);
    Draft small;
    for (const auto& bonds : coupled) {
        const ConstraintGraph graph(bonds);
        const int order = order_of(graph, spec);
        const auto atoms = graph.atoms();
        const auto n = static_cast<std::int64_t>(bonds.size());
        if (n <= size.cut) {
            if (static_cast<std::int64_t>(small.bonds.size()) + n > size.pack ||
                (small.order != 0 && small.order != order))
                planner.add(small), small = {};
            small.order = order;
            small.owned.insert(small.owned.end(), atoms.begin(), atoms.end());
            small.bonds.insert(small.bonds.end(), bonds.begin(), bonds.end());
            continue;
        }
        plan.cut = true;
        const int depth = depth_of(order, spec);
        const std::int64_t pieces = (n + size.cut - 1) / size.cut;
        const auto total = static_cast<std::int64_t>(atoms.size());
        for (std::int64_t k = 0; k < pieces; ++k) {
            Draft piece;
            piece.order = order;
            piece.owned.assign(atoms.begin() + total * k / pieces,
                               atoms.begin() + total * (k + 1) / pieces);
            for (const auto c : graph.around(piece.owned, depth))
                piece.bonds.push_back(bonds[at(c)]);
            planner.add(piece);
        }
    }
    planner.add(small);
    return plan;
}

DividedRegions::DividedRegions(ConstraintSpec spec) : spec_(std::move(spec)) {
    molecule_of_.assign(spec_.mass.size(), -1);
    for (auto& bonds : sort_constraints(spec_).coupled) {
        const auto number = static_cast<std::int32_t>(molecules_.size());
        auto& molecule = *molecules_.emplace_back(std::make_unique<Molecule>(std::move(bonds)));
        molecule.order = order_of(molecule.graph, spec_);
        for (const auto tag : molecule.graph.atoms()) molecule_of_[at(tag)] = number;
    }
}

RegionPlan DividedRegions::plan(std::vector<Tag> owned, RegionSize size) const {
    std::ranges::sort(owned, {}, [&](Tag tag) { return std::pair(molecule_of_[at(tag)], tag); });
    RegionPlan plan;
    Planner planner(spec_, plan);
    Draft draft;
    const auto finish = [&] { planner.add(draft), draft = {}; };
    for (auto begin = owned.begin(); begin != owned.end();) {
        const auto number = molecule_of_[at(*begin)];
        const auto end = std::find_if(begin, owned.end(),
                                      [&](Tag tag) { return molecule_of_[at(tag)] != number; });
        const auto& molecule = *molecules_[at(number)];
        const int depth = depth_of(molecule.order, spec_);
        const auto pieces = (end - begin + size.cut - 1) / size.cut;
        if (pieces > 1) plan.cut = true;
        if (draft.order != molecule.order) finish();
        for (std::int64_t k = 0; k < pieces; ++k) {
            const std::vector<Tag> piece(begin + (end - begin) * k / pieces,
                                         begin + (end - begin) * (k + 1) / pieces);
            const auto around = molecule.graph.around(piece, depth);
            if (std::ssize(draft.bonds) + std::ssize(around) > size.pack || pieces > 1) finish();
            draft.order = molecule.order;
            draft.owned.insert(draft.owned.end(), piece.begin(), piece.end());
            for (const auto c : around) draft.bonds.push_back(molecule.bonds[at(c)]);
        }
        if (pieces > 1) finish();
        begin = end;
    }
    finish();
    return plan;
}

RegionSize size_of_regions(std::int64_t constraints, std::int64_t threads) {
    // As few cuts as keep every thread busy: what lies around a cut is computed twice. The working
    // memory of one fits a cache.
    constexpr std::int64_t largest = 512;
    const auto part = std::max<std::int64_t>(64, (constraints + threads - 1) / threads);
    return {std::min(part, largest), part};
}

}  // namespace aureole::md
