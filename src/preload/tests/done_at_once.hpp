// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preload/where.hpp"

namespace aureole::preload {

/// A driver whose copies are done when they return: it has no streams, and nothing to wait for.
class DoneAtOnce : public drivers::Driver {
  public:
    void finish_device(const Allocation&) override {}
    void begin_aside(const Allocation&) override {}
    void end_aside() noexcept override {}
    drivers::Mark mark(const Allocation&) override { return {}; }
    bool is_reached(const drivers::Mark&, const Allocation&) override { return true; }
    void wait_for(const drivers::Mark&, const Allocation&) override {}
    void drop(const drivers::Mark&) noexcept override {}
};

}  // namespace aureole::preload
