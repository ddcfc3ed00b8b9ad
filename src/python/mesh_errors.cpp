// SPDX-License-Identifier: Apache-2.0
#include "python/mesh_errors.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "md/longrange/ewald.hpp"
#include "md/longrange/pme.hpp"

namespace nb = nanobind;

namespace aureole::python {

namespace {

using Six = std::tuple<double, double, double, double, double, double>;
using Grid = std::tuple<int, int, int>;

core::Box box_of(const Six& six) {
    core::Box box;
    std::tie(box.lx, box.ly, box.lz, box.xy, box.xz, box.yz) = six;
    return box;
}

fft::GridSize size_of(const Grid& grid) {
    return {std::get<0>(grid), std::get<1>(grid), std::get<2>(grid)};
}

Grid mesh_for_spacing(const Six& box, double spacing, int order, const Grid& given) {
    const auto grid = md::mesh_for_spacing(box_of(box), spacing, order, size_of(given));
    return {grid.x, grid.y, grid.z};
}

std::tuple<double, double> force_errors(const Six& six, const Grid& grid, int order, double beta,
                                        double r_cut, double coulomb, double squares, double n) {
    const auto box = box_of(six);
    const md::PmeSpec spec{.grid = size_of(grid), .order = order, .beta = beta, .coulomb = coulomb};
    const md::ChargeSums sums{.square = squares};
    return {md::mesh_force_error(spec, box, sums, n),
            md::pair_force_error(coulomb, beta, r_cut, sums, n, box.volume())};
}

}  // namespace

void bind_mesh_errors(nb::module_& m) {
    m.def("mesh_for_spacing", &mesh_for_spacing, nb::arg("box"), nb::arg("spacing"),
          nb::arg("order"), nb::arg("given") = Grid(0, 0, 0));
    m.def(
        "ewald_force_errors", &force_errors, nb::arg("box"), nb::arg("grid"), nb::arg("order"),
        nb::arg("beta"), nb::arg("r_cut"), nb::arg("coulomb"), nb::arg("squares"), nb::arg("n"),
        nb::call_guard<nb::gil_scoped_release>(),
        "R.m.s. errors of the forces of a mesh and of the pair sum for charges at random places.");
}

}  // namespace aureole::python
