// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

#include "core/vec3.hpp"

namespace aureole::amr {

/// A node of the forest of trees that covers the box: its place among the nodes of its depth. A
/// node of depth d has a place of d bits along each axis; its children, of depth d + 1, have one
/// more. Keys are sorted in Morton order, depth first, so that leaves follow each other as along
/// one curve.
class NodeKey {
  public:
    static constexpr int deepest = 20;

    NodeKey() = default;
    explicit NodeKey(std::uint64_t bits) : bits_(bits) {}
    NodeKey(core::Vec3i place, int depth) {
        std::uint64_t code = 0;
        for (int k = depth - 1; k >= 0; --k) {
            const auto bit = [k](int of) { return static_cast<std::uint64_t>(of) >> k & 1; };
            code = code << 3 | bit(place.z) << 2 | bit(place.y) << 1 | bit(place.x);
        }
        bits_ = (code << 1 | 1) << 3 * (deepest - depth);
    }

    /// As checkpoints keep it: the Morton code, then a one, then zeros.
    std::uint64_t bits() const { return bits_; }
    bool is_valid() const {
        return bits_ != 0 && bits_ >> (3 * deepest + 1) == 0 && std::countr_zero(bits_) % 3 == 0;
    }
    int depth() const { return deepest - std::countr_zero(bits_) / 3; }
    core::Vec3i place() const {
        core::Vec3i at{};
        const std::uint64_t code = bits_ >> (std::countr_zero(bits_) + 1);
        for (int k = 0; k < depth(); ++k) {
            const auto three = static_cast<int>(code >> 3 * k & 7);
            at.x |= (three & 1) << k, at.y |= (three >> 1 & 1) << k, at.z |= (three >> 2) << k;
        }
        return at;
    }

    NodeKey parent() const {
        const int depth = this->depth();
        const std::uint64_t one = std::uint64_t{1} << 3 * (deepest - depth + 1);
        return NodeKey((bits_ & ~(2 * one - 1)) | one);
    }
    /// The child in a corner: bit 0 of `corner` is the high side along x, bit 1 along y, 2 along z.
    NodeKey child(int corner) const {
        const std::uint64_t one = bits_ & ~(bits_ - 1), lower = one >> 3;
        return NodeKey((bits_ - one) + static_cast<std::uint64_t>(corner) * 2 * lower + lower);
    }
    /// The corner of its parent that it is in.
    int corner() const { return static_cast<int>(bits_ >> (std::countr_zero(bits_) + 1) & 7); }
    /// The node above it, or itself, of a smaller depth.
    NodeKey above(int depth) const {
        const std::uint64_t one = std::uint64_t{1} << 3 * (deepest - depth);
        return depth >= this->depth() ? *this : NodeKey((bits_ & ~(2 * one - 1)) | one);
    }

    friend auto operator<=>(const NodeKey&, const NodeKey&) = default;

  private:
    std::uint64_t bits_ = 0;
};

/// Bits along each axis that the places of so many nodes need: the depth of the roots of a mesh.
inline int depth_of(core::Vec3i nodes) {
    const auto bits = [](int n) { return std::bit_width(static_cast<unsigned>(n - 1)); };
    const int x = bits(nodes.x), y = bits(nodes.y), z = bits(nodes.z);
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

}  // namespace aureole::amr
