// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/queue.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "device/cuda/check.hpp"
#include "device/recycled.hpp"

namespace aureole::device::cuda {

namespace {

class CudaEvent final : public detail::EventState {
  public:
    CudaEvent(std::shared_ptr<CudaDevice> owner, Timing timing)
        : device_(std::move(owner)), timing_(timing), event_(device_->take_event(timing)) {}
    ~CudaEvent() override { device_->give_event(event_, timing_); }

    bool ready() const override {
        const cudaError_t result = cudaEventQuery(event_);
        if (result == cudaErrorNotReady) return false;
        check(result, "cudaEventQuery");
        return true;
    }
    void wait() const override { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
    double seconds_since(const EventState& earlier) const override {
        const auto& other = dynamic_cast<const CudaEvent&>(earlier);
        if (timing_ == Timing::no || other.timing_ == Timing::no)
            throw std::logic_error("seconds_between needs events recorded with Timing::yes");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, other.event_, event_), "cudaEventElapsedTime");
        return 1e-3 * milliseconds;
    }
    cudaEvent_t native() const { return event_; }

  private:
    std::shared_ptr<CudaDevice> device_;
    Timing timing_;
    cudaEvent_t event_;
};

class CudaGraph final : public detail::GraphState {
  public:
    explicit CudaGraph(cudaGraph_t graph) {
        const cudaError_t result = cudaGraphInstantiate(&executable_, graph, 0);
        cudaGraphDestroy(graph);
        check(result, "cudaGraphInstantiate");
    }
    ~CudaGraph() override { cudaGraphExecDestroy(executable_); }
    CudaGraph(const CudaGraph&) = delete;
    CudaGraph& operator=(const CudaGraph&) = delete;

    void replay(detail::QueueState& queue) override {
        check(cudaGraphLaunch(executable_, static_cast<CudaQueue&>(queue).stream()),
              "cudaGraphLaunch");
    }

  private:
    cudaGraphExec_t executable_ = nullptr;
};

}  // namespace

CudaQueue::CudaQueue(std::shared_ptr<CudaDevice> owner, Priority priority)
    : QueueState(owner), device_(*owner) {
    device_.use();
    int lowest = 0, highest = 0;  // higher priorities are lower numbers
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
    const int level = priority == Priority::low    ? lowest
                      : priority == Priority::high ? highest
                                                   : (lowest + highest) / 2;
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, level),
          "cudaStreamCreateWithPriority");
    const cudaError_t result = cudaMallocAsync(&workspace_, workspace_bytes, stream_);
    if (result != cudaSuccess) cudaStreamDestroy(stream_);
    check(result, "cudaMallocAsync");
}

CudaQueue::~CudaQueue() {
    cudaFreeAsync(workspace_, stream_);
    cudaStreamDestroy(stream_);
}

detail::EventHandle CudaQueue::record(Timing timing) {
    auto event = std::allocate_shared<CudaEvent>(
        Recycled<CudaEvent>(), std::static_pointer_cast<CudaDevice>(device), timing);
    check(cudaEventRecord(event->native(), stream()), "cudaEventRecord");
    return event;
}

void CudaQueue::wait(const detail::EventHandle& event) {
    const auto* awaited = dynamic_cast<const CudaEvent*>(event.get());
    if (!awaited) return event->wait();  // of another backend: the host waits
    check(cudaStreamWaitEvent(stream(), awaited->native(), 0), "cudaStreamWaitEvent");
}

void CudaQueue::synchronize() {
    not_in_capture("synchronize");
    check(cudaStreamSynchronize(stream()), "work enqueued earlier");
}

void CudaQueue::call(void (*f)(void*), void* data) {
    check(cudaLaunchHostFunc(stream(), f, data), "cudaLaunchHostFunc");
}

void* CudaQueue::allocate(std::size_t bytes, Resource resource) {
    not_in_capture("allocation");
    const std::string what = "allocation of " + std::to_string(bytes >> 20) + " MB";
    void* memory = nullptr;
    switch (resource) {
        case Resource::pool:
            check(cudaMallocAsync(&memory, bytes, stream()), what.c_str());
            break;
        case Resource::pinned:
            check(cudaMallocHost(&memory, bytes), what.c_str());
            break;
        case Resource::plain:
            check(cudaMalloc(&memory, bytes), what.c_str());
            break;
    }
    return memory;
}

void CudaQueue::release(void* memory, std::size_t, Resource resource) noexcept {
    // Errors here are echoes of earlier ones, which synchronize() reports.
    if (resource == Resource::pool) {
        cudaFreeAsync(memory, stream_);
        return;
    }
    cudaStreamSynchronize(stream_);
    if (resource == Resource::pinned) {
        cudaFreeHost(memory);
    } else {
        cudaFree(memory);
    }
}

void CudaQueue::copy(void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream()), "copy");
}

void CudaQueue::copy_from_host(void* to, const void* from, std::size_t bytes) {
    not_in_capture("copy_from_host");
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream()), "copy_from_host");
    // The driver stages ordinary memory before it returns, but reads pinned memory later.
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, from) != cudaSuccess ||
        attributes.type != cudaMemoryTypeUnregistered)
        check(cudaStreamSynchronize(stream_), "copy_from_host");
}

void CudaQueue::copy_to_host(void* to, const void* from, std::size_t bytes) {
    not_in_capture("copy_to_host");
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream()), "copy_to_host");
    check(cudaStreamSynchronize(stream_), "work enqueued earlier");
}

void CudaQueue::begin_capture() {
    not_in_capture("begin_capture");
    check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
    recorder_ = std::this_thread::get_id();
    capturing_ = true;
}

void CudaQueue::refuse_others() const {
    if (recorder_ != std::this_thread::get_id())
        throw std::logic_error("a queue that records a step belongs to the thread that records it");
}

std::shared_ptr<detail::GraphState> CudaQueue::end_capture() {
    cudaGraph_t graph = nullptr;
    const cudaStream_t captured = stream();
    capturing_ = false;
    check(cudaStreamEndCapture(captured, &graph), "cudaStreamEndCapture");
    return std::make_shared<CudaGraph>(graph);
}

void CudaQueue::drop_capture() noexcept {
    cudaGraph_t graph = nullptr;
    capturing_ = false;
    if (cudaStreamEndCapture(stream_, &graph) == cudaSuccess && graph) cudaGraphDestroy(graph);
    cudaGetLastError();
}

void CudaQueue::submit(const char* name, detail::Task) {
    throw std::logic_error(std::string(name) + ": host work on a CUDA queue");
}

void CudaQueue::not_in_capture(const char* what) const {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(stream(), &status), "cudaStreamIsCapturing");
    if (status != cudaStreamCaptureStatusNone)
        throw std::logic_error(std::string(what) + " inside a captured step");
}

}  // namespace aureole::device::cuda
