// SPDX-License-Identifier: Apache-2.0
#include "device/host/alarm.hpp"

#include <utility>

namespace aureole::device::host {

Alarm::~Alarm() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Alarm::add(Clock::time_point due, std::function<void()> f) {
    {
        const std::lock_guard lock(mutex_);
        calls_.emplace(due, std::move(f));
        if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    }
    changed_.notify_one();
}

void Alarm::work() {
    std::unique_lock lock(mutex_);
    while (!stop_ || !calls_.empty()) {
        if (calls_.empty()) {
            changed_.wait(lock);
        } else if (const auto due = calls_.begin()->first; Clock::now() < due) {
            changed_.wait_until(lock, due);
        } else {
            const auto f = std::move(calls_.extract(calls_.begin()).mapped());
            lock.unlock();
            f();
            lock.lock();
        }
    }
}

}  // namespace aureole::device::host
