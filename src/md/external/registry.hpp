// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>

#include "device/launch.hpp"
#include "device/reduce_ops.hpp"
#include "md/external/external.kernel.hpp"

namespace aureole::md {

/// Enqueues the work of one kind of external force on any device.
struct ExternalLaunches {
    template <class KernelLayout>
    using Add = void (*)(device::Queue&, std::int64_t n, const ExternalView&, const KernelLayout&);

    std::tuple<Add<Packed<float>>, Add<Packed<double>>, Add<Dense<float>>, Add<Dense<double>>> add;
    void (*sums)(device::Queue&, std::int64_t n, const ExternalView&, EnergyVirial* to);
};

/// A kind of external force as the rest of the program sees it, made from its leaf file.
struct External {
    const char* name;
    const char* words;
    std::span<const Parameter> parameters;
    std::span<const ColumnUse> columns;

    /// The problem with the parameters in a box, in words, or null.
    const char* (*problem)(const double* parameters, const core::Box&);
    void (*derive)(const double* parameters, double* coefficients);
    /// Energy and force on one particle, in host memory.
    ExternalResult (*evaluate)(const ExternalView&, std::int64_t i);
    ExternalLaunches launches;
};

/// All kinds of external forces, in the order of their file names.
std::span<const External> external_kinds();
/// Throws core::InputError for a name that no leaf file has.
const External& external_kind(std::string_view name);

template <class P, class KernelLayout>
void add_external(device::Queue& queue, std::int64_t n, const ExternalView& view,
                  const KernelLayout& layout) {
    device::parallel_for(queue, "external force", n, AddExternal<P, KernelLayout>{view, layout});
}

/// The launches of one kind, as the generated unit of its leaf file registers them.
template <class P>
ExternalLaunches external_launches() {
    return {{&add_external<P, Packed<float>>, &add_external<P, Packed<double>>,
             &add_external<P, Dense<float>>, &add_external<P, Dense<double>>},
            [](device::Queue& queue, std::int64_t n, const ExternalView& view, EnergyVirial* to) {
                device::parallel_reduce<EnergyVirial>(queue, "external energy", n, EnergyVirial{},
                                                      SumExternal<P>{view}, device::Sum{}, to);
            }};
}

template <class P>
External make_external(const char* name, ExternalLaunches launches) {
    static_assert(external_coefficients<P> <= most_external_coefficients);
    static constexpr auto columns = column_uses<P>();
    External e{};
    e.name = name, e.words = P::words, e.parameters = P::parameters, e.columns = columns;
    e.problem = [](const double* from, const core::Box& box) -> const char* {
        if constexpr (requires { P::problem(parameters_of<P>(from), box); })
            return P::problem(parameters_of<P>(from), box);
        else
            return nullptr;
    };
    e.derive = [](const double* from, double* to) {
        std::ranges::copy(derive_external<P>(parameters_of<P>(from)), to);
    };
    e.evaluate = [](const ExternalView& view, std::int64_t i) {
        return OneExternal<P>(view, i).result();
    };
    e.launches = launches;
    return e;
}

}  // namespace aureole::md
