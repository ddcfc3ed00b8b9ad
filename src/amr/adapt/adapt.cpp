// SPDX-License-Identifier: Apache-2.0
#include "amr/adapt/adapt.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "amr/adapt/adapt.kernel.hpp"
#include "amr/step/look.kernel.hpp"
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

Adaptation::Tables::Tables(device::Queue& queue, const Tree& tree, const Jumps& jumps)
    : there(queue, tree, jumps, FlagSubgrids::halo),
      layers(copied(queue, layers_beyond(tree, jumps, FlagSubgrids::halo))),
      flags(queue, tree.size()) {}

void Adaptation::begin(const Tree& tree, std::vector<std::int8_t> calm) {
    tables_.reset();
    calm_ = std::move(calm);
    calm_.resize(static_cast<std::size_t>(tree.size()));
}

Adaptation::Tables& Adaptation::tables(const Tree& tree) {
    if (!tables_) tables_.emplace(queue_, tree, jumps_of(tree));
    return *tables_;
}

double Adaptation::rate(const Tree& tree, const double* state) {
    const Mesh& mesh = tree.mesh();
    device::Buffer<Look> looks(queue_, tree.size());
    device::team_for(queue_, "look at cells", {tree.size(), 32},
                     LookAtCells<Ideal>{mesh.shape(), gas_, mesh.inverse_spacings(),
                                        tables(tree).there.refined.data(), state, looks.data()});
    std::vector<Look> found(static_cast<std::size_t>(tree.size()));
    device::copy_to_host(queue_, found.data(), looks.view());
    double most = 0;
    for (const auto& one : found) most = larger(most, one.rate);
    return most;
}

/// In one launch.
std::vector<std::int8_t> Adaptation::flags(const Tree& tree, const double* state) {
    auto& at = tables(tree);
    const auto shape = tree.mesh().shape();
    device::team_for(
        queue_, "flags of sub-grids", {tree.size(), lanes, FlagSubgrids::scratch_bytes(shape)},
        FlagSubgrids{at.there.find_halos(shape, FlagSubgrids::halo, state), at.layers.data(),
                     at.there.of_block.data(), gas_, criteria_.data(),
                     static_cast<int>(criteria_.size()), at.flags.data()});
    std::vector<std::int8_t> found(static_cast<std::size_t>(tree.size()));
    device::copy_to_host(queue_, found.data(), at.flags.view());
    return found;
}

/// Whether a leaf touches a region of its level or finer.
bool Adaptation::must_stay(const Tree& tree, NodeKey key) const {
    const auto low = tree.corner(key, false), high = tree.corner(key, true);
    return std::ranges::any_of(refining_.regions, [&](const RefinedBox& box) {
        return tree.level(key) <= box.level && touches(box, low, high, tree.mesh().dims);
    });
}

Tree Adaptation::split(const Tree& tree, const std::vector<std::int8_t>& flags) const {
    std::size_t next = 0;  // leaves are asked for in turn
    const auto wants = [&](NodeKey key) {
        while (tree.key(static_cast<std::int64_t>(next)) != key) ++next;
        return flags[next] > 0;
    };
    return tree.refined(wants, refining_.most_level);
}

std::optional<Tree> Adaptation::refined(const Tree& tree, const double* state) {
    Tree split = this->split(tree, flags(tree, state));
    if (split.size() == tree.size()) return {};
    return split;
}

Adaptation::Check Adaptation::check(const Tree& tree, const double* state) {
    const auto flags = this->flags(tree, state);
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
               !must_stay(tree, key);
    };
    Tree fitted = split(tree, flags).coarsened(is_calm);
    if (std::ranges::equal(fitted.leaves(), tree.leaves())) return {{}, std::move(calm)};
    std::vector<std::int8_t> of_fitted(static_cast<std::size_t>(fitted.size()));
    for (std::int64_t leaf = 0; leaf < fitted.size(); ++leaf)
        if (const auto old = tree.find(fitted.key(leaf)); old >= 0)
            of_fitted[static_cast<std::size_t>(leaf)] = calm[static_cast<std::size_t>(old)];
    return {std::move(fitted), std::move(of_fitted)};
}

device::Buffer<double> Adaptation::moved(const Tree& tree, const Tree& to, const double* state) {
    const auto shape = tree.mesh().shape();
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
    const auto beyond = copied(queue_, states_beyond(tree.mesh()));
    const CellReader old{shape, beyond.data(), state};
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
