// SPDX-License-Identifier: Apache-2.0
// Neighbourhood collectives on Cartesian and graph topologies.
#include "blocks.hpp"

namespace twins {
namespace {

/// Ranks from which this one receives and to which it sends; MPI_PROC_NULL at the edges of grids.
struct Edges {
    std::vector<int> sources, targets;

    explicit Edges(const Comm& comm) {
        int kind = MPI_UNDEFINED;
        MPI_Topo_test(comm.handle, &kind);
        if (kind == MPI_CART) {
            int dims = 0;
            MPI_Cartdim_get(comm.handle, &dims);
            for (int d = 0; d < dims; ++d) {
                int before = 0, behind = 0;
                MPI_Cart_shift(comm.handle, d, 1, &before, &behind);
                sources.insert(sources.end(), {before, behind});
            }
            targets = sources;
            return;
        }
        int in = 0, out = 0, weighted = 0;
        MPI_Dist_graph_neighbors_count(comm.handle, &in, &out, &weighted);
        sources.resize(in);
        targets.resize(out);
        std::vector<int> weights(in + out + 1);
        MPI_Dist_graph_neighbors(comm.handle, in, sources.data(), weights.data(), out,
                                 targets.data(), weights.data() + in);
    }
    int in() const { return static_cast<int>(sources.size()); }
    int out() const { return static_cast<int>(targets.size()); }
};

/// Numbers of an operation that all ranks know, and this rank's own.
struct Common {
    Edges edges;
    TypeRef item;
    long items;
    std::uint64_t seed;
    Rng own;

    explicit Common(Collective& c)
        : edges(c.comm),
          item(random_item(c.rng)),
          items(random_items(c.rng, *item, 4)),
          seed(c.rng.next()),
          own(c.rng.next(), static_cast<std::uint64_t>(c.comm.rank)) {}

    /// Items by the rank that sends them.
    long sent_by(int rank) const { return agreed(seed, rank, 0, items + 2); }
    long between(int from, int to) const { return agreed(seed, from, to, items + 2); }
    std::string text(const char* name) const {
        return std::string(name) + " of " + std::to_string(items) + " x " + item->text;
    }
};

void allgather(Collective& c) {
    Common m(c);
    const auto out = own_layout(c, m.own, m.item, m.items);
    const auto in = own_layout(c, m.own, m.item, m.items * m.edges.in());
    c.begin(m.text("Neighbor_allgather"));
    auto& data = c.run.buffer(out.type, out.count * m.items);
    auto& target = c.run.buffer(in.type, in.count * m.items * m.edges.in());
    c.call(TWINS_BOTH(Neighbor_allgather, Ineighbor_allgather), {&data, &target, {}, {}},
           data.base(), out.count * m.items, out.type->handle, target.base(), in.count * m.items,
           in.type->handle, c.comm.handle);
}

void allgatherv(Collective& c) {
    Common m(c);
    std::vector<long> received;
    for (int from : m.edges.sources) received.push_back(from < 0 ? 2 : m.sent_by(from));
    const long sent = m.sent_by(c.comm.rank);
    const auto out = own_layout(c, m.own, m.item, sent);
    const auto in = Blocks::scattered(c, m.own, m.item, received);
    c.begin(m.text("Neighbor_allgatherv"));
    auto& data = c.run.buffer(out.type, out.count * sent);
    auto& target = c.run.buffer(in.layout);
    c.call(TWINS_BOTH(Neighbor_allgatherv, Ineighbor_allgatherv), {&data, &target, {}, {}},
           data.base(), out.count * sent, out.type->handle, target.base(), in.count_list(),
           in.place_list(), in.item.type->handle, c.comm.handle);
}

void alltoall(Collective& c) {
    Common m(c);
    const auto out = own_layout(c, m.own, m.item, m.items * m.edges.out());
    const auto in = own_layout(c, m.own, m.item, m.items * m.edges.in());
    c.begin(m.text("Neighbor_alltoall"));
    auto& data = c.run.buffer(out.type, out.count * m.items * m.edges.out());
    auto& target = c.run.buffer(in.type, in.count * m.items * m.edges.in());
    c.call(TWINS_BOTH(Neighbor_alltoall, Ineighbor_alltoall), {&data, &target, {}, {}}, data.base(),
           out.count * m.items, out.type->handle, target.base(), in.count * m.items,
           in.type->handle, c.comm.handle);
}

void alltoallv(Collective& c) {
    Common m(c);
    std::vector<long> sent, received;
    for (int to : m.edges.targets) sent.push_back(to < 0 ? 1 : m.between(c.comm.rank, to));
    for (int from : m.edges.sources)
        received.push_back(from < 0 ? 1 : m.between(from, c.comm.rank));
    const auto out = Blocks::scattered(c, m.own, m.item, sent);
    const auto in = Blocks::scattered(c, m.own, m.item, received);
    c.begin(m.text("Neighbor_alltoallv"));
    auto& data = c.run.buffer(out.layout);
    auto& target = c.run.buffer(in.layout);
    c.call(TWINS_BOTH(Neighbor_alltoallv, Ineighbor_alltoallv), {&data, &target, {}, {}},
           data.base(), out.count_list(), out.place_list(), out.item.type->handle, target.base(),
           in.count_list(), in.place_list(), in.item.type->handle, c.comm.handle);
}

void alltoallw(Collective& c) {
    Common m(c);
    std::vector<Side> sent, received;
    // Two edges between the same ranks have the same elements.
    for (int to : m.edges.targets)
        sent.push_back(agreed_side(c, m.seed, c.comm.rank, std::max(to, 0), true));
    for (int from : m.edges.sources)
        received.push_back(agreed_side(c, m.seed, std::max(from, 0), c.comm.rank, false));
    const auto out = TypedBlocks::scattered(c, m.own, sent);
    const auto in = TypedBlocks::scattered(c, m.own, received);
    c.begin(m.text("Neighbor_alltoallw, not"));
    auto& data = c.run.buffer(out.layout);
    auto& target = c.run.buffer(in.layout);
    c.call(TWINS_BOTH(Neighbor_alltoallw, Ineighbor_alltoallw), {&data, &target, {}, {}},
           data.base(), out.count_list(), out.place_list(), out.type_list(), target.base(),
           in.count_list(), in.place_list(), in.type_list(), c.comm.handle);
}

}  // namespace

void neighbours(Run& run, const Comm& comm) {
    static void (*const all[])(Collective&) = {allgather, allgatherv, alltoall, alltoallv,
                                               alltoallw};
    Collective c(run, comm);
    const auto number = run.rng.between(1, 5);
    for (long i = 0; i < number; ++i) {
        const auto which = run.rng.below(static_cast<long>(std::size(all)));
        c.begin_draw();
        all[which](c);
    }
    c.end();
}

}  // namespace twins
