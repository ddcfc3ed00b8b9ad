// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "device/backend.hpp"
#include "device/gpu/device.hpp"

namespace aureole::device::gpu {

/// A stream. Every call reaches the driver at once.
class GpuQueue final : public detail::QueueState {
  public:
    GpuQueue(std::shared_ptr<GpuDevice> owner, Priority priority);
    ~GpuQueue() override;

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
    Stream stream() const {
        if (capturing_.load(std::memory_order_relaxed)) refuse_others();
        device_.use();
        return stream_;
    }
    /// Memory for one reduction, scan or sort at a time: whoever asks holds `order` until the last
    /// kernel that uses it is enqueued.
    void* workspace(std::size_t bytes);
    /// Most memory of a block [bytes].
    std::size_t block_memory() const { return device_.block_memory(); }

  private:
    void refuse_others() const;
    void* plain_memory(std::size_t bytes, const char* what);
    /// Throws std::logic_error inside a capture.
    void not_in_capture(const char* what) const;

    GpuDevice& device_;
    Stream stream_ = nullptr;
    /// The last is the largest; recorded steps may use the others.
    std::vector<std::shared_ptr<void>> workspaces_;
    std::size_t workspace_bytes_ = 0;
    std::atomic<bool> capturing_{false};
    std::thread::id recorder_;  ///< the thread that captures
};

}  // namespace aureole::device::gpu
