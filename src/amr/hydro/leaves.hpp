// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "amr/fluid_leaves.hpp"  // generated: AUREOLE_RECONSTRUCTIONS, AUREOLE_RIEMANN_SOLVERS

namespace aureole::amr {

/// The names of leaf files in `hydro/leaves/reconstruct` and `hydro/leaves/riemann`.
std::vector<std::string> reconstructions();
std::vector<std::string> riemann_solvers();

/// Throws core::InputError: there is none of that name.
[[noreturn]] void no_leaf(const std::string& kind, const std::string& name,
                          const std::vector<std::string>& known);

/// f(Leaf{}) for the leaf file of that name.
template <class F>
auto with_reconstruction(const std::string& name, F&& f) {
#define AUREOLE_CHOOSE(Leaf, of_file) \
    if (name == of_file) return f(Leaf{});
    AUREOLE_RECONSTRUCTIONS(AUREOLE_CHOOSE)
    no_leaf("reconstruction", name, reconstructions());
}
template <class F>
auto with_riemann(const std::string& name, F&& f) {
    AUREOLE_RIEMANN_SOLVERS(AUREOLE_CHOOSE)
    no_leaf("Riemann solver", name, riemann_solvers());
#undef AUREOLE_CHOOSE
}

/// Where a leaf stands in the list of all.
int index_of_reconstruction(const std::string& name);
int index_of_riemann(const std::string& name);

/// f(Leaf{}) for the leaf at a place, in kernels.
#define AUREOLE_CHOOSE_AT(Leaf, of_file) \
    if (place == at++) f(Leaf{});
template <class F>
AUREOLE_FN void with_reconstruction_at(int place, F f) {
    int at = 0;
    AUREOLE_RECONSTRUCTIONS(AUREOLE_CHOOSE_AT)
}
template <class F>
AUREOLE_FN void with_riemann_at(int place, F f) {
    int at = 0;
    AUREOLE_RIEMANN_SOLVERS(AUREOLE_CHOOSE_AT)
}
#undef AUREOLE_CHOOSE_AT

/// f(Reconstruction{}, Riemann{}) for those that a scheme names.
template <class Scheme, class F>
auto with_leaves(const Scheme& scheme, F&& f) {
    return with_reconstruction(scheme.reconstruct, [&](auto reconstruction) {
        return with_riemann(scheme.riemann,
                            [&](auto riemann) { return f(reconstruction, riemann); });
    });
}

}  // namespace aureole::amr
