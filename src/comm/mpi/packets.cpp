// SPDX-License-Identifier: Apache-2.0
#include "comm/mpi/packets.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace aureole::comm {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto longest_nap = 100us;  // as MPI wakes nobody
constexpr auto longest_end = 2s;     // for packets that nobody takes

}  // namespace

MpiPackets::~MpiPackets() {
    const auto end = Clock::now() + longest_end;
    while (mpi_->unsent() != 0 && Clock::now() < end) std::this_thread::yield();
}

std::optional<Parcel> MpiPackets::receive() {
    mpi_->unsent();
    for (int k = 0; k < size(); ++k) {
        const int from = next_;
        next_ = (next_ + 1) % size();
        if (from == rank()) continue;
        if (auto packet = mpi_->take(from)) return Parcel{from, std::move(*packet)};
    }
    return std::nullopt;
}

void MpiPackets::sleep(std::chrono::nanoseconds time) {
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(time, longest_nap));
}

}  // namespace aureole::comm
