// SPDX-License-Identifier: Apache-2.0
#include "machine/pools.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "machine/contexts.hpp"
#include "machine/delay.hpp"
#include "machine/handles.hpp"
#include "machine/memory.hpp"
#include "machine/settings.hpp"
#include "machine/status.hpp"

namespace aureole::emulated {
namespace {

constexpr std::uint32_t pointer_kind = 0x41455050;
constexpr std::uint64_t header_at = (std::uint64_t{1} << 49) - page;

struct Header {  // in the file of a pool that may be shared
    std::uint64_t magic = 0x4145504F4F4CULL;
    std::int32_t device = 0;  // among all of the machine
};

struct Pools {
    std::mutex mutex;
    std::map<void*, std::shared_ptr<Pool>> all;
    std::map<int, std::shared_ptr<Pool>> defaults;
    std::map<int, std::shared_ptr<Pool>> chosen;
};

Pools& pools() {
    static auto* only = new Pools;
    return *only;
}

}  // namespace

std::shared_ptr<Pool> create_pool(int device, unsigned handle_kinds) {
    auto pool = std::make_shared<Pool>();
    pool->device = device;
    pool->handle_kinds = handle_kinds;
    pool->attributes[1] = pool->attributes[2] = pool->attributes[3] = 1;  // reuse is permitted
    pool->store = handle_kinds ? Store::create() : store_of_device(device);
    if (!pool->store) return nullptr;
    const Header header{.device = physical_device(device)};
    if (handle_kinds && pwrite(pool->store->file(), &header, sizeof header, header_at) < 0)
        return nullptr;
    const std::lock_guard lock(pools().mutex);
    pools().all[pool.get()] = pool;
    return pool;
}

std::shared_ptr<Pool> default_pool(int device) {
    {
        const std::lock_guard lock(pools().mutex);
        if (const auto found = pools().defaults.find(device); found != pools().defaults.end())
            return found->second;
    }
    auto pool = create_pool(device, 0);
    if (!pool) return nullptr;
    pool->is_default = true;
    const std::lock_guard lock(pools().mutex);
    return pools().defaults.emplace(device, pool).first->second;
}

std::shared_ptr<Pool> current_pool(int device) {
    {
        const std::lock_guard lock(pools().mutex);
        if (const auto found = pools().chosen.find(device); found != pools().chosen.end())
            return found->second;
    }
    return default_pool(device);
}

int set_current_pool(int device, const std::shared_ptr<Pool>& pool) {
    if (!pool || pool->device != device) return invalid_value;
    const std::lock_guard lock(pools().mutex);
    pools().chosen[device] = pool;
    return success;
}

std::shared_ptr<Pool> pool_of(void* handle) {
    const std::lock_guard lock(pools().mutex);
    const auto found = pools().all.find(handle);
    return found == pools().all.end() ? nullptr : found->second;
}

int destroy_pool(void* handle) {
    const std::lock_guard lock(pools().mutex);
    const auto found = pools().all.find(handle);
    if (found == pools().all.end() || found->second->is_default) return invalid_value;
    std::erase_if(pools().chosen, [&](const auto& each) { return each.second.get() == handle; });
    pools().all.erase(found);
    return success;
}

std::uint64_t bytes_in_pool(const Pool& pool) {
    std::uint64_t bytes = 0;
    for (const auto& [at, block] : blocks_between(0, ~Address{0}))
        if (block->pool.get() == &pool) bytes += block->pages->bytes;
    return bytes;
}

int export_pool(Pool& pool, int& descriptor) {
    if (!settings().pool_handles) return not_supported;
    if (!pool.handle_kinds || pool.imported) return invalid_value;
    descriptor = fcntl(pool.store->file(), F_DUPFD_CLOEXEC, 3);
    return descriptor < 0 ? operating_system : success;
}

int import_pool(int descriptor, std::shared_ptr<Pool>& out) {
    if (!settings().pool_handles) return not_supported;
    const Header wanted;
    Header header{.magic = 0};
    const auto size = sizeof header;
    if (pread(descriptor, &header, size, header_at) != size || header.magic != wanted.magic)
        return invalid_value;
    const int file = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    if (file < 0) return operating_system;
    auto pool = std::make_shared<Pool>();
    pool->device = std::max(visible_device(header.device), 0);
    pool->handle_kinds = 1;
    pool->imported = true;
    pool->store = Store::adopt(file, 0);
    const std::lock_guard lock(pools().mutex);
    pools().all[pool.get()] = pool;
    out = std::move(pool);
    return success;
}

int export_pool_pointer(Address at, Locator& out) {
    if (!settings().pool_handles) return not_supported;
    const auto block = find(at);
    if (!block || !block->pool || !block->pool->handle_kinds || block->base != at)
        return invalid_value;
    Pages& pages = *block->pages;
    out = {};
    out.kind = pointer_kind;
    out.process = getpid();
    out.device = physical_device(block->device);
    out.offset = pages.offset;
    out.bytes = block->bytes;
    out.id = pages.id;
    out.slot = slot_of(pages);
    return success;
}

int import_pool_pointer(const std::shared_ptr<Pool>& pool, const Locator& where, void* context,
                        Address& out) {
    if (!settings().pool_handles) return not_supported;
    if (where.kind != pointer_kind || !pool->imported) return invalid_value;
    pause_for(settings().open_us);
    const int file = fcntl(pool->store->file(), F_DUPFD_CLOEXEC, 3);
    if (file < 0) return operating_system;
    std::shared_ptr<Pages> pages;
    if (const int status = open_pages(where, file, pages)) return status;
    BlockPtr block;
    if (const int status = enter_import(pages, where, context, block)) return status;
    pages->store->close_file();
    block->pool = pool;
    out = block->base;
    return success;
}

}  // namespace aureole::emulated
