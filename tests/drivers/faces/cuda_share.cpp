// SPDX-License-Identifier: Apache-2.0
#include "faces/face.hpp"
#include "faces/pool_face.hpp"
#include "machine/handles.hpp"

using namespace aureole::emulated;

DRIVER_FUNCTION int cuIpcGetMemHandle(Locator* out, Address at) {
    ENTER(cuIpcGetMemHandle);
    return out ? export_memory(at, *out) : int{invalid_value};
}

DRIVER_FUNCTION int cuIpcOpenMemHandle(Address* out, Locator handle, unsigned flags) {
    ENTER(cuIpcOpenMemHandle);
    const Here place = here();
    if (place.status != success) return place.status;
    if (!out || flags != 1) return invalid_value;
    return import_memory(handle, place.context, place.context->device, *out);
}
ALSO(cuIpcOpenMemHandle_v2, cuIpcOpenMemHandle);

DRIVER_FUNCTION int cuIpcCloseMemHandle(Address at) {
    ENTER(cuIpcCloseMemHandle);
    const auto block = find(at);
    if (block) wait_for_device(block->device);
    return close_import(at);
}

DRIVER_FUNCTION int cuIpcGetEventHandle(Locator* out, void* event) {
    ENTER(cuIpcGetEventHandle);
    const auto found = table_of<Event>().find(event);
    if (!found) return invalid_handle;
    return out ? export_event(found, *out) : int{invalid_value};
}

DRIVER_FUNCTION int cuIpcOpenEventHandle(void** out, Locator handle) {
    ENTER(cuIpcOpenEventHandle);
    const Here place = here();
    if (place.status != success) return place.status;
    EventPtr event;
    if (!out) return invalid_value;
    const int status = import_event(handle, event);
    if (status == success) *out = table_of<Event>().add(std::move(event));
    return status;
}

DRIVER_FUNCTION int cuMemAllocAsync(void** out, std::size_t bytes, void* stream) {
    ENTER(cuMemAllocAsync);
    const Here place = here();
    if (place.status != success) return place.status;
    if (!out) return invalid_value;
    return allocate_on_stream(current_pool(place.context->device), bytes, stream, *place.context,
                              *out);
}

DRIVER_FUNCTION int cuMemAllocFromPoolAsync(void** out, std::size_t bytes, void* pool,
                                            void* stream) {
    ENTER(cuMemAllocFromPoolAsync);
    const Here place = here();
    if (place.status != success) return place.status;
    if (!out) return invalid_value;
    return allocate_on_stream(pool_of(pool), bytes, stream, *place.context, *out);
}

DRIVER_FUNCTION int cuMemFreeAsync(Address at, void* stream) {
    ENTER(cuMemFreeAsync);
    const Here place = here();
    if (place.status != success) return place.status;
    const auto found = stream_of(stream, place.context);
    return found ? free_on_stream(at, found) : int{invalid_handle};
}

DRIVER_FUNCTION int cuDeviceGetDefaultMemPool(void** out, int device) {
    ENTER(cuDeviceGetDefaultMemPool);
    return give_pool(device, out, default_pool);
}

DRIVER_FUNCTION int cuDeviceGetMemPool(void** out, int device) {
    ENTER(cuDeviceGetMemPool);
    return give_pool(device, out, current_pool);
}

DRIVER_FUNCTION int cuDeviceSetMemPool(int device, void* pool) {
    ENTER(cuDeviceSetMemPool);
    return device_exists(device) ? set_current_pool(device, pool_of(pool)) : int{invalid_device};
}

DRIVER_FUNCTION int cuMemPoolCreate(void** out, const PoolProperties* wanted) {
    ENTER(cuMemPoolCreate);
    return make_pool(wanted, out);
}

DRIVER_FUNCTION int cuMemPoolDestroy(void* pool) {
    ENTER(cuMemPoolDestroy);
    return destroy_pool(pool);
}

DRIVER_FUNCTION int cuMemPoolTrimTo(void* pool, std::size_t) {
    ENTER(cuMemPoolTrimTo);
    return pool_of(pool) ? success : invalid_value;
}

DRIVER_FUNCTION int cuMemPoolSetAttribute(void* pool, int attribute, void* value) {
    ENTER(cuMemPoolSetAttribute);
    return set_pool_attribute(pool, attribute, value);
}

DRIVER_FUNCTION int cuMemPoolGetAttribute(void* pool, int attribute, void* value) {
    ENTER(cuMemPoolGetAttribute);
    return get_pool_attribute(pool, attribute, value);
}

DRIVER_FUNCTION int cuMemPoolSetAccess(void* pool, const void* access, std::size_t) {
    ENTER(cuMemPoolSetAccess);
    return pool_of(pool) && access ? success : invalid_value;
}

DRIVER_FUNCTION int cuMemPoolGetAccess(int* flags, void* pool, void* location) {
    ENTER(cuMemPoolGetAccess);
    if (!flags || !location || !pool_of(pool)) return invalid_value;
    *flags = 3;
    return success;
}

DRIVER_FUNCTION int cuMemPoolExportToShareableHandle(void* out, void* pool, int kind,
                                                     unsigned long long flags) {
    ENTER(cuMemPoolExportToShareableHandle);
    return pool_to_descriptor(out, pool, kind, static_cast<unsigned>(flags));
}

DRIVER_FUNCTION int cuMemPoolImportFromShareableHandle(void** out, void* handle, int kind,
                                                       unsigned long long flags) {
    ENTER(cuMemPoolImportFromShareableHandle);
    return pool_from_descriptor(out, handle, kind, static_cast<unsigned>(flags));
}

DRIVER_FUNCTION int cuMemPoolExportPointer(Locator* out, Address at) {
    ENTER(cuMemPoolExportPointer);
    return out ? export_pool_pointer(at, *out) : int{invalid_value};
}

DRIVER_FUNCTION int cuMemPoolImportPointer(Address* out, void* pool, const Locator* where) {
    ENTER(cuMemPoolImportPointer);
    const auto found = pool_of(pool);
    if (!out || !where || !found) return invalid_value;
    return import_pool_pointer(found, *where, nullptr, *out);
}
