// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "core/error.hpp"
#include "drivers/host_mapping.hpp"
#include "drivers/host_reach.hpp"

namespace aureole::drivers {

namespace {

constexpr std::size_t room = std::size_t{128} << 10;

/// Memory of the device of `at`, of ours, until the end.
class Own {
  public:
    explicit Own(const Allocation& at)
        : at_(at), memory_(static_cast<std::byte*>(at.driver->allocate(room, at))) {}
    Own(const Own&) = delete;
    Own& operator=(const Own&) = delete;
    ~Own() { at_.driver->release(memory_, at_); }
    std::byte* data() const { return memory_; }

  private:
    Allocation at_;
    std::byte* memory_;
};

std::vector<std::byte> pattern(unsigned seed, std::size_t bytes) {
    std::vector<std::byte> made(bytes);
    for (std::byte& each : made)
        each = static_cast<std::byte>((seed = seed * 1664525u + 1013904223u) >> 24);
    return made;
}

void copy(void* to, const void* from, std::size_t bytes, const Allocation& at) {
    at.driver->copy(to, from, bytes, at);
    at.driver->finish(at);
}

/// Both directions, twice at the same addresses: a cache on the way would show the first bytes.
bool agrees(const HostMapping& mapping, std::byte* memory, const Allocation& at) {
    struct Part {
        std::size_t begin, bytes;
    };
    constexpr std::array<Part, 3> parts{{{0, 8}, {4099, 301}, {65531, 8192}}};
    for (unsigned round = 0; round < 2; ++round)
        for (const auto& [begin, bytes] : parts) {
            std::byte* const here = memory + begin;
            std::vector<std::byte> got(bytes);
            auto sent = pattern(round * 7 + 1, bytes);
            copy(here, sent.data(), bytes, at);
            mapping.load(got.data(), here, bytes);
            if (got != sent) return false;
            sent = pattern(round * 7 + 2, bytes);
            mapping.store(here, sent.data(), bytes);
            copy(got.data(), here, bytes, at);
            if (got != sent) return false;
        }
    return true;
}

bool works(HostWay& way, const Allocation& at) {
    const Own own(at);
    Allocation of = at.driver->attributes(own.data());
    at.driver->identify(of, own.data());
    const auto address = reinterpret_cast<std::uintptr_t>(own.data());
    const auto mapping = way.map(of, way.range(of, address));
    if (mapping == nullptr || !mapping->range().holds(address, room)) return false;
    std::byte* const first = mapping->data() + (address - mapping->range().begin);
    if (!host_writes(first) || !host_writes(first + room - 1)) return false;
    return agrees(*mapping, own.data(), of);
}

}  // namespace

std::unique_ptr<HostWay> find_host_way(const Allocation& at) {
    try {
        for (auto& way : at.driver->host_ways(at))
            if (works(*way, at)) return at.driver->idle_is_known(at) ? std::move(way) : nullptr;
    } catch (const core::DeviceError&) {  // copies of the driver tell of it, if it stays
    }
    return nullptr;
}

}  // namespace aureole::drivers
