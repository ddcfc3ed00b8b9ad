// SPDX-License-Identifier: Apache-2.0
#include "faces/pool_face.hpp"

#include "machine/settings.hpp"

namespace aureole::emulated {
namespace {

constexpr int descriptor_kind = 1;

/// Attributes 1 to 3 permit reuse and are 32 bits wide; the rest are 64.
constexpr int last_narrow = 3;
constexpr int release_threshold = 4;
constexpr int last_attribute = 8;

}  // namespace

int give_pool(int device, void** out, std::shared_ptr<Pool> (*which)(int)) {
    if (!out) return invalid_value;
    if (!device_exists(device)) return invalid_device;
    *out = which(device).get();
    return *out ? success : out_of_memory;
}

int make_pool(const PoolProperties* wanted, void** out) {
    constexpr int pinned = 1;
    constexpr int on_device = 1;
    if (!wanted || !out || wanted->allocation_type != pinned) return invalid_value;
    if (wanted->location_type != on_device) return not_supported;
    if (!device_exists(wanted->location)) return invalid_device;
    if (wanted->handle_kinds & ~descriptor_kind) return not_supported;
    if (wanted->handle_kinds && !settings().pool_handles) return not_supported;
    const auto pool = create_pool(wanted->location, static_cast<unsigned>(wanted->handle_kinds));
    *out = pool.get();
    return pool ? success : out_of_memory;
}

int set_pool_attribute(void* pool, int attribute, const void* value) {
    const auto found = pool_of(pool);
    if (!found || !value || attribute < 1 || attribute > last_attribute) return invalid_value;
    auto& kept = found->attributes[static_cast<std::size_t>(attribute)];
    if (attribute <= last_narrow)
        kept = *static_cast<const unsigned*>(value);
    else if (attribute == release_threshold)
        kept = *static_cast<const std::uint64_t*>(value);
    return success;
}

int get_pool_attribute(void* pool, int attribute, void* value) {
    const auto found = pool_of(pool);
    if (!found || !value || attribute < 1 || attribute > last_attribute) return invalid_value;
    const auto kept = found->attributes[static_cast<std::size_t>(attribute)];
    if (attribute <= last_narrow)
        *static_cast<unsigned*>(value) = static_cast<unsigned>(kept);
    else if (attribute == release_threshold)
        *static_cast<std::uint64_t*>(value) = kept;
    else
        *static_cast<std::uint64_t*>(value) = bytes_in_pool(*found);
    return success;
}

int pool_to_descriptor(void* out, void* pool, int kind, unsigned flags) {
    const auto found = pool_of(pool);
    if (!out || !found || kind != descriptor_kind || flags) return invalid_value;
    return export_pool(*found, *static_cast<int*>(out));
}

int pool_from_descriptor(void** out, void* handle, int kind, unsigned flags) {
    if (!out || kind != descriptor_kind || flags) return invalid_value;
    std::shared_ptr<Pool> pool;
    const int status = import_pool(static_cast<int>(reinterpret_cast<std::intptr_t>(handle)), pool);
    if (status == success) *out = pool.get();
    return status;
}

}  // namespace aureole::emulated
