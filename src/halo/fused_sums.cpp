// SPDX-License-Identifier: Apache-2.0
#include "halo/fused_sums.hpp"

#include <algorithm>
#include <tuple>

namespace aureole::halo {

namespace {

struct Addend {
    int zone;  ///< the pulse that brought the particle; the number of pulses if it is owned
    std::int32_t particle;
    int pulse;  ///< that sent it
    std::int64_t row;
};

int zone_of(std::int32_t i, std::span<const PulsePlan> plans) {
    int zone = 0;
    for (const auto& plan : plans) {
        if (i >= plan.ghost_first && i < plan.ghost_first + plan.ghosts) return zone;
        ++zone;
    }
    return zone;
}

}  // namespace

SumPlan plan_sums(std::span<const PulsePlan> plans) {
    std::vector<Addend> all;
    std::int64_t row = 0;
    for (std::size_t p = 0; p < plans.size(); ++p)
        for (const std::int32_t i : plans[p].index)
            all.push_back({zone_of(i, plans), i, static_cast<int>(p), row++});
    std::sort(all.begin(), all.end(), [](const Addend& a, const Addend& b) {
        return std::tuple(a.zone, a.particle, -a.pulse, a.row) <
               std::tuple(b.zone, b.particle, -b.pulse, b.row);
    });

    SumPlan plan;
    std::vector<std::int64_t> ghosts_before{0};
    for (const auto& pulse : plans) ghosts_before.push_back(ghosts_before.back() + pulse.ghosts);
    plan.sent_on.resize(static_cast<std::size_t>(ghosts_before.back()));
    plan.first.assign(plans.size() + 2, 0);
    for (const Addend& one : all) {
        if (plan.sum.empty() || plan.sum.back().particle != one.particle) {
            plan.sum.push_back({one.particle, static_cast<std::int64_t>(plan.addend.size()), 0});
            const auto zone = static_cast<std::size_t>(one.zone);
            ++plan.first[zone + 1];
            if (zone < plans.size())
                plan.sent_on[static_cast<std::size_t>(ghosts_before[zone] + one.particle -
                                                      plans[zone].ghost_first)] = 1;
        }
        ++plan.sum.back().count;
        plan.addend.push_back(one.row);
    }
    for (std::size_t z = 1; z < plan.first.size(); ++z) plan.first[z] += plan.first[z - 1];
    return plan;
}

}  // namespace aureole::halo
