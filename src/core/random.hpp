// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/random123.hpp"

#include <cstdint>

#include "core/normal.hpp"

namespace aureole::core {

/// Purpose of a random number; streams never overlap.
enum class Stream : std::uint32_t {
    velocities = 1,
    langevin = 2,
    bussi = 3,
    placement = 4,
    barostat = 5
};

/// Counter-based random numbers (Philox4x32-10; Salmon et al., SC'11): a pure function of seed,
/// stream, step and particle, so that they do not depend on order, threads or restarts. Particles
/// are told apart below 2⁴⁰ = 1.1·10¹².
class Random {
  public:
    AUREOLE_FN Random(std::uint64_t seed, Stream stream, std::uint64_t step, std::uint64_t id)
        : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
          counter_{{static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(step),
                    static_cast<std::uint32_t>(step >> 32),
                    static_cast<std::uint32_t>(stream) << 16 | static_cast<std::uint32_t>(id >> 32)
                                                                   << 24}} {}

    /// Four fresh 32-bit words.
    AUREOLE_FN r123::Philox4x32::ctr_type words() {
        const auto out = r123::Philox4x32{}(counter_, key_);
        ++counter_[3];
        return out;
    }
    /// Uniform in (0, 1), 53 bits are not needed here: 32.
    AUREOLE_FN static double uniform(std::uint32_t word) { return (word + 0.5) * 0x1p-32; }

    /// A standard normal vector.
    AUREOLE_FN Vec3d normal3() {
        const auto w = words();
        const double u[4] = {uniform(w[0]), uniform(w[1]), uniform(w[2]), uniform(w[3])};
        return normal_vector(u);
    }

    AUREOLE_FN double normal() { return normal3().x; }
    AUREOLE_FN double uniform() { return uniform(words()[0]); }

  private:
    r123::Philox4x32::key_type key_;
    r123::Philox4x32::ctr_type counter_;
};

}  // namespace aureole::core
