// SPDX-License-Identifier: Apache-2.0
#include "collective.hpp"

#include <algorithm>

namespace twins {
namespace {

constexpr long most_bytes = 200000;

}  // namespace

void Collective::begin_draw() {
    rng = run.rng.fork();
    const auto drawn = rng.below(10);
    way = drawn < 5 ? Way::block : drawn < 8 ? Way::start : Way::persist;
#ifdef MPICH
    // MPICH 5.0.2 receives wrong bytes in persistent collectives of inter-communicators, and hangs
    // in non-blocking ones.
    if (comm.inter()) way = Way::block;
#endif
    large = rng.percent(30);
    rounds_ = static_cast<int>(rng.between(1, 3));
}

void Collective::begin(const std::string& text) {
    static const char* const names[] = {"", " non-blocking", " persistent"};
    operation =
        run.begin(text + names[static_cast<int>(way)] + (large ? " _c" : "") + " on " + comm.name);
}

Pending& Collective::pending(const Use& use) {
    auto& p = pendings_.emplace_back();
    p.operation = operation;
    p.buffer = use.out ? use.out : use.in;
    p.name = "receive buffer";
    p.compare = use.compare;
    p.at_once = run.local.percent(50) && p.buffer;
    p.ignore_status = run.local.percent(50);
    if (run.local.percent(50) && use.in != use.out) p.reuse = use.in;
    if (use.in)
        run.watch(operation, *use.in, "send buffer at the end",
                  use.in == use.out ? use.compare : Compare::everything);
    if (use.out && use.out != use.in)
        run.watch(operation, *use.out, "receive buffer at the end", use.compare);
    return p;
}

void Collective::blocked(const Use& use, int code) {
    finished(run, pending(use), MPI_Status{}, code);
}

void Collective::started(const Use& use, int code, MPI_Request request) {
    auto& p = pending(use);
    if (code != MPI_SUCCESS) return finished(run, p, MPI_Status{}, code);
    p.request = request;
    open_.push_back(&p);
    if (run.timing.percent(50)) complete_some(run, open_);
}

void Collective::rounds(const Use& use, int code, MPI_Request request) {
    auto& last = pending(use);
    last.reuse = nullptr;
    for (int round = 0; round < rounds_ && code == MPI_SUCCESS; ++round) {
        if (round > 0 && use.prepare) use.prepare();
        if (round > 0 && !use.prepare && use.in) use.in->refill();
        if (round > 0 && !use.prepare && use.out && use.out != use.in) use.out->refill();
        code = MPI_Start(&request);
        Pending p = last;
        p.request = request;
        p.which = round;
        p.persistent = true;
        p.at_once = p.buffer != nullptr;
        p.name += " of round " + std::to_string(round);
        if (code == MPI_SUCCESS) complete(run, {&p});
        request = p.request;
    }
    run.note_error(operation, 100, code);
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

void Collective::end() {
    run.doing("completing collectives on " + comm.name);
    while (!open_.empty()) {
        if (run.timing.percent(50))
            complete_some(run, open_);
        else
            complete(run, std::exchange(open_, {}));
    }
    run.end_phase();
}

TypeRef random_item(Rng& rng) {
    for (int tries = 0; tries < 8; ++tries) {
        const auto type = random_type(rng, static_cast<int>(rng.one_of({0, 0, 1, 2, 3})));
        if (type->tidy && type->extent > 0 && fits(*type, 2)) return type;
    }
    return basic_type(random_basic(rng));
}

long random_items(Rng& rng, const Type& type, int blocks) {
    const auto share = rng.below(100);
    const long bytes = share < 70   ? rng.below(300)
                       : share < 95 ? rng.below(5000)
                                    : rng.below(most_bytes);
    const long each = bytes / std::max(1, blocks) / static_cast<long>(type.size);
    if (rng.percent(7)) return 0;
    return fits(type, each * blocks) ? std::max(1L, each) : 1;
}

Side own_layout([[maybe_unused]] const Collective& c, Rng& rng, const TypeRef& item, long items) {
#ifdef MPICH
    // On inter-communicators each rank of MPICH 5.0.2 chooses the algorithm by its own count: it
    // hangs where the root scatters 50 vectors and the others receive 700 characters each.
    if (c.comm.inter()) return {item, 1};
#endif
    const auto side = same_elements(rng, {item, 1});
    // A layout of another kind must fit where the items lie behind each other.
    const bool good = side.type->extent > 0 && fits(*side.type, side.count * std::max(items, 1L));
    return good ? side : Side{item, 1};
}

}  // namespace twins
