// SPDX-License-Identifier: Apache-2.0
#include "machine/virtual.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "machine/contexts.hpp"
#include "machine/delay.hpp"
#include "machine/settings.hpp"
#include "machine/status.hpp"

namespace aureole::emulated {
namespace {

/// At the end of the file of memory that may be shared, behind its pages.
struct Trailer {
    std::uint64_t magic = 0x41454D454DULL;
    std::int32_t device = 0;  // among all of the machine
    std::uint64_t bytes = 0;
};

struct Handle {
    std::shared_ptr<Pages> pages;
    int references = 1;
};

struct Virtual {
    std::mutex mutex;
    std::map<Address, std::size_t> reservations;
    std::map<void*, Handle> handles;
};

Virtual& all() {
    static auto* only = new Virtual;
    return *only;
}

bool is_whole(std::size_t bytes) { return bytes > 0 && bytes % granularity == 0; }

/// The reservation that a range lies in; the caller holds the lock.
std::pair<Address, std::size_t> reservation_of(Address at, std::size_t bytes) {
    auto next = all().reservations.upper_bound(at);
    if (next == all().reservations.begin()) return {0, 0};
    --next;
    if (at + bytes > next->first + next->second) return {0, 0};
    return *next;
}

std::shared_ptr<Store> store_for(std::size_t bytes, int device, bool shared) {
    if (!shared) return store_of_device(device);
    auto store = Store::create(bytes + page);
    Trailer trailer;
    trailer.device = physical_device(device);
    trailer.bytes = bytes;
    if (store && pwrite(store->file(), &trailer, sizeof trailer, static_cast<off_t>(bytes)) < 0)
        return nullptr;
    return store;
}

void* add_handle(std::shared_ptr<Pages> pages) {
    void* handle = pages.get();
    const std::lock_guard lock(all().mutex);
    all().handles[handle] = {std::move(pages), 1};
    return handle;
}

/// The mappings that fill a range exactly; none if some are missing or stick out.
std::vector<BlockPtr> mappings_that_fill(Address at, std::size_t bytes) {
    std::vector<BlockPtr> found;
    Address end = at;
    for (const auto& [base, block] : blocks_between(at, at + bytes)) {
        if (base != end || block->origin != Origin::mapped) return {};
        end = block->end();
        found.push_back(block);
    }
    if (end != at + bytes) found.clear();
    return found;
}

}  // namespace

int reserve_addresses(std::size_t bytes, std::size_t alignment, Address wish, Address& out) {
    const std::size_t unit = std::max(alignment, granularity);
    if (!is_whole(bytes) || (unit & (unit - 1)) != 0) return invalid_value;
    if (!reserve_device_range()) return out_of_memory;
    const Address at = take_addresses(bytes, unit, wish);
    if (!at) return out_of_memory;
    const std::lock_guard lock(all().mutex);
    all().reservations[at] = bytes;
    out = at;
    return success;
}

int free_addresses(Address at, std::size_t bytes) {
    if (!blocks_between(at, at + bytes).empty()) return invalid_value;
    {
        const std::lock_guard lock(all().mutex);
        const auto found = all().reservations.find(at);
        if (found == all().reservations.end() || found->second != bytes) return invalid_value;
        all().reservations.erase(found);
    }
    give_addresses(at, bytes);
    return success;
}

int create_memory(std::size_t bytes, int device, unsigned handle_kinds, void*& out) {
    if (!is_whole(bytes)) return invalid_value;
    if (handle_kinds && !settings().descriptor_handles) return not_supported;
    auto store = store_for(bytes, device, handle_kinds != 0);
    if (!store) return out_of_memory;
    auto pages = take_pages(store, bytes, device);
    if (!pages) return out_of_memory;
    pages->handle_kinds = handle_kinds;
    pages->whole_file = handle_kinds != 0;
    out = add_handle(std::move(pages));
    return success;
}

int release_memory(void* handle) {
    std::shared_ptr<Pages> last;
    const std::lock_guard lock(all().mutex);
    const auto found = all().handles.find(handle);
    if (found == all().handles.end()) return invalid_value;
    if (--found->second.references > 0) return success;
    last = std::move(found->second.pages);
    all().handles.erase(found);
    return success;
}

int retain_memory(Address at, void*& out) {
    const auto block = find(at);
    if (!block || block->origin != Origin::mapped) return invalid_value;
    const std::lock_guard lock(all().mutex);
    out = block->pages.get();
    auto& handle = all().handles[out];
    handle.references = handle.pages ? handle.references + 1 : 1;
    handle.pages = block->pages;
    return success;
}

std::shared_ptr<Pages> memory_of(void* handle) {
    const std::lock_guard lock(all().mutex);
    const auto found = all().handles.find(handle);
    return found == all().handles.end() ? nullptr : found->second.pages;
}

int map_memory(Address at, std::size_t bytes, std::size_t offset, void* handle) {
    const auto pages = memory_of(handle);
    if (!pages || !is_whole(bytes) || at % granularity || offset % granularity ||
        offset + bytes > pages->bytes)
        return invalid_value;
    auto block = std::make_shared<Block>();
    {
        const std::lock_guard lock(all().mutex);
        std::tie(block->range_begin, block->range_bytes) = reservation_of(at, bytes);
    }
    if (!block->range_bytes || !blocks_between(at, at + bytes).empty()) return invalid_value;
    if (const auto before = find(at); before) return invalid_value;
    block->base = at;
    block->bytes = bytes;
    block->origin = Origin::mapped;
    block->device = pages->device;
    block->access = 0;
    if (pages->foreign) pause_for(settings().open_us);
    if (!show_block(*block, pages, offset)) return map_failed;
    enter_block(block);
    if (pages->foreign) change_mappings(1);
    return success;
}

int unmap_memory(Address at, std::size_t bytes) {
    const auto gone = mappings_that_fill(at, bytes);
    if (gone.empty()) return invalid_value;
    for (const auto& block : gone) {
        wait_for_device(block->device);
        BlockPtr out;
        if (release(block->base, out) == success && block->pages->foreign) change_mappings(-1);
    }
    return success;
}

int set_access(Address at, std::size_t bytes, int device, int flags) {
    const auto all_of_it = mappings_that_fill(at, bytes);
    if (all_of_it.empty() || (flags != 0 && flags != 1 && flags != 3)) return invalid_value;
    for (const auto& block : all_of_it) {
        if (block->device != device && !has_access(device, block->device)) return invalid_value;
        if (block->device == device || flags) block->access = flags;
    }
    return success;
}

int export_descriptor(void* handle, int& out) {
    if (!settings().descriptor_handles) return not_supported;
    const auto pages = memory_of(handle);
    if (!pages || !(pages->handle_kinds & 1)) return invalid_value;
    out = fcntl(pages->store->file(), F_DUPFD_CLOEXEC, 3);
    return out < 0 ? operating_system : success;
}

int import_descriptor(int descriptor, void*& out) {
    if (!settings().descriptor_handles) return not_supported;
    struct stat about {};
    if (fstat(descriptor, &about) != 0 || about.st_size <= static_cast<off_t>(page))
        return invalid_value;
    const Trailer wanted;
    Trailer trailer;
    const off_t end = about.st_size - static_cast<off_t>(page);
    if (pread(descriptor, &trailer, sizeof trailer, end) != sizeof trailer ||
        trailer.magic != wanted.magic || trailer.bytes != static_cast<std::uint64_t>(end))
        return invalid_value;
    const int file = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    if (file < 0) return operating_system;
    auto pages = std::make_shared<Pages>(Store::adopt(file, trailer.bytes), 0, trailer.bytes,
                                         std::max(visible_device(trailer.device), 0));
    pages->foreign = true;
    pages->whole_file = true;
    pages->handle_kinds = 1;
    out = add_handle(std::move(pages));
    return success;
}

}  // namespace aureole::emulated
