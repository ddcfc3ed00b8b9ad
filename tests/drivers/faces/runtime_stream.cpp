// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "faces/runtime_face.hpp"
#include "faces/stream_face.hpp"

using namespace aureole::emulated;

namespace {

template <class Do>
int with_stream(const void* handle, Do&& what) {
    return keep(on_stream(runtime_here(), handle, std::forward<Do>(what)));
}

template <class Do>
int with_event(void* handle, Do&& what) {
    const auto found = table_of<Event>().find(handle);
    return keep(found ? static_cast<int>(what(found)) : int{invalid_handle});
}

}  // namespace

DRIVER_FUNCTION int RT(StreamCreate)(void** out) {
    RT_ENTER(StreamCreate);
    return keep(make_stream(runtime_here(), 0, 0, out));
}

DRIVER_FUNCTION int RT(StreamCreateWithFlags)(void** out, unsigned flags) {
    RT_ENTER(StreamCreateWithFlags);
    return keep(make_stream(runtime_here(), flags, 0, out));
}

DRIVER_FUNCTION int RT(StreamCreateWithPriority)(void** out, unsigned flags, int priority) {
    RT_ENTER(StreamCreateWithPriority);
    return keep(make_stream(runtime_here(), flags, priority, out));
}

DRIVER_FUNCTION int RT(StreamDestroy)(void* stream) {
    RT_ENTER(StreamDestroy);
    return keep(end_stream(stream));
}

DRIVER_FUNCTION int RT(StreamSynchronize)(void* stream) {
    RT_ENTER(StreamSynchronize);
    return with_stream(stream, [](const StreamPtr& s) { return wait(s); });
}

DRIVER_FUNCTION int RT(StreamQuery)(void* stream) {
    RT_ENTER(StreamQuery);
    return with_stream(stream, [](const StreamPtr& s) { return ask(s); });
}

DRIVER_FUNCTION int RT(StreamWaitEvent)(void* stream, void* event, unsigned) {
    RT_ENTER(StreamWaitEvent);
    return with_event(event, [&](const EventPtr& e) {
        return on_stream(runtime_here(), stream, [&](const StreamPtr& s) { return follow(s, e); });
    });
}

DRIVER_FUNCTION int RT(StreamGetFlags)(void* stream, unsigned* out) {
    RT_ENTER(StreamGetFlags);
    return with_stream(stream, [&](const StreamPtr& s) {
        if (!out) return invalid_value;
        *out = is_blocking(*s) || s == first_stream(group_of(*s)) ? 0 : 1;
        return success;
    });
}

DRIVER_FUNCTION int RT(StreamGetPriority)(void* stream, int* out) {
    RT_ENTER(StreamGetPriority);
    return with_stream(stream, [&](const StreamPtr& s) {
        if (!out) return invalid_value;
        *out = priority_of(*s);
        return success;
    });
}

DRIVER_FUNCTION int RT(StreamGetId)(void* stream, unsigned long long* out) {
    RT_ENTER(StreamGetId);
    return with_stream(stream, [&](const StreamPtr& s) {
        if (!out) return invalid_value;
        *out = id_of(*s);
        return success;
    });
}

DRIVER_FUNCTION int RT(StreamGetDevice)(void* stream, int* out) {
    RT_ENTER(StreamGetDevice);
    return with_stream(stream, [&](const StreamPtr& s) {
        if (!out) return invalid_value;
        *out = device_of(*s);
        return success;
    });
}

DRIVER_FUNCTION int RT(LaunchHostFunc)(void* stream, void (*function)(void*), void* data) {
    RT_ENTER(LaunchHostFunc);
    if (!function) return keep(invalid_value);
    return with_stream(
        stream, [&](const StreamPtr& s) { return give(s, [function, data] { function(data); }); });
}

DRIVER_FUNCTION int RT(StreamAddCallback)(void* stream, void (*function)(void*, int, void*),
                                          void* data, unsigned flags) {
    RT_ENTER(StreamAddCallback);
    if (!function || flags) return keep(invalid_value);
    return with_stream(stream, [&](const StreamPtr& s) {
        return give(s, [=] { function(stream, success, data); });
    });
}

DRIVER_FUNCTION int RT(StreamIsCapturing)(void* stream, int* out) {
    RT_ENTER(StreamIsCapturing);
    return with_stream(stream, [&](const StreamPtr& s) {
        if (!out) return invalid_value;
        *out = is_capturing(s, nullptr) ? 1 : 0;
        return success;
    });
}

DRIVER_FUNCTION int RT(StreamBeginCapture)(void* stream, int) {
    RT_ENTER(StreamBeginCapture);
    return with_stream(stream, [](const StreamPtr& s) { return begin_capture(s); });
}

DRIVER_FUNCTION int RT(StreamEndCapture)(void* stream, void** out) {
    RT_ENTER(StreamEndCapture);
    return with_stream(stream, [&](const StreamPtr& s) { return finish_capture(s, out); });
}

DRIVER_FUNCTION int RT(ThreadExchangeStreamCaptureMode)(int* mode) {
    RT_ENTER(ThreadExchangeStreamCaptureMode);
    static thread_local int own = 0;
    if (!mode || *mode < 0 || *mode > 2) return keep(invalid_value);
    std::swap(own, *mode);
    return success;
}

DRIVER_FUNCTION int RT(GraphLaunch)(void* graph, void* stream) {
    RT_ENTER(GraphLaunch);
    const auto found = table_of<Graph>().find(graph);
    if (!found) return keep(invalid_value);
    return with_stream(stream, [&](const StreamPtr& s) { return launch_graph(found, s); });
}

DRIVER_FUNCTION int RT(GraphDestroy)(void* graph) {
    RT_ENTER(GraphDestroy);
    return keep(table_of<Graph>().remove(graph) ? success : invalid_value);
}

DRIVER_FUNCTION int RT(GraphExecDestroy)(void* graph) {
    RT_ENTER(GraphExecDestroy);
    return keep(table_of<Graph>().remove(graph) ? success : invalid_value);
}

DRIVER_FUNCTION int RT(EventCreate)(void** out) {
    RT_ENTER(EventCreate);
    return keep(make_event(runtime_here(), 0, out));
}

DRIVER_FUNCTION int RT(EventCreateWithFlags)(void** out, unsigned flags) {
    RT_ENTER(EventCreateWithFlags);
    return keep(make_event(runtime_here(), flags & 7u, out));
}

DRIVER_FUNCTION int RT(EventDestroy)(void* event) {
    RT_ENTER(EventDestroy);
    return keep(table_of<Event>().remove(event) ? success : invalid_handle);
}

DRIVER_FUNCTION int RT(EventRecord)(void* event, void* stream) {
    RT_ENTER(EventRecord);
    return keep(record_event(runtime_here(), event, stream));
}

DRIVER_FUNCTION int RT(EventRecordWithFlags)(void* event, void* stream, unsigned) {
    RT_ENTER(EventRecordWithFlags);
    return keep(record_event(runtime_here(), event, stream));
}

DRIVER_FUNCTION int RT(EventQuery)(void* event) {
    RT_ENTER(EventQuery);
    return with_event(event, [](const EventPtr& e) { return ask(e); });
}

DRIVER_FUNCTION int RT(EventSynchronize)(void* event) {
    RT_ENTER(EventSynchronize);
    return with_event(event, [](const EventPtr& e) { return wait(e); });
}

DRIVER_FUNCTION int RT(EventElapsedTime)(float* out, void* from, void* to) {
    RT_ENTER(EventElapsedTime);
    const auto end = table_of<Event>().find(to);
    if (!out) return keep(invalid_value);
    return with_event(from, [&](const EventPtr& begin) {
        return end ? elapsed_ms(begin, end, *out) : int{invalid_handle};
    });
}
