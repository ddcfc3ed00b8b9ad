// SPDX-License-Identifier: Apache-2.0
#include "device/gpu/device.hpp"

#include "device/config.hpp"
#include "device/gpu/backend.hpp"
#include "device/gpu/check.hpp"
#include "device/gpu/queue.hpp"
#include "device/gpu/vendor/code_for.hpp"

namespace aureole::device::gpu {

namespace {

std::string name_of(int index) { return std::string(gpu_vendor) + ":" + std::to_string(index); }

std::string describe(const Properties& p) {
    return p.name + ", " + std::to_string(p.processors) + " multiprocessors, " +
           std::to_string(p.memory >> 30) + " GB";
}

/// Why this build cannot run there; empty where it can.
std::string refusal(const Properties& p) {
    if (has_code_for(gpu_code, p.architecture)) return "";
    return std::string("it has ") + architecture_term + " " + p.architecture +
           "; this build has code for " + std::string(gpu_code);
}

/// Number of GPUs, or why there is none.
int count(std::string& why) {
    int found = 0, driver = 0;
    if (driver_version(driver) != success || driver == 0) {
        static_cast<void>(last_error());
        why = std::string("no ") + maker + " driver was found";
        return 0;
    }
    const Error result = count_devices(found);
    if (result != success) static_cast<void>(last_error());
    if (result == no_device || (result == success && found == 0))
        why = std::string("no ") + maker + " GPU was found: " + hidden_by;
    else if (result != success)
        why = text_of(result);
    return why.empty() ? found : 0;
}

}  // namespace

GpuDevice::GpuDevice(int index) : DeviceState(Backend::gpu), index_(index) {
    use();
    Properties properties;
    check(properties_of(properties, index), "reading the GPU's properties");
    if (const std::string why = refusal(properties); !why.empty())
        throw core::DeviceError(
            "device " + name_of(index) + " cannot be used", why,
            "Choose device \"host\", or build on this machine with AUREOLE_GPU=" +
                std::string(gpu_vendor) + ".");
    name_ = describe(properties);
    block_memory_ = properties.block_memory;
    check(pool.open(index), "the GPU's pool of memory");
}

GpuDevice::~GpuDevice() {
    for (const auto& events : {plain_events_, timed_events_})
        for (Event event : events) drop(event);
}

void GpuDevice::use() const {
    // The runtime knows the thread's device, which other libraries may have set: asking is cheap.
    int current = -1;
    if (current_device(current) != success || current != index_)
        check(use_device(index_), "choosing the GPU");
}

std::shared_ptr<detail::QueueState> GpuDevice::make_queue(QueueOptions options) {
    return std::make_shared<GpuQueue>(shared_from_this(), options.priority);
}

void GpuDevice::open_memory() {
    throw core::DeviceError("the host cannot access this device's memory directly",
                            "the memory is on the GPU", "Copy it to the host.");
}

Event GpuDevice::take_event(Timing timing) {
    const std::lock_guard lock(mutex_);
    auto& events = timing == Timing::yes ? timed_events_ : plain_events_;
    Event event = nullptr;
    if (!events.empty()) {
        event = events.back();
        events.pop_back();
    } else {
        use();
        check(make_event(event, timing == Timing::yes), "making an event");
    }
    return event;
}

void GpuDevice::give_event(Event event, Timing timing) noexcept {
    try {
        const std::lock_guard lock(mutex_);
        (timing == Timing::yes ? timed_events_ : plain_events_).push_back(event);
    } catch (...) {
        drop(event);
    }
}

std::shared_ptr<detail::DeviceState> make_device(int index) {
    std::string why;
    const int found = count(why);
    if (index < 0 || index >= found) {
        if (why.empty())
            why =
                "this machine has " + std::to_string(found) + " GPUs, numbered from " + name_of(0);
        throw core::DeviceError("device " + name_of(index) + " is not available", why,
                                "Choose device \"host\" or a GPU that `aureole doctor` lists.");
    }
    return std::make_shared<GpuDevice>(index);
}

std::vector<DeviceInfo> list_devices() {
    std::string why;
    const int found = count(why);
    if (found == 0) return {{name_of(0), "", false, why}};
    std::vector<DeviceInfo> rows;
    for (int i = 0; i < found; ++i) {
        Properties p;
        const bool known = properties_of(p, i) == success;
        const std::string refused = known ? refusal(p) : "its properties cannot be read";
        rows.push_back({name_of(i), known ? describe(p) : "", refused.empty(), refused});
    }
    return rows;
}

}  // namespace aureole::device::gpu
