// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/device.hpp"

#include <cstdint>

#include "device/cuda/backend.hpp"
#include "device/cuda/check.hpp"
#include "device/cuda/queue.hpp"
#include "device/processor/code_for.hpp"

namespace aureole::device::cuda {

namespace {

std::string describe(const cudaDeviceProp& p) {
    return std::string(p.name) + ", " + std::to_string(p.multiProcessorCount) +
           " multiprocessors, " + std::to_string(p.totalGlobalMem >> 30) + " GB";
}

/// Why this build cannot run there; empty where it can.
std::string refusal(const cudaDeviceProp& p) {
    if (has_code_for(AUREOLE_CUDA_CODE, p.major, p.minor)) return "";
    return "it has compute capability " + std::to_string(p.major) + "." + std::to_string(p.minor) +
           "; this build has code for " AUREOLE_CUDA_CODE
           " (80 means 8.0, the oldest that Aureole supports)";
}

/// Number of GPUs, or why there is none.
int count(std::string& why) {
    int found = 0, driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        cudaGetLastError();
        why = "no NVIDIA driver was found";
        return 0;
    }
    const cudaError_t result = cudaGetDeviceCount(&found);
    if (result != cudaSuccess) {
        cudaGetLastError();
        why = cudaGetErrorString(result);
        return 0;
    }
    if (found == 0) why = "no NVIDIA GPU was found";
    return found;
}

}  // namespace

CudaDevice::CudaDevice(int index) : DeviceState(Backend::cuda), index_(index) {
    use();
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
    if (const std::string why = refusal(properties); !why.empty())
        throw core::DeviceError(
            "device cuda:" + std::to_string(index) + " cannot be used", why,
            "Choose device \"host\", or build on this machine with AUREOLE_CUDA=ON.");
    name_ = describe(properties);
    // Freed memory stays with the pool instead of going back to the driver at every
    // synchronisation.
    cudaMemPool_t memory = nullptr;
    check(cudaDeviceGetDefaultMemPool(&memory, index), "cudaDeviceGetDefaultMemPool");
    std::uint64_t keep = std::uint64_t{1} << 30;
    check(cudaMemPoolSetAttribute(memory, cudaMemPoolAttrReleaseThreshold, &keep),
          "cudaMemPoolSetAttribute");
}

CudaDevice::~CudaDevice() {
    for (const auto& events : {plain_events_, timed_events_})
        for (cudaEvent_t event : events) cudaEventDestroy(event);
}

void CudaDevice::use() const {
    // The runtime knows the thread's device, which other libraries may have set: asking is cheap.
    int current = -1;
    if (cudaGetDevice(&current) != cudaSuccess || current != index_)
        check(cudaSetDevice(index_), "cudaSetDevice");
}

std::string CudaDevice::description() const { return name_; }

std::shared_ptr<detail::QueueState> CudaDevice::make_queue(QueueOptions options) {
    return std::make_shared<CudaQueue>(shared_from_this(), options.priority);
}

void CudaDevice::open_memory() {
    throw core::DeviceError("the host cannot access this device's memory directly",
                            "the memory is on the GPU", "Copy it to the host.");
}

cudaEvent_t CudaDevice::take_event(Timing timing) {
    const std::lock_guard lock(mutex_);
    auto& events = timing == Timing::yes ? timed_events_ : plain_events_;
    cudaEvent_t event = nullptr;
    if (!events.empty()) {
        event = events.back();
        events.pop_back();
    } else {
        use();
        const unsigned flags = timing == Timing::yes ? cudaEventDefault : cudaEventDisableTiming;
        check(cudaEventCreateWithFlags(&event, flags), "cudaEventCreateWithFlags");
    }
    return event;
}

void CudaDevice::give_event(cudaEvent_t event, Timing timing) noexcept {
    try {
        const std::lock_guard lock(mutex_);
        (timing == Timing::yes ? timed_events_ : plain_events_).push_back(event);
    } catch (...) {
        cudaEventDestroy(event);
    }
}

std::shared_ptr<detail::DeviceState> make_device(int index) {
    std::string why;
    const int found = count(why);
    if (index < 0 || index >= found) {
        if (why.empty())
            why = "this machine has " + std::to_string(found) + " GPUs, numbered from cuda:0";
        throw core::DeviceError("device cuda:" + std::to_string(index) + " is not available", why,
                                "Choose device \"host\" or a GPU that `aureole doctor` lists.");
    }
    return std::make_shared<CudaDevice>(index);
}

std::vector<DeviceInfo> list_devices() {
    std::string why;
    const int found = count(why);
    if (found == 0) return {{"cuda:0", "", false, why}};
    std::vector<DeviceInfo> rows;
    for (int i = 0; i < found; ++i) {
        cudaDeviceProp p{};
        const bool known = cudaGetDeviceProperties(&p, i) == cudaSuccess;
        const std::string refused = known ? refusal(p) : "its properties cannot be read";
        rows.push_back(
            {"cuda:" + std::to_string(i), known ? describe(p) : "", refused.empty(), refused});
    }
    return rows;
}

}  // namespace aureole::device::cuda
