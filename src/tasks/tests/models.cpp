// SPDX-License-Identifier: Apache-2.0
// The shared parts of the layer under a model checker, relacy, which runs many interleavings of
// their atomic operations with all that the memory model allows each to see.
#include <gtest/gtest.h>

#include <cstddef>
#include <ostream>

#include "tasks/deque.hpp"
#include "tasks/pendings.hpp"
#include "tasks/waiters.hpp"

#if __has_include(<relacy/relacy.hpp>) && !defined(AUREOLE_SANITIZED)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wshadow"
#include <relacy/relacy.hpp>
#pragma GCC diagnostic pop
#undef assert
#undef errno
#undef free
#undef new
#undef delete
#undef malloc
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

// relacy replaces new and delete, but not these, which have to go with them.
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { operator delete[](memory); }

namespace aureole::tasks {
namespace {

struct Checked {
    template <class T>
    class atomic {
      public:
        atomic(T value = {}) { word_($).store(value, rl::mo_relaxed); }
        T load(std::memory_order order = std::memory_order_seq_cst) const {
            return word_($).load(of(order));
        }
        void store(T value, std::memory_order order = std::memory_order_seq_cst) {
            word_($).store(value, of(order));
        }
        T exchange(T value, std::memory_order order = std::memory_order_seq_cst) {
            return word_($).exchange(value, of(order));
        }
        T fetch_add(T value, std::memory_order order = std::memory_order_seq_cst) {
            return word_($).fetch_add(value, of(order));
        }
        T fetch_sub(T value, std::memory_order order = std::memory_order_seq_cst) {
            return word_($).fetch_sub(value, of(order));
        }
        bool compare_exchange_strong(T& is, T to, std::memory_order order,
                                     std::memory_order failed) {
            return word_($).compare_exchange_strong(is, to, of(order), of(failed));
        }
        bool compare_exchange_weak(T& is, T to, std::memory_order order, std::memory_order failed) {
            return word_($).compare_exchange_weak(is, to, of(order), of(failed));
        }

      private:
        static rl::memory_order of(std::memory_order order) {
            switch (order) {
                case std::memory_order_relaxed:
                    return rl::mo_relaxed;
                case std::memory_order_acquire:
                    return rl::mo_acquire;
                case std::memory_order_release:
                    return rl::mo_release;
                case std::memory_order_acq_rel:
                    return rl::mo_acq_rel;
                default:
                    return rl::mo_seq_cst;
            }
        }
        mutable rl::atomic<T> word_;
    };
};

struct Link {
    Link* next = nullptr;
    rl::var<int> sent;  ///< written before it is handed over
    int runs = 0;
    void run() {
        RL_ASSERT(sent($) == 7);
        ++runs;
    }
};

/// Runs a model; relacy prints the interleaving in which it found a fault.
template <class Model>
bool holds() {
    std::ostream nowhere(nullptr);
    rl::test_params params;
    params.iteration_count = 100000;
    params.search_type = rl::random_scheduler_type;
    params.progress_stream = &nowhere;
    return rl::simulate<Model>(params);
}

/// The owner pushes three, for which the ring has to grow, and takes; others steal.
template <int threads>
struct DequeModel : rl::test_suite<DequeModel<threads>, threads> {
    Deque<Link, Checked::atomic> deque{2};
    Link items[3];
    void thread(unsigned index) {
        if (index == 0) {
            for (Link& item : items) {
                item.sent($) = 7;
                deque.push(&item);
            }
            for (int k = 0; k < 2; ++k)
                if (Link* item = deque.take()) item->run();
        } else {
            for (int k = 0; k < 2; ++k)
                if (Link* item = deque.steal()) item->run();
        }
    }
    void after() {
        while (Link* item = deque.take()) item->run();
        for (const Link& item : items) RL_ASSERT(item.runs == 1);
    }
};

/// One thread makes the result, others add continuations to it, which hold it too; all drop it.
template <int threads>
struct FutureModel : rl::test_suite<FutureModel<threads>, threads> {
    Waiters<Link, Checked::atomic> waiters;
    Holders<Checked::atomic> holders{threads};
    rl::var<int> value;
    rl::var<int> alive;
    Link links[threads];
    int destroyed = 0;

    void before() { value($) = 0, alive($) = 1; }
    void thread(unsigned index) {
        if (index == 0) {
            value($) = 42;
            // A maker who is the only holder has nobody to tell.
            Link* list = nullptr;
            if (!holders.alone()) list = waiters.close(false);
            release(list);
        } else {
            links[index].sent($) = 7;
            holders.add();  // the continuation's own
            if (!waiters.add(&links[index])) release(&links[index]);
        }
        drop();
    }
    /// As Worker::release() does, of one link too.
    void release(Link* list) {
        while (list) {
            Link* const next = list->next;
            proceed(*list);
            list = next;
        }
    }
    void proceed(Link& link) {
        RL_ASSERT(value($) == 42);
        link.run();
        drop();
    }
    void drop() {
        RL_ASSERT(alive($) == 1);
        if (!holders.drop()) return;
        alive($) = 0;
        ++destroyed;
    }
    void after() {
        RL_ASSERT(destroyed == 1);
        for (int k = 1; k < threads; ++k) RL_ASSERT(links[k].runs == 1);
    }
};

/// All threads register, and visit until what they registered is settled. While it is not, it
/// counts as pending for all who know of it.
template <int threads>
struct PollModel : rl::test_suite<PollModel<threads>, threads> {
    Pendings<Link, Checked::atomic> pending;
    Link links[threads];
    Checked::atomic<int> known[threads], settled[threads];

    void thread(unsigned index) {
        links[index].sent($) = 7;
        pending.add(&links[index]);
        known[index].store(1, std::memory_order_release);
        while (settled[index].load(std::memory_order_acquire) == 0) {
            if (pending.begin_visit()) {
                int count = 0;
                pending.take_new([&](Link* link) {
                    link->run();
                    settled[link - links].store(1, std::memory_order_release);
                    ++count;
                });
                pending.settle(count);
                pending.end_visit();
            } else {
                rl::yield(1, $);
            }
        }
        const unsigned other = (index + 1) % threads;
        const bool there = known[other].load(std::memory_order_acquire) == 1;
        if (there && pending.count() == 0)
            RL_ASSERT(settled[other].load(std::memory_order_relaxed) == 1);
    }
    void after() {
        for (const Link& link : links) RL_ASSERT(link.runs == 1);
    }
};

/// Workers that sleep, as Pool::sleep and Pool::wake count them.
template <int threads>
struct Sleepers {
    Checked::atomic<int> sleepers, parked[threads];

    void park(unsigned index) {
        parked[index].store(1);
        sleepers.fetch_add(1);
    }
    void rise(unsigned index) {
        if (replaces(parked[index], 0)) sleepers.fetch_sub(1);
        while (parked[index].load() != 0) rl::yield(1, $);
    }
    void wake_one() {
        for (auto& each : parked)
            if (each.load() == 1 && replaces(each, 2)) {
                sleepers.fetch_sub(1);
                return each.store(0);
            }
    }

  private:
    static bool replaces(Checked::atomic<int>& word, int by) {
        int asleep = 1;
        return word.compare_exchange_strong(asleep, by, std::memory_order_seq_cst,
                                            std::memory_order_seq_cst);
    }
};

/// The watchdog beside a worker that wakes others while it has work: nobody who wakes by itself
/// finds that all others sleep before that is done.
template <int threads>
struct WatchModel : rl::test_suite<WatchModel<threads>, threads>, Sleepers<threads> {
    rl::var<int> in_hand;

    void before() { in_hand($) = 1; }
    void thread(unsigned index) {
        if (index == 0) {
            this->wake_one();
            in_hand($) = 0;
            this->park(index);
        } else {
            this->park(index);
            this->rise(index);
            if (this->sleepers.load() + 1 == threads) RL_ASSERT(in_hand($) == 0);
            this->park(index);
        }
    }
};

/// Sleep beside work, as Pool::sleep, Worker::push and Worker::find do it: nobody sleeps while
/// something is left after the owner of the deque has taken from it.
template <int threads>
struct SleepModel : rl::test_suite<SleepModel<threads>, threads>, Sleepers<threads> {
    using Sleepers<threads>::parked, Sleepers<threads>::sleepers;
    Deque<Link, Checked::atomic> deque{8};
    Link items[4];

    void thread(unsigned index) {
        if (index == 0) {
            for (Link& item : items) {
                item.sent($) = 7;
                deque.push(&item);
                if (sleepers.load(std::memory_order_relaxed) > 0) this->wake_one();
            }
            for (int k = 0; k < 2; ++k) {
                Link* item = deque.take();
                if (item && sleepers.load() > 0 && !deque.empty()) this->wake_one();
            }
        } else {
            this->park(index);
            if (!deque.empty()) this->rise(index);
        }
    }
    void after() {
        int asleep = 0;
        for (auto& each : parked) asleep += each.load();
        RL_ASSERT(asleep == sleepers.load());
        RL_ASSERT(asleep == 0);
    }
};

template <class Model>
class Models : public ::testing::Test {};
using All =
    ::testing::Types<DequeModel<2>, DequeModel<3>, FutureModel<2>, FutureModel<3>, PollModel<2>,
                     PollModel<3>, SleepModel<2>, SleepModel<3>, WatchModel<2>, WatchModel<3>>;
TYPED_TEST_SUITE(Models, All);

TYPED_TEST(Models, HoldInAllInterleavings) { EXPECT_TRUE(holds<TypeParam>()); }

}  // namespace
}  // namespace aureole::tasks

#else

TEST(Models, HoldInAllInterleavings) {
    GTEST_SKIP() << "relacy-dev is not installed, or a sanitizer would not follow its fibres";
}

#endif
