// SPDX-License-Identifier: Apache-2.0
#include "machine/handles.hpp"

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <tuple>
#include <vector>

#include "machine/contexts.hpp"
#include "machine/delay.hpp"
#include "machine/settings.hpp"
#include "machine/status.hpp"

namespace aureole::emulated {
namespace {

constexpr std::uint32_t memory_kind = 0x41454D4D;

/// An open handle: who made it, its id there, and the context that opened it.
using Key = std::tuple<std::int32_t, std::uint64_t, std::uint64_t, void*>;

struct Import {
    Address base = 0;
    int opened = 0;
};

struct Imports {
    std::mutex mutex;
    std::map<Key, Import> all;
};

Imports& imports() {
    static auto* only = new Imports;
    return *only;
}

}  // namespace

int export_memory(Address at, Locator& out) {
    if (!settings().legacy_handles) return not_supported;
    const auto block = find(at);
    if (!block || block->kind != Kind::device || block->origin != Origin::plain)
        return invalid_value;
    Pages& pages = *block->pages;
    out = {};
    out.kind = memory_kind;
    out.process = getpid();
    out.started = process_start(getpid());
    out.file = pages.store->file();
    out.device = physical_device(block->device);
    out.offset = pages.offset;
    out.bytes = block->bytes;
    out.id = pages.id;
    out.slot = slot_of(pages);
    return success;
}

int open_pages(const Locator& where, int file, std::shared_ptr<Pages>& out) {
    auto store = Store::adopt(file, 0);
    if (!slot_is_alive(file, where)) return invalid_value;
    const int device = std::max(visible_device(where.device), 0);
    out = std::make_shared<Pages>(std::move(store), where.offset, round_up(where.bytes, page),
                                  device);
    out->foreign = true;
    return success;
}

int enter_import(const std::shared_ptr<Pages>& pages, const Locator& where, void* context,
                 BlockPtr& out) {
    if (!reserve_device_range()) return map_failed;
    auto block = std::make_shared<Block>();
    block->bytes = where.bytes;
    block->base = take_addresses(pages->bytes, page);
    if (!block->base) return map_failed;
    block->span = pages->bytes;
    block->origin = Origin::imported;
    block->device = pages->device;
    block->context = context;
    if (!show_block(*block, pages, 0)) return map_failed;
    enter_block(block);
    change_mappings(1);
    out = std::move(block);
    return success;
}

int import_memory(const Locator& where, void* context, int device, Address& out) {
    if (!settings().legacy_handles) return not_supported;
    if (where.kind != memory_kind || where.bytes == 0) return invalid_handle;
    if (where.process == getpid()) return invalid_context;
    const int home = visible_device(where.device);
    if (home != device && !has_access(device, home)) return peer_unsupported;
    auto& table = imports();
    const std::lock_guard lock(table.mutex);
    const Key key{where.process, where.started, where.id, context};
    if (auto open = table.all.find(key); open != table.all.end()) {
        ++open->second.opened;
        out = open->second.base;
        return success;
    }
    pause_for(settings().open_us);
    const int file = open_file_of(where);
    if (file < 0) return map_failed;
    std::shared_ptr<Pages> pages;
    if (const int status = open_pages(where, file, pages)) return status;
    BlockPtr block;
    if (const int status = enter_import(pages, where, context, block)) return status;
    pages->store->close_file();  // the mapping keeps the memory
    table.all[key] = {block->base, 1};
    out = block->base;
    return success;
}

int close_import(Address base) {
    auto& table = imports();
    const std::lock_guard lock(table.mutex);
    const auto open = std::find_if(table.all.begin(), table.all.end(),
                                   [&](const auto& each) { return each.second.base == base; });
    if (open == table.all.end()) return invalid_value;
    if (--open->second.opened > 0) return success;
    table.all.erase(open);
    BlockPtr block;
    const int status = release(base, block);
    if (status == success) change_mappings(-1);
    return status;
}

void close_imports(void* context) {
    std::vector<Address> gone;
    auto& table = imports();
    {
        const std::lock_guard lock(table.mutex);
        for (auto& [key, open] : table.all)
            if (std::get<3>(key) == context) {
                open.opened = 1;
                gone.push_back(open.base);
            }
    }
    for (const Address base : gone) close_import(base);
}

}  // namespace aureole::emulated
