// SPDX-License-Identifier: Apache-2.0
#include "comm/memory/driver.hpp"

#include <link.h>

#include <array>
#include <atomic>
#include <mutex>

namespace aureole::comm {

namespace {

int tell_added(dl_phdr_info* info, std::size_t, void* added) {
    *static_cast<unsigned long long*>(added) = info->dlpi_adds;
    return 1;
}

/// How many libraries this process has loaded so far.
unsigned long long libraries_added() {
    unsigned long long added = 0;
    dl_iterate_phdr(tell_added, &added);
    return added;
}

/// Lives until the process ends, as MPI's own threads may still ask for it in its last moments.
class Found {
  public:
    /// Looks for drivers again if libraries were loaded since the last time.
    const std::array<Driver*, 3>& now() {
        const auto added = libraries_added();
        if (added != added_.load(std::memory_order_acquire)) look(added);
        return drivers_;
    }

  private:
    void look(unsigned long long added) {
        const std::lock_guard guard(lock_);
        if (cuda_ == nullptr) cuda_ = open_cuda_driver().release();
        if (hip_ == nullptr) hip_ = open_hip_driver().release();
        drivers_[0] = cuda_ != nullptr ? cuda_ : hip_;
        drivers_[1] = cuda_ != nullptr ? hip_ : nullptr;
        added_.store(added, std::memory_order_release);
    }

    std::mutex lock_;
    std::atomic<unsigned long long> added_ = 0;
    Driver *cuda_ = nullptr, *hip_ = nullptr;
    std::array<Driver*, 3> drivers_{};
};

}  // namespace

Driver* const* Driver::all() {
    static auto* const found = new Found;
    return found->now().data();
}

Allocation Driver::look_up(const void* address) {
    for (Driver* const* driver = all(); *driver != nullptr; ++driver) {
        const Allocation found = (*driver)->attributes(address);
        if (found.kind == MemoryKind::device || found.kind == MemoryKind::managed) return found;
    }
    return {};
}

}  // namespace aureole::comm
