// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "machine/streams.hpp"

namespace aureole::emulated {

/// All work is done in a context: a device, its streams, the devices whose memory it may reach.
struct Context {
    int device = 0;
    bool primary = false;
    int retained = 0;
    unsigned flags = 0;
    std::uint64_t id = 0;
    GroupPtr group;
    std::set<Context*> peers;
};

/// Names of the environment variables that choose devices, the most important first.
extern const std::vector<const char*> visibility_variables;

/// Devices that the program may see: those of the setting, or of them those that the variable
/// CUDA_VISIBLE_DEVICES or its AMD relatives name.
int device_count();
/// Number of a visible device among all of the machine, and back (-1: not visible).
int physical_device(int device);
int visible_device(int physical);
bool device_exists(int device);
std::string device_name(int device);
std::string bus_name(int device);
void device_uuid(int device, unsigned char out[16]);
bool has_access(int device, int peer);

Context* retain_primary(int device);
int release_primary(int device);
/// Ends the primary context's streams and memory, whoever still holds it.
int reset_primary(int device);
bool primary_is_active(int device);
Context* primary(int device);  ///< empty if it was not retained
int create_context(int device, unsigned flags, Context*& out);
int destroy_context(Context* context);
bool context_exists(const Context* context);

/// The calling thread's stack of contexts.
Context* current();
void set_current(Context* context);
void push_current(Context* context);
int pop_current(Context*& out);

/// Lets one context reach the memory of another.
int enable_peer(Context& from, Context* to);
int disable_peer(Context& from, Context* to);

}  // namespace aureole::emulated
