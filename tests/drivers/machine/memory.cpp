// SPDX-License-Identifier: Apache-2.0
#include "machine/memory.hpp"

#include <mutex>
#include <vector>

#include "machine/pools.hpp"
#include "machine/settings.hpp"
#include "machine/status.hpp"

namespace aureole::emulated {
namespace {

struct Blocks {
    std::mutex mutex;
    std::map<Address, BlockPtr> all;
};

Blocks& blocks() {
    static auto* only = new Blocks;
    return *only;
}

/// Bounds of the host memory that is registered, so that other addresses need no lock.
std::atomic<Address> registered_begin{~Address{0}};
std::atomic<Address> registered_end{0};
long registered = 0;  // under the lock of the table
std::atomic<long> mappings{0};

BlockPtr find_locked(const std::map<Address, BlockPtr>& all, Address at) {
    auto next = all.upper_bound(at);
    if (next == all.begin()) return nullptr;
    --next;
    return at < next->second->end() ? next->second : nullptr;
}

std::size_t alignment_for(std::size_t bytes) {
    constexpr std::size_t large = std::size_t{2} << 20;
    return bytes >= large ? large : page;
}

}  // namespace

Block::~Block() {
    if (shown) hide_pages(base, round_up(bytes, page), shown_to_hosts());
    pages.reset();
    if (span) give_addresses(base, span);
}

std::shared_ptr<Store> store_of_device(int device) {
    static auto* mutex = new std::mutex;
    static auto* stores = new std::map<int, std::shared_ptr<Store>>;
    const std::lock_guard lock(*mutex);
    auto& store = (*stores)[device];
    if (!store) store = Store::create();
    return store;
}

bool show_block(Block& block, const std::shared_ptr<Pages>& pages, std::uint64_t offset) {
    const std::size_t size = round_up(block.bytes, page);
    if (!show_pages(block.base, size, pages->store->file(), pages->offset + offset,
                    block.shown_to_hosts()))
        return false;
    block.pages = pages;
    block.shown = true;
    return true;
}

int allocate(const Wanted& wanted, BlockPtr& out) {
    if (!reserve_device_range()) return out_of_memory;
    const int where = wanted.kind == Kind::pinned ? -1 : wanted.device;
    const Bar& bar = settings().bar;
    const bool is_plain = wanted.kind == Kind::device && !wanted.pool;
    auto store = wanted.pool               ? wanted.pool->store
                 : is_plain && bar.dma_buf ? Store::create(round_up(wanted.bytes, page))
                                           : store_of_device(where);
    if (!store) return out_of_memory;
    auto pages = take_pages(store, wanted.bytes, where);
    if (!pages) return out_of_memory;
    auto block = std::make_shared<Block>();
    block->bytes = wanted.bytes;
    block->base = take_addresses(pages->bytes, alignment_for(wanted.bytes));
    if (!block->base) return out_of_memory;
    block->span = pages->bytes;
    block->kind = wanted.kind;
    block->origin = wanted.pool ? Origin::pool : Origin::plain;
    block->device = wanted.device;
    block->context = wanted.pool ? nullptr : wanted.context;  // pools belong to no context
    block->pool = wanted.pool;
    block->host_flags = wanted.host_flags;
    block->on_bus = is_plain && bar.large && !bar.is_spoilt;
    if (!show_block(*block, pages, 0)) return out_of_memory;
    enter_block(block);
    out = std::move(block);
    return success;
}

void enter_block(const BlockPtr& block) {
    auto& table = blocks();
    const std::lock_guard lock(table.mutex);
    table.all[block->base] = block;
}

int release(Address base, BlockPtr& out) {
    auto& table = blocks();
    const std::lock_guard lock(table.mutex);
    const auto found = table.all.find(base);
    if (found == table.all.end()) return invalid_value;
    out = std::move(found->second);
    table.all.erase(found);
    return success;
}

int register_host(Address base, std::size_t bytes, int device, void* context) {
    auto block = std::make_shared<Block>();
    block->base = base;
    block->bytes = bytes;
    block->kind = Kind::registered;
    block->origin = Origin::user;
    block->device = device;
    block->context = context;
    auto& table = blocks();
    const std::lock_guard lock(table.mutex);
    const auto next = table.all.lower_bound(base);
    const bool overlaps = next != table.all.end() && next->first < base + bytes;
    if (overlaps || find_locked(table.all, base)) return already_registered;
    table.all[base] = block;
    ++registered;
    if (base < registered_begin.load()) registered_begin = base;
    if (base + bytes > registered_end.load()) registered_end = base + bytes;
    return success;
}

int unregister_host(Address base) {
    BlockPtr block;
    auto& table = blocks();
    const std::lock_guard lock(table.mutex);
    const auto found = table.all.find(base);
    if (found == table.all.end() || found->second->kind != Kind::registered) return not_registered;
    block = std::move(found->second);
    table.all.erase(found);
    if (--registered == 0) {
        registered_begin = ~Address{0};
        registered_end = 0;
    }
    return success;
}

bool may_be_known(Address at) {
    if (device_range.holds(at)) return true;
    return at < registered_end.load(std::memory_order_relaxed) &&
           at >= registered_begin.load(std::memory_order_relaxed);
}

BlockPtr find(Address at) {
    if (!may_be_known(at)) return nullptr;
    auto& table = blocks();
    const std::lock_guard lock(table.mutex);
    return find_locked(table.all, at);
}

bool covers(const Block& block, Address at, std::size_t bytes) {
    if (at < block.base || at + bytes < at) return false;
    Address end = block.end();
    while (at + bytes > end) {
        const auto next = block.origin == Origin::mapped ? find(end) : nullptr;
        if (!next || next->origin != Origin::mapped || !(next->access & 1)) return false;
        end = next->end();
    }
    return true;
}

void* host_address(Address at) {
    return device_range.holds(at) ? device_range.alias(at) : reinterpret_cast<void*>(at);
}

void release_all(void* context) {
    std::vector<BlockPtr> gone;
    auto& table = blocks();
    {
        const std::lock_guard lock(table.mutex);
        for (auto each = table.all.begin(); each != table.all.end();) {
            if (each->second->context != context) {
                ++each;
                continue;
            }
            gone.push_back(std::move(each->second));
            each = table.all.erase(each);
        }
    }
}

std::map<Address, BlockPtr> blocks_between(Address begin, Address end) {
    auto& table = blocks();
    const std::lock_guard lock(table.mutex);
    return {table.all.lower_bound(begin), table.all.lower_bound(end)};
}

long open_mappings() { return mappings; }
void change_mappings(long by) { mappings += by; }

}  // namespace aureole::emulated
