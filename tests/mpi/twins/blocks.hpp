// SPDX-License-Identifier: Apache-2.0
// Blocks of items for several peers in one buffer: behind each other, scattered, or by type.
#pragma once

#include "collective.hpp"

namespace twins {

/// Blocks of one type. `places` are in items of the type, as v collectives want them.
struct Blocks {
    Side item;  // type and elements of one item
    Numbers* counts;
    Numbers* places;
    long total = 0;
    std::vector<Block> layout;

    /// Equal blocks behind each other.
    static Blocks equal(Collective& c, const Side& item, long items, int peers);
    /// Blocks of these lengths in random order with gaps.
    static Blocks scattered(Collective& c, Rng& rng, const TypeRef& item,
                            const std::vector<long>& items);
    CountsOf count_list() const { return {counts}; }
    PlacesOf place_list() const { return {places}; }
};

/// Blocks of a type each; places in bytes.
struct TypedBlocks {
    Numbers* counts;
    Numbers* places;
    std::vector<MPI_Datatype>* types;
    std::vector<Block> layout;

    static TypedBlocks scattered(Collective& c, Rng& rng, const std::vector<Side>& sides);
    CountsOf count_list() const { return {counts}; }
    PlacesOf place_list() const { return {places}; }
    const MPI_Datatype* type_list() const { return types->data(); }
};

/// The number that two ranks agree on, from a seed that all ranks know.
long agreed(std::uint64_t seed, long a, long b, long below);
/// A side of a message that two ranks agree on; each has a layout of its own.
Side agreed_side(const Collective& c, std::uint64_t seed, long a, long b, bool sender);

}  // namespace twins
