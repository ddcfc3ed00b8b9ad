// SPDX-License-Identifier: Apache-2.0
#include "device.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace twins {
namespace {

constexpr int any_direction = 4;       // cudaMemcpyDefault and hipMemcpyDefault
constexpr unsigned attach_global = 1;  // managed memory that every stream may use

}  // namespace

template <class F>
void Runtime::load(F& function, const std::string& name, bool needed) {
    function = reinterpret_cast<F>(dlsym(library_, (prefix_ + name).c_str()));
    if (function || !needed) return;
    std::fprintf(stderr, "twins: the runtime has no %s%s\n", prefix_.c_str(), name.c_str());
    std::_Exit(2);
}

Runtime::Runtime(const std::string& name) : prefix_(name) {
    const char* file = name == "hip" ? "libamdhip64.so.6" : "libcudart.so.13";
    library_ = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
    if (!library_) {
        std::fprintf(stderr, "twins: %s\n", dlerror());
        std::_Exit(2);
    }
    load(count_, "GetDeviceCount");
    load(use_, "SetDevice");
    load(malloc_, "Malloc");
    load(free_, "Free");
    load(managed_, "MallocManaged");
    load(pinned_, name == "hip" ? "HostMalloc" : "HostAlloc");
    load(free_pinned_, name == "hip" ? "HostFree" : "FreeHost");
    load(malloc_async_, "MallocAsync", false);
    load(free_async_, "FreeAsync", false);
    load(copy_, "Memcpy");
    load(copy_later_, "MemcpyAsync");
    load(wait_, "DeviceSynchronize");
    check(count_(&devices_), "GetDeviceCount");
}

void Runtime::check(int code, const char* call) const {
    if (code == 0) return;
    std::fprintf(stderr, "twins: %s%s failed with code %d\n", prefix_.c_str(), call, code);
    std::abort();
}

void* Runtime::take(Kind kind, int device, std::size_t bytes) {
    void* memory = nullptr;
    use(device);
    if (kind == Kind::managed) {
        check(managed_(&memory, bytes, attach_global), "MallocManaged");
    } else if (kind == Kind::pinned) {
        check(pinned_(&memory, bytes, 0), "HostAlloc");
    } else if (kind == Kind::pool) {
        check(malloc_async_(&memory, bytes, nullptr), "MallocAsync");
        wait();
    } else {
        check(malloc_(&memory, bytes), "Malloc");
    }
    return memory;
}

void Runtime::give(Kind kind, int device, void* memory) {
    use(device);
    if (kind == Kind::pinned) {
        check(free_pinned_(memory), "FreeHost");
    } else if (kind == Kind::pool) {
        check(free_async_(memory, nullptr), "FreeAsync");
    } else {
        check(free_(memory), "Free");
    }
}

void Runtime::copy(void* to, const void* from, std::size_t bytes) {
    check(copy_(to, from, bytes, any_direction), "Memcpy");
}

void Runtime::copy_later(void* to, const void* from, std::size_t bytes) {
    check(copy_later_(to, from, bytes, any_direction, nullptr), "MemcpyAsync");
}

void Runtime::wait() { check(wait_(), "DeviceSynchronize"); }

void Runtime::use(int device) { check(use_(device), "SetDevice"); }

}  // namespace twins
