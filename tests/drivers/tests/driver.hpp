// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <string>

namespace aureole::emulated::tests {

/// The emulated libraries of one vendor, opened as a program would. The names of functions are
/// the same but for the prefix.
class Vendor {
  public:
    explicit Vendor(const std::string& runtime_prefix)
        : prefix_(runtime_prefix), driver_prefix_(is_nvidia() ? "cu" : "hip") {
        const std::string folder = AUREOLE_DRIVERS;
        runtime_ = open(folder + (is_nvidia() ? "/libcudart.so.13" : "/libamdhip64.so.6"));
        driver_ = is_nvidia() ? open(folder + "/libcuda.so.1") : runtime_;
    }

    bool is_nvidia() const { return prefix_ == "cuda"; }
    std::string driver_name(const std::string& name) const { return driver_prefix_ + name; }
    std::string runtime_name(const std::string& name) const { return prefix_ + name; }

    /// Calls a function of the runtime; the types of the arguments must be those of the function.
    template <class... Arguments>
    int run(const std::string& name, Arguments... arguments) const {
        return call(runtime_, prefix_ + name, arguments...);
    }
    /// Calls a function of the driver-like interface.
    template <class... Arguments>
    int drive(const std::string& name, Arguments... arguments) const {
        return call(driver_, driver_prefix_ + name, arguments...);
    }
    long count(const std::string& function) const {
        return symbol<long (*)(const char*)>(driver_, "aureole_double_count")(function.c_str());
    }
    long live_bytes(int device) const {
        return symbol<long (*)(int)>(driver_, "aureole_double_live_bytes")(device);
    }
    long mappings() const { return symbol<long (*)()>(driver_, "aureole_double_mappings")(); }
    void* host(const void* device) const {
        return symbol<void* (*)(const void*)>(driver_, "aureole_double_host")(device);
    }

    void* allocate(std::size_t bytes) const {
        void* at = nullptr;
        EXPECT_EQ(run("Malloc", &at, bytes), 0);
        return at;
    }
    void free(void* at) const { EXPECT_EQ(run("Free", at), 0); }
    void copy(void* to, const void* from, std::size_t bytes) const {
        EXPECT_EQ(run("Memcpy", to, from, bytes, 4), 0);
    }
    int copy_on(void* to, const void* from, std::size_t bytes, void* stream) const {
        return run("MemcpyAsync", to, from, bytes, 4, stream);
    }
    void* stream(unsigned flags = 0) const {
        void* made = nullptr;
        EXPECT_EQ(run("StreamCreateWithFlags", &made, flags), 0);
        return made;
    }
    void* event(unsigned flags = 0) const {
        void* made = nullptr;
        EXPECT_EQ(run("EventCreateWithFlags", &made, flags), 0);
        return made;
    }
    std::uint64_t id(const void* at) const {
        std::uint64_t value = 0;
        EXPECT_EQ(drive("PointerGetAttribute", static_cast<void*>(&value), 7, at), 0);
        return value;
    }

    template <class Type>
    static Type symbol(void* library, const std::string& name) {
        void* found = dlsym(library, name.c_str());
        EXPECT_NE(found, nullptr) << name;
        return reinterpret_cast<Type>(found);
    }
    void* driver() const { return driver_; }

  private:
    static void* open(const std::string& file) {
        void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
        EXPECT_NE(library, nullptr) << dlerror();
        return library;
    }
    template <class... Arguments>
    static int call(void* library, const std::string& name, Arguments... arguments) {
        return symbol<int (*)(Arguments...)>(library, name)(arguments...);
    }

    std::string prefix_;
    std::string driver_prefix_;
    void* runtime_ = nullptr;
    void* driver_ = nullptr;
};

/// Runs a part of a test in a process of its own, where the drivers have these settings. The
/// result is what `waitpid` says; a failed expectation there makes it 1 << 8.
inline int in_child(const std::string& settings, const std::function<void()>& body) {
    const pid_t child = fork();
    if (child == 0) {
        setenv("AUREOLE_DOUBLE", settings.c_str(), 1);
        body();
        std::fflush(nullptr);
        std::exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
}

/// A part of a test that must pass in a process of its own.
inline void passes(const std::string& settings, const std::function<void()>& body) {
    EXPECT_EQ(in_child(settings, body), 0);
}

/// Two processes with a pipe in each direction.
class Pair {
  public:
    Pair() {
        EXPECT_EQ(pipe(to_second_.data()), 0);
        EXPECT_EQ(pipe(to_first_.data()), 0);
    }

    struct Side {
        int in = -1;
        int out = -1;

        template <class T>
        void send(const T& value) const {
            ASSERT_EQ(write(out, &value, sizeof value), static_cast<ssize_t>(sizeof value));
        }
        template <class T>
        T receive() const {
            T value{};
            EXPECT_EQ(read(in, &value, sizeof value), static_cast<ssize_t>(sizeof value));
            return value;
        }
        /// Waits until the other has come here as well.
        void rendezvous() const {
            send('m');
            EXPECT_EQ(receive<char>(), 'm');
        }
    };

    /// Both parts must pass. Each ends its half of the pipes, so that neither waits for ever.
    void run(const std::string& settings, const std::function<void(const Side&)>& first,
             const std::function<void(const Side&)>& second) {
        const pid_t other = fork();
        if (other == 0) {
            close(to_first_[0]);
            close(to_second_[1]);
            const Side side{to_second_[0], to_first_[1]};
            const int status = in_child(settings, [&] { second(side); });
            _exit(status == 0 ? 0 : 1);
        }
        close(to_first_[1]);
        close(to_second_[0]);
        const Side side{to_first_[0], to_second_[1]};
        EXPECT_EQ(in_child(settings, [&] { first(side); }), 0);
        close(to_second_[1]);
        int status = -1;
        EXPECT_EQ(waitpid(other, &status, 0), other);
        EXPECT_EQ(status, 0);
    }

  private:
    std::array<int, 2> to_second_{};
    std::array<int, 2> to_first_{};
};

class Drivers : public testing::TestWithParam<std::string> {};

}  // namespace aureole::emulated::tests
