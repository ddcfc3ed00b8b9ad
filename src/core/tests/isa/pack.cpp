// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "core/simd_cubics.hpp"
#include "core/simd_math.hpp"
#include "core/simd_random.hpp"

// Every operation of a pack against the same operation on its numbers, one by one.
namespace aureole::core {
namespace {

template <class P>
class PackTest : public ::testing::Test {
  protected:
    using Number = typename P::value_type;
    struct alignas(64) Numbers : std::array<Number, P::size> {};

    Numbers numbers(Number lo, Number hi) {
        std::uniform_real_distribution<Number> uniform(lo, hi);
        Numbers out;
        for (auto& x : out) x = uniform(engine_);
        return out;
    }
    static Numbers lanes(const P& p) {
        Numbers out;
        p.store(out.data());
        return out;
    }

  private:
    std::mt19937 engine_{7};
};

using Packs = ::testing::Types<Pack<float, 4>, Pack<float, 8>, Pack<float, 16>, Pack<double, 4>,
                               Pack<double, 8>, Pack<double, 16>>;
TYPED_TEST_SUITE(PackTest, Packs);

TYPED_TEST(PackTest, AnglesAreThoseOfTheLibrary) {
    using T = typename TypeParam::value_type;
    double worst = 0;
    const auto check = [&](const typename TestFixture::Numbers& y,
                           const typename TestFixture::Numbers& x) {
        const auto angle = this->lanes(atan2(TypeParam::load(y.data()), TypeParam::load(x.data())));
        for (int k = 0; k < TypeParam::size; ++k) {
            const double want = std::atan2(double(y[k]), double(x[k]));
            const double unit =
                std::numeric_limits<T>::epsilon() * std::abs(want) + std::numeric_limits<T>::min();
            worst = std::max(worst, std::abs(double(angle[k]) - want) / unit);
        }
    };
    for (int repeat = 0; repeat < 2000; ++repeat) {
        const auto x = this->numbers(-1, 1);
        auto y = this->numbers(-1, 1);
        check(y, x);
        for (auto& one : y) one *= T(1e-5);  // near 0 and π
        check(y, x), check(x, y);
    }
    EXPECT_LT(worst, 4);
    typename TestFixture::Numbers zero{}, one;
    one.fill(T(-1));
    check(zero, zero), check(zero, one), check(one, zero);
    EXPECT_LT(worst, 4);
}

TYPED_TEST(PackTest, WholeNumbersAndPickedOnes) {
    using T = typename TypeParam::value_type;
    const auto a = this->numbers(-9, 9);
    const auto p = TypeParam::load(a.data());
    auto doubled = p;
    doubled += p;
    auto none = p;
    none -= p;
    auto square = p;
    square *= p;
    std::array<T, 200> table;
    for (std::size_t k = 0; k < table.size(); ++k) table[k] = T(k) / 3;
    std::array<std::int32_t, 16> index;
    for (int k = 0; k < 16; ++k) index[k] = (7 * k * k + 5) % 60;
    const auto picked = this->lanes(pick<T, TypeParam::size>(table.data(), index.data(), 3));
    const auto whole = this->lanes(rint(p));
    alignas(64) std::array<double, TypeParam::size> exact;
    for (int k = 0; k < TypeParam::size; ++k) exact[k] = a[k] / 3.0;
    const auto less = this->lanes(rounded<T>(Pack<double, TypeParam::size>::load(exact.data())));
    for (int k = 0; k < TypeParam::size; ++k) {
        EXPECT_EQ(this->lanes(doubled)[k], T(2 * a[k]));
        EXPECT_EQ(this->lanes(none)[k], T(0));
        EXPECT_EQ(this->lanes(square)[k], T(a[k] * a[k]));
        EXPECT_EQ(whole[k], std::rint(a[k]));
        EXPECT_EQ(picked[k], table[3 * index[k]]);
        EXPECT_EQ(less[k], static_cast<T>(exact[k]));
    }
}

TYPED_TEST(PackTest, ArithmeticIsThatOfTheLanes) {
    using T = typename TypeParam::value_type;
    const auto a = this->numbers(-3, 3), b = this->numbers(1, 2);
    const auto p = TypeParam::load(a.data()), q = TypeParam::load(b.data());
    const auto sum = this->lanes(p + q), difference = this->lanes(p - q);
    const auto product = this->lanes(p * q), quotient = this->lanes(p / q);
    const auto negative = this->lanes(-p), least = this->lanes(min(p, q));
    const auto most = this->lanes(max(p, q)), root = this->lanes(sqrt(q));
    for (int k = 0; k < TypeParam::size; ++k) {
        EXPECT_EQ(sum[k], T(a[k] + b[k]));
        EXPECT_EQ(difference[k], T(a[k] - b[k]));
        EXPECT_EQ(product[k], T(a[k] * b[k]));
        EXPECT_EQ(quotient[k], T(a[k] / b[k]));
        EXPECT_EQ(negative[k], -a[k]);
        EXPECT_EQ(least[k], std::min(a[k], b[k]));
        EXPECT_EQ(most[k], std::max(a[k], b[k]));
        EXPECT_EQ(root[k], std::sqrt(b[k]));
    }
}

TYPED_TEST(PackTest, FusedProductsRoundOnceOrTwice) {
    using T = typename TypeParam::value_type;
    const auto a = this->numbers(-1, 1), b = this->numbers(-1, 1), c = this->numbers(-1, 1);
    const auto pa = TypeParam::load(a.data()), pb = TypeParam::load(b.data());
    const auto pc = TypeParam::load(c.data());
    const auto plus = this->lanes(fma(pa, pb, pc)), minus = this->lanes(fnma(pa, pb, pc));
    // Without the instruction the product is rounded on its own.
    const T rounding = std::numeric_limits<T>::epsilon();
    for (int k = 0; k < TypeParam::size; ++k) {
        EXPECT_NEAR(plus[k], std::fma(a[k], b[k], c[k]), rounding);
        EXPECT_NEAR(minus[k], std::fma(-a[k], b[k], c[k]), rounding);
    }
}

TYPED_TEST(PackTest, ReciprocalsAreGoodToRounding) {
    using T = typename TypeParam::value_type;
    double worst = 0, worst_root = 0;
    for (int repeat = 0; repeat < 2000; ++repeat) {
        const auto a = this->numbers(T(1e-3), T(10));
        const auto p = TypeParam::load(a.data());
        const auto r = this->lanes(recip(p)), s = this->lanes(rsqrt(p));
        for (int k = 0; k < TypeParam::size; ++k) {
            const double x = a[k];
            worst = std::max(worst, std::abs(r[k] * x - 1));
            worst_root = std::max(worst_root, std::abs(s[k] * std::sqrt(x) - 1));
        }
    }
    // The estimate of 12 bits and one step of Newton's leave 1.5 · 2⁻²⁴ and a few roundings.
    const double rounding = std::numeric_limits<T>::epsilon();
    EXPECT_LT(worst, 2.5 * rounding);
    EXPECT_LT(worst_root, 4 * rounding);
}

TYPED_TEST(PackTest, ComparesAndSelects) {
    const auto a = this->numbers(-1, 1), b = this->numbers(-1, 1);
    const auto p = TypeParam::load(a.data()), q = TypeParam::load(b.data());
    const auto less = p < q;
    const auto one = this->lanes(select(less, p, q)), zero = this->lanes(zero_unless(less, p));
    std::uint32_t expected = 0;
    for (int k = 0; k < TypeParam::size; ++k) {
        if (a[k] < b[k]) expected |= 1u << k;
        EXPECT_EQ(one[k], a[k] < b[k] ? a[k] : b[k]);
        EXPECT_EQ(zero[k], a[k] < b[k] ? a[k] : 0);
    }
    EXPECT_EQ(bits(less), expected);
    EXPECT_EQ(any(less), expected != 0);
    EXPECT_FALSE(any(p < p));
    EXPECT_EQ(all(less), expected == (1u << TypeParam::size) - 1);
    EXPECT_TRUE(all(p < p + TypeParam(1)));
}

TYPED_TEST(PackTest, NothingIsLessThanNotANumber) {
    auto a = this->numbers(0, 1);
    a[1] = std::numeric_limits<typename TypeParam::value_type>::quiet_NaN();
    const auto within = bits(TypeParam::load(a.data()) < TypeParam(2));
    EXPECT_EQ(within, ((1u << TypeParam::size) - 1) & ~2u);
}

TYPED_TEST(PackTest, MasksComeFromBits) {
    using M = Mask<typename TypeParam::value_type, TypeParam::size>;
    const std::uint32_t all = (1u << TypeParam::size) - 1;
    for (const std::uint32_t pattern : {0u, 1u, 0x08CEu, 0x5555u, 0xFFFFu, 0x8001u}) {
        EXPECT_EQ(bits(M::from_bits(pattern & all)), pattern & all);
        EXPECT_EQ(bits(M::from_bits(pattern & all) & M::from_bits(0x0FF0u & all)),
                  pattern & 0x0FF0u & all);
    }
}

TYPED_TEST(PackTest, LoadsFromAnywhere) {
    using T = typename TypeParam::value_type;
    constexpr int n = TypeParam::size;
    alignas(64) T table[2 * n + 1];
    for (int k = 0; k <= 2 * n; ++k) table[k] = T(k);
    std::int32_t index[n];
    for (int k = 0; k < n; ++k) index[k] = (7 * k + 3) % (2 * n);
    const auto shifted = this->lanes(TypeParam::load_unaligned(table + 1));
    const auto gathered = this->lanes(TypeParam::gather(table, index));
    const auto repeated = this->lanes(TypeParam::repeat4(table));
    const auto spread = this->lanes(TypeParam::spread4(table));
    alignas(64) T out[n + 1] = {};
    TypeParam::load(table).store_unaligned(out + 1);
    for (int k = 0; k < n; ++k) {
        EXPECT_EQ(shifted[k], T(k + 1));
        EXPECT_EQ(gathered[k], T(index[k]));
        EXPECT_EQ(repeated[k], T(k % 4));
        EXPECT_EQ(spread[k], T(k / 4));
        EXPECT_EQ(out[k + 1], T(k));
    }
}

TYPED_TEST(PackTest, SumsOfIntegersAreExact) {
    using T = typename TypeParam::value_type;
    constexpr int n = TypeParam::size;
    alignas(64) T a[n];
    T total = 0, by_four[4] = {};
    for (int k = 0; k < n; ++k) a[k] = T(3 * k + 1), total += a[k], by_four[k % 4] += a[k];
    alignas(64) T fours[4];
    sum4(TypeParam::load(a)).store(fours);
    EXPECT_EQ(sum(TypeParam::load(a)), total);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(fours[k], by_four[k]);
}

TYPED_TEST(PackTest, LogarithmSineAndCosineAreThoseOfTheLibrary) {
    using T = typename TypeParam::value_type;
    const double rounding = 4 * std::numeric_limits<T>::epsilon();
    for (int repeat = 0; repeat < 500; ++repeat) {
        const auto a = this->numbers(T(1e-9), T(6.3));
        const auto p = TypeParam::load(a.data());
        const auto l = this->lanes(log(p)), s = this->lanes(sin(p)), c = this->lanes(cos(p));
        for (int k = 0; k < TypeParam::size; ++k) {
            const double x = a[k];
            EXPECT_NEAR(l[k], std::log(x), rounding * std::max(1.0, std::abs(std::log(x))));
            EXPECT_NEAR(s[k], std::sin(x), rounding);
            EXPECT_NEAR(c[k], std::cos(x), rounding);
        }
    }
}

/// Seeds, steps and particles whose words fill both halves of the counter.
template <int N>
void expect_those_of_one_particle_at_a_time() {
    const std::int64_t ids[8] = {7, 0, 123456, 0x34FFFFFFFE, 1, 0xFFFFFFFF, 0x100000000, 99};
    const std::uint64_t seed = 0x9E3779B97F4A7C15;
    for (std::uint64_t step = 0xFFFFFF00; step < 0x100000100; step += 3) {
        const Uniforms<N> uniform(seed, Stream::langevin, step, ids);
        const Normals<N> normal(seed, Stream::langevin, step, ids);
        alignas(64) double u[4][N], x[N], y[N], z[N];
        for (int w = 0; w < 4; ++w) uniform.word[w].store(u[w]);
        normal.x.store(x), normal.y.store(y), normal.z.store(z);
        for (int k = 0; k < N; ++k) {
            const auto random = [&] {
                return Random(seed, Stream::langevin, step, static_cast<std::uint64_t>(ids[k]));
            };
            const auto words = random().words();
            for (int w = 0; w < 4; ++w) EXPECT_EQ(u[w][k], Random::uniform(words[w]));
            const auto one = random().normal3();
            EXPECT_EQ(x[k], one.x);
            EXPECT_EQ(y[k], one.y);
            EXPECT_EQ(z[k], one.z);
        }
    }
}
TEST(Normals, AreThoseOfOneParticleAtATime) {
    expect_those_of_one_particle_at_a_time<4>();
    expect_those_of_one_particle_at_a_time<8>();
}

template <class P>
class ChosenTest : public ::testing::Test {};
using Integers = ::testing::Types<Pack<std::int32_t, 4>, Pack<std::int32_t, 8>>;
TYPED_TEST_SUITE(ChosenTest, Integers);

TYPED_TEST(ChosenTest, AreStoredOneAfterTheOther) {
    constexpr int n = TypeParam::size;
    alignas(64) std::int32_t lanes[n], out[2 * n];
    for (int k = 0; k < n; ++k) lanes[k] = 10 + k;
    for (std::uint32_t chosen = 0; chosen < 1u << n; ++chosen) {
        const int found = store_chosen(TypeParam::load(lanes), chosen, out);
        int expected = 0;
        for (int k = 0; k < n; ++k)
            if ((chosen >> k & 1) != 0) {
                EXPECT_EQ(out[expected], 10 + k);
                ++expected;
            }
        EXPECT_EQ(found, expected);
    }
}

/// Squares and blocks of whole numbers, whose sums are exact.
template <class T>
class SquareTest : public ::testing::Test {
  protected:
    using Square = Pack<T, 16>;
    struct alignas(64) Numbers : std::array<T, 16> {};

    static Numbers whole(int start) {
        Numbers out;
        for (int k = 0; k < 16; ++k) out[k] = T((start + 37 * k) % 101);
        return out;
    }
    static Square load(const Numbers& n) { return Square::load(n.data()); }
    static Numbers lanes(const Square& p) {
        Numbers out;
        p.store(out.data());
        return out;
    }
    const Numbers x = whole(1), y = whole(20), z = whole(55);
};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SquareTest, Numbers);

TYPED_TEST(SquareTest, SumsOverRowsAndColumnsAreBlocks) {
    const auto over_rows =
        this->lanes(sums_over_rows(this->load(this->x), this->load(this->y), this->load(this->z)));
    const auto over_columns = this->lanes(
        sums_over_columns(this->load(this->x), this->load(this->y), this->load(this->z)));
    const decltype(&this->x) squares[] = {&this->x, &this->y, &this->z};
    for (int group = 0; group < 3; ++group)
        for (int k = 0; k < 4; ++k) {
            TypeParam column = 0, row = 0;
            for (int other = 0; other < 4; ++other) {
                column += (*squares[group])[4 * other + k];
                row += (*squares[group])[4 * k + other];
            }
            EXPECT_EQ(over_rows[4 * group + k], column);
            EXPECT_EQ(over_columns[4 * group + k], row);
        }
    for (int k = 12; k < 16; ++k) {
        EXPECT_EQ(over_rows[k], 0);
        EXPECT_EQ(over_columns[k], 0);
    }
}

TYPED_TEST(SquareTest, BlocksSpreadOverRows) {
    Pack<TypeParam, 16> a, b, c;
    spread_rows(this->load(this->x), a, b, c);
    const auto rows_x = this->lanes(a), rows_y = this->lanes(b), rows_z = this->lanes(c);
    const auto block = this->lanes(block_of<TypeParam>(2, 3, 5));
    for (int k = 0; k < 16; ++k) {
        EXPECT_EQ(rows_x[k], this->x[k / 4]);
        EXPECT_EQ(rows_y[k], this->x[4 + k / 4]);
        EXPECT_EQ(rows_z[k], this->x[8 + k / 4]);
        EXPECT_EQ(block[k], TypeParam(std::array{2, 3, 5, 0}[k / 4]));
    }
}

TYPED_TEST(SquareTest, RowsInterleaveAndComeBack) {
    using Row = Pack<TypeParam, 4>;
    alignas(64) TypeParam mixed[12], back[12];
    store_interleaved(Row::load(this->x.data()), Row::load(this->x.data() + 4),
                      Row::load(this->x.data() + 8), mixed);
    Row rows[3];
    load_interleaved(mixed, rows[0], rows[1], rows[2]);
    for (int group = 0; group < 3; ++group) rows[group].store(back + 4 * group);
    for (int k = 0; k < 12; ++k) {
        EXPECT_EQ(mixed[k], this->x[4 * (k % 3) + k / 3]);
        EXPECT_EQ(back[k], this->x[k]);
    }
}

TYPED_TEST(SquareTest, DoublesRoundOnTheirWayBack) {
    alignas(64) TypeParam out[4];
    const auto wide = to_doubles(this->x.data());
    store_rounded(wide + Pack<double, 4>(1.0 / 3), out);
    for (int k = 0; k < 4; ++k)
        EXPECT_EQ(out[k], static_cast<TypeParam>(double(this->x[k]) + 1.0 / 3));
}

/// Cubics that say where they are taken, 1000 k + 10 + 2 d + 3 d² + 5 d³ in interval k.
TYPED_TEST(SquareTest, CubicsArePickedByInterval) {
    using P = Pack<TypeParam, 16>;
    if constexpr (Cubics<P>::any) {
        std::array<TypeParam, 128> of;
        for (int k = 0; k < 32; ++k) {
            of[k] = TypeParam(1000 * k + 10);
            for (int m = 1; m < 4; ++m) of[32 * m + k] = TypeParam(std::array{0, 2, 3, 5}[m]);
        }
        const Cubics<P> cubics(of.data(), TypeParam(8));
        const Cubics<Pack<TypeParam, 32>> of_two(of.data(), TypeParam(8));
        for (int first = 0; first < 250; first += 16) {
            alignas(64) TypeParam argument[32], value[16], both[32];
            for (int k = 0; k < 32; ++k)
                argument[k] = TypeParam(first + k % 16) / 64;  // x 8: eighths
            cubics(P::load(argument)).store(value);
            of_two(Pack<TypeParam, 32>::load(argument)).store(both);
            for (int k = 0; k < 16; ++k) {
                const double at = 8 * double(argument[k]), interval = std::nearbyint(at);
                const double d = at - interval;
                if (interval > 31) continue;
                EXPECT_EQ(value[k], TypeParam(1000 * interval + 10 + d * (2 + d * (3 + d * 5))));
                EXPECT_EQ(both[k], value[k]);
                EXPECT_EQ(both[16 + k], value[k]);
            }
        }
    } else {
        EXPECT_FALSE(Cubics<P>::any);
    }
}

}  // namespace
}  // namespace aureole::core
