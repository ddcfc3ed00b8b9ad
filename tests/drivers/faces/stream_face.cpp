// SPDX-License-Identifier: Apache-2.0
#include "faces/stream_face.hpp"

namespace aureole::emulated {

int make_stream(const Here& place, unsigned flags, int priority, void** out) {
    if (place.status != success) return place.status;
    if (!out || flags > 1) return invalid_value;
    *out = table_of<Stream>().add(create_stream(place.context->group, flags == 0, priority));
    return success;
}

int end_stream(void* stream) {
    if (reinterpret_cast<std::uintptr_t>(stream) <= 2) return invalid_handle;
    const auto gone = table_of<Stream>().remove(stream);
    if (!gone) return invalid_handle;
    destroy_stream(gone);
    return success;
}

int make_event(const Here& place, unsigned flags, void** out) {
    constexpr unsigned untimed = 2;
    constexpr unsigned shared = 4;
    if (place.status != success) return place.status;
    if (!out || (flags & ~7u) || ((flags & shared) && !(flags & untimed))) return invalid_value;
    auto event = create_event(place.context->device, !(flags & untimed), flags & shared);
    if (!event) return out_of_memory;
    *out = table_of<Event>().add(std::move(event));
    return success;
}

int record_event(const Here& place, void* event, void* stream) {
    const auto found = table_of<Event>().find(event);
    if (!found) return invalid_handle;
    return on_stream(place, stream, [&](const StreamPtr& s) {
        return device_of(*s) == device_of(*found) ? record(found, s) : int{invalid_handle};
    });
}

int finish_capture(const StreamPtr& stream, void** out) {
    GraphPtr graph;
    const int status = end_capture(stream, graph);
    if (status == success && out) *out = table_of<Graph>().add(std::move(graph));
    return status;
}

int instantiate(void* graph, void** out) {
    const auto found = table_of<Graph>().find(graph);
    if (!found || !out) return invalid_value;
    *out = table_of<Graph>().add(copy_graph(*found));
    return success;
}

Context* context_of(const Stream& stream) {
    return static_cast<Context*>(owner_of(*group_of(stream)));
}

}  // namespace aureole::emulated
