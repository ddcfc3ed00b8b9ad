// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "faces/face.hpp"
#include "machine/pools.hpp"

namespace aureole::emulated {

/// Wishes for a pool, as both vendors lay them out.
struct PoolProperties {
    int allocation_type;
    int handle_kinds;
    int location_type;
    int location;
    void* security;
    std::size_t most_bytes;
    unsigned short usage;
    unsigned char reserved[54];
};
static_assert(sizeof(PoolProperties) == 88);

int give_pool(int device, void** out, std::shared_ptr<Pool> (*which)(int));
int make_pool(const PoolProperties* wanted, void** out);
int set_pool_attribute(void* pool, int attribute, const void* value);
int get_pool_attribute(void* pool, int attribute, void* value);
int pool_to_descriptor(void* out, void* pool, int kind, unsigned flags);
int pool_from_descriptor(void** out, void* handle, int kind, unsigned flags);

}  // namespace aureole::emulated
