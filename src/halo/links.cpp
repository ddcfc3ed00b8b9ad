// SPDX-License-Identifier: Apache-2.0
#include "halo/links.hpp"

#include <string>
#include <utility>

namespace aureole::halo {

namespace {

/// Head of a request; the tags follow.
struct Rooms {
    comm::Span<std::byte> inbox, outbox;
};

}  // namespace

Links::Links(comm::World& world) : world_(world) {
    words_ = world.all_gather(world.heap().reserve<Words>(world.size()));
}

Links::Words& Links::words(int of, int by) {
    return world_.heap(of).at(words_[static_cast<std::size_t>(of)])[by];
}

void Links::clear() {
    tags_.clear(), slot_.clear();
    lenders_.clear(), borrowers_.clear();
}

void Links::connect(std::span<const std::int64_t> wanted, const FindOwned& owned) {
    clear();
    forward_done_ = forward_epoch_, back_done_ = back_epoch_;
    const auto bytes = most_bytes * static_cast<std::int64_t>(wanted.size());
    for (auto* room : {&inbox_, &outbox_})
        if (room->n < bytes)
            *room = world_.heap().reserve<std::byte>(bytes + bytes / 4 / most_bytes * most_bytes);
    comm::Parcel request{0, comm::bytes_of(Rooms{inbox_, outbox_}, wanted)};
    std::vector<comm::Parcel> out;
    for (int r = 0; r < world_.size() && !wanted.empty(); ++r) {
        request.rank = r;
        out.push_back(request);
    }
    const auto requests = world_.exchange(out);
    out.clear();
    for (const auto& parcel : requests) {
        comm::ParcelReader reader(parcel);
        const auto theirs = reader.value<Rooms>();
        auto& heap = world_.heap(parcel.rank);
        Borrower to{parcel.rank, {}, {}, heap.at(theirs.inbox), heap.at(theirs.outbox)};
        const auto tags = reader.rest<std::int64_t>();
        for (std::size_t k = 0; k < tags.size(); ++k)
            if (const auto i = owned(tags[k]); i >= 0)
                to.index.push_back(i), to.slot.push_back(static_cast<std::int32_t>(k));
        if (to.index.empty()) continue;
        out.push_back({parcel.rank, comm::bytes_of(to.slot)});
        borrowers_.push_back(std::move(to));
    }
    for (const auto& parcel : world_.exchange(out)) {
        const auto begin = size();
        for (const auto slot : comm::ParcelReader(parcel).rest<std::int32_t>()) {
            slot_.push_back(slot);
            tags_.push_back(wanted[static_cast<std::size_t>(slot)]);
        }
        lenders_.push_back({parcel.rank, begin, size()});
    }
    if (tags_.size() != wanted.size())
        world_.fail(std::to_string(tags_.size()) + " of the " + std::to_string(wanted.size()) +
                    " particles that rank " + std::to_string(world_.rank()) +
                    " needs have an owner. Please report this.");
}

void Links::hand_over(const void* values, std::size_t bytes, std::span<const std::int32_t> slots,
                      int whom) {
    if (world_.has_memory_of(whom)) return;
    for (const auto slot : slots)
        world_.hand_over(
            static_cast<const std::byte*>(values) + static_cast<std::size_t>(slot) * bytes,
            static_cast<std::int64_t>(bytes), whom);
}

void Links::begin_forward(int borrower) {
    if (forward_epoch_ - 1 > forward_done_)
        world_.wait_for(&words(world_.rank(), borrower).forward_taken, forward_epoch_ - 1,
                        borrower);
}

void Links::end_forward(int borrower) {
    world_.publish(&words(borrower, world_.rank()).forward_here, comm::Word::of(forward_epoch_),
                   borrower);
}

void Links::begin_taking(int lender) {
    world_.wait_for(&words(world_.rank(), lender).forward_here, forward_epoch_, lender);
}

void Links::end_taking(int lender) {
    world_.publish(&words(lender, world_.rank()).forward_taken, comm::Word::of(forward_epoch_),
                   lender);
}

void Links::begin_offer(int lender) {
    if (back_epoch_ - 1 > back_done_)
        world_.wait_for(&words(world_.rank(), lender).back_taken, back_epoch_ - 1, lender);
}

void Links::end_offer(int lender) {
    world_.publish(&words(lender, world_.rank()).back_there, comm::Word::of(back_epoch_), lender);
}

void Links::begin_fetching(int borrower) {
    world_.wait_for(&words(world_.rank(), borrower).back_there, back_epoch_, borrower);
}

void Links::end_fetching(int borrower) {
    world_.publish(&words(borrower, world_.rank()).back_taken, comm::Word::of(back_epoch_),
                   borrower);
}

}  // namespace aureole::halo
