// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/calls.hpp"
#include "machine/contexts.hpp"
#include "machine/memory.hpp"
#include "machine/status.hpp"
#include "machine/streams.hpp"
#include "machine/table.hpp"
#include "machine/transfer.hpp"

/// A function that programs find by its name.
#define DRIVER_FUNCTION extern "C" __attribute__((visibility("default")))

/// First line of every function: counts the call, and returns if it is to fail.
#define ENTER(name)                                             \
    static const ::aureole::emulated::Function entered_(#name); \
    if (const int status_ = ::aureole::emulated::enter(entered_)) return status_

/// The same for functions that may be called before the driver is initialised.
#define ENTER_CLOSED(name)                                                             \
    static const ::aureole::emulated::Function entered_(#name);                        \
    if (const int status_ =                                                            \
            ::aureole::emulated::enter(entered_, ::aureole::emulated::Needs::nothing)) \
    return status_

/// A second name of a function.
#define ALSO(other, name) DRIVER_FUNCTION decltype(name) other __attribute__((alias(#name)))

namespace aureole::emulated {

template <>
HandleTable<Stream>& table_of<Stream>();
template <>
HandleTable<Event>& table_of<Event>();
template <>
HandleTable<Graph>& table_of<Graph>();

struct Here {  ///< the context of a call, or why there is none
    Context* context = nullptr;
    int status = success;
};

/// The context of a call: the thread's current one, or none, as each vendor has it.
Here here();

/// Streams by handle: empty, 1 and 2 are the first stream, the same, and the thread's own.
StreamPtr stream_of(const void* handle, Context* context);

/// Memory of a kind in a context.
int allocate_in(Context& context, Kind kind, std::size_t bytes, void*& out, unsigned flags = 0);
/// Frees plain memory of the wanted sort after all work of its device.
enum class Freeing { device, host };
int free_memory(Address at, Freeing what);
int allocate_on_stream(const std::shared_ptr<Pool>& pool, std::size_t bytes, const void* stream,
                       Context& context, void*& out);
int free_on_stream(Address at, const StreamPtr& stream);

/// A copy of one row.
Copy row(const void* to, const void* from, std::size_t bytes);
int copy_row(const Copy& what, const void* stream, bool synchronous, Context& context);

inline void* pointer(Address at) { return reinterpret_cast<void*>(at); }
inline Address address(const void* at) { return reinterpret_cast<Address>(at); }

}  // namespace aureole::emulated
