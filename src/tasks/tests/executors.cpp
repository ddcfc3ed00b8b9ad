// SPDX-License-Identifier: Apache-2.0
#include "tasks/executors.hpp"
#include "tasks/tests/errors.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace aureole::tasks {
namespace {

using device::Device;
using namespace std::chrono_literals;

/// Doubles, then adds its index: by itself neither commutes with the other.
struct Double {
    double* values;
    void operator()(std::int64_t i) const { values[i] *= 2; }
};
struct AddIndex {
    double* values;
    int more;
    void operator()(std::int64_t i) const { values[i] += static_cast<double>(i + more); }
};

enum class Kind { plain, clocked, hostile };

struct Setup {
    Kind kind = Kind::plain;
    int workers = 1;
    ExecutorOptions options;
};
void PrintTo(const Setup& s, std::ostream* out) {
    *out << static_cast<int>(s.kind) << ' ' << s.workers << " workers " << s.options.queues
         << " queues, most " << s.options.most << " notice " << static_cast<int>(s.options.notice);
}

Device device_of(Kind kind, int threads = 1) {
    device::HostOptions options{.threads = threads, .pin = false};
    if (kind == Kind::hostile) options.hostile = true;
    if (kind == Kind::clocked)
        options.clocked = {.at_once = 2, .per_launch = 5e-6, .per_copy = 2e-6};
    return Device::host(options);
}

/// One item: a copy up, two kernels in scratch memory, a copy down.
struct Work {
    static constexpr std::int64_t n = 40;
    device::View<double> values;  ///< pinned
    int number;

    auto operator()(std::byte* scratch) const {
        const device::View<double> there{reinterpret_cast<double*>(scratch), values.size};
        return std::tuple(copy<double>(there, values),
                          Kernel<Double>{"double", values.size, {there.data}},
                          Kernel<AddIndex>{"add", values.size, {there.data, number}},
                          copy<double>(values, there));
    }
    static double expected(int number, std::int64_t i, int rounds) {
        double value = number;
        for (int k = 0; k < rounds; ++k) value = 2 * value + static_cast<double>(i + number);
        return value;
    }
};

class Items : public ::testing::TestWithParam<Setup> {
  protected:
    static constexpr int count = 67;
    Device device = device_of(GetParam().kind);
    Pool pool{Device::host({.threads = GetParam().workers, .pin = false})};
    Executors executors{pool, device, GetParam().options};
    device::Queue queue{device};
    device::Buffer<double> values{queue, count* Work::n, device::Resource::pinned};

    /// Values of item k. Lengths differ, so that a loop of a launch is not known by its place.
    device::View<double> of(int k) { return values.view().part(k * Work::n, Work::n - k % 7); }
    void start() {
        for (int k = 0; k < count; ++k)
            for (double& value : of(k)) value = k;
    }
    void check(int rounds) {
        for (int k = 0; k < count; ++k)
            for (std::int64_t i = 0; i < of(k).size; ++i)
                ASSERT_EQ(of(k)[i], Work::expected(k, i, rounds)) << k << ' ' << i;
    }
    /// A chain of items for each part of the values.
    void chain(int k, int rounds) {
        if (rounds > 0)
            static_cast<void>(executors.submit("item", Work::n * sizeof(double), Work{of(k), k})
                                  .then([this, k, rounds] { chain(k, rounds - 1); }));
    }
    void run(int rounds) {
        pool.run([&](Scope& scope) {
            for (int k = 0; k < count; ++k)
                scope.spawn("chain", [this, k, rounds] { chain(k, rounds); });
        });
    }
};

TEST_P(Items, AreComputedAsIfAlone) {
    constexpr int rounds = 3;
    start();
    run(rounds);
    check(rounds);
    const auto counts = executors.counts();
    EXPECT_EQ(counts.items, rounds * count);
    EXPECT_EQ(counts.queues.copies, 2 * rounds * count);
    EXPECT_EQ(counts.queues.launches, 2 * counts.batches);
    EXPECT_LE(counts.batches, counts.items);
    EXPECT_GE(counts.batches * GetParam().options.most, counts.items);
    if (GetParam().kind == Kind::plain && !device.hostile()) {
        EXPECT_EQ(counts.batches, counts.items);
    }
}

TEST_P(Items, AllocateNothingOnceAllHasBeenUsed) {
    pool.run([&](Scope& scope) {
        for (int k = 0; k < count * 4; ++k)
            scope.spawn("one", [this, k] {
                static_cast<void>(executors.submit("item", Work::n * sizeof(double),
                                                   Work{of(k % count).part(0, 0), k}));
            });
    });
    start();
    run(2);
    const auto before = executors.counts().queues.allocations;
    run(4);
    check(6);
    EXPECT_LE(executors.counts().queues.allocations,
              std::max<std::int64_t>(before, executors.queues()));
}

std::vector<Setup> setups() {
    std::vector<Setup> all;
    for (const Kind kind : {Kind::plain, Kind::clocked, Kind::hostile})
        for (const int workers : {1, 2})
            for (const ExecutorOptions options : {ExecutorOptions{1, 1},
                                                  {1, 5},
                                                  {1, 64},
                                                  {3, 1},
                                                  {3, 5},
                                                  {3, 5, Notice::callback},
                                                  {3, 5, Notice::wait},
                                                  {128, 1}})
                all.push_back({kind, workers, options});
    return all;
}
INSTANTIATE_TEST_SUITE_P(All, Items, ::testing::ValuesIn(setups()));

class ItemFaults : public ::testing::TestWithParam<std::tuple<Kind, Notice, int>> {
  protected:
    Device device = device_of(std::get<Kind>(GetParam()));
    Pool pool{Device::host({.threads = 2, .pin = false}), {.patience = 20s}};
    Executors executors{pool, device, {2, std::get<int>(GetParam()), std::get<Notice>(GetParam())}};
    device::Queue queue{device};
    device::Buffer<double> values{queue, Work::n, device::Resource::pinned};

    void next_run_works() {
        for (double& value : values.view()) value = 1;
        std::atomic<int> done{0};
        EXPECT_EQ(error_of(pool,
                           [&](Scope&) {
                               static_cast<void>(executors
                                                     .submit("item", Work::n * sizeof(double),
                                                             Work{values.view(), 1})
                                                     .then([&] { ++done; }));
                           }),
                  "none");
        EXPECT_EQ(done, 1);
        EXPECT_EQ(values.view()[3], Work::expected(1, 3, 1));
        EXPECT_EQ(pool.in_use(), 0u);
    }
};

/// Always the same object: thread sanitizers do not see how the library counts its holders.
struct Throws {
    bool yes;
    void operator()(std::int64_t) const {
        static const auto lost = std::make_exception_ptr(std::runtime_error("a lost device"));
        if (yes) std::rethrow_exception(lost);
    }
};

TEST_P(ItemFaults, AKernelFails) {
    for (int at = 0; at < 20; ++at) {
        std::array<std::atomic<bool>, 20> went_on{};
        const std::string text = error_of(pool, [&](Scope& scope) {
            for (int k = 0; k < 20; ++k)
                scope.spawn("flux", [&, k] {
                    static_cast<void>(
                        executors
                            .submit("flux item", 0,
                                    [k, at](std::byte*) {
                                        return std::tuple(Kernel<Throws>{"flux", 3, {k == at}});
                                    })
                            .then([&, k] { went_on[k] = true; }));
                });
        });
        EXPECT_NE(text.find("a lost device"), std::string::npos) << text;
        EXPECT_NE(text.find("(executors.cpp:"), std::string::npos) << text;
        EXPECT_FALSE(went_on[at]);
        for (int executor = 0; executor < 4; ++executor) next_run_works();
    }
}

TEST_P(ItemFaults, AnItemCannotBeMade) {
    const std::string text = error_of(pool, [&](Scope&) {
        static_cast<void>(executors.submit("odd", 0, [](std::byte*) -> std::tuple<Copy> {
            throw std::runtime_error("no such sub-grid");
        }));
    });
    EXPECT_NE(text.find("\"odd\" (executors.cpp:"), std::string::npos) << text;
    EXPECT_NE(text.find("no such sub-grid"), std::string::npos) << text;
    next_run_works();
}

/// Each failed item says so itself, whatever is done beside it and made or not made after it.
TEST_P(ItemFaults, EachSaysSoItself) {
    for (int round = 0; round < 20; ++round) {
        constexpr int items = 60;
        std::array<std::atomic<bool>, items> told{};
        pool.run([&](Scope& scope) {
            for (int k = 0; k < items; ++k)
                scope.spawn("each", [&, k] {
                    Scope own;
                    own.spawn("one", [&] {
                        static_cast<void>(executors.submit("item", 0, [k](std::byte*) {
                            if (k % 7 == 6) throw std::runtime_error("not made");
                            return std::tuple(Kernel<Throws>{"flux", 3, {k % 5 == 4}});
                        }));
                    });
                    try {
                        own.join();
                    } catch (const TaskError&) {
                        told[k] = true;
                    }
                });
        });
        for (int k = 0; k < items; ++k)
            if (k % 7 == 6 || k % 5 == 4) {
                EXPECT_TRUE(told[k]) << k;
            }
    }
}

TEST_P(ItemFaults, AMakerThatSubmits) {
    const std::string text = error_of(pool, [&](Scope&) {
        static_cast<void>(executors.submit("outer", 0, [&](std::byte*) {
            static_cast<void>(
                executors.submit("inner", 0, [](std::byte*) { return std::tuple<>(); }));
            return std::tuple<>();
        }));
    });
    EXPECT_NE(text.find("\"outer\" (executors.cpp:"), std::string::npos) << text;
    EXPECT_NE(text.find("makes another one"), std::string::npos) << text;
    next_run_works();
}

TEST_P(ItemFaults, MakersAreKeptUntilTheirItemIsDone) {
    pool.run([&](Scope&) {
        for (int k = 0; k < 20; ++k) {
            auto own = std::make_shared<std::vector<double>>(64, 1.0);
            static_cast<void>(executors.submit("item", 0, [own = std::move(own)](std::byte*) {
                return std::tuple(Kernel<Double>{"double", 64, {own->data()}});
            }));
        }
    });
    EXPECT_EQ(pool.in_use(), 0u);
}

TEST_P(ItemFaults, ScratchMemoryThatCannotBe) {
    pool.run([&](Scope&) {
        for (const std::int64_t bytes : {std::int64_t{-1}, std::int64_t{1} << 61})
            EXPECT_THROW(static_cast<void>(executors.submit(
                             "item", bytes, [](std::byte*) { return std::tuple<>(); })),
                         std::logic_error);
    });
}

INSTANTIATE_TEST_SUITE_P(
    All, ItemFaults,
    ::testing::Combine(::testing::Values(Kind::plain, Kind::clocked, Kind::hostile),
                       ::testing::Values(Notice::poll, Notice::callback, Notice::wait),
                       ::testing::Values(1, 4)));

/// A kernel that lasts until somebody says so.
struct Wait {
    std::atomic<bool>* go_on;
    void operator()(std::int64_t) const {
        while (!*go_on) std::this_thread::yield();
    }
};

TEST(Batches, CloseWhenFullOrWhenAQueueIsIdle) {
    Device device = device_of(Kind::hostile);
    Pool pool(Device::host({.threads = 1}));
    Executors executors(pool, device, {.queues = 1, .most = 4});
    std::atomic<bool> go_on{false};
    const auto submit = [&] {
        static_cast<void>(executors.submit("waits", 0, [&](std::byte*) {
            return std::tuple(Kernel<Wait>{"wait", 1, {&go_on}});
        }));
    };
    pool.run([&](Scope&) {
        submit();  // at once
        EXPECT_EQ(executors.counts().batches, 1);
        for (int k = 0; k < 3; ++k) submit();
        EXPECT_EQ(executors.counts().batches, 1);
        submit();  // full
        EXPECT_EQ(executors.counts().batches, 2);
        for (int k = 0; k < 5; ++k) submit();
        EXPECT_EQ(executors.counts().batches, 3);
        go_on = true;
    });
    EXPECT_EQ(executors.counts().batches, 4);  // the last closed when the queue was idle
    EXPECT_EQ(executors.counts().items, 10);
    EXPECT_EQ(executors.counts().queues.launches, 4);
}

TEST_P(ItemFaults, AQueueIsGoneWithWorkPending) {
    for (int at = 0; at < 20; ++at) {
        std::atomic<int> done{0}, ready{0};
        EXPECT_EQ(
            error_of(pool,
                     [&](Scope&) {
                         device::Queue brief(device, {.threads = 1});
                         for (int k = 0; k <= at; ++k) {
                             device::host_task(brief, "count",
                                               [&](device::ThreadPool&) { ++done; });
                             static_cast<void>(
                                 pool.poller().when(brief.record(), at % 2).then([&] { ++ready; }));
                         }
                     }),
            "none");
        EXPECT_EQ(done, at + 1);
        EXPECT_EQ(ready, at + 1);
    }
}

class HungDevices : public ::testing::TestWithParam<std::tuple<Notice, int>> {
  protected:
    /// An item whose kernel waits until `go_on`.
    void submit_hanging() {
        static_cast<void>(executors.submit("hangs", 0, [this](std::byte*) {
            return std::tuple(Kernel<Wait>{"hang", 1, {&go_on}});
        }));
    }

    Device device = device_of(Kind::hostile);
    Pool pool{Device::host({.threads = 1}), {.patience = 100ms}};
    std::atomic<bool> go_on{false};
    Executors executors{pool, device, {1, std::get<1>(GetParam()), std::get<0>(GetParam())}};
};
INSTANTIATE_TEST_SUITE_P(All, HungDevices,
                         ::testing::Combine(::testing::Values(Notice::poll, Notice::callback,
                                                              Notice::wait),
                                            ::testing::Values(1, 4)));

TEST_P(HungDevices, AreGivenUp) {
    try {
        pool.run([&](Scope&) {
            for (int k = 0; k < 3; ++k) submit_hanging();
        });
        ADD_FAILURE() << "it ended";
    } catch (const core::Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("nothing has happened for 100 ms"), std::string::npos) << text;
        EXPECT_NE(text.find("\"hangs\" (executors.cpp:"), std::string::npos) << text;
    }
    go_on = true;
}

TEST_P(HungDevices, DoNotBlockMakersThatThrow) {
    const std::string text = error_of(pool, [&](Scope& scope) {
        scope.spawn("first", [&] { submit_hanging(); });
        scope.spawn("second", [&] {
            static_cast<void>(executors.submit("odd", 0, [](std::byte*) -> std::tuple<Copy> {
                throw std::runtime_error("no such sub-grid");
            }));
        });
    });
    EXPECT_FALSE(go_on);
    EXPECT_NE(text.find("(executors.cpp:"), std::string::npos) << text;
    go_on = true;
}

TEST(ExecutorsRefuse, NumbersThatMakeNoSense) {
    Device device = device_of(Kind::plain);
    Pool pool(Device::host({.threads = 1}));
    for (const ExecutorOptions options :
         {ExecutorOptions{.queues = 0}, {.queues = 129}, {.most = 0}, {.most = -1}, {.most = 5000}})
        EXPECT_THROW(Executors(pool, device, options), core::InputError);
}

TEST(ExecutorsRefuse, ItemsFromOutsideTheirPool) {
    Device device = device_of(Kind::plain);
    Pool pool(Device::host({.threads = 1})), other(Device::host({.threads = 1}));
    Executors executors(pool, device);
    const auto submit = [&] {
        static_cast<void>(executors.submit("item", 0, [](std::byte*) { return std::tuple<>(); }));
    };
    EXPECT_THROW(submit(), std::logic_error);
    other.run([&](Scope&) { EXPECT_THROW(submit(), std::logic_error); });
    pool.run([&](Scope&) { submit(); });
    EXPECT_EQ(executors.counts().items, 1);
}

}  // namespace
}  // namespace aureole::tasks
