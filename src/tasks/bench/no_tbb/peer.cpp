// SPDX-License-Identifier: Apache-2.0
#include "tasks/bench/peer.hpp"

namespace aureole::tasks::bench {

std::unique_ptr<Peer> make_peer() { return nullptr; }

}  // namespace aureole::tasks::bench
