// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/pair/flat.hpp"

namespace aureole::md {

/// Calls f with the kernels of a form for GPUs as its template argument: forces of each rule, and
/// sums, which are rare, by the table of pairs alone. Forces by rules of mixing, which are the most
/// usual ones, know whether there is one cut-off.
template <class F>
void with_team_tiles(const NonbondedForm& form, bool energy, const F& f) {
    const auto ruled = [&]<Coulomb coulomb, VdwEnd end>() {
        using enum Mixing;
        const auto call = [&]<Mixing mixing, bool sums, bool one>() {
            f.template
            operator()<MoleculePairs<coulomb, end, StatedRule<mixing, one>, sums, TeamLanes>>();
        };
        const auto mixed = [&]<Mixing mixing>() {
            if (form.one_cut_off) return call.template operator()<mixing, false, true>();
            call.template operator()<mixing, false, false>();
        };
        if (energy) return call.template operator()<table, true, false>();
        if (form.mixing == geometric) return mixed.template operator()<geometric>();
        if (form.mixing == lorentz_berthelot) return mixed.template operator()<lorentz_berthelot>();
        call.template operator()<table, false, false>();
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
