// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <type_traits>

#include "device/queue.hpp"
#include "device/view.hpp"

namespace aureole::device {

/// Device to device, in queue order: all of `from` to the start of `to`. No overlap.
template <class T>
void copy(Queue& queue, View<T> to, Input<T> from) {
    static_assert(std::is_trivially_copyable_v<T>);
    assert(to.size >= from.size);
    if (from.size == 0) return;
    queue.state().count_copy(from.size * sizeof(T));
    queue.state().copy(to.data, from.data, from.size * sizeof(T));
}

/// Fills `to` from host memory; returns when `from` may be reused.
template <class T>
void copy_from_host(Queue& queue, View<T> to, const std::type_identity_t<T>* from) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (to.size == 0) return;
    queue.state().count_copy(to.size * sizeof(T));
    queue.state().copy_from_host(to.data, from, to.size * sizeof(T));
}

/// Brings all of `from` to host memory; returns when it is there.
template <class T>
void copy_to_host(Queue& queue, T* to, Input<T> from) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (from.size == 0) return;
    ++queue.state().counted.looks;
    queue.state().count_copy(from.size * sizeof(T));
    queue.state().copy_to_host(to, from.data, from.size * sizeof(T));
}

/// Sets every element, in queue order.
template <class T>
void fill(Queue& queue, View<T> to, std::type_identity_t<T> value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (to.size == 0) return;
    queue.state().count_copy(to.size * sizeof(T));
    queue.state().fill(to.data, &value, sizeof(T), to.size);
}

}  // namespace aureole::device
