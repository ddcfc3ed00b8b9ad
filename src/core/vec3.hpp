// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/macros.hpp"

namespace aureole::core {

/// Three Cartesian components; plain data, `[n][3]` in memory.
template <class T>
struct Vec3 {
    T x{}, y{}, z{};

    AUREOLE_FN constexpr Vec3& operator+=(const Vec3& o) {
        x += o.x, y += o.y, z += o.z;
        return *this;
    }
    AUREOLE_FN constexpr Vec3& operator-=(const Vec3& o) {
        x -= o.x, y -= o.y, z -= o.z;
        return *this;
    }
    AUREOLE_FN constexpr Vec3& operator*=(T s) {
        x *= s, y *= s, z *= s;
        return *this;
    }
    AUREOLE_FN friend constexpr Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
    AUREOLE_FN friend constexpr Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
    AUREOLE_FN friend constexpr Vec3 operator*(Vec3 a, T s) { return a *= s; }
    AUREOLE_FN friend constexpr Vec3 operator*(T s, Vec3 a) { return a *= s; }
    AUREOLE_FN friend constexpr T dot(const Vec3& a, const Vec3& b) {
        return a.x * b.x + a.y * b.y + a.z * b.z;
    }
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

/// The component along an axis: x for 0, y for 1, z for 2.
template <class T>
AUREOLE_FN constexpr T component(const Vec3<T>& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
template <class T>
AUREOLE_FN constexpr T& component(Vec3<T>& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;
using Vec3i = Vec3<int>;

/// Symmetric 3 × 3 tensor (virial, pressure), in the order xx yy zz xy xz yz.
template <class T>
struct Sym3 {
    T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

    AUREOLE_FN constexpr Sym3& operator+=(const Sym3& o) {
        xx += o.xx, yy += o.yy, zz += o.zz, xy += o.xy, xz += o.xz, yz += o.yz;
        return *this;
    }
    AUREOLE_FN friend constexpr Sym3 operator+(Sym3 a, const Sym3& b) { return a += b; }
    AUREOLE_FN friend constexpr Sym3 operator*(T s, Sym3 a) {
        a.xx *= s, a.yy *= s, a.zz *= s, a.xy *= s, a.xz *= s, a.yz *= s;
        return a;
    }
    AUREOLE_FN constexpr T trace() const { return xx + yy + zz; }
};

/// s · a aᵀ
template <class T>
AUREOLE_FN constexpr Sym3<T> outer(T s, const Vec3<T>& a) {
    return {s * a.x * a.x, s * a.y * a.y, s * a.z * a.z,
            s * a.x * a.y, s * a.x * a.z, s * a.y * a.z};
}

/// The symmetric part of a ⊗ b.
template <class T>
AUREOLE_FN constexpr Sym3<T> symmetric_outer(const Vec3<T>& a, const Vec3<T>& b) {
    const T half(0.5);
    return {a.x * b.x,
            a.y * b.y,
            a.z * b.z,
            half * (a.x * b.y + a.y * b.x),
            half * (a.x * b.z + a.z * b.x),
            half * (a.y * b.z + a.z * b.y)};
}

using Sym3d = Sym3<double>;

}  // namespace aureole::core
