// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>

#include "device/backend.hpp"
#include "device/cuda/device.hpp"

namespace aureole::device::cuda {

/// Most bytes of a kernel's parameters. All GPUs that Aureole supports take as many since
/// CUDA 12.1.
inline constexpr std::size_t most_parameter_bytes = CUDART_VERSION >= 12010 ? 32764 : 4096;

/// A stream. Every call reaches the driver at once.
class CudaQueue final : public detail::QueueState {
  public:
    /// Partial results of a reduction: blocks times the largest value [bytes].
    static constexpr std::size_t workspace_bytes = 256 * 256;

    CudaQueue(std::shared_ptr<CudaDevice> owner, Priority priority);
    ~CudaQueue() override;

    detail::EventHandle record(Timing timing) override;
    void wait(const detail::EventHandle& event) override;
    void synchronize() override;
    void call(void (*f)(void*), void* data) override;

    void* allocate(std::size_t bytes, Resource resource) override;
    void release(void* memory, std::size_t bytes, Resource resource) noexcept override;

    void copy(void* to, const void* from, std::size_t bytes) override;
    void copy_from_host(void* to, const void* from, std::size_t bytes) override;
    void copy_to_host(void* to, const void* from, std::size_t bytes) override;
    void fill(void* to, const void* pattern, std::size_t bytes, std::int64_t count) override;
    void exclusive_scan(View<const std::int32_t> in, View<std::int32_t> out) override;
    void sort_by_key(View<std::uint32_t> keys, View<std::int32_t> values, int key_bits) override;

    void begin_capture() override;
    std::shared_ptr<detail::GraphState> end_capture() override;
    void drop_capture() noexcept override;

    [[noreturn]] void submit(const char* name, detail::Task task) override;
    void* native() override { return stream(); }

    /// The stream, with its device made the calling thread's. Throws std::logic_error where another
    /// thread records a step from it.
    cudaStream_t stream() const {
        if (capturing_.load(std::memory_order_relaxed)) refuse_others();
        device_.use();
        return stream_;
    }
    /// Memory for one reduction at a time, `workspace_bytes` long.
    void* workspace() const { return workspace_; }

  private:
    void refuse_others() const;
    /// Throws std::logic_error inside a capture.
    void not_in_capture(const char* what) const;

    CudaDevice& device_;
    cudaStream_t stream_ = nullptr;
    void* workspace_ = nullptr;
    std::atomic<bool> capturing_{false};
    std::thread::id recorder_;  ///< the thread that captures
};

}  // namespace aureole::device::cuda
