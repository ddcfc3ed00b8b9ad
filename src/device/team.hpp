// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/gpu/lanes.hpp"
#include "core/macros.hpp"
#include "device/host/team_shared.hpp"

namespace aureole::device {

/// How many bits are set.
AUREOLE_FN int count_bits(unsigned bits) {
#if AUREOLE_FOR_GPU
    return __popc(bits);
#else
    return __builtin_popcount(bits);
#endif
}

/// How many teams, of how many lanes (a power of two, up to 32 or for a WideTeam to 1,024; a
/// backend may use fewer), with how much scratch memory each.
struct TeamPolicy {
    std::int64_t teams = 0;
    int size = 1;
    std::int64_t scratch_bytes = 0;
};

/// The lanes that work on one item together. Kernels stride their loops by size() from rank(), and
/// so are right for every team size. All lanes must reach every call but rank(), size(), scratch().
class Team {
  public:
    AUREOLE_FN Team(int rank, int size, void* scratch, host::TeamShared* shared = nullptr)
        : rank_(rank), size_(size), scratch_(scratch), shared_(shared) {}

    AUREOLE_FN int rank() const { return rank_; }
    AUREOLE_FN int size() const { return size_; }

    /// The team's own scratch memory, uninitialised, aligned for any T.
    template <class T>
    AUREOLE_FN T* scratch() const {
        return static_cast<T*>(scratch_);
    }

    /// Waits for all lanes: what any lane wrote before, all may read afterwards.
    AUREOLE_FN void sync() const {
#if AUREOLE_GPU_CODE
        AUREOLE_ON_GPU return core::gpu::sync_team(size_);
#endif
#if AUREOLE_HOST_CODE
        if (size_ > 1) shared_->barrier();
#endif
    }

    /// The value of another lane.
    template <class T>
    AUREOLE_FN T shuffle(T value, int lane) const {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= host::TeamShared::slot_bytes);
#if AUREOLE_GPU_CODE
        AUREOLE_ON_GPU return by_words(
            value, [&](unsigned word) { return core::gpu::exchange(word, lane, size_); });
#endif
#if AUREOLE_HOST_CODE
        if (size_ == 1) return value;
        std::memcpy(shared_->slot(rank_), &value, sizeof(T));
        shared_->barrier();
        std::memcpy(&value, shared_->slot(lane), sizeof(T));
        shared_->barrier();
        return value;
#endif
    }

    template <class T>
    AUREOLE_FN T shuffle_xor(T value, int bits) const {
        return shuffle(value, rank_ ^ bits);
    }

    /// As shuffle_xor(), for teams of 32 lanes on GPUs: takes fewer instructions.
    template <class T>
    AUREOLE_FN T shuffle_xor_of_32(T value, int bits) const {
#if AUREOLE_GPU_CODE
        AUREOLE_ON_GPU return by_words(
            value, [&](unsigned word) { return core::gpu::exchange_xor(word, bits); });
#endif
#if AUREOLE_HOST_CODE
        return shuffle_xor(value, bits);
#endif
    }

    /// The sum over the lanes, on each; added as a tree, the same for every run and backend.
    template <class T>
    AUREOLE_FN T reduce_sum(T value) const {
        for (int bits = 1; bits < size_; bits *= 2) {
            const T other = shuffle_xor(value, bits);
            // Lower lanes first on both sides, so that all lanes get the same bits.
            value = (rank_ & bits) ? other + value : value + other;
        }
        return value;
    }

    template <class T>
    AUREOLE_FN T reduce_max(T value) const {
        for (int bits = 1; bits < size_; bits *= 2) {
            const T other = shuffle_xor(value, bits);
            value = other > value ? other : value;
        }
        return value;
    }

    /// The sum over the lanes below this one.
    template <class T>
    AUREOLE_FN T exclusive_scan_sum(T value) const {
        T sum = value;
        for (int step = 1; step < size_; step *= 2) {
            const T below = shuffle(sum, rank_ >= step ? rank_ - step : rank_);
            if (rank_ >= step) sum = below + sum;
        }
        const T previous = shuffle(sum, rank_ > 0 ? rank_ - 1 : 0);
        return rank_ > 0 ? previous : T{};
    }

    AUREOLE_FN bool any(bool value) const { return reduce_max(value ? 1 : 0) != 0; }

    /// The lanes that say yes: bit k is lane k's.
    AUREOLE_FN unsigned vote(bool yes) const {
#if AUREOLE_GPU_CODE
        const auto own_lanes = [&](core::gpu::Votes votes) {
            const unsigned first = core::gpu::lane() & ~(static_cast<unsigned>(size_) - 1u);
            return static_cast<unsigned>(votes >> first) & (0xffffffffu >> (32 - size_));
        };
        AUREOLE_ON_GPU return own_lanes(core::gpu::votes(yes, size_));
#endif
#if AUREOLE_HOST_CODE
        return reduce_sum(yes ? 1u << rank_ : 0u);
#endif
    }

  private:
    friend class WideTeam;

    template <class T, class Exchange>
    AUREOLE_FN static T by_words(const T& value, Exchange exchange) {
        constexpr int words = (sizeof(T) + 3) / 4;
        unsigned raw[words] = {};
        memcpy(raw, &value, sizeof(T));
        for (int w = 0; w < words; ++w) raw[w] = exchange(raw[w]);
        T result = value;
        memcpy(&result, raw, sizeof(T));
        return result;
    }

    int rank_, size_;
    void* scratch_;
    [[maybe_unused]] host::TeamShared* shared_;
};

}  // namespace aureole::device
