// SPDX-License-Identifier: Apache-2.0
#include "halo/fused.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "device/copy.hpp"
#include "halo/fused_sums.hpp"

namespace aureole::halo {

namespace {

constexpr std::int64_t items_of_block = 1024;
constexpr int most_chunks = 32;

template <class T>
void upload(device::Queue& queue, device::Buffer<T>& to, const std::vector<T>& from) {
    to.resize(queue, static_cast<std::int64_t>(from.size()));
    device::copy_from_host(queue, to.view(), from.data());
}

const char* name_of(std::int32_t what) {
    switch (what) {
        case FusedFault::positions:
            return "positions from rank ";
        case FusedFault::positions_taken:
            return "buffer space for positions on rank ";
        case FusedFault::forces:
            return "forces from rank ";
        case FusedFault::forces_taken:
            return "the receipt of its forces by rank ";
        default:
            return "its own receipt of forces from rank ";
    }
}

}  // namespace

FusedExchange::FusedExchange(comm::World& world, device::Queue& queue, FusedOptions options)
    : world_(world), options_(options), state_(queue, 1) {
    if (queue.backend() != device::Backend::host)
        throw core::DeviceError("the fused halo exchange cannot run on this device",
                                "ranks can share only host memory so far",
                                "Choose device \"host\".");
    if (!world.one_memory())
        throw core::RankError("the fused halo exchange cannot reach the other ranks",
                              "they do not share memory with this one", "Unset AUREOLE_TRANSPORT.");
    using Order = device::host::BlockRun::Order;
    if (queue.device().hostile() && options_.run.seed == 0 &&
        options_.run.order == Order::ascending)
        options_.run = {Order::shuffled, 1, 1, 1};
    FusedState state{};
    state.own = state.heard_with_positions = state.heard_with_forces = comm::Word::of(0).bits;
    device::copy_from_host(queue, state_.view(), &state);
    watched_ = world.all_gather(world.heap().reserve<Watched>(most_pulses));
}

FusedExchange::Watched* FusedExchange::watched(int rank, int pulse) {
    return world_.heap(rank).at(watched_[static_cast<std::size_t>(rank)]) + pulse;
}

FusedWords FusedExchange::words_of(const PulsePlan& plan, int p, bool forces) {
    Watched& here = *watched(world_.rank(), p);
    if (forces)
        return {&here.forces_full, &watched(plan.from, p)->forces_full, &here.forces_taken,
                &watched(plan.to, p)->forces_taken};
    return {&here.positions_full, &watched(plan.to, p)->positions_full, &here.positions_taken,
            &watched(plan.from, p)->positions_taken};
}

void FusedExchange::set_pulses(device::Queue& queue, std::span<const PulsePlan> plans) {
    if (plans.size() > most_pulses) throw core::RankError("there are too many pulses");
    const FusedState now = state(queue);
    std::vector<FusedPulse> pulses(plans.size());
    connect(plans, pulses);
    std::vector<std::int32_t> index;
    std::int64_t most = 0;
    for (const auto& plan : plans) {
        index.insert(index.end(), plan.index.begin(), plan.index.end());
        most = std::max({most, static_cast<std::int64_t>(plan.index.size()), plan.ghosts});
    }
    upload(queue, index_, index);
    row_.resize(queue, static_cast<std::int64_t>(index.size()));
    const std::int64_t ghosts_begin = plans.empty() ? 0 : plans[0].ghost_first;
    std::int64_t before = 0;
    for (std::size_t p = 0; p < plans.size(); ++p) {
        const PulsePlan& plan = plans[p];
        FusedPulse& pulse = pulses[p];
        const auto owned = std::find_if(plan.index.begin(), plan.index.end(),
                                        [&](std::int32_t i) { return i >= ghosts_begin; });
        pulse.to = plan.to, pulse.from = plan.from;
        pulse.index = index_.data() + before;
        pulse.count = static_cast<std::int64_t>(plan.index.size());
        pulse.independent = owned - plan.index.begin();
        pulse.ghost_first = plan.ghost_first, pulse.ghosts = plan.ghosts;
        pulse.row_first = before;
        before += pulse.count;
        // All is quiet: what was given was taken, also by neighbours that are others now.
        comm::publish(pulse.positions.their_taken, comm::Word::of(now.position_epoch));
        comm::publish(pulse.forces.their_taken, comm::Word::of(now.force_epoch));
    }
    plan_sums(queue, plans, pulses);
    upload(queue, pulse_, pulses);
    halo_.pulse = pulse_.data(), halo_.pulses = static_cast<int>(plans.size());
    halo_.state = state_.data(), halo_.looks = options_.looks;
    const auto wanted = static_cast<int>(
        std::min<std::int64_t>(most_chunks, (most + items_of_block - 1) / items_of_block));
    chunks_ = std::max(1, options_.chunks > 0 ? options_.chunks : wanted);
}

void FusedExchange::connect(std::span<const PulsePlan> plans, std::vector<FusedPulse>& pulses) {
    struct Rooms {
        std::int64_t pulse;
        comm::Span<core::Vec3d> landing, offered;
    };
    auto& heap = world_.heap();
    std::vector<comm::Parcel> out;
    for (std::size_t p = 0; p < plans.size(); ++p) {
        const std::int64_t ghosts = plans[p].ghosts;
        for (auto* room : {&landing_[p], &offered_[p]})
            if (room->n < ghosts) *room = heap.reserve<core::Vec3d>(ghosts + ghosts / 4);
        pulses[p].landing = heap.at(landing_[p]), pulses[p].offered = heap.at(offered_[p]);
        pulses[p].positions = words_of(plans[p], static_cast<int>(p), false);
        pulses[p].forces = words_of(plans[p], static_cast<int>(p), true);
        out.push_back({plans[p].from, comm::bytes_of(Rooms{static_cast<std::int64_t>(p),
                                                           landing_[p], offered_[p]})});
    }
    for (const auto& parcel : world_.exchange(out)) {
        const auto rooms = comm::ParcelReader(parcel).value<Rooms>();
        FusedPulse& pulse = pulses[static_cast<std::size_t>(rooms.pulse)];
        auto& theirs = world_.heap(parcel.rank);
        pulse.their_landing = theirs.at(rooms.landing),
        pulse.their_offer = theirs.at(rooms.offered);
    }
}

void FusedExchange::plan_sums(device::Queue& queue, std::span<const PulsePlan> plans,
                              std::vector<FusedPulse>& pulses) {
    const SumPlan plan = halo::plan_sums(plans);
    upload(queue, sum_, plan.sum);
    upload(queue, sent_on_, plan.sent_on);
    upload(queue, addend_, plan.addend);
    std::int64_t ghosts = 0;
    for (std::size_t p = 0; p < pulses.size(); ++p) {
        pulses[p].sent_on = sent_on_.data() + ghosts;
        pulses[p].sum_first = plan.first[p], pulses[p].sums = plan.first[p + 1] - plan.first[p];
        ghosts += plans[p].ghosts;
    }
    halo_.row = row_.data(), halo_.sum = sum_.data(), halo_.addend = addend_.data();
    halo_.home_first = plan.first[plans.size()];
    halo_.home_sums = plan.first[plans.size() + 1] - halo_.home_first;
}

FusedState FusedExchange::state(device::Queue& queue) {
    FusedState now;
    device::copy_to_host(queue, &now, state_.view());
    return now;
}

void FusedExchange::request(device::Queue& queue, comm::Word word) {
    device::copy_from_host(queue, device::View<std::uint64_t>{&state_.data()->own, 1}, &word.bits);
}

comm::Word FusedExchange::heard_with_positions(device::Queue& queue) {
    const FusedState now = state(queue);
    return {halo_.pulses > 0 ? now.heard_with_positions : now.own};
}
comm::Word FusedExchange::heard_with_forces(device::Queue& queue) {
    const FusedState now = state(queue);
    return {halo_.pulses > 0 ? now.heard_with_forces : now.own};
}

void FusedExchange::send(device::Queue& queue, device::View<const core::Vec3d> position,
                         std::int64_t step) {
    world_.enter(comm::Phase::positions, step);
    device::block_for(queue, "positions to neighbours", {halo_.pulses, chunks_},
                      HaloSend{halo_, position}, next_run());
}

void FusedExchange::receive(device::Queue& queue, device::View<core::Vec3d> position,
                            std::int64_t step) {
    world_.enter(comm::Phase::positions, step);
    device::block_for(queue, "positions of ghosts", {halo_.pulses, chunks_},
                      HaloReceive{halo_, position}, next_run());
}

void FusedExchange::check(device::Queue& queue, std::int64_t step) {
    const FusedFault fault = state(queue).fault;
    if (fault.raised == 0) return;
    world_.fail("rank " + std::to_string(world_.rank()) + " gave up waiting for " +
                name_of(fault.what) + std::to_string(fault.rank) + " (pulse " +
                std::to_string(fault.pulse) + " of the halo, step " + std::to_string(step) +
                ": expected epoch " + std::to_string(fault.awaited) + ", last seen " +
                std::to_string(fault.seen) + "). Check what rank " + std::to_string(fault.rank) +
                " was doing.");
}

device::host::BlockRun FusedExchange::next_run() {
    auto run = options_.run;
    if (run.seed != 0) run.seed += 1000 * static_cast<std::uint64_t>(world_.rank()) + ++launches_;
    return run;
}

}  // namespace aureole::halo
