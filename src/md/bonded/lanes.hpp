// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/bonded/lanes.kernel.hpp"
#include "md/bonded/registry.hpp"

namespace aureole::md {

template <class P, class T>
constexpr TermLaunch<T> term_launch() {
    return {[](device::Queue& queue, std::int64_t n, const TermView<T>& terms, EnergyVirial* to) {
        device::parallel_reduce<EnergyVirial>(queue, "bonded energy", n, EnergyVirial{},
                                              SumTerms<P, T>{terms}, device::Sum{}, to);
    }};
}

/// The launches of one kind of term, as the generated unit of its leaf file registers them.
template <class P>
TermLaunches term_launches() {
    return {term_launch<P, float>(), term_launch<P, double>()};
}

}  // namespace aureole::md
