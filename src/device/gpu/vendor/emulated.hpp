// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

#include "device/emulated/fibers.hpp"

// A GPU for tests: its lanes are fibers of host threads, and its streams queues of a hostile host
// (device/emulated/runtime.cpp). What a GPU's compiler knows is here for that of the host.

#define __global__
#define __device__
#define __host__
#define __grid_constant__
#define __launch_bounds__(...)
#define threadIdx (::aureole::device::emulated::here().thread)
#define blockIdx (::aureole::device::emulated::here().block)
#define blockDim (::aureole::device::emulated::here().block_size)
#define gridDim (::aureole::device::emulated::here().grid_size)

namespace aureole::device::gpu {

struct StreamState;
struct EventState;
struct GraphState;
using Stream = StreamState*;
using Event = EventState*;
using Graph = GraphState*;
using RunnableGraph = GraphState*;

enum class Error { none, not_ready, no_device, out_of_memory, invalid_value, kernel_failed };

inline constexpr const char* maker = "emulated";
inline constexpr const char* architecture_term = "architecture";
inline constexpr const char* after_a_fault = "What failed is named above.";
inline constexpr const char* hidden_by = "there always is one";

inline constexpr Error success = Error::none;
inline constexpr Error not_ready = Error::not_ready;
inline constexpr Error no_device = Error::no_device;
inline constexpr Error out_of_memory = Error::out_of_memory;
inline constexpr std::size_t most_parameter_bytes = 4096;
inline constexpr std::int64_t most_lanes = 0xffffffff;

constexpr int bound_of(int blocks, int) { return blocks; }
inline constexpr Error of_kernels[] = {Error::kernel_failed};

std::string text_of(Error error);
Error last_error();

Error driver_version(int& version);
Error count_devices(int& count);
Error current_device(int& index);
Error use_device(int index);
Error properties_of(Properties& found, int index);
Error processors_of(int& count, int index);
Error synchronize_device();

Error priorities(int& lowest, int& highest);
Error make_stream(Stream& stream, int priority);
void drop(Stream stream);
Error synchronize(Stream stream);
Error wait(Stream stream, Event event);
Error call(Stream stream, void (*f)(void*), void* data);

Error make_event(Event& event, bool timed);
void drop(Event event);
Error record(Event event, Stream stream);
Error query(Event event);
Error synchronize(Event event);
Error milliseconds_between(float& time, Event earlier, Event later);

Error begin_capture(Stream stream);
Error end_capture(Graph& graph, Stream stream);
Error is_capturing(bool& yes, Stream stream);
Error make_runnable(RunnableGraph& runnable, Graph graph);
void drop(Graph graph);
Error replay(RunnableGraph graph, Stream stream);

Error allocate(void*& memory, std::size_t bytes);
void release(void* memory);
Error allocate_pinned(void*& memory, std::size_t bytes);
void release_pinned(void* memory);
Error copy(void* to, const void* from, std::size_t bytes, Stream stream);
Error fill_bytes(void* to, std::uint8_t value, std::size_t bytes, Stream stream);
/// An error for ordinary memory, as HIP's before ROCm 6, which the next launch would report.
Error is_pageable(bool& yes, const void* memory);

/// Work in the order of a stream, with device memory open.
Error enqueue(const char* name, Stream stream, std::function<void()> work);

template <class Kernel>
Error allow_shared(Kernel*, std::int64_t bytes) {
    return bytes <= std::int64_t{emulated::block_bytes} ? success : Error::invalid_value;
}
template <class Kernel>
Error blocks_at_once(int& count, Kernel*, int lanes) {
    return count = static_cast<int>(emulated::most_block_lanes) / lanes, success;
}

Error launch_fibers(const char* name, const Shape& shape, Stream stream, bool together,
                    std::function<void()> kernel);

template <class... Parameters>
Error launch(void (*kernel)(Parameters...), const char* name, const Shape& shape, Stream stream,
             const std::type_identity_t<Parameters>&... arguments) {
    return launch_fibers(name, shape, stream, false,
                         [kernel, ... copies = arguments] { kernel(copies...); });
}

template <class Parameter>
Error launch_together(void (*kernel)(Parameter), const char* name, const Shape& shape,
                      Stream stream, const std::type_identity_t<Parameter>& argument) {
    return launch_fibers(name, shape, stream, true, [kernel, argument] { kernel(argument); });
}

}  // namespace aureole::device::gpu

#include "device/gpu/own_pool.hpp"

namespace aureole::device::gpu {

/// Fills blocks with NaN when they are taken and when they are given.
class Pool : public OwnPool {
  public:
    Error take(void*& memory, std::size_t bytes, Stream stream);
    void give(void* memory, Stream stream) noexcept;
};

}  // namespace aureole::device::gpu
