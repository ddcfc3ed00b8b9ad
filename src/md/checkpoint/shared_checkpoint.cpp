// SPDX-License-Identifier: Apache-2.0
#include "md/checkpoint/shared_checkpoint.hpp"

#include <array>
#include <span>

#include "md/checkpoint/restored_state.hpp"
#include "md/checkpoint/state_blocks.hpp"

namespace aureole::md {

namespace {

constexpr char slice_mark = '@';
const std::string division_name = "division";

/// The rank that a block is of, if it is a slice.
std::optional<int> rank_of_slice(const std::string& name, int ranks) {
    const auto at = name.rfind(slice_mark);
    if (at == std::string::npos) return {};
    for (int r = 0; r < ranks; ++r)
        if (name.compare(at + 1, std::string::npos, std::to_string(r)) == 0) return r;
    return {};
}

}  // namespace

std::string slice_name(const std::string& block, int rank) {
    return block + slice_mark + std::to_string(rank);
}

void put_division(StateBlocks& to, const halo::RankGrid& grid) {
    const std::array<std::int32_t, 3> n{grid.n.x, grid.n.y, grid.n.z};
    put(to, division_name, std::span(n));
}

std::optional<Division> join_slices(StateBlocks& blocks) {
    if (!blocks.contains(division_name)) return {};
    const auto n = get<std::int32_t>(blocks, division_name, 3);
    constexpr std::int32_t most = 4096;
    std::int64_t ranks = 1;
    for (const auto along : n) {
        require(along >= 1 && along <= most, division_name, "the number of ranks is invalid");
        ranks *= along;
    }
    require(ranks <= most, division_name, "the number of ranks is invalid");
    Division division{{{n[0], n[1], n[2]}}, {0}};
    for (int r = 0; r < division.grid.size(); ++r) {
        const auto tags = blocks.find(slice_name("tag", r));
        if (tags == blocks.end()) refuse_block(slice_name("tag", r), "it is missing");
        division.begin.push_back(division.begin.back() +
                                 static_cast<std::int64_t>(tags->second.size() / sizeof(Tag)));
    }
    // Joined by rank, whose numbers are out of order where names are sorted as text.
    std::map<std::string, std::map<int, StateBlocks::node_type>> slices;
    for (auto at = blocks.begin(); at != blocks.end();) {
        const auto next = std::next(at);
        if (const auto rank = rank_of_slice(at->first, division.grid.size())) {
            const auto name = at->first.substr(0, at->first.rfind(slice_mark));
            slices[name][*rank] = blocks.extract(at);
        }
        at = next;
    }
    for (auto& [name, of_ranks] : slices) {
        if (std::ssize(of_ranks) != division.grid.size())
            refuse_block(name, "slices of some ranks are missing");
        if (blocks.contains(name)) refuse_block(name, "it is stored both as a whole and in slices");
        auto& whole = blocks[name];
        for (auto& [rank, slice] : of_ranks) {
            whole.insert(whole.end(), slice.mapped().begin(), slice.mapped().end());
            slice = {};
        }
    }
    return division;
}

}  // namespace aureole::md
