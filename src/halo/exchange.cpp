// SPDX-License-Identifier: Apache-2.0
#include "halo/exchange.hpp"

#include <utility>

#include "core/error.hpp"

namespace aureole::halo {

Exchange::Exchange(comm::World& world) : world_(world) {
    words_ = world.all_gather(world.heap().reserve<Words>(most_pulses));
}

Exchange::Words& Exchange::words(int rank, std::size_t pulse) {
    return world_.heap(rank).at(words_[static_cast<std::size_t>(rank)])[pulse];
}

void Exchange::add(int to, int from, std::vector<std::int32_t> index, std::int64_t ghost_first,
                   std::int64_t ghosts) {
    if (pulses_.size() == most_pulses) throw core::RankError("there are too many pulses");
    const std::size_t p = pulses_.size();
    const auto bytes = ghosts * static_cast<std::int64_t>(sizeof(core::Vec3d));
    auto& heap = world_.heap();
    for (auto* room : {&landing_[p], &offered_[p]})
        if (room->n < bytes) *room = heap.reserve<std::byte>(bytes + bytes / 4);
    pulses_.push_back({to, from, std::move(index), ghost_first, ghosts, heap.at(landing_[p]),
                       heap.at(offered_[p]), nullptr, nullptr});
}

void Exchange::connect() {
    struct Rooms {
        std::int64_t pulse;
        comm::Span<std::byte> landing, offered;
    };
    std::vector<comm::Parcel> out;
    for (std::size_t p = 0; p < pulses_.size(); ++p)
        out.push_back({pulses_[p].from, comm::bytes_of(Rooms{static_cast<std::int64_t>(p),
                                                             landing_[p], offered_[p]})});
    for (const auto& parcel : world_.exchange(out)) {
        const auto rooms = comm::ParcelReader(parcel).value<Rooms>();
        Pulse& pulse = pulses_[static_cast<std::size_t>(rooms.pulse)];
        auto& heap = world_.heap(parcel.rank);
        pulse.their_landing = heap.at(rooms.landing), pulse.their_offer = heap.at(rooms.offered);
    }
}

void Exchange::begin_sending(std::size_t p, std::int64_t step) {
    world_.enter(comm::Phase::positions, step);
    world_.wait_for(&words(world_.rank(), p).returned.positions_taken, position_epoch_ - 1,
                    pulses_[p].to);
}

void Exchange::end_sending(std::size_t p, std::size_t value_bytes) {
    const int to = pulses_[p].to;
    world_.hand_over(pulses_[p].their_landing,
                     static_cast<std::int64_t>(value_bytes * pulses_[p].index.size()), to);
    world_.publish(&words(to, p).watched.positions_here, comm::Word::of(position_epoch_), to);
}

void Exchange::begin_receiving(std::size_t p) {
    world_.wait_for(&words(world_.rank(), p).watched.positions_here, position_epoch_,
                    pulses_[p].from);
}

void Exchange::end_receiving(std::size_t p) {
    const int from = pulses_[p].from;
    world_.publish(&words(from, p).returned.positions_taken, comm::Word::of(position_epoch_), from);
}

void Exchange::begin_offer(std::size_t p, std::int64_t step) {
    world_.enter(comm::Phase::forces, step);
    world_.wait_for(&words(world_.rank(), p).returned.forces_taken, force_epoch_ - 1,
                    pulses_[p].from);
}

void Exchange::end_offer(std::size_t p, std::size_t force_bytes) {
    const int from = pulses_[p].from;
    world_.hand_over(pulses_[p].offered, static_cast<std::int64_t>(force_bytes) * pulses_[p].ghosts,
                     from);
    world_.publish(&words(from, p).watched.forces_there, comm::Word::of(force_epoch_), from);
}

void Exchange::begin_taking(std::size_t p) {
    world_.wait_for(&words(world_.rank(), p).watched.forces_there, force_epoch_, pulses_[p].to);
}

void Exchange::end_taking(std::size_t p) {
    const int to = pulses_[p].to;
    world_.publish(&words(to, p).returned.forces_taken, comm::Word::of(force_epoch_), to);
}

}  // namespace aureole::halo
