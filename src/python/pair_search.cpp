// SPDX-License-Identifier: Apache-2.0
#include "python/pair_search.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "md/neighbor/pair_search.hpp"
#include "python/convert.hpp"

namespace aureole::python {

namespace {

using Six = std::tuple<double, double, double, double, double, double>;
using Three = std::tuple<bool, bool, bool>;
using Positions = In<double, nb::shape<-1, 3>>;

std::span<const core::Vec3d> vectors(const Positions& array) {
    return {reinterpret_cast<const core::Vec3d*>(array.data()), array.shape(0)};
}

md::PairSearch* pair_search(const Positions& position, const Six& six, const Three& periodic,
                            double r_cut) {
    core::Box box;
    std::tie(box.lx, box.ly, box.lz, box.xy, box.xz, box.yz) = six;
    std::tie(box.periodic_x, box.periodic_y, box.periodic_z) = periodic;
    return new md::PairSearch(box, vectors(position), r_cut);
}

nb::tuple find(const md::PairSearch& search, const Positions& centre, std::size_t begin,
               std::size_t most) {
    md::FoundPairs found;
    const auto end = search.find(vectors(centre), begin, most, found);
    return nb::make_tuple(to_numpy(found.centre), to_numpy(found.particle),
                          to_numpy(found.distance), end);
}

}  // namespace

void bind_pair_search(nb::module_& m) {
    nb::class_<md::PairSearch>(m, "PairSearch",
                               "Particles sorted into cells, for finding pairs within a cut-off.")
        .def(nb::new_(&pair_search), nb::arg("position"), nb::arg("box"), nb::arg("periodic"),
             nb::arg("r_cut"))
        .def("find", &find, nb::arg("centre"), nb::arg("begin"), nb::arg("most"),
             "Indices of centres and particles, distances, and the first centre not yet searched.");
}

}  // namespace aureole::python
