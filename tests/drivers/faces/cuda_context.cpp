// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>

#include "faces/device_facts.hpp"
#include "faces/face.hpp"
#include "machine/settings.hpp"

using namespace aureole::emulated;

namespace aureole::emulated {

const std::vector<const char*> visibility_variables = {"CUDA_VISIBLE_DEVICES"};

}  // namespace aureole::emulated

DRIVER_FUNCTION int cuInit(unsigned flags) {
    ENTER_CLOSED(cuInit);
    if (flags) return invalid_value;
    if (device_count() == 0) return no_device;
    return open_driver();
}

DRIVER_FUNCTION int cuDriverGetVersion(int* out) {
    ENTER_CLOSED(cuDriverGetVersion);
    if (!out) return invalid_value;
    *out = 13000;
    return success;
}

DRIVER_FUNCTION int cuDeviceGetCount(int* out) {
    ENTER(cuDeviceGetCount);
    if (!out) return invalid_value;
    *out = device_count();
    return success;
}

DRIVER_FUNCTION int cuDeviceGet(int* out, int ordinal) {
    ENTER(cuDeviceGet);
    if (!out) return invalid_value;
    if (!device_exists(ordinal)) return invalid_device;
    *out = ordinal;
    return success;
}

DRIVER_FUNCTION int cuDeviceGetName(char* out, int bytes, int device) {
    ENTER(cuDeviceGetName);
    if (!out || bytes <= 0) return invalid_value;
    if (!device_exists(device)) return invalid_device;
    std::snprintf(out, static_cast<std::size_t>(bytes), "%s", device_name(device).c_str());
    return success;
}

DRIVER_FUNCTION int cuDeviceGetUuid(void* out, int device) {
    ENTER(cuDeviceGetUuid);
    if (!out) return invalid_value;
    if (!device_exists(device)) return invalid_device;
    device_uuid(device, static_cast<unsigned char*>(out));
    return success;
}
ALSO(cuDeviceGetUuid_v2, cuDeviceGetUuid);

DRIVER_FUNCTION int cuDeviceGetPCIBusId(char* out, int bytes, int device) {
    ENTER(cuDeviceGetPCIBusId);
    if (!out || bytes <= 0) return invalid_value;
    if (!device_exists(device)) return invalid_device;
    std::snprintf(out, static_cast<std::size_t>(bytes), "%s", bus_name(device).c_str());
    return success;
}

DRIVER_FUNCTION int cuDeviceGetByPCIBusId(int* out, const char* name) {
    ENTER(cuDeviceGetByPCIBusId);
    if (!out || !name) return invalid_value;
    for (int k = 0; k < device_count(); ++k)
        if (bus_name(k) == name) {
            *out = k;
            return success;
        }
    return invalid_device;
}

DRIVER_FUNCTION int cuDeviceTotalMem(std::size_t* out, int device) {
    ENTER(cuDeviceTotalMem);
    if (!out) return invalid_value;
    if (!device_exists(device)) return invalid_device;
    *out = settings().memory;
    return success;
}
ALSO(cuDeviceTotalMem_v2, cuDeviceTotalMem);

DRIVER_FUNCTION int cuDeviceGetAttribute(int* out, int attribute, int device) {
    ENTER(cuDeviceGetAttribute);
    if (!out) return invalid_value;
    if (!device_exists(device)) return invalid_device;
    return device_fact(attribute, device, *out);
}

DRIVER_FUNCTION int cuDeviceComputeCapability(int* major, int* minor, int device) {
    ENTER(cuDeviceComputeCapability);
    if (!major || !minor) return invalid_value;
    if (!device_exists(device)) return invalid_device;
    *major = 9;
    *minor = 0;
    return success;
}

DRIVER_FUNCTION int cuDeviceCanAccessPeer(int* out, int device, int peer) {
    ENTER(cuDeviceCanAccessPeer);
    if (!out) return invalid_value;
    if (!device_exists(device) || !device_exists(peer)) return invalid_device;
    *out = has_access(device, peer);
    return success;
}

DRIVER_FUNCTION int cuDeviceGetP2PAttribute(int* out, int attribute, int device, int peer) {
    ENTER(cuDeviceGetP2PAttribute);
    if (!out) return invalid_value;
    if (!device_exists(device) || !device_exists(peer) || device == peer) return invalid_device;
    if (attribute < 1 || attribute > 4) return invalid_value;
    const bool access = has_access(device, peer);
    *out = attribute == 2 ? access : attribute == 3 ? access : 0;
    return success;
}

DRIVER_FUNCTION int cuDevicePrimaryCtxRetain(Context** out, int device) {
    ENTER(cuDevicePrimaryCtxRetain);
    if (!out) return invalid_value;
    if (!device_exists(device)) return invalid_device;
    *out = retain_primary(device);
    return success;
}

DRIVER_FUNCTION int cuDevicePrimaryCtxRelease(int device) {
    ENTER(cuDevicePrimaryCtxRelease);
    return device_exists(device) ? release_primary(device) : int{invalid_device};
}
ALSO(cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease);

DRIVER_FUNCTION int cuDevicePrimaryCtxReset(int device) {
    ENTER(cuDevicePrimaryCtxReset);
    return device_exists(device) ? reset_primary(device) : int{invalid_device};
}
ALSO(cuDevicePrimaryCtxReset_v2, cuDevicePrimaryCtxReset);

DRIVER_FUNCTION int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
    ENTER(cuDevicePrimaryCtxGetState);
    if (!flags || !active) return invalid_value;
    if (!device_exists(device)) return invalid_device;
    *flags = 0;
    *active = primary_is_active(device);
    return success;
}

DRIVER_FUNCTION int cuDevicePrimaryCtxSetFlags(int device, unsigned) {
    ENTER(cuDevicePrimaryCtxSetFlags);
    return device_exists(device) ? success : invalid_device;
}
ALSO(cuDevicePrimaryCtxSetFlags_v2, cuDevicePrimaryCtxSetFlags);

static int make_context(Context** out, unsigned flags, int device) {
    if (!out) return invalid_value;
    if (!device_exists(device)) return invalid_device;
    const int status = create_context(device, flags, *out);
    if (status == success) push_current(*out);
    return status;
}

DRIVER_FUNCTION int cuCtxCreate(Context** out, unsigned flags, int device) {
    ENTER(cuCtxCreate);
    return make_context(out, flags, device);
}
ALSO(cuCtxCreate_v2, cuCtxCreate);

DRIVER_FUNCTION int cuCtxCreate_v3(Context** out, void*, int, unsigned flags, int device) {
    ENTER(cuCtxCreate);
    return make_context(out, flags, device);
}

DRIVER_FUNCTION int cuCtxCreate_v4(Context** out, void*, unsigned flags, int device) {
    ENTER(cuCtxCreate);
    return make_context(out, flags, device);
}

DRIVER_FUNCTION int cuCtxDestroy(Context* context) {
    ENTER(cuCtxDestroy);
    return destroy_context(context);
}
ALSO(cuCtxDestroy_v2, cuCtxDestroy);

DRIVER_FUNCTION int cuCtxGetCurrent(Context** out) {
    ENTER(cuCtxGetCurrent);
    if (!out) return invalid_value;
    *out = current();
    return success;
}

DRIVER_FUNCTION int cuCtxSetCurrent(Context* context) {
    ENTER(cuCtxSetCurrent);
    if (context && !context_exists(context)) return invalid_context;
    set_current(context);
    return success;
}

DRIVER_FUNCTION int cuCtxPushCurrent(Context* context) {
    ENTER(cuCtxPushCurrent);
    if (!context_exists(context)) return invalid_context;
    push_current(context);
    return success;
}
ALSO(cuCtxPushCurrent_v2, cuCtxPushCurrent);

DRIVER_FUNCTION int cuCtxPopCurrent(Context** out) {
    ENTER(cuCtxPopCurrent);
    Context* popped = nullptr;
    const int status = pop_current(popped);
    if (status == success && out) *out = popped;
    return status;
}
ALSO(cuCtxPopCurrent_v2, cuCtxPopCurrent);

DRIVER_FUNCTION int cuCtxGetDevice(int* out) {
    ENTER(cuCtxGetDevice);
    if (!out) return invalid_value;
    const Here at = here();
    if (at.status == success) *out = at.context->device;
    return at.status;
}

DRIVER_FUNCTION int cuCtxGetDevice_v2(int* out, Context* context) {
    ENTER(cuCtxGetDevice);
    if (!out) return invalid_value;
    if (!context) context = current();
    if (!context_exists(context)) return invalid_context;
    *out = context->device;
    return success;
}

DRIVER_FUNCTION int cuCtxGetId(Context* context, unsigned long long* out) {
    ENTER(cuCtxGetId);
    if (!out) return invalid_value;
    if (!context) context = current();
    if (!context_exists(context)) return context ? context_destroyed : invalid_context;
    *out = context->id;
    return success;
}

DRIVER_FUNCTION int cuCtxGetFlags(unsigned* out) {
    ENTER(cuCtxGetFlags);
    const Here at = here();
    if (at.status == success && out) *out = at.context->flags;
    return out ? at.status : int{invalid_value};
}

DRIVER_FUNCTION int cuCtxGetApiVersion(Context*, unsigned* out) {
    ENTER(cuCtxGetApiVersion);
    if (!out) return invalid_value;
    *out = 3020;
    return success;
}

DRIVER_FUNCTION int cuCtxSynchronize() {
    ENTER(cuCtxSynchronize);
    const Here at = here();
    if (at.status == success) wait_for_group(at.context->group);
    return at.status;
}

DRIVER_FUNCTION int cuCtxSynchronize_v2(Context* context) {
    ENTER(cuCtxSynchronize);
    if (!context) context = current();
    if (!context_exists(context)) return invalid_context;
    wait_for_group(context->group);
    return success;
}

DRIVER_FUNCTION int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    ENTER(cuCtxGetStreamPriorityRange);
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return here().status;
}

DRIVER_FUNCTION int cuCtxGetLimit(std::size_t* out, int) {
    ENTER(cuCtxGetLimit);
    if (!out) return invalid_value;
    *out = 8u << 20;
    return success;
}

DRIVER_FUNCTION int cuCtxSetLimit(int, std::size_t) {
    ENTER(cuCtxSetLimit);
    return here().status;
}

DRIVER_FUNCTION int cuCtxEnablePeerAccess(Context* peer, unsigned flags) {
    ENTER(cuCtxEnablePeerAccess);
    const Here at = here();
    if (at.status != success) return at.status;
    return flags ? int{invalid_value} : enable_peer(*at.context, peer);
}

DRIVER_FUNCTION int cuCtxDisablePeerAccess(Context* peer) {
    ENTER(cuCtxDisablePeerAccess);
    const Here at = here();
    return at.status == success ? disable_peer(*at.context, peer) : at.status;
}
