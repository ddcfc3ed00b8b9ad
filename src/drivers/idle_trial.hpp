// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::drivers {

/// Functions of a driver on streams; its numbers for "done" (0) and "not ready" are both vendors'.
struct StreamFunctions {
    int (*create)(void**, unsigned) = nullptr;
    int (*destroy)(void*) = nullptr;
    int (*query)(void*) = nullptr;
    int (*finish)(void*) = nullptr;
    int (*launch_host)(void*, void (*)(void*), void*) = nullptr;

    bool are_there() const { return create && destroy && query && finish && launch_host; }
};

/// Whether a query of the default stream sees work of blocking streams, for which copies on it
/// wait. Neither vendor's documents say so; a function that waits in such a stream tells. False if
/// other work is pending.
bool query_sees_blocking_streams(const StreamFunctions& driver);

}  // namespace aureole::drivers
