// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "device/gpu/launch.cuh"

// The definition of launch_batch, for .cu files, and the macro that instantiates it, and
// launch_for, at global scope: AUREOLE_DEVICE_BATCH(aureole::amr::UpdateCells)

namespace aureole::device::gpu {

/// Loops as parameters of a kernel. The functors need no default constructor.
template <class F, int capacity>
struct Loops {
    int count;
    std::uint32_t first_block[capacity];
    alignas(Loop<F>) std::byte memory[capacity * sizeof(Loop<F>)];

    AUREOLE_FN const Loop<F>& operator[](int k) const {
        return reinterpret_cast<const Loop<F>*>(memory)[k];
    }
};

/// How many loops one launch takes: up to 64, as the parameters of a kernel are limited.
template <class F>
constexpr int most_loops() {
    constexpr std::size_t room = most_parameter_bytes - 64;
    constexpr std::size_t fitting = room / (sizeof(Loop<F>) + sizeof(std::uint32_t));
    return fitting < 64 ? static_cast<int>(fitting) : 64;
}

/// The blocks of each loop are those of a launch of its own.
template <class F, int capacity>
__global__ void __launch_bounds__(block_size)
    batch_kernel(const __grid_constant__ Loops<F, capacity> loops) {
    int low = 0, high = loops.count;  // the loop of this block is in [low, high)
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (loops.first_block[middle] <= blockIdx.x)
            low = middle;
        else
            high = middle;
    }
    const Loop<F>& mine = loops[low];
    const std::int64_t i =
        std::int64_t(blockIdx.x - loops.first_block[low]) * block_size + threadIdx.x;
    if (i < mine.n) mine.f(i);
}

template <int capacity, class F>
void launch_loops(GpuQueue& queue, const char* name, std::span<const Loop<F>> loops) {
    Loops<F, capacity> all;
    static_assert(sizeof(all) <= most_parameter_bytes, "the functor is too large");
    std::int64_t items = 0, blocks = 0;
    all.count = 0;
    for (const Loop<F>& loop : loops) {
        if (loop.n <= 0) continue;
        all.first_block[all.count] = static_cast<std::uint32_t>(blocks);
        new (all.memory + all.count * sizeof(Loop<F>)) Loop<F>(loop);
        ++all.count;
        blocks += blocks_for(name, loop.n, block_size, block_size);
        items += loop.n;
    }
    if (blocks == 0) return;
    queue.count_launch(items);
    check(launch(batch_kernel<F, capacity>, name,
                 {blocks_for(name, blocks, 1, block_size), block_size}, queue.stream(), all),
          name);
}

template <class F>
void launch_batch(detail::QueueState& queue, const char* name, std::span<const Loop<F>> loops) {
    constexpr int most = most_loops<F>(), few = most < 8 ? most : 8;
    auto& gpu_queue = static_cast<GpuQueue&>(queue);
    for (; !loops.empty(); loops = loops.subspan(std::min<std::size_t>(most, loops.size()))) {
        const auto now = loops.first(std::min<std::size_t>(most, loops.size()));
        // Fewer parameters are fewer bytes to hand to the driver.
        if (now.size() == 1 && now[0].n > 0) {
            queue.count_launch(now[0].n);
            launch_for(queue, name, now[0].n, now[0].f);
        } else if (now.size() <= few) {
            launch_loops<few>(gpu_queue, name, now);
        } else {
            launch_loops<most>(gpu_queue, name, now);
        }
    }
}

}  // namespace aureole::device::gpu

#define AUREOLE_DEVICE_BATCH(...)                                    \
    AUREOLE_DEVICE_FOR(__VA_ARGS__)                                  \
    template void ::aureole::device::gpu::launch_batch<__VA_ARGS__>( \
        ::aureole::device::detail::QueueState&, const char*,         \
        std::span<const ::aureole::device::Loop<__VA_ARGS__>>);
