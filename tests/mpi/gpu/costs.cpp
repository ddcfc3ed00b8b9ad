// SPDX-License-Identifier: Apache-2.0
// costs [SECONDS [LARGEST]]: what the calls of CUDA's driver cost of which libaureole_mpi.so makes
// messages, as lines of JSON: a query of an address, copies, handles and mappings between two
// processes, loads and stores of the processor, and the kernel for lists of blocks. Each figure
// takes about SECONDS (0.05), and copies have up to LARGEST bytes (64 MB). The data are compared. A
// call that fails is told, and the others go on.
#include "costs.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cuda.hpp"
#include "drivers/copy_runs.kernel.hpp"
#include "drivers/copy_runs_ptx.hpp"
#include "figure.hpp"

namespace costs {

namespace {

namespace drivers = aureole::drivers;

constexpr std::size_t kB = 1000;
std::size_t largest = 64 << 20;

/// Properties that decide which ways there are, by their numbers in cuda.h; null: this driver does
/// not tell it.
constexpr struct {
    const char* name;
    int number;
} properties[] = {{"compute mode", 20},
                  {"descriptors of memory", 103},
                  {"pools of memory", 115},
                  {"DMA buffers", 124}};

void describe() {
    int version = 0;
    char name[100] = "";
    must("cuDriverGetVersion", cuda().DriverGetVersion(&version));
    must("cuDeviceGetName", cuda().DeviceGetName(name, sizeof name, 0));
    std::printf("{\"device\": \"%s\", \"driver\": %d, \"emulated\": %s", name, version,
                cuda().is_emulated ? "true" : "false");
    for (const auto& property : properties) {
        int value = 0;
        const bool is_known = cuda().DeviceGetAttribute(&value, property.number, 0) == 0;
        std::printf(", \"%s\": %s", property.name,
                    is_known ? std::to_string(value).c_str() : "null");
    }
    std::puts("}");
    std::fflush(stdout);
}

/// The attributes that the library asks for, in one call.
void query(const char* figure, Address at, std::size_t bytes) {
    enum { context = 1, type, id = 7, managed, ordinal, has_handle, start, size };  // as in cuda.h
    static constexpr int asked[] = {type, managed, context, id, ordinal, start, size, has_handle};
    measure(figure, bytes, [&] {
        unsigned long long answers[8]{};
        void* places[8];
        for (int k = 0; k < 8; ++k) places[k] = &answers[k];
        const double took = time_of([&] {
            must("cuPointerGetAttributes", cuda().PointerGetAttributes(8, asked, places, at));
        });
        const bool is_wrong =
            bytes > 0 && (answers[5] > at || answers[5] + answers[6] < at + bytes);
        tell(figure, bytes, took, is_wrong ? bytes : 0);
    });
}

void queries(const void* pinned) {
    const Memory memory(1 << 20);
    static char on_host[64];
    query("a query of device memory", memory.at() + 100, 1000);
    query("a query of host memory", reinterpret_cast<Address>(on_host), 0);
    query("a query of pinned memory", reinterpret_cast<Address>(pinned), 0);
}

void copies(unsigned char* pinned, std::size_t bytes) {
    const Memory first(bytes), second(bytes);
    measure("host to device", bytes, [&] {
        fill(pinned, bytes, 1);
        const double took = time_of([&] { copy(first.at(), pinned, bytes); });
        std::memset(pinned, 0, bytes);
        copy(pinned, first.at(), bytes);
        tell("host to device", bytes, took, wrong_bytes(pinned, bytes, 1));
    });
    measure("device to device", bytes, [&] {
        fill(pinned, bytes, 2);
        copy(first.at(), pinned, bytes);
        const double took = time_of([&] { copy(second.at(), first.at(), bytes); });
        std::memset(pinned, 0, bytes);
        copy(pinned, second.at(), bytes);
        tell("device to device", bytes, took, wrong_bytes(pinned, bytes, 2));
    });
    measure("device to host", bytes, [&] {
        fill(pinned, bytes, 3);
        copy(second.at(), pinned, bytes);
        std::memset(pinned, 0, bytes);
        const double took = time_of([&] { copy(pinned, second.at(), bytes); });
        tell("device to host", bytes, took, wrong_bytes(pinned, bytes, 3));
    });
}

void allocations(std::size_t bytes) {
    measure("allocate and free", bytes, [&] {
        tell("allocate and free", bytes, time_of([&] { const Memory memory(bytes); }), 0);
    });
}

/// The kernel that gathers a list of `n` runs of 8 bytes, 24 bytes apart, into pinned memory.
void kernel(unsigned char* pinned, std::size_t n) {
    constexpr std::size_t run = 8, distance = 24;
    const char* const figure = "the kernel for lists";
    measure(figure, n * run, [&] {
        void *module = nullptr, *function = nullptr;
        must("cuModuleLoadData", cuda().ModuleLoadData(&module, drivers::copy_runs_ptx));
        must("cuModuleGetFunction",
             cuda().ModuleGetFunction(&function, module, "aureole_copy_runs"));
        std::vector<drivers::Run> runs(n + 1);
        for (std::size_t k = 0; k <= n; ++k)
            runs[k] = {static_cast<std::int64_t>(k < n ? k * distance : 0),
                       static_cast<std::int64_t>(k * run)};
        const Memory list(runs.size() * sizeof runs[0]), spread(n * distance);
        copy(list.at(), runs.data(), runs.size() * sizeof runs[0]);
        fill(pinned, n * distance, 4);
        copy(spread.at(), pinned, n * distance);
        drivers::RunCopy what;
        what.runs = reinterpret_cast<const drivers::Run*>(list.at());
        what.n = static_cast<std::int64_t>(n);
        what.spread = reinterpret_cast<std::byte*>(spread.at());
        what.dense = reinterpret_cast<std::byte*>(pinned);
        what.size = what.bytes = static_cast<std::int64_t>(n * run);
        what.extent = static_cast<std::int64_t>(n * distance);
        what.unit = 8;
        void* parameters[] = {&what};
        const unsigned threads = 256, blocks = static_cast<unsigned>((n + threads - 1) / threads);
        const double took = time_of([&] {
            must("cuLaunchKernel", cuda().LaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0,
                                                       nullptr, parameters, nullptr));
            must("cuStreamSynchronize", cuda().StreamSynchronize(nullptr));
        });
        std::vector<unsigned char> expected(n * distance);
        fill(expected.data(), expected.size(), 4);
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < n * run; ++k)
            wrong += pinned[k] != expected[k / run * distance + k % run];
        tell(figure, n * run, took, wrong);
    });
}

/// Sizes of messages up to the largest one.
std::vector<std::size_t> sizes() {
    std::vector<std::size_t> found;
    for (const std::size_t size : {std::size_t{8}, 64 * kB, std::size_t{1} << 20})
        if (size < largest) found.push_back(size);
    found.push_back(largest);
    return found;
}

void all() {
    mappings(sizes());
    describe();
    constexpr std::size_t runs[] = {1000, 100000};
    void* pinned = nullptr;
    must("cuMemHostAlloc", cuda().MemHostAlloc(&pinned, std::max(largest, 24 * runs[1]), 0));
    auto* const bytes = static_cast<unsigned char*>(pinned);
    queries(pinned);
    small_copies();
    for (const std::size_t size : sizes()) copies(bytes, size);
    for (const std::size_t size : {std::size_t{1} << 10, std::size_t{1} << 20}) allocations(size);
    for (const std::size_t n : runs) kernel(bytes, n);
}

}  // namespace

}  // namespace costs

int main(int n, char** words) {
    if (n > 1) costs::seconds_of_each = std::atof(words[1]);
    if (n > 2) costs::largest = std::strtoul(words[2], nullptr, 10);
    try {
        costs::all();
    } catch (const costs::Failed& failed) {
        std::fprintf(stderr, "costs: %s returned %d\n", failed.function, failed.code);
        return 1;
    }
    std::puts("{\"ended\": true}");
    return 0;
}
