// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/box.hpp"
#include "core/vec3.hpp"
#include "io/packed.hpp"

// The members of structs of core.
namespace aureole::io {

template <class T>
struct PackedMembers<core::Vec3<T>> {
    using V = core::Vec3<T>;
    static constexpr std::tuple list{&V::x, &V::y, &V::z};
};
template <class T>
struct PackedMembers<core::Sym3<T>> {
    using S = core::Sym3<T>;
    static constexpr std::tuple list{&S::xx, &S::yy, &S::zz, &S::xy, &S::xz, &S::yz};
};
template <>
struct PackedMembers<core::Box> {
    using B = core::Box;
    static constexpr std::tuple list{&B::lx, &B::ly,         &B::lz,         &B::xy,        &B::xz,
                                     &B::yz, &B::periodic_x, &B::periodic_y, &B::periodic_z};
};

}  // namespace aureole::io
