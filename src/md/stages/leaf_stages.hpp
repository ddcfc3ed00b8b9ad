// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "md/particles/particles.hpp"
#include "md/stages/registry.hpp"
#include "md/stages/stage_spec.hpp"

namespace aureole::md {

/// Conditions that stages depend on besides the particles.
struct StageConditions {
    MotionColumns columns;
    const StepState* state;  ///< with the box
    double start, dt;
    std::uint64_t seed;
};

/// The stages of a simulation that come from leaf files.
class LeafStages {
  public:
    LeafStages(device::Queue& queue, Particles& particles, const std::vector<StageSpec>& specs);

    void run(int which, const StageConditions& at);

    /// Saves and restores the columns that stages write.
    void save();
    void return_to_saved();

  private:
    struct Stage {
        const StageLeaf* kind;
        std::vector<double> parameters;
        int every;
        std::vector<AnyColumn*> columns;
        Column<std::uint8_t>* group;  ///< null: all
    };
    struct Written {
        AnyColumn* column;
        device::Buffer<double> saved;
    };

    device::Queue& queue_;
    Particles& particles_;
    std::vector<Stage> stages_;
    std::vector<Written> written_;
};

}  // namespace aureole::md
