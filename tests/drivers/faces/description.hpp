// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faces/face.hpp"

namespace aureole::emulated {

/// The answer to what an address is, in the drivers' numbers. `known` is false for any other host
/// address.
struct Description {
    bool known = false;
    bool managed = false;
    unsigned memory_type = 0;  ///< 1: host, 2: device
    BlockPtr block;
};

Description describe(const void* at);

/// One attribute by its number; `invalid_value` if the address has none of it.
int read_attribute(void* out, int attribute, const void* at, const Description& what);

/// Several attributes at once. One that the address has not, or all of an address that is not
/// known, are set to nothing, and it is no error.
int read_attributes(unsigned count, const int* attributes, void** out, const void* at);

/// The first fields, in both runtime APIs, of what they say about an address.
struct PointerAttributes {
    int type;  ///< 0: unknown, 1: pinned host memory, 2: device, 3: managed
    int device;
    void* device_pointer;
    void* host_pointer;
};

PointerAttributes pointer_attributes(const void* at, const Description& what);

}  // namespace aureole::emulated
