// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "md/bonded/registry.hpp"
#include "md/particles/tag.hpp"

namespace aureole::md {

/// Terms of one kind as a user gives them; many terms share few rows of parameters.
struct TermSpec {
    std::string name;                ///< of a leaf file
    std::vector<Tag> particles;      ///< [n][particles of a term]
    std::vector<std::int32_t> row;   ///< [n] row of parameters of each term
    std::vector<double> parameters;  ///< [rows][parameters of the kind]
};

/// Constants of all terms.
struct BondedConstants {
    double coulomb = 1;                     ///< energy × length of two unit charges
    std::vector<std::vector<double>> maps;  ///< CMAP: [m][m] energies over φ, ψ from −π each
    Anchors anchors{};                      ///< of terms with fixed points
    bool periodic_splines = false;          ///< between the nodes of maps: see map_nodes()
};

/// Bonded terms, checked, with the numbers that kernels read derived from their parameters.
class BondedTerms {
  public:
    /// All terms of one kind.
    struct List {
        TermSpec spec;
        const Term* kind;
        std::int64_t n;
        std::int32_t rows;
        std::vector<double> coefficients;  ///< [coefficients][rows]
    };

    BondedTerms() = default;

    /// Adds terms to those of their kind. Throws core::InputError for invalid terms of
    /// `n_particles`.
    void add(TermSpec spec, std::int64_t n_particles);
    /// Throws core::InputError for maps that are not square or not finite.
    void set_constants(BondedConstants constants);

    bool empty() const { return lists_.empty(); }
    const std::vector<List>& lists() const { return lists_; }
    const BondedConstants& constants() const { return constants_; }
    /// [sum over maps of m² 4] nodes of the maps
    const std::vector<double>& map_table() const { return nodes_; }
    const std::string& name(std::size_t list) const { return lists_[list].spec.name; }

    /// f(list, term's tags, result) for every term, in double precision, for positions by tag.
    template <class F>
    void for_each(const core::Box& box, const std::vector<core::Vec3d>& by_tag, F&& f) const {
        for (std::size_t k = 0; k < lists_.size(); ++k) {
            const auto& list = lists_[k];
            const Reader reader(list);
            const auto view = reader.view(*this, box, by_tag);
            for (std::int64_t i = 0; i < list.n; ++i)
                f(k, list.spec.particles.data() + i * list.kind->particles,
                  list.kind->evaluate(view, i));
        }
    }

  private:
    /// A list in the layout of kernels, for positions by tag.
    struct Reader {
        explicit Reader(const List& list);
        TermView<double> view(const BondedTerms& terms, const core::Box& box,
                              const std::vector<core::Vec3d>& by_tag) const;
        const List& list;
        std::vector<std::int32_t> particle;
    };

    void derive(List& list) const;
    TermConstants term_constants() const { return {constants_.coulomb, maps_}; }

    BondedConstants constants_;
    std::vector<MapEntry> maps_;
    std::vector<double> nodes_;
    std::vector<List> lists_;
};

}  // namespace aureole::md
