// SPDX-License-Identifier: Apache-2.0
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "device/cuda/check.hpp"
#include "device/cuda/queue.hpp"

namespace aureole::device::cuda {

namespace {

/// Memory of the stream's pool for the life of one call; legal in captures too.
class Temporary {
  public:
    Temporary(cudaStream_t stream, std::size_t bytes) : stream_(stream) {
        check(cudaMallocAsync(&data_, std::max<std::size_t>(bytes, 1), stream), "temporary memory");
    }
    ~Temporary() { cudaFreeAsync(data_, stream_); }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    void* data() const { return data_; }

  private:
    cudaStream_t stream_;
    void* data_ = nullptr;
};

/// Calls a CUB algorithm twice: for the size of its temporary memory, then for the work.
template <class F>
void with_temporary(cudaStream_t stream, const char* name, const F& algorithm) {
    std::size_t bytes = 0;
    check(algorithm(nullptr, bytes), name);
    const Temporary temporary(stream, bytes);
    check(algorithm(temporary.data(), bytes), name);
}

constexpr int pattern_words = 64;
struct Pattern {
    std::uint32_t words[pattern_words];
};

__global__ void fill_words(std::uint32_t* to, Pattern pattern, int words, std::int64_t n) {
    const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) to[i] = pattern.words[i % words];
}

__global__ void fill_bytes(std::uint8_t* to, Pattern pattern, int bytes, std::int64_t n) {
    const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) to[i] = reinterpret_cast<const std::uint8_t*>(pattern.words)[i % bytes];
}

unsigned blocks_for(std::int64_t n) { return static_cast<unsigned>((n + 255) / 256); }

/// The scan's input with a zero behind it, so that the total comes last.
struct ZeroBehind {
    const std::int32_t* in;
    std::int64_t size;
    __host__ __device__ std::int32_t operator()(std::int64_t i) const {
        return i < size ? in[i] : 0;
    }
};

}  // namespace

void CudaQueue::fill(void* to, const void* pattern, std::size_t bytes, std::int64_t count) {
    if (bytes > sizeof(Pattern)) throw std::logic_error("fill() takes values of at most 256 bytes");
    Pattern value{};
    std::memcpy(&value, pattern, bytes);
    const auto* first = static_cast<const std::uint8_t*>(pattern);
    if (std::all_of(first, first + bytes, [&](std::uint8_t b) { return b == *first; })) {
        check(cudaMemsetAsync(to, *first, bytes * count, stream()), "fill");
    } else if (bytes % 4 == 0 && reinterpret_cast<std::uintptr_t>(to) % 4 == 0) {
        const std::int64_t n = static_cast<std::int64_t>(bytes / 4) * count;
        fill_words<<<blocks_for(n), 256, 0, stream()>>>(static_cast<std::uint32_t*>(to), value,
                                                        static_cast<int>(bytes / 4), n);
        check(cudaGetLastError(), "fill");
    } else {
        const std::int64_t n = static_cast<std::int64_t>(bytes) * count;
        fill_bytes<<<blocks_for(n), 256, 0, stream()>>>(static_cast<std::uint8_t*>(to), value,
                                                        static_cast<int>(bytes), n);
        check(cudaGetLastError(), "fill");
    }
}

void CudaQueue::exclusive_scan(View<const std::int32_t> in, View<std::int32_t> out) {
    const auto input = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                       ZeroBehind{in.data, in.size});
    with_temporary(stream(), "exclusive_scan", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(memory, bytes, input, out.data, out.size, stream_);
    });
}

void CudaQueue::sort_by_key(View<std::uint32_t> keys, View<std::int32_t> values, int key_bits) {
    const Temporary other_keys(stream(), keys.size * sizeof(std::uint32_t));
    const Temporary other_values(stream_, values.size * sizeof(std::int32_t));
    cub::DoubleBuffer<std::uint32_t> k(keys.data, static_cast<std::uint32_t*>(other_keys.data()));
    cub::DoubleBuffer<std::int32_t> v(values.data, static_cast<std::int32_t*>(other_values.data()));
    with_temporary(stream_, "sort_by_key", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, k, v, keys.size, 0, key_bits,
                                               stream_);
    });
    if (k.Current() != keys.data) copy(keys.data, k.Current(), keys.size * sizeof(std::uint32_t));
    if (v.Current() != values.data)
        copy(values.data, v.Current(), values.size * sizeof(std::int32_t));
}

}  // namespace aureole::device::cuda
