// SPDX-License-Identifier: Apache-2.0
#include "faces/face.hpp"
#include "faces/stream_face.hpp"

using namespace aureole::emulated;

DRIVER_FUNCTION int cuStreamCreate(void** out, unsigned flags) {
    ENTER(cuStreamCreate);
    return make_stream(here(), flags, 0, out);
}

DRIVER_FUNCTION int cuStreamCreateWithPriority(void** out, unsigned flags, int priority) {
    ENTER(cuStreamCreateWithPriority);
    return make_stream(here(), flags, priority, out);
}

DRIVER_FUNCTION int cuStreamDestroy(void* stream) {
    ENTER(cuStreamDestroy);
    return end_stream(stream);
}
ALSO(cuStreamDestroy_v2, cuStreamDestroy);

DRIVER_FUNCTION int cuStreamSynchronize(void* stream) {
    ENTER(cuStreamSynchronize);
    return on_stream(here(), stream, [](const StreamPtr& s) { return wait(s); });
}

DRIVER_FUNCTION int cuStreamQuery(void* stream) {
    ENTER(cuStreamQuery);
    return on_stream(here(), stream, [](const StreamPtr& s) { return ask(s); });
}

DRIVER_FUNCTION int cuStreamWaitEvent(void* stream, void* event, unsigned) {
    ENTER(cuStreamWaitEvent);
    const auto found = table_of<Event>().find(event);
    if (!found) return invalid_handle;
    return on_stream(here(), stream, [&](const StreamPtr& s) { return follow(s, found); });
}

DRIVER_FUNCTION int cuStreamGetFlags(void* stream, unsigned* out) {
    ENTER(cuStreamGetFlags);
    return on_stream(here(), stream, [&](const StreamPtr& s) {
        if (!out) return invalid_value;
        *out = is_blocking(*s) || s == first_stream(group_of(*s)) ? 0 : 1;
        return success;
    });
}

DRIVER_FUNCTION int cuStreamGetPriority(void* stream, int* out) {
    ENTER(cuStreamGetPriority);
    return on_stream(here(), stream, [&](const StreamPtr& s) {
        if (!out) return invalid_value;
        *out = priority_of(*s);
        return success;
    });
}

DRIVER_FUNCTION int cuStreamGetId(void* stream, unsigned long long* out) {
    ENTER(cuStreamGetId);
    return on_stream(here(), stream, [&](const StreamPtr& s) {
        if (!out) return invalid_value;
        *out = id_of(*s);
        return success;
    });
}

DRIVER_FUNCTION int cuStreamGetDevice(void* stream, int* out) {
    ENTER(cuStreamGetDevice);
    return on_stream(here(), stream, [&](const StreamPtr& s) {
        if (!out) return invalid_value;
        *out = device_of(*s);
        return success;
    });
}

DRIVER_FUNCTION int cuStreamGetCtx(void* stream, Context** out) {
    ENTER(cuStreamGetCtx);
    const Here place = here();
    return on_stream(place, stream, [&](const StreamPtr& s) {
        if (!out) return invalid_value;
        *out = context_of(*s);
        return success;
    });
}

DRIVER_FUNCTION int cuLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
    ENTER(cuLaunchHostFunc);
    if (!function) return invalid_value;
    return on_stream(here(), stream, [&](const StreamPtr& s) {
        return give(s, [function, data] { function(data); });
    });
}

DRIVER_FUNCTION int cuStreamAddCallback(void* stream, void (*function)(void*, int, void*),
                                        void* data, unsigned flags) {
    ENTER(cuStreamAddCallback);
    if (!function || flags) return invalid_value;
    return on_stream(here(), stream, [&](const StreamPtr& s) {
        return give(s, [=] { function(stream, success, data); });
    });
}

DRIVER_FUNCTION int cuStreamIsCapturing(void* stream, int* out) {
    ENTER(cuStreamIsCapturing);
    return on_stream(here(), stream, [&](const StreamPtr& s) {
        if (!out) return invalid_value;
        *out = is_capturing(s, nullptr) ? 1 : 0;
        return success;
    });
}

/// The versions differ in what follows the first three; those are set to nothing.
static int capture_info(void* stream, int* status, unsigned long long* id) {
    return on_stream(here(), stream, [&](const StreamPtr& s) {
        std::uint64_t number = 0;
        if (!status) return invalid_value;
        *status = is_capturing(s, &number) ? 1 : 0;
        if (id) *id = number;
        return success;
    });
}

DRIVER_FUNCTION int cuStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id) {
    ENTER(cuStreamGetCaptureInfo);
    return capture_info(stream, status, id);
}

DRIVER_FUNCTION int cuStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id,
                                              void** graph, const void** nodes,
                                              std::size_t* count) {
    ENTER(cuStreamGetCaptureInfo);
    if (graph) *graph = nullptr;
    if (nodes) *nodes = nullptr;
    if (count) *count = 0;
    return capture_info(stream, status, id);
}

DRIVER_FUNCTION int cuStreamGetCaptureInfo_v3(void* stream, int* status, unsigned long long* id,
                                              void** graph, const void** nodes, const void** edges,
                                              std::size_t* count) {
    ENTER(cuStreamGetCaptureInfo);
    if (graph) *graph = nullptr;
    if (nodes) *nodes = nullptr;
    if (edges) *edges = nullptr;
    if (count) *count = 0;
    return capture_info(stream, status, id);
}

DRIVER_FUNCTION int cuThreadExchangeStreamCaptureMode(int* mode) {
    ENTER(cuThreadExchangeStreamCaptureMode);
    static thread_local int own = 0;
    if (!mode || *mode < 0 || *mode > 2) return invalid_value;
    std::swap(own, *mode);
    return success;
}

DRIVER_FUNCTION int cuStreamBeginCapture(void* stream, int) {
    ENTER(cuStreamBeginCapture);
    return on_stream(here(), stream, [](const StreamPtr& s) { return begin_capture(s); });
}
ALSO(cuStreamBeginCapture_v2, cuStreamBeginCapture);

DRIVER_FUNCTION int cuStreamEndCapture(void* stream, void** out) {
    ENTER(cuStreamEndCapture);
    return on_stream(here(), stream, [&](const StreamPtr& s) { return finish_capture(s, out); });
}

DRIVER_FUNCTION int cuGraphInstantiate(void** out, void* graph, unsigned long long) {
    ENTER(cuGraphInstantiate);
    return instantiate(graph, out);
}
ALSO(cuGraphInstantiateWithFlags, cuGraphInstantiate);

DRIVER_FUNCTION int cuGraphLaunch(void* graph, void* stream) {
    ENTER(cuGraphLaunch);
    const auto found = table_of<Graph>().find(graph);
    if (!found) return invalid_value;
    return on_stream(here(), stream, [&](const StreamPtr& s) { return launch_graph(found, s); });
}

DRIVER_FUNCTION int cuGraphDestroy(void* graph) {
    ENTER(cuGraphDestroy);
    return table_of<Graph>().remove(graph) ? success : invalid_value;
}

DRIVER_FUNCTION int cuGraphExecDestroy(void* graph) {
    ENTER(cuGraphExecDestroy);
    return table_of<Graph>().remove(graph) ? success : invalid_value;
}

DRIVER_FUNCTION int cuEventCreate(void** out, unsigned flags) {
    ENTER(cuEventCreate);
    return make_event(here(), flags, out);
}

DRIVER_FUNCTION int cuEventDestroy(void* event) {
    ENTER(cuEventDestroy);
    return table_of<Event>().remove(event) ? success : invalid_handle;
}
ALSO(cuEventDestroy_v2, cuEventDestroy);

DRIVER_FUNCTION int cuEventRecord(void* event, void* stream) {
    ENTER(cuEventRecord);
    return record_event(here(), event, stream);
}

DRIVER_FUNCTION int cuEventRecordWithFlags(void* event, void* stream, unsigned) {
    ENTER(cuEventRecordWithFlags);
    return record_event(here(), event, stream);
}

DRIVER_FUNCTION int cuEventQuery(void* event) {
    ENTER(cuEventQuery);
    const auto found = table_of<Event>().find(event);
    return found ? ask(found) : int{invalid_handle};
}

DRIVER_FUNCTION int cuEventSynchronize(void* event) {
    ENTER(cuEventSynchronize);
    const auto found = table_of<Event>().find(event);
    return found ? wait(found) : int{invalid_handle};
}

DRIVER_FUNCTION int cuEventElapsedTime(float* out, void* from, void* to) {
    ENTER(cuEventElapsedTime);
    const auto begin = table_of<Event>().find(from);
    const auto end = table_of<Event>().find(to);
    if (!out) return invalid_value;
    return begin && end ? elapsed_ms(begin, end, *out) : int{invalid_handle};
}
ALSO(cuEventElapsedTime_v2, cuEventElapsedTime);
