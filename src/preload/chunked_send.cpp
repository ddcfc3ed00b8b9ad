// SPDX-License-Identifier: Apache-2.0
#include "preload/chunked_send.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "preload/chunk_gate.hpp"
#include "preload/chunks.hpp"
#include "preload/envelope.hpp"
#include "preload/mpi.hpp"
#include "preload/pause.hpp"
#include "preload/report.hpp"
#include "preload/settings.hpp"
#include "preload/world.hpp"

namespace aureole::preload {

std::atomic<long> open_in_chunks = 0;

namespace {

/// Messages of this process whose chunks are on their way.
class OnTheirWay {
  public:
    using List = std::vector<std::shared_ptr<ChunkedMessage>>;

    /// Null if all slots are in use.
    std::shared_ptr<ChunkedMessage> add(std::unique_ptr<Staged> payload, int rank) {
        if (is_full()) remove_complete();
        const std::lock_guard guard(lock_);
        const auto free = std::ranges::find(in_use_, false);
        if (free == in_use_.end()) return nullptr;
        const auto slot = static_cast<std::size_t>(free - in_use_.begin());
        auto made = std::make_shared<ChunkedMessage>(std::move(payload), rank,
                                                     static_cast<int>(slot), ++serials_[slot]);
        *free = true;
        messages_.push_back(made);
        open_in_chunks = static_cast<long>(messages_.size());
        ++n_;
        return made;
    }
    List all() {
        const std::lock_guard guard(lock_);
        return messages_;
    }
    void remove_complete() {
        const std::lock_guard guard(lock_);
        std::erase_if(messages_, [this](const auto& message) {
            if (!message->is_complete()) return false;
            in_use_[static_cast<std::size_t>(message->slot())] = false;
            return true;
        });
        open_in_chunks = static_cast<long>(messages_.size());
    }
    /// How many there were.
    long n() const { return n_; }

  private:
    bool is_full() {
        const std::lock_guard guard(lock_);
        return messages_.size() == in_use_.size();
    }

    std::mutex lock_;
    List messages_;
    std::array<bool, Page::slots_n> in_use_{};
    std::array<std::uint32_t, Page::slots_n> serials_{};
    std::atomic<long> n_ = 0;
};

OnTheirWay& on_their_way() {
    static auto* const only = new OnTheirWay;  // outlives MPI's threads
    return *only;
}

/// Whether a rank looks for headers of this kind.
bool knows_chunks(int rank, const Allocation& at) {
    if (rank < 0 || rank >= chunks().size() || rank == chunks().rank()) return false;
    const auto page = node().neighbour(rank);
    if (page != nullptr && (*page)->is_closed.load(std::memory_order_acquire) != 0) return false;
    if (chunks().are_for_all()) return true;
    if (page == nullptr || !is_refused(rank, at)) return false;
    (*page)->is_sent_to.store(1, std::memory_order_release);
    return true;
}

}  // namespace

void post_all_chunks() {
    for (const auto& message : on_their_way().all()) message->post_all();
    on_their_way().remove_complete();
}

void post_ready_chunks() {
    for (const auto& message : on_their_way().all()) message->go_on();
    on_their_way().remove_complete();
}

int wait_meanwhile(void* request, void* status) {
    // MPI's own wait would keep a processor busy that copies may need: MPICH's never yields.
    for (Pause pause;; pause()) {
        int is_done = 0;
        const int error = mpi.test(request, &is_done, status);
        if (error != 0 || is_done != 0) return error;
        before_looking();
    }
}

std::unique_ptr<ChunkedSend> ChunkedSend::make(std::unique_ptr<Staged> payload,
                                               const Destination& to) {
    const Allocation at = payload->at();
    if (!chunks().suit(payload->size()) || to.tag < 0) return nullptr;
    const int rank = world_rank(to.comm, to.rank);
    if (!knows_chunks(rank, at)) return nullptr;
    auto message = on_their_way().add(std::move(payload), rank);
    if (message == nullptr) return nullptr;
    std::unique_ptr<ChunkedSend> made(new ChunkedSend(message));
    if (settings().waits_for_device) at.driver->finish_device(at);
    message->announce(to.tag);
    return made;
}

ChunkedSend::ChunkedSend(std::shared_ptr<ChunkedMessage> message) : message_(std::move(message)) {
    const Header header{chunks().token(),      chunks().rank(),
                        message_->slot(),      message_->serial(),
                        Header::Kind::chunked, static_cast<std::uint64_t>(message_->size())};
    std::memcpy(header_.data(), &header, sizeof header);
}

int ChunkedSend::length() const { return static_cast<int>(Chunks::length(message_->slot())); }

void ChunkedSend::stay() { message_->start(); }
void ChunkedSend::leave() {
    message_->start_all();
    // Another thread may be waiting in MPI already, and not post them; no later call need be ours.
    if (chunks().are_threaded()) message_->post_all();
}

void ChunkedSend::finish() {
    is_finished_ = true;
    message_->post_all();
    message_->throw_problem();
}

ChunkedSend::~ChunkedSend() {
    if (!is_finished_) message_->withdraw();
}

namespace {

/// Receives one chunk that nobody else will receive; whether there was one.
bool drop_unwanted(std::vector<std::byte>& room) {
    int is_there = 0;
    Handle message = 0;
    OwnStatus status;
    mpi.improbe(abi().any_source, abi().any_tag, chunks().comm(), &is_there, &message,
                status.data());
    if (is_there != 0)
        mpi.mrecv(room.data(), static_cast<int>(room.size()), abi().byte, &message, status.data());
    return is_there != 0;
}

/// Waits until all ranks are here, and does something meanwhile.
template <class Work>
void gather_ranks(Work&& work) {
    Handle barrier = 0;
    OwnStatus status;
    mpi.ibarrier(chunks().comm(), &barrier);
    for (int is_done = 0; is_done == 0; sched_yield()) {
        work();
        mpi.test(&barrier, &is_done, status.data());
    }
}

}  // namespace

void finish_chunks() {
    if (!chunks().are_possible()) return;
    gather_ranks(post_all_chunks);  // now no rank will receive any more
    std::vector<std::byte> room(static_cast<std::size_t>(chunks().chunk()));
    const auto is_sent = [](const auto& message) { return message->is_sent(); };
    while (!std::ranges::all_of(on_their_way().all(), is_sent))
        if (!drop_unwanted(room)) sched_yield();
    gather_ranks([&] { drop_unwanted(room); });
    if (on_their_way().n() > 0 && settings().tells)
        say("rank " + std::to_string(chunks().rank()) + " has sent " +
            std::to_string(on_their_way().n()) + " messages in chunks");
}

}  // namespace aureole::preload
