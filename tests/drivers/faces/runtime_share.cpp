// SPDX-License-Identifier: Apache-2.0
#include "faces/pool_face.hpp"
#include "faces/runtime_face.hpp"
#include "machine/handles.hpp"

using namespace aureole::emulated;

DRIVER_FUNCTION int RT(IpcGetMemHandle)(Locator* out, void* at) {
    RT_ENTER(IpcGetMemHandle);
    return keep(out ? export_memory(address(at), *out) : int{invalid_value});
}

DRIVER_FUNCTION int RT(IpcOpenMemHandle)(Address* out, Locator handle, unsigned flags) {
    RT_ENTER(IpcOpenMemHandle);
    if (!out || flags != 1) return keep(invalid_value);
    Context& context = runtime_context();
    return keep(import_memory(handle, &context, context.device, *out));
}

DRIVER_FUNCTION int RT(IpcCloseMemHandle)(void* at) {
    RT_ENTER(IpcCloseMemHandle);
    if (const auto block = find(address(at))) wait_for_device(block->device);
    return keep(close_import(address(at)));
}

DRIVER_FUNCTION int RT(IpcGetEventHandle)(Locator* out, void* event) {
    RT_ENTER(IpcGetEventHandle);
    const auto found = table_of<Event>().find(event);
    if (!found) return keep(invalid_handle);
    return keep(out ? export_event(found, *out) : int{invalid_value});
}

DRIVER_FUNCTION int RT(IpcOpenEventHandle)(void** out, Locator handle) {
    RT_ENTER(IpcOpenEventHandle);
    runtime_context();
    EventPtr event;
    if (!out) return keep(invalid_value);
    const int status = import_event(handle, event);
    if (status == success) *out = table_of<Event>().add(std::move(event));
    return keep(status);
}

DRIVER_FUNCTION int RT(MallocAsync)(void** out, std::size_t bytes, void* stream) {
    RT_ENTER(MallocAsync);
    if (!out) return keep(invalid_value);
    Context& context = runtime_context();
    return keep(allocate_on_stream(current_pool(context.device), bytes, stream, context, *out));
}

DRIVER_FUNCTION int RT(MallocFromPoolAsync)(void** out, std::size_t bytes, void* pool,
                                            void* stream) {
    RT_ENTER(MallocFromPoolAsync);
    if (!out) return keep(invalid_value);
    return keep(allocate_on_stream(pool_of(pool), bytes, stream, runtime_context(), *out));
}

DRIVER_FUNCTION int RT(FreeAsync)(void* at, void* stream) {
    RT_ENTER(FreeAsync);
    if (!at) return success;
    const auto found = stream_of(stream, &runtime_context());
    return keep(found ? free_on_stream(address(at), found) : int{invalid_handle});
}

DRIVER_FUNCTION int RT(DeviceGetDefaultMemPool)(void** out, int device) {
    RT_ENTER(DeviceGetDefaultMemPool);
    return keep(give_pool(device, out, default_pool));
}

DRIVER_FUNCTION int RT(DeviceGetMemPool)(void** out, int device) {
    RT_ENTER(DeviceGetMemPool);
    return keep(give_pool(device, out, current_pool));
}

DRIVER_FUNCTION int RT(DeviceSetMemPool)(int device, void* pool) {
    RT_ENTER(DeviceSetMemPool);
    return keep(device_exists(device) ? set_current_pool(device, pool_of(pool)) : invalid_device);
}

DRIVER_FUNCTION int RT(MemPoolCreate)(void** out, const PoolProperties* wanted) {
    RT_ENTER(MemPoolCreate);
    return keep(make_pool(wanted, out));
}

DRIVER_FUNCTION int RT(MemPoolDestroy)(void* pool) {
    RT_ENTER(MemPoolDestroy);
    return keep(destroy_pool(pool));
}

DRIVER_FUNCTION int RT(MemPoolTrimTo)(void* pool, std::size_t) {
    RT_ENTER(MemPoolTrimTo);
    return keep(pool_of(pool) ? success : invalid_value);
}

DRIVER_FUNCTION int RT(MemPoolSetAttribute)(void* pool, int attribute, void* value) {
    RT_ENTER(MemPoolSetAttribute);
    return keep(set_pool_attribute(pool, attribute, value));
}

DRIVER_FUNCTION int RT(MemPoolGetAttribute)(void* pool, int attribute, void* value) {
    RT_ENTER(MemPoolGetAttribute);
    return keep(get_pool_attribute(pool, attribute, value));
}

DRIVER_FUNCTION int RT(MemPoolSetAccess)(void* pool, const void* access, std::size_t) {
    RT_ENTER(MemPoolSetAccess);
    return keep(pool_of(pool) && access ? success : invalid_value);
}

DRIVER_FUNCTION int RT(MemPoolExportToShareableHandle)(void* out, void* pool, int kind,
                                                       unsigned flags) {
    RT_ENTER(MemPoolExportToShareableHandle);
    return keep(pool_to_descriptor(out, pool, kind, flags));
}

DRIVER_FUNCTION int RT(MemPoolImportFromShareableHandle)(void** out, void* handle, int kind,
                                                         unsigned flags) {
    RT_ENTER(MemPoolImportFromShareableHandle);
    return keep(pool_from_descriptor(out, handle, kind, flags));
}

DRIVER_FUNCTION int RT(MemPoolExportPointer)(Locator* out, void* at) {
    RT_ENTER(MemPoolExportPointer);
    return keep(out ? export_pool_pointer(address(at), *out) : int{invalid_value});
}

DRIVER_FUNCTION int RT(MemPoolImportPointer)(Address* out, void* pool, const Locator* where) {
    RT_ENTER(MemPoolImportPointer);
    const auto found = pool_of(pool);
    if (!out || !where || !found) return keep(invalid_value);
    return keep(import_pool_pointer(found, *where, &runtime_context(), *out));
}
