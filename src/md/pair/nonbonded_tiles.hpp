// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/flat.hpp"

namespace aureole::md {

/// Calls f with the kernels of a form for GPUs as its template argument: forces of each rule, and
/// sums, which are rare, by the table of pairs alone.
template <class F>
void with_team_tiles(const NonbondedForm& form, bool energy, const F& f) {
    const auto ruled = [&]<Coulomb coulomb, VdwEnd end>() {
        using enum Mixing;
        const auto call = [&]<Mixing mixing, bool sums>() {
            f.template
            operator()<MoleculePairs<coulomb, end, StatedRule<mixing>, sums, TeamLanes>>();
        };
        if (energy) return call.template operator()<table, true>();
        if (form.mixing == geometric) return call.template operator()<geometric, false>();
        if (form.mixing == lorentz_berthelot)
            return call.template operator()<lorentz_berthelot, false>();
        call.template operator()<table, false>();
    };
    const auto ended = [&]<Coulomb coulomb>() {
        using enum VdwEnd;
        if (form.end == plain) return ruled.template operator()<coulomb, plain>();
        if (form.end == potential_switch)
            return ruled.template operator()<coulomb, potential_switch>();
        ruled.template operator()<coulomb, force_switch>();
    };
    if (form.coulomb == Coulomb::ewald)
        ended.template operator()<Coulomb::ewald>();
    else
        ended.template operator()<Coulomb::reaction_field>();
}

/// Tiles of molecules on a GPU.
inline void run_team_tiles(device::Queue& queue, const NonbondedForm& form,
                           const NonbondedTileJob& job) {
    if constexpr (device::has_gpu)
        with_team_tiles(form, job.sums != nullptr,
                        [&]<class Pairs>() { launch_team_tiles<Pairs>(queue, job); });
}

}  // namespace aureole::md
