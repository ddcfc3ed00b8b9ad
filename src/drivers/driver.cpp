// SPDX-License-Identifier: Apache-2.0
#include "drivers/driver.hpp"

#include <link.h>

#include <array>
#include <atomic>
#include <mutex>

#include "core/error.hpp"
#include "drivers/host_mapping.hpp"

namespace aureole::drivers {

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
    const DriverSlot* now() {
        const auto added = libraries_added();
        if (added != added_.load(std::memory_order_acquire)) look(added);
        return drivers_.data();
    }

  private:
    void look(unsigned long long added) {
        const std::lock_guard guard(lock_);
        if (!has_cuda_) has_cuda_ = append(open_cuda_driver());
        if (!has_hip_) has_hip_ = append(open_hip_driver());
        added_.store(added, std::memory_order_release);
    }
    /// Other threads read the slots meanwhile, so that none changes once it has a driver.
    bool append(std::unique_ptr<Driver> opened) {
        if (opened == nullptr) return false;
        drivers_[n_++].store(opened.release());
        return true;
    }

    std::mutex lock_;
    std::atomic<unsigned long long> added_ = 0;
    bool has_cuda_ = false, has_hip_ = false;
    std::size_t n_ = 0;
    std::array<DriverSlot, 3> drivers_{};
};

}  // namespace

const DriverSlot* Driver::all() {
    static auto* const found = new Found;
    return found->now();
}

std::vector<std::unique_ptr<HostWay>> Driver::host_ways(const Allocation&) { return {}; }

std::optional<Allocation> Driver::find(const void* address) {
    Allocation found = attributes(address);
    if (!found.on_device()) return {};
    try {
        identify(found, address);
        return found;
    } catch (const core::DeviceError&) {
        return {};
    }
}

Allocation Driver::look_up(const void* address) {
    for (const DriverSlot* slot = all(); Driver* const driver = *slot; ++slot) {
        const Allocation found = driver->attributes(address);
        if (found.kind == MemoryKind::device || found.kind == MemoryKind::managed) return found;
    }
    return {};
}

}  // namespace aureole::drivers
