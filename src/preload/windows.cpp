// SPDX-License-Identifier: Apache-2.0
// Functions that complete one-sided calls at their origin (MPI 4.1, sections 12.5.1 to 12.5.4).
#include "preload/windows.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include "preload/chunk_gate.hpp"
#include "preload/entry.hpp"
#include "preload/library.hpp"

namespace aureole::preload {

namespace {

constexpr int every_target = -1;

struct Open {
    int target;
    std::unique_ptr<Call> call;
};

/// Open calls, by window.
class Windows {
  public:
    void add(Handle window, int target, std::unique_ptr<Call> call) {
        const std::lock_guard guard(lock_);
        open_[abi().own(window)].push_back({target, std::move(call)});
        ++n_;
    }
    /// Calls to a target, or to every target.
    std::vector<Open> take(Handle window, int target) {
        std::vector<Open> taken;
        if (n_ == 0) return taken;
        const std::lock_guard guard(lock_);
        const auto found = open_.find(abi().own(window));
        if (found == open_.end()) return taken;
        auto& all = found->second;
        const auto rest = std::stable_partition(all.begin(), all.end(), [&](const Open& one) {
            return target != every_target && one.target != target;
        });
        std::move(rest, all.end(), std::back_inserter(taken));
        all.erase(rest, all.end());
        if (all.empty()) open_.erase(found);
        n_ -= static_cast<long>(taken.size());
        return taken;
    }

  private:
    std::mutex lock_;
    std::map<Handle, std::vector<Open>> open_;
    std::atomic<long> n_ = 0;
};

Windows& windows() {
    static auto* const all = new Windows;
    return *all;
}

/// After a function that completes the calls of this process to a target.
int synchronised(int error, Handle window, int target) {
    for (Open& open : windows().take(window, target)) try {
            if (error == 0) open.call->store(nullptr);
        } catch (const std::exception& problem) {
            error = fail(open.call->name(), open.call->scope(), problem);
        }
    return error;
}

}  // namespace

int keep_until_synchronised(std::unique_ptr<Call>& call, int error, Handle window, int target) {
    if (error == 0) windows().add(window, target, std::move(call));
    return error;
}

}  // namespace aureole::preload

using namespace aureole::preload;  // NOLINT: functions of MPI are in no namespace

AUREOLE_ENTRY(MPI_Win_fence, (int assertion, Handle win)) {
    static constinit Next<int(int, Handle)> next("MPI_Win_fence");
    before_waiting();
    return synchronised(next(assertion, win), win, every_target);
}
AUREOLE_ENTRY(MPI_Win_complete, (Handle win)) {
    static constinit Next<int(Handle)> next("MPI_Win_complete");
    before_waiting();
    return synchronised(next(win), win, every_target);
}
AUREOLE_ENTRY(MPI_Win_unlock, (int target, Handle win)) {
    static constinit Next<int(int, Handle)> next("MPI_Win_unlock");
    before_waiting();
    return synchronised(next(target, win), win, target);
}
AUREOLE_ENTRY(MPI_Win_unlock_all, (Handle win)) {
    static constinit Next<int(Handle)> next("MPI_Win_unlock_all");
    before_waiting();
    return synchronised(next(win), win, every_target);
}
AUREOLE_ENTRY(MPI_Win_flush, (int target, Handle win)) {
    static constinit Next<int(int, Handle)> next("MPI_Win_flush");
    before_waiting();
    return synchronised(next(target, win), win, target);
}
AUREOLE_ENTRY(MPI_Win_flush_all, (Handle win)) {
    static constinit Next<int(Handle)> next("MPI_Win_flush_all");
    before_waiting();
    return synchronised(next(win), win, every_target);
}
AUREOLE_ENTRY(MPI_Win_flush_local, (int target, Handle win)) {
    static constinit Next<int(int, Handle)> next("MPI_Win_flush_local");
    before_waiting();
    return synchronised(next(target, win), win, target);
}
AUREOLE_ENTRY(MPI_Win_flush_local_all, (Handle win)) {
    static constinit Next<int(Handle)> next("MPI_Win_flush_local_all");
    before_waiting();
    return synchronised(next(win), win, every_target);
}
AUREOLE_ENTRY(MPI_Win_free, (void* win)) {
    static constinit Next<int(void*)> next("MPI_Win_free");
    before_waiting();
    const Handle window = abi().at(win, 0);
    return synchronised(next(win), window, every_target);
}
