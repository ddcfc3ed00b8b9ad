// SPDX-License-Identifier: Apache-2.0
#include "md/neighbor/local_exclusions.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "device/tests/devices.hpp"

// Exclusions of particles in any order, of which some may be elsewhere.
namespace aureole::md {
namespace {

class ExclusionsHere : public device::testing::OnDevices {};

/// Chains of five, each of whose particles excludes the next two.
Exclusions chains(std::int32_t n) {
    Exclusions all;
    all.start.push_back(0);
    for (std::int32_t t = 0; t < n; ++t) {
        for (const int by : {2, -1, 1, -2})
            if (t + by >= 0 && t + by < n && (t + by) / 5 == t / 5) all.partner.push_back(t + by);
        all.start.push_back(static_cast<std::int64_t>(all.partner.size()));
    }
    return all;
}

TEST_P(ExclusionsHere, AreThoseOfTheTagsInTheirOrder) {
    constexpr std::int32_t n = 3000;
    const auto by_tag = chains(n);
    LocalExclusions here(queue, by_tag);
    std::mt19937 random(5);
    for (const std::size_t present : {3000u, 1700u, 1u}) {
        std::vector<Tag> tags(n);
        std::iota(tags.begin(), tags.end(), Tag(0));
        std::ranges::shuffle(tags, random);
        tags.resize(present);
        const auto column = upload(tags);
        TagMap map;
        map.make(queue, column.view(), n);
        here.localise(queue, column.view(), map.indices());
        std::vector<std::int32_t> start(present + 1), partner(by_tag.partner.size());
        device::copy_to_host(queue, start.data(), {here.partners().start, column.size() + 1});
        device::copy_to_host(queue, partner.data(),
                             {here.partners().partner, static_cast<std::int64_t>(partner.size())});
        std::size_t k = 0;
        for (std::size_t i = 0; i < present; ++i) {
            ASSERT_EQ(static_cast<std::size_t>(start[i]), k);
            for (auto of = by_tag.start[tags[i]]; of < by_tag.start[tags[i] + 1]; ++of, ++k) {
                const auto other = static_cast<Tag>(by_tag.partner[of]);
                const auto found = std::ranges::find(tags, other);
                ASSERT_EQ(partner[k], found == tags.end() ? no_index : found - tags.begin());
            }
        }
        ASSERT_EQ(static_cast<std::size_t>(start[present]), k);
    }
}

TEST_P(ExclusionsHere, NoneAreNone) {
    LocalExclusions none(queue, {});
    none.localise(queue, {}, {});
    EXPECT_FALSE(none.partners().any());
}

INSTANTIATE_TEST_SUITE_P(Devices, ExclusionsHere,
                         ::testing::ValuesIn(device::testing::all_setups()),
                         device::testing::name_of);

}  // namespace
}  // namespace aureole::md
