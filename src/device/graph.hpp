// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device/queue.hpp"

namespace aureole::device {

/// Work recorded once and replayed many times at one submission each. What kernels were given by
/// value is frozen with it; what changes lives in device memory.
class Graph {
  public:
    Graph() = default;
    explicit operator bool() const { return state_ != nullptr; }

    /// Enqueues the work on `queue`: the one it was recorded from, or one ordered with it by
    /// events. Scans, sorts and reductions use memory of their queues: work that any queue that
    /// took part is given later must be ordered with the replay too, and those but the first must
    /// live as long as the graph.
    void replay(Queue& queue) const {
        queue.state().count_launch(0);
        state_->replay(queue.state());
    }

    /// Records what `enqueue()` submits to `queue`, and to queues that wait for its events
    /// meanwhile, instead of running it. Inside, nothing may allocate, synchronize or copy from or
    /// to the host, and every other queue that took part must be waited for by `queue` at the end.
    /// Until then all of them belong to the calling thread: what another one submits is refused
    /// with std::logic_error (on GPUs for `queue` alone, where it would become part of the graph).
    template <class F>
    static Graph capture(Queue& queue, F&& enqueue) {
        queue.state().begin_capture();
        try {
            enqueue();
        } catch (...) {
            queue.state().drop_capture();
            throw;
        }
        Graph graph;
        graph.state_ = queue.state().end_capture();
        return graph;
    }

  private:
    std::shared_ptr<detail::GraphState> state_;
};

}  // namespace aureole::device
