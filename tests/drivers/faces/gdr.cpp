// SPDX-License-Identifier: Apache-2.0
// GDRCopy's library (libgdrapi.so.2), for memory of the emulated devices.
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "faces/face.hpp"
#include "machine/bar.hpp"
#include "machine/settings.hpp"

using namespace aureole::emulated;

namespace {

constexpr std::size_t device_page = std::size_t{1} << 16;

struct Pinned {
    Address begin = 0;
    std::size_t bytes = 0;
    void* host = nullptr;
};

/// gdr_mh_t.
struct Handle {
    Pinned* pinned;
};

/// gdr_info_v2_t.
struct Info {
    std::uint64_t va, mapped_size;
    std::uint32_t page_size;
    std::uint64_t tm_cycles;
    std::uint32_t cycles_per_ms;
    unsigned mapped : 1, wc_mapping : 1;
    int mapping_type;
};

}  // namespace

DRIVER_FUNCTION void* gdr_open() {
    static const Function entered("gdr_open");
    static int connection;
    if (enter(entered, Needs::nothing)) return nullptr;
    return settings().bar.gdr ? &connection : nullptr;
}

DRIVER_FUNCTION int gdr_close(void*) { return 0; }

/// The kernel's module takes whole pages of the device that begin where they are asked to.
DRIVER_FUNCTION int gdr_pin_buffer(void*, unsigned long at, std::size_t bytes, std::uint64_t,
                                   std::uint32_t, Handle* out) {
    ENTER(gdr_pin_buffer);
    if (!out || bytes == 0) return EINVAL;
    const Address begin = at / device_page * device_page;
    *out = {new Pinned{begin, round_up(at + bytes - begin, device_page)}};
    return 0;
}

DRIVER_FUNCTION int gdr_unpin_buffer(void*, Handle handle) {
    ENTER(gdr_unpin_buffer);
    delete handle.pinned;
    return 0;
}

DRIVER_FUNCTION int gdr_map(void*, Handle handle, void** out, std::size_t bytes) {
    ENTER(gdr_map);
    Pinned& pinned = *handle.pinned;
    if (!out || bytes > pinned.bytes) return EINVAL;
    if (pinned.host) return EAGAIN;
    pinned.host = map_bar(pinned.begin, pinned.bytes);
    *out = pinned.host;
    return pinned.host ? 0 : ENOMEM;
}

DRIVER_FUNCTION int gdr_unmap(void*, Handle handle, void*, std::size_t) {
    ENTER(gdr_unmap);
    Pinned& pinned = *handle.pinned;
    if (!pinned.host) return EINVAL;
    munmap(pinned.host, pinned.bytes);
    pinned.host = nullptr;
    return 0;
}

DRIVER_FUNCTION int gdr_get_info_v2(void*, Handle handle, Info* out) {
    ENTER(gdr_get_info_v2);
    if (!out) return EINVAL;
    const Pinned& pinned = *handle.pinned;
    *out = {pinned.begin, pinned.bytes, device_page, 0, 0, pinned.host != nullptr, 1, 1};
    return 0;
}

DRIVER_FUNCTION int gdr_copy_to_mapping(Handle, void* to, const void* from, std::size_t bytes) {
    ENTER(gdr_copy_to_mapping);
    std::memcpy(to, from, bytes);
    return 0;
}

DRIVER_FUNCTION int gdr_copy_from_mapping(Handle, void* to, const void* from, std::size_t bytes) {
    ENTER(gdr_copy_from_mapping);
    std::memcpy(to, from, bytes);
    return 0;
}
