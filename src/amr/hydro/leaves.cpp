// SPDX-License-Identifier: Apache-2.0
#include "amr/hydro/leaves.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace aureole::amr {

#define AUREOLE_NAME(Leaf, of_file) of_file,
std::vector<std::string> reconstructions() { return {AUREOLE_RECONSTRUCTIONS(AUREOLE_NAME)}; }
std::vector<std::string> riemann_solvers() { return {AUREOLE_RIEMANN_SOLVERS(AUREOLE_NAME)}; }
#undef AUREOLE_NAME

namespace {

int index_of(const std::string& kind, const std::string& name,
             const std::vector<std::string>& known) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) no_leaf(kind, name, known);
    return static_cast<int>(found - known.begin());
}

}  // namespace

int index_of_reconstruction(const std::string& name) {
    return index_of("reconstruction", name, reconstructions());
}
int index_of_riemann(const std::string& name) {
    return index_of("Riemann solver", name, riemann_solvers());
}

void no_leaf(const std::string& kind, const std::string& name,
             const std::vector<std::string>& known) {
    std::string all;
    for (const auto& one : known) all += (all.empty() ? "" : ", ") + one;
    throw core::InputError("there is no " + kind + " '" + name + "'",
                           "it is the name of a leaf file", "Choose one of: " + all + ".");
}

}  // namespace aureole::amr
