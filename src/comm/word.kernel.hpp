// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/macros.hpp"
#include "core/ordered.hpp"

namespace aureole::comm {

/// Progress and requests of a rank, told to another rank beside its data. Words are compared as
/// numbers, and the epoch comes first. `stop`: the run is to end after this step; `halt`: steps
/// since the last renewal are to be repeated.
///
///     [epoch 40 | renew in 16 | stop 1 | halt 1 | 6 spare]
struct Word {
    std::uint64_t bits = 0;

    static constexpr int renew_shift = 8, epoch_shift = 24;
    static constexpr std::uint64_t stop_bit = 1u << 7, halt_bit = 1u << 6;
    static constexpr std::uint64_t no_renewal = 0xFFFF;

    /// A word without requests.
    AUREOLE_FN static constexpr Word of(std::uint64_t epoch) {
        return {epoch << epoch_shift | no_renewal << renew_shift};
    }
    AUREOLE_FN constexpr std::uint64_t epoch() const { return bits >> epoch_shift; }
    /// In how many steps a renewal is requested; `no_renewal` for none.
    AUREOLE_FN constexpr std::uint64_t renew_in() const { return bits >> renew_shift & 0xFFFF; }
    AUREOLE_FN constexpr bool stop() const { return (bits & stop_bit) != 0; }
    AUREOLE_FN constexpr bool halt() const { return (bits & halt_bit) != 0; }

    AUREOLE_FN constexpr Word renewing_in(std::uint64_t steps) const {
        const std::uint64_t k = steps < no_renewal ? steps : no_renewal;
        return {(bits & ~(no_renewal << renew_shift)) | k << renew_shift};
    }
    AUREOLE_FN constexpr Word stopping() const { return {bits | stop_bit}; }
    AUREOLE_FN constexpr Word halting() const { return {bits | halt_bit}; }
    /// A word of this epoch with the requests of both: earliest renewal, any stop, any halt.
    AUREOLE_FN constexpr Word with_requests_of(const Word& other) const {
        const Word sooner = renew_in() < other.renew_in() ? *this : renewing_in(other.renew_in());
        return {sooner.bits | (other.bits & (stop_bit | halt_bit))};
    }
    AUREOLE_FN friend constexpr bool operator==(const Word&, const Word&) = default;
};

/// Makes a word visible to other ranks after all that was written before it.
AUREOLE_FN void publish(std::uint64_t* at, Word word) { core::store_release(at, word.bits); }
/// The word at `at`; all that its sender wrote before the word can be read afterwards.
AUREOLE_FN Word look(const std::uint64_t* at) { return {core::load_acquire(at)}; }

}  // namespace aureole::comm
