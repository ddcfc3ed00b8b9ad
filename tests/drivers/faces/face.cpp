// SPDX-License-Identifier: Apache-2.0
#include "faces/face.hpp"

#include <map>
#include <utility>

#include "machine/pools.hpp"
#include "machine/settings.hpp"

namespace aureole::emulated {

template <>
HandleTable<Stream>& table_of<Stream>() {
    static auto* only = new HandleTable<Stream>;
    return *only;
}

template <>
HandleTable<Event>& table_of<Event>() {
    static auto* only = new HandleTable<Event>;
    return *only;
}

template <>
HandleTable<Graph>& table_of<Graph>() {
    static auto* only = new HandleTable<Graph>;
    return *only;
}

StreamPtr stream_of(const void* handle, Context* context) {
    static thread_local std::map<std::uint64_t, StreamPtr> own;
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    if (number > 2) {
        auto made = table_of<Stream>().find(handle);
        return made && is_closed(*group_of(*made)) ? nullptr : made;
    }
    if (!context || !context->group) return nullptr;
    if (number < 2) return first_stream(context->group);
    auto& stream = own[context->id];
    if (!stream) stream = create_stream(context->group, true, 0);
    return stream;
}

int allocate_in(Context& context, Kind kind, std::size_t bytes, void*& out, unsigned flags) {
    Wanted wanted;
    wanted.bytes = bytes;
    wanted.kind = kind;
    wanted.device = context.device;
    wanted.context = &context;
    wanted.host_flags = flags;
    BlockPtr block;
    const int status = allocate(wanted, block);
    if (status == success) out = pointer(block->base);
    return status;
}

int free_memory(Address at, Freeing what) {
    const auto block = find(at);
    if (!block || block->base != at) return invalid_value;
    const bool on_host = block->kind == Kind::pinned;
    const bool own = block->origin == Origin::plain || block->origin == Origin::pool;
    if (!own || on_host != (what == Freeing::host)) return invalid_value;
    wait_for_device(block->device);
    BlockPtr gone;
    return release(at, gone);
}

int allocate_on_stream(const std::shared_ptr<Pool>& pool, std::size_t bytes, const void* stream,
                       Context& context, void*& out) {
    if (!stream_of(stream, &context)) return invalid_handle;
    if (!pool || pool->imported || bytes == 0) return invalid_value;
    Wanted wanted;
    wanted.bytes = bytes;
    wanted.device = pool->device;
    wanted.context = &context;
    wanted.pool = pool;
    BlockPtr block;
    const int status = allocate(wanted, block);
    if (status == success) out = pointer(block->base);
    return status;
}

int free_on_stream(Address at, const StreamPtr& stream) {
    const auto block = find(at);
    if (!block || block->base != at || block->kind != Kind::device) return invalid_value;
    if (block->origin != Origin::pool && block->origin != Origin::plain &&
        !(block->origin == Origin::imported && block->pool))
        return invalid_value;
    const bool imported = block->origin == Origin::imported;
    return give(stream, [at, imported] {
        BlockPtr gone;
        if (release(at, gone) == success && imported) change_mappings(-1);
    });
}

Copy row(const void* to, const void* from, std::size_t bytes) {
    Copy what;
    what.to.at = address(to);
    what.from.at = address(from);
    what.to.pitch = what.from.pitch = what.width = bytes;
    what.to.slice = what.from.slice = bytes;
    return what;
}

int copy_row(const Copy& what, const void* stream, bool synchronous, Context& context) {
    const auto found = stream_of(stream, &context);
    return found ? copy(what, found, synchronous) : invalid_handle;
}

}  // namespace aureole::emulated

using namespace aureole::emulated;

/// Address by which a host function that plays a kernel may touch memory of any kind.
DRIVER_FUNCTION void* aureole_double_host(const void* device) {
    return host_address(address(device));
}
DRIVER_FUNCTION long aureole_double_count(const char* name) { return count_of(name); }
DRIVER_FUNCTION long aureole_double_live_bytes(int device) { return live_bytes(device); }
DRIVER_FUNCTION long aureole_double_mappings() { return open_mappings(); }
