// SPDX-License-Identifier: Apache-2.0
// Device memory by a runtime that is loaded at run time, CUDA's or HIP's.
#pragma once

#include <cstddef>
#include <string>

namespace twins {

enum class Kind { host, device, managed, pinned, pool };

inline const char* name_of(Kind kind) {
    static const char* const names[] = {"host", "device", "managed", "pinned", "pool"};
    return names[static_cast<int>(kind)];
}

/// The few calls of a runtime that the twins need; each ends the process where it fails.
class Runtime {
  public:
    /// `name` is "cuda" or "hip".
    explicit Runtime(const std::string& name);

    int devices() const { return devices_; }
    bool has_pools() const { return malloc_async_ && free_async_; }
    void* take(Kind kind, int device, std::size_t bytes);
    void give(Kind kind, int device, void* memory);
    /// Copies to or from memory of any kind; the call returns when it is done.
    void copy(void* to, const void* from, std::size_t bytes);
    /// The same on the default stream, which the caller does not wait for.
    void copy_later(void* to, const void* from, std::size_t bytes);
    void wait();
    void use(int device);

  private:
    template <class F>
    void load(F& function, const std::string& name, bool needed = true);
    void check(int code, const char* call) const;

    void* library_ = nullptr;
    std::string prefix_;
    int devices_ = 0;
    int (*count_)(int*) = nullptr;
    int (*use_)(int) = nullptr;
    int (*malloc_)(void**, std::size_t) = nullptr;
    int (*free_)(void*) = nullptr;
    int (*managed_)(void**, std::size_t, unsigned) = nullptr;
    int (*pinned_)(void**, std::size_t, unsigned) = nullptr;
    int (*free_pinned_)(void*) = nullptr;
    int (*malloc_async_)(void**, std::size_t, void*) = nullptr;
    int (*free_async_)(void*, void*) = nullptr;
    int (*copy_)(void*, const void*, std::size_t, int) = nullptr;
    int (*copy_later_)(void*, const void*, std::size_t, int, void*) = nullptr;
    int (*wait_)() = nullptr;
};

}  // namespace twins
