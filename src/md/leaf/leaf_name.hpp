// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"

namespace aureole::md {

/// The leaf of that name. Throws core::InputError that lists the available ones; `what` is the kind
/// of leaf.
template <class Leaves>
const auto& leaf_named(const Leaves& leaves, std::string_view name, const char* what) {
    std::string known;
    for (const auto& leaf : leaves) {
        if (name == leaf.name) return leaf;
        known += (known.empty() ? "" : ", ") + std::string(leaf.name);
    }
    throw core::InputError("there is no " + std::string(what) + " '" + std::string(name) + "'",
                           "no leaf file has this name", "Choose one of: " + known + ".");
}

}  // namespace aureole::md
