// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "device/config.hpp"
#include "device/threads/thread_pool.hpp"

namespace aureole::device::host {

/// Loops shorter than this are not worth waking the threads.
inline constexpr std::int64_t serial_below = 512;

template <class F>
void for_range(ThreadPool& pool, std::int64_t n, const F& f) {
    const auto loop = [&f](Range range) {
        // A copy of its own, which nothing else can change, stays in registers.
        const F g = f;
        const std::int64_t end = range.end;
#pragma GCC ivdep
        for (std::int64_t i = range.begin; i < end; ++i) g(i);
    };
    if (n < serial_below || pool.size() == 1) {
        loop({0, n});
    } else {
        pool.run([&](int rank) { loop(part_of(n, rank, pool.size(), 16)); });
    }
}

/// Four running values: independent, so that they overlap in the processor.
template <class T, class F, class Op>
T reduce_range(Range range, const T& identity, const F& f, const Op& op) {
    T a = identity, b = identity, c = identity, d = identity;
    std::int64_t i = range.begin;
    for (; i + 4 <= range.end; i += 4) {
        a = op(a, f(i));
        b = op(b, f(i + 1));
        c = op(c, f(i + 2));
        d = op(d, f(i + 3));
    }
    for (; i < range.end; ++i) a = op(a, f(i));
    return op(op(a, b), op(c, d));
}

/// The chunks depend on n alone, so the result does not depend on the number of threads.
template <class T, class F, class Op>
T reduce(ThreadPool& pool, std::int64_t n, const T& identity, const F& f, const Op& op) {
    constexpr std::int64_t most_chunks = 64, least_size = 1024;
    struct alignas(cache_line) Cell {
        T value;
    };
    const std::int64_t size = std::max(least_size, (n + most_chunks - 1) / most_chunks);
    const std::int64_t chunks = (n + size - 1) / size;
    alignas(Cell) std::byte memory[most_chunks * sizeof(Cell)];
    auto* cells = reinterpret_cast<Cell*>(memory);
    const auto work = [&](Range mine) {
        const F g = f;
        for (std::int64_t c = mine.begin; c < mine.end; ++c) {
            const Range range{c * size, std::min(n, (c + 1) * size)};
            new (&cells[c]) Cell{reduce_range(range, identity, g, op)};
        }
    };
    if (chunks <= 1 || pool.size() == 1) {
        work({0, chunks});
    } else {
        pool.run([&](int rank) { work(part_of(chunks, rank, pool.size())); });
    }
    T result = identity;
    for (std::int64_t c = 0; c < chunks; ++c) result = op(result, cells[c].value);
    return result;
}

}  // namespace aureole::device::host
