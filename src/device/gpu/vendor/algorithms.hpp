// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/gpu/vendor/runtime.hpp"
#include "device/view.hpp"

// Scans and sorts of the vendor's library. Without memory they say how much they need; the second
// call does the work.

namespace aureole::device::gpu {

/// Columns to sort, with as much memory for each; afterwards the first two are sorted.
struct SortedPairs {
    std::uint32_t *keys, *other_keys;
    std::int32_t *values, *other_values;
};

}  // namespace aureole::device::gpu

#if defined(AUREOLE_GPU_EMULATED)
#include "device/gpu/vendor/emulated_algorithms.hpp"
#else

#if defined(AUREOLE_GPU_HIP)
#include <rocprim/rocprim.hpp>
#else
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#endif

namespace aureole::device::gpu {

/// The scan's input with a zero behind it, so that the total comes last.
struct ZeroBehind {
    const std::int32_t* in;
    std::int64_t size;
    __host__ __device__ std::int32_t operator()(std::int64_t i) const {
        return i < size ? in[i] : 0;
    }
};

#if defined(AUREOLE_GPU_HIP)

inline Error exclusive_scan(void* memory, std::size_t& bytes, View<const std::int32_t> in,
                            View<std::int32_t> out, Stream stream) {
    const auto input = rocprim::make_transform_iterator(rocprim::counting_iterator<std::int64_t>(0),
                                                        ZeroBehind{in.data, in.size});
    return rocprim::exclusive_scan(memory, bytes, input, out.data, 0, out.size,
                                   rocprim::plus<std::int32_t>(), stream);
}

inline Error sort_pairs(void* memory, std::size_t& bytes, SortedPairs& pairs, std::size_t n,
                        int key_bits, Stream stream) {
    rocprim::double_buffer<std::uint32_t> keys(pairs.keys, pairs.other_keys);
    rocprim::double_buffer<std::int32_t> values(pairs.values, pairs.other_values);
    const Error error =
        rocprim::radix_sort_pairs(memory, bytes, keys, values, n, 0, key_bits, stream);
    pairs = {keys.current(), keys.alternate(), values.current(), values.alternate()};
    return error;
}

#else

inline Error exclusive_scan(void* memory, std::size_t& bytes, View<const std::int32_t> in,
                            View<std::int32_t> out, Stream stream) {
    const auto input = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                       ZeroBehind{in.data, in.size});
    return cub::DeviceScan::ExclusiveSum(memory, bytes, input, out.data, out.size, stream);
}

inline Error sort_pairs(void* memory, std::size_t& bytes, SortedPairs& pairs, std::size_t n,
                        int key_bits, Stream stream) {
    cub::DoubleBuffer<std::uint32_t> keys(pairs.keys, pairs.other_keys);
    cub::DoubleBuffer<std::int32_t> values(pairs.values, pairs.other_values);
    const Error error = cub::DeviceRadixSort::SortPairs(
        memory, bytes, keys, values, static_cast<std::int64_t>(n), 0, key_bits, stream);
    pairs = {keys.Current(), keys.Alternate(), values.Current(), values.Alternate()};
    return error;
}

#endif

}  // namespace aureole::device::gpu

#endif
