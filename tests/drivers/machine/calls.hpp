// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

namespace aureole::emulated {

/// A function of a driver, known by its number; a `static` object where it is entered.
class Function {
  public:
    explicit Function(const char* name);

    int number;
};

/// A call needs before it: nothing, an initialised driver, or one that it initialises itself.
enum class Needs { nothing, driver, opening };

/// How far the process is. A child that was forked from one that used the driver may not use it.
enum class Phase : int { closed, open, open_and_failing, forked };

/// Counts of one thread, which it alone writes.
constexpr std::size_t most_functions = 1024;
struct CallTable {
    std::array<std::atomic<long>, most_functions> calls{};

    void add(int function) {
        auto& count = calls[static_cast<std::size_t>(function)];
        count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
};

extern std::atomic<Phase> phase;
extern __attribute__((tls_model("initial-exec"))) constinit thread_local CallTable* own_calls;
int enter_slowly(const Function& function, Needs needs);

/// Counts a call. The result is not zero if the call is to fail: because the driver was not
/// initialised, the process was forked from one that had initialised it, or a setting says so.
inline int enter(const Function& function, Needs needs = Needs::driver) {
    CallTable* const table = own_calls;
    if (!table || phase.load(std::memory_order_acquire) != Phase::open) [[unlikely]]
        return enter_slowly(function, needs);
    table->add(function.number);
    return 0;
}

/// From here on `enter` lets calls through that need the driver; in a forked child, an error.
int open_driver();
bool forked();

enum class Direction { host_to_host, host_to_device, device_to_host, device_to_device };
void count_copy(Direction direction, std::size_t bytes);

/// Number of calls of a function, of all (`*`), or of copies and bytes of a direction
/// (`copies:host_to_device`, `bytes:host_to_device`); -1 if there is no such name.
long count_of(const std::string& name);

}  // namespace aureole::emulated
