// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <set>
#include <vector>

#include "preload/page.hpp"

namespace aureole::preload {

class Call;

/// Headers that have found their receive, although the program does not know it yet: a probe must
/// not take another message for them.
class Matched {
  public:
    /// Keeps others from looking at the buffers of calls while one of them changes.
    std::unique_lock<std::mutex> hold() { return std::unique_lock(lock_); }
    /// A call whose buffers a header may come to, as long as it lives.
    void add(const Call* call);
    void remove(const Call* call);
    /// A header that MPI_Mprobe has taken out.
    void add(const Header& header);
    bool has(const Header& header);

  private:
    std::mutex lock_;
    std::set<const Call*> calls_;
    std::vector<Header> probed_;
};

Matched& matched();

}  // namespace aureole::preload
