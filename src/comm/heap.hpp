// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace aureole::comm {

/// A range of numbers in the heap of a rank; plain data that can be sent to other ranks.
template <class T>
struct Span {
    std::int32_t rank = -1;
    std::int64_t offset = 0, n = 0;  ///< [bytes], [numbers]
};

/// Memory of one rank that the ranks of its node reach by loads and stores. Its addresses are
/// reserved once; pages are taken as they are touched, so that it grows in place and never moves.
/// Nothing is ever freed.
class Heap {
  public:
    static constexpr std::size_t alignment = 128;

    /// A heap for ranks that are threads of one process.
    static Heap of_threads(int rank, std::size_t bytes);
    /// A new one, behind a descriptor that other processes can map.
    static Heap shared(int rank, std::size_t bytes);
    /// Maps the heap of another process; closes the descriptor.
    static Heap mapped(int rank, int descriptor);

    Heap(Heap&& other) noexcept;
    Heap& operator=(Heap&&) = delete;
    ~Heap();

    int rank() const { return rank_; }
    std::size_t capacity() const { return capacity_; }
    /// -1 without one.
    int descriptor() const { return descriptor_; }

    /// Reserves zeroed room for n numbers. Throws core::RankError if the
    /// heap is full. Only the heap's owner may call it.
    template <class T>
    Span<T> reserve(std::int64_t n) {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignment);
        return {rank_, take(static_cast<std::int64_t>(sizeof(T)), n), n};
    }
    template <class T>
    T* at(const Span<T>& span) const {
        return reinterpret_cast<T*>(base_ + span.offset);
    }
    std::byte* base() const { return base_; }

  private:
    Heap(int rank, std::byte* base, std::size_t capacity, int descriptor)
        : rank_(rank), base_(base), capacity_(capacity), descriptor_(descriptor) {}
    std::int64_t take(std::int64_t size, std::int64_t n);

    int rank_;
    std::byte* base_;
    std::size_t capacity_;
    std::size_t used_ = 0;
    int descriptor_;
};

}  // namespace aureole::comm
