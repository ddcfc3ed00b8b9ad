// SPDX-License-Identifier: Apache-2.0
// Device memory of one process that another maps by handles, on emulated devices. Both processes
// are forked before they use a driver, and speak by pipes.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <random>

#include "core/error.hpp"
#include "drivers/exports.hpp"
#include "drivers/imports.hpp"

namespace aureole::drivers {
namespace {

/// Ends a child with a line that says why.
void require(bool is_right, const char* what, long number = 0) {
    if (is_right) return;
    std::fprintf(stderr, "process %d: %s (%ld)\n", getpid(), what, number);
    _exit(1);
}

/// The runtime of a vendor, as a program uses it.
struct Runtime {
    void* library = nullptr;
    std::string prefix;

    explicit Runtime(const std::string& vendor) : prefix(vendor) {
        const std::string file = vendor == "hip" ? "libamdhip64.so.6" : "libcudart.so.13";
        library = dlopen((AUREOLE_DRIVERS "/" + file).c_str(), RTLD_NOW);
        require(library != nullptr, "the double cannot be opened");
    }
    template <class... Arguments>
    int run(const char* name, Arguments... arguments) const {
        void* const function = dlsym(library, (prefix + name).c_str());
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
    long double_says(const char* name) const {
        void* const function =
            dlsym(RTLD_DEFAULT, name) ? dlsym(RTLD_DEFAULT, name) : dlsym(library, name);
        require(function != nullptr, name);
        return reinterpret_cast<long (*)(int)>(function)(0);
    }
};

struct Pipe {
    int ends[2];
    Pipe() { require(pipe(ends) == 0, "pipe"); }
    template <class T>
    void put(const T& what) const {
        require(write(ends[1], &what, sizeof what) == sizeof what, "write to a pipe");
    }
    template <class T>
    T take() const {
        T what;
        require(read(ends[0], &what, sizeof what) == sizeof what, "read from a pipe");
        return what;
    }
};

/// Runs the two processes; both must end well.
void run_both(const std::function<void()>& owner, const std::function<void()>& user) {
    pid_t children[2];
    for (int k = 0; k < 2; ++k) {
        children[k] = fork();
        if (children[k] == 0) {
            alarm(120);
            try {
                (k == 0 ? owner : user)();
            } catch (const std::exception& error) {
                require(false, error.what());
            }
            _exit(0);
        }
    }
    for (int ended = 0; ended < 2; ++ended) {
        int status = 0;
        const pid_t child = waitpid(-1, &status, 0);
        const bool is_right = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        EXPECT_TRUE(is_right) << "status " << status;
        if (!is_right && ended == 0)  // or the other one waits for ever
            kill(child == children[0] ? children[1] : children[0], SIGKILL);
    }
}

/// What an owner tells: a number of bytes in an allocation to be read, or one that was freed.
struct Message {
    enum What { read, freed, end } what = end;
    MemoryHandle handle;
    std::uint64_t offset = 0, bytes = 0, freed_id = 0;
    int number = 0;
};

class MappedMemory : public testing::TestWithParam<const char*> {};

std::byte pattern(int number, std::size_t k) {
    return static_cast<std::byte>(static_cast<unsigned>(number) * 31 +
                                  static_cast<unsigned>(k) % 251);
}

/// Allocates, has memory read and frees it, in random order and sizes, so that addresses are used
/// again.
void own(const Runtime& runtime, const Pipe& to_user, const Pipe& answer, int cycles) {
    std::mt19937 random(1);
    Exports exports;
    std::deque<std::byte*> alive;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        const auto bytes = std::size_t{8} << random() % 15;
        std::byte* const memory = runtime.allocate(bytes);
        alive.push_back(memory);
        std::vector<std::byte> host(bytes);
        for (std::size_t k = 0; k < bytes; ++k) host[k] = pattern(cycle, k);
        require(runtime.run("Memcpy", static_cast<void*>(memory),
                            static_cast<const void*>(host.data()), bytes, 1) == 0,
                "copy to the device");
        const Allocation at = Driver::look_up(memory + bytes / 2);
        require(at.on_device(), "not on a device");
        Message message{
            Message::read, exports.handle(at, memory + bytes / 2), bytes / 4, bytes / 2, 0, cycle};
        to_user.put(message);
        answer.take<int>();
        while (alive.size() > random() % 12) {
            const auto which = alive.begin() + static_cast<long>(random() % alive.size());
            runtime.free(*which);
            alive.erase(which);
        }
        if (cycle % 50 == 49)
            for (const std::uint64_t id : exports.take_freed()) {
                Message freed{Message::freed, {}, 0, 0, id, 0};
                to_user.put(freed);
            }
        require(exports.size() <= 64, "handles pile up", static_cast<long>(exports.size()));
    }
    to_user.put(Message{});
}

void use(const Runtime& runtime, const Pipe& from_owner, const Pipe& answer, Imports& imports,
         std::size_t most) {
    std::byte* const here = runtime.allocate(1 << 18);
    const Allocation at = Driver::look_up(here);
    for (;;) {
        const auto message = from_owner.take<Message>();
        if (message.what == Message::end) return;
        if (message.what == Message::freed) {
            imports.drop(7, message.freed_id);
            continue;
        }
        {
            const auto mapped = imports.map(7, message.handle, at);
            std::vector<std::byte> host(message.bytes);
            at.driver->copy(here, mapped.data() + message.offset, message.bytes, at);
            at.driver->copy(host.data(), here, message.bytes, at);
            at.driver->finish(at);
            for (std::size_t k = 0; k < message.bytes; ++k)
                require(host[k] == pattern(message.number, k + message.offset), "a wrong byte",
                        message.number);
        }
        require(imports.size() <= most, "too many mappings");
        require(runtime.double_says("aureole_double_mappings") == static_cast<long>(imports.size()),
                "a mapping is lost", runtime.double_says("aureole_double_mappings"));
        answer.put(1);
    }
}

TEST_P(MappedMemory, IsReadRightWhileAddressesAreUsedAgain) {
    const Pipe to_user, answer;
    run_both([&] { own(Runtime(GetParam()), to_user, answer, 2000); },
             [&] {
                 const Runtime runtime(GetParam());
                 Imports imports({16, std::size_t{1} << 30});
                 use(runtime, to_user, answer, imports, 16);
             });
}

TEST_P(MappedMemory, IsLimitedInBytes) {
    const Pipe to_user, answer;
    run_both([&] { own(Runtime(GetParam()), to_user, answer, 300); },
             [&] {
                 const Runtime runtime(GetParam());
                 Imports imports({256, 200'000});
                 use(runtime, to_user, answer, imports, 256);
                 require(imports.bytes() <= 200'000 + (1 << 18), "too many bytes");
             });
}

// One entry is in use while many others come and go, and while its owner frees it.
TEST_P(MappedMemory, StaysWhileItIsInUse) {
    const Pipe handles, answer;
    run_both(
        [&] {
            const Runtime runtime(GetParam());
            Exports exports;
            for (int k = 0; k < 20; ++k) {
                std::byte* const memory = runtime.allocate(4096);
                handles.put(exports.handle(Driver::look_up(memory), memory));
            }
            answer.take<int>();
        },
        [&] {
            const Runtime runtime(GetParam());
            std::byte* const here = runtime.allocate(4096);
            const Allocation at = Driver::look_up(here);
            Imports imports({4, std::size_t{1} << 30});
            const auto first = handles.take<MemoryHandle>();
            {
                const auto held = imports.map(1, first, at);
                for (int k = 1; k < 20; ++k) imports.map(1, handles.take<MemoryHandle>(), at);
                require(imports.size() == 4, "wrong size", static_cast<long>(imports.size()));
                imports.drop(1, first.id);
                at.driver->copy(here, held.data(), 4096, at);
                at.driver->finish(at);
                require(imports.size() == 4, "closed in use", static_cast<long>(imports.size()));
            }
            require(imports.size() == 3, "not closed after its use",
                    static_cast<long>(imports.size()));
            answer.put(1);
        });
}

TEST_P(MappedMemory, OfTheSameAllocationIsOpenedOnce) {
    const Pipe handles, answer;
    run_both(
        [&] {
            const Runtime runtime(GetParam());
            Exports exports;
            std::byte* const memory = runtime.allocate(1 << 16);
            for (const int offset : {0, 100, 65535})
                handles.put(exports.handle(Driver::look_up(memory + offset), memory + offset));
            require(exports.size() == 1, "more than one handle");
            answer.take<int>();
        },
        [&] {
            const Runtime runtime(GetParam());
            const Allocation at = Driver::look_up(runtime.allocate(64));
            Imports imports;
            std::vector<Imports::Use> uses;
            for (int k = 0; k < 3; ++k)
                uses.push_back(imports.map(1, handles.take<MemoryHandle>(), at));
            require(imports.size() == 1 && uses[0].data() == uses[2].data(), "opened again");
            answer.put(1);
        });
}

INSTANTIATE_TEST_SUITE_P(Vendors, MappedMemory, testing::Values("cuda", "hip"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace aureole::drivers
