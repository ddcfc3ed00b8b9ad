// SPDX-License-Identifier: Apache-2.0
#include "machine/kernels.hpp"

#include <dlfcn.h>

#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "machine/status.hpp"

namespace aureole::emulated {
namespace {

struct Kernels {
    std::mutex mutex;
    std::map<std::string, Kernel> all;
};

Kernels& kernels() {
    static auto* only = new Kernels;
    return *only;
}

/// A launch's own copy of its parameters.
struct Parameters {
    std::vector<std::vector<char>> bytes;
    std::vector<void*> pointers;

    void add(const void* from, std::size_t n) {
        const auto* begin = static_cast<const char*>(from);
        bytes.emplace_back(begin, begin + n);
    }
    void finish() {
        for (auto& each : bytes) pointers.push_back(each.data());
        pointers.push_back(nullptr);
    }
};

/// Parameters packed in one buffer: each begins at a multiple of its size, eight bytes at most.
void unpack(const char* buffer, std::size_t bytes, const unsigned long* sizes, Parameters& out) {
    std::size_t at = 0;
    if (!sizes) return out.add(buffer, bytes);
    for (; *sizes; ++sizes) {
        const std::size_t unit = *sizes < 8 ? *sizes : 8;
        at = (at + unit - 1) / unit * unit;
        if (at + *sizes > bytes) return;
        out.add(buffer + at, *sizes);
        at += *sizes;
    }
}

bool read_packed(void** packed, const unsigned long* sizes, Parameters& out) {
    enum : std::uintptr_t { end = 0, buffer_is = 1, size_is = 2 };
    const char* buffer = nullptr;
    const std::size_t* bytes = nullptr;
    for (; *packed; packed += 2) {
        const auto what = reinterpret_cast<std::uintptr_t>(*packed);
        if (what == buffer_is) buffer = static_cast<const char*>(packed[1]);
        if (what == size_is) bytes = static_cast<const std::size_t*>(packed[1]);
    }
    if (!buffer || !bytes) return false;
    unpack(buffer, *bytes, sizes, out);
    return true;
}

}  // namespace

const Kernel* find_kernel(const char* name) {
    auto& table = kernels();
    const std::lock_guard lock(table.mutex);
    const auto known = table.all.find(name);
    if (known != table.all.end()) return &known->second;
    const std::string function = std::string("aureole_emulated_") + name;
    void* found = dlsym(RTLD_DEFAULT, function.c_str());
    const Kernel* const own = own_kernel(name);
    if (!found && !own) return nullptr;
    Kernel kernel;
    if (found) {
        std::memcpy(&kernel.run, &found, sizeof found);
        void* const sizes = dlsym(RTLD_DEFAULT, (function + "_sizes").c_str());
        kernel.sizes = static_cast<const unsigned long*>(sizes);
    } else {
        kernel = *own;
    }
    return &table.all.emplace(name, kernel).first->second;
}

bool kernel_exists(const Kernel* kernel) {
    auto& table = kernels();
    const std::lock_guard lock(table.mutex);
    for (const auto& [name, each] : table.all)
        if (&each == kernel) return true;
    return false;
}

int launch(const Launch& what, const StreamPtr& stream) {
    const auto run = [what](void** parameters) {
        what.kernel->run(parameters, what.grid_x, what.block_x);
    };
    if (!what.packed && !what.kernel->sizes)
        return give_and_wait(stream, [run, what] { run(what.parameters); });
    auto own = std::make_shared<Parameters>();
    if (what.packed) {
        if (!read_packed(what.packed, what.kernel->sizes, *own)) return invalid_value;
    } else {
        for (std::size_t k = 0; what.kernel->sizes[k]; ++k)
            own->add(what.parameters[k], what.kernel->sizes[k]);
    }
    own->finish();
    return give(stream, [run, own] { run(own->pointers.data()); });
}

}  // namespace aureole::emulated
