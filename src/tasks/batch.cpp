// SPDX-License-Identifier: Apache-2.0
#include "tasks/batch.hpp"

#include "tasks/executors.hpp"

namespace aureole::tasks {

void Batch::settle(Worker& worker, State*& ready) {
    for (auto state = states.rbegin(); state != states.rend(); ++state) {
        if (error) (*state)->set_error((*state)->scope->fail(**state, error));
        (*state)->next = ready;
        ready = *state;
    }
    executors.take_back(worker, *this);
}

void enqueue(device::Queue& queue, const Copy& part) {
    if (part.bytes == 0) return;
    queue.state().count_copy(part.bytes);
    queue.state().copy(part.to, part.from, part.bytes);
}

}  // namespace aureole::tasks
