// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

// What CUDA and HIP have under names that differ in their first letters alone, AUREOLE_RT.

namespace aureole::device::gpu {

using Error = AUREOLE_RT(Error_t);
using Stream = AUREOLE_RT(Stream_t);
using Event = AUREOLE_RT(Event_t);
using Graph = AUREOLE_RT(Graph_t);
using RunnableGraph = AUREOLE_RT(GraphExec_t);

inline constexpr Error success = AUREOLE_RT(Success);
inline constexpr Error not_ready = AUREOLE_RT(ErrorNotReady);

inline std::string text_of(Error error) { return AUREOLE_RT(GetErrorString)(error); }
/// The last error that was not reported by the call itself, once.
inline Error last_error() { return AUREOLE_RT(GetLastError)(); }

// Devices.
inline Error driver_version(int& version) { return AUREOLE_RT(DriverGetVersion)(&version); }
inline Error count_devices(int& count) { return AUREOLE_RT(GetDeviceCount)(&count); }
inline Error current_device(int& index) { return AUREOLE_RT(GetDevice)(&index); }
inline Error use_device(int index) { return AUREOLE_RT(SetDevice)(index); }
inline Error synchronize_device() { return AUREOLE_RT(DeviceSynchronize)(); }

// Streams. Higher priorities are lower numbers.
inline Error priorities(int& lowest, int& highest) {
    return AUREOLE_RT(DeviceGetStreamPriorityRange)(&lowest, &highest);
}
inline Error make_stream(Stream& stream, int priority) {
    return AUREOLE_RT(StreamCreateWithPriority)(&stream, AUREOLE_RT(StreamNonBlocking), priority);
}
inline void drop(Stream stream) { static_cast<void>(AUREOLE_RT(StreamDestroy)(stream)); }
inline Error synchronize(Stream stream) { return AUREOLE_RT(StreamSynchronize)(stream); }
inline Error wait(Stream stream, Event event) {
    return AUREOLE_RT(StreamWaitEvent)(stream, event, 0);
}

// Events.
inline Error make_event(Event& event, bool timed) {
    return AUREOLE_RT(EventCreateWithFlags)(
        &event, timed ? AUREOLE_RT(EventDefault) : AUREOLE_RT(EventDisableTiming));
}
inline void drop(Event event) { static_cast<void>(AUREOLE_RT(EventDestroy)(event)); }
inline Error record(Event event, Stream stream) { return AUREOLE_RT(EventRecord)(event, stream); }
inline Error query(Event event) { return AUREOLE_RT(EventQuery)(event); }
inline Error synchronize(Event event) { return AUREOLE_RT(EventSynchronize)(event); }
inline Error milliseconds_between(float& time, Event earlier, Event later) {
    return AUREOLE_RT(EventElapsedTime)(&time, earlier, later);
}

// Graphs.
inline Error begin_capture(Stream stream) {
    return AUREOLE_RT(StreamBeginCapture)(stream, AUREOLE_RT(StreamCaptureModeRelaxed));
}
inline Error end_capture(Graph& graph, Stream stream) {
    return AUREOLE_RT(StreamEndCapture)(stream, &graph);
}
inline Error is_capturing(bool& yes, Stream stream) {
    auto status = AUREOLE_RT(StreamCaptureStatusNone);
    const Error error = AUREOLE_RT(StreamIsCapturing)(stream, &status);
    yes = status != AUREOLE_RT(StreamCaptureStatusNone);
    return error;
}
inline Error make_runnable(RunnableGraph& runnable, Graph graph) {
    return AUREOLE_RT(GraphInstantiateWithFlags)(&runnable, graph, 0);
}
inline void drop(Graph graph) { static_cast<void>(AUREOLE_RT(GraphDestroy)(graph)); }
inline void drop(RunnableGraph graph) { static_cast<void>(AUREOLE_RT(GraphExecDestroy)(graph)); }
inline Error replay(RunnableGraph graph, Stream stream) {
    return AUREOLE_RT(GraphLaunch)(graph, stream);
}

// Memory.
inline Error allocate(void*& memory, std::size_t bytes) {
    return AUREOLE_RT(Malloc)(&memory, bytes);
}
inline void release(void* memory) { static_cast<void>(AUREOLE_RT(Free)(memory)); }
inline Error copy(void* to, const void* from, std::size_t bytes, Stream stream) {
    return AUREOLE_RT(MemcpyAsync)(to, from, bytes, AUREOLE_RT(MemcpyDefault), stream);
}
inline Error fill_bytes(void* to, std::uint8_t value, std::size_t bytes, Stream stream) {
    return AUREOLE_RT(MemsetAsync)(to, value, bytes, stream);
}

#if AUREOLE_GPU_COMPILER

/// Lets blocks of the kernel have so much memory beside that which it declares.
template <class Kernel>
Error allow_shared(Kernel* kernel, std::int64_t bytes) {
    return AUREOLE_RT(FuncSetAttribute)(reinterpret_cast<const void*>(kernel),
                                        AUREOLE_RT(FuncAttributeMaxDynamicSharedMemorySize),
                                        static_cast<int>(bytes));
}

/// How many blocks of the kernel a processor holds at once.
template <class Kernel>
Error blocks_at_once(int& count, Kernel* kernel, int lanes) {
    return AUREOLE_RT(OccupancyMaxActiveBlocksPerMultiprocessor)(&count, kernel, lanes, 0);
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
    return AUREOLE_RT(LaunchCooperativeKernel)(reinterpret_cast<const void*>(kernel),
                                               dim3(shape.blocks, shape.rows), dim3(shape.lanes),
                                               arguments, shape.shared_bytes, stream);
}

#endif

}  // namespace aureole::device::gpu
