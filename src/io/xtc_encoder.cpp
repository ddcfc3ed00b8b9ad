// SPDX-License-Identifier: Apache-2.0
#include "io/xtc_encoder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "io/xtc_format.hpp"

namespace aureole::io {
namespace {

using Wide = unsigned __int128;

constexpr std::size_t head_bytes = 96;  ///< most bytes before compressed positions
/// Bits of a particle at most: 31 for each coordinate and 6 that describe its chain.
constexpr std::size_t most_bits = 3 * 31 + 6;
constexpr int most_links = 8;          ///< particles of a chain after its first
constexpr int most_widening = 8;       ///< a frame's ranges end so many above its first
constexpr float most_steps = 0x1p31F;  ///< of positions in multiples of 1/precision
constexpr std::size_t most_narrow_bytes = 0x7FFFFFFF;
constexpr std::int64_t most_apart = 0x7FFFFFFD;  ///< least difference that GROMACS refuses

std::string text_of(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

/// Writes big-endian words, and then numbers of any bits, the highest of each byte first.
class Output {
  public:
    explicit Output(std::byte* to) : to_(to) {}

    void word(std::uint32_t value) {
        for (int shift = 24; shift >= 0; shift -= 8)
            *to_++ = static_cast<std::byte>(value >> shift);
    }
    void word(std::int32_t value) { word(static_cast<std::uint32_t>(value)); }
    void real(float value) { word(std::bit_cast<std::uint32_t>(value)); }

    /// At most 32 bits.
    void bits(std::uint64_t value, int count) {
        held_ = held_ << count | value;
        count_ += count;
        if (count_ < 32) return;
        count_ -= 32;
        word(static_cast<std::uint32_t>(held_ >> count_));
    }

    /// At most 64 bits, lowest byte first.
    void bytes(std::uint64_t value, int count) {
        const int whole = count & ~7;
        if (whole > 0) {
            const std::uint64_t turned = __builtin_bswap64(value) >> (64 - whole);
            if (whole > 32) bits(turned >> 32, whole - 32);
            bits(turned & 0xFFFFFFFF, std::min(whole, 32));
        }
        if (count > whole) bits(value >> whole, count - whole);
    }

    /// Three numbers below `sizes` that share `count` bits.
    void three(const xtc::Whole& x, const xtc::Whole& sizes, int count) {
        if (count <= 64) {
            const std::uint64_t two = std::uint64_t{x[0]} * sizes[1] + x[1];
            bytes(two * sizes[2] + x[2], count);
            return;
        }
        const Wide all = (Wide{x[0]} * sizes[1] + x[1]) * sizes[2] + x[2];
        bytes(static_cast<std::uint64_t>(all), 64);
        bytes(static_cast<std::uint64_t>(all >> 64), count - 64);
    }

    /// Fills the last byte.
    void finish() {
        const int rest = (count_ + 7) / 8;
        held_ <<= 8 * rest - count_;
        for (int k = rest - 1; k >= 0; --k) *to_++ = static_cast<std::byte>(held_ >> 8 * k);
        count_ = 0;
    }

    const std::byte* here() const { return to_; }

  private:
    std::byte* to_;
    std::uint64_t held_ = 0;
    int count_ = 0;  ///< bits of `held_` that are not written yet
};

struct Steps {
    std::int32_t x, y, z;
};

/// Difference of numbers that are less than 2^31 apart.
Steps operator-(const Steps& a, const Steps& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// Each of three numbers is less than `limit` from 0.
bool within(const Steps& d, std::int32_t limit) {
    return std::abs(d.x) < limit && std::abs(d.y) < limit && std::abs(d.z) < limit;
}

std::int64_t square(const Steps& d) {
    return std::int64_t{d.x} * d.x + std::int64_t{d.y} * d.y + std::int64_t{d.z} * d.z;
}

std::uint64_t length(std::int64_t x) { return static_cast<std::uint64_t>(x < 0 ? -x : x); }

/// Limits that hold for all particles of a frame.
struct Bounds {
    Steps least, most;
    std::uint64_t step;  ///< the shortest way along the axes from a particle to the next
};

[[noreturn]] void refuse(std::span<const double> positions, std::size_t k, float precision) {
    throw core::InputError(
        "particle " + std::to_string(k / 3 + 1) + " of the frame is at " + text_of(positions[k]) +
            " nm",
        "an .xtc file of precision " + text_of(precision) + " stores coordinates in 32 bits",
        "Check the particle, or lower the precision.");
}

/// As GROMACS rounds, which computes in single precision.
void round(std::span<const double> positions, float precision, std::int32_t* to) {
    for (std::size_t k = 0; k < positions.size(); ++k) {
        const float scaled = static_cast<float>(positions[k]) * precision;
        const double half = scaled < 0 ? -0.5 : 0.5;
        const auto moved = static_cast<float>(static_cast<double>(scaled) + half);
        if (!(std::fabs(moved) < most_steps)) refuse(positions, k, precision);
        to[k] = static_cast<std::int32_t>(moved);
    }
}

Steps steps_of(const std::int32_t* steps, std::size_t i) {
    return {steps[3 * i], steps[3 * i + 1], steps[3 * i + 2]};
}

Bounds bounds_of(const std::int32_t* steps, std::size_t n) {
    Steps before = steps_of(steps, 0);
    Bounds b{before, before, std::numeric_limits<std::uint64_t>::max()};
    for (std::size_t i = 1; i < n; ++i) {
        const Steps at = steps_of(steps, i);
        b.least = {std::min(b.least.x, at.x), std::min(b.least.y, at.y), std::min(b.least.z, at.z)};
        b.most = {std::max(b.most.x, at.x), std::max(b.most.y, at.y), std::max(b.most.z, at.z)};
        const std::uint64_t way = length(std::int64_t{at.x} - before.x) +
                                  length(std::int64_t{at.y} - before.y) +
                                  length(std::int64_t{at.z} - before.z);
        b.step = std::min(b.step, way);
        before = at;
    }
    return b;
}

/// Positions may be so far apart that a difference has no 32 bits.
void require_near(const Bounds& b, const std::int32_t* steps, std::size_t n, float precision) {
    const std::array<std::int32_t, 3> least = {b.least.x, b.least.y, b.least.z};
    const std::array<std::int32_t, 3> most = {b.most.x, b.most.y, b.most.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t apart = std::int64_t{most[axis]} - least[axis];
        if (apart < most_apart) continue;
        std::size_t low = 0, high = 0;
        while (low < n && steps[3 * low + axis] != least[axis]) ++low;
        while (high < n && steps[3 * high + axis] != most[axis]) ++high;
        throw core::InputError(
            "particles " + std::to_string(low + 1) + " and " + std::to_string(high + 1) +
                " of the frame are " + text_of(static_cast<double>(apart) / precision) +
                " nm apart",
            "an .xtc file of precision " + text_of(precision) + " stores coordinates in 32 bits",
            "Check the particles, or lower the precision.");
    }
}

/// Writer of positions in full.
class Full {
  public:
    explicit Full(const Bounds& b) : least_(b.least) {
        const Steps range = b.most - b.least;
        sizes_ = {static_cast<std::uint32_t>(range.x) + 1, static_cast<std::uint32_t>(range.y) + 1,
                  static_cast<std::uint32_t>(range.z) + 1};
        shared_ = xtc::shared_bits(sizes_);
        for (std::size_t k = 0; k < 3; ++k) bits_[k] = std::bit_width(sizes_[k]);
    }

    void put(Output& out, const Steps& at) const {
        const Steps from = at - least_;
        const xtc::Whole x = {static_cast<std::uint32_t>(from.x),
                              static_cast<std::uint32_t>(from.y),
                              static_cast<std::uint32_t>(from.z)};
        if (shared_ > 0) return out.three(x, sizes_, shared_);
        for (std::size_t k = 0; k < 3; ++k) out.bits(x[k], bits_[k]);
    }

  private:
    Steps least_;
    xtc::Whole sizes_{};
    std::array<int, 3> bits_{};
    int shared_ = 0;  ///< bits of all three; 0 where a range is too wide to share
};

/// The range of small differences. A frame begins with the first that holds its shortest step and
/// stays within eight.
class Small {
  public:
    explicit Small(std::uint64_t step) {
        const auto* found =
            std::lower_bound(&xtc::ranges[xtc::first_range], &xtc::ranges[xtc::last_range], step);
        const auto first = static_cast<int>(found - xtc::ranges.data());
        widest_ = std::min(first + most_widening, xtc::last_range);
        narrowest_ = widest_ - most_widening;
        choose(first);
    }

    int range() const { return range_; }
    std::int32_t half() const { return half_; }
    void change(int by) { choose(range_ + by); }

    /// 1 for a wider range and -1 for a narrower one, as a frame begins.
    int preferred_change() const { return range_ > narrowest_ ? -1 : 0; }
    /// Likewise, where a particle is `step` from the particle before.
    int preferred_change(const Steps& step) const {
        if (range_ < widest_ && within(step, half_of(widest_))) return 1;
        return preferred_change();
    }

    /// A narrower range would not hold this.
    bool needed_for(const Steps& d) const { return square(d) >= narrower_; }

    void put(Output& out, const Steps& d) const {
        const xtc::Whole x = {static_cast<std::uint32_t>(d.x + half_),
                              static_cast<std::uint32_t>(d.y + half_),
                              static_cast<std::uint32_t>(d.z + half_)};
        out.three(x, {size_, size_, size_}, range_);
    }

  private:
    static std::int32_t half_of(int range) {
        return static_cast<std::int32_t>(xtc::ranges[static_cast<std::size_t>(range)] / 2);
    }
    void choose(int range) {
        range_ = range;
        size_ = xtc::ranges[static_cast<std::size_t>(range)];
        half_ = half_of(range);
        const std::int64_t less = half_of(std::max(range - 1, xtc::first_range));
        narrower_ = less * less;
    }

    int range_ = 0, narrowest_ = 0, widest_ = 0;
    std::uint32_t size_ = 0;
    std::int32_t half_ = 0;
    std::int64_t narrower_ = 0;  ///< square of half the next narrower range
};

void pack(Output& out, const std::int32_t* steps, std::size_t n, const Full& full, Small small) {
    std::array<Steps, most_links> links{};
    int told = -1;  // links of the last chain that were told
    Steps last{};
    for (std::size_t i = 0; i < n;) {
        Steps at = steps_of(steps, i);
        int change = i == 0 ? small.preferred_change() : small.preferred_change(at - last);
        int count = 0;
        if (i + 1 < n) {
            const Steps next = steps_of(steps, i + 1);
            const Steps back = at - next;
            if (within(back, small.half())) {
                // The first two of a chain change places: that suits water.
                links[0] = back;
                count = 1;
                last = at;
                at = next;
            }
        }
        full.put(out, at);
        if (count == 0) {
            last = at;
            change = std::max(change, 0);
            ++i;
        } else {
            if (change < 0 && small.needed_for(links[0])) change = 0;
            for (i += 2; i < n && count < most_links; ++i) {
                const Steps next = steps_of(steps, i);
                const Steps link = next - last;
                if (!within(link, small.half())) break;
                if (change < 0 && small.needed_for(link)) change = 0;
                links[static_cast<std::size_t>(count++)] = link;
                last = next;
            }
        }
        if (count != told || change != 0) {
            out.bits(1, 1);
            out.bits(static_cast<std::uint64_t>(3 * count + change + 1), 5);
            told = count;
        } else {
            out.bits(0, 1);
        }
        for (int k = 0; k < count; ++k) small.put(out, links[static_cast<std::size_t>(k)]);
        if (change != 0) small.change(change);
    }
    out.finish();
}

void put_head(Output& out, std::uint32_t magic, std::size_t n, const XtcHead& head) {
    out.word(magic);
    out.word(static_cast<std::uint32_t>(n));
    out.word(head.step);
    out.real(head.time);
    for (const float x : head.box) out.real(x);
    out.word(static_cast<std::uint32_t>(n));
}

}  // namespace

XtcEncoder::XtcEncoder(std::size_t n, double precision)
    : n_(n), precision_(static_cast<float>(precision)) {
    if (n > xtc::most_particles)
        throw core::InputError("a frame has " + std::to_string(n) + " particles",
                               "an .xtc file can hold " + std::to_string(xtc::most_particles),
                               "Write fewer particles, or use another format.");
    if (!(precision_ > 0) || !std::isfinite(precision_) || !std::isfinite(1.0F / precision_))
        throw core::InputError("the precision of an .xtc file is " + text_of(precision),
                               "it must be a positive single-precision number",
                               "Use 1000 to round to picometres.");
    frame_ = std::make_unique_for_overwrite<std::byte[]>(head_bytes + n * most_bits / 8 + 8);
    steps_ = std::make_unique_for_overwrite<std::int32_t[]>(3 * n);
}

std::span<const std::byte> XtcEncoder::encode(const XtcHead& head,
                                              std::span<const double> positions) {
    if (positions.size() != 3 * n_)
        throw core::InputError("a frame has " + std::to_string(positions.size()) + " coordinates",
                               "its file has frames of " + std::to_string(n_) + " particles",
                               "Give three coordinates per particle.");
    round(positions, precision_, steps_.get());
    if (n_ <= xtc::most_plain) {
        Output out(frame_.get());
        put_head(out, xtc::magic, n_, head);
        for (const double x : positions) out.real(static_cast<float>(x));
        return {frame_.get(), out.here()};
    }
    const Bounds bounds = bounds_of(steps_.get(), n_);
    require_near(bounds, steps_.get(), n_, precision_);
    const Small small(bounds.step);
    bool wide = n_ > xtc::most_narrow;
    std::byte* data = frame_.get() + head_bytes - (wide ? 0 : 4);
    Output packed(data);
    pack(packed, steps_.get(), n_, Full(bounds), small);
    auto bytes = static_cast<std::size_t>(packed.here() - data);
    if (!wide && bytes > most_narrow_bytes) {
        std::memmove(data + 4, data, bytes);
        data += 4, wide = true;
    }
    Output out(frame_.get());
    put_head(out, wide ? xtc::wide_magic : xtc::magic, n_, head);
    out.real(precision_);
    for (const Steps& bound : {bounds.least, bounds.most})
        for (const std::int32_t x : {bound.x, bound.y, bound.z}) out.word(x);
    out.word(small.range());
    if (wide) out.word(static_cast<std::uint32_t>(bytes >> 32));
    out.word(static_cast<std::uint32_t>(bytes));
    for (; bytes % 4 != 0; ++bytes) data[bytes] = std::byte{0};
    return {frame_.get(), data + bytes};
}

}  // namespace aureole::io
