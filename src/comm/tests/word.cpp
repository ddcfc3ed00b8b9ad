// SPDX-License-Identifier: Apache-2.0
#include "comm/word.kernel.hpp"

#include <gtest/gtest.h>

namespace aureole::comm {
namespace {

TEST(Word, ComparesByEpochFirst) {
    for (const std::uint64_t epoch : {0ull, 1ull, 7ull, (1ull << 40) - 2}) {
        const Word now = Word::of(epoch).renewing_in(3).stopping().halting();
        const Word next = Word::of(epoch + 1).renewing_in(0);
        EXPECT_LT(now.bits, next.bits);
        EXPECT_EQ(now.epoch(), epoch);
        EXPECT_EQ(next.epoch(), epoch + 1);
    }
}

TEST(Word, CarriesItsWishes) {
    const Word plain = Word::of(5);
    EXPECT_EQ(plain.renew_in(), Word::no_renewal);
    EXPECT_FALSE(plain.stop());
    EXPECT_FALSE(plain.halt());
    for (const std::uint64_t steps : {0, 1, 2, 300, 65534}) {
        const Word w = plain.renewing_in(steps);
        EXPECT_EQ(w.renew_in(), steps);
        EXPECT_EQ(w.epoch(), 5u);
        EXPECT_FALSE(w.stop() || w.halt());
    }
    EXPECT_EQ(plain.renewing_in(1'000'000).renew_in(), Word::no_renewal);
    EXPECT_TRUE(plain.stopping().stop());
    EXPECT_FALSE(plain.stopping().halt());
    EXPECT_TRUE(plain.halting().halt());
}

TEST(Word, TakesTheEarliestRenewalAndAnyStop) {
    const Word a = Word::of(9).renewing_in(4), b = Word::of(2).renewing_in(1).stopping();
    EXPECT_EQ(a.with_requests_of(b).renew_in(), 1u);
    EXPECT_EQ(b.with_requests_of(a).renew_in(), 1u);
    EXPECT_EQ(a.with_requests_of(b).epoch(), 9u);
    EXPECT_TRUE(a.with_requests_of(b).stop());
    EXPECT_FALSE(a.with_requests_of(b).halt());
    EXPECT_EQ(a.with_requests_of(Word::of(1)), a);
}

}  // namespace
}  // namespace aureole::comm
