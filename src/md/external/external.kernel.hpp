// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/external/external.hpp"
#include "md/integrate/dense.kernel.hpp"
#include "md/neighbor/packed.kernel.hpp"

namespace aureole::md {

/// Adds the forces to those of the kernels' layout.
template <class P, class KernelLayout>
struct AddExternal {
    using device_kernel = typename KernelLayout::device_kernel;
    ExternalView view;
    KernelLayout layout;

    AUREOLE_FN void operator()(std::int64_t i) const {
        if (view.acts_on(i)) layout.add_force(i, OneExternal<P>(view, i).force());
    }
};

/// One particle's part of the sums. External forces add nothing to the pressure tensor, which is
/// the momentum that particles carry and exchange; their momentum goes to what is outside the
/// system.
template <class P>
struct SumExternal {
    using device_kernel = void;
    ExternalView view;

    AUREOLE_FN EnergyVirial operator()(std::int64_t i) const {
        if (!view.acts_on(i)) return {};
        return {OneExternal<P>(view, i).result().energy, {}};
    }
};

}  // namespace aureole::md
