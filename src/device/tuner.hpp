// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/queue.hpp"

namespace aureole::device {

struct TunerOptions {
    /// Launches timed per candidate; their median counts.
    int samples = 5;
    /// Launches from one sweep to the next, as the best choice drifts with the system; 0: never.
    std::int64_t rescan_after = 20'000;
};

/// Finds the fastest value of one launch parameter (lanes per particle, chunk size) while the
/// program does its work: sweeps over the candidates during real launches, compares medians of
/// their times, keeps the best, and looks again now and then. Never waits for the device.
/// (Sec. 5.2 of Glaser et al., Comput. Phys. Commun. 192 (2015) 97.)
class Tuner {
  public:
    /// The first candidate is used until the first sweep has ended. At least one is needed.
    explicit Tuner(std::vector<int> candidates, TunerOptions options = {});

    /// Calls enqueue(value), timed if a sweep is going on.
    template <class F>
    void launch(Queue& queue, F&& enqueue) {
        collect();
        const Choice choice = next();
        if (!choice.timed) return void(std::forward<F>(enqueue)(choice.value));
        const Event start = queue.record(Timing::yes);
        std::forward<F>(enqueue)(choice.value);
        pending_.push_back({choice.candidate, start, queue.record(Timing::yes)});
    }

    /// Parts of launch(), for callers that measure in another way: next() gives the value to launch
    /// with and says whether to time it, report() takes the time. Reports may come in any order,
    /// with later launches between.
    struct Choice {
        int value;
        int candidate;
        bool timed;
    };
    Choice next();
    void report(int candidate, double seconds);

    /// The best value known.
    int best() const { return candidates_[best_]; }
    /// Whether no sweep is going on.
    bool settled() const { return !sweeping_; }

    /// Keeps to one value from now on: reproducible runs cannot follow times. Throws
    /// std::logic_error if it is no candidate.
    void fix(int value);
    /// Starts from a value found earlier, if it is a candidate; the next sweep comes as planned.
    void recall(int value);

  private:
    struct Pending {
        int candidate;
        Event start, stop;
    };

    void collect();
    void decide();
    std::optional<int> index_of(int value) const;

    std::vector<int> candidates_;
    TunerOptions options_;
    int best_ = 0;
    bool sweeping_ = true;
    bool fixed_ = false;
    std::int64_t launches_ = 0;  ///< since the sweep began or ended
    std::vector<Pending> pending_;
    std::vector<std::vector<double>> times_;  ///< [candidate] seconds
};

/// Tuned values kept on disk between runs. The key names kernel, device and size of problem.
/// A file that is missing or damaged is an empty cache.
class TuningCache {
  public:
    explicit TuningCache(std::filesystem::path file);

    std::optional<int> find(const std::string& key) const;
    /// Written beside and renamed, joined with what other processes have stored meanwhile. False
    /// if the file cannot be written: a run does not fail for that.
    bool store(const std::string& key, int value);

  private:
    void read();

    std::filesystem::path file_;
    std::vector<std::pair<std::string, int>> entries_;
};

}  // namespace aureole::device
