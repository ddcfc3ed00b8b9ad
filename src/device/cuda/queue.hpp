// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "device/backend.hpp"
#include "device/cuda/device.hpp"

namespace aureole::device::cuda {

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

    /// The stream, with its device made the calling thread's.
    cudaStream_t stream() const {
        device_.use();
        return stream_;
    }
    /// Memory for one reduction at a time, `workspace_bytes` long.
    void* workspace() const { return workspace_; }

  private:
    /// Throws std::logic_error inside a capture.
    void not_in_capture(const char* what) const;

    CudaDevice& device_;
    cudaStream_t stream_ = nullptr;
    void* workspace_ = nullptr;
};

}  // namespace aureole::device::cuda
