// SPDX-License-Identifier: Apache-2.0
#include "preload/chunked_message.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "preload/abi.hpp"
#include "preload/chunks.hpp"
#include "preload/mpi.hpp"
#include "preload/pause.hpp"
#include "preload/report.hpp"

namespace aureole::preload {

ChunkedMessage::~ChunkedMessage() { end_copies(); }

void ChunkedMessage::announce(int tag) {
    const std::lock_guard guard(lock_);
    announcement_ = {static_cast<std::uint64_t>(size()), serial_, tag};
    Handle request = 0;
    mpi.isend(&announcement_, sizeof announcement_, abi().byte, rank_,
              Chunks::announcement_tag(slot_), chunks().comm(), &request);
    sent_.push_back({{}, request});
    is_announced_ = true;
}

void ChunkedMessage::start() {
    const std::lock_guard guard(lock_);
    start_locked(ahead, chunks().chunk());
}

void ChunkedMessage::start_all() {
    const std::lock_guard guard(lock_);
    start_locked(std::numeric_limits<std::size_t>::max(), most_together * chunks().chunk());
}

void ChunkedMessage::start_locked(std::size_t most, std::int64_t largest) {
    if (queued_ == size() || copies_.size() >= most || problem_ || is_withdrawn_) return;
    try {
        const Allocation& at = payload_->at();
        const drivers::Aside aside(at);
        std::int64_t next = chunks().chunk();
        while (queued_ < size() && copies_.size() < most) {
            const std::int64_t rest = size() - queued_;
            const std::int64_t bytes = rest <= std::min(3 * next, largest) ? rest : next;
            next = std::min(2 * next, largest);  // while it is copied, those before are sent
            auto memory = std::make_shared<Pinned>(static_cast<std::size_t>(bytes - 1), at);
            std::byte* const to = memory->data();
            copies_.push_back({std::move(memory), bytes, {}, {}});
            copies_.back().lists = payload_->queue_load(queued_, bytes, to);
            copies_.back().mark = at.driver->mark(at);
            queued_ += bytes;
        }
    } catch (const core::DeviceError& error) {
        give_up(error);
    }
}

/// A chunk, or (0 bytes) the news that it will not come.
void ChunkedMessage::post(std::shared_ptr<Pinned> memory, std::int64_t first, std::int64_t bytes) {
    posted_ += std::min(chunks().chunk(), size() - posted_);
    const bool is_last = posted_ == size();
    Handle request = 0;
    // When the last one has arrived, the slot may have another message.
    auto& send = is_last ? mpi.issend : mpi.isend;
    send(memory == nullptr ? nullptr : memory->data() + first, static_cast<int>(bytes), abi().byte,
         rank_, Chunks::payload_tag(slot_), chunks().comm(), &request);
    sent_.push_back({std::move(memory), request});
    if (is_last) is_posted_.store(true, std::memory_order_release);
}

void ChunkedMessage::post(const Copy& copy) {
    const std::int64_t chunk = chunks().chunk();
    for (std::int64_t first = 0; first < copy.bytes; first += chunk)
        post(copy.memory, first, std::min(chunk, copy.bytes - first));
}

void ChunkedMessage::step_locked() {
    if (is_withdrawn_) return;
    if (!is_posted()) try {
            const Allocation& at = payload_->at();
            while (!copies_.empty() && at.driver->is_reached(copies_.front().mark, at)) {
                Copy copy = std::move(copies_.front());
                copies_.pop_front();
                at.driver->drop(copy.mark);
                post(copy);
            }
            start_locked(ahead, chunks().chunk());
        } catch (const core::DeviceError& error) {
            give_up(error);
        }
    reap();
}

/// The receiver waits for chunks: it gets empty ones in the place of those that are missing. As its
/// error may end the job before this rank tells its own one, that is told here.
void ChunkedMessage::give_up(const core::DeviceError& why) {
    problem_ = std::current_exception();
    say("rank " + std::to_string(chunks().rank()) + ": a message in chunks: " + why.what());
    end_copies();
    while (!is_posted()) post({}, 0, 0);
}

void ChunkedMessage::end_copies() noexcept {
    const Allocation& at = payload_->at();
    while (!copies_.empty()) {
        try {
            const bool is_marked = copies_.front().mark.event != nullptr;
            is_marked ? at.driver->wait_for(copies_.front().mark, at)
                      : at.driver->finish_device(at);
        } catch (const core::DeviceError&) {  // then nothing is copied any more
        }
        at.driver->drop(copies_.front().mark);
        copies_.pop_front();
    }
}

void ChunkedMessage::reap() {
    while (!sent_.empty()) {
        OwnStatus status;
        int is_sent = 0;
        mpi.test(&sent_.front().request, &is_sent, status.data());
        if (is_sent == 0) return;
        sent_.pop_front();
    }
}

void ChunkedMessage::go_on() {
    const std::lock_guard guard(lock_);
    step_locked();
}

void ChunkedMessage::post_all() {
    const std::lock_guard guard(lock_);
    Pause pause;
    std::int64_t before = 0;
    for (step_locked(); !is_posted() && !is_withdrawn_; step_locked()) {
        if (posted_ != std::exchange(before, posted_)) pause.reset();
        if (!sent_.empty() || copies_.empty()) {
            pause();  // MPI works in `reap`
            continue;
        }
        try {
            const Allocation& at = payload_->at();
            at.driver->wait_for(copies_.front().mark, at);
        } catch (const core::DeviceError& error) {
            give_up(error);
        }
    }
}

void ChunkedMessage::throw_problem() {
    const std::lock_guard guard(lock_);
    if (problem_) std::rethrow_exception(problem_);
}

void ChunkedMessage::withdraw() {
    const std::lock_guard guard(lock_);
    end_copies();
    is_withdrawn_ = !is_posted();
}

bool ChunkedMessage::is_sent() {
    const std::lock_guard guard(lock_);
    reap();
    return sent_.empty();
}

bool ChunkedMessage::is_complete() {
    const std::lock_guard guard(lock_);
    reap();
    return sent_.empty() && (is_posted() || (is_withdrawn_ && !is_announced_));
}

}  // namespace aureole::preload
