// SPDX-License-Identifier: Apache-2.0
#include "amr/mesh.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace aureole::amr {

Boundary boundary_named(const std::string& name) {
    if (name == "periodic") return Boundary::periodic;
    if (name == "outflow") return Boundary::outflow;
    if (name == "reflecting") return Boundary::reflecting;
    if (name == "fixed") return Boundary::fixed;
    throw core::InputError("there is no boundary '" + name + "'",
                           "a boundary says what lies beyond a face of the box",
                           "Choose periodic, outflow, reflecting or fixed.");
}

double Mesh::spacing(int axis) const {
    return (component(upper, axis) - component(lower, axis)) / cells_along(axis);
}

std::array<double, 3> Mesh::inverse_spacings() const {
    std::array<double, 3> inverse{};
    for (int axis = 0; axis < dims; ++axis)
        inverse[static_cast<std::size_t>(axis)] = 1 / spacing(axis);
    return inverse;
}

double Mesh::cell_volume() const {
    double volume = 1;
    for (int axis = 0; axis < dims; ++axis) volume *= spacing(axis);
    return volume;
}

Vec3i Mesh::place(std::int64_t block) const {
    const auto row = block / roots.x;
    return {static_cast<int>(block % roots.x), static_cast<int>(row % roots.y),
            static_cast<int>(row / roots.y)};
}

void check(const Mesh& mesh) {
    if (mesh.dims < 1 || mesh.dims > 3)
        throw core::InputError("the mesh has " + std::to_string(mesh.dims) + " axes",
                               "meshes have one, two or three", "Give as many roots.");
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    std::int64_t blocks = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const int n = component(mesh.roots, axis);
        if (n < 1 || (axis >= mesh.dims && n != 1) || n > most_along || (blocks *= n) > most)
            throw core::InputError(
                "the mesh has " + std::to_string(n) + " sub-grids along axis " +
                    std::to_string(axis),
                "each axis has from one to 2²⁰, and all together have at most 2³¹ − 1",
                "Change the roots.");
    }
    for (int axis = 0; axis < mesh.dims; ++axis) {
        const double low = component(mesh.lower, axis), high = component(mesh.upper, axis);
        if (!(low < high) || !std::isfinite(high - low))
            throw core::InputError(
                "the box of the mesh is empty along axis " + std::to_string(axis),
                "it extends from " + std::to_string(low) + " to " + std::to_string(high),
                "Give a lower and a higher end.");
        const auto face = static_cast<std::size_t>(2 * axis);
        if ((mesh.boundary[face] == Boundary::periodic) !=
            (mesh.boundary[face + 1] == Boundary::periodic))
            throw core::InputError("one face of axis " + std::to_string(axis) + " is periodic",
                                   "what leaves through it enters through the other",
                                   "Make both periodic, or none.");
    }
}

}  // namespace aureole::amr
