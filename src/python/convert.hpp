// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/vec3.hpp"

namespace aureole::python {

namespace nb = nanobind;

/// A C-contiguous array on the host, taken as it is or not at all: a silent copy would lose writes.
template <class T, class... Shape>
using In = nb::ndarray<const T, nb::numpy, nb::c_contig, nb::device::cpu, Shape...>;

/// A new NumPy array of a shape that owns a copy of `data`.
template <class T>
nb::object to_numpy(const T* data, std::initializer_list<std::size_t> shape) {
    std::size_t total = 1;
    for (const auto n : shape) total *= n;
    T* copy = new T[total == 0 ? 1 : total];
    if (total > 0) std::memcpy(copy, data, total * sizeof(T));
    nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(copy, shape.size(), shape.begin(), owner));
}
/// A new NumPy array of n rows of `columns` numbers that owns a copy; 0: one number a row.
template <class T>
nb::object to_numpy(const T* data, std::size_t n, std::size_t columns = 0) {
    return columns == 0 ? to_numpy(data, {n}) : to_numpy(data, {n, columns});
}

inline nb::object to_numpy(const std::vector<core::Vec3d>& v) {
    return to_numpy(reinterpret_cast<const double*>(v.data()), v.size(), 3);
}
inline nb::object to_numpy(const std::vector<core::Vec3i>& v) {
    return to_numpy(reinterpret_cast<const int*>(v.data()), v.size(), 3);
}
template <class T>
nb::object to_numpy(const std::vector<T>& v) {
    return to_numpy(v.data(), v.size());
}

inline nb::object tensor(const core::Sym3d& s) {
    const double full[9] = {s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz};
    return to_numpy(full, 3, 3);
}

/// Rows of an array as a vector; Row is plain data of the row's size.
template <class Row, class Array>
std::vector<Row> rows(const Array& array, const char* name, std::size_t columns) {
    const bool right =
        columns == 0 ? array.ndim() == 1 : array.ndim() == 2 && array.shape(1) == columns;
    if (!right)
        throw core::InputError(std::string("array ") + name + " has the wrong shape",
                               columns == 0 ? "one number per particle is needed"
                                            : "three numbers per particle are needed",
                               "Give one row per particle.");
    std::vector<Row> out(array.shape(0));
    void* bytes = out.data();
    if (!out.empty()) std::memcpy(bytes, array.data(), out.size() * sizeof(Row));
    return out;
}

}  // namespace aureole::python
