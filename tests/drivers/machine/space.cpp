// SPDX-License-Identifier: Apache-2.0
#include "machine/space.hpp"

#include <sys/mman.h>

#include <map>
#include <mutex>
#include <set>

namespace aureole::emulated {
namespace {

constexpr int nothing = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

/// Free addresses, found by size (the smallest that fits) and by place (to join neighbours).
struct FreeAddresses {
    std::mutex mutex;
    std::map<Address, std::size_t> by_place;
    std::set<std::pair<std::size_t, Address>> by_size;

    void add(Address at, std::size_t bytes) {
        by_place[at] = bytes;
        by_size.insert({bytes, at});
    }
    void remove(Address at, std::size_t bytes) {
        by_place.erase(at);
        by_size.erase({bytes, at});
    }
    void cut(Address hole, std::size_t hole_bytes, Address at, std::size_t bytes) {
        remove(hole, hole_bytes);
        if (at > hole) add(hole, at - hole);
        if (hole + hole_bytes > at + bytes) add(at + bytes, hole + hole_bytes - at - bytes);
    }
};

FreeAddresses& free_addresses() {
    static auto* only = new FreeAddresses;
    return *only;
}

/// The place is asked for, so that it is the same in all processes, as it is on real devices. A
/// sanitizer may not allow it; then the system chooses, and the range is smaller.
bool reserve(Address wish, std::size_t bytes) {
    void* hint = reinterpret_cast<void*>(wish);
    void* got = mmap(hint, 2 * bytes, PROT_NONE, nothing, -1, 0);
    if (got == MAP_FAILED) return false;
    if (wish && got != hint) {
        munmap(got, 2 * bytes);
        return false;
    }
    madvise(got, 2 * bytes, MADV_DONTDUMP);
    const auto begin = reinterpret_cast<Address>(got);
    free_addresses().add(begin, bytes);
    device_range.distance = static_cast<std::ptrdiff_t>(bytes);
    device_range.bytes = bytes;
    device_range.begin = begin;
    return true;
}

}  // namespace

DeviceRange device_range;

bool reserve_device_range() {
    static const bool reserved = [] {
        constexpr std::size_t terabyte = std::size_t{1} << 40;
        return reserve(Address{0x3000} << 32, 4 * terabyte) ||
               reserve(Address{0x3800} << 32, 4 * terabyte) || reserve(0, terabyte / 4) ||
               reserve(0, terabyte / 64);
    }();
    return reserved;
}

Address take_addresses(std::size_t bytes, std::size_t alignment, Address wish) {
    auto& holes = free_addresses();
    const std::lock_guard lock(holes.mutex);
    if (wish) {
        auto hole = holes.by_place.upper_bound(wish);
        if (hole != holes.by_place.begin()) {
            --hole;
            if (wish % alignment == 0 && wish + bytes <= hole->first + hole->second) {
                holes.cut(hole->first, hole->second, wish, bytes);
                return wish;
            }
        }
    }
    for (auto hole = holes.by_size.lower_bound({bytes, 0}); hole != holes.by_size.end(); ++hole) {
        const auto [hole_bytes, begin] = *hole;
        const Address at = round_up(begin, alignment);
        if (at + bytes > begin + hole_bytes) continue;
        holes.cut(begin, hole_bytes, at, bytes);
        return at;
    }
    return 0;
}

void give_addresses(Address at, std::size_t bytes) {
    auto& holes = free_addresses();
    const std::lock_guard lock(holes.mutex);
    auto next = holes.by_place.lower_bound(at);
    if (next != holes.by_place.end() && next->first == at + bytes) {
        const auto [place, more] = *next;
        holes.remove(place, more);
        bytes += more;
    }
    next = holes.by_place.lower_bound(at);
    if (next != holes.by_place.begin()) {
        const auto [place, more] = *--next;
        if (place + more == at) {
            holes.remove(place, more);
            at = place;
            bytes += more;
        }
    }
    holes.add(at, bytes);
}

bool show_pages(Address at, std::size_t bytes, int file, std::uint64_t offset, bool to_hosts) {
    constexpr int access = PROT_READ | PROT_WRITE;
    constexpr int shared = MAP_SHARED | MAP_FIXED | MAP_NORESERVE;
    const auto place = static_cast<off_t>(offset);
    if (mmap(device_range.alias(at), bytes, access, shared, file, place) == MAP_FAILED)
        return false;
    if (!to_hosts) return true;
    void* here = reinterpret_cast<void*>(at);
    if (mmap(here, bytes, access, shared, file, place) != MAP_FAILED) return true;
    hide_pages(at, bytes, false);
    return false;
}

void hide_pages(Address at, std::size_t bytes, bool to_hosts) {
    mmap(device_range.alias(at), bytes, PROT_NONE, nothing | MAP_FIXED, -1, 0);
    if (to_hosts) mmap(reinterpret_cast<void*>(at), bytes, PROT_NONE, nothing | MAP_FIXED, -1, 0);
}

}  // namespace aureole::emulated
