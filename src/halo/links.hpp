// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "comm/world.hpp"

namespace aureole::halo {

/// Single particles that a rank needs and another one owns, by tag, at any distance: values go from
/// owners to the ranks that asked, and back. Where nothing is asked for, nobody waits.
class Links {
  public:
    /// Most bytes of the values of one particle in a transfer.
    static constexpr std::int64_t most_bytes = 96;
    /// The local index of a tag that this rank owns, or a negative number.
    using FindOwned = std::function<std::int32_t(std::int64_t)>;

    /// All ranks make them together.
    explicit Links(comm::World& world);

    /// Asks for particles, each once, in place of earlier ones; all ranks call it together. Throws
    /// core::RankError if nobody owns one of the particles.
    void connect(std::span<const std::int64_t> wanted, const FindOwned& owned);
    /// As connect() with nothing wanted, on all ranks, which need not wait for each other.
    void clear();

    /// The particles that this rank asked for in the order of transfers: by owner.
    const std::vector<std::int64_t>& tags() const { return tags_; }
    std::int64_t size() const { return static_cast<std::int64_t>(tags_.size()); }
    /// The particles that another rank asked for, by local index.
    struct Borrower {
        int rank;
        std::vector<std::int32_t> index;
        std::vector<std::int32_t> slot;  ///< where each one's values go
        std::byte *inbox, *outbox;       ///< of that rank
    };
    const std::vector<Borrower>& borrowers() const { return borrowers_; }
    /// The range of tags() that another rank owns.
    struct Lender {
        int rank;
        std::int64_t begin, end;
    };
    const std::vector<Lender>& lenders() const { return lenders_; }

    /// Values from owners: the value of read(local index) comes to store(k, value), k counting
    /// tags().
    template <class Value, class Read, class Store>
    void forward(const Read& read, const Store& store) {
        static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= most_bytes);
        ++forward_epoch_;
        for (const auto& to : borrowers_) {
            begin_forward(to.rank);
            auto* const slots = reinterpret_cast<Value*>(to.inbox);
            for (std::size_t k = 0; k < to.index.size(); ++k) slots[to.slot[k]] = read(to.index[k]);
            hand_over(slots, sizeof(Value), to.slot, to.rank);
            end_forward(to.rank);
        }
        const auto* const slots = reinterpret_cast<const Value*>(heap_at(inbox_));
        for (const auto& from : lenders_) {
            begin_taking(from.rank);
            for (auto k = from.begin; k < from.end; ++k)
                store(k, slots[slot_[static_cast<std::size_t>(k)]]);
            end_taking(from.rank);
        }
    }
    /// Values to owners: those of read(k) come to add(local index, value), in the order of the
    /// ranks that asked.
    template <class Value, class Read, class Add>
    void back(const Read& read, const Add& add) {
        static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= most_bytes);
        ++back_epoch_;
        auto* const slots = reinterpret_cast<Value*>(heap_at(outbox_));
        for (const auto& to : lenders_) {
            begin_offer(to.rank);
            for (auto k = to.begin; k < to.end; ++k)
                slots[slot_[static_cast<std::size_t>(k)]] = read(k);
            hand_over(slots, sizeof(Value), slots_of(to), to.rank);
            end_offer(to.rank);
        }
        for (const auto& from : borrowers_) {
            begin_fetching(from.rank);
            const auto* const offered = reinterpret_cast<const Value*>(from.outbox);
            for (std::size_t k = 0; k < from.index.size(); ++k)
                add(from.index[k], offered[from.slot[k]]);
            end_fetching(from.rank);
        }
    }

  private:
    /// Words that another rank publishes to this rank, in this rank's heap.
    struct alignas(64) Words {
        std::uint64_t forward_here;   ///< by a lender: its values are in the inbox
        std::uint64_t forward_taken;  ///< by a borrower: its inbox may be filled again
        std::uint64_t back_there;     ///< by a borrower: its outbox is full
        std::uint64_t back_taken;     ///< by a lender: the outbox may be filled again
    };

    /// The words in the heap of rank `of` that rank `by` publishes.
    Words& words(int of, int by);
    std::byte* heap_at(const comm::Span<std::byte>& span) { return world_.heap().at(span); }
    std::span<const std::int32_t> slots_of(const Lender& of) const {
        return std::span(slot_).subspan(static_cast<std::size_t>(of.begin),
                                        static_cast<std::size_t>(of.end - of.begin));
    }
    /// Gives rank `whom` the values in these slots, if it shares no memory with this rank.
    void hand_over(const void* values, std::size_t bytes, std::span<const std::int32_t> slots,
                   int whom);
    void begin_forward(int borrower);
    void end_forward(int borrower);
    void begin_taking(int lender);
    void end_taking(int lender);
    void begin_offer(int lender);
    void end_offer(int lender);
    void begin_fetching(int borrower);
    void end_fetching(int borrower);

    comm::World& world_;
    std::vector<comm::Span<Words>> words_;      ///< of each rank
    comm::Span<std::byte> inbox_{}, outbox_{};  ///< [wanted] here
    std::vector<std::int64_t> tags_;
    std::vector<std::int32_t> slot_;  ///< of each of tags_
    std::vector<Lender> lenders_;
    std::vector<Borrower> borrowers_;
    std::uint64_t forward_epoch_ = 0, back_epoch_ = 0;
    /// Transfers up to these ended before the last connect(): nobody need be asked about them.
    std::uint64_t forward_done_ = 0, back_done_ = 0;
};

}  // namespace aureole::halo
