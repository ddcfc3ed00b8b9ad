// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "device/team.hpp"

namespace aureole::device {

/// A team of up to 1,024 lanes, for functors that are called with it in place of a Team. On GPUs it
/// is a block of at least 32 lanes, with as much scratch memory as a block has (64 to 227 kB) less
/// 32 values for each type that it reduces; on hosts it is as any team. Lanes exchange values
/// through scratch memory and reductions alone. All must reach every call but rank(), size(),
/// scratch().
class WideTeam : private Team {
  public:
    using Team::rank;
    using Team::scratch;
    using Team::size;
    using Team::Team;

    AUREOLE_FN void sync() const {
#if AUREOLE_GPU_CODE
        AUREOLE_ON_GPU return core::gpu::sync_block();
#endif
#if AUREOLE_HOST_CODE
        Team::sync();
#endif
    }

    /// The sum over the lanes, on each; added as a tree, the same for every run.
    template <class T>
    AUREOLE_FN T reduce_sum(T value) const {
#if AUREOLE_GPU_CODE
        AUREOLE_ON_GPU return over_block(value, [](T a, T b) { return a + b; });
#endif
#if AUREOLE_HOST_CODE
        return Team::reduce_sum(value);
#endif
    }

    template <class T>
    AUREOLE_FN T reduce_max(T value) const {
#if AUREOLE_GPU_CODE
        AUREOLE_ON_GPU return over_block(value, [](T a, T b) { return b > a ? b : a; });
#endif
#if AUREOLE_HOST_CODE
        return Team::reduce_max(value);
#endif
    }

    AUREOLE_FN bool any(bool value) const { return reduce_max(value ? 1 : 0) != 0; }

  private:
#if AUREOLE_GPU_CODE
    static constexpr int warp = 32;

    /// Over `count` lanes side by side (a power of two), as a tree, with the same bits on each.
    template <class T, class Op>
    AUREOLE_FN T over_warp(T value, int count, Op op) const {
        for (int bits = 1; bits < count; bits *= 2) {
            const T other = by_words(
                value, [bits](unsigned word) { return core::gpu::exchange_xor(word, bits); });
            value = (rank() & bits) ? op(other, value) : op(value, other);
        }
        return value;
    }

    /// First over the lanes of each warp, then over the warps, in each of them.
    template <class T, class Op>
    AUREOLE_FN T over_block(T value, Op op) const {
        static_assert(std::is_trivially_copyable_v<T>);
        struct Values;  // of this operation alone
        T* values = reinterpret_cast<T*>(core::gpu::block_memory<Values, warp * sizeof(T)>());
        const int warps = size() / warp;
        value = over_warp(value, warp, op);
        core::gpu::sync_block();  // all have read what the last reduction left
        if (rank() % warp == 0) memcpy(&values[rank() / warp], &value, sizeof(T));
        core::gpu::sync_block();
        memcpy(&value, &values[rank() % warps], sizeof(T));
        return over_warp(value, warps, op);
    }
#endif
};

/// The kind of team that a functor's call operator takes.
template <class F>
using TeamOf = std::conditional_t<std::invocable<const F&, Team&, std::int64_t>, Team, WideTeam>;

template <class F>
concept TeamFunctor = std::invocable < const F&,
        TeamOf<F>
&, std::int64_t > ;

/// The most lanes of a functor's teams: for wide teams its `most_lanes`, which leaves it more
/// registers, or 1,024.
template <class F>
constexpr int most_lanes_of() {
    if constexpr (std::is_same_v<TeamOf<F>, Team>)
        return 32;
    else if constexpr (requires { F::most_lanes; })
        return F::most_lanes;
    else
        return 1024;
}

}  // namespace aureole::device
