// SPDX-License-Identifier: Apache-2.0
#include "comm/packet_queues.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace aureole::comm {

namespace {

using namespace std::chrono_literals;

constexpr unsigned one_late_in = 4;
constexpr unsigned longest_delay = 100;  // [µs]
constexpr auto between_looks = 20us;     // at packets that are late

}  // namespace

/// One rank's end.
class PacketQueues::Of final : public Transport {
  public:
    Of(PacketQueues& queues, int rank)
        : queues_(queues), rank_(rank), random_(queues.seed_ + static_cast<unsigned>(rank)) {}

    int rank() const override { return rank_; }
    int size() const override { return static_cast<int>(queues_.inboxes_.size()); }
    void send(int to, Bytes packet) override {
        auto due = Clock::now();
        if (queues_.seed_ != 0 && random_() % one_late_in == 0)
            due += std::chrono::microseconds(random_() % longest_delay);
        Inbox& inbox = queues_.inbox(to);
        const std::scoped_lock lock(inbox.mutex);
        inbox.from[static_cast<std::size_t>(rank_)].push_back({std::move(packet), due});
        ++inbox.packets;
        inbox.changed.notify_all();
    }
    std::optional<Parcel> receive() override {
        Inbox& inbox = queues_.inbox(rank_);
        const std::scoped_lock lock(inbox.mutex);
        if (inbox.packets == 0) return std::nullopt;
        for (std::size_t k = 0; k < inbox.from.size(); ++k) {
            const std::size_t sender = inbox.next;
            inbox.next = (inbox.next + 1) % inbox.from.size();
            auto& queue = inbox.from[sender];
            if (queue.empty() || (queues_.seed_ != 0 && queue.front().due > Clock::now())) continue;
            Parcel parcel{static_cast<int>(sender), std::move(queue.front().bytes)};
            queue.pop_front();
            --inbox.packets;
            return parcel;
        }
        return std::nullopt;
    }
    void sleep(std::chrono::nanoseconds time) override {
        Inbox& inbox = queues_.inbox(rank_);
        std::unique_lock lock(inbox.mutex);
        if (inbox.packets == 0)
            inbox.changed.wait_for(lock, time, [&] { return inbox.packets != 0; });
        else
            inbox.changed.wait_for(lock, std::min<std::chrono::nanoseconds>(time, between_looks));
    }

  private:
    PacketQueues& queues_;
    int rank_;
    std::mt19937_64 random_;
};

PacketQueues::PacketQueues(int ranks, std::uint64_t seed) : seed_(seed) {
    for (int r = 0; r < ranks; ++r) {
        inboxes_.push_back(std::make_unique<Inbox>());
        inboxes_.back()->from.resize(static_cast<std::size_t>(ranks));
    }
}

std::unique_ptr<Transport> PacketQueues::of(int rank) { return std::make_unique<Of>(*this, rank); }

}  // namespace aureole::comm
