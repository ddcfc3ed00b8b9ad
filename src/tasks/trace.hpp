// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "tasks/job.hpp"

namespace aureole::tasks {

/// Record of which job ran when on which worker, for chrome://tracing or ui.perfetto.dev.
class Trace {
    using Time = std::chrono::steady_clock::time_point;

  public:
    explicit Trace(int workers) : spans_(workers) {}
    /// Adds a span; called by the worker's thread.
    void add(int worker, const char* name, Time begin, Time end) {
        spans_[worker].push_back({name, begin, end});
    }
    /// JSON; between runs.
    std::string json() const;

  private:
    struct Span {
        const char* name;
        Time begin, end;
    };
    std::vector<std::vector<Span>> spans_;
    Time origin_ = std::chrono::steady_clock::now();
};

/// A task's name and where it was started: "gather" (blast.cpp:31).
std::string describe(const Job& job);
/// The first of many lines, and how many more there are.
std::string listed(const std::vector<std::string>& lines);

}  // namespace aureole::tasks
