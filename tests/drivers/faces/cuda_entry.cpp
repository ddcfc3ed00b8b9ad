// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <map>
#include <mutex>
#include <string>

#include "faces/face.hpp"

using namespace aureole::emulated;

namespace {

/// This library, to find its functions by name.
void* own_library() {
    static void* const handle = [] {
        Dl_info where{};
        dladdr(reinterpret_cast<void*>(&own_library), &where);
        return dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }();
    return handle;
}

/// The newest version of a function; as its callers do, by the name without a version.
void* newest(const std::string& name) {
    for (const char* version : {"_v4", "_v3", "_v2", ""})
        if (void* found = dlsym(own_library(), (name + version).c_str())) return found;
    return nullptr;
}

/// Names of errors: they stay valid, as callers keep them.
const char* kept(const std::string& name) {
    static auto* mutex = new std::mutex;
    static auto* names = new std::map<std::string, std::string>;
    const std::lock_guard lock(*mutex);
    return names->emplace(name, name).first->second.c_str();
}

}  // namespace

Here aureole::emulated::here() {
    Context* context = current();
    if (!context) return {nullptr, invalid_context};
    if (!context->group) return {nullptr, context_destroyed};
    return {context, success};
}

DRIVER_FUNCTION int cuGetErrorName(int status, const char** out) {
    if (!out) return invalid_value;
    const char* name = status_name(status);
    *out = nullptr;
    if (!name) return invalid_value;
    *out = kept(std::string(status ? "CUDA_ERROR_" : "CUDA_") + name);
    return success;
}

DRIVER_FUNCTION int cuGetErrorString(int status, const char** out) {
    if (!out) return invalid_value;
    *out = status_text(status);
    return *out ? success : invalid_value;
}

DRIVER_FUNCTION int cuGetProcAddress(const char* name, void** out, int, unsigned long long) {
    ENTER_CLOSED(cuGetProcAddress);
    if (!name || !out) return invalid_value;
    *out = newest(name);
    return *out ? success : not_found;
}

DRIVER_FUNCTION int cuGetProcAddress_v2(const char* name, void** out, int, unsigned long long,
                                        int* result) {
    ENTER_CLOSED(cuGetProcAddress);
    if (!name || !out) return invalid_value;
    *out = newest(name);
    if (result) *result = *out ? 0 : 1;
    return *out ? success : not_found;
}
