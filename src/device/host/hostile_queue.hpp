// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "device/host/queue.hpp"

namespace aureole::device::host {

class HostileEvent;

/// A queue for tests: a thread of its own that runs commands in order after random delays. Nothing
/// but events orders it against other queues and the caller, and device memory is open only while
/// a command runs. What goes wrong on a GPU goes wrong here.
class HostileQueue final : public HostQueue {
  public:
    /// Without delays if the seed is 0.
    HostileQueue(std::shared_ptr<HostDevice> owner, int threads, std::uint64_t seed);
    ~HostileQueue() override;

    void synchronize() override;
    void* allocate(std::size_t bytes, Resource resource) override;
    void release(void* memory, std::size_t bytes, Resource resource) noexcept override;
    void copy_from_host(void* to, const void* from, std::size_t bytes) override;
    void copy_to_host(void* to, const void* from, std::size_t bytes) override;

  private:
    struct Entry {
        std::function<void(ThreadPool&)> work;
        bool opens_memory = true;
        bool even_after_error = false;
        std::shared_ptr<HostileEvent> event = nullptr;  ///< to complete, in place of work
    };

    void enqueue(const char* name, detail::Task task) override;
    detail::EventHandle record_now(Timing timing) override;
    void wait_now(const detail::EventHandle& event) override;

    void push(Entry entry);
    void work();
    void execute(Entry& entry);
    void delay();

    std::uint64_t random_;
    std::exception_ptr error_;  ///< the worker's: of the first command that threw

    std::mutex mutex_;
    std::condition_variable filled_;
    std::vector<Entry> entries_;
    bool stop_ = false;
    std::thread worker_;
};

}  // namespace aureole::device::host
