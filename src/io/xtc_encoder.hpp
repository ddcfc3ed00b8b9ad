// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace aureole::io {

/// Data before the positions of a frame of an .xtc file.
struct XtcHead {
    std::int32_t step = 0;
    float time = 0;              ///< [ps]
    std::array<float, 9> box{};  ///< rows are the box vectors [nm]
};

/// Makes frames of `n` particles as .xtc files hold them, byte by byte as GROMACS makes them. All
/// memory is allocated once: frames of one encoder share it.
class XtcEncoder {
  public:
    /// Positions are rounded to 1/precision [nm]. Throws core::InputError for a number of particles
    /// or a precision that the format does not hold.
    XtcEncoder(std::size_t n, double precision);

    /// A frame of 3 n positions [nm], which lasts until the next call. Throws core::InputError for
    /// positions that the format does not hold.
    std::span<const std::byte> encode(const XtcHead& head, std::span<const double> positions);

  private:
    std::size_t n_;
    float precision_;
    std::unique_ptr<std::byte[]> frame_;
    std::unique_ptr<std::int32_t[]> steps_;  ///< positions in multiples of 1/precision
};

}  // namespace aureole::io
