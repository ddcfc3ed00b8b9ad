// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/macros.hpp"

namespace aureole::device {

/// A range of device memory, passed to kernels by value.
template <class T>
struct View {
    T* data = nullptr;
    std::int64_t size = 0;

    AUREOLE_FN T& operator[](std::int64_t i) const { return data[i]; }
    AUREOLE_FN T* begin() const { return data; }
    AUREOLE_FN T* end() const { return data + size; }
    AUREOLE_FN bool empty() const { return size == 0; }

    /// Elements [first, first + count).
    AUREOLE_FN View part(std::int64_t first, std::int64_t count) const {
        return {data + first, count};
    }

    template <class U>
    requires std::is_same_v<U, const T> &&(!std::is_const_v<T>)AUREOLE_FN operator View<U>() const {
        return {data, size};
    }
};

/// The view a function takes when it only reads: lets `View<T>` convert where T is deduced
/// elsewhere.
template <class T>
using Input = std::type_identity_t<View<const T>>;

}  // namespace aureole::device
