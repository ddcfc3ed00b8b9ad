// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "faces/runtime_face.hpp"
#include "machine/kernels.hpp"

using namespace aureole::emulated;

/// Programs made by the vendors' compilers register their kernels by host functions and launch
/// them by those. Such a kernel runs if the program has a host function that plays it.
namespace {

struct Size3 {
    unsigned x, y, z;
};

struct Call {
    Size3 grid, block;
    std::size_t block_memory;
    void* stream;
};

std::vector<Call>& calls() {
    static thread_local std::vector<Call> pending;
    return pending;
}

struct Names {
    std::mutex mutex;
    std::map<const void*, std::string> all;
};

Names& names() {
    static auto* only = new Names;
    return *only;
}

const Kernel* kernel_of(const void* host_function) {
    std::string name;
    {
        const std::lock_guard lock(names().mutex);
        const auto found = names().all.find(host_function);
        if (found == names().all.end()) return nullptr;
        name = found->second;
    }
    return find_kernel(name.c_str());
}

}  // namespace

#define RT_HIDDEN(name) RT_JOIN(RT_JOIN(__, AUREOLE_PREFIX), name)

DRIVER_FUNCTION void** RT_HIDDEN(RegisterFatBinary)(const void*) {
    static void* only = nullptr;
    return &only;
}

DRIVER_FUNCTION void RT_HIDDEN(RegisterFatBinaryEnd)(void**) {}
DRIVER_FUNCTION void RT_HIDDEN(UnregisterFatBinary)(void**) {}
DRIVER_FUNCTION char RT_HIDDEN(InitModule)(void**) { return 0; }

DRIVER_FUNCTION void RT_HIDDEN(RegisterFunction)(void**, const void* host_function, char*,
                                                 const char* name, int, void*, void*, void*, void*,
                                                 int*) {
    const std::lock_guard lock(names().mutex);
    names().all[host_function] = name;
}

DRIVER_FUNCTION void RT_HIDDEN(RegisterVar)(void**, char*, char*, const char*, int, std::size_t,
                                            int, int) {}
DRIVER_FUNCTION void RT_HIDDEN(RegisterManagedVar)(void**, void**, char*, const char*, int,
                                                   std::size_t, int, int) {}

DRIVER_FUNCTION unsigned RT_HIDDEN(PushCallConfiguration)(Size3 grid, Size3 block,
                                                          std::size_t block_memory, void* stream) {
    calls().push_back({grid, block, block_memory, stream});
    return success;
}

DRIVER_FUNCTION int RT_HIDDEN(PopCallConfiguration)(Size3* grid, Size3* block,
                                                    std::size_t* block_memory, void** stream) {
    if (calls().empty()) return keep(52);  // no configuration
    const Call call = calls().back();
    calls().pop_back();
    *grid = call.grid;
    *block = call.block;
    *block_memory = call.block_memory;
    *stream = call.stream;
    return success;
}

DRIVER_FUNCTION int RT(LaunchKernel)(const void* function, Size3 grid, Size3 block,
                                     void** parameters, std::size_t, void* stream) {
    RT_ENTER(LaunchKernel);
    const Kernel* kernel = kernel_of(function);
    if (!kernel) return keep(98);  // no such device function
    const auto found = stream_of(stream, &runtime_context());
    if (!found) return keep(invalid_handle);
    return keep(launch({kernel, grid.x, block.x, parameters, nullptr}, found));
}

DRIVER_FUNCTION int RT_HIDDEN(GetKernel)(const void** out, const void* function) {
    *out = function;
    return success;
}

DRIVER_FUNCTION int RT_HIDDEN(LaunchKernel)(const void* function, Size3 grid, Size3 block,
                                            void** parameters, std::size_t block_memory,
                                            void* stream) {
    return RT(LaunchKernel)(function, grid, block, parameters, block_memory, stream);
}
