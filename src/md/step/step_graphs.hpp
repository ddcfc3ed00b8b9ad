// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "device/graph.hpp"

namespace aureole::md {

/// Parts of steps that are submitted as a whole.
enum class StepPart { before_forces, after_forces, to_next_forces };

/// What the host remembers from one part of a step to the next.
struct StepMemory {
    bool kick_pending = false;       ///< the kick that closes the last step
    bool strain_pending = false;     ///< of the box, by the barostat
    bool forces_to_measure = false;  ///< for their unit
    bool mesh_knows_box = false;

    friend auto operator<=>(const StepMemory&, const StepMemory&) = default;
};

/// Graphs of parts of steps. A part is recorded when one of its kind is made for the second time,
/// as the first may allocate memory, and replayed from then on.
class StepGraphs {
  public:
    /// What decides about the launches of a part.
    struct Kind {
        StepPart part;
        std::uint64_t stages;  ///< bits of those that act
        StepMemory memory;

        friend auto operator<=>(const Kind&, const Kind&) = default;
    };
    /// What graphs hold by value, and changes seldom.
    struct Frozen {
        std::int64_t allocations = 0;  ///< of device memory: addresses may have changed
        std::int64_t list_shape = 0;

        friend bool operator==(const Frozen&, const Frozen&) = default;
    };

    /// Forgets all graphs.
    void clear() { graphs_.clear(); }
    /// Whether a part is being recorded.
    bool recording() const { return recording_; }
    /// Whether recording failed, so that no more graphs are made.
    bool failed() const { return failed_; }
    /// Why, once; empty if it did not.
    std::string take_remark() { return std::exchange(remark_, {}); }

    /// Makes a part of a step: `enqueue` submits its work and changes `memory`; `frozen()` tells
    /// the present values.
    template <class Enqueue, class Now>
    void make(device::Queue& queue, const Kind& kind, StepMemory& memory, const Now& frozen,
              const Enqueue& enqueue) {
        if (failed_) return enqueue();
        auto& known = graphs_[kind];
        if (!(known.frozen == frozen())) {
            known = {};
            enqueue();
            known.frozen = frozen();
            return;
        }
        if (!known.graph) {
            if (!record(queue, known, memory, enqueue)) return enqueue();
        } else {
            memory = known.after;
        }
        known.graph.replay(queue);
    }

  private:
    struct Known {
        Frozen frozen{-1, -1};
        device::Graph graph;
        StepMemory after;
    };

    template <class Enqueue>
    bool record(device::Queue& queue, Known& known, StepMemory& memory, const Enqueue& enqueue) {
        const auto before = memory;
        recording_ = true;
        try {
            known.graph = device::Graph::capture(queue, enqueue);
            known.after = memory;
            recording_ = false;
            return true;
        } catch (const core::Error& error) {
            fail(error.what());
        } catch (const std::logic_error& error) {
            fail(error.what());
        }
        recording_ = false;
        memory = before;
        return false;
    }
    void fail(const char* why) {
        failed_ = true;
        remark_ = std::string(
                      "steps could not be recorded as graphs and are submitted launch by "
                      "launch, which is slower: ") +
                  why;
    }

    std::map<Kind, Known> graphs_;
    bool failed_ = false, recording_ = false;
    std::string remark_;
};

}  // namespace aureole::md
