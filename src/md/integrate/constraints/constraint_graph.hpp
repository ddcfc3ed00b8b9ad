// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "md/integrate/constraints/groups.hpp"

namespace aureole::md {

/// A component's constraints, and those of each of its atoms.
struct ConstraintGraph {
    const std::vector<Bond>& bonds;
    std::unordered_map<Tag, std::vector<std::int32_t>> of_atom;

    explicit ConstraintGraph(const std::vector<Bond>& from) : bonds(from) {
        for (std::size_t k = 0; k < from.size(); ++k) {
            of_atom[from[k].a].push_back(static_cast<std::int32_t>(k));
            of_atom[from[k].b].push_back(static_cast<std::int32_t>(k));
        }
    }
    std::vector<Tag> atoms() const {
        std::vector<Tag> tags;
        for (const auto& [tag, unused] : of_atom) tags.push_back(tag);
        std::ranges::sort(tags);
        return tags;
    }
    bool has_triangle() const {
        for (const auto& bond : bonds)
            for (const auto k : of_atom.at(bond.a)) {
                const auto& other = bonds[static_cast<std::size_t>(k)];
                const auto third = other.a == bond.a ? other.b : other.a;
                if (third == bond.b) continue;
                for (const auto m : of_atom.at(bond.b))
                    if (bonds[static_cast<std::size_t>(m)].a == third ||
                        bonds[static_cast<std::size_t>(m)].b == third)
                        return true;
            }
        return false;
    }
    /// Constraints within `depth` couplings of those of the given atoms.
    std::vector<std::int32_t> around(const std::vector<Tag>& tags, int depth) const {
        std::vector<std::uint8_t> seen(bonds.size(), 0);
        std::vector<std::int32_t> found, edge;
        const auto visit = [&](Tag tag) {
            for (const auto k : of_atom.at(tag))
                if (seen[static_cast<std::size_t>(k)] == 0)
                    seen[static_cast<std::size_t>(k)] = 1, edge.push_back(k);
        };
        for (const auto tag : tags) visit(tag);
        for (int d = 0; !edge.empty(); ++d) {
            const auto now = std::move(edge);
            edge.clear();
            found.insert(found.end(), now.begin(), now.end());
            if (d == depth) break;
            for (const auto k : now)
                visit(bonds[static_cast<std::size_t>(k)].a),
                    visit(bonds[static_cast<std::size_t>(k)].b);
        }
        std::ranges::sort(found);
        return found;
    }
};

}  // namespace aureole::md
