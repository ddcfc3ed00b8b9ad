// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "machine/contexts.hpp"
#include "machine/status.hpp"
#include "machine/store.hpp"
#include "machine/stream_state.hpp"

namespace aureole::emulated {

/// State of an event that other processes may wait for, in memory that they share.
struct SharedEvent {
    std::atomic<std::uint64_t> id{0};
    std::atomic<std::uint64_t> recorded{0};
    std::atomic<std::uint64_t> completed{0};
    char unused[40];
};
static_assert(sizeof(SharedEvent) == 64);

namespace {

constexpr std::uint32_t event_kind = 0x41454556;
constexpr std::size_t most_shared = 16384;

/// One record of an event: a second one does not touch those who wait for the first.
struct Record {
    std::atomic<bool> done{false};
    Clock::time_point when;
};

struct Board {  // the shared events of one process
    std::shared_ptr<Store> store;
    SharedEvent* words = nullptr;
    int process = 0;
    std::uint64_t started = 0;
};

SharedEvent* show_words(int file) {
    void* at = mmap(nullptr, most_shared * sizeof(SharedEvent), PROT_READ | PROT_WRITE, MAP_SHARED,
                    file, 0);
    return at == MAP_FAILED ? nullptr : static_cast<SharedEvent*>(at);
}

struct OwnBoard : Board {
    std::mutex mutex;
    std::vector<int> free_slots;
    int used = 0;
};

OwnBoard* own_board() {
    static auto* only = [] {
        auto* board = new OwnBoard;
        board->store = Store::create(most_shared * sizeof(SharedEvent));
        if (board->store) board->words = show_words(board->store->file());
        return board;
    }();
    return only->words ? only : nullptr;
}

}  // namespace

struct Event {
    ~Event();

    int device = 0;
    bool timed = true;
    bool foreign = false;
    std::shared_ptr<Record> record;  // under the lock of Progress
    std::shared_ptr<Board> board;    // of another process
    SharedEvent* word = nullptr;
    int slot = -1;
};

Event::~Event() {
    if (!word || foreign) return;
    word->id = 0;
    auto* own = own_board();
    const std::lock_guard lock(own->mutex);
    own->free_slots.push_back(slot);
}

namespace {

std::shared_ptr<Record> record_of(const EventPtr& event) {
    const std::lock_guard lock(progress().mutex);
    return event->record;
}

void await(const Record& record) {
    std::unique_lock lock(progress().mutex);
    while (!record.done) progress().changed.wait(lock);
}

/// Waits for another process; one that has ended is waited for no longer.
void await(const SharedEvent& word, std::uint64_t number, const std::shared_ptr<Board>& board) {
    constexpr long checks = 5000;
    for (long k = 1; word.completed.load(std::memory_order_acquire) < number; ++k) {
        if (board && k % checks == 0 && process_start(board->process) != board->started) return;
        sleep_until(Clock::now() + std::chrono::microseconds(20));
    }
}

void raise(std::atomic<std::uint64_t>& word, std::uint64_t to) {
    std::uint64_t now = word.load();
    while (now < to && !word.compare_exchange_weak(now, to)) continue;
}

}  // namespace

EventPtr create_event(int device, bool timed, bool shared) {
    auto event = std::make_shared<Event>();
    event->device = device;
    event->timed = timed;
    if (!shared) return event;
    auto* board = own_board();
    if (!board) return nullptr;
    const std::lock_guard lock(board->mutex);
    if (board->free_slots.empty() && board->used == static_cast<int>(most_shared)) return nullptr;
    if (board->free_slots.empty()) {
        event->slot = board->used++;
    } else {
        event->slot = board->free_slots.back();
        board->free_slots.pop_back();
    }
    event->word = board->words + event->slot;
    event->word->recorded = event->word->completed = 0;
    event->word->id = next_id();
    return event;
}

int device_of(const Event& event) { return event.device; }

int record(const EventPtr& event, const StreamPtr& stream) {
    auto record = std::make_shared<Record>();
    {
        const std::lock_guard lock(progress().mutex);
        event->record = record;
    }
    const std::uint64_t number = event->word ? ++event->word->recorded : 0;
    return give_mark(stream, [event, record, number] {
        if (event->word) raise(event->word->completed, number);
        record->when = Clock::now();
        record->done = true;
    });
}

int ask(const EventPtr& event) {
    if (event->word)
        return event->word->completed.load() >= event->word->recorded.load() ? success : not_ready;
    const auto record = record_of(event);
    return !record || record->done ? success : not_ready;
}

int wait(const EventPtr& event) {
    if (event->word) {
        await(*event->word, event->word->recorded.load(), event->board);
    } else if (const auto record = record_of(event)) {
        await(*record);
    }
    return success;
}

int follow(const StreamPtr& stream, const EventPtr& event) {
    if (event->word) {
        const std::uint64_t number = event->word->recorded.load();
        if (event->word->completed.load() >= number) return success;
        return give(
            stream, [event, number] { await(*event->word, number, event->board); }, true);
    }
    const auto record = record_of(event);
    if (!record || record->done) return success;
    return give(
        stream, [record] { await(*record); }, true);
}

int elapsed_ms(const EventPtr& from, const EventPtr& to, float& out) {
    if (!from->timed || !to->timed) return invalid_handle;
    const std::lock_guard lock(progress().mutex);
    if (!from->record || !to->record) return invalid_handle;
    if (!from->record->done || !to->record->done) return not_ready;
    out = std::chrono::duration<float, std::milli>(to->record->when - from->record->when).count();
    return success;
}

int export_event(const EventPtr& event, Locator& out) {
    if (!event->word || event->foreign) return invalid_handle;
    out = {};
    out.kind = event_kind;
    out.process = getpid();
    out.started = process_start(getpid());
    out.file = own_board()->store->file();
    out.slot = event->slot;
    out.id = event->word->id;
    out.device = physical_device(event->device);
    return success;
}

int import_event(const Locator& where, EventPtr& out) {
    if (where.kind != event_kind || where.slot < 0 || where.slot >= static_cast<int>(most_shared))
        return invalid_handle;
    if (where.process == getpid()) return invalid_context;
    const int file = open_file_of(where);
    if (file < 0) return invalid_handle;
    auto* words = show_words(file);
    ::close(file);
    if (!words) return map_failed;
    auto board = std::shared_ptr<Board>(new Board, [](Board* each) {
        munmap(each->words, most_shared * sizeof(SharedEvent));
        delete each;
    });
    board->words = words;
    board->process = where.process;
    board->started = where.started;
    if (words[where.slot].id != where.id) return invalid_handle;
    auto event = std::make_shared<Event>();
    event->device = std::max(visible_device(where.device), 0);
    event->timed = false;
    event->foreign = true;
    event->board = board;
    event->word = words + where.slot;
    out = std::move(event);
    return success;
}

}  // namespace aureole::emulated
