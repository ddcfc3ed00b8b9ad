// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>

#include "core/spin_lock.hpp"
#include "device/config.hpp"

namespace aureole::device {

/// For std::allocate_shared: memory of objects that come and go, kept for the next of their type.
/// Any thread may take and return it. Under a sanitizer each object has fresh memory.
template <class T>
class Recycled {
  public:
    using value_type = T;
    Recycled() = default;
    template <class U>
    Recycled(const Recycled<U>&) {}

    T* allocate(std::size_t) {
        if constexpr (!sanitized) {
            auto& [spin, first] = kept();
            const std::lock_guard lock(spin);
            if (Free* found = first) {
                first = found->next;
                return reinterpret_cast<T*>(found);
            }
        }
        return std::allocator<T>().allocate(1);
    }
    void deallocate(T* memory, std::size_t) noexcept {
        if constexpr (sanitized) return std::allocator<T>().deallocate(memory, 1);
        auto& [spin, first] = kept();
        const std::lock_guard lock(spin);
        first = new (memory) Free{first};
    }
    template <class U>
    bool operator==(const Recycled<U>&) const {
        return true;
    }

  private:
    struct Free {
        Free* next;
    };
    struct Kept {
        core::SpinLock<> spin;
        Free* first = nullptr;
    };
    static Kept& kept() {
        static auto* const all = new Kept;  // outlives events that are static objects
        return *all;
    }
};

}  // namespace aureole::device
