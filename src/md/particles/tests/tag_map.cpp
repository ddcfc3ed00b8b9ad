// SPDX-License-Identifier: Apache-2.0
#include "md/particles/tag_map.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_map>

#include "device/launch.hpp"
#include "device/tests/devices.hpp"

// Local indices of tags, dense and sparse, compared with a map of the standard library.
namespace aureole::md {
namespace {

class TagMaps : public device::testing::OnDevices {
  protected:
    std::mt19937_64 random{17};

    /// n different tags below `end`, in no order.
    std::vector<Tag> some_tags(std::int64_t n, Tag end) {
        std::vector<Tag> tags;
        if (n == end) {
            tags.resize(static_cast<std::size_t>(n));
            std::iota(tags.begin(), tags.end(), Tag(0));
        } else {
            std::uniform_int_distribution<Tag> any(0, end - 1);
            std::unordered_map<Tag, bool> taken;
            while (static_cast<std::int64_t>(tags.size()) < n)
                if (const auto tag = any(random); taken.emplace(tag, true).second)
                    tags.push_back(tag);
        }
        std::ranges::shuffle(tags, random);
        return tags;
    }
    std::vector<std::int32_t> look_up(const TagMap& map, const std::vector<Tag>& asked) {
        const auto from = upload(asked);
        device::Buffer<std::int32_t> to(queue, from.size());
        device::parallel_for(queue, "look up", from.size(),
                             FindIndices{from.data(), map.indices(), to.data()});
        return download(to);
    }
    void compare(TagMap& map, const std::vector<Tag>& tags, Tag end, TagMap::Form form) {
        const auto column = upload(tags);
        map.make(queue, column.view(), end, form);
        EXPECT_EQ(map.form(), form);
        EXPECT_EQ(map.size(), column.size());
        std::unordered_map<Tag, std::int32_t> want;
        for (std::size_t i = 0; i < tags.size(); ++i) want[tags[i]] = static_cast<std::int32_t>(i);
        std::vector<Tag> asked{-1, 0, 1, Tag(1) << 32, INT64_MAX};
        for (const auto tag : tags)
            for (const Tag by : {Tag(-1), Tag(0), Tag(1), Tag(1) << 32}) asked.push_back(tag + by);
        const auto got = look_up(map, asked);
        for (std::size_t k = 0; k < asked.size(); ++k) {
            const auto found = want.find(asked[k]);
            ASSERT_EQ(got[k], found == want.end() ? no_index : found->second)
                << "tag " << asked[k] << " of " << tags.size() << " below " << end;
        }
    }
};

TEST_P(TagMaps, FindIndicesAndWhatIsNotHere) {
    TagMap map;  // the same for all, as in a run: it grows and shrinks
    for (const std::int64_t n : {0, 1, 3, 1000, 20'000, 700})
        for (const Tag end : {n, n + 1, 3 * n + 2, Tag(1) << 40}) {
            const auto tags = some_tags(n, end);
            compare(map, tags, end, TagMap::Form::table);
            if (end < 100'000) compare(map, tags, end, TagMap::Form::array);
        }
}

TEST_P(TagMaps, TablesServeTagsThatFallOnOneSlot) {
    constexpr std::int64_t n = 200, slots = 512;
    std::vector<Tag> tags;
    for (Tag tag = 0; tags.size() < n; ++tag)
        if (first_slot(tag, slots) == slots - 3) tags.push_back(tag);
    TagMap map;
    compare(map, tags, Tag(1) << 40, TagMap::Form::table);
    EXPECT_EQ(map.indices().slots, slots);
}

TEST_P(TagMaps, MemoryFollowsFromWhatIsHere) {
    const auto column = upload(some_tags(1000, Tag(1) << 40));
    TagMap map;
    map.make(queue, column.view(), Tag(1) << 40);
    EXPECT_EQ(map.form(), TagMap::Form::table);
    EXPECT_LE(map.indices().slots, 4096);
    const auto dense = upload(some_tags(1000, 1000));
    map.make(queue, dense.view(), 1000);
    EXPECT_EQ(map.form(), TagMap::Form::array);
    EXPECT_EQ(map.indices().slots, 1000);
}

INSTANTIATE_TEST_SUITE_P(Devices, TagMaps, ::testing::ValuesIn(device::testing::all_setups()),
                         device::testing::name_of);

}  // namespace
}  // namespace aureole::md
