// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/bonded/term_view.hpp"
#include "md/box/of_box.hpp"
#include "md/box/step_state.hpp"
#include "md/integrate/constraints/numbers.hpp"
#include "md/longrange/mesh_map.hpp"
#include "md/neighbor/site.hpp"
#include "md/neighbor/tile_list.hpp"

namespace aureole::md {

/// The box in device memory, and all that kernels make of it.
struct BoxForms {
    core::Box box;
    ImageShift shift;
    ShortestImage shortest;
    MeshMap map;
    Images<float> mixed;
    Images<double> full;
    TileShifts tiles;

    AUREOLE_FN static BoxForms of(const core::Box& b) {
        return {b,
                ImageShift(b),
                ShortestImage(b),
                MeshMap(b),
                Images<float>(b),
                Images<double>(b),
                TileShifts(b)};
    }
    template <class X>
    const X* at() const {
        if constexpr (std::is_same_v<X, core::Box>) return &box;
        if constexpr (std::is_same_v<X, ImageShift>) return &shift;
        if constexpr (std::is_same_v<X, ShortestImage>) return &shortest;
        if constexpr (std::is_same_v<X, MeshMap>) return &map;
        if constexpr (std::is_same_v<X, Images<float>>) return &mixed;
        if constexpr (std::is_same_v<X, Images<double>>) return &full;
        if constexpr (std::is_same_v<X, TileShifts>) return &tiles;
    }
};

/// The box of a step, for whoever enqueues kernels: a box that the host knows, or the one in device
/// memory.
struct BoxRef {
    const core::Box* host;
    const BoxForms* device;  ///< null: the host's

    template <class X>
    operator OfBox<X>() const {
        return device != nullptr ? OfBox<X>(device->at<X>()) : OfBox<X>(*host);
    }
};

/// After the box has changed.
struct SetBoxForms {
    using device_kernel = void;
    const StepState* state;
    BoxForms* forms;

    AUREOLE_FN void operator()(std::int64_t) const { *forms = BoxForms::of(state->box); }
};

}  // namespace aureole::md
