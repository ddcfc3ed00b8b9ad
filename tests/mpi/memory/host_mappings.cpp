// SPDX-License-Identifier: Apache-2.0
// Device memory that is mapped for the processor, by each way, on emulated devices. Each test is a
// process of its own, with its settings of the double.
#include "drivers/host_mappings.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <random>
#include <thread>
#include <vector>

namespace aureole::drivers {
namespace {

/// A way, and the vendor whose devices have it.
struct Way {
    const char *vendor, *bar, *name;
};

void require(bool is_right, const char* what, long number = 0) {
    if (is_right) return;
    std::fprintf(stderr, "%s (%ld)\n", what, number);
    _exit(1);
}

/// The runtime of a vendor, as a program uses it.
class Runtime {
  public:
    explicit Runtime(const Way& way) : prefix_(way.vendor) {
        const std::string folder = AUREOLE_DRIVERS "/";
        library_ = dlopen((folder + (is_hip() ? "libamdhip64.so.6" : "libcudart.so.13")).c_str(),
                          RTLD_NOW | RTLD_GLOBAL);
        require(library_ != nullptr, "the double cannot be opened");
        if (!is_hip())  // GDRCopy's is found by its name then
            require(dlopen((folder + "libgdrapi.so.2").c_str(), RTLD_NOW) != nullptr, "no gdrapi");
    }
    template <class... Arguments>
    int run(const char* name, Arguments... arguments) const {
        void* const function = dlsym(library_, (prefix_ + name).c_str());
        require(function != nullptr, name);
        return reinterpret_cast<int (*)(Arguments...)>(function)(arguments...);
    }
    std::byte* allocate(std::size_t bytes) const {
        void* made = nullptr;
        require(run("Malloc", &made, bytes) == 0, "no memory");
        return static_cast<std::byte*>(made);
    }
    void free(std::byte* memory) const {
        require(run("Free", static_cast<void*>(memory)) == 0, "free");
    }
    long count(const char* function) const {
        void* const found = dlsym(library_, "aureole_double_count");
        require(found != nullptr, "no counts");
        return reinterpret_cast<long (*)(const char*)>(found)(function);
    }
    bool is_hip() const { return prefix_ == "hip"; }

  private:
    std::string prefix_;
    void* library_ = nullptr;
};

/// Runs a test's body in a child; `more` are further settings of the double.
void run(const Way& way, const std::string& more, const std::function<void(const Runtime&)>& body) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        setenv("AUREOLE_DOUBLE", ("bar=" + std::string(way.bar) + more).c_str(), 1);
        try {
            body(Runtime(way));
        } catch (const std::exception& error) {
            require(false, error.what());
        }
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

std::shared_ptr<const HostMapping> find(HostMappings& in, std::byte* memory,
                                        std::size_t bytes = 8) {
    return in.find(memory, bytes, Driver::look_up(memory));
}

/// Finds it often enough that it is mapped.
std::shared_ptr<const HostMapping> mapped(HostMappings& in, std::byte* memory,
                                          std::size_t bytes = 8) {
    find(in, memory, bytes);
    return find(in, memory, bytes);
}

std::vector<std::byte> noise(std::mt19937& random, std::size_t bytes) {
    std::vector<std::byte> made(bytes);
    for (auto& each : made) each = static_cast<std::byte>(random());
    return made;
}

void copy(void* to, const void* from, std::size_t bytes, const Allocation& at) {
    at.driver->copy(to, from, bytes, at);
    at.driver->finish(at);
}

class HostMapped : public testing::TestWithParam<Way> {};

TEST_P(HostMapped, CopiesAreThoseOfTheDriver) {
    run(GetParam(), "", [](const Runtime& runtime) {
        constexpr std::size_t bytes = 5 << 20, most = 8192;
        std::byte* const memory = runtime.allocate(bytes);
        const Allocation at = Driver::look_up(memory);
        HostMappings mappings;
        require(mappings.way(at) != nullptr, "no way");
        require(mappings.way(at)->name() == std::string(GetParam().name), "another way");
        std::mt19937 random(1);
        long copied = 0;
        for (int k = 0; k < 600; ++k) {
            const std::size_t n = 1 + random() % most, first = random() % (bytes - n);
            const auto mapping = mapped(mappings, memory + first, n);
            require(mapping != nullptr, "not mapped", k);
            const auto around = noise(random, n + 2);
            std::vector<std::byte> got(n);
            if (first > 0 && first + n < bytes) copy(memory + first - 1, around.data(), n + 2, at);
            copy(memory + first, around.data() + 1, n, at);
            mapping->load(got.data(), memory + first, n);
            require(std::equal(got.begin(), got.end(), around.begin() + 1), "a wrong load", k);
            const auto sent = noise(random, n);
            mapping->store(memory + first, sent.data(), n);
            std::vector<std::byte> whole(n + 2);
            if (first == 0 || first + n == bytes) continue;
            copy(whole.data(), memory + first - 1, n + 2, at);
            require(std::equal(sent.begin(), sent.end(), whole.begin() + 1), "a wrong store", k);
            require(whole[0] == around[0] && whole[n + 1] == around[n + 1], "a byte beside it", k);
            ++copied;
        }
        require(copied > 500, "few copies", copied);
        require(mappings.size() <= 6, "too many mappings", static_cast<long>(mappings.size()));
    });
}

TEST_P(HostMapped, IsKnownByItsAllocationAndNotByItsAddress) {
    run(GetParam(), "", [](const Runtime& runtime) {
        HostMappings mappings;
        std::mt19937 random(2);
        int again = 0;
        std::byte* before = nullptr;
        for (int k = 0; k < 100; ++k) {
            std::byte* const memory = runtime.allocate(4096);
            again += memory == before;
            before = memory;
            require(find(mappings, memory) == nullptr, "mapped at its first use", k);
            const auto mapping = find(mappings, memory, 4096);
            require(mapping != nullptr, "not mapped", k);
            const auto sent = noise(random, 4096);
            std::vector<std::byte> got(4096);
            mapping->store(memory, sent.data(), 4096);
            copy(got.data(), memory, 4096, Driver::look_up(memory));
            require(got == sent, "a store into other memory", k);
            runtime.free(memory);
        }
        require(again > 50, "addresses are not used again", again);
        require(mappings.size() <= 3, "mappings of freed memory",
                static_cast<long>(mappings.size()));
    });
}

TEST_P(HostMapped, AreLimited) {
    run(GetParam(), "", [](const Runtime& runtime) {
        HostMappings mappings({4, std::size_t{1} << 30, 2, 1});
        std::vector<std::byte*> memory;
        for (int k = 0; k < 40; ++k) memory.push_back(runtime.allocate(256));
        for (int round = 0; round < 3; ++round)
            for (std::byte* each : memory) {
                require(mapped(mappings, each) != nullptr, "not mapped");
                require(mappings.size() <= 4, "too many", static_cast<long>(mappings.size()));
            }
        if (std::string(GetParam().name) != "GDRCopy") return;
        const long open = runtime.count("gdr_map") - runtime.count("gdr_unmap");
        require(open == static_cast<long>(mappings.size()), "some were not closed", open);
        require(runtime.count("gdr_pin_buffer") - runtime.count("gdr_unpin_buffer") == open,
                "some stay pinned");
    });
}

TEST_P(HostMapped, HoldLittleMemory) {
    run(GetParam(), "", [](const Runtime& runtime) {
        HostMappings mappings({256, 100'000, 2, 1});
        require(mapped(mappings, runtime.allocate(64)) != nullptr, "not mapped");
        const bool holds = mappings.held() > 0;
        for (int k = 0; k < 20; ++k) {
            std::byte* const memory = runtime.allocate(30'000);
            require(mapped(mappings, memory) != nullptr, "not mapped", k);
            require(mappings.held() <= 100'000, "too much", static_cast<long>(mappings.held()));
        }
        require((mapped(mappings, runtime.allocate(200'000)) == nullptr) == holds, "too large");
    });
}

TEST_P(HostMapped, StayWhileTheyAreUsedAndForSomeTime) {
    run(GetParam(), "", [](const Runtime& runtime) {
        HostMappings mappings({2, std::size_t{1} << 30, 2, 10});
        std::byte* const first = runtime.allocate(256);
        auto held = mapped(mappings, first);
        require(mapped(mappings, runtime.allocate(256)) != nullptr, "not mapped");
        std::byte* const third = runtime.allocate(256);
        require(mapped(mappings, third) == nullptr, "took the place of one that was just used");
        for (int k = 0; k < 20; ++k) find(mappings, third);
        require(find(mappings, third) != nullptr && mappings.size() == 2, "found no place");
        const std::uint64_t sent = 0x123456789abcdef;
        std::uint64_t got = 0;
        held->store(first, &sent, 8);
        copy(&got, first, 8, Driver::look_up(first));
        require(got == sent, "closed in use");
    });
}

TEST_P(HostMapped, AreNotUsedWhileTheDefaultStreamWorks) {
    run(GetParam(), ",late=1", [](const Runtime& runtime) {
        std::byte* const memory = runtime.allocate(256);
        HostMappings mappings;
        require(mapped(mappings, memory) != nullptr, "not mapped");
        void* stream = nullptr;
        require(runtime.run("StreamCreateWithFlags", &stream, 0u) == 0, "no stream");
        for (void* const busy : {static_cast<void*>(nullptr), stream}) {
            static std::atomic<bool> is_open;
            is_open = false;
            void (*const wait)(void*) = [](void*) {
                while (!is_open) std::this_thread::yield();
            };
            require(runtime.run("LaunchHostFunc", busy, wait, static_cast<void*>(nullptr)) == 0,
                    "");
            require(find(mappings, memory) == nullptr, "used while work is pending");
            is_open = true;
            require(runtime.run("DeviceSynchronize") == 0, "");
            require(find(mappings, memory) != nullptr, "not used when it has ended");
        }
        require(runtime.run("GetLastError") == 0, "an error is left behind");
    });
}

TEST_P(HostMapped, IsPlainMemoryOfADevice) {
    run(GetParam(), "", [](const Runtime& runtime) {
        HostMappings mappings;
        void *managed = nullptr, *pooled = nullptr;
        require(runtime.run("MallocManaged", &managed, std::size_t{256}, 1u) == 0, "");
        require(
            runtime.run("MallocAsync", &pooled, std::size_t{256}, static_cast<void*>(nullptr)) == 0,
            "");
        for (void* each : {managed, pooled})
            for (int k = 0; k < 5; ++k)
                require(find(mappings, static_cast<std::byte*>(each)) == nullptr, "mapped");
    });
}

TEST_P(HostMapped, IsRefusedWhereTheTrialFails) {
    for (const char* const wrong : {"+spoil", "+blind,late=1", ",fail=*:40", ",memory=1"})
        run(GetParam(), wrong, [&](const Runtime& runtime) {
            const bool is_right = wrong[0] == ',';  // an error, or little memory
            std::byte* const memory = runtime.allocate(256);
            std::byte* const rest = wrong[1] == 'm' ? runtime.allocate((1 << 20) - 8192) : nullptr;
            const Allocation at = Driver::look_up(memory);
            HostMappings mappings;
            if (!is_right) require(mappings.way(at) == nullptr, wrong);
            for (int k = 0; k < 40; ++k)
                if (const auto mapping = find(mappings, memory)) {
                    const long sent = k;
                    long got = -1;
                    mapping->store(memory, &sent, sizeof sent);
                    copy(&got, memory, sizeof got, at);
                    require(is_right && got == sent, wrong, k);
                }
            if (rest != nullptr) runtime.free(rest);
        });
}

INSTANTIATE_TEST_SUITE_P(Ways, HostMapped,
                         testing::Values(Way{"cuda", "gdr", "GDRCopy"},
                                         Way{"cuda", "dmabuf", "dma-buf"},
                                         Way{"hip", "large", "large BAR"}),
                         [](const auto& test) { return std::string(test.param.bar); });

TEST(HostWays, AreTriedInTurn) {
    run({"cuda", "gdr+dmabuf", ""}, "", [](const Runtime& runtime) {
        const auto way = find_host_way(Driver::look_up(runtime.allocate(64)));
        require(way != nullptr && way->name() == std::string("GDRCopy"), "not the first");
    });
    for (const char* const vendor : {"cuda", "hip"})
        run({vendor, "none", ""}, "", [](const Runtime& runtime) {
            require(find_host_way(Driver::look_up(runtime.allocate(64))) == nullptr,
                    "none is here");
        });
}

}  // namespace
}  // namespace aureole::drivers
