// SPDX-License-Identifier: Apache-2.0
#include "preload/matched.hpp"

#include <algorithm>
#include <cstring>

#include "preload/call.hpp"

namespace aureole::preload {

namespace {

bool are_same(const Header& a, const Header& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

void Matched::add(const Call* call) {
    const std::lock_guard guard(lock_);
    calls_.insert(call);
}

void Matched::remove(const Call* call) {
    const std::lock_guard guard(lock_);
    calls_.erase(call);
}

void Matched::add(const Header& header) {
    const std::lock_guard guard(lock_);
    // One for each slot: an earlier one was received long ago.
    std::erase_if(probed_, [&](const Header& one) {
        return one.rank == header.rank && one.slot == header.slot;
    });
    probed_.push_back(header);
}

bool Matched::has(const Header& header) {
    const std::lock_guard guard(lock_);
    return std::ranges::any_of(calls_, [&](const Call* call) { return call->has(header); }) ||
           std::ranges::any_of(probed_, [&](const Header& one) { return are_same(one, header); });
}

Matched& matched() {
    static auto* const only = new Matched;  // outlives MPI's threads
    return *only;
}

}  // namespace aureole::preload
