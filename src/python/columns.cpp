// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>

#include <span>

#include "device/config.hpp"
#include "device/gpu/vendor/names.hpp"
#include "md/particles/columns.hpp"
#include "python/convert.hpp"
#include "python/held_simulation.hpp"

// Columns of particles as arrays of Python.
namespace aureole::python {

namespace {

using core::Vec3d;
using core::Vec3i;

template <class T>
nb::object ordered(md::Simulation& sim, std::vector<T> local, const std::string& order) {
    if (order == "tag")
        local = sim.by_tag(local);
    else if (order != "local")
        throw core::InputError("there is no order '" + order + "'",
                               "there are two orders of particles", "Choose tag or local.");
    return to_numpy(local);
}

/// f(column) as the column of its element type that it is.
template <class F>
auto with_type(md::AnyColumn& column, F&& f) {
    return md::with_element(column.type(), [&]<class E>(const E&) {
        return f(static_cast<md::Column<typename E::Type>&>(column));
    });
}

/// Names of the columns that have values, and of the arrays that are computed.
std::string known_arrays(md::Simulation& sim) {
    std::string names;
    sim.particles().for_each_column([&](const md::AnyColumn& column) {
        if (column.in_use() && column.spec().in_checkpoints) names += column.spec().name + ", ";
    });
    return names + "force, energy or virial";
}

nb::object get(PySimulation& self, const std::string& name, const std::string& order) {
    const bool computed = name == "force" || name == "energy" || name == "virial";
    auto& sim = computed ? self.moving() : self.reading();
    auto& p = sim.particles();
    auto& q = sim.queue();
    if (name == "force") return ordered(sim, sim.forces(), order);
    if (name == "energy") return ordered(sim, sim.particle_sums().energy, order);
    if (name == "virial") {
        auto virial = sim.particle_sums().virial;
        if (order == "tag") virial = sim.by_tag(virial);
        return to_numpy(reinterpret_cast<const double*>(virial.data()), virial.size(), 6);
    }
    auto* const column = p.find_column(name);
    if (column == nullptr || !column->in_use())
        throw core::InputError("there is no array '" + name + "'", "the particles have others",
                               "Choose " + known_arrays(sim) + ".");
    return with_type(*column, [&](auto& typed) -> nb::object {
        return ordered(sim, md::download(q, typed), order);
    });
}

/// Positions inside the box and the images that belong to them.
nb::object wrapped(PySimulation& self, const std::string& order) {
    auto& sim = self.reading();
    auto position = md::download(sim.queue(), sim.particles().position);
    auto image = md::download(sim.queue(), sim.particles().image);
    for (std::size_t i = 0; i < position.size(); ++i) sim.system().box.wrap(position[i], image[i]);
    return nb::make_tuple(ordered(sim, position, order), ordered(sim, image, order));
}

template <class T>
void put(md::Simulation& sim, device::Buffer<T>& column, std::vector<T> data,
         const std::string& order) {
    const auto n = order == "tag" ? sim.system().n_total() : sim.particles().n;
    if (static_cast<std::int64_t>(data.size()) != n)
        throw core::InputError("the array has " + std::to_string(data.size()) + " rows",
                               "there are " + std::to_string(n) + " particles",
                               "Give one row per particle.");
    if (order == "tag")
        data = md::to_local_order(data, md::download_tags(sim.queue(), sim.particles()));
    device::copy_from_host(sim.queue(), column.view(), data.data());
    sim.edited();
}

void set(PySimulation& self, const std::string& name, nb::object value, const std::string& order) {
    auto& sim = self.moving();
    auto& p = sim.particles();
    auto* const column = p.find_column(name);
    const bool free = name == "position" || name == "velocity" || name == "image" || name == "mass";
    if (column == nullptr || !(free || column->spec().of_user))
        throw core::InputError("array '" + name + "' cannot be set",
                               "it is fixed or computed by the engine",
                               "Set position, velocity, image, mass or a column of your own.");
    md::with_element(column->type(), [&]<class E>(const E&) {
        using T = typename E::Type;
        const auto numbers = nb::cast<In<typename E::Number>>(value);
        put(sim, static_cast<md::Column<T>&>(*column), rows<T>(numbers, name.c_str(), E::width),
            order);
    });
    if (name == "mass") sim.set_masses(md::download(sim.queue(), p.mass));
}

/// Adds a column of the user's, [n] or [n][3] real or 32-bit integer numbers in tag order.
void add_column(PySimulation& self, const std::string& name, const std::string& unit,
                nb::object value) {
    using enum md::ElementType;
    const auto add = [&](const auto& array, md::ElementType one, md::ElementType three) {
        if (array.ndim() != 1 && (array.ndim() != 2 || array.shape(1) != 3))
            throw core::InputError("column '" + name + "' has the wrong shape",
                                   "each particle has one number or three",
                                   "Give the shape (n,) or (n, 3).");
        const std::span numbers(array.data(), array.size());
        self.moving().set_column(array.ndim() == 1 ? one : three, {.name = name, .unit = unit},
                                 std::as_bytes(numbers));
    };
    In<std::int32_t> whole;
    if (nb::try_cast(value, whole, false))
        add(whole, integer, integer_vector);
    else
        add(nb::cast<In<double>>(value), real, vector);
}

/// (name, unit, dtype, numbers per particle or 0 for one, of the user) of each column in use.
nb::list columns(PySimulation& self) {
    nb::list out;
    auto& sim = self.get();
    sim.particles().for_each_column([&](const md::AnyColumn& column) {
        if (!column.in_use() || !column.spec().in_checkpoints) return;
        const auto shape = md::element_shape(column.type());
        out.append(nb::make_tuple(column.spec().name, column.spec().unit, shape.dtype, shape.width,
                                  column.spec().of_user));
    });
    return out;
}

/// Device memory as Python sees it: a NumPy array, or for a GPU what exports it by DLPack, and its
/// address. Rows of `columns` numbers; 0: one number.
template <class T>
nb::object view_of(nb::handle owner, const md::Simulation& sim, const T* data, std::size_t n,
                   std::size_t columns) {
    const std::size_t shape[2] = {n, columns}, dimensions = columns == 0 ? 1 : 2;
    const int gpu = device::gpu_index(sim.device_spec().name);
    if (gpu < 0) return nb::cast(nb::ndarray<nb::numpy, const T>(data, dimensions, shape, owner));
    // Not marked as read-only, which half of the libraries refuse.
    using Exported = nb::ndarray<nb::array_api, T>;
    constexpr int kind = device::gpu::vendor_of(device::gpu_vendor).dlpack;
    return nb::make_tuple(nb::cast(Exported(const_cast<T*>(data), dimensions, shape, owner, nullptr,
                                            nb::dtype<T>(), kind, gpu)),
                          reinterpret_cast<std::uintptr_t>(data));
}

nb::object view(nb::handle_t<PySimulation> owner, const std::string& name) {
    auto& self = nb::cast<PySimulation&>(owner);
    auto& sim = self.get();
    auto& p = sim.particles();
    if (name == "force") self.moving().read_forces(self.force());
    self.open();
    const auto show = [&](const auto* data, std::size_t columns) {
        return view_of(owner, sim, data, static_cast<std::size_t>(p.n), columns);
    };
    const auto vectors = [&](const device::Buffer<Vec3d>& column) {
        return show(reinterpret_cast<const double*>(column.data()), 3);
    };
    if (name == "force") return vectors(self.force());
    if (auto* const column = p.find_column(name); column != nullptr && column->rows() > 0)
        return with_type(*column, [&]<class T>(md::Column<T>& typed) -> nb::object {
            using core::Vec3d, core::Vec3i;
            if constexpr (std::is_same_v<T, Vec3d>)
                return vectors(typed);
            else if constexpr (std::is_same_v<T, Vec3i>)
                return show(reinterpret_cast<const std::int32_t*>(typed.data()), 3);
            else
                return show(typed.data(), 0);
        });
    throw core::InputError("there is no view of '" + name + "'", "the engine does not store it",
                           "Use get().");
}

}  // namespace

void bind_columns(nb::class_<PySimulation>& c) {
    c.def("get", &get, nb::arg("name"), nb::arg("order") = "tag");
    c.def("wrapped", &wrapped, nb::arg("order") = "tag");
    c.def("set", &set, nb::arg("name"), nb::arg("array"), nb::arg("order") = "tag");
    c.def("add_column", &add_column, nb::arg("name"), nb::arg("unit"), nb::arg("values"));
    c.def("columns", &columns);
    c.def("view", &view, nb::arg("name"));
}

}  // namespace aureole::python
