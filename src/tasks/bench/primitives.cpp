// SPDX-License-Identifier: Apache-2.0
// What the primitives of the layer cost, beside oneTBB's where it is installed. Prints JSON: ns per
// item, medians of 9, of which ours and theirs take turns. Built on request: bench_tasks.
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/wait.hpp"
#include "tasks/pool.hpp"

#if __has_include(<tbb/task_group.h>)
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#define HAS_TBB 1
#else
#define HAS_TBB 0
#endif

namespace {

using namespace aureole;
using namespace aureole::tasks;
using Seconds = std::chrono::duration<double>;

constexpr int rounds = 9;

double median(std::vector<double> times) {
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

/// Processor time of this thread [s]: other programs do not count.
double used() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

template <class F>
double ns_per(std::int64_t items, F&& f) {
    const double begin = used();
    f();
    return (used() - begin) * 1e9 / double(items);
}

/// An event that is reached when somebody says so.
struct Flag final : device::detail::EventState {
    bool ready() const override { return reached.load(std::memory_order_acquire); }
    void wait() const override {}
    double seconds_since(const EventState&) const override { return 0; }
    std::atomic<bool> reached{false};
};

void print(const char* name, double ours, double theirs) {
    std::printf("  \"%s\": {\"ours\": %.1f, \"tbb\": ", name, ours);
    if (theirs > 0)
        std::printf("%.1f, \"ratio\": %.2f},\n", theirs, ours / theirs);
    else
        std::printf("null},\n");
}

/// Runs ours and theirs in turns, after one of each to warm up.
void compare(const char* name, const std::function<double()>& ours,
             const std::function<double()>& theirs) {
    std::vector<double> a, b;
    for (int round = 0; round <= rounds; ++round) {
        const double mine = ours(), other = theirs ? theirs() : 0;
        if (round > 0) a.push_back(mine), b.push_back(other);
    }
    print(name, median(a), median(b));
}

std::atomic<long> sink{0};
long touched = 0;  // plain: what a task does must cost next to nothing

void spawn_and_join(Pool& pool, int threads) {
    constexpr int batch = 1000, batches = 1000;
    const auto ours = [&] {
        double ns = 0;
        pool.run([&](Scope& scope) {
            ns = ns_per(batch * batches, [&] {
                for (int k = 0; k < batches; ++k) {
                    for (int i = 0; i < batch; ++i) scope.spawn("item", [] {});
                    scope.join();
                }
            });
        });
        return ns;
    };
    std::function<double()> theirs;
#if HAS_TBB
    tbb::task_arena arena(threads);
    theirs = [&] {
        double ns = 0;
        arena.execute([&] {
            tbb::task_group group;
            ns = ns_per(batch * batches, [&] {
                for (int k = 0; k < batches; ++k) {
                    for (int i = 0; i < batch; ++i) group.run([] {});
                    group.wait();
                }
            });
        });
        return ns;
    };
    compare(("spawn and join, " + std::to_string(threads)).c_str(), ours, theirs);
#else
    compare(("spawn and join, " + std::to_string(threads)).c_str(), ours, theirs);
#endif
}

void futures(Pool& pool, int threads) {
    constexpr int batch = 1000, batches = 300;
    const auto polled = [&] {
        double ns = 0;
        auto flag = std::make_shared<Flag>();
        flag->reached = true;
        const device::Event event(flag);
        pool.run([&](Scope& scope) {
            ns = ns_per(batch * batches, [&] {
                for (int k = 0; k < batches; ++k) {
                    for (int i = 0; i < batch; ++i)
                        static_cast<void>(pool.poller().when(event, i % 8).then([] { ++touched; }));
                    scope.join();
                }
            });
        });
        return ns;
    };
    const auto ready = [&] {
        double ns = 0;
        pool.run([&](Scope& scope) {
            ns = ns_per(batch * batches, [&] {
                for (int k = 0; k < batches; ++k) {
                    for (int i = 0; i < batch; ++i)
                        static_cast<void>(
                            pool.poller().when(device::Event(), i % 8).then([] { ++touched; }));
                    scope.join();
                }
            });
        });
        return ns;
    };
    std::function<double()> chain;
#if HAS_TBB
    tbb::task_arena arena(threads);
    chain = [&] {  // a chain of nodes, each of which continues the one before
        double ns = 0;
        arena.execute([&] {
            using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
            tbb::flow::graph graph;
            std::deque<Node> nodes;
            for (int i = 0; i < batch; ++i) {
                nodes.emplace_back(graph, [](const tbb::flow::continue_msg&) { ++touched; });
                if (i > 0) tbb::flow::make_edge(nodes[i - 1], nodes[i]);
            }
            ns = ns_per(batch * batches, [&] {
                for (int k = 0; k < batches; ++k) {
                    nodes[0].try_put(tbb::flow::continue_msg());
                    graph.wait_for_all();
                }
            });
        });
        return ns;
    };
#endif
    const std::string with = ", " + std::to_string(threads);
    compare(("event that was reached, continued" + with).c_str(), ready, chain);
    compare(("event asked for, continued" + with).c_str(), polled, chain);
    compare(("coroutine" + with).c_str(),
            [&] {
                double ns = 0;
                pool.run([&](Scope& scope) {
                    ns = ns_per(batch * batches, [&] {
                        for (int k = 0; k < batches; ++k) {
                            for (int i = 0; i < batch; ++i)
                                scope.spawn("coroutine", []() -> Task<void> { co_return; }());
                            scope.join();
                        }
                    });
                });
                return ns;
            },
            nullptr);
}

void visits(Pool& pool) {
    constexpr int lanes = 128, pending = 100000;
    std::vector<double> times;
    std::int64_t most = 0;
    auto flag = std::make_shared<Flag>();
    pool.run([&](Scope&) {
        Worker& worker = *Worker::here();
        for (int k = 0; k < pending; ++k)
            static_cast<void>(pool.poller().when(device::Event(flag), k % lanes));
        pool.poller().visit(worker);  // sorts in
        for (int k = 0; k < 2000; ++k) {
            const auto before = pool.poller().asked();
            times.push_back(ns_per(1, [&] { pool.poller().visit(worker); }));
            most = std::max(most, pool.poller().asked() - before);
        }
        flag->reached = true;
    });
    std::printf("  \"visit of 100000 futures on 128 lanes\": {\"ns\": %.0f, \"asked\": %ld},\n",
                median(times), static_cast<long>(most));
}

/// Time from an event to its continuation while all workers have nothing else to do.
void latency(Pool& pool) {
    std::vector<double> times;
    std::shared_ptr<Flag> flag;
    std::atomic<Flag*> next{nullptr};
    Clock::time_point reached;
    std::atomic<bool> stop{false};
    std::thread device([&] {
        while (!stop) {
            Flag* wanted = next.exchange(nullptr);
            if (!wanted) continue;
            const auto at = Clock::now() + std::chrono::microseconds(300);
            while (Clock::now() < at) core::relax();
            reached = Clock::now();
            wanted->reached.store(true, std::memory_order_release);
        }
    });
    pool.run([&](Scope&) -> Task<void> {
        for (int k = 0; k < 500; ++k) {
            flag = std::make_shared<Flag>();
            Future<void> future = pool.poller().when(device::Event(flag), 0);
            next = flag.get();
            co_await future;
            times.push_back(Seconds(Clock::now() - reached).count() * 1e6);
        }
    });
    stop = true;
    device.join();
    std::printf("  \"event to continuation, us\": %.1f,\n", median(times));
}

/// Processor time of a pool whose only task sleeps.
void idle(Pool& pool) {
    double used = 0;
    pool.run([&](Scope&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        const auto begin = std::clock();
        std::this_thread::sleep_for(std::chrono::seconds(10));
        used = double(std::clock() - begin) / CLOCKS_PER_SEC / 10;
    });
    std::printf("  \"idle, of one core\": %.5f,\n", used);
}

}  // namespace

int main() {
    std::printf("{\n");
    for (const int threads : {1, 2}) {
#if HAS_TBB
        const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
#endif
        Pool pool(device::Device::host({.threads = threads}));
        spawn_and_join(pool, threads);
        futures(pool, threads);
    }
    Pool one(device::Device::host({.threads = 1}));
    visits(one);
    latency(one);
    if (std::getenv("AUREOLE_BENCH_IDLE")) {
        Pool pool(device::Device::host({.threads = 4}));
        idle(pool);
    }
    std::printf("  \"tbb\": %s\n}\n", HAS_TBB ? "true" : "false");
}
