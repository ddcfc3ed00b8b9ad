// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <mutex>

#include "faces/device_facts.hpp"
#include "faces/runtime_face.hpp"
#include "machine/settings.hpp"

namespace aureole::emulated {
namespace {

thread_local int kept_error = success;

/// Primary contexts that the runtime itself holds, one reference for each device.
struct Held {
    std::mutex mutex;
    std::array<bool, 64> devices{};
};

Held& held() {
    static auto* only = new Held;
    return *only;
}

}  // namespace

Context* primary_held(int device) {
    const std::lock_guard lock(held().mutex);
    bool& ours = held().devices[static_cast<std::size_t>(device)];
    if (ours)
        if (Context* context = primary(device)) return context;
    ours = true;
    return retain_primary(device);
}

int keep(int status) {
    if (status != success) kept_error = status;
    return status;
}

int last_error(bool forget) {
    const int status = kept_error;
    if (forget) kept_error = success;
    return status;
}

Context& runtime_context() {
    Context* context = current();
    if (context && context->group) return *context;
    context = primary_held(context ? context->device : 0);
    set_current(context);
    return *context;
}

Here runtime_here() { return {&runtime_context(), success}; }

int use_device(int device) {
    if (!device_exists(device)) return invalid_device;
    set_current(primary_held(device));
    return success;
}

void reset_device() {
    const int device = runtime_context().device;
    const std::lock_guard lock(held().mutex);
    held().devices[static_cast<std::size_t>(device)] = false;
    reset_primary(device);
}

}  // namespace aureole::emulated

using namespace aureole::emulated;

DRIVER_FUNCTION int RT(GetDeviceCount)(int* out) {
    if (out) *out = 0;
    RT_ENTER(GetDeviceCount);
    if (!out) return keep(invalid_value);
    *out = device_count();
    return success;
}

DRIVER_FUNCTION int RT(SetDevice)(int device) {
    RT_ENTER(SetDevice);
    return keep(use_device(device));
}

DRIVER_FUNCTION int RT(GetDevice)(int* out) {
    RT_ENTER(GetDevice);
    if (!out) return keep(invalid_value);
    *out = current() ? current()->device : 0;
    return success;
}

DRIVER_FUNCTION int RT(DeviceSynchronize)() {
    RT_ENTER(DeviceSynchronize);
    wait_for_device(runtime_context().device);
    return success;
}

DRIVER_FUNCTION int RT(DeviceReset)() {
    RT_ENTER(DeviceReset);
    reset_device();
    return success;
}

DRIVER_FUNCTION int RT(SetDeviceFlags)(unsigned) {
    RT_ENTER(SetDeviceFlags);
    return success;
}

DRIVER_FUNCTION int RT(GetDeviceFlags)(unsigned* out) {
    RT_ENTER(GetDeviceFlags);
    if (!out) return keep(invalid_value);
    *out = 0;
    return success;
}

DRIVER_FUNCTION int RT(DeviceCanAccessPeer)(int* out, int device, int peer) {
    RT_ENTER(DeviceCanAccessPeer);
    if (!out) return keep(invalid_value);
    if (!device_exists(device) || !device_exists(peer)) return keep(invalid_device);
    *out = has_access(device, peer);
    return success;
}

DRIVER_FUNCTION int RT(DeviceEnablePeerAccess)(int peer, unsigned flags) {
    RT_ENTER(DeviceEnablePeerAccess);
    if (flags) return keep(invalid_value);
    Context& context = runtime_context();
    if (!device_exists(peer) || peer == context.device) return keep(invalid_device);
    return keep(enable_peer(context, primary_held(peer)));
}

DRIVER_FUNCTION int RT(DeviceDisablePeerAccess)(int peer) {
    RT_ENTER(DeviceDisablePeerAccess);
    if (!device_exists(peer)) return keep(invalid_device);
    return keep(disable_peer(runtime_context(), primary_held(peer)));
}

DRIVER_FUNCTION int RT(DeviceGetPCIBusId)(char* out, int bytes, int device) {
    RT_ENTER(DeviceGetPCIBusId);
    if (!out || bytes <= 0) return keep(invalid_value);
    if (!device_exists(device)) return keep(invalid_device);
    std::snprintf(out, static_cast<std::size_t>(bytes), "%s", bus_name(device).c_str());
    return success;
}

DRIVER_FUNCTION int RT(DeviceGetByPCIBusId)(int* out, const char* name) {
    RT_ENTER(DeviceGetByPCIBusId);
    if (!out || !name) return keep(invalid_value);
    for (int k = 0; k < device_count(); ++k)
        if (bus_name(k) == name) {
            *out = k;
            return success;
        }
    return keep(invalid_device);
}

DRIVER_FUNCTION int RT(DeviceGetAttribute)(int* out, int attribute, int device) {
    RT_ENTER(DeviceGetAttribute);
    if (!out) return keep(invalid_value);
    if (!device_exists(device)) return keep(invalid_device);
    return keep(device_fact(attribute, device, *out));
}

DRIVER_FUNCTION int RT(DeviceGetStreamPriorityRange)(int* least, int* greatest) {
    RT_ENTER(DeviceGetStreamPriorityRange);
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return success;
}

DRIVER_FUNCTION int RT(DriverGetVersion)(int* out) {
    RT_ENTER(DriverGetVersion);
    if (!out) return keep(invalid_value);
    *out = library_version;
    return success;
}

DRIVER_FUNCTION int RT(RuntimeGetVersion)(int* out) {
    RT_ENTER(RuntimeGetVersion);
    if (!out) return keep(invalid_value);
    *out = library_version;
    return success;
}

DRIVER_FUNCTION int RT(GetLastError)() { return last_error(true); }
DRIVER_FUNCTION int RT(PeekAtLastError)() { return last_error(false); }

DRIVER_FUNCTION const char* RT(GetErrorString)(int status) {
    const char* text = status_text(status);
    return text ? text : "unrecognized error code";
}

DRIVER_FUNCTION const char* RT(GetErrorName)(int status) {
    const char* name = library_status_name(status);
    return name ? name : "unrecognized error code";
}
