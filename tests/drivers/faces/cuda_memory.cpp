// SPDX-License-Identifier: Apache-2.0
#include "faces/description.hpp"
#include "faces/face.hpp"
#include "machine/settings.hpp"

using namespace aureole::emulated;

namespace {

constexpr std::size_t pitch_unit = 512;

int allocate_here(Kind kind, std::size_t bytes, void** out, unsigned flags = 0) {
    const Here at = here();
    if (at.status != success) return at.status;
    if (!out || bytes == 0) return invalid_value;
    return allocate_in(*at.context, kind, bytes, *out, flags);
}

int free_here(Address at, Freeing what) {
    const Here place = here();
    if (place.status != success) return place.status;
    return at ? free_memory(at, what) : int{success};
}

}  // namespace

DRIVER_FUNCTION int cuMemAlloc(void** out, std::size_t bytes) {
    ENTER(cuMemAlloc);
    return allocate_here(Kind::device, bytes, out);
}
ALSO(cuMemAlloc_v2, cuMemAlloc);

DRIVER_FUNCTION int cuMemAllocPitch(void** out, std::size_t* pitch, std::size_t width,
                                    std::size_t height, unsigned unit) {
    ENTER(cuMemAllocPitch);
    if (!pitch || (unit != 4 && unit != 8 && unit != 16)) return invalid_value;
    const std::size_t row = round_up(width, pitch_unit);
    const int status = allocate_here(Kind::device, row * height, out);
    if (status == success) *pitch = row;
    return status;
}
ALSO(cuMemAllocPitch_v2, cuMemAllocPitch);

DRIVER_FUNCTION int cuMemFree(Address at) {
    ENTER(cuMemFree);
    return free_here(at, Freeing::device);
}
ALSO(cuMemFree_v2, cuMemFree);

DRIVER_FUNCTION int cuMemAllocManaged(void** out, std::size_t bytes, unsigned flags) {
    ENTER(cuMemAllocManaged);
    if (flags != 1 && flags != 2) return invalid_value;  // global, or of the host at first
    return allocate_here(Kind::managed, bytes, out);
}

DRIVER_FUNCTION int cuMemAllocHost(void** out, std::size_t bytes) {
    ENTER(cuMemAllocHost);
    return allocate_here(Kind::pinned, bytes, out);
}
ALSO(cuMemAllocHost_v2, cuMemAllocHost);

DRIVER_FUNCTION int cuMemHostAlloc(void** out, std::size_t bytes, unsigned flags) {
    ENTER(cuMemHostAlloc);
    if (flags & ~7u) return invalid_value;
    return allocate_here(Kind::pinned, bytes, out, flags);
}

DRIVER_FUNCTION int cuMemFreeHost(Address at) {
    ENTER(cuMemFreeHost);
    return free_here(at, Freeing::host);
}

DRIVER_FUNCTION int cuMemHostRegister(void* at, std::size_t bytes, unsigned flags) {
    ENTER(cuMemHostRegister);
    const Here place = here();
    if (place.status != success) return place.status;
    if (!at || bytes == 0 || (flags & ~15u) || device_range.holds(address(at)))
        return invalid_value;
    return register_host(address(at), bytes, place.context->device, place.context);
}
ALSO(cuMemHostRegister_v2, cuMemHostRegister);

DRIVER_FUNCTION int cuMemHostUnregister(void* at) {
    ENTER(cuMemHostUnregister);
    const auto block = find(address(at));
    if (block) wait_for_device(block->device);
    return unregister_host(address(at));
}

DRIVER_FUNCTION int cuMemHostGetDevicePointer(Address* out, void* at, unsigned flags) {
    ENTER(cuMemHostGetDevicePointer);
    const auto block = find(address(at));
    if (!out || flags || !block || !block->open_to_hosts()) return invalid_value;
    *out = address(at);
    return success;
}
ALSO(cuMemHostGetDevicePointer_v2, cuMemHostGetDevicePointer);

DRIVER_FUNCTION int cuMemHostGetFlags(unsigned* out, void* at) {
    ENTER(cuMemHostGetFlags);
    const auto block = find(address(at));
    if (!out || !block || block->kind == Kind::device) return invalid_value;
    *out = block->host_flags;
    return success;
}

DRIVER_FUNCTION int cuMemGetInfo(std::size_t* free, std::size_t* total) {
    ENTER(cuMemGetInfo);
    const Here place = here();
    if (place.status != success) return place.status;
    if (!free || !total) return invalid_value;
    *total = settings().memory;
    *free = *total - static_cast<std::size_t>(live_bytes(place.context->device));
    return success;
}
ALSO(cuMemGetInfo_v2, cuMemGetInfo);

DRIVER_FUNCTION int cuMemGetAddressRange(Address* base, std::size_t* bytes, Address at) {
    ENTER(cuMemGetAddressRange);
    const auto block = find(at);
    if (!block) return not_found;
    if (base) *base = block->base;
    if (bytes) *bytes = block->bytes;
    return success;
}
ALSO(cuMemGetAddressRange_v2, cuMemGetAddressRange);

DRIVER_FUNCTION int cuPointerGetAttribute(void* out, int attribute, const void* at) {
    ENTER(cuPointerGetAttribute);
    if (!may_be_known(address(at))) return invalid_value;
    return read_attribute(out, attribute, at, describe(at));
}

DRIVER_FUNCTION int cuPointerGetAttributes(unsigned count, const int* attributes, void** out,
                                           const void* at) {
    ENTER(cuPointerGetAttributes);
    if (!attributes || !out) return invalid_value;
    return read_attributes(count, attributes, out, at);
}

DRIVER_FUNCTION int cuPointerSetAttribute(const void* value, int attribute, const void* at) {
    ENTER(cuPointerSetAttribute);
    constexpr int sync_memops = 6;
    const auto block = find(address(at));
    if (!value || !block || attribute != sync_memops) return invalid_value;
    block->synchronous = *static_cast<const unsigned*>(value) != 0;
    return success;
}

DRIVER_FUNCTION int cuMemAdvise(Address at, std::size_t, int, int) {
    ENTER(cuMemAdvise);
    const auto block = find(at);
    return block && block->kind == Kind::managed ? success : invalid_value;
}

struct Location {
    int type;
    int id;
};

DRIVER_FUNCTION int cuMemAdvise_v2(Address at, std::size_t, int, Location) {
    ENTER(cuMemAdvise);
    const auto block = find(at);
    return block && block->kind == Kind::managed ? success : invalid_value;
}

DRIVER_FUNCTION int cuMemPrefetchAsync(Address at, std::size_t, int, void*) {
    ENTER(cuMemPrefetchAsync);
    const auto block = find(at);
    return block && block->kind == Kind::managed ? success : invalid_value;
}

DRIVER_FUNCTION int cuMemPrefetchAsync_v2(Address at, std::size_t, Location, unsigned, void*) {
    ENTER(cuMemPrefetchAsync);
    const auto block = find(at);
    return block && block->kind == Kind::managed ? success : invalid_value;
}
