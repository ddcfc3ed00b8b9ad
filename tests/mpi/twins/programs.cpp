// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include "collective.hpp"
#include "local_calls.hpp"
#include "p2p.hpp"
#include "persistent.hpp"
#include "threads.hpp"

namespace twins {
namespace {

using Phase = void (*)(Run&, const Comm&);

/// Where a kind of phase may run.
enum class On { intra, any, topology };

struct KindOfPhase {
    const char* name;
    On on;
    int weight;
    Phase phase;
};

const std::vector<KindOfPhase>& kinds() {
    static const std::vector<KindOfPhase> list{
        {"p2p", On::any, 30, point_to_point},
        {"persistent", On::any, 12, persistent},
        {"partitioned", On::intra, 6, partitioned},
        {"data", On::any, 20, data_collectives},
        {"reductions", On::any, 15, reductions},
        {"neighbours", On::topology, 8, neighbours},
        {"pack", On::any, 6, packing},
        {"wrong", On::any, 2, wrong_arguments},
    };
    return list;
}

const Comm& random_comm(Rng& rng, const Comms& comms, On on) {
    const auto pick = [&](const std::vector<Comm>& list) -> const Comm& {
        return list[rng.below(static_cast<long>(list.size()))];
    };
    if (on == On::topology) return pick(comms.topologies);
    if (on == On::any && !comms.inter.empty() && rng.percent(20)) return pick(comms.inter);
    return pick(comms.intra);
}

}  // namespace

void do_program(Run& run, const Comms& comms) {
    int weights = 0;
    for (const auto& kind : kinds()) weights += run.options.has(kind.name) ? kind.weight : 0;
    const bool threads = run.rng.percent(6);
    if (threads && !comms.of_threads.empty() && run.options.has("threads"))
        return several_threads(run, comms);
    const auto phases = run.rng.between(1, 3);
    for (long i = 0; i < phases; ++i) {
        // Parts of the world draw differently: each phase begins with numbers of its own.
        const Rng own = run.rng.fork(), next = run.rng.fork();
        run.rng = own;
        long left = run.rng.below(weights);
        for (const auto& kind : kinds()) {
            if (!run.options.has(kind.name)) continue;
            left -= kind.weight;
            if (left >= 0) continue;
            kind.phase(run, random_comm(run.rng, comms, kind.on));
            break;
        }
        run.rng = next;
    }
}

}  // namespace twins
