// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

// What CUDA and HIP have under names that differ in their first letters alone, AUREOLE_RUNTIME.

namespace aureole::device::gpu {

using Error = AUREOLE_RUNTIME(Error_t);
using Stream = AUREOLE_RUNTIME(Stream_t);
using Event = AUREOLE_RUNTIME(Event_t);
using Graph = AUREOLE_RUNTIME(Graph_t);
using RunnableGraph = AUREOLE_RUNTIME(GraphExec_t);

inline constexpr Error success = AUREOLE_RUNTIME(Success);
inline constexpr Error not_ready = AUREOLE_RUNTIME(ErrorNotReady);

inline std::string text_of(Error error) { return AUREOLE_RUNTIME(GetErrorString)(error); }
/// The last error that was not reported by the call itself, once.
inline Error last_error() { return AUREOLE_RUNTIME(GetLastError)(); }

// Devices.
inline Error driver_version(int& version) { return AUREOLE_RUNTIME(DriverGetVersion)(&version); }
inline Error count_devices(int& count) { return AUREOLE_RUNTIME(GetDeviceCount)(&count); }
inline Error current_device(int& index) { return AUREOLE_RUNTIME(GetDevice)(&index); }
inline Error use_device(int index) { return AUREOLE_RUNTIME(SetDevice)(index); }
inline Error synchronize_device() { return AUREOLE_RUNTIME(DeviceSynchronize)(); }

// Streams. Higher priorities are lower numbers.
inline Error priorities(int& lowest, int& highest) {
    return AUREOLE_RUNTIME(DeviceGetStreamPriorityRange)(&lowest, &highest);
}
inline Error make_stream(Stream& stream, int priority) {
    return AUREOLE_RUNTIME(StreamCreateWithPriority)(&stream, AUREOLE_RUNTIME(StreamNonBlocking),
                                                     priority);
}
inline void drop(Stream stream) { static_cast<void>(AUREOLE_RUNTIME(StreamDestroy)(stream)); }
inline Error synchronize(Stream stream) { return AUREOLE_RUNTIME(StreamSynchronize)(stream); }
inline Error wait(Stream stream, Event event) {
    return AUREOLE_RUNTIME(StreamWaitEvent)(stream, event, 0);
}

// Events.
inline Error make_event(Event& event, bool timed) {
    return AUREOLE_RUNTIME(EventCreateWithFlags)(
        &event, timed ? AUREOLE_RUNTIME(EventDefault) : AUREOLE_RUNTIME(EventDisableTiming));
}
inline void drop(Event event) { static_cast<void>(AUREOLE_RUNTIME(EventDestroy)(event)); }
inline Error record(Event event, Stream stream) {
    return AUREOLE_RUNTIME(EventRecord)(event, stream);
}
inline Error query(Event event) { return AUREOLE_RUNTIME(EventQuery)(event); }
inline Error synchronize(Event event) { return AUREOLE_RUNTIME(EventSynchronize)(event); }
inline Error milliseconds_between(float& time, Event earlier, Event later) {
    return AUREOLE_RUNTIME(EventElapsedTime)(&time, earlier, later);
}

// Graphs.
inline Error begin_capture(Stream stream) {
    return AUREOLE_RUNTIME(StreamBeginCapture)(stream, AUREOLE_RUNTIME(StreamCaptureModeRelaxed));
}
inline Error end_capture(Graph& graph, Stream stream) {
    return AUREOLE_RUNTIME(StreamEndCapture)(stream, &graph);
}
inline Error is_capturing(bool& yes, Stream stream) {
    auto status = AUREOLE_RUNTIME(StreamCaptureStatusNone);
    const Error error = AUREOLE_RUNTIME(StreamIsCapturing)(stream, &status);
    yes = status != AUREOLE_RUNTIME(StreamCaptureStatusNone);
    return error;
}
inline Error make_runnable(RunnableGraph& runnable, Graph graph) {
    return AUREOLE_RUNTIME(GraphInstantiateWithFlags)(&runnable, graph, 0);
}
inline void drop(Graph graph) { static_cast<void>(AUREOLE_RUNTIME(GraphDestroy)(graph)); }
inline void drop(RunnableGraph graph) {
    static_cast<void>(AUREOLE_RUNTIME(GraphExecDestroy)(graph));
}
inline Error replay(RunnableGraph graph, Stream stream) {
    return AUREOLE_RUNTIME(GraphLaunch)(graph, stream);
}

// Memory.
inline Error allocate(void*& memory, std::size_t bytes) {
    return AUREOLE_RUNTIME(Malloc)(&memory, bytes);
}
inline void release(void* memory) { static_cast<void>(AUREOLE_RUNTIME(Free)(memory)); }
inline Error copy(void* to, const void* from, std::size_t bytes, Stream stream) {
    return AUREOLE_RUNTIME(MemcpyAsync)(to, from, bytes, AUREOLE_RUNTIME(MemcpyDefault), stream);
}
inline Error fill_bytes(void* to, std::uint8_t value, std::size_t bytes, Stream stream) {
    return AUREOLE_RUNTIME(MemsetAsync)(to, value, bytes, stream);
}

#if AUREOLE_GPU_COMPILER

/// Lets blocks of the kernel have so much memory beside that which it declares.
template <class Kernel>
Error allow_shared(Kernel* kernel, std::int64_t bytes) {
    return AUREOLE_RUNTIME(FuncSetAttribute)(
        reinterpret_cast<const void*>(kernel),
        AUREOLE_RUNTIME(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(bytes));
}

/// How many blocks of the kernel a processor holds at once.
template <class Kernel>
Error blocks_at_once(int& count, Kernel* kernel, int lanes) {
    return AUREOLE_RUNTIME(OccupancyMaxActiveBlocksPerMultiprocessor)(&count, kernel, lanes, 0);
}

template <class... Parameters>
Error launch(void (*kernel)(Parameters...), const char*, const Shape& shape, Stream stream,
             const std::type_identity_t<Parameters>&... arguments) {
    kernel<<<dim3(shape.blocks, shape.rows), shape.lanes, shape.shared_bytes, stream>>>(
        arguments...);
    return last_error();
}

/// Launches blocks that wait for each other: they begin when all of them can run together.
template <class Parameter>
Error launch_together(void (*kernel)(Parameter), const char*, const Shape& shape, Stream stream,
                      const std::type_identity_t<Parameter>& argument) {
    void* arguments[] = {const_cast<std::remove_const_t<Parameter>*>(&argument)};
    return AUREOLE_RUNTIME(LaunchCooperativeKernel)(
        reinterpret_cast<const void*>(kernel), dim3(shape.blocks, shape.rows), dim3(shape.lanes),
        arguments, shape.shared_bytes, stream);
}

#endif

}  // namespace aureole::device::gpu
