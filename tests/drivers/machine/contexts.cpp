// SPDX-License-Identifier: Apache-2.0
#include "machine/contexts.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include "machine/handles.hpp"
#include "machine/memory.hpp"
#include "machine/settings.hpp"
#include "machine/status.hpp"

namespace aureole::emulated {
namespace {

struct Contexts {
    std::mutex mutex;
    std::set<Context*> all;
    std::array<Context, 64> primaries;  // their addresses stay the same for ever
    std::uint64_t last = 0;
};

Contexts& contexts() {
    static auto* only = new Contexts;
    return *only;
}

std::vector<Context*>& stack() {
    static thread_local std::vector<Context*> own;
    return own;
}

/// As the drivers read it: up to the first entry that is not a device.
std::vector<int> read_visible() {
    const int count = settings().devices;
    std::vector<int> all;
    const char* text = nullptr;
    for (const char* name : visibility_variables)
        if (!text) text = std::getenv(name);
    for (int k = 0; !text && k < count; ++k) all.push_back(k);
    while (text && *text) {
        char* end = nullptr;
        const long number = std::strtol(text, &end, 10);
        const bool twice = std::count(all.begin(), all.end(), number) > 0;
        if (end == text || number < 0 || number >= count || twice) break;
        all.push_back(static_cast<int>(number));
        text = *end == ',' ? end + 1 : "";
    }
    return all;
}

const std::vector<int>& visible() {
    static const auto* all = new std::vector<int>(read_visible());
    return *all;
}

void end_context(Context& context) {
    close_group(context.group);
    close_imports(&context);
    release_all(&context);
    context.group = nullptr;
    context.peers.clear();
}

}  // namespace

int device_count() { return static_cast<int>(visible().size()); }
bool device_exists(int device) { return device >= 0 && device < device_count(); }
int physical_device(int device) { return visible()[static_cast<std::size_t>(device)]; }

int visible_device(int physical) {
    const auto& all = visible();
    const auto found = std::find(all.begin(), all.end(), physical);
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

// The name of a model, as with real ones: all devices are of the same.
std::string device_name(int) { return "Aureole emulated device"; }

std::string bus_name(int device) {
    char text[32];
    std::snprintf(text, sizeof text, "0000:%02X:00.0", physical_device(device) + 1);
    return text;
}

void device_uuid(int device, unsigned char out[16]) {
    std::memcpy(out, "aureole-double-", 15);
    out[15] = static_cast<unsigned char>(physical_device(device));
}

bool has_access(int device, int peer) { return settings().peer && device != peer; }

Context* retain_primary(int device) {
    auto& table = contexts();
    const std::lock_guard lock(table.mutex);
    Context& context = table.primaries[static_cast<std::size_t>(device)];
    if (context.retained++ == 0) {
        context.device = device;
        context.primary = true;
        context.id = ++table.last;
        context.group = create_group(device, &context);
        table.all.insert(&context);
    }
    return &context;
}

int release_primary(int device) {
    Context& context = contexts().primaries[static_cast<std::size_t>(device)];
    {
        const std::lock_guard lock(contexts().mutex);
        if (context.retained == 0) return invalid_context;
        if (--context.retained > 0) return success;
        contexts().all.erase(&context);
    }
    end_context(context);
    return success;
}

int reset_primary(int device) {
    Context& context = contexts().primaries[static_cast<std::size_t>(device)];
    const int retained = [&] {
        const std::lock_guard lock(contexts().mutex);
        contexts().all.erase(&context);
        return std::exchange(context.retained, 0);
    }();
    if (retained) end_context(context);
    return success;
}

bool primary_is_active(int device) { return primary(device) != nullptr; }

Context* primary(int device) {
    const std::lock_guard lock(contexts().mutex);
    Context& context = contexts().primaries[static_cast<std::size_t>(device)];
    return context.retained ? &context : nullptr;
}

int create_context(int device, unsigned flags, Context*& out) {
    auto context = std::make_unique<Context>();
    context->device = device;
    context->flags = flags;
    context->group = create_group(device, context.get());
    const std::lock_guard lock(contexts().mutex);
    context->id = ++contexts().last;
    contexts().all.insert(context.get());
    out = context.release();
    return success;
}

int destroy_context(Context* context) {
    if (!context_exists(context) || context->primary) return invalid_context;
    {
        const std::lock_guard lock(contexts().mutex);
        contexts().all.erase(context);
    }
    end_context(*context);
    std::erase(stack(), context);
    return success;  // the object stays: other threads may have it on their stacks
}

bool context_exists(const Context* context) {
    const std::lock_guard lock(contexts().mutex);
    return contexts().all.count(const_cast<Context*>(context)) > 0;
}

Context* current() { return stack().empty() ? nullptr : stack().back(); }

void set_current(Context* context) {
    auto& own = stack();
    if (!own.empty()) own.pop_back();
    if (context) own.push_back(context);
}

void push_current(Context* context) { stack().push_back(context); }

int pop_current(Context*& out) {
    auto& own = stack();
    if (own.empty()) return invalid_context;
    out = own.back();
    own.pop_back();
    return success;
}

int enable_peer(Context& from, Context* to) {
    if (!context_exists(to) || to == &from) return invalid_context;
    if (!has_access(from.device, to->device)) return peer_unsupported;
    const std::lock_guard lock(contexts().mutex);
    return from.peers.insert(to).second ? success : peer_already_enabled;
}

int disable_peer(Context& from, Context* to) {
    const std::lock_guard lock(contexts().mutex);
    return from.peers.erase(to) ? success : peer_not_enabled;
}

}  // namespace aureole::emulated
