// SPDX-License-Identifier: Apache-2.0
#include "machine/delay.hpp"

#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace aureole::emulated {
namespace {

thread_local long busy_ns = 100000;  // a sleep may take this much too long

}  // namespace

void sleep_exactly() {
    prctl(PR_SET_TIMERSLACK, 1000);
    busy_ns = 15000;
}

long now_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

void pause_until(long ns) {
    if (const long left = ns - busy_ns - now_ns(); left > 0) {
        const timespec time{left / 1000000000, left % 1000000000};
        nanosleep(&time, nullptr);
    }
    while (now_ns() < ns) continue;
}

void pause_for(double us) {
    if (us > 0) pause_until(now_ns() + static_cast<long>(us * 1e3));
}

long reserve_engine(int device, bool to_device, double us) {
    static std::array<std::array<std::atomic<long>, 2>, 64> busy_until{};
    auto& busy = busy_until[static_cast<std::size_t>(device)][to_device ? 1 : 0];
    const long now = now_ns();
    long before = busy.load();
    long end = 0;
    do end = std::max(before, now) + static_cast<long>(us * 1e3);
    while (!busy.compare_exchange_weak(before, end));
    return end;
}

}  // namespace aureole::emulated
