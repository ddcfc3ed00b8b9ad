// SPDX-License-Identifier: Apache-2.0
// What the host pays for what it asks of a device: bench_device [host|clocked|gpu...]. Prints JSON:
// microseconds of the host for one request to an idle queue, and for each of a train of 100,
// medians of 51. Built on request.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "device/bench/nothing.hpp"
#include "device/buffer.hpp"
#include "device/copy.hpp"
#include "device/graph.hpp"
#include "device/launch.hpp"
#include "device/open.hpp"

namespace {

using namespace aureole::device;
using Clock = std::chrono::steady_clock;

constexpr int rounds = 51, train = 100;

double median(std::vector<double> times) {
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

/// A host that takes 5 µs for a launch, with two queues served at a time.
Device clocked() {
    return Device::host({.threads = 1, .clocked = {.at_once = 2, .per_launch = 5e-6}});
}

class Bench {
  public:
    explicit Bench(Device device) : device_(device), queue_(device_), other_(device_) {}

    void run(const std::string& name) {
        std::printf("\"%s\": {\n  \"description\": \"%s\"", name.c_str(),
                    device_.description().c_str());
        measure("launch", [&] { launch(); });
        measure("launch and event", [&] { launch(), last_ = queue_.record(); });
        measure("event", [&] { last_ = queue_.record(); });
        measure("question", [&] { static_cast<void>(last_.ready()); });
        measure(
            "wait for another queue", [&] { queue_.wait(last_); },
            [&] { last_ = other_.record(); });
        measure("call of the host", [&] { queue_.call([](void*) {}, nullptr); });
        measure("memory of 1 MB", [&] { Buffer<double>(queue_, 1 << 17); });
        Buffer<double> from(queue_, 512), to(queue_, 512);
        fill(queue_, from.view(), 0.0);
        measure("copy of 4 kB", [&] { copy(queue_, to.view(), from.view()); });
        for (const int nodes : {1, 10, 40}) {
            const Graph graph = Graph::capture(queue_, [&] {
                for (int k = 0; k < nodes; ++k) launch();
            });
            measure(
                "node of a graph of " + std::to_string(nodes), [&] { graph.replay(queue_); }, {},
                nodes);
        }
        std::printf("\n}");
    }

  private:
    void launch() { parallel_for(queue_, "nothing", 1, bench::Nothing{}); }

    /// Time of the host until `request` has returned, and of each of a train, by `parts`.
    void measure(const std::string& name, const std::function<void()>& request,
                 const std::function<void()>& before = {}, int parts = 1) {
        std::vector<double> single, each;
        for (int round = -3; round < rounds; ++round) {
            for (const int count : {1, train}) {
                if (before) before();
                queue_.synchronize(), other_.synchronize();
                const auto begin = Clock::now();
                for (int k = 0; k < count; ++k) request();
                const std::chrono::duration<double, std::micro> time = Clock::now() - begin;
                if (round >= 0)
                    (count == 1 ? single : each).push_back(time.count() / count / parts);
            }
        }
        queue_.synchronize();
        std::printf(",\n  \"%s\": {\"single\": %.4g, \"train\": %.4g}", name.c_str(),
                    median(single), median(each));
    }

    Device device_;
    Queue queue_, other_;
    Event last_;
};

}  // namespace

int main(int count, char** words) {
    std::vector<std::string> names(words + 1, words + count);
    if (names.empty()) {
        names = {"host", "clocked"};
        for (const DeviceInfo& row : list_devices())
            if (row.name != "host" && row.available) names.push_back(row.name);
    }
    std::printf("{\n");
    try {
        for (const std::string& name : names) {
            if (&name != names.data()) std::printf(",\n");
            Bench(name == "clocked" ? clocked() : open({.name = name, .threads = 1}, 1)).run(name);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_device: %s\n", error.what());
        return 1;
    }
    std::printf("\n}\n");
}
