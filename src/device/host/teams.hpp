// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "device/host/team_shared.hpp"
#include "device/team.hpp"
#include "device/threads/thread_pool.hpp"
#include "device/wide_team.hpp"

namespace aureole::device::host {

template <class F>
void teams_of_one(ThreadPool& pool, const TeamPolicy& policy, const F& f) {
    pool.run([&](int rank) {
        const F g = f;
        void* scratch =
            policy.scratch_bytes > 0 ? pool.scratch(rank, policy.scratch_bytes) : nullptr;
        const Range mine = part_of(policy.teams, rank, pool.size());
        for (std::int64_t t = mine.begin; t < mine.end; ++t) {
            TeamOf<F> team(0, 1, scratch);
            g(team, t);
        }
    });
}

/// Teams of `lanes` real threads each: slow, but the lanes truly run at once.
template <class F>
void teams_of_threads(ThreadPool& pool, const TeamPolicy& policy, int lanes, const F& f) {
    const int groups = pool.size() / lanes;
    std::vector<TeamShared> shared(groups);
    std::vector<void*> scratch(groups, nullptr);
    for (TeamShared& group : shared) group.reset(lanes);
    pool.run_at_once([&](int rank) {
        const int group = rank / lanes, lane = rank % lanes;
        if (group >= groups) return;
        try {
            if (lane == 0) scratch[group] = pool.scratch(rank, policy.scratch_bytes);
            shared[group].barrier();
            const F g = f;
            TeamOf<F> team(lane, lanes, scratch[group], &shared[group]);
            const Range mine = part_of(policy.teams, group, groups);
            for (std::int64_t t = mine.begin; t < mine.end; ++t) {
                g(team, t);
                // The next item's scratch is this one's.
                team.sync();
            }
        } catch (const TeamBroken&) {
            return;  // the lane that broke it throws
        } catch (...) {
            shared[group].break_up();
            throw;
        }
    });
}

template <class F>
void for_teams(ThreadPool& pool, const TeamPolicy& policy, int team_threads, const F& f) {
    const int most = std::min({policy.size, team_threads, pool.size(), TeamShared::most_lanes});
    const int lanes = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(1, most))));
    if (lanes == 1) {
        teams_of_one(pool, policy, f);
    } else {
        teams_of_threads(pool, policy, lanes, f);
    }
}

}  // namespace aureole::device::host
