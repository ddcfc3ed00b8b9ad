// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace aureole::device {

/// Where a buffer's memory comes from.
enum class Resource {
    pool,    ///< recycled in queue order; the usual choice
    pinned,  ///< host memory that device copies reach at full speed and the host may always read
    plain,   ///< one allocation of its own, what an inter-process handle can be made of
};

/// Whether a resize keeps the contents.
enum class Keep { no, yes };

enum class Backend { host, gpu };
enum class Priority { low, normal, high };

struct QueueOptions {
    Priority priority = Priority::normal;
    /// Host threads of its kernels: 0 are the device's; otherwise so many of the queue's own. The
    /// only one of 1 is the thread that launches, also inside a run of another pool.
    int threads = 0;
};

/// Whether an event also notes the time at which it is reached.
enum class Timing { no, yes };

}  // namespace aureole::device
