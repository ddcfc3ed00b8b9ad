// SPDX-License-Identifier: Apache-2.0
// What it costs the processor to load and store a few bytes of device memory that is mapped for it.
#include <array>
#include <cstring>
#include <vector>

#include "costs.hpp"
#include "cuda.hpp"
#include "drivers/host_mapping.hpp"
#include "figure.hpp"

namespace costs {

namespace {

constexpr std::size_t bytes = 8;

void through(const aureole::drivers::HostMapping& mapping, const Memory& memory) {
    auto* const device = reinterpret_cast<std::byte*>(memory.at());
    std::array<unsigned char, bytes> sent{}, got{};
    fill(sent.data(), bytes, 6);
    double took = time_of([&] { mapping.store(device, sent.data(), bytes); });
    copy(got.data(), memory.at(), bytes);
    tell("a store through a mapping", bytes, took, wrong_bytes(got.data(), bytes, 6));
    fill(sent.data(), bytes, 7);
    copy(memory.at(), sent.data(), bytes);
    took = time_of([&] { mapping.load(got.data(), device, bytes); });
    tell("a load through a mapping", bytes, took, wrong_bytes(got.data(), bytes, 7));
}

}  // namespace

void small_copies() {
    using aureole::drivers::Driver;
    measure("copies through a mapping", bytes, [] {
        const Memory memory(std::size_t{1} << 16);
        const auto* const address = reinterpret_cast<const void*>(memory.at());
        const auto at = Driver::look_up(address);
        const auto way = at.on_device() ? aureole::drivers::find_host_way(at) : nullptr;
        if (way == nullptr) throw Failed{"no way by which the processor reaches device memory", 0};
        const auto mapping = way->map(at, way->range(at, memory.at()));
        if (mapping == nullptr) throw Failed{"device memory cannot be mapped", 0};
        through(*mapping, memory);
    });
}

}  // namespace costs
