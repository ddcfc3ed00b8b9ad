// SPDX-License-Identifier: Apache-2.0
#include "halo/links.hpp"

#include <cstring>
#include <string>
#include <utility>

namespace aureole::halo {

namespace {

template <class Value>
void append(comm::Bytes& to, const Value* from, std::size_t n) {
    const auto* bytes = reinterpret_cast<const std::byte*>(from);
    to.insert(to.end(), bytes, bytes + sizeof(Value) * n);
}

/// What begins a request; the tags follow.
struct Rooms {
    comm::Span<std::byte> inbox, outbox;
};

template <class Value>
std::vector<Value> values_of(const comm::Bytes& bytes, std::size_t from) {
    std::vector<Value> values((bytes.size() - from) / sizeof(Value));
    if (!values.empty())
        std::memcpy(values.data(), bytes.data() + from, sizeof(Value) * values.size());
    return values;
}

}  // namespace

Links::Links(comm::World& world) : world_(world) {
    const auto mine = world.heap().reserve<Words>(world.size());
    comm::Bytes bytes;
    append(bytes, &mine, 1);
    std::vector<comm::Parcel> out;
    for (int r = 0; r < world.size(); ++r) out.push_back({r, bytes});
    for (const auto& parcel : world.exchange(out))
        words_.push_back(values_of<comm::Span<Words>>(parcel.bytes, 0).front());
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
    const Rooms rooms{inbox_, outbox_};
    comm::Parcel request{0, {}};
    append(request.bytes, &rooms, 1), append(request.bytes, wanted.data(), wanted.size());
    std::vector<comm::Parcel> out;
    for (int r = 0; r < world_.size() && !wanted.empty(); ++r) {
        request.rank = r;
        out.push_back(request);
    }
    const auto requests = world_.exchange(out);
    out.clear();
    for (const auto& parcel : requests) {
        Rooms theirs{};
        std::memcpy(&theirs, parcel.bytes.data(), sizeof theirs);
        auto& heap = world_.heap(parcel.rank);
        Borrower to{parcel.rank, {}, {}, heap.at(theirs.inbox), heap.at(theirs.outbox)};
        const auto tags = values_of<std::int64_t>(parcel.bytes, sizeof theirs);
        for (std::size_t k = 0; k < tags.size(); ++k)
            if (const auto i = owned(tags[k]); i >= 0)
                to.index.push_back(i), to.slot.push_back(static_cast<std::int32_t>(k));
        if (to.index.empty()) continue;
        comm::Parcel answer{parcel.rank, {}};
        append(answer.bytes, to.slot.data(), to.slot.size());
        out.push_back(std::move(answer));
        borrowers_.push_back(std::move(to));
    }
    for (const auto& parcel : world_.exchange(out)) {
        const auto begin = size();
        for (const auto slot : values_of<std::int32_t>(parcel.bytes, 0)) {
            slot_.push_back(slot);
            tags_.push_back(wanted[static_cast<std::size_t>(slot)]);
        }
        lenders_.push_back({parcel.rank, begin, size()});
    }
    if (tags_.size() != wanted.size())
        world_.fail("of " + std::to_string(wanted.size()) + " particles that rank " +
                    std::to_string(world_.rank()) + " needs, " + std::to_string(tags_.size()) +
                    " have an owner. Please report this.");
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
