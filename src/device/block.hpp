// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/gpu/lanes.hpp"
#include "core/macros.hpp"
#include "device/host/block_shared.hpp"

namespace aureole::device {

/// Blocks in rows, for kernels whose blocks wait for each other. A block waits for blocks of
/// earlier rows only: then all end, though blocks may have to begin one after the other, row by
/// row.
struct BlockGrid {
    int rows = 0;
    int chunks = 1;  ///< blocks of a row, which divide its work; a backend may use fewer
};

/// The lanes of one block of a grid. They stride their loops by stride() from first(), and all
/// reach every call of sync() and first_says().
class Block {
  public:
    AUREOLE_FN Block(int row, int chunk, int chunks, int lane, int lanes,
                     host::BlockShared* shared = nullptr)
        : row_(row), chunk_(chunk), chunks_(chunks), lane_(lane), lanes_(lanes), shared_(shared) {}

    AUREOLE_FN int row() const { return row_; }
    AUREOLE_FN int chunks() const { return chunks_; }
    /// The lane that waits, counts and publishes for all.
    AUREOLE_FN bool is_first() const { return lane_ == 0; }
    /// The first item of this lane, and the distance to its next, in the work of a row.
    AUREOLE_FN std::int64_t first() const { return std::int64_t{chunk_} * lanes_ + lane_; }
    AUREOLE_FN std::int64_t stride() const { return std::int64_t{chunks_} * lanes_; }

    /// Waits for all lanes: what any lane wrote or acquired before, all may read afterwards, and
    /// one may publish for all.
    AUREOLE_FN void sync() const {
#if AUREOLE_GPU_CODE
        AUREOLE_ON_GPU return core::gpu::publish_block();
#endif
#if AUREOLE_HOST_CODE
        shared_->sync(lane_);
#endif
    }
    /// The value of the first lane, on all lanes, which may read afterwards what any wrote before.
    AUREOLE_FN bool first_says(bool value) const {
#if AUREOLE_GPU_CODE
        AUREOLE_ON_GPU return core::gpu::any_of_block(lane_ == 0 && value);
#endif
#if AUREOLE_HOST_CODE
        return shared_->first_says(lane_, value);
#endif
    }
    /// Lets time pass after so many looks at what another block or rank is to write.
    AUREOLE_FN void pause(std::int64_t looks) const {
#if AUREOLE_GPU_CODE
        if (looks > 64)
            AUREOLE_ON_GPU return core::gpu::pause(looks < 4096    ? 40
                                                   : looks < 65536 ? 500
                                                                   : 20'000);
#endif
#if AUREOLE_HOST_CODE
        if (shared_ != nullptr) shared_->pause(lane_, looks);
#endif
    }
    /// Where a hostile run may stop a lane for a while.
    AUREOLE_FN void delay() const {
#if AUREOLE_HOST_CODE
        if (shared_ != nullptr) shared_->delay(lane_);
#endif
    }

  private:
    int row_, chunk_, chunks_, lane_, lanes_;
    [[maybe_unused]] host::BlockShared* shared_;
};

}  // namespace aureole::device
