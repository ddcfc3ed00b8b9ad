// SPDX-License-Identifier: Apache-2.0
#include "device/tuner.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>

namespace aureole::device {

Tuner::Tuner(std::vector<int> candidates, TunerOptions options)
    : candidates_(std::move(candidates)), options_(options), times_(candidates_.size()) {
    if (candidates_.empty() || options_.samples < 1)
        throw std::logic_error("a Tuner needs at least one candidate and one sample");
    if (candidates_.size() == 1) fix(candidates_[0]);
}

Tuner::Choice Tuner::next() {
    if (fixed_) return {best(), best_, false};
    if (!sweeping_ && options_.rescan_after > 0 && launches_ >= options_.rescan_after) {
        sweeping_ = true;
        launches_ = 0;
    }
    const auto count = static_cast<std::int64_t>(candidates_.size());
    const std::int64_t launch = launches_++;
    // Rounds over all candidates, so that a slow moment of the machine hits them alike.
    if (sweeping_ && launch < count * options_.samples) {
        const int candidate = static_cast<int>(launch % count);
        return {candidates_[candidate], candidate, true};
    }
    return {best(), best_, false};
}

void Tuner::collect() {
    std::erase_if(pending_, [&](const Pending& sample) {
        if (!sample.stop.ready()) return false;
        report(sample.candidate, seconds_between(sample.start, sample.stop));
        return true;
    });
}

void Tuner::report(int candidate, double seconds) {
    times_[candidate].push_back(seconds);
    const auto complete = [&](const std::vector<double>& t) {
        return t.size() >= static_cast<std::size_t>(options_.samples);
    };
    if (std::all_of(times_.begin(), times_.end(), complete)) decide();
}

void Tuner::decide() {
    std::vector<double> medians;
    for (std::vector<double>& times : times_) {
        const auto middle = times.begin() + times.size() / 2;
        std::nth_element(times.begin(), middle, times.end());
        medians.push_back(*middle);
        times.clear();
    }
    best_ = static_cast<int>(std::min_element(medians.begin(), medians.end()) - medians.begin());
    sweeping_ = false;
    launches_ = 0;
}

std::optional<int> Tuner::index_of(int value) const {
    const auto found = std::find(candidates_.begin(), candidates_.end(), value);
    if (found == candidates_.end()) return {};
    return static_cast<int>(found - candidates_.begin());
}

void Tuner::fix(int value) {
    const std::optional<int> index = index_of(value);
    if (!index) throw std::logic_error("Tuner::fix: not a candidate");
    best_ = *index;
    fixed_ = true;
    sweeping_ = false;
    pending_.clear();
}

void Tuner::recall(int value) {
    const std::optional<int> index = index_of(value);
    if (!index) return;
    best_ = *index;
    sweeping_ = false;
    launches_ = 0;
    pending_.clear();
    for (auto& times : times_) times.clear();
}

TuningCache::TuningCache(std::filesystem::path file) : file_(std::move(file)) { read(); }

// One line per entry: value, space, key to the end of the line. Other lines are passed over.
void TuningCache::read() {
    entries_.clear();
    std::ifstream in(file_);
    for (std::string line; std::getline(in, line);) {
        int value = 0;
        const char* last = line.data() + line.size();
        const auto [end, error] = std::from_chars(line.data(), last, value);
        if (error != std::errc() || last - end < 2 || *end != ' ') continue;
        entries_.emplace_back(std::string(end + 1, last), value);
    }
}

std::optional<int> TuningCache::find(const std::string& key) const {
    for (const auto& [name, value] : entries_)
        if (name == key) return value;
    return {};
}

bool TuningCache::store(const std::string& key, int value) {
    if (key.empty() || key.find('\n') != std::string::npos)
        throw std::logic_error("TuningCache: a key must be one line");
    read();
    std::erase_if(entries_, [&](const auto& entry) { return entry.first == key; });
    entries_.emplace_back(key, value);

    std::error_code ignored;
    if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path(), ignored);
    std::filesystem::path beside = file_;
    beside += "." + std::to_string(getpid());
    {
        std::ofstream out(beside);
        for (const auto& [name, number] : entries_) out << number << ' ' << name << '\n';
        out.flush();
        if (!out) {
            std::filesystem::remove(beside, ignored);
            return false;
        }
    }
    std::error_code failed;
    std::filesystem::rename(beside, file_, failed);
    if (failed) std::filesystem::remove(beside, ignored);
    return !failed;
}

}  // namespace aureole::device
