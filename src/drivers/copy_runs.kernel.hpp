// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/macros.hpp"

namespace aureole::drivers {

/// A run of bytes of an element: where it begins in the element, and in the element's bytes one
/// after the other. It ends where the next one begins there.
struct Run {
    std::int64_t offset = 0, dense = 0;
};

/// Bytes of elements that are lists of runs, to be copied between the places of the elements and
/// memory where they lie one after the other (`dense`), or at the same distances (`is_mirrored`).
/// The parameter of the kernel `aureole_copy_runs`, so its layout is part of the compiled code.
struct RunCopy {
    const Run* runs = nullptr;    ///< n of one element and an end {0, size}, in device memory
    std::int64_t n = 0;           ///< runs of an element
    std::byte* spread = nullptr;  ///< where the first element has the offset 0
    std::byte* dense = nullptr;   ///< where the first byte of the first element belongs
    std::int64_t size = 0;        ///< of an element, without gaps [bytes]
    std::int64_t extent = 0;      ///< distance of elements [bytes]
    std::int64_t first = 0;       ///< the first byte that is copied, counted without gaps
    std::int64_t bytes = 0;       ///< how many are copied
    std::int32_t unit = 1;        ///< [bytes] 1, 2, 4, 8 or 16: divides all of the above
    bool is_gather = true;        ///< from `spread` to `dense`; else the other way
    bool is_mirrored = false;

    std::int64_t units() const { return bytes / unit; }
};

static_assert(sizeof(RunCopy) == 72, "as nvcc and the compiler of the library see it");

/// A unit of 16 bytes, which a device moves in one access.
struct alignas(16) SixteenBytes {
    std::uint64_t low, high;
};

/// The run of an element that has a byte, counted without gaps. `near` is tried first, and the run
/// behind it: a thread that copies bytes in turn hits one of them.
AUREOLE_FN std::int64_t run_of(const RunCopy& copy, std::int64_t byte, std::int64_t near) {
    for (int tries = 0; tries < 2 && near >= 0 && near < copy.n; ++tries, ++near)
        if (copy.runs[near].dense <= byte && byte < copy.runs[near + 1].dense) return near;
    std::int64_t low = 0, high = copy.n;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (copy.runs[middle].dense <= byte ? low : high) = middle;
    }
    return low;
}

/// Copies the units from `begin` on, at steps of `step`, below `end`.
template <class Unit>
AUREOLE_FN void copy_units(const RunCopy& copy, std::int64_t begin, std::int64_t step,
                           std::int64_t end) {
    std::int64_t run = -1;
    for (std::int64_t k = begin; k < end; k += step) {
        const std::int64_t at = copy.first + k * static_cast<std::int64_t>(sizeof(Unit));
        const std::int64_t element = at < copy.size ? 0 : at / copy.size;
        const std::int64_t byte = at - element * copy.size;
        run = run_of(copy, byte, run);
        const std::int64_t offset =
            copy.runs[run].offset + (byte - copy.runs[run].dense) + element * copy.extent;
        std::byte* const spread = copy.spread + offset;
        std::byte* const dense = copy.dense + (copy.is_mirrored ? offset : at);
        *reinterpret_cast<Unit*>(copy.is_gather ? dense : spread) =
            *reinterpret_cast<const Unit*>(copy.is_gather ? spread : dense);
    }
}

/// The same for the unit that the copy has.
AUREOLE_FN void copy_runs(const RunCopy& copy, std::int64_t begin, std::int64_t step,
                          std::int64_t end) {
    switch (copy.unit) {
        case 16:
            return copy_units<SixteenBytes>(copy, begin, step, end);
        case 8:
            return copy_units<std::uint64_t>(copy, begin, step, end);
        case 4:
            return copy_units<std::uint32_t>(copy, begin, step, end);
        case 2:
            return copy_units<std::uint16_t>(copy, begin, step, end);
        default:
            return copy_units<std::uint8_t>(copy, begin, step, end);
    }
}

}  // namespace aureole::drivers
