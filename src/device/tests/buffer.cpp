// SPDX-License-Identifier: Apache-2.0
#include "device/buffer.hpp"

#include <algorithm>
#include <numeric>

#include "device/tests/devices.hpp"

namespace aureole::device {
namespace {

using testing::Setup;
class Buffers : public testing::OnDevices {};

TEST_P(Buffers, EmptyOneHasNothing) {
    Buffer<double> none;
    EXPECT_EQ(none.size(), 0);
    EXPECT_EQ(none.view().data, nullptr);
    Buffer<double> zero(queue, 0);
    EXPECT_EQ(zero.generation(), 0u);
    EXPECT_TRUE(download(zero).empty());
}

TEST_P(Buffers, BringsBackWhatItWasGiven) {
    for (const Resource resource : {Resource::pool, Resource::pinned, Resource::plain}) {
        std::vector<double> values(100'003);
        std::iota(values.begin(), values.end(), 0.5);
        Buffer<double> buffer(queue, values.size(), resource);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
        copy_from_host(queue, buffer.view(), values.data());
        EXPECT_EQ(download(buffer), values);
    }
}

TEST_P(Buffers, SourceMayBeReusedAfterCopyFromHost) {
    // GPUs take small copies along with the command, and stage large ones.
    const std::int64_t large = GetParam().gpu ? 16'000'000 : 100'000;
    for (const std::int64_t n : {std::int64_t{1000}, large}) {
        std::vector<int> values(static_cast<std::size_t>(n), 1);
        Buffer<int> buffer(queue, n);
        copy_from_host(queue, buffer.view(), values.data());
        std::fill(values.begin(), values.end(), 2);
        const auto found = download(buffer);
        EXPECT_EQ(std::count(found.begin(), found.end(), 1), n);
    }
}

TEST_P(Buffers, ResizeKeepsContentsAndCountsGenerations) {
    Buffer<int> buffer = upload(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
    const auto generation = buffer.generation();
    buffer.resize(queue, 4);
    EXPECT_EQ(buffer.size(), 4);
    EXPECT_EQ(buffer.capacity(), 8);
    EXPECT_EQ(buffer.generation(), generation);
    buffer.resize(queue, 9, Keep::yes);
    EXPECT_EQ(buffer.capacity(), 10);  // a quarter more
    const auto grown = buffer.generation();
    EXPECT_NE(grown, generation);
    std::vector<int> kept = download(buffer);
    kept.resize(4);
    EXPECT_EQ(kept, (std::vector<int>{1, 2, 3, 4}));
    buffer.resize(queue, 10, Keep::yes);
    EXPECT_EQ(buffer.generation(), grown);
    buffer.resize(queue, 1000);
    EXPECT_EQ(buffer.capacity(), 1000);
}

TEST_P(Buffers, MovesAndSwaps) {
    Buffer<int> a = upload(std::vector<int>{1, 2});
    Buffer<int> b = upload(std::vector<int>{3});
    const int* address = a.data();
    const auto generation = a.generation(), other = b.generation();
    EXPECT_NE(generation, other);  // as many resizes, another address
    a.swap(b);
    EXPECT_EQ(b.data(), address);
    EXPECT_EQ(b.generation(), generation);
    Buffer<int> c = std::move(b);
    EXPECT_EQ(c.data(), address);
    EXPECT_EQ(b.size(), 0);
    EXPECT_EQ(b.generation(), 0u);
    a = std::move(c);
    EXPECT_EQ(a.generation(), generation);
    EXPECT_EQ(download(a), (std::vector<int>{1, 2}));
}

TEST_P(Buffers, MayOutliveQueueAndDevice) {
    Buffer<int> survivor;
    {
        Device local = testing::make_device(GetParam());
        Queue brief(local);
        survivor = Buffer<int>(brief, 100);
    }
    EXPECT_EQ(survivor.size(), 100);
}

TEST_P(Buffers, CopyAndFill) {
    struct Odd {
        std::int32_t a, b, c;
        bool operator==(const Odd&) const = default;
    };
    Buffer<double> from = upload(std::vector<double>(30'000, 2.5));
    Buffer<double> to(queue, 40'000);
    fill(queue, to.view(), -1);
    copy(queue, to.view(), from.view());
    const std::vector<double> values = download(to);
    EXPECT_EQ(values[29'999], 2.5);
    EXPECT_EQ(values[30'000], -1);
    EXPECT_EQ(values[39'999], -1);

    Buffer<Odd> odd(queue, 10'000);
    fill(queue, odd.view(), Odd{1, 2, 3});
    EXPECT_EQ(download(odd), std::vector<Odd>(10'000, Odd{1, 2, 3}));
    Buffer<std::uint8_t> bytes(queue, 70'000);
    fill(queue, bytes.view(), 7);
    EXPECT_EQ(download(bytes), std::vector<std::uint8_t>(70'000, 7));
    // Large enough for the threads to share.
    Buffer<double> large = upload(std::vector<double>(50'000, 1.25)), twin(queue, 50'000);
    copy(queue, twin.view(), large.view());
    EXPECT_EQ(download(twin), download(large));
}

TEST_P(Buffers, HostAccessOpensMemoryInPlace) {
    AUREOLE_HOST_ONLY();
    Buffer<int> buffer = upload(std::vector<int>{4, 5, 6});
    {
        const HostAccess access(queue);
        EXPECT_EQ(buffer.view()[1], 5);
        buffer.data()[1] = 50;
    }
    EXPECT_EQ(download(buffer), (std::vector<int>{4, 50, 6}));
}

INSTANTIATE_TEST_SUITE_P(Devices, Buffers, ::testing::ValuesIn(testing::all_setups()),
                         testing::name_of);

}  // namespace
}  // namespace aureole::device
