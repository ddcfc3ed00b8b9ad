// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

namespace aureole::preload {

/// Between looks at something that comes soon: lets other threads run when it has not come after
/// some hundred looks. On a busy machine that takes long.
class Pause {
  public:
    void operator()() {
        if (++turn_ >= most) sched_yield();
    }
    /// Something has come.
    void reset() { turn_ = 0; }

  private:
    static constexpr int most = 200;
    int turn_ = 0;
};

/// Calls MPI for nothing: others may wait for what it has still to do.
void let_mpi_work();

}  // namespace aureole::preload
