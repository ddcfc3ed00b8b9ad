// SPDX-License-Identifier: Apache-2.0
#include "machine/calls.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "machine/contexts.hpp"
#include "machine/memory.hpp"
#include "machine/settings.hpp"
#include "machine/status.hpp"

namespace aureole::emulated {

std::atomic<Phase> phase{Phase::closed};
__attribute__((tls_model("initial-exec"))) constinit thread_local CallTable* own_calls = nullptr;

namespace {

struct Registry {
    std::mutex mutex;
    std::map<std::string, int> numbers;
    std::vector<std::string> names;
    std::vector<CallTable*> tables;
    CallTable past;                             // sums of threads that have ended
    std::array<std::atomic<long>, 8> copies{};  // number and bytes of each direction
};

Registry& registry() {
    static auto* only = new Registry;  // never destroyed: used during exit
    return *only;
}

struct Leaving {  // adds the counts of a thread that ends to the sums
    ~Leaving() {
        if (!own_calls) return;
        auto& all = registry();
        const std::lock_guard lock(all.mutex);
        for (std::size_t k = 0; k < most_functions; ++k) all.past.calls[k] += own_calls->calls[k];
        std::erase(all.tables, own_calls);
        delete own_calls;
        own_calls = nullptr;
    }
};

CallTable& begin_table() {
    static thread_local Leaving leaving;
    auto* table = new CallTable;
    auto& all = registry();
    const std::lock_guard lock(all.mutex);
    all.tables.push_back(table);
    own_calls = table;
    return *table;
}

/// Functions of the runtime API over the driver are asked for by name only.
bool counts_as_driver(const std::string& name) { return name.rfind("cuda", 0) != 0; }

/// Calls that each failure setting has seen.
std::vector<std::atomic<long>>& seen_by_failures() {
    static auto* seen = new std::vector<std::atomic<long>>(settings().failures.size());
    return *seen;
}

int failure_of(int number) {
    auto& all = registry();
    std::string name;
    {
        const std::lock_guard lock(all.mutex);
        name = all.names[number];
    }
    const auto& failures = settings().failures;
    for (std::size_t k = 0; k < failures.size(); ++k) {
        const bool any = failures[k].function == "*" && counts_as_driver(name);
        if (!any && failures[k].function != name) continue;
        if (seen_by_failures()[k].fetch_add(1) + 1 == failures[k].call) return failures[k].code;
    }
    return success;
}

long sum(const Registry& all, int number) {
    long total = all.past.calls[number];
    for (const CallTable* table : all.tables) total += table->calls[number];
    return total;
}

void forget_parent() {
    if (phase == Phase::closed) return;
    phase = Phase::forked;
    auto& all = registry();  // the lock may have been held by a thread that does not exist here
    new (&all.mutex) std::mutex;
    for (auto& count : all.past.calls) count = 0;
    for (CallTable* table : all.tables)
        for (auto& count : table->calls) count = 0;
    for (auto& count : all.copies) count = 0;
}

constexpr std::array direction_names = {"host_to_host", "host_to_device", "device_to_host",
                                        "device_to_device"};

std::string report() {
    auto& all = registry();
    std::string calls;
    {
        const std::lock_guard lock(all.mutex);
        for (const auto& [name, number] : all.numbers)
            if (const long n = sum(all, number))
                calls += (calls.empty() ? "" : ",") + ("\"" + name + "\":" + std::to_string(n));
    }
    if (calls.empty()) return {};
    std::string copies;
    std::string bytes;
    for (std::size_t k = 0; k < 4; ++k) {
        const std::string key = std::string(k ? "," : "") + "\"" + direction_names[k] + "\":";
        copies += key + std::to_string(all.copies[k]);
        bytes += key + std::to_string(all.copies[k + 4]);
    }
    return "{\"pid\":" + std::to_string(getpid()) + ",\"calls\":{" + calls + "},\"copies\":{" +
           copies + "},\"bytes\":{" + bytes + "},\"mappings\":" + std::to_string(open_mappings()) +
           "}\n";
}

__attribute__((destructor)) void write_log() {
    if (phase == Phase::closed || settings().log.empty()) return;
    const std::string line = report();
    if (line.empty()) return;
    const int file =
        ::open(settings().log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) return;
    if (::write(file, line.data(), line.size()) < 0) return;
    ::close(file);
}

}  // namespace

Function::Function(const char* name) {
    auto& all = registry();
    const std::lock_guard lock(all.mutex);
    const auto [found, added] = all.numbers.emplace(name, static_cast<int>(all.names.size()));
    if (added) all.names.emplace_back(name);
    number = found->second;
}

int enter_slowly(const Function& function, Needs needs) {
    (own_calls ? *own_calls : begin_table()).add(function.number);
    const Phase now = phase;
    if (now == Phase::open) return success;
    if (now == Phase::open_and_failing) return failure_of(function.number);
    if (needs == Needs::driver) return not_initialized;
    if (now == Phase::closed && !settings().failures.empty())
        if (const int code = failure_of(function.number)) return code;
    return needs == Needs::opening ? open_driver() : success;
}

int open_driver() {
    if (phase == Phase::forked) return not_initialized;
    if (device_count() == 0) return no_device;
    static const bool watching = [] {
        pthread_atfork(nullptr, nullptr, forget_parent);
        return true;
    }();
    (void)watching;
    auto expected = Phase::closed;
    const bool failing = !settings().failures.empty();
    phase.compare_exchange_strong(expected, failing ? Phase::open_and_failing : Phase::open);
    return success;
}

bool forked() { return phase == Phase::forked; }

void count_copy(Direction direction, std::size_t bytes) {
    auto& copies = registry().copies;
    const auto k = static_cast<std::size_t>(direction);
    copies[k].fetch_add(1, std::memory_order_relaxed);
    copies[k + 4].fetch_add(static_cast<long>(bytes), std::memory_order_relaxed);
}

long count_of(const std::string& name) {
    auto& all = registry();
    const std::lock_guard lock(all.mutex);
    for (std::size_t k = 0; k < 4; ++k) {
        if (name == std::string("copies:") + direction_names[k]) return all.copies[k];
        if (name == std::string("bytes:") + direction_names[k]) return all.copies[k + 4];
    }
    if (name == "*") {
        long total = 0;
        for (const auto& [each, number] : all.numbers)
            if (counts_as_driver(each)) total += sum(all, number);
        return total;
    }
    const auto found = all.numbers.find(name);
    if (found != all.numbers.end()) return sum(all, found->second);
    return name.rfind("cu", 0) == 0 || name.rfind("hip", 0) == 0 ? 0 : -1;
}

}  // namespace aureole::emulated
