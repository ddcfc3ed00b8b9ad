// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>

#include "faces/device_facts.hpp"
#include "faces/runtime_face.hpp"
#include "faces/stream_face.hpp"
#include "machine/settings.hpp"

using namespace aureole::emulated;

namespace aureole::emulated {

const std::vector<const char*> visibility_variables = {"HIP_VISIBLE_DEVICES",
                                                       "CUDA_VISIBLE_DEVICES"};
const int library_version = 60342134;

Here here() { return runtime_here(); }

const char* library_status_name(int status) {
    switch (status) {
        case 0:
            return "hipSuccess";
        case 1:
            return "hipErrorInvalidValue";
        case 2:
            return "hipErrorOutOfMemory";
        case 3:
            return "hipErrorNotInitialized";
        case 12:
            return "hipErrorInvalidPitchValue";
        case 17:
            return "hipErrorInvalidDevicePointer";
        case 21:
            return "hipErrorInvalidMemcpyDirection";
        case 98:
            return "hipErrorInvalidDeviceFunction";
        case 100:
            return "hipErrorNoDevice";
        case 101:
            return "hipErrorInvalidDevice";
        case 200:
            return "hipErrorInvalidImage";
        case 201:
            return "hipErrorInvalidContext";
        case 205:
            return "hipErrorMapFailed";
        case 217:
            return "hipErrorPeerAccessUnsupported";
        case 304:
            return "hipErrorOperatingSystem";
        case 400:
            return "hipErrorInvalidHandle";
        case 401:
            return "hipErrorIllegalState";
        case 500:
            return "hipErrorNotFound";
        case 600:
            return "hipErrorNotReady";
        case 704:
            return "hipErrorPeerAccessAlreadyEnabled";
        case 705:
            return "hipErrorPeerAccessNotEnabled";
        case 709:
            return "hipErrorContextIsDestroyed";
        case 712:
            return "hipErrorHostMemoryAlreadyRegistered";
        case 713:
            return "hipErrorHostMemoryNotRegistered";
        case 801:
            return "hipErrorNotSupported";
        case 900:
            return "hipErrorStreamCaptureUnsupported";
        case 999:
            return "hipErrorUnknown";
        default:
            return nullptr;
    }
}

}  // namespace aureole::emulated

DRIVER_FUNCTION int hipInit(unsigned flags) {
    RT_ENTER(Init);
    return keep(flags ? invalid_value : success);
}

DRIVER_FUNCTION int hipDrvGetErrorName(int status, const char** out) {
    if (!out) return invalid_value;
    *out = library_status_name(status);
    return *out ? success : invalid_value;
}

DRIVER_FUNCTION int hipDrvGetErrorString(int status, const char** out) {
    if (!out) return invalid_value;
    *out = status_text(status);
    return *out ? success : invalid_value;
}

DRIVER_FUNCTION int hipDeviceGet(int* out, int ordinal) {
    RT_ENTER(DeviceGet);
    if (!out) return keep(invalid_value);
    if (!device_exists(ordinal)) return keep(invalid_device);
    *out = ordinal;
    return success;
}

DRIVER_FUNCTION int hipDeviceGetName(char* out, int bytes, int device) {
    RT_ENTER(DeviceGetName);
    if (!out || bytes <= 0) return keep(invalid_value);
    if (!device_exists(device)) return keep(invalid_device);
    std::snprintf(out, static_cast<std::size_t>(bytes), "%s", device_name(device).c_str());
    return success;
}

DRIVER_FUNCTION int hipDeviceGetUuid(void* out, int device) {
    RT_ENTER(DeviceGetUuid);
    if (!out) return keep(invalid_value);
    if (!device_exists(device)) return keep(invalid_device);
    device_uuid(device, static_cast<unsigned char*>(out));
    return success;
}

DRIVER_FUNCTION int hipDeviceTotalMem(std::size_t* out, int device) {
    RT_ENTER(DeviceTotalMem);
    if (!out) return keep(invalid_value);
    if (!device_exists(device)) return keep(invalid_device);
    *out = settings().memory;
    return success;
}

DRIVER_FUNCTION int hipDevicePrimaryCtxRetain(Context** out, int device) {
    RT_ENTER(DevicePrimaryCtxRetain);
    if (!out) return keep(invalid_value);
    if (!device_exists(device)) return keep(invalid_device);
    *out = retain_primary(device);
    return success;
}

DRIVER_FUNCTION int hipDevicePrimaryCtxRelease(int device) {
    RT_ENTER(DevicePrimaryCtxRelease);
    return keep(device_exists(device) ? release_primary(device) : int{invalid_device});
}

DRIVER_FUNCTION int hipDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
    RT_ENTER(DevicePrimaryCtxGetState);
    if (!flags || !active) return keep(invalid_value);
    if (!device_exists(device)) return keep(invalid_device);
    *flags = 0;
    *active = primary_is_active(device);
    return success;
}

DRIVER_FUNCTION int hipCtxCreate(Context** out, unsigned, int device) {
    RT_ENTER(CtxCreate);
    if (!out) return keep(invalid_value);
    const int status = use_device(device);
    if (status == success) *out = current();
    return keep(status);
}

DRIVER_FUNCTION int hipCtxDestroy(Context* context) {
    RT_ENTER(CtxDestroy);
    return keep(context_exists(context) ? success : invalid_context);
}

DRIVER_FUNCTION int hipCtxGetCurrent(Context** out) {
    RT_ENTER(CtxGetCurrent);
    if (!out) return keep(invalid_value);
    *out = current();
    return success;
}

DRIVER_FUNCTION int hipCtxSetCurrent(Context* context) {
    RT_ENTER(CtxSetCurrent);
    if (context && !context_exists(context)) return keep(invalid_context);
    set_current(context);
    return success;
}

DRIVER_FUNCTION int hipCtxPushCurrent(Context* context) {
    RT_ENTER(CtxPushCurrent);
    if (!context_exists(context)) return keep(invalid_context);
    push_current(context);
    return success;
}

DRIVER_FUNCTION int hipCtxPopCurrent(Context** out) {
    RT_ENTER(CtxPopCurrent);
    Context* popped = nullptr;
    const int status = pop_current(popped);
    if (status == success && out) *out = popped;
    return keep(status);
}

DRIVER_FUNCTION int hipCtxGetDevice(int* out) {
    RT_ENTER(CtxGetDevice);
    if (!out) return keep(invalid_value);
    *out = runtime_context().device;
    return success;
}

DRIVER_FUNCTION int hipCtxSynchronize() {
    RT_ENTER(CtxSynchronize);
    wait_for_group(runtime_context().group);
    return success;
}

DRIVER_FUNCTION int hipDeviceGetP2PAttribute(int* out, int attribute, int device, int peer) {
    RT_ENTER(DeviceGetP2PAttribute);
    constexpr int access = 1;
    if (!out || attribute < 0 || attribute > 3) return keep(invalid_value);
    if (!device_exists(device) || !device_exists(peer) || device == peer)
        return keep(invalid_device);
    *out = attribute == access && has_access(device, peer);
    return success;
}

DRIVER_FUNCTION int hipGraphInstantiate(void** out, void* graph, void**, char*, std::size_t) {
    RT_ENTER(GraphInstantiate);
    return keep(instantiate(graph, out));
}

DRIVER_FUNCTION int hipGraphInstantiateWithFlags(void** out, void* graph, unsigned long long) {
    RT_ENTER(GraphInstantiateWithFlags);
    return keep(instantiate(graph, out));
}

DRIVER_FUNCTION int hipStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id) {
    RT_ENTER(StreamGetCaptureInfo);
    return keep(on_stream(runtime_here(), stream, [&](const StreamPtr& s) {
        std::uint64_t number = 0;
        if (!status) return invalid_value;
        *status = is_capturing(s, &number) ? 1 : 0;
        if (id) *id = number;
        return success;
    }));
}
