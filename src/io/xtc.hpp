// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aureole::io {

/// The positions of one whole frame of an .xtc file, three numbers a particle [nm]. Frames come
/// from anywhere: whatever is in `frame`, nothing beyond it is read, and what is allocated is at
/// most 48 times as large. Throws core::FileError for a frame that no program writes.
std::vector<float> decode_xtc(std::span<const std::byte> frame);

}  // namespace aureole::io
