// SPDX-License-Identifier: Apache-2.0
#include "tasks/bench/sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <tuple>
#include <vector>

#include "core/wait.hpp"
#include "tasks/executors.hpp"

namespace aureole::tasks::bench {

namespace {

constexpr int subgrids = 128, stages = 3, kernels = 5, rounds = 5;
constexpr auto host_work = std::chrono::microseconds(20);  ///< of a sub-grid and stage
constexpr double per_launch = 8e-6;                        ///< [s]
using Seconds = std::chrono::duration<double>;

struct Nothing {
    void operator()(std::int64_t) const {}
};

struct Row {
    Notice notice;
    int executors, most, workers;
    double seconds = 0;
    std::int64_t launches = 0;
    double mean_batch = 0;

    /// Lower bound of the time: the host's work divided among the workers, or the launches if all
    /// batches were full, whichever is longer.
    double ideal() const {
        const double items = double(subgrids) * stages;
        return std::max(items * Seconds(host_work).count() / workers,
                        items * kernels * per_launch / (double(executors) * most));
    }
};

/// The stages that are left of a sub-grid.
void advance(Executors& executors, int left) {
    if (left == 0) return;
    for (const auto end = Clock::now() + host_work; Clock::now() < end;) core::relax();
    const auto make = [](std::byte*) {
        const Kernel<Nothing> one{"kernel", 1, {}};
        return std::tuple(one, one, one, one, one);
    };
    static_cast<void>(executors.submit("stage", 0, make).then([&executors, left] {
        advance(executors, left - 1);
    }));
}

/// The time of each run, one after the other by all rows, so that noise meets all alike.
void measure(std::vector<Row>& rows) {
    std::vector<std::vector<double>> times(rows.size());
    for (int round = 0; round <= rounds; ++round)
        for (std::size_t k = 0; k < rows.size(); ++k) {
            Row& row = rows[k];
            device::Device device = device::Device::host(
                {.threads = 1,
                 .pin = false,
                 .clocked = {.at_once = row.executors, .per_launch = per_launch}});
            Pool pool(device::Device::host({.threads = row.workers}));
            Executors executors(pool, device, {row.executors, row.most, row.notice});
            const auto begin = Clock::now();
            pool.run([&](Scope& scope) {
                for (int n = 0; n < subgrids; ++n)
                    scope.spawn("sub-grid", [&] { advance(executors, stages); });
            });
            if (round > 0) times[k].push_back(Seconds(Clock::now() - begin).count());
            const auto counts = executors.counts();
            row.launches = counts.queues.launches;
            row.mean_batch = double(counts.items) / double(counts.batches);
        }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        auto& all = times[k];
        std::nth_element(all.begin(), all.begin() + rounds / 2, all.end());
        rows[k].seconds = all[rounds / 2];
    }
}

}  // namespace

void print_sweep() {
    std::vector<Row> rows;
    for (const int workers : {1, 2})
        for (const int executors : {1, 8, 32})
            for (const int most : {1, 8, 64})
                for (const Notice notice : {Notice::poll, Notice::callback, Notice::wait})
                    rows.push_back({notice, executors, most, workers});
    measure(rows);
    constexpr const char* names[] = {"poll", "callback", "wait"};
    std::printf("  \"poll against wait\": [");
    for (const Row& row : rows)
        std::printf(
            "%s\n    {\"notice\": \"%s\", \"executors\": %d, \"most\": %d, \"workers\": %d, "
            "\"seconds\": %.6f, \"ideal\": %.6f, \"launches\": %ld, \"mean_batch\": %.2f}",
            &row == rows.data() ? "" : ",", names[static_cast<int>(row.notice)], row.executors,
            row.most, row.workers, row.seconds, row.ideal(), static_cast<long>(row.launches),
            row.mean_batch);
    std::printf("\n  ],\n");
}

}  // namespace aureole::tasks::bench
