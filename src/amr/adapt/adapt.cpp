// SPDX-License-Identifier: Apache-2.0
#include "amr/adapt/adapt.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "amr/adapt/adapt.kernel.hpp"
#include "core/error.hpp"
#include "device/copy.hpp"
#include "device/launch.hpp"

namespace aureole::amr {

namespace {

constexpr int lanes = 128;

}  // namespace

std::vector<std::string> criteria() {
#define AUREOLE_NAME(Leaf, of_file) of_file,
    return {AUREOLE_CRITERIA(AUREOLE_NAME)};
#undef AUREOLE_NAME
}

Criterion criterion(const std::string& leaf, int field, double above, double below) {
    const auto known = criteria();
    const auto found = std::ranges::find(known, leaf);
    if (found == known.end()) no_leaf("criterion", leaf, known);
    if (!std::isfinite(above) || !std::isfinite(below) || below > above)
        throw core::InputError("a criterion refines above " + std::to_string(above) +
                                   " and lets sub-grids be coarser below " + std::to_string(below),
                               "these must be finite, and the second not above the first",
                               "Choose other bounds.");
    return {static_cast<int>(found - known.begin()), field, above, below};
}

Adaptation::Adaptation(device::Queue& queue, const Refining& refining, Ideal gas)
    : queue_(queue), refining_(refining), gas_(gas), criteria_(copied(queue, refining.criteria)) {}

/// In one launch.
std::vector<std::int8_t> Adaptation::flags(TreeOnDevice& on, const double* state) {
    flags_.resize(queue_, on.tree.size());
    device::team_for(
        queue_, "flags of sub-grids", {flags_.size(), lanes, FlagSubgrids::scratch_bytes(on.shape)},
        FlagSubgrids{on.find_halos(state), on.layers_there.data(), on.of_block.data(), gas_,
                     criteria_.data(), static_cast<int>(criteria_.size()), flags_.data()});
    std::vector<std::int8_t> found(static_cast<std::size_t>(flags_.size()));
    device::copy_to_host(queue_, found.data(), flags_.view());
    return found;
}

/// Whether a leaf touches a region of a level or finer.
bool Adaptation::is_in_region(const Tree& tree, NodeKey key, int level) const {
    const auto low = tree.corner(key, false), high = tree.corner(key, true);
    return std::ranges::any_of(refining_.regions, [&](const RefinedBox& box) {
        return level <= box.level && touches(box, low, high, tree.mesh().dims);
    });
}

std::optional<Tree> Adaptation::with_regions(const Tree& tree) const {
    const auto wants = [&](NodeKey key) { return is_in_region(tree, key, tree.level(key) + 1); };
    if (std::ranges::none_of(tree.leaves(), wants)) return {};
    return tree.refined(wants, NodeKey::deepest);
}

Tree Adaptation::split(const Tree& tree, const std::vector<std::int8_t>& flags) const {
    std::size_t next = 0;  // leaves are asked for in turn
    const auto wants = [&](NodeKey key) {
        while (tree.key(static_cast<std::int64_t>(next)) != key) ++next;
        return flags[next] > 0;
    };
    return tree.refined(wants, refining_.most_level);
}

std::optional<Tree> Adaptation::refined(TreeOnDevice& on, const double* state) {
    Tree split = this->split(on.tree, flags(on, state));
    if (split.size() == on.tree.size()) return {};
    return split;
}

Adaptation::Check Adaptation::check(TreeOnDevice& on, const double* state) {
    const Tree& tree = on.tree;
    const auto flags = this->flags(on, state);
    auto calm = calm_;
    bool all_stay = true;  // then trees need not be made
    for (std::size_t leaf = 0; leaf < flags.size(); ++leaf) {
        const int level = tree.level(static_cast<std::int64_t>(leaf));
        calm[leaf] = flags[leaf] < 0
                         ? static_cast<std::int8_t>(std::min(calm[leaf] + 1, calm_checks))
                         : std::int8_t{0};
        all_stay = all_stay && !(flags[leaf] > 0 && level < refining_.most_level) &&
                   !(calm[leaf] == calm_checks && level > 0);
    }
    if (all_stay) return {{}, std::move(calm)};
    const auto is_calm = [&](NodeKey key) {
        const auto leaf = tree.find(key);
        return leaf >= 0 && calm[static_cast<std::size_t>(leaf)] == calm_checks &&
               !is_in_region(tree, key, tree.level(key));
    };
    Tree fitted = split(tree, flags).coarsened(is_calm);
    if (std::ranges::equal(fitted.leaves(), tree.leaves())) return {{}, std::move(calm)};
    std::vector<std::int8_t> of_fitted(static_cast<std::size_t>(fitted.size()));
    for (std::int64_t leaf = 0; leaf < fitted.size(); ++leaf)
        if (const auto old = tree.find(fitted.key(leaf)); old >= 0)
            of_fitted[static_cast<std::size_t>(leaf)] = calm[static_cast<std::size_t>(old)];
    return {std::move(fitted), std::move(of_fitted)};
}

device::Buffer<double> Adaptation::moved(TreeOnDevice& on, const Tree& to, const double* state) {
    const Tree& tree = on.tree;
    const auto shape = on.shape;
    std::vector<Move> moves;
    std::vector<std::vector<Split>> splits;  // by level
    std::vector<CellSource> places;
    for (std::int64_t leaf = 0; leaf < to.size(); ++leaf) {
        const NodeKey key = to.key(leaf);
        if (const auto old = tree.find(key); old >= 0) {
            moves.push_back({old, leaf, 0});
        } else if (const auto first = tree.find(key.child(0)); first >= 0) {
            moves.push_back({first, leaf, 1});
        } else if (key.corner() == 0) {
            const NodeKey parent = key.parent();
            const int level = tree.level(parent);
            splits.resize(std::max(splits.size(), static_cast<std::size_t>(level + 1)));
            splits[static_cast<std::size_t>(level)].push_back(
                {static_cast<std::int64_t>(places.size()), leaf});
            core::Vec3i low = parent.place(), extent{1, 1, 1};
            for (int axis = 0; axis < shape.dims; ++axis) {
                component(low, axis) = component(low, axis) * edge - SplitSubgrids::beyond;
                component(extent, axis) = SplitSubgrids::along;
            }
            add_places(tree, level, low, extent, places, &to);
        }
    }
    device::Buffer<double> all(queue_, fields * to.cells());
    const CellReader old{shape, on.beyond.data(), state};
    const auto moves_there = copied(queue_, moves);
    device::parallel_for(queue_, "move sub-grids", moves_there.size() * fields * shape.cells(),
                         MoveSubgrids{old, moves_there.data(), all.data()});
    const auto places_there = copied(queue_, places);
    // Coarse ones first: finer ones beside them need their cells.
    for (const auto& of_level : splits) {
        if (of_level.empty()) continue;
        const auto there = copied(queue_, of_level);
        device::team_for(
            queue_, "split sub-grids", {there.size(), lanes, SplitSubgrids::scratch_bytes(shape)},
            SplitSubgrids{old, tree.size(), places_there.data(), there.data(), all.data()});
    }
    queue_.synchronize();
    return all;
}

}  // namespace aureole::amr
