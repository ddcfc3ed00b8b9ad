// SPDX-License-Identifier: Apache-2.0
// Collectives that move data, on intra- and inter-communicators.
#include "blocks.hpp"

namespace twins {
namespace {

/// The root of a collective as each rank names it.
struct Root {
    int argument = 0;
    bool is_root = false;  // this rank
    bool is_leaf = false;  // this rank sends to the root, or receives from it
    int leaves = 1;

    static Root random(Collective& c) {
        Root root;
        const auto& comm = c.comm;
        const bool in_first = c.rng.percent(50);
        if (!comm.inter()) {
            root.argument = static_cast<int>(c.rng.below(comm.size));
            root.is_root = root.argument == comm.rank;
            root.is_leaf = true;
            root.leaves = comm.size;
            return root;
        }
        const bool here = in_first == comm.first;
        const int place = static_cast<int>(c.rng.below(here ? comm.size : comm.remote));
        root.is_root = here && place == comm.rank;
        root.is_leaf = !here;
        root.argument = !here ? place : root.is_root ? MPI_ROOT : MPI_PROC_NULL;
        root.leaves = here ? comm.remote : comm.size;
        return root;
    }
    std::string text() const { return " root " + std::to_string(argument); }
};

std::string text_of(const Side& side, long items) {
    return ", " + std::to_string(side.count * items) + " x " + side.type->text;
}

/// Numbers of a collective that all ranks know, and each rank's own.
struct Common {
    TypeRef item;
    long items;
    std::uint64_t seed;
    Rng own;

    Common(Collective& c, int blocks) : item(random_item(c.rng)), items(0), seed(0) {
        items = random_items(c.rng, *item, blocks);
        seed = c.rng.next();
        own = Rng(c.rng.next(), static_cast<std::uint64_t>(2 * c.comm.rank + c.comm.first));
    }
    /// How many items a leaf sends or receives, in the v forms.
    std::vector<long> by_leaf(int leaves, bool first) const {
        std::vector<long> list;
        for (int i = 0; i < leaves; ++i) list.push_back(agreed(seed, i, first, items + 2));
        return list;
    }
};

int largest(const Comm& comm) { return std::max(comm.size, comm.remote); }

void barrier(Collective& c) {
    c.begin("Barrier");
    c.large = false;
    c.call(TWINS_CALLS(Barrier, Ibarrier), TWINS_CALLS(Barrier, Ibarrier), {}, c.comm.handle);
}

void bcast(Collective& c) {
    Common common(c, 1);
    const auto root = Root::random(c);
    auto side = own_layout(c, common.own, common.item, common.items);
    c.begin("Bcast" + root.text() + text_of(side, common.items));
    const bool takes_part = root.is_root || root.is_leaf;
    auto& buffer = c.run.buffer(side.type, side.count * common.items);
    c.call(TWINS_BOTH(Bcast, Ibcast),
           {takes_part && !root.is_leaf ? &buffer : nullptr, &buffer, {}, {}}, buffer.base(),
           side.count * common.items, side.type->handle, root.argument, c.comm.handle);
}

/// A side of a call whose blocks from or to several ranks MPI may keep in one place. Open
/// MPI 5.0.11 keeps them as items of the type of the rank that does so, which are lost where those
/// overlap.
Side side_of_blocks(Collective& c, Common& common, long items) {
#ifdef OPEN_MPI
    if (c.comm.inter() || c.comm.size > 2) return {common.item, 1};
#endif
    return own_layout(c, common.own, common.item, items);
}

void gather(Collective& c) {
    Common common(c, largest(c.comm));
    const auto root = Root::random(c);
    const bool in_place = c.rng.percent(25) && !c.comm.inter();
    const auto leaf = side_of_blocks(c, common, common.items);
    const auto at_root = side_of_blocks(c, common, common.items * root.leaves);
    c.begin("Gather" + root.text() + (in_place ? " in place" : "") + text_of(leaf, common.items) +
            " ->" + text_of(at_root, common.items));
    auto& data = c.run.buffer(leaf.type, leaf.count * common.items);
    auto& target =
        c.run.buffer(at_root.type, at_root.count * common.items * (root.is_root ? root.leaves : 0));
    const bool own = in_place && root.is_root;
    c.call(TWINS_BOTH(Gather, Igather), {own ? nullptr : &data, &target, {}, {}},
           own ? MPI_IN_PLACE : data.base(), leaf.count * common.items, leaf.type->handle,
           target.base(), at_root.count * common.items, at_root.type->handle, root.argument,
           c.comm.handle);
}

/// Open MPI 5.0.11 ends Gatherv and Scatterv of inter-communicators with MPI_ERR_TRUNCATE: all
/// blocks travel in one message, which it takes for items of the first rank's type without gaps.
bool wrong_on_inter([[maybe_unused]] const Comm& comm) {
#ifdef OPEN_MPI
    return comm.inter();
#else
    return false;
#endif
}

void gatherv(Collective& c) {
    if (wrong_on_inter(c.comm)) return;
    Common common(c, largest(c.comm));
    const auto root = Root::random(c);
    const bool in_place = c.rng.percent(25) && !c.comm.inter();
    const auto items = common.by_leaf(root.leaves, false);
    const long mine = root.is_leaf ? items[c.comm.rank] : 0;
    const auto leaf = own_layout(c, common.own, common.item, mine);
    const auto at_root =
        Blocks::scattered(c, common.own, common.item, root.is_root ? items : std::vector<long>{});
    c.begin("Gatherv" + root.text() + (in_place ? " in place" : "") + text_of(leaf, mine) + " ->" +
            text_of(at_root.item, 1));
    auto& data = c.run.buffer(leaf.type, leaf.count * mine);
    auto& target = c.run.buffer(at_root.layout);
    const bool own = in_place && root.is_root;
    c.call(TWINS_BOTH(Gatherv, Igatherv), {own ? nullptr : &data, &target, {}, {}},
           own ? MPI_IN_PLACE : data.base(), leaf.count * mine, leaf.type->handle, target.base(),
           at_root.count_list(), at_root.place_list(), at_root.item.type->handle, root.argument,
           c.comm.handle);
}

void scatter(Collective& c) {
    Common common(c, largest(c.comm));
    const auto root = Root::random(c);
    const bool in_place = c.rng.percent(25) && !c.comm.inter();
    const auto leaf = side_of_blocks(c, common, common.items);
    const auto at_root = side_of_blocks(c, common, common.items * root.leaves);
    c.begin("Scatter" + root.text() + (in_place ? " in place" : "") +
            text_of(at_root, common.items) + " ->" + text_of(leaf, common.items));
    auto& data =
        c.run.buffer(at_root.type, at_root.count * common.items * (root.is_root ? root.leaves : 0));
    auto& target = c.run.buffer(leaf.type, leaf.count * (root.is_leaf ? common.items : 0));
    const bool own = in_place && root.is_root;
    c.call(TWINS_BOTH(Scatter, Iscatter), {&data, own ? nullptr : &target, {}, {}}, data.base(),
           at_root.count * common.items, at_root.type->handle, own ? MPI_IN_PLACE : target.base(),
           leaf.count * common.items, leaf.type->handle, root.argument, c.comm.handle);
}

void scatterv(Collective& c) {
    if (wrong_on_inter(c.comm)) return;
    Common common(c, largest(c.comm));
    const auto root = Root::random(c);
    const bool in_place = c.rng.percent(25) && !c.comm.inter();
    const auto items = common.by_leaf(root.leaves, false);
    const long mine = root.is_leaf ? items[c.comm.rank] : 0;
    const auto leaf = own_layout(c, common.own, common.item, mine);
    const auto at_root =
        Blocks::scattered(c, common.own, common.item, root.is_root ? items : std::vector<long>{});
    c.begin("Scatterv" + root.text() + (in_place ? " in place" : "") + text_of(at_root.item, 1) +
            " ->" + text_of(leaf, mine));
    auto& data = c.run.buffer(at_root.layout);
    auto& target = c.run.buffer(leaf.type, leaf.count * mine);
    const bool own = in_place && root.is_root;
    c.call(TWINS_BOTH(Scatterv, Iscatterv), {&data, own ? nullptr : &target, {}, {}}, data.base(),
           at_root.count_list(), at_root.place_list(), at_root.item.type->handle,
           own ? MPI_IN_PLACE : target.base(), leaf.count * mine, leaf.type->handle, root.argument,
           c.comm.handle);
}

/// Ranks from which a rank receives in collectives without a root.
int senders(const Comm& comm) { return comm.inter() ? comm.remote : comm.size; }

void allgather(Collective& c) {
    Common common(c, largest(c.comm));
    const bool in_place = c.rng.percent(25) && !c.comm.inter();
    const int peers = senders(c.comm);
    const auto mine = side_of_blocks(c, common, common.items);
    const auto all = side_of_blocks(c, common, common.items * peers);
    c.begin(std::string("Allgather") + (in_place ? " in place" : "") + text_of(mine, common.items) +
            " ->" + text_of(all, common.items));
    auto& data = c.run.buffer(mine.type, mine.count * common.items);
    auto& target = c.run.buffer(all.type, all.count * common.items * peers);
    c.call(TWINS_BOTH(Allgather, Iallgather), {in_place ? nullptr : &data, &target, {}, {}},
           in_place ? MPI_IN_PLACE : data.base(), mine.count * common.items, mine.type->handle,
           target.base(), all.count * common.items, all.type->handle, c.comm.handle);
}

void allgatherv(Collective& c) {
    Common common(c, largest(c.comm));
    const bool in_place = c.rng.percent(25) && !c.comm.inter();
    const bool first = c.comm.first;
    const auto items = common.by_leaf(senders(c.comm), c.comm.inter() ? !first : first);
    const long sent = common.by_leaf(c.comm.size, first)[c.comm.rank];
    // MPICH 5.0.2 cuts long blocks into pieces by the extent of each rank's own type, which do not
    // match where extents differ; Open MPI 5.0.11 chooses the algorithm by the receive counts times
    // the size of the send type. So all ranks have one layout.
    common.own = Rng(common.seed);
    const auto all = Blocks::scattered(c, common.own, common.item, items);
    const auto mine = all.item;
    c.begin(std::string("Allgatherv") + (in_place ? " in place" : "") + text_of(mine, sent) +
            " ->" + text_of(all.item, 1));
    auto& data = c.run.buffer(mine.type, mine.count * sent);
    auto& target = c.run.buffer(all.layout);
    c.call(TWINS_BOTH(Allgatherv, Iallgatherv), {in_place ? nullptr : &data, &target, {}, {}},
           in_place ? MPI_IN_PLACE : data.base(), mine.count * sent, mine.type->handle,
           target.base(), all.count_list(), all.place_list(), all.item.type->handle, c.comm.handle);
}

void alltoall(Collective& c) {
    Common common(c, largest(c.comm));
    const bool in_place = c.rng.percent(25) && !c.comm.inter();
    const int peers = senders(c.comm);
    const auto out = own_layout(c, common.own, common.item, common.items * peers);
    const auto in = own_layout(c, common.own, common.item, common.items * peers);
    c.begin(std::string("Alltoall") + (in_place ? " in place" : "") + text_of(out, common.items) +
            " ->" + text_of(in, common.items));
    auto& data = c.run.buffer(out.type, out.count * common.items * peers);
    auto& target = c.run.buffer(in.type, in.count * common.items * peers);
    c.call(TWINS_BOTH(Alltoall, Ialltoall), {in_place ? nullptr : &data, &target, {}, {}},
           in_place ? MPI_IN_PLACE : data.base(), out.count * common.items, out.type->handle,
           target.base(), in.count * common.items, in.type->handle, c.comm.handle);
}

/// Places in a row of all ranks, those of the first group in front, for numbers that a sender and a
/// receiver agree on. In place, both directions of a pair are equal.
struct Pair {
    long a, b;
    Pair(const Comm& comm, int peer, bool sends, bool in_place) {
        const long me = comm.rank + (comm.inter() && !comm.first ? 100 : 0);
        const long other = peer + (comm.inter() && comm.first ? 100 : 0);
        a = sends ? me : other;
        b = sends ? other : me;
        if (in_place && a > b) std::swap(a, b);
    }
};

void alltoallv(Collective& c) {
    Common common(c, largest(c.comm));
    const bool in_place = c.rng.percent(25) && !c.comm.inter();
    std::vector<long> sent, received;
    for (int i = 0; i < senders(c.comm); ++i) {
        const Pair to(c.comm, i, true, in_place), from(c.comm, i, false, in_place);
        sent.push_back(agreed(common.seed, to.a, to.b, common.items + 2));
        received.push_back(agreed(common.seed, from.a, from.b, common.items + 2));
    }
    const auto out = Blocks::scattered(c, common.own, common.item, sent);
    const auto in = Blocks::scattered(c, common.own, common.item, received);
    c.begin(std::string("Alltoallv") + (in_place ? " in place" : "") + text_of(out.item, 1) +
            " ->" + text_of(in.item, 1));
    auto& data = c.run.buffer(out.layout);
    auto& target = c.run.buffer(in.layout);
    c.call(TWINS_BOTH(Alltoallv, Ialltoallv), {in_place ? nullptr : &data, &target, {}, {}},
           in_place ? MPI_IN_PLACE : data.base(), out.count_list(), out.place_list(),
           out.item.type->handle, target.base(), in.count_list(), in.place_list(),
           in.item.type->handle, c.comm.handle);
}

void alltoallw(Collective& c) {
#ifdef OPEN_MPI
    // On one rank, Open MPI 5.0.11 takes the displacements for items instead of bytes.
    if (c.comm.size == 1 && !c.comm.inter()) return;
#endif
    Common common(c, largest(c.comm));
    bool in_place = c.rng.percent(25) && !c.comm.inter();
#ifdef OPEN_MPI
    // Open MPI 5.0.11 never ends MPI_Ialltoallw in place where some counts are 0.
    in_place = in_place && c.way == Way::block;
#endif
    std::vector<Side> sent, received;
    for (int i = 0; i < senders(c.comm); ++i) {
        const Pair to(c.comm, i, true, in_place), from(c.comm, i, false, in_place);
        sent.push_back(agreed_side(c, common.seed, to.a, to.b, true));
        received.push_back(agreed_side(c, common.seed, from.a, from.b, in_place));
    }
    const auto out = TypedBlocks::scattered(c, common.own, sent);
    const auto in = TypedBlocks::scattered(c, common.own, received);
    c.begin(std::string("Alltoallw") + (in_place ? " in place" : "") + text_of(sent[0], 1) +
            ", ... ->" + text_of(received[0], 1) + ", ...");
    auto& data = c.run.buffer(out.layout);
    auto& target = c.run.buffer(in.layout);
    c.call(TWINS_BOTH(Alltoallw, Ialltoallw), {in_place ? nullptr : &data, &target, {}, {}},
           in_place ? MPI_IN_PLACE : data.base(), out.count_list(), out.place_list(),
           out.type_list(), target.base(), in.count_list(), in.place_list(), in.type_list(),
           c.comm.handle);
}

}  // namespace

void data_collectives(Run& run, const Comm& comm) {
    static void (*const all[])(Collective&) = {barrier,  bcast,     gather,    gatherv,
                                               scatter,  scatterv,  allgather, allgatherv,
                                               alltoall, alltoallv, alltoallw};
    Collective c(run, comm);
    const auto number = run.rng.between(1, 8);
    for (long i = 0; i < number; ++i) {
        const auto which = run.rng.below(static_cast<long>(std::size(all)));
        c.begin_draw();
        all[which](c);
    }
    c.end();
}

}  // namespace twins
