// SPDX-License-Identifier: Apache-2.0
#include "threads.hpp"

#include <thread>

#include "p2p.hpp"

namespace twins {

void several_threads(Run& run, const Comms& comms) {
    std::vector<std::unique_ptr<Run>> parts;
    std::vector<std::thread> threads;
    for (const auto& comm : comms.of_threads)
        parts.push_back(std::make_unique<Run>(run.options, run.memory, run.rng.fork(), comm.rank));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        threads.emplace_back([&run, &comms, part = parts[i].get(), i] {
            set_thread(static_cast<int>(i) + 1);
            run.memory.go_home();
            const auto phases = part->rng.between(1, 2);
            for (long k = 0; k < phases; ++k) point_to_point(*part, comms.of_threads[i]);
            set_doing("");
        });
    }
    run.doing("waiting for threads");
    for (auto& thread : threads) thread.join();
    for (auto& part : parts) run.record.take(std::move(part->record));
}

}  // namespace twins
