// SPDX-License-Identifier: Apache-2.0
#include "faces/description.hpp"
#include "faces/runtime_face.hpp"
#include "faces/stream_face.hpp"

using namespace aureole::emulated;

namespace aureole::emulated {

const int library_version = 13000;

const char* library_status_name(int status) {
    switch (status) {
        case 0:
            return "cudaSuccess";
        case 1:
            return "cudaErrorInvalidValue";
        case 2:
            return "cudaErrorMemoryAllocation";
        case 3:
            return "cudaErrorInitializationError";
        case 12:
            return "cudaErrorInvalidPitchValue";
        case 21:
            return "cudaErrorInvalidMemcpyDirection";
        case 100:
            return "cudaErrorNoDevice";
        case 101:
            return "cudaErrorInvalidDevice";
        case 201:
            return "cudaErrorDeviceUninitialized";
        case 205:
            return "cudaErrorMapBufferObjectFailed";
        case 217:
            return "cudaErrorPeerAccessUnsupported";
        case 304:
            return "cudaErrorOperatingSystem";
        case 400:
            return "cudaErrorInvalidResourceHandle";
        case 401:
            return "cudaErrorIllegalState";
        case 500:
            return "cudaErrorSymbolNotFound";
        case 600:
            return "cudaErrorNotReady";
        case 704:
            return "cudaErrorPeerAccessAlreadyEnabled";
        case 705:
            return "cudaErrorPeerAccessNotEnabled";
        case 709:
            return "cudaErrorContextIsDestroyed";
        case 712:
            return "cudaErrorHostMemoryAlreadyRegistered";
        case 713:
            return "cudaErrorHostMemoryNotRegistered";
        case 801:
            return "cudaErrorNotSupported";
        case 900:
            return "cudaErrorStreamCaptureUnsupported";
        case 999:
            return "cudaErrorUnknown";
        default:
            return nullptr;
    }
}

}  // namespace aureole::emulated

DRIVER_FUNCTION int cudaPointerGetAttributes(PointerAttributes* out, const void* at) {
    RT_ENTER(PointerGetAttributes);
    if (!out) return keep(invalid_value);
    *out = pointer_attributes(at, describe(at));
    return success;
}

/// The driver's functions, for programs that take them from the runtime.
extern "C" int cuGetProcAddress_v2(const char*, void**, int, unsigned long long, int*);

DRIVER_FUNCTION int cudaGetDriverEntryPoint(const char* name, void** out, unsigned long long flags,
                                            int* result) {
    RT_ENTER(GetDriverEntryPoint);
    if (!name || !out) return keep(invalid_value);
    cuGetProcAddress_v2(name, out, library_version, flags, result);
    return success;
}

DRIVER_FUNCTION int cudaGetDriverEntryPointByVersion(const char* name, void** out, unsigned,
                                                     unsigned long long flags, int* result) {
    return cudaGetDriverEntryPoint(name, out, flags, result);
}

struct Location {
    int type;
    int id;
};

DRIVER_FUNCTION int cudaMemPrefetchAsync(const void* at, std::size_t, Location, unsigned, void*) {
    RT_ENTER(MemPrefetchAsync);
    const auto block = find(address(at));
    return keep(block && block->kind == Kind::managed ? success : invalid_value);
}

DRIVER_FUNCTION int cudaMemAdvise(const void* at, std::size_t, int, Location) {
    RT_ENTER(MemAdvise);
    const auto block = find(address(at));
    return keep(block && block->kind == Kind::managed ? success : invalid_value);
}

DRIVER_FUNCTION int cudaGraphInstantiate(void** out, void* graph, unsigned long long) {
    RT_ENTER(GraphInstantiate);
    return keep(instantiate(graph, out));
}
RT_ALSO(cudaGraphInstantiateWithFlags, GraphInstantiate);
