// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "comm/heap.hpp"
#include "comm/parcel.hpp"
#include "comm/phase.hpp"
#include "comm/word.kernel.hpp"

namespace aureole::comm {

class Node;
class Transport;
struct LeftBytes;

/// All ranks of a simulation, as one of them sees them. Calls that involve all ranks must be made
/// by all, in the same order. A call that cannot end throws on every rank: what another rank threw
/// if it failed, core::RankError if it died or is stopped.
class World {
  public:
    /// One rank: no call waits.
    static World alone();
    /// Ranks as threads of this process, for tests: f(world) on each. Rethrows the exception of the
    /// lowest rank that failed on its own. AUREOLE_TRANSPORT=messages: they share no memory.
    static void of_threads(int ranks, const std::function<void(World&)>& f,
                           std::size_t heap_bytes = std::size_t{64} << 20);
    /// Rank `rank` of processes with these heaps.
    static World of_processes(int rank, std::vector<Heap> heaps, bool own_processors);
    /// A rank that shares no memory with others; `heap_bytes`: limit of its heap, the same on all.
    static World of_transport(std::unique_ptr<Transport> transport, std::size_t heap_bytes);

    World(World&&) noexcept;
    World& operator=(World&&) = delete;
    ~World();

    int rank() const;
    int size() const;
    Heap& heap();
    /// The heap of any rank. If this rank shares no memory with that rank, the result is a mirror
    /// of its heap: it holds, at the same offsets, the data that the other rank has handed over,
    /// and the data that this rank writes in order to hand it over.
    Heap& heap(int rank);
    /// Whether loads and stores go to the heap of that rank itself.
    bool has_memory_of(int rank) const { return !apart_ || rank == this->rank(); }
    /// Whether loads and stores go to the heaps of all ranks themselves.
    bool one_memory() const { return !apart_ || size() == 1; }
    /// Gives rank `whom`, if this rank shares no memory with it, the bytes that were written at a
    /// place in its heap or in the own heap. Rank `whom` finds them there as in shared memory: when
    /// it sees a word, or takes a value, that is given afterwards.
    void hand_over(const void* at, std::int64_t bytes, int whom) {
        if (apart_) hand_over_apart(at, bytes, whom);
    }

    /// Says which work begins or is waited for next; named in errors. A negative step is none.
    void enter(Phase phase, std::int64_t step = -1);

    /// op(op(v₀, v₁), v₂)… of the values of all ranks in their order: the same bits on each.
    /// At most 2 kB of plain data.
    template <class Value, class Op>
    Value combine(const Value& mine, const Op& op) {
        static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= most_bytes);
        if (size() == 1) return mine;
        const int ranks = begin_gather(&mine, sizeof(Value));
        Value sum, other;
        gathered(0, &sum, &mine, sizeof(Value));
        for (int r = 1; r < ranks; ++r) {
            gathered(r, &other, &mine, sizeof(Value));
            sum = op(sum, other);
        }
        return sum;
    }
    /// The values of all ranks, in their order. At most 2 kB of plain data each.
    template <class Value>
    std::vector<Value> all_gather(const Value& mine) {
        static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= most_bytes);
        if (size() == 1) return {mine};
        const int ranks = begin_gather(&mine, sizeof mine);
        std::vector<Value> all(static_cast<std::size_t>(ranks));
        for (int r = 0; r < ranks; ++r)
            gathered(r, &all[static_cast<std::size_t>(r)], &mine, sizeof mine);
        return all;
    }
    /// Returns when all ranks have called it.
    void barrier();
    /// Bytes of any rank for any rank. Parcels arrive in the order of ranks, and of one rank in the
    /// order that it gave them in. Throws core::RankError if one arrives altered.
    std::vector<Parcel> exchange(std::span<const Parcel> out);
    /// Copies bytes to memory of rank `whom`, which finds them there when it sees a word that was
    /// published to it afterwards. They may be changed at once.
    void put(std::byte* to, std::span<const std::byte> bytes, int whom);
    /// Publishes a word in memory that rank `whom` watches, after all that was written before.
    void publish(std::uint64_t* at, Word word, int whom);
    /// Waits until the word there, which rank `whom` publishes, is of this epoch or later.
    Word wait_for(const std::uint64_t* at, std::uint64_t epoch, int whom);
    /// Sends a message to another rank; returns when the bytes may be changed, for which a long
    /// message waits until its receiver takes it.
    void send(int to, std::span<const std::byte> bytes);
    /// The next message of another rank, which must have as many bytes as `bytes`: otherwise all
    /// ranks throw core::RankError.
    void receive(int from, std::span<std::byte> bytes);
    /// Sends and receives at once: neighbours that send to each other do not wait for ever.
    void pass(int to, std::span<const std::byte> out, int from, std::span<std::byte> in);
    /// Gives all ranks the bytes of rank `root`.
    void broadcast(Bytes& bytes, int root);
    /// Ends the simulation on all ranks: each throws core::RankError with this text, or the error
    /// of a rank that failed before. Texts are cut after 3 kB.
    [[noreturn]] void fail(const std::string& text);
    /// Ends the simulation on all other ranks: each throws this error, with its class if it is one
    /// of core's, where it waits next.
    void tell_failure(const std::exception& error);
    /// Calls so far that other ranks take part in.
    std::uint64_t calls() const;
    /// Calls so far in which each rank waits for all others.
    std::uint64_t collectives() const;
    /// Calls f. If f throws on any rank, all ranks throw the error of the lowest rank that threw,
    /// and go on together: `agreed()` tells that error from one that ends the simulation.
    template <class F>
    void together(F&& f) {
        std::exception_ptr thrown;
        try {
            f();
        } catch (const std::exception&) {
            thrown = std::current_exception();
        }
        throw_first(thrown);
    }
    /// Whether nothing was called since together() threw.
    bool agreed() const;
    /// Whether the system copies memory of that rank's process to this one and back, which is tried
    /// first. Long messages that lie in no heap go in chunks where it does not.
    bool copies_with(int rank);
    /// The process of any rank.
    int process(int rank);
    /// Ends this rank's part; nothing else may be called then.
    void part();

    /// For tests: calls f with what this rank leaves for others, where f may write.
    void alter_messages(std::function<void(std::span<std::byte>)> f);

    static constexpr std::size_t most_bytes = 37 * 56;

  private:
    struct State;
    explicit World(std::unique_ptr<State> state);
    void hand_over_apart(const void* at, std::int64_t bytes, int whom);
    void require_rank(int rank) const;
    void throw_first(const std::exception_ptr& mine);
    /// Gives all ranks the same number of bytes of each, at most most_bytes; returns the number of
    /// ranks.
    int begin_gather(const void* mine, std::size_t bytes);
    /// Copies the bytes that a rank gave; `mine` are this rank's.
    void gathered(int from, void* to, const void* mine, std::size_t bytes);
    /// The part of some bytes that a rank needs.
    using PartFor = std::function<std::span<const std::byte>(std::span<const std::byte>, int rank)>;
    /// Leaves bytes for the others to fetch; returns where the bytes of each rank are.
    std::vector<LeftBytes> leave(std::span<const std::byte> bytes, std::uint64_t digest,
                                 const PartFor& part_for);
    std::span<const std::byte> left_by(int rank, const LeftBytes& left);

    std::unique_ptr<State> state_;
    bool apart_;  ///< these ranks share no memory
};

}  // namespace aureole::comm
