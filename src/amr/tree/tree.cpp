// SPDX-License-Identifier: Apache-2.0
#include "amr/tree/tree.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/error.hpp"

namespace aureole::amr {

namespace {

constexpr std::array<core::Vec3i, 26> all_directions() {
    std::array<core::Vec3i, 26> all{};
    std::size_t n = 0;
    // Those of fewer axes come first.
    for (int axes = 1; axes <= 3; ++axes)
        for (int z = -1; z <= 1; ++z)
            for (int y = -1; y <= 1; ++y)
                for (int x = -1; x <= 1; ++x) {
                    const int needs = z != 0 ? 3 : y != 0 ? 2 : x != 0 ? 1 : 0;
                    if (needs == axes) all[n++] = {x, y, z};
                }
    return all;
}

struct HashOfKey {
    std::size_t operator()(NodeKey key) const {
        return static_cast<std::size_t>(key.bits() * 0x9E3779B97F4A7C15u >> 7);
    }
};
using Keys = std::unordered_set<NodeKey, HashOfKey>;

std::vector<NodeKey> sorted(const Keys& keys) {
    std::vector<NodeKey> all(keys.begin(), keys.end());
    std::ranges::sort(all);
    return all;
}

}  // namespace

std::span<const core::Vec3i> directions(int dims) {
    static constexpr auto all = all_directions();
    return std::span(all).first(dims == 1 ? 2 : dims == 2 ? 8 : 26);
}

Tree::Tree(const Mesh& mesh) : mesh_(mesh), root_depth_(depth_of(mesh.roots)) {
    for (std::int64_t block = 0; block < mesh.blocks(); ++block)
        leaves_.emplace_back(mesh.place(block), root_depth_);
    std::ranges::sort(leaves_);
}

Tree::Tree(const Mesh& mesh, std::vector<NodeKey> leaves)
    : mesh_(mesh), root_depth_(depth_of(mesh.roots)), leaves_(std::move(leaves)) {}

int Tree::deepest_level() const {
    int deepest = 0;
    for (const auto key : leaves_) deepest = std::max(deepest, level(key));
    return deepest;
}

std::int64_t Tree::find(NodeKey key) const {
    const auto found = std::ranges::lower_bound(leaves_, key);
    return found != leaves_.end() && *found == key ? found - leaves_.begin() : -1;
}

std::int64_t Tree::covering(NodeKey key) const {
    for (int depth = key.depth(); depth >= root_depth_; --depth)
        if (const auto leaf = find(key.above(depth)); leaf >= 0) return leaf;
    return -1;
}

NodeKey Tree::neighbour(NodeKey key, core::Vec3i distance) const {
    const int depth = key.depth();
    auto place = key.place();
    for (int axis = 0; axis < 3; ++axis) {
        auto& at = component(place, axis);
        const int n = component(mesh_.roots, axis) << (axis < mesh_.dims ? depth - root_depth_ : 0);
        at += component(distance, axis);
        if (at >= 0 && at < n) continue;
        if (mesh_.boundary[static_cast<std::size_t>(2 * axis)] != Boundary::periodic) return {};
        at = (at % n + n) % n;
    }
    return {place, depth};
}

Tree Tree::refined(const std::function<bool(NodeKey)>& wants, int most_level) const {
    Keys leaves(leaves_.begin(), leaves_.end());
    const int children = 1 << mesh_.dims;
    std::vector<NodeKey> split;
    for (const auto key : leaves_)
        if (level(key) < most_level && wants(key)) split.push_back(key);
    // A leaf that is split makes leaves two levels above its children split as well, and so on.
    for (std::size_t k = 0; k < split.size(); ++k) {
        const NodeKey key = split[k];
        if (leaves.erase(key) == 0) continue;
        for (int corner = 0; corner < children; ++corner) leaves.insert(key.child(corner));
        if (key.depth() == root_depth_) continue;
        for (const auto& direction : directions(mesh_.dims)) {
            const NodeKey beside = neighbour(key, direction);
            if (beside.bits() == 0) continue;
            const NodeKey coarse = beside.parent();
            if (leaves.contains(coarse)) split.push_back(coarse);
        }
    }
    return {mesh_, sorted(leaves)};
}

Tree Tree::coarsened(const std::function<bool(NodeKey)>& ready) const {
    const int children = 1 << mesh_.dims;
    // Parents of complete families that are ready, from the deepest level on.
    std::vector<NodeKey> parents;
    for (std::size_t k = 0; k + static_cast<std::size_t>(children) <= leaves_.size(); ++k) {
        if (leaves_[k].depth() == root_depth_ || leaves_[k].corner() != 0) continue;
        const NodeKey parent = leaves_[k].parent();
        bool all = true;
        for (int corner = 0; corner < children && all; ++corner) {
            const NodeKey child = parent.child(corner);
            all = leaves_[k + static_cast<std::size_t>(corner)] == child && ready(child);
        }
        if (all) parents.push_back(parent);
    }
    std::ranges::stable_sort(parents, std::ranges::greater{}, &NodeKey::depth);
    Keys leaves(leaves_.begin(), leaves_.end());
    for (const NodeKey parent : parents) {
        // No leaf that touches it may be two levels deeper: its children's neighbours are leaves or
        // coarser, not nodes with children.
        const auto is_split = [&](NodeKey node) {
            for (int corner = 0; corner < children; ++corner)
                if (leaves.contains(node.child(corner))) return true;
            return false;
        };
        bool fits = true;
        for (int corner = 0; corner < children && fits; ++corner)
            for (const auto& direction : directions(mesh_.dims)) {
                const NodeKey beside = neighbour(parent.child(corner), direction);
                if (beside.bits() == 0 || beside.parent() == parent) continue;
                if (beside.depth() < NodeKey::deepest && is_split(beside)) {
                    fits = false;
                    break;
                }
            }
        if (!fits) continue;
        for (int corner = 0; corner < children; ++corner) leaves.erase(parent.child(corner));
        leaves.insert(parent);
    }
    return {mesh_, sorted(leaves)};
}

Tree Tree::read(const Mesh& mesh, std::span<const std::uint64_t> bits) {
    const auto refuse = [](const char* why) {
        throw core::FileError("the sub-grids of the checkpoint cannot be used", why,
                              "Another program or version wrote it. Use an earlier checkpoint.");
    };
    std::vector<NodeKey> leaves;
    leaves.reserve(bits.size());
    const int root_depth = depth_of(mesh.roots);
    double covered = 0;  // of roots, exact: multiples of 2^-60
    for (const auto one : bits) {
        const NodeKey key(one);
        if (!key.is_valid() || key.depth() < root_depth) refuse("a key is no node of the mesh");
        const auto root = key.above(root_depth).place();
        for (int axis = 0; axis < 3; ++axis)
            if (component(root, axis) >= component(mesh.roots, axis))
                refuse("a sub-grid lies outside of the box");
        const auto place = key.place();
        if ((mesh.dims < 3 && place.z != 0) || (mesh.dims < 2 && place.y != 0))
            refuse("a sub-grid lies outside of the box");
        if (!leaves.empty() && !(leaves.back() < key)) refuse("they are out of order");
        leaves.push_back(key);
        covered +=
            1.0 / static_cast<double>(std::uint64_t{1} << mesh.dims * (key.depth() - root_depth));
    }
    Tree tree(mesh, std::move(leaves));
    for (std::int64_t k = 0; k < tree.size(); ++k)
        for (int depth = root_depth; depth < tree.key(k).depth(); ++depth)
            if (tree.find(tree.key(k).above(depth)) >= 0) refuse("two of them overlap");
    if (covered != static_cast<double>(mesh.blocks())) refuse("they do not cover the box");
    if (!tree.is_balanced()) refuse("neighbours differ by more than a level");
    return tree;
}

Vec3d Tree::corner(NodeKey key, bool high) const {
    const auto place = key.place();
    Vec3d at{};
    for (int axis = 0; axis < mesh_.dims; ++axis) {
        const double cells = static_cast<double>(component(place, axis) + (high ? 1 : 0)) * edge;
        component(at, axis) = component(mesh_.lower, axis) +
                              cells * (mesh_.spacing(axis) / std::ldexp(1.0, level(key)));
    }
    return at;
}

Vec3d Tree::center(std::int64_t leaf, int cell) const {
    const NodeKey key = this->key(leaf);
    const auto place = key.place();
    const core::Vec3i in{cell % edge, cell / edge % edge, cell / (edge * edge)};
    Vec3d at{};
    for (int axis = 0; axis < mesh_.dims; ++axis)
        component(at, axis) = component(mesh_.lower, axis) +
                              (component(place, axis) * edge + component(in, axis) + 0.5) *
                                  (mesh_.spacing(axis) / refinement(leaf));
    return at;
}

bool touches(const RefinedBox& part, const Vec3d& low, const Vec3d& high, int dims) {
    for (int axis = 0; axis < dims; ++axis)
        if (!(component(low, axis) < component(part.upper, axis) &&
              component(part.lower, axis) < component(high, axis)))
            return false;
    return true;
}

Tree tree_of(const Mesh& mesh, std::span<const RefinedBox> boxes,
             const std::function<void(std::int64_t)>& check) {
    check(mesh.blocks());
    const int deepest = NodeKey::deepest - depth_of(mesh.roots);
    int most = 0;
    for (const auto& box : boxes) {
        most = std::max(most, box.level);
        if (box.level < 0 || box.level > deepest)
            throw core::InputError("level " + std::to_string(box.level) + " of a region",
                                   "this mesh may have levels from 0 to " +
                                       std::to_string(deepest) + ": 2²⁰ sub-grids along each axis",
                                   "Choose another level, or fewer roots.");
    }
    Tree tree(mesh);
    for (int round = 0; round < most; ++round) {
        const auto wants = [&](NodeKey key) {
            const auto low = tree.corner(key, false), high = tree.corner(key, true);
            return std::ranges::any_of(boxes, [&](const RefinedBox& box) {
                return tree.level(key) < box.level && touches(box, low, high, mesh.dims);
            });
        };
        const auto split = std::ranges::count_if(tree.leaves(), wants);
        check(tree.size() + split * ((1 << mesh.dims) - 1));
        tree = tree.refined(wants, most);
    }
    return tree;
}

bool Tree::is_balanced() const {
    for (const auto key : leaves_) {
        if (key.depth() <= root_depth_ + 1) continue;
        for (const auto& direction : directions(mesh_.dims)) {
            const NodeKey beside = neighbour(key, direction);
            if (beside.bits() == 0) continue;
            const auto leaf = covering(beside);
            if (leaf >= 0 && level(leaf) < level(key) - 1) return false;
        }
    }
    return true;
}

}  // namespace aureole::amr
