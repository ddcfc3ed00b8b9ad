// SPDX-License-Identifier: Apache-2.0
#include "device/host/device.hpp"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "core/error.hpp"
#include "device/host/alarm.hpp"
#include "device/host/clocked_queue.hpp"
#include "device/host/hostile_queue.hpp"
#include "device/host/queue.hpp"
#include "device/threads/cpu_limits.hpp"

namespace aureole::device::host {

namespace {

/// How many threads take part in runs, for tests and measurements; 0 lets the pool choose.
int active_threads() {
    const char* text = std::getenv("AUREOLE_ACTIVE_THREADS");
    if (text == nullptr) return 0;
    const std::string_view words(text);
    int count = 0;
    const auto read = std::from_chars(words.data(), words.data() + words.size(), count);
    if (read.ec != std::errc() || read.ptr != words.data() + words.size() || count < 0)
        throw core::InputError("AUREOLE_ACTIVE_THREADS is \"" + std::string(words) + "\"",
                               "it must be a number of threads",
                               "Set it to 0, or unset it, to let the run choose.");
    return count;
}

}  // namespace

HostDevice::HostDevice(const HostOptions& options)
    : DeviceState(Backend::host), clocked(options.clocked), next_seed_(options.hostile_seed) {
    pool = std::make_unique<ThreadPool>(options.threads, options.pin && !options.hostile);
    pool->fix_active(active_threads());
    hostile = options.hostile;
    team_threads = options.team_threads;
    if (hostile) arena = std::make_unique<Arena>();
    if (clocked.at_once > 0) {
        turns = std::make_unique<Turns>(clocked.at_once);
        alarm = std::make_unique<Alarm>();
    }
}

HostDevice::~HostDevice() = default;

std::string HostDevice::description() const {
    const int threads = pool->size();
    return cpu_name() + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads") +
           (hostile ? ", hostile mode"
            : turns ? ", clocked mode"
                    : "");
}

std::shared_ptr<detail::QueueState> HostDevice::make_queue(QueueOptions options) {
    const int threads = options.threads;
    if (hostile) return std::make_shared<HostileQueue>(shared_from_this(), threads, next_seed_++);
    if (turns) return std::make_shared<ClockedQueue>(shared_from_this(), threads);
    return std::make_shared<ImmediateQueue>(shared_from_this(), threads);
}

void HostDevice::open_memory() {
    if (arena) arena->open();
}

void HostDevice::close_memory() noexcept {
    if (arena) arena->close();
}

std::shared_ptr<detail::DeviceState> make_device(HostOptions options) {
    if (options.threads < 0 || options.threads > 4096)
        throw core::InputError(std::to_string(options.threads) + " threads",
                               "the number must be from 1 to 4096",
                               "Give 0 to use all that the machine allows.");
    if (options.team_threads < 0 ||
        (options.team_threads > 0 && !std::has_single_bit(unsigned(options.team_threads))))
        throw core::InputError(std::to_string(options.team_threads) + " threads per team",
                               "the number must be a power of two", "Give 0 for the default.");
    const bool clocked = options.clocked.at_once > 0;
    if (clocked && options.hostile)
        throw core::InputError("a host that is hostile and clocked", "it can be one of them",
                               "Drop one of the options.");
    const char* hostile = std::getenv("AUREOLE_HOSTILE");
    if (hostile && !clocked && std::string_view(hostile) == "1") options.hostile = true;
    if (options.threads == 0) options.threads = usable_threads();
    if (options.team_threads == 0) options.team_threads = options.hostile ? options.threads : 1;
    return std::make_shared<HostDevice>(options);
}

}  // namespace aureole::device::host
