// SPDX-License-Identifier: Apache-2.0
#include "md/pair/packed_tiles.kernel.hpp"
#include "md/pair/tile_kernels.hpp"

namespace aureole::md::AUREOLE_ISA {

namespace {

/// On processors, where tiles are for tests, one kernel serves all rules.
template <Coulomb coulomb, VdwEnd end>
PackedTiles<NonbondedTileJob> of_form(bool energy) {
    return energy ? &packed_tiles<MoleculePairs<coulomb, end, FoundRule, true, PackLanes>>
                  : &packed_tiles<MoleculePairs<coulomb, end, FoundRule, false, PackLanes>>;
}

template <Coulomb coulomb>
PackedTiles<NonbondedTileJob> of_end(VdwEnd end, bool energy) {
    switch (end) {
        case VdwEnd::plain:
            return of_form<coulomb, VdwEnd::plain>(energy);
        case VdwEnd::potential_switch:
            return of_form<coulomb, VdwEnd::potential_switch>(energy);
        default:
            return of_form<coulomb, VdwEnd::force_switch>(energy);
    }
}

PackedTiles<NonbondedTileJob> nonbonded(Coulomb coulomb, VdwEnd end, bool energy) {
    return coulomb == Coulomb::ewald ? of_end<Coulomb::ewald>(end, energy)
                                     : of_end<Coulomb::reaction_field>(end, energy);
}

}  // namespace

TileKernels tile_kernels();
TileKernels tile_kernels() { return {&nonbonded}; }

}  // namespace aureole::md::AUREOLE_ISA
