// SPDX-License-Identifier: Apache-2.0
#include "comm/world.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "comm/failure.hpp"
#include "comm/late_publisher.hpp"
#include "comm/node.hpp"
#include "comm/outbox.hpp"
#include "comm/packet_queues.hpp"
#include "core/error.hpp"

namespace aureole::comm {

static_assert(World::most_bytes == Control::lines * Line::bytes);

struct World::State {
    std::unique_ptr<Node> node;                            ///< null: one rank
    Heap own = Heap::of_threads(0, std::size_t{1} << 30);  ///< that of a rank alone
    std::unique_ptr<LatePublisher> late;                   ///< for tests; ends before the node
    std::uint64_t gathers = 0;                             ///< how many there were
    std::uint64_t calls = 0;
    std::uint64_t agreed_at = 0;  ///< calls when together() threw last
    Span<std::byte> outbox;
    std::function<void(std::span<std::byte>)> alter;

    State() = default;
    explicit State(std::unique_ptr<Node> of, std::uint64_t seed) : node(std::move(of)) {
        if (seed == 0 || node->apart()) return;
        const int rank = node->rank(), ranks = node->size();
        // A channel for each rank; that of this rank is for what all see.
        late = std::make_unique<LatePublisher>(seed * 1'000'003 + std::uint64_t(rank), ranks);
        node->set_limits(MessageLimits::hostile(seed));
    }
    /// The outbox with room for so many bytes.
    std::byte* room(std::size_t bytes) {
        if (static_cast<std::size_t>(outbox.n) < bytes)
            outbox = node->heap().reserve<std::byte>(static_cast<std::int64_t>(2 * bytes));
        return node->heap().at(outbox);
    }
};

World::World(std::unique_ptr<State> state)
    : state_(std::move(state)), apart_(state_->node && state_->node->apart()) {}
World::World(World&&) noexcept = default;
World::~World() = default;

World World::alone() { return World(std::make_unique<State>()); }

World World::of_processes(int rank, std::vector<Heap> heaps, bool own_processors) {
    auto node = std::make_unique<Node>(rank, std::move(heaps), own_processors);
    const auto seed = LatePublisher::seed_of_environment();
    return World(std::make_unique<State>(std::move(node), seed));
}

World World::of_transport(std::unique_ptr<Transport> transport, std::size_t heap_bytes) {
    auto node = std::make_unique<Node>(std::move(transport), heap_bytes);
    return World(std::make_unique<State>(std::move(node), 0));
}

namespace {

bool by_messages() {
    const char* transport = std::getenv("AUREOLE_TRANSPORT");
    return transport != nullptr && std::string_view(transport) == "messages";
}

void start_late(std::uint64_t seed, int rank) {
    constexpr std::uint64_t latest = 3000;  // [µs]
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(rank));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % latest));
}

}  // namespace

void World::of_threads(int ranks, const std::function<void(World&)>& f, std::size_t heap_bytes) {
    const auto seed = LatePublisher::seed_of_environment();
    const bool apart = ranks > 1 && by_messages();
    PacketQueues queues(ranks, seed);
    std::vector<Heap> heaps;
    for (int r = 0; r < ranks && !apart; ++r) heaps.push_back(Heap::of_threads(r, heap_bytes));
    struct Outcome {
        std::exception_ptr thrown;
        bool by_itself = false;
    };
    std::vector<Outcome> outcomes(static_cast<std::size_t>(ranks));
    const bool own_processors = static_cast<unsigned>(ranks) <= std::thread::hardware_concurrency();
    const auto run = [&](int rank) {
        auto& mine = outcomes[static_cast<std::size_t>(rank)];
        if (seed != 0) start_late(seed, rank);
        auto own_node = apart ? std::make_unique<Node>(queues.of(rank), heap_bytes)
                              : std::make_unique<Node>(rank, std::span(heaps), own_processors);
        Node& node = *own_node;
        World world(std::make_unique<State>(std::move(own_node), seed));
        try {
            f(world);
            return;
        } catch (const std::exception& error) {
            mine = {std::current_exception(), node.control().failed == 0};
            node.tell_failure(error);
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int r = 1; r < ranks; ++r) threads.emplace_back(run, r);
        run(0);
    }
    for (const bool by_itself : {true, false})
        for (const auto& outcome : outcomes)
            if (outcome.thrown && outcome.by_itself == by_itself)
                std::rethrow_exception(outcome.thrown);
}

int World::rank() const { return state_->node ? state_->node->rank() : 0; }
int World::size() const { return state_->node ? state_->node->size() : 1; }
Heap& World::heap() { return state_->node ? state_->node->heap() : state_->own; }
Heap& World::heap(int rank) { return state_->node ? state_->node->heap(rank) : state_->own; }

void World::enter(Phase phase, std::int64_t step) {
    if (state_->node) state_->node->enter(phase, step);
}

namespace {

/// How many lines so many bytes take, one at least.
std::size_t lines_of(std::size_t bytes) {
    return bytes <= Line::bytes ? 1 : (bytes + Line::bytes - 1) / Line::bytes;
}

/// The part of some bytes that lies in line k.
std::size_t part_of_line(std::size_t k, std::size_t bytes) {
    return std::min(bytes - k * Line::bytes, Line::bytes);
}

bool is_there(const Line& line, std::uint64_t number) {
    return line.flag.load(std::memory_order_acquire) == number;
}

/// Writes the lines of a gather, for all ranks. One writes value k + 2 only after all have written
/// k + 1, and so read k.
void give(Node& node, std::uint64_t number, std::span<const std::byte> mine) {
    Line* const lines = node.control().small[number & 1];
    for (std::size_t k = 0; k < lines_of(mine.size()); ++k) {
        copy_part(lines[k].data, mine.data() + k * Line::bytes, part_of_line(k, mine.size()));
        lines[k].flag.store(number, std::memory_order_release);
    }
    for (int r = 0; r < node.size(); ++r) {
        if (r == node.rank()) continue;
        if (node.apart()) node.hand_over(lines, lines_of(mine.size()) * sizeof(Line), r);
        node.ring(r);
    }
}

}  // namespace

int World::begin_gather(const void* mine, std::size_t bytes) {
    Node& node = *state_->node;
    ++state_->calls;
    const std::uint64_t number = ++state_->gathers;
    const std::span given(static_cast<const std::byte*>(mine), bytes);
    if (state_->late)
        state_->late->publish(node.rank(),
                              [&node, number, copy = Bytes(given.begin(), given.end())] {
                                  give(node, number, copy);
                              });
    else
        give(node, number, given);
    return node.size();
}

void World::gathered(int from, void* to, const void* mine, std::size_t bytes) {
    Node& node = *state_->node;
    if (from == node.rank()) {
        if (bytes != 0) std::memcpy(to, mine, bytes);
        return;
    }
    const std::uint64_t number = state_->gathers;
    const Line* const lines = node.control(from).small[number & 1];
    const std::size_t count = lines_of(bytes);
    // Each look may have to fetch its line from another processor: two at the same time.
    const Line &first = lines[0], &last = lines[count - 1];
    node.wait(from, [&] {
        const bool here = is_there(first, number), end = is_there(last, number);
        return here && end;
    });
    for (std::size_t k = 1; k + 1 < count; ++k)
        node.wait(from, [&] { return is_there(lines[k], number); });
    for (std::size_t k = 0; k < count; ++k)
        copy_part(static_cast<std::byte*>(to) + k * Line::bytes, lines[k].data,
                  part_of_line(k, bytes));
}

void World::barrier() {
    if (!state_->node) return;
    begin_gather(nullptr, 0);
    for (int r = 0; r < size(); ++r) gathered(r, nullptr, nullptr, 0);
}

void World::require_rank(int rank) const {
    if (rank < 0 || rank >= size())
        throw core::RankError("there is no rank " + std::to_string(rank) + " of " +
                              std::to_string(size()));
}

std::vector<Parcel> World::exchange(std::span<const Parcel> out) {
    std::vector<Parcel> in;
    for (const auto& parcel : out) require_rank(parcel.rank);
    if (!state_->node) {
        in.assign(out.begin(), out.end());
        return in;
    }
    const Bytes mine = outbox_of(out, size());
    const int ranks = size();
    const auto left = leave(mine, digest_of_table(mine, ranks), [&](auto room, int whom) {
        hand_over(room.data(), static_cast<std::int64_t>(table_bytes(ranks)), whom);
        const auto part = part_of_outbox(mine, ranks, whom);
        return room.subspan(static_cast<std::size_t>(part.data() - mine.data()), part.size());
    });
    for (int from = 0; from < size(); ++from) {
        const LeftBytes& those = left[static_cast<std::size_t>(from)];
        take_parcels(left_by(from, those), those.digest, from, rank(), size(), in);
    }
    barrier();  // before anyone fills an outbox again
    return in;
}

std::vector<LeftBytes> World::leave(std::span<const std::byte> bytes, std::uint64_t digest,
                                    const PartFor& part_for) {
    std::byte* const room = state_->room(bytes.size() + 1);
    if (!bytes.empty()) std::memcpy(room, bytes.data(), bytes.size());
    if (state_->alter) state_->alter({room, bytes.size()});
    for (int r = 0; r < size(); ++r) {
        if (has_memory_of(r)) continue;
        const auto part = part_for({room, bytes.size()}, r);
        hand_over(part.data(), std::ssize(part), r);
    }
    return all_gather(
        LeftBytes{state_->outbox.offset, static_cast<std::int64_t>(bytes.size()), digest});
}

std::span<const std::byte> World::left_by(int rank, const LeftBytes& left) {
    const auto capacity = static_cast<std::int64_t>(heap(rank).capacity());
    if (left.offset < 0 || left.bytes < 0 || left.offset > capacity ||
        left.bytes > capacity - left.offset)
        throw core::RankError("a message from rank " + std::to_string(rank) +
                              " lies outside the memory of that rank. Please report this.");
    return {heap(rank).base() + left.offset, static_cast<std::size_t>(left.bytes)};
}

void World::broadcast(Bytes& bytes, int root) {
    require_rank(root);
    if (!state_->node) return;
    const bool mine = rank() == root;
    const auto left = leave(mine ? std::span<const std::byte>(bytes) : std::span<const std::byte>{},
                            mine ? digest_of(bytes) : 0, [](auto room, int) { return room; });
    if (!mine) {
        const LeftBytes& those = left[static_cast<std::size_t>(root)];
        const auto from = left_by(root, those);
        bytes.assign(from.begin(), from.end());
        if (digest_of(bytes) != those.digest) refuse_altered(root, rank());
    }
    barrier();
}

void World::alter_messages(std::function<void(std::span<std::byte>)> f) {
    state_->alter = std::move(f);
}

void World::put(std::byte* to, std::span<const std::byte> bytes, int whom) {
    if (bytes.empty()) return;
    if (!state_->late) {
        std::memcpy(to, bytes.data(), bytes.size());
        return hand_over(to, std::ssize(bytes), whom);
    }
    state_->late->publish(whom, [to, copy = Bytes(bytes.begin(), bytes.end())] {
        std::memcpy(to, copy.data(), copy.size());
    });
}

void World::publish(std::uint64_t* at, Word word, int whom) {
    ++state_->calls;
    const auto write = [this_node = state_->node.get(), at, word, whom] {
        comm::publish(at, word);
        if (this_node != nullptr && this_node->apart()) this_node->hand_over(at, sizeof *at, whom);
        if (this_node != nullptr && whom != this_node->rank()) this_node->ring(whom);
    };
    if (state_->late)
        state_->late->publish(whom, write);
    else
        write();
}

Word World::wait_for(const std::uint64_t* at, std::uint64_t epoch, int whom) {
    Word seen = look(at);
    if (seen.epoch() >= epoch) return seen;
    if (!state_->node) throw core::RankError("a single rank waits for itself");
    state_->node->wait(whom, [&] { return (seen = look(at)).epoch() >= epoch; });
    return seen;
}

void World::send(int to, std::span<const std::byte> bytes) { pass(to, bytes, -1, {}); }
void World::receive(int from, std::span<std::byte> bytes) { pass(-1, {}, from, bytes); }

void World::pass(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
    ++state_->calls;
    for (const int other : {to, from})
        if (other >= size() || other == rank())
            throw core::RankError("rank " + std::to_string(rank()) +
                                  " cannot exchange messages with rank " + std::to_string(other));
    if (state_->node) state_->node->pass(to, out, from, in);
}

void World::tell_failure(const std::exception& error) {
    if (state_->node) state_->node->tell_failure(error);
}

std::uint64_t World::calls() const { return state_->calls; }
std::uint64_t World::collectives() const { return state_->gathers; }
bool World::agreed() const { return state_->agreed_at == state_->calls && state_->calls > 0; }

void World::throw_first(const std::exception_ptr& mine) {
    if (!state_->node) {
        if (mine) std::rethrow_exception(mine);
        return;
    }
    const int first = combine(mine ? rank() : size(), [](int a, int b) { return std::min(a, b); });
    if (first == size()) return;
    Failure failure{};
    Bytes bytes(sizeof failure);
    if (first == rank()) {
        try {
            std::rethrow_exception(mine);
        } catch (const std::exception& error) {
            failure.describe(error);
        }
        std::memcpy(bytes.data(), &failure, sizeof failure);
    }
    broadcast(bytes, first);
    std::memcpy(&failure, bytes.data(), sizeof failure);
    state_->agreed_at = state_->calls;
    failure.raise();
}

bool World::copies_with(int rank) {
    require_rank(rank);
    return !state_->node || state_->node->copies_with(rank);
}

void World::hand_over_apart(const void* at, std::int64_t bytes, int whom) {
    state_->node->hand_over(at, static_cast<std::size_t>(bytes), whom);
}

void World::part() {
    state_->late.reset();
    if (state_->node) state_->node->leave();
    state_->node.reset();
    apart_ = false;
}

int World::process(int rank) {
    return state_->node ? state_->node->control(rank).process.load() : getpid();
}

void World::fail(const std::string& text) {
    if (state_->node) state_->node->fail(text);
    throw core::RankError(text);
}

}  // namespace aureole::comm
