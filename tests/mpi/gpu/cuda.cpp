// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

#include <dlfcn.h>

namespace costs {

namespace {

Cuda load() {
    Cuda all{};
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) throw Failed{"loading of libcuda.so.1", 0};
    const auto find = [&](auto& function, const char* name) {
        *reinterpret_cast<void**>(&function) = dlsym(library, name);
        if (function == nullptr) throw Failed{name, 0};
    };
    find(all.Init, "cuInit");
    find(all.DriverGetVersion, "cuDriverGetVersion");
    find(all.DeviceGetName, "cuDeviceGetName");
    find(all.DeviceGetAttribute, "cuDeviceGetAttribute");
    find(all.DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
    find(all.CtxSetCurrent, "cuCtxSetCurrent");
    find(all.MemAlloc, "cuMemAlloc_v2");
    find(all.MemFree, "cuMemFree_v2");
    find(all.MemHostAlloc, "cuMemHostAlloc");
    find(all.MemcpyAsync, "cuMemcpyAsync");
    find(all.StreamSynchronize, "cuStreamSynchronize");
    find(all.PointerGetAttributes, "cuPointerGetAttributes");
    find(all.IpcGetMemHandle, "cuIpcGetMemHandle");
    find(all.IpcOpenMemHandle, "cuIpcOpenMemHandle_v2");
    find(all.IpcCloseMemHandle, "cuIpcCloseMemHandle");
    find(all.ModuleLoadData, "cuModuleLoadData");
    find(all.ModuleGetFunction, "cuModuleGetFunction");
    find(all.LaunchKernel, "cuLaunchKernel");
    all.is_emulated = dlsym(library, "aureole_double_host") != nullptr;
    void* context = nullptr;
    must("cuInit", all.Init(0));
    must("cuDevicePrimaryCtxRetain", all.DevicePrimaryCtxRetain(&context, 0));
    must("cuCtxSetCurrent", all.CtxSetCurrent(context));
    return all;
}

}  // namespace

void must(const char* function, int error) {
    if (error != 0) throw Failed{function, error};
}

const Cuda& cuda() {
    static const Cuda all = load();
    return all;
}

Memory::Memory(std::size_t bytes) { must("cuMemAlloc", cuda().MemAlloc(&at_, bytes)); }
Memory::~Memory() { cuda().MemFree(at_); }

void copy(Address to, Address from, std::size_t bytes) {
    must("cuMemcpyAsync", cuda().MemcpyAsync(to, from, bytes, nullptr));
    must("cuStreamSynchronize", cuda().StreamSynchronize(nullptr));
}
void copy(Address to, const void* from, std::size_t bytes) {
    copy(to, reinterpret_cast<Address>(from), bytes);
}
void copy(void* to, Address from, std::size_t bytes) {
    copy(reinterpret_cast<Address>(to), from, bytes);
}

}  // namespace costs
