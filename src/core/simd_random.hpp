// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random.hpp"
#include "core/simd_math.hpp"

namespace aureole::core {
inline namespace HWY_NAMESPACE {

/// Standard normal vectors of four particles, component by component: those of Random::normal3(),
/// to the rounding of logarithm, sine and cosine.
struct Normals {
    Pack<double, 4> x, y, z;

    AUREOLE_FN Normals(std::uint64_t seed, Stream stream, std::uint64_t step,
                       const std::int64_t* ids) {
        alignas(64) double uniform[4][4];  // word, particle
        for (int k = 0; k < 4; ++k) {
            const auto words =
                Random(seed, stream, step, static_cast<std::uint64_t>(ids[k])).words();
            for (int w = 0; w < 4; ++w) uniform[w][k] = Random::uniform(words[w]);
        }
        using Four = Pack<double, 4>;
        const auto radius = [](const double* u) { return sqrt(Four(-2.0) * log(Four::load(u))); };
        const auto angle = [](const double* u) { return Four(Random::two_pi) * Four::load(u); };
        const Four r1 = radius(uniform[0]), a1 = angle(uniform[1]);
        x = r1 * cos(a1), y = r1 * sin(a1), z = radius(uniform[2]) * cos(angle(uniform[3]));
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace aureole::core
