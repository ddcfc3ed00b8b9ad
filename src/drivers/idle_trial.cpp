// SPDX-License-Identifier: Apache-2.0
#include "drivers/idle_trial.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace aureole::drivers {

namespace {

constexpr int not_ready = 600;
constexpr void* default_stream = nullptr;

/// Holds up a stream until it is opened, for at most a second.
struct Gate {
    std::thread::id launcher = std::this_thread::get_id();
    std::atomic<bool> is_open = false;
    std::atomic<bool> runs_at_once = false;

    static void wait(void* gate) {
        auto& self = *static_cast<Gate*>(gate);
        if (std::this_thread::get_id() == self.launcher) {
            self.runs_at_once = true;  // a driver without streams, in which all work is done
            return;
        }
        using namespace std::chrono_literals;
        for (int k = 0; k < 20'000 && !self.is_open; ++k) std::this_thread::sleep_for(50us);
    }
};

}  // namespace

bool query_sees_blocking_streams(const StreamFunctions& driver) {
    if (!driver.are_there() || driver.finish(default_stream) != 0) return false;
    if (driver.query(default_stream) != 0) return false;
    void* stream = nullptr;
    if (driver.create(&stream, 0) != 0) return false;
    auto gate = std::make_unique<Gate>();
    const bool is_launched = driver.launch_host(stream, Gate::wait, gate.get()) == 0;
    const bool is_seen = is_launched && driver.query(default_stream) == not_ready;
    const bool runs_at_once = gate->runs_at_once;
    gate->is_open = true;
    if (driver.finish(stream) != 0) static_cast<void>(gate.release());  // it may still be called
    driver.destroy(stream);
    return is_launched && (is_seen || runs_at_once);
}

}  // namespace aureole::drivers
