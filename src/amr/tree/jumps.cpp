// SPDX-License-Identifier: Apache-2.0
#include "amr/tree/jumps.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace aureole::amr {

namespace {

core::Vec3i step_beyond(int axis, int side) {
    core::Vec3i step{};
    component(step, axis) = side == 1 ? 1 : -1;
    return step;
}

/// Finds where cells of a level are, anywhere in the box or beyond its faces.
class Finder {
  public:
    Finder(const Tree& tree, int level, const Tree* finer)
        : tree_(tree), finer_(finer), depth_(level + depth_of(tree.mesh().roots)), level_(level) {}

    /// The source of a cell, which is named by its coordinates among all of the level.
    CellSource operator()(core::Vec3i at) const {
        CellSource found;
        const Mesh& mesh = tree_.mesh();
        for (int axis = 0; axis < mesh.dims; ++axis) {
            auto& k = component(at, axis);
            const int n = (component(mesh.roots, axis) << level_) * edge;
            if (k >= 0 && k < n) continue;
            const auto face = static_cast<std::size_t>(2 * axis + (k < 0 ? 0 : 1));
            switch (mesh.boundary[face]) {
                case Boundary::periodic:
                    k = k < 0 ? k + n : k - n;
                    break;
                case Boundary::outflow:
                    k = k < 0 ? 0 : n - 1;
                    break;
                case Boundary::fixed:
                    if (found.fixed < 0) found.fixed = static_cast<std::int8_t>(face);
                    k = k < 0 ? 0 : n - 1;
                    break;
                case Boundary::reflecting:
                    k = k < 0 ? -1 - k : 2 * n - 1 - k;
                    found.mirrored = static_cast<std::uint8_t>(found.mirrored ^ 1 << axis);
                    break;
            }
        }
        core::Vec3i node = at, cell{};
        for (int axis = 0; axis < mesh.dims; ++axis) {
            component(node, axis) = component(at, axis) / edge;
            component(cell, axis) = component(at, axis) % edge;
        }
        const NodeKey key(node, depth_);
        const auto shape = mesh.shape();
        found.block = tree_.find(key);
        if (found.block < 0 && finer_ != nullptr && tree_.covering(key) >= 0)
            found.block = tree_.size() + finer_->find(key);
        const int place = cell.x + cell.y * shape.stride(1) + cell.z * shape.stride(2);
        if (found.block >= 0) {
            found.cell = static_cast<std::int16_t>(place);
            return found;
        }
        const auto finer = finer_cells(shape, place);
        found.block = tree_.find(key.child(finer.corner));
        if (found.block < 0)
            throw core::InputError("sub-grids that touch differ by two levels",
                                   "the mesh is not balanced", "Report this with the mesh.");
        found.cell = static_cast<std::int16_t>(finer.first), found.is_mean = 1;
        return found;
    }

  private:
    const Tree& tree_;
    const Tree* finer_;
    int depth_, level_;
};

/// Whether a cell of a patch is used for parts of those beyond the face: as their neighbour across
/// a face, an edge or a corner, or as the second one along an axis.
bool is_used(const PatchShape& shape, int cell) {
    int most = 0, beyond = 0;
    for (int of = 0; of < shape.dims; ++of) {
        const int k = cell / shape.stride(of) % shape.extent(of), last = shape.extent(of) - 3;
        const int distance = k < 2 ? 2 - k : k > last ? k - last : 0;
        most = std::max(most, distance), beyond += distance > 0 ? 1 : 0;
    }
    return most < 2 || beyond < 2;
}

/// The places of the patch around a face of a sub-grid beside a coarser one.
void add_patch(const Tree& tree, std::int64_t block, int axis, int side,
               std::vector<CellSource>& places) {
    const int dims = tree.mesh().dims;
    const PatchShape shape{dims, axis, side};
    const auto place = tree.key(block).place();
    core::Vec3i low{};  // of the patch, in coarse cells
    for (int of = 0; of < dims; ++of) {
        const int begin = component(place, of) * (edge / 2);
        component(low, of) = of != axis ? begin - 2 : side == 1 ? begin + edge / 2 - 2 : begin - 4;
    }
    const auto first = places.size();
    add_places(tree, tree.level(block) - 1, low,
               {shape.extent(0), shape.extent(1), shape.extent(2)}, places);
    for (int cell = 0; cell < shape.cells(); ++cell)
        if (!is_used(shape, cell)) places[first + static_cast<std::size_t>(cell)].block = -1;
}

}  // namespace

void add_places(const Tree& tree, int level, core::Vec3i low, core::Vec3i extent,
                std::vector<CellSource>& places, const Tree* finer) {
    const Finder find(tree, level, finer);
    for (int z = 0; z < extent.z; ++z)
        for (int y = 0; y < extent.y; ++y)
            for (int x = 0; x < extent.x; ++x)
                places.push_back(find({low.x + x, low.y + y, low.z + z}));
}

Jumps jumps_of(const Tree& tree) {
    Jumps jumps;
    const int dims = tree.mesh().dims;
    jumps.of_block.reserve(static_cast<std::size_t>(tree.size() * dims * 2));
    for (std::int64_t block = 0; block < tree.size(); ++block)
        for (int axis = 0; axis < dims; ++axis)
            for (int side = 0; side < 2; ++side) {
                const NodeKey beyond = tree.neighbour(tree.key(block), step_beyond(axis, side));
                const auto of_box = static_cast<std::size_t>(2 * axis + side);
                JumpFace face;
                face.is_fixed =
                    beyond.bits() == 0 && tree.mesh().boundary[of_box] == Boundary::fixed;
                if (!face.is_fixed && (beyond.bits() == 0 || tree.find(beyond) >= 0)) {
                    jumps.of_block.push_back(-1);
                    continue;
                }
                face.block = block, face.axis = static_cast<std::int8_t>(axis);
                face.side = static_cast<std::int8_t>(side);
                face.is_to_finer = !face.is_fixed && tree.covering(beyond) < 0;
                if (face.is_to_finer) {
                    // Children at the face that both share, by quarters of it.
                    const int one = axis == 0 ? 1 : 0, two = axis == 2 ? 1 : 2;
                    for (int quarter = 0; quarter < 1 << (dims - 1); ++quarter) {
                        int corner = side == 1 ? 0 : 1 << axis;
                        if ((quarter & 1) != 0) corner |= 1 << one;
                        if ((quarter & 2) != 0) corner |= 1 << two;
                        face.beyond[static_cast<std::size_t>(quarter)] =
                            tree.find(beyond.child(corner));
                    }
                } else if (!face.is_fixed) {
                    face.beyond[0] = static_cast<std::int64_t>(jumps.places.size());
                    add_patch(tree, block, axis, side, jumps.places);
                }
                jumps.of_block.push_back(static_cast<std::int64_t>(jumps.faces.size()));
                if (face.is_to_finer) jumps.to_finer.push_back(jumps.of_block.back());
                jumps.faces.push_back(face);
            }
    return jumps;
}

Neighbours neighbours_of(const Tree& tree, const Jumps& jumps) {
    const int dims = tree.mesh().dims;
    Neighbours found;
    found.beside.resize(static_cast<std::size_t>(tree.size()));
    found.corrected_by.resize(found.beside.size());
    const int patch = PatchShape{dims, 0, 0}.cells();
    for (std::int64_t block = 0; block < tree.size(); ++block) {
        auto& read = found.beside[static_cast<std::size_t>(block)];
        for (int axis = 0; axis < dims; ++axis)
            for (int side = 0; side < 2; ++side) {
                const auto number =
                    jumps.of_block[static_cast<std::size_t>((block * dims + axis) * 2 + side)];
                if (number < 0) {
                    const auto beyond = tree.neighbour(tree.key(block), step_beyond(axis, side));
                    if (beyond.bits() != 0) read.push_back(tree.find(beyond));
                    continue;
                }
                const auto& face = jumps.faces[static_cast<std::size_t>(number)];
                if (face.is_to_finer) {
                    for (int quarter = 0; quarter < 1 << (dims - 1); ++quarter) {
                        const auto fine = face.beyond[static_cast<std::size_t>(quarter)];
                        read.push_back(fine);
                        found.corrected_by[static_cast<std::size_t>(block)].push_back(fine);
                    }
                } else if (!face.is_fixed) {
                    for (int k = 0; k < patch; ++k)
                        if (const auto from =
                                jumps.places[static_cast<std::size_t>(face.beyond[0] + k)].block;
                            from >= 0)
                            read.push_back(from);
                }
            }
    }
    const auto once = [](std::vector<std::int64_t>& list) {
        std::ranges::sort(list);
        list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    for (auto& list : found.corrected_by) once(list);
    auto both = found.beside;
    for (std::size_t block = 0; block < both.size(); ++block)
        for (const auto other : found.beside[block])
            both[static_cast<std::size_t>(other)].push_back(static_cast<std::int64_t>(block));
    for (std::size_t block = 0; block < both.size(); ++block) {
        once(both[block]);
        std::erase(both[block], static_cast<std::int64_t>(block));
    }
    found.beside = std::move(both);
    return found;
}

std::vector<Layer> layers_beyond(const Tree& tree, const Jumps& jumps, int halo) {
    const Mesh& mesh = tree.mesh();
    std::vector<Layer> layers;
    layers.reserve(static_cast<std::size_t>(tree.size() * mesh.dims * 2 * halo));
    for (std::int64_t block = 0; block < tree.size(); ++block)
        for (int axis = 0; axis < mesh.dims; ++axis)
            for (int side = 0; side < 2; ++side) {
                const bool high = side == 1;
                const NodeKey beyond = tree.neighbour(tree.key(block), step_beyond(axis, side));
                const auto leaf = beyond.bits() == 0 ? block : tree.find(beyond);
                const auto face = static_cast<std::size_t>(2 * axis + side);
                const bool mirrored =
                    beyond.bits() == 0 && mesh.boundary[face] == Boundary::reflecting;
                const auto jump =
                    jumps.of_block[static_cast<std::size_t>((block * mesh.dims + axis) * 2 + side)];
                for (int depth = 0; depth < halo; ++depth) {
                    int layer = high ? depth : edge - 1 - depth;
                    if (beyond.bits() == 0 && !mirrored) layer = high ? edge - 1 : 0;
                    if (beyond.bits() == 0 && mirrored) layer = high ? edge - 1 - depth : depth;
                    layers.push_back({leaf >= 0 ? leaf : block, layer, mirrored, jump});
                }
            }
    return layers;
}

std::vector<double> refinements(const Tree& tree) {
    std::vector<double> all;
    all.reserve(static_cast<std::size_t>(tree.size()));
    for (std::int64_t block = 0; block < tree.size(); ++block)
        all.push_back(static_cast<double>(std::int64_t{1} << tree.level(block)));
    return all;
}

std::vector<double> states_beyond(const Mesh& mesh) {
    std::vector<double> all;
    for (const auto& state : mesh.beyond) all.insert(all.end(), state.begin(), state.end());
    return all;
}

}  // namespace aureole::amr
