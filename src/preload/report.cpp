// SPDX-License-Identifier: Apache-2.0
#include "preload/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "drivers/driver.hpp"
#include "preload/abi.hpp"
#include "preload/mpi.hpp"
#include "preload/node.hpp"
#include "preload/settings.hpp"
#include "preload/small_copies.hpp"
#include "preload/thresholds.hpp"

namespace aureole::preload {

void say(const std::string& line) {
    const std::string all = "aureole-mpi: " + line + "\n";
    std::size_t done = 0;
    while (done < all.size()) {
        const auto n = ::write(STDERR_FILENO, all.data() + done, all.size() - done);
        if (n <= 0) return;  // nobody reads it
        done += static_cast<std::size_t>(n);
    }
}

std::string library_version() {
    std::array<char, 16384> version{};  // the standard's own limit is 8192
    int length = 0;
    mpi.get_library_version(version.data(), &length);
    std::string name = version.data();
    name = name.substr(0, name.find_first_of("\n,"));
    std::ranges::replace(name, '\t', ' ');
    const auto end =
        std::unique(name.begin(), name.end(), [](char a, char b) { return a == ' ' && b == ' '; });
    name.erase(end, name.end());
    return name;
}

namespace {

/// Which messages are not, and where their size comes from.
std::string straight(const Allocation& at) {
    if (node().page() == nullptr) return "";
    const Threshold& now = threshold(at);
    if (now.bytes < 0) return " (" + now.from + ")";
    return ", from " + std::to_string(now.bytes) + " bytes on straight to GPUs of the node (" +
           now.from + ")";
}

}  // namespace

void tell_once(const Allocation* first) {
    static std::atomic<bool> is_told = false;
    if (!settings().tells || is_told.exchange(true)) return;
    int rank = 0;
    mpi.comm_rank(abi().comm_world, &rank);
    if (rank != 0) return;
    std::string found;
    for (const auto* slot = drivers::Driver::all(); drivers::Driver* const driver = *slot; ++slot)
        found += std::string(found.empty() ? "" : " and ") + driver->name() +
                 " (devices: " + std::to_string(driver->devices()) + ")";
    say(library_version() + " (" + library_path() + "); " +
        (settings().is_off  ? "off"
         : first != nullptr ? found + "; buffers in device memory are copied through the host" +
                                  processors_way(*first) + straight(*first) +
                                  (is_checking ? "; calls are checked" : "")
         : found.empty() ? "rank 0 has loaded no driver of GPUs"
                         : "rank 0 passed no buffer in device memory"));
    if (first != nullptr && node().page() != nullptr && !threshold(*first).problem.empty())
        say(threshold(*first).problem);
}

namespace {

thread_local const char* call_outside = nullptr;

}  // namespace

CallInside::CallInside(const char* of) { call_outside = of; }
CallInside::~CallInside() { call_outside = nullptr; }

int raise(const Scope& scope, int code) {
    if (scope.kind == Scope::Kind::file)
        mpi.file_call_errhandler(scope.handle, code);
    else if (scope.kind == Scope::Kind::window)
        mpi.win_call_errhandler(scope.handle, code);
    else
        mpi.comm_call_errhandler(scope.handle != 0 ? scope.handle : abi().comm_world, code);
    return code;
}

int fail(const char* call, const Scope& scope, const std::string& why) {
    int rank = 0;
    mpi.comm_rank(abi().comm_world, &rank);
    say("rank " + std::to_string(rank) + ": " + (call_outside != nullptr ? call_outside : call) +
        ": " + why);
    return raise(scope, abi().error_other);
}

int fail(const char* call, const Scope& scope, const std::exception& why) {
    if (const auto* const error = dynamic_cast<const MpiError*>(&why))
        return raise(scope, error->code());
    return fail(call, scope, std::string(why.what()));
}

int refuse(const char* call, const Scope& scope, const char* what_to_do) {
    return fail(call, scope, std::string("this call cannot take device memory. ") + what_to_do);
}

}  // namespace aureole::preload
