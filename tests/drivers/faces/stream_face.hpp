// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faces/face.hpp"

namespace aureole::emulated {

/// The common part of the faces' functions on streams and events.
int make_stream(const Here& place, unsigned flags, int priority, void** out);
int end_stream(void* stream);
int make_event(const Here& place, unsigned flags, void** out);
int record_event(const Here& place, void* event, void* stream);
int finish_capture(const StreamPtr& stream, void** out);
int instantiate(void* graph, void** out);
Context* context_of(const Stream& stream);

/// Does something with a stream that is named by a handle.
template <class Do>
int on_stream(const Here& place, const void* handle, Do&& what) {
    const bool made = reinterpret_cast<std::uintptr_t>(handle) > 2;
    if (place.status != success && !made) return place.status;
    const auto stream = stream_of(handle, place.context);
    return stream ? static_cast<int>(what(stream)) : int{invalid_handle};
}

}  // namespace aureole::emulated
