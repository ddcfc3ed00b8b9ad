// SPDX-License-Identifier: Apache-2.0
// libFuzzer target of the encoder of .xtc frames: what it makes is read as what was given, or a
// position was refused. The first bytes choose the scale of the others.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "io/xtc.hpp"
#include "io/xtc_encoder.hpp"

namespace {

constexpr float limit = 0x1p31F;

/// What a reader is to find: the nearest step, in single precision throughout.
float rounded(double x, float precision) {
    const float scaled = static_cast<float>(x) * precision;
    const auto moved = static_cast<float>(double{scaled} + (scaled < 0 ? -0.5 : 0.5));
    return static_cast<float>(static_cast<std::int32_t>(moved)) * (1.0F / precision);
}

/// Positions that step by `size` bytes each from one to the next, or begin anew.
std::vector<double> positions_of(std::span<const std::uint8_t> data, std::size_t size,
                                 double step) {
    std::vector<double> out;
    double at[3] = {};
    for (std::size_t k = 0; (k + 3) * size <= data.size(); k += 3) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::int64_t number = 0;
            std::memcpy(&number, data.data() + (k + axis) * size, size);
            const int unused = 64 - 8 * static_cast<int>(size);
            const double by = static_cast<double>(number << unused >> unused) * step;
            at[axis] = number % 7 == 0 ? by : at[axis] + by;
            out.push_back(at[axis]);
        }
    }
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    const double precision = std::ldexp(1.0 + data[1] / 256.0, data[0] % 40 - 10);
    const double step = std::ldexp(1.0, data[2] % 32 - 16);
    const auto x = positions_of({data + 3, size - 3}, 1 + data[2] / 32, step);
    const std::size_t n = x.size() / 3;
    try {
        aureole::io::XtcEncoder encoder(n, precision);
        const auto found = aureole::io::decode_xtc(encoder.encode({}, x));
        if (found.size() != x.size()) std::abort();
        for (std::size_t i = 0; i < x.size(); ++i) {
            const float wanted =
                n <= 9 ? static_cast<float>(x[i]) : rounded(x[i], static_cast<float>(precision));
            if (found[i] != wanted) std::abort();
        }
    } catch (const aureole::core::InputError&) {
        bool far = false;
        for (const double a : x) far = far || std::fabs(a) * precision >= 0.49F * limit;
        if (!far) std::abort();
    }
    return 0;
}
