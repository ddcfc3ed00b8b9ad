// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "amr/mesh.hpp"
#include "amr/tree/node_key.hpp"

namespace aureole::amr {

/// The sub-grids of a mesh that is refined: leaves of a forest with a tree for each root, in Morton
/// order. A leaf of level l has 2^l times the roots' cells along each axis. Wherever two leaves
/// touch, at faces, edges or corners, also across a periodic boundary, their levels differ by one
/// at most (full 2:1 balance).
class Tree {
  public:
    /// The roots of a mesh.
    explicit Tree(const Mesh& mesh);

    std::int64_t size() const { return std::int64_t(leaves_.size()); }
    std::int64_t cells() const { return size() * mesh_.shape().cells(); }
    std::span<const NodeKey> leaves() const { return leaves_; }
    NodeKey key(std::int64_t leaf) const { return leaves_[static_cast<std::size_t>(leaf)]; }
    int level(std::int64_t leaf) const { return level(key(leaf)); }
    int level(NodeKey key) const { return key.depth() - root_depth_; }
    int deepest_level() const;
    const Mesh& mesh() const { return mesh_; }
    bool has_levels() const { return size() != mesh_.blocks(); }
    /// 2^level.
    double refinement(std::int64_t leaf) const {
        return static_cast<double>(std::int64_t{1} << level(leaf));
    }
    /// The low corner of a node, and with `high` its high corner.
    Vec3d corner(NodeKey key, bool high) const;
    /// The centre of a cell of a leaf.
    Vec3d center(std::int64_t leaf, int cell) const;

    /// The leaf with this key; −1 if it is none.
    std::int64_t find(NodeKey key) const;
    /// The leaf that is a node or contains it; −1 for nodes outside of the box, and those that have
    /// leaves below them.
    std::int64_t covering(NodeKey key) const;
    /// The node at a distance, in nodes of its depth along each axis, through periodic boundaries;
    /// none beyond others: then its bits are 0.
    NodeKey neighbour(NodeKey key, core::Vec3i distance) const;

    /// Leaves of which `wants` says so get their children in their place, and others as balance
    /// demands; none below `most_level`. `wants` is not asked about those again.
    Tree refined(const std::function<bool(NodeKey)>& wants, int most_level) const;
    /// Families of leaves of which all are `ready` become their parent, where balance lets them.
    Tree coarsened(const std::function<bool(NodeKey)>& ready) const;
    /// Leaves from a file. Throws core::FileError if they are not sorted, do not cover the box
    /// once, or are not balanced.
    static Tree read(const Mesh& mesh, std::span<const std::uint64_t> bits);

    /// Whether levels differ by one at most wherever leaves touch.
    bool is_balanced() const;

  private:
    Tree(const Mesh& mesh, std::vector<NodeKey> leaves);

    Mesh mesh_;
    int root_depth_;
    std::vector<NodeKey> leaves_;  ///< sorted
};

/// A part of the box in which sub-grids have at least a level.
struct RefinedBox {
    Vec3d lower, upper;
    int level;
};
/// Whether such a part and a box share more than their surface.
bool touches(const RefinedBox& part, const Vec3d& low, const Vec3d& high, int dims);
/// The tree of a mesh with such parts; a sub-grid that a part touches is refined. Throws
/// core::InputError for levels below 0 or beyond `most_along` sub-grids; `check` is called with the
/// number of sub-grids that there will be at least, before they are made.
Tree tree_of(
    const Mesh& mesh, std::span<const RefinedBox> boxes,
    const std::function<void(std::int64_t)>& check = [](std::int64_t) {});

/// All distances to nodes that touch one, of a mesh with so many axes.
std::span<const core::Vec3i> directions(int dims);

}  // namespace aureole::amr
