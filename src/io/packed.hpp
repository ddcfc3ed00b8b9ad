// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

// Plain structs as bytes, member by member: padding, which holds whatever memory held before, is
// left out, so that equal states give equal bytes and nothing leaks.
namespace aureole::io {

/// Specialised for every struct that is packed: `list` is a tuple of pointers to all its members.
template <class T>
struct PackedMembers;

template <class T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

namespace packing {

struct Anything {
    template <class U>
    operator U() const;
};

/// How many members an aggregate has.
template <class T, class... Known>
constexpr std::size_t member_count() {
    if constexpr (requires { T{Known{}..., Anything{}}; })
        return member_count<T, Known..., Anything>();
    else
        return sizeof...(Known);
}

template <class T, class F>
constexpr void for_members(F&& f) {
    constexpr auto list = PackedMembers<T>::list;
    static_assert(std::tuple_size_v<decltype(list)> == member_count<T>(), "a member is not listed");
    std::apply([&](auto... member) { (f(member), ...); }, list);
}

}  // namespace packing

/// Bytes that a value takes without its padding.
template <class T>
constexpr std::size_t packed_size() {
    if constexpr (Scalar<T>) {
        return sizeof(T);
    } else {
        std::size_t bytes = 0;
        packing::for_members<T>([&]<class M>(M T::*) { bytes += packed_size<M>(); });
        return bytes;
    }
}

template <class T>
void pack(std::byte*& to, const T& value) {
    if constexpr (Scalar<T>) {
        std::memcpy(to, &value, sizeof value);
        to += sizeof value;
    } else {
        packing::for_members<T>([&](auto member) { pack(to, value.*member); });
    }
}

/// False where a byte that should be a bool is none.
template <class T>
[[nodiscard]] bool unpack(const std::byte*& from, T& value) {
    bool sound = true;
    if constexpr (std::is_same_v<T, bool>) {
        sound = *from == std::byte{0} || *from == std::byte{1};
        value = *from++ != std::byte{0};
    } else if constexpr (Scalar<T>) {
        std::memcpy(&value, from, sizeof value);
        from += sizeof value;
    } else {
        packing::for_members<T>([&](auto member) { sound &= unpack(from, value.*member); });
    }
    return sound;
}

}  // namespace aureole::io
