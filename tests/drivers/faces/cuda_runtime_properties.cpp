// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>

#include "faces/device_facts.hpp"
#include "faces/runtime_face.hpp"
#include "machine/settings.hpp"

using namespace aureole::emulated;

namespace {

/// The properties of a device as version 13 lays them out. Fields that are zero here (textures,
/// surfaces, and others) are left out, with their size.
struct Properties {
    char name[256];
    unsigned char uuid[16];
    char local_id[8];
    unsigned local_mask;
    std::size_t memory;
    std::size_t block_memory;
    int block_registers;
    int team;
    std::size_t pitch;
    int block_threads;
    int block_shape[3];
    int grid_shape[3];
    std::size_t constant_memory;
    int major, minor;
    std::size_t texture_alignment, texture_pitch_alignment;
    int processors;
    int integrated;
    int maps_host_memory;
    char textures[164];
    int concurrent_kernels;
    int corrects_errors;
    int bus, slot, domain;
    int compute_only;
    int copy_engines;
    int unified_addresses;
    int bus_width;
    int cache;
    int persisting_cache;
    int processor_threads;
    char caches[28];
    int managed_memory;
    char board[16];
    int concurrent_managed_access;
    char more[60];
    int pools;
    char direct_access[12];
    unsigned pool_handles;
    int deferred_arrays;
    int shared_events;
    char rest[260];
};
static_assert(sizeof(Properties) == 1008);
static_assert(offsetof(Properties, major) == 360 && offsetof(Properties, processors) == 384);
static_assert(offsetof(Properties, concurrent_kernels) == 560);
static_assert(offsetof(Properties, processor_threads) == 604);
static_assert(offsetof(Properties, managed_memory) == 636);
static_assert(offsetof(Properties, concurrent_managed_access) == 656);
static_assert(offsetof(Properties, pools) == 720 && offsetof(Properties, shared_events) == 744);

}  // namespace

DRIVER_FUNCTION int cudaGetDeviceProperties(Properties* out, int device) {
    RT_ENTER(GetDeviceProperties);
    if (!out) return keep(invalid_value);
    if (!device_exists(device)) return keep(invalid_device);
    *out = {};
    std::snprintf(out->name, sizeof out->name, "%s", device_name(device).c_str());
    device_uuid(device, out->uuid);
    out->memory = settings().memory;
    out->block_memory = block_memory;
    out->block_registers = 65536;
    out->team = threads_in_a_team;
    out->pitch = 2147483647;
    out->block_threads = threads_in_a_block;
    const int block[] = {1024, 1024, 64};
    const int grid[] = {2147483647, 65535, 65535};
    std::memcpy(out->block_shape, block, sizeof block);
    std::memcpy(out->grid_shape, grid, sizeof grid);
    out->constant_memory = 65536;
    out->major = 9;
    out->texture_alignment = 512;
    out->texture_pitch_alignment = 32;
    out->processors = multiprocessors;
    out->maps_host_memory = out->concurrent_kernels = out->unified_addresses = 1;
    out->bus = physical_device(device) + 1;
    out->copy_engines = 2;
    out->bus_width = 1024;
    out->cache = cache_bytes;
    out->processor_threads = 2048;
    out->managed_memory = out->concurrent_managed_access = out->pools = out->shared_events = 1;
    out->pool_handles = settings().pool_handles;
    return success;
}
