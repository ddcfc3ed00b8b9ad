// SPDX-License-Identifier: Apache-2.0
#include "faces/description.hpp"

#include "machine/pools.hpp"
#include "machine/settings.hpp"

namespace aureole::emulated {
namespace {

enum Attribute : int {
    context = 1,
    memory_type = 2,
    device_pointer = 3,
    host_pointer = 4,
    sync_memops = 6,
    buffer_id = 7,
    is_managed = 8,
    device_ordinal = 9,
    legacy_handle = 10,
    range_start = 11,
    range_bytes = 12,
    mapped = 13,
    handle_types = 14,
    direct_access = 15,
    access_flags = 16,
    pool_handle = 17,
    mapping_bytes = 18,
    mapping_start = 19,
    memory_block_id = 20,
    decompression = 21,
};

template <class T>
int put(void* out, T value) {
    *static_cast<T*>(out) = value;
    return success;
}

bool has_legacy_handle(const Block& block) {
    return block.kind == Kind::device && block.origin == Origin::plain && settings().legacy_handles;
}

std::uint64_t handle_kinds(const Block& block) {
    if (block.pool) return block.pool->handle_kinds;
    return block.pages ? block.pages->handle_kinds : 0;
}

int put_range(void* out, int attribute, const Block& block) {
    switch (attribute) {
        case range_start:
            return put(out, block.range_bytes ? block.range_begin : block.base);
        case range_bytes:
            return put(out, block.range_bytes ? block.range_bytes : block.bytes);
        case mapping_start:
            return put(out, block.base);
        default:
            return put(out, round_up(block.bytes, page));
    }
}

/// Writes the value that an attribute has for an address without it.
int read_nothing(void* out, int attribute) {
    if (!out) return invalid_value;
    switch (attribute) {
        case memory_type:
        case sync_memops:
        case is_managed:
        case legacy_handle:
        case mapped:
        case direct_access:
        case access_flags:
        case decompression:
            return put<unsigned>(out, 0);
        case device_ordinal:
            return put<int>(out, -2);
        case context:
        case device_pointer:
        case host_pointer:
        case buffer_id:
        case range_start:
        case range_bytes:
        case handle_types:
        case pool_handle:
        case mapping_bytes:
        case mapping_start:
        case memory_block_id:
            return put<std::uint64_t>(out, 0);
        default:
            return invalid_value;
    }
}

}  // namespace

Description describe(const void* at) {
    Description what;
    if (!may_be_known(address(at))) return what;
    what.block = find(address(at));
    if (!what.block) return what;
    const Kind kind = what.block->kind;
    what.known = true;
    what.managed = kind == Kind::managed;
    what.memory_type = kind == Kind::device || kind == Kind::managed ? 2 : 1;
    return what;
}

int read_attribute(void* out, int attribute, const void* at, const Description& what) {
    if (!out) return invalid_value;
    if (!what.known) return invalid_value;
    const Block& block = *what.block;
    switch (attribute) {
        case context:
            return put(out, block.context);
        case memory_type:
            return put(out, what.memory_type);
        case device_pointer:
            return put(out, address(at));
        case host_pointer:
            return block.open_to_hosts() ? put(out, address(at)) : int{invalid_value};
        case sync_memops:
            return put<unsigned>(out, block.synchronous);
        case buffer_id:
            return put(out, block.id);
        case is_managed:
            return put<unsigned>(out, what.managed);
        case device_ordinal:
            return put(out, block.device);
        case legacy_handle:
            return put<unsigned>(out, has_legacy_handle(block));
        case mapped:
            return put<unsigned>(out, 1);
        case handle_types:
            return put(out, handle_kinds(block));
        case direct_access:
            return put<unsigned>(out, block.kind == Kind::device);
        case access_flags:
            return put<unsigned>(out, static_cast<unsigned>(block.access.load()));
        case pool_handle:
            return put<void*>(out, block.pool.get());
        case memory_block_id:
            return put(out, block.pages ? block.pages->id : block.id);
        case decompression:
            return put<unsigned>(out, 0);
        case range_start:
        case range_bytes:
        case mapping_bytes:
        case mapping_start:
            return put_range(out, attribute, block);
        default:
            return invalid_value;
    }
}

int read_attributes(unsigned count, const int* attributes, void** out, const void* at) {
    const Description what = describe(at);
    for (unsigned k = 0; k < count; ++k) {
        int status = what.known ? read_attribute(out[k], attributes[k], at, what) : invalid_value;
        if (status != success) status = read_nothing(out[k], attributes[k]);
        if (status != success) return status;
    }
    return success;
}

PointerAttributes pointer_attributes(const void* at, const Description& what) {
    constexpr int managed = 3;
    constexpr int no_such_device = -2;
    if (!what.known) return {0, no_such_device, nullptr, nullptr};
    auto* here = const_cast<void*>(at);
    return {what.managed ? managed : static_cast<int>(what.memory_type), what.block->device, here,
            what.block->open_to_hosts() ? here : nullptr};
}

}  // namespace aureole::emulated
