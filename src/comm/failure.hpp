// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>

namespace aureole::comm {

/// An error as ranks tell it to each other: plain data, so that every rank throws the same.
struct Failure {
    enum class Kind : std::uint32_t { rank, input, file, device, blow_up };

    static constexpr std::size_t text_bytes = 3072, force_bytes = 128;

    Kind kind;
    // Of a blow-up, see core::BlowUp.
    std::int64_t step, tag, partner;
    double value;
    char force[force_bytes];
    char text[text_bytes];

    /// Fills all from an exception; longer texts are cut.
    void describe(const std::exception& error);
    /// Throws the error again: with its class if it is one of core's, otherwise as core::RankError.
    [[noreturn]] void raise() const;
};

}  // namespace aureole::comm
