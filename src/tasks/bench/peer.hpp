// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include <cstdint>
#include <memory>

namespace aureole::tasks::bench {

/// Processor time of this thread [s]: other programs do not count.
inline double used() {
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

/// Another program that does the same work [ns per item].
class Peer {
  public:
    virtual ~Peer() = default;
    /// Batches of empty tasks, each waited for.
    virtual double spawn_and_join(int threads, int batch, int batches) = 0;
    /// A chain of tasks, each of which continues the one before.
    virtual double chain(int threads, int batch, int batches) = 0;
};

/// The other program; null where it is not installed.
std::unique_ptr<Peer> make_peer();

}  // namespace aureole::tasks::bench
