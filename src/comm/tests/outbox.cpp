// SPDX-License-Identifier: Apache-2.0
#include "comm/outbox.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "comm/tests/altered.hpp"

namespace aureole::comm {
namespace {

constexpr int ranks = 3;

std::vector<Parcel> parcels() {
    std::vector<Parcel> all;
    for (const int to : {2, 0, 2, 1, 2})
        all.push_back({to, bytes_of(std::vector<std::int32_t>(all.size() * 7, to))});
    return all;
}

TEST(Outbox, HoldsTheParcelsOfEachRankInTheirOrder) {
    const auto out = parcels();
    const auto outbox = outbox_of(out, ranks);
    for (int to = 0; to < ranks; ++to) {
        std::vector<Parcel> in;
        take_parcels(outbox, digest_of_table(outbox, ranks), 1, to, ranks, in);
        std::vector<Bytes> expected;
        for (const auto& parcel : out)
            if (parcel.rank == to) expected.push_back(parcel.bytes);
        ASSERT_EQ(in.size(), expected.size());
        for (std::size_t k = 0; k < in.size(); ++k) {
            EXPECT_EQ(in[k].rank, 1);
            EXPECT_EQ(in[k].bytes, expected[k]);
        }
    }
}

TEST(Outbox, IsRefusedWhereItWasAlteredOrCut) {
    const auto sound = outbox_of(parcels(), ranks);
    const auto digest = digest_of_table(sound, ranks);
    std::mt19937_64 random(5);
    for (int round = 0; round < 10'000; ++round) {
        const auto outbox = testing::altered(sound, round, random);
        int refused = 0;
        for (int to = 0; to < ranks; ++to) {
            std::vector<Parcel> in;
            try {
                take_parcels(outbox, digest, 1, to, ranks, in);
            } catch (const core::RankError& error) {
                EXPECT_NE(std::string(error.what()).find("arrived corrupted"), std::string::npos);
                ++refused;
            }
        }
        ASSERT_GT(refused, 0) << "round " << round;
    }
}

TEST(ParcelReader, ReadsWhatWasWrittenAndNoMore) {
    const Parcel parcel{4, bytes_of(std::int64_t(2), std::vector<double>{1.5, 2.5}, 'x')};
    ParcelReader reader(parcel);
    EXPECT_EQ(reader.value<std::int64_t>(), 2);
    EXPECT_EQ(reader.values<double>(2), (std::vector<double>{1.5, 2.5}));
    EXPECT_THROW(reader.value<std::int16_t>(), core::RankError);
    EXPECT_THROW(reader.values<char>(std::size_t(-1)), core::RankError);
    EXPECT_THROW(reader.rest<std::int16_t>(), core::RankError);
    EXPECT_EQ(reader.rest<char>(), std::vector<char>{'x'});
    EXPECT_TRUE(reader.left().empty());
}

}  // namespace
}  // namespace aureole::comm
