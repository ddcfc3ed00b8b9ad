// SPDX-License-Identifier: Apache-2.0
#include "faces/driver_face.hpp"
#include "machine/bar.hpp"
#include "machine/virtual.hpp"

using namespace aureole::emulated;

namespace {

struct Location {
    int type;
    int id;
};

/// Wishes for memory, as both vendors lay them out.
struct Properties {
    int allocation_type;
    int handle_kinds;
    Location location;
    void* metadata;
    struct {
        unsigned char compression;
        unsigned char direct_access;
        unsigned short usage;
        unsigned char reserved[4];
    } flags;
};
static_assert(sizeof(Properties) == 32);

struct Access {
    Location location;
    int flags;
};

constexpr int on_device = 1;
constexpr int pinned = 1;
constexpr int descriptor = 1;

int check(const Properties* wanted) {
    if (!wanted || wanted->allocation_type != pinned) return invalid_value;
    if (wanted->location.type != on_device) return not_supported;
    if (!device_exists(wanted->location.id)) return invalid_device;
    return wanted->handle_kinds & ~descriptor ? not_supported : success;
}

/// NVIDIA takes the descriptor in the place of a pointer. AMD's library takes a pointer to it, and
/// in its later versions both.
int descriptor_of(void* shared) {
    const auto value = reinterpret_cast<std::uintptr_t>(shared);
#ifdef AUREOLE_OPENS
    constexpr std::uintptr_t most_descriptors = 1u << 20;
    if (value >= most_descriptors) return *static_cast<const int*>(shared);
#endif
    return static_cast<int>(value);
}

}  // namespace

DRIVER_FUNCTION int RT(MemGetAllocationGranularity)(std::size_t* out, const Properties* wanted,
                                                    int) {
    DRV_ENTER(MemGetAllocationGranularity);
    if (!out) return invalid_value;
    if (const int status = check(wanted)) return status;
    *out = granularity;
    return success;
}

DRIVER_FUNCTION int RT(MemAddressReserve)(Address* out, std::size_t bytes, std::size_t alignment,
                                          Address wish, unsigned long long flags) {
    DRV_ENTER(MemAddressReserve);
    if (!out || flags) return invalid_value;
    return reserve_addresses(bytes, alignment, wish, *out);
}

DRIVER_FUNCTION int RT(MemAddressFree)(Address at, std::size_t bytes) {
    DRV_ENTER(MemAddressFree);
    return free_addresses(at, bytes);
}

DRIVER_FUNCTION int RT(MemCreate)(void** out, std::size_t bytes, const Properties* wanted,
                                  unsigned long long flags) {
    DRV_ENTER(MemCreate);
    if (!out || flags) return invalid_value;
    if (const int status = check(wanted)) return status;
    return create_memory(bytes, wanted->location.id, static_cast<unsigned>(wanted->handle_kinds),
                         *out);
}

DRIVER_FUNCTION int RT(MemRelease)(void* handle) {
    DRV_ENTER(MemRelease);
    return release_memory(handle);
}

DRIVER_FUNCTION int RT(MemRetainAllocationHandle)(void** out, void* at) {
    DRV_ENTER(MemRetainAllocationHandle);
    return out ? retain_memory(address(at), *out) : int{invalid_value};
}

DRIVER_FUNCTION int RT(MemMap)(Address at, std::size_t bytes, std::size_t offset, void* handle,
                               unsigned long long flags) {
    DRV_ENTER(MemMap);
    return flags ? int{invalid_value} : map_memory(at, bytes, offset, handle);
}

DRIVER_FUNCTION int RT(MemUnmap)(Address at, std::size_t bytes) {
    DRV_ENTER(MemUnmap);
    return unmap_memory(at, bytes);
}

DRIVER_FUNCTION int RT(MemSetAccess)(Address at, std::size_t bytes, const Access* wanted,
                                     std::size_t count) {
    DRV_ENTER(MemSetAccess);
    if (!wanted || count == 0) return invalid_value;
    for (std::size_t k = 0; k < count; ++k) {
        if (wanted[k].location.type != on_device) return not_supported;
        if (!device_exists(wanted[k].location.id)) return invalid_device;
        const int status = set_access(at, bytes, wanted[k].location.id, wanted[k].flags);
        if (status != success) return status;
    }
    return success;
}

DRIVER_FUNCTION int RT(MemGetAccess)(unsigned long long* out, const Location* where, Address at) {
    DRV_ENTER(MemGetAccess);
    const auto block = find(at);
    if (!out || !where || !block) return invalid_value;
    *out = static_cast<unsigned long long>(block->access);
    return success;
}

DRIVER_FUNCTION int RT(MemExportToShareableHandle)(void* out, void* handle, int kind,
                                                   unsigned long long flags) {
    DRV_ENTER(MemExportToShareableHandle);
    if (!out || flags) return invalid_value;
    return kind == descriptor ? export_descriptor(handle, *static_cast<int*>(out))
                              : int{not_supported};
}

DRIVER_FUNCTION int RT(MemImportFromShareableHandle)(void** out, void* shared, int kind) {
    DRV_ENTER(MemImportFromShareableHandle);
    if (!out) return invalid_value;
    const int number = descriptor_of(shared);
    return kind == descriptor ? import_descriptor(number, *out) : int{not_supported};
}

DRIVER_FUNCTION int RT(MemGetAllocationPropertiesFromHandle)(Properties* out, void* handle) {
    DRV_ENTER(MemGetAllocationPropertiesFromHandle);
    const auto pages = memory_of(handle);
    if (!out || !pages) return invalid_value;
    *out = {};
    out->allocation_type = pinned;
    out->handle_kinds = static_cast<int>(pages->handle_kinds);
    out->location = {on_device, pages->device};
    return success;
}

DRIVER_FUNCTION int RT(MemGetHandleForAddressRange)(int* out, Address at, std::size_t bytes,
                                                    int kind, unsigned long long flags) {
    DRV_ENTER(MemGetHandleForAddressRange);
    constexpr int dma_buf = 1;
    if (!out || kind != dma_buf || flags) return invalid_value;
    return bar_file(at, bytes, *out);
}
