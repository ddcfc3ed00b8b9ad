// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/dense.kernel.hpp"
#include "md/integrate/displacement.kernel.hpp"
#include "md/integrate/motion_counts.kernel.hpp"
#include "md/integrate/thermo.kernel.hpp"

// What the host is told of a list when it looks at the end of a segment of steps, all at once.
namespace aureole::md {

/// Sums over particles that the next list is planned by.
struct ListFacts {
    MotionSums motion;
    Tag lost = StepState::nobody;  ///< see LostTag
    double astray = 0;  ///< how far particles have left the box, in parts of it: at most so far

    AUREOLE_FN friend ListFacts operator+(const ListFacts& a, const ListFacts& b) {
        return {a.motion + b.motion, a.lost < b.lost ? a.lost : b.lost,
                a.astray > b.astray ? a.astray : b.astray};
    }
};

struct ListReport {
    ListFacts facts;
    std::uint32_t needed[2] = {};  ///< lengths of the rows that did not fit, or 0
    MotionCounts counts;           ///< of displacements since the list was made
};

/// The state of a segment and the facts about its list, side by side in device memory.
struct StepRecord {
    StepState state;
    ListReport list;
};

/// The facts, where `counts` wants it with displacements.
template <class KernelLayout>
struct SumListFacts {
    using device_kernel = typename KernelLayout::device_kernel;
    SumMotion motion;
    const StepState* state;  ///< whose box is the present one
    const core::Vec3d* position;
    const Tag* tag;
    CountMotion<KernelLayout> displacements;
    bool counts;

    AUREOLE_FN ListFacts operator()(std::int64_t i) const {
        if (counts) displacements(i);
        return {motion(i), LostTag{state->box, position, tag}(i), astray(state->box, position[i])};
    }

  private:
    AUREOLE_FN static double astray(const core::Box& box, const core::Vec3d& r) {
        const auto f = box.fractional(r);
        const auto beyond = [](double at, bool periodic) {
            return periodic ? std::abs(at) - 0.5 : 0.0;
        };
        const double x = beyond(f.x, box.periodic_x), y = beyond(f.y, box.periodic_y),
                     z = beyond(f.z, box.periodic_z);
        const double most = x > y ? x : y;
        return most > z ? most : z;
    }
};

/// What a new list begins with, as the kernel that finds bounds is told: the kernels' coordinates
/// and the displacement limits, and an empty record.
template <class T>
struct BeginList {
    using device_kernel = void;
    StoreInLayout<Dense<T>> particle;
    bool stores;         ///< otherwise they are there
    ListReport* report;  ///< null: as it is
    ListStrain* strain;  ///< null: the box does not change
    core::Box searched;
    Site<T>* filler;  ///< of rows of neighbours

    AUREOLE_FN void begin(std::int64_t lane, std::int64_t lanes) const {
        if (report == nullptr) return;
        auto* const count = &report->counts.at[0][0];
        for (auto k = lane; k < motion_classes * n_motion_levels; k += lanes) count[k] = 0;
        if (lane != 0) return;
        report->needed[0] = report->needed[1] = 0;
        constexpr T nowhere = T(__builtin_nan(""));
        *filler = {nowhere, nowhere, nowhere, 0};
        if (strain != nullptr) *strain = {{}, 1, 0, searched};
    }
    AUREOLE_FN void store(std::int64_t i) const {
        if (stores) particle(i);
    }
};

}  // namespace aureole::md
