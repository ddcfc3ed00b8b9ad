// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "device/queue.hpp"
#include "device/resource.hpp"
#include "device/view.hpp"

namespace aureole::device {

namespace detail {

/// An untyped allocation, ordered on the queue it was made on.
class Storage {
  public:
    Storage() = default;
    Storage(Queue& queue, std::size_t bytes, Resource resource);
    Storage(Storage&& other) noexcept { swap(other); }
    Storage& operator=(Storage&& other) noexcept {
        Storage(std::move(other)).swap(*this);
        return *this;
    }
    ~Storage();

    void* data() const { return data_; }
    /// Another number for each allocation of the process; 0 where there is none.
    std::uint64_t number() const { return number_; }

  private:
    void swap(Storage& other) noexcept {
        std::swap(queue_, other.queue_);
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(resource_, other.resource_);
        std::swap(number_, other.number_);
    }

    std::shared_ptr<QueueState> queue_;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    Resource resource_ = Resource::pool;
    std::uint64_t number_ = 0;
};

}  // namespace detail

/// Owns `size` elements of device memory, uninitialised, 64-byte aligned. Never copies by itself,
/// and keeps its address until its generation changes. Freed in the order of the queue that made
/// it or last enlarged it: other queues that still use it must be waited for by that one.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>, "device memory holds plain data");

  public:
    Buffer() = default;
    Buffer(Queue& queue, std::int64_t n, Resource resource = Resource::pool)
        : storage_(queue, bytes(n), resource), size_(n), capacity_(n), resource_(resource) {}
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        Buffer(std::move(other)).swap(*this);
        return *this;
    }

    View<T> view() { return {data(), size_}; }
    View<const T> view() const { return {data(), size_}; }
    T* data() { return static_cast<T*>(storage_.data()); }
    const T* data() const { return static_cast<const T*>(storage_.data()); }
    std::int64_t size() const { return size_; }
    std::int64_t capacity() const { return capacity_; }
    Resource resource() const { return resource_; }
    /// Changes whenever the address may have changed, by moves and swaps too; 0 without memory.
    std::uint64_t generation() const { return storage_.number(); }

    /// Grows the capacity by at least a quarter where `n` exceeds it; never shrinks it.
    void resize(Queue& queue, std::int64_t n, Keep keep = Keep::no) {
        if (n > capacity_) reallocate(queue, std::max(n, capacity_ + capacity_ / 4), keep);
        size_ = n;
    }

    void swap(Buffer& other) noexcept {
        std::swap(storage_, other.storage_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        std::swap(resource_, other.resource_);
    }

  private:
    static std::size_t bytes(std::int64_t n) { return static_cast<std::size_t>(n) * sizeof(T); }

    void reallocate(Queue& queue, std::int64_t capacity, Keep keep) {
        detail::Storage larger(queue, bytes(capacity), resource_);
        if (keep == Keep::yes && size_ > 0) {
            queue.state().count_copy(bytes(size_));
            queue.state().copy(larger.data(), storage_.data(), bytes(size_));
        }
        storage_ = std::move(larger);
        capacity_ = capacity;
    }

    detail::Storage storage_;
    std::int64_t size_ = 0, capacity_ = 0;
    Resource resource_ = Resource::pool;
};

}  // namespace aureole::device
