// SPDX-License-Identifier: Apache-2.0
// Ten thousand altered checkpoints: each is refused, and the damaged part is named.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/checkpoint.hpp"

namespace aureole::io {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<char>;
using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
}

/// A range of 1 to 4096 bytes, or of all there are.
std::pair<std::size_t, std::size_t> some_range(Random& random, const Bytes& bytes) {
    const std::size_t length = 1 + below(random, std::min<std::size_t>(bytes.size(), 4096));
    return {below(random, bytes.size() - length + 1), length};
}

auto at(Bytes& bytes, std::size_t offset) {
    return bytes.begin() + static_cast<std::ptrdiff_t>(offset);
}

void flip_bits(Random& random, Bytes& bytes) {
    for (std::size_t n = 1 + below(random, 8); n > 0; --n) {
        char& byte = bytes[below(random, bytes.size())];
        byte = static_cast<char>(byte ^ (1 << below(random, 8)));
    }
}
void change_front(Random& random, Bytes& bytes) {
    bytes[below(random, std::min<std::size_t>(bytes.size(), 256))] =
        static_cast<char>(below(random, 256));
}
void change_bytes(Random& random, Bytes& bytes) {
    const auto [offset, length] = some_range(random, bytes);
    for (std::size_t i = 0; i < length; ++i) {
        bytes[offset + i] = static_cast<char>(below(random, 256));
    }
}
void set_number(Random& random, Bytes& bytes) {
    const std::uint64_t extreme[] = {0, 1, ~0ull, ~0ull >> 1, 1ull << 32, bytes.size(), 1ull << 62};
    const std::uint64_t value = extreme[below(random, std::size(extreme))];
    const std::size_t offset = below(random, 64) * 4;
    std::copy_n(reinterpret_cast<const char*>(&value), sizeof value, at(bytes, offset));
}
void truncate(Random& random, Bytes& bytes) { bytes.resize(below(random, bytes.size())); }
void extend(Random& random, Bytes& bytes) {
    const char byte = static_cast<char>(below(random, 256));
    bytes.insert(bytes.end(), 1 + below(random, 4096), byte);
}
void repeat_range(Random& random, Bytes& bytes) {
    const auto [offset, length] = some_range(random, bytes);
    const Bytes copy(at(bytes, offset), at(bytes, offset + length));
    bytes.insert(at(bytes, offset + length), copy.begin(), copy.end());
}
void repeat_range_in_place(Random& random, Bytes& bytes) {
    const auto [offset, length] = some_range(random, bytes);
    const std::size_t to = below(random, bytes.size() - length + 1);
    const Bytes copy(at(bytes, offset), at(bytes, offset + length));
    std::ranges::copy(copy, at(bytes, to));
}
void drop_range(Random& random, Bytes& bytes) {
    const auto [offset, length] = some_range(random, bytes);
    bytes.erase(at(bytes, offset), at(bytes, offset + length));
}
void drop_range_and_pad(Random& random, Bytes& bytes) {
    const std::size_t size = bytes.size();
    drop_range(random, bytes);
    bytes.resize(size);
}
void swap_ranges(Random& random, Bytes& bytes) {
    const std::size_t length = 1 + below(random, 2048);
    const std::size_t a = below(random, bytes.size() - 2 * length);
    const std::size_t b = a + length + below(random, bytes.size() - 2 * length - a + 1);
    std::swap_ranges(at(bytes, a), at(bytes, a + length), at(bytes, b));
}
void zero_range(Random& random, Bytes& bytes) {
    const auto [offset, length] = some_range(random, bytes);
    std::fill_n(at(bytes, offset), length, '\0');
}

constexpr void (*alterations[])(Random&, Bytes&) = {
    flip_bits,    change_front,          change_bytes, set_number,         truncate,    extend,
    repeat_range, repeat_range_in_place, drop_range,   drop_range_and_pad, swap_ranges, zero_range};

Bytes contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Bytes sound_checkpoint(const fs::path& path) {
    Random random(2);
    std::vector<double> position(3000), velocity(3000);
    std::vector<std::int32_t> tag(1001);
    for (double& x : position) x = std::uniform_real_distribution<double>(-10, 10)(random);
    for (double& v : velocity) v = std::normal_distribution<double>()(random);
    for (std::size_t i = 0; i < tag.size(); ++i) tag[i] = static_cast<std::int32_t>(i);
    const std::string settings = "{\"dt\": 0.005, \"seed\": 1}";
    const std::vector<Block> blocks = {{"settings", settings.data(), settings.size()},
                                       {"position", position.data(), position.size() * 8},
                                       {"velocity", velocity.data(), velocity.size() * 8},
                                       {"tag", tag.data(), tag.size() * 4}};
    write_checkpoint(path, blocks);
    return contents(path);
}

std::string refusal(const Bytes& bytes) {
    try {
        Checkpoint::from_bytes(std::as_bytes(std::span(bytes)), "altered");
    } catch (const core::FileError& error) {
        return error.what();
    }
    return "";
}

class AlteredCheckpoints : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("aureole_altered_" + std::to_string(::getpid()));
        fs::create_directories(folder_);
        sound_ = sound_checkpoint(folder_ / "sound");
    }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path folder_;
    Bytes sound_;
};

TEST_F(AlteredCheckpoints, ten_thousand_are_all_refused_with_the_part_named) {
    ASSERT_EQ(refusal(sound_), "");
    std::map<std::string, int> parts;
    for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
        Random random(seed);
        Bytes altered;
        do {
            altered = sound_;
            alterations[seed % std::size(alterations)](random, altered);
        } while (altered == sound_);
        const std::string text = refusal(altered);
        ASSERT_NE(text, "") << "seed " << seed << " was accepted";
        std::string named;
        for (const char* part : {"(header", "(table", "(length", "(padding", "(block '"}) {
            if (text.find(part) != std::string::npos) named = part;
        }
        ASSERT_NE(named, "") << "seed " << seed << ": " << text;
        ++parts[named];
    }
    // Each guard was reached, so none of them stands in for another.
    EXPECT_EQ(parts.size(), 5u);
    for (const auto& [part, count] : parts) RecordProperty(part.substr(1), count);
}

TEST_F(AlteredCheckpoints, the_block_that_was_altered_is_the_one_named) {
    const Checkpoint checkpoint = Checkpoint::from_bytes(std::as_bytes(std::span(sound_)), "sound");
    const std::byte* start = checkpoint.block("settings").data();
    const std::size_t front =
        sound_.size() - static_cast<std::size_t>(checkpoint.block("tag").data() +
                                                 checkpoint.block("tag").size() - start);
    Random random(3);
    for (const std::string& name : checkpoint.names()) {
        const auto block = checkpoint.block(name);
        for (int trial = 0; trial < 50; ++trial) {
            Bytes altered = sound_;
            const std::size_t offset = front + static_cast<std::size_t>(block.data() - start) +
                                       below(random, block.size());
            altered[offset] = static_cast<char>(altered[offset] ^ (1 << trial % 8));
            const std::string text = refusal(altered);
            EXPECT_NE(text.find("block '" + name + "'"), std::string::npos) << text;
        }
    }
}

TEST_F(AlteredCheckpoints, altered_files_are_refused_as_altered_bytes_are) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        Bytes altered;
        do {
            altered = sound_;
            alterations[seed % std::size(alterations)](random, altered);
        } while (altered == sound_);
        const fs::path path = folder_ / "altered";
        std::ofstream(path, std::ios::binary)
            .write(altered.data(), static_cast<std::streamsize>(altered.size()));
        std::string text;
        try {
            Checkpoint checkpoint(path);
        } catch (const core::FileError& error) {
            text = error.what();
        }
        ASSERT_NE(text, "") << "seed " << seed << " was accepted";
        EXPECT_NE(text.find(path.string()), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace aureole::io
