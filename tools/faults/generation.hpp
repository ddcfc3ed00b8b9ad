// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <random>
#include <vector>

#include "io/checkpoint.hpp"

namespace aureole::faults {

/// Contents that follow from the generation's number, so that a reader can tell whether all is
/// there.
inline std::vector<std::uint64_t> numbers(int generation) {
    std::mt19937_64 random(static_cast<std::uint64_t>(generation));
    std::vector<std::uint64_t> result(2000);
    for (auto& number : result) number = random();
    return result;
}

inline void write_generation(const std::filesystem::path& path, int generation) {
    const std::int64_t step = generation;
    const auto values = numbers(generation);
    const std::vector<io::Block> blocks = {
        {"step", &step, sizeof step}, {"values", values.data(), values.size() * sizeof values[0]}};
    io::write_checkpoint(path, blocks);
}

/// The generation that a sound checkpoint holds; -1 if its contents are not those written.
inline int generation_of(const io::Checkpoint& checkpoint) {
    std::int64_t step = -1;
    const auto bytes = checkpoint.block("step");
    if (bytes.size() != sizeof step) return -1;
    std::memcpy(&step, bytes.data(), sizeof step);
    const auto expected = numbers(static_cast<int>(step));
    const auto values = checkpoint.block("values");
    const bool same = values.size() == expected.size() * sizeof expected[0] &&
                      std::memcmp(values.data(), expected.data(), values.size()) == 0;
    return same ? static_cast<int>(step) : -1;
}

}  // namespace aureole::faults
