// SPDX-License-Identifier: Apache-2.0
#include "faces/runtime_face.hpp"
#include "machine/settings.hpp"

using namespace aureole::emulated;

namespace {

int allocate_for_runtime(Kind kind, std::size_t bytes, void** out, unsigned flags = 0) {
    if (!out) return keep(invalid_value);
    *out = nullptr;
    if (bytes == 0) return success;
    return keep(allocate_in(runtime_context(), kind, bytes, *out, flags));
}

int free_for_runtime(void* at, Freeing what) {
    runtime_context();
    return at ? keep(free_memory(address(at), what)) : int{success};
}

}  // namespace

DRIVER_FUNCTION int RT(Malloc)(void** out, std::size_t bytes) {
    RT_ENTER(Malloc);
    return allocate_for_runtime(Kind::device, bytes, out);
}

DRIVER_FUNCTION int RT(Free)(void* at) {
    RT_ENTER(Free);
    return free_for_runtime(at, Freeing::device);
}

DRIVER_FUNCTION int RT(MallocManaged)(void** out, std::size_t bytes, unsigned flags) {
    RT_ENTER(MallocManaged);
    if (flags != 1 && flags != 2) return keep(invalid_value);
    return allocate_for_runtime(Kind::managed, bytes, out);
}

DRIVER_FUNCTION int RT(MallocHost)(void** out, std::size_t bytes) {
    RT_ENTER(MallocHost);
    return allocate_for_runtime(Kind::pinned, bytes, out);
}

DRIVER_FUNCTION int RT(HostAlloc)(void** out, std::size_t bytes, unsigned flags) {
    RT_ENTER(HostAlloc);
    return allocate_for_runtime(Kind::pinned, bytes, out, flags);
}

DRIVER_FUNCTION int RT(FreeHost)(void* at) {
    RT_ENTER(FreeHost);
    return free_for_runtime(at, Freeing::host);
}

DRIVER_FUNCTION int RT(HostRegister)(void* at, std::size_t bytes, unsigned) {
    RT_ENTER(HostRegister);
    if (!at || bytes == 0 || device_range.holds(address(at))) return keep(invalid_value);
    Context& context = runtime_context();
    return keep(register_host(address(at), bytes, context.device, &context));
}

DRIVER_FUNCTION int RT(HostUnregister)(void* at) {
    RT_ENTER(HostUnregister);
    if (const auto block = find(address(at))) wait_for_device(block->device);
    return keep(unregister_host(address(at)));
}

DRIVER_FUNCTION int RT(HostGetDevicePointer)(void** out, void* at, unsigned flags) {
    RT_ENTER(HostGetDevicePointer);
    const auto block = find(address(at));
    if (!out || flags || !block || !block->open_to_hosts()) return keep(invalid_value);
    *out = at;
    return success;
}

DRIVER_FUNCTION int RT(HostGetFlags)(unsigned* out, void* at) {
    RT_ENTER(HostGetFlags);
    const auto block = find(address(at));
    if (!out || !block || block->kind == Kind::device) return keep(invalid_value);
    *out = block->host_flags;
    return success;
}

DRIVER_FUNCTION int RT(MallocPitch)(void** out, std::size_t* pitch, std::size_t width,
                                    std::size_t height) {
    RT_ENTER(MallocPitch);
    if (!pitch) return keep(invalid_value);
    *pitch = round_up(width, 512);
    return allocate_for_runtime(Kind::device, *pitch * height, out);
}

DRIVER_FUNCTION int RT(MemGetInfo)(std::size_t* free, std::size_t* total) {
    RT_ENTER(MemGetInfo);
    if (!free || !total) return keep(invalid_value);
    *total = settings().memory;
    *free = *total - static_cast<std::size_t>(live_bytes(runtime_context().device));
    return success;
}
