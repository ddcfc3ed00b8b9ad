// SPDX-License-Identifier: Apache-2.0
#include "io/xtc.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "core/error.hpp"
#include "io/xtc_format.hpp"

namespace aureole::io {
namespace {

using xtc::Whole;

[[noreturn]] void refuse(const std::string& why) {
    throw core::FileError("a frame of an .xtc file is damaged", why,
                          "Use an undamaged copy of the file.");
}

Whole operator+(const Whole& a, const Whole& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

/// Big-endian words off the front of a frame.
class Words {
  public:
    explicit Words(std::span<const std::byte> bytes) : rest_(bytes) {}

    std::uint32_t word() {
        if (rest_.size() < 4) refuse("it ends too early");
        std::uint32_t value = 0;
        for (int k = 0; k < 4; ++k) value = value << 8 | std::to_integer<std::uint32_t>(rest_[k]);
        rest_ = rest_.subspan(4);
        return value;
    }
    Whole three() { return {word(), word(), word()}; }
    float real() { return std::bit_cast<float>(word()); }
    std::span<const std::byte> rest() const { return rest_; }

  private:
    std::span<const std::byte> rest_;
};

/// Bits, the highest of each byte first.
class Bits {
  public:
    explicit Bits(std::span<const std::byte> bytes) : bytes_(bytes), left_(8 * bytes.size()) {}

    std::uint32_t take(int count) {
        if (static_cast<std::size_t>(count) > left_) refuse("its positions end too early");
        left_ -= static_cast<std::size_t>(count);
        std::uint32_t value = 0;
        while (count > 0) {
            const int here = std::min(count, 8 - used_);
            const auto byte = std::to_integer<std::uint32_t>(bytes_[at_]);
            const std::uint32_t piece = byte >> (8 - used_ - here) & ((1U << here) - 1);
            value = value << here | piece;
            count -= here, used_ += here;
            if (used_ == 8) used_ = 0, ++at_;
        }
        return value;
    }

    /// Three numbers below `sizes` that share `count` bits, lowest byte first.
    Whole three(int count, const Whole& sizes) {
        unsigned __int128 all = 0;
        for (int shift = 0; count > 0; shift += 8, count -= 8)
            all |= static_cast<unsigned __int128>(take(std::min(count, 8))) << shift;
        const auto z = static_cast<std::uint32_t>(all % sizes[2]);
        all /= sizes[2];
        const auto y = static_cast<std::uint32_t>(all % sizes[1]);
        return {static_cast<std::uint32_t>(all / sizes[1]), y, z};
    }

  private:
    std::span<const std::byte> bytes_;
    std::size_t left_, at_ = 0;
    int used_ = 0;  ///< bits of the byte `at_`
};

/// Format of positions in full.
class Full {
  public:
    Full(const Whole& least, const Whole& most) : least_(least) {
        for (int k = 0; k < 3; ++k) {
            sizes_[k] = most[k] - least[k] + 1;
            if (static_cast<std::int32_t>(most[k]) < static_cast<std::int32_t>(least[k]) ||
                sizes_[k] == 0)
                refuse("its largest coordinate is below its smallest");
            bits_[k] = std::bit_width(sizes_[k]);
        }
        shared_ = xtc::shared_bits(sizes_);
    }

    Whole take(Bits& bits) const {
        if (shared_ > 0) return bits.three(shared_, sizes_) + least_;
        return Whole{bits.take(bits_[0]), bits.take(bits_[1]), bits.take(bits_[2])} + least_;
    }

  private:
    Whole least_, sizes_{};
    std::array<int, 3> bits_{};
    int shared_ = 0;  ///< bits of all three; 0 where a range is too wide to share
};

/// The range of small differences, which changes from chain to chain.
class Small {
  public:
    explicit Small(std::uint32_t range) : range_(static_cast<int>(range)) {
        if (range < xtc::first_range || range > xtc::last_range)
            refuse("a coordinate range is invalid");
    }
    Whole take(Bits& bits) const {
        const std::uint32_t size = xtc::ranges[static_cast<std::size_t>(range_)];
        const std::uint32_t back = 0U - size / 2;
        return bits.three(range_, {size, size, size}) + Whole{back, back, back};
    }
    void change(int by) { *this = Small(static_cast<std::uint32_t>(range_ + by)); }

  private:
    int range_;
};

class Positions {
  public:
    Positions(std::size_t n, float precision) : n_(n), step_(1.0F / precision) {
        values_.reserve(3 * n);
    }
    void add(const Whole& at) {
        if (full()) refuse("a run of particles is longer than the frame");
        for (const std::uint32_t x : at)
            values_.push_back(static_cast<float>(static_cast<std::int32_t>(x)) * step_);
    }
    bool full() const { return values_.size() >= 3 * n_; }
    std::vector<float> take() { return std::move(values_); }

  private:
    std::size_t n_;
    float step_;
    std::vector<float> values_;
};

std::vector<float> unpack(Bits bits, const Full& full, Small small, Positions positions) {
    int chain = 0;  // numbers of small differences, which stays as it is until it is told anew
    while (!positions.full()) {
        Whole at = full.take(bits);
        int change = 0;
        if (bits.take(1) != 0) {
            const int told = static_cast<int>(bits.take(5));
            change = told % 3 - 1;
            chain = told - told % 3;
        }
        if (chain == 0) positions.add(at);
        for (int k = 0; k < chain; k += 3) {
            const Whole next = small.take(bits) + at;
            positions.add(next);
            // The first two of a chain have changed places: that suits water.
            if (k == 0) positions.add(at);
            at = next;
        }
        if (change != 0) small.change(change);
    }
    return positions.take();
}

}  // namespace

std::vector<float> decode_xtc(std::span<const std::byte> frame) {
    Words words(frame);
    const std::uint32_t magic = words.word(), n = words.word();
    for (int k = 0; k < 11; ++k) words.word();  // step, time, box
    if (words.word() != n) refuse("its two particle counts differ");
    if (n > xtc::most_particles) refuse("its particle count is negative");
    if (n <= xtc::most_plain) {
        std::vector<float> values(3 * static_cast<std::size_t>(n));
        for (float& x : values) x = words.real();
        return values;
    }
    const float precision = words.real();
    if (!(precision > 0) || !std::isfinite(1.0F / precision)) refuse("its precision is invalid");
    const Whole least = words.three(), most = words.three();
    const std::uint32_t range = words.word();
    std::uint64_t bytes = words.word();
    if (magic == xtc::wide_magic) bytes = bytes << 32 | words.word();
    const auto data = words.rest();
    if (bytes > data.size()) refuse("it ends too early");
    if (n / 4 > bytes) refuse("it is too short for its particle count");
    return unpack(Bits(data.first(static_cast<std::size_t>(bytes))), Full(least, most),
                  Small(range), Positions(n, precision));
}

}  // namespace aureole::io
