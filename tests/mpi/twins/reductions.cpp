// SPDX-License-Identifier: Apache-2.0
// Reductions with built-in and user-defined operations.
#include <algorithm>

#include "operands.hpp"

namespace twins {
namespace {

/// One reduction: its operation, number of elements and two buffers.
struct Reduction {
    Collective& c;
    Operation operation;
    long count;
    bool in_place;

    explicit Reduction(Collective& collective, bool scatters = false)
        : c(collective), operation(random_operation(c.rng)), count(0) {
        while (scatters && !may_scatter()) {
            free_operation(operation);
            operation = random_operation(c.rng);
        }
        const long bytes = c.rng.percent(80) ? c.rng.below(400) : c.rng.below(60000);
        count = c.rng.percent(7) ? 0 : 1 + bytes / static_cast<long>(operation.type->size);
        if (!fits(*operation.type, count)) count = 1;
        in_place = c.rng.percent(30) && !c.comm.inter();
    }
    Reduction(const Reduction&) = delete;
    Reduction& operator=(const Reduction&) = delete;
    ~Reduction() { free_operation(operation); }

    bool may_scatter() const {
#ifdef MPICH
        // MPICH 5.0.2 reads beyond its own buffers in Reduce_scatter_block with operations that do
        // not commute on types with gaps.
        return is_dense(*operation.type);
#else
        return operation.op != MPI_OP_NULL;
#endif
    }
    void begin(const std::string& name) {
        c.begin(name + (in_place ? " in place" : "") + " " + operation.name + " of " +
                std::to_string(count) + " x " + operation.type->text);
    }
    Buffer& operands(long items) {
        auto& buffer = c.run.buffer(operation.type, items, true);
        fill_operands(buffer, operation);
        return buffer;
    }
    /// How the two buffers are used; `in` is null where the reduction is in place.
    Use use(Buffer* in, Buffer* out, Compare compare = Compare::everything) const {
        auto op = operation;
        return {in, out, compare, [in, out, op] {
                    if (in) fill_operands(*in, op);
                    if (out) fill_operands(*out, op);
                }};
    }
    /// In place, the operands behind the result are undefined.
    void end_of_result(Buffer& result, long items) const {
        if (in_place) result.undefined_from(items * operation.type->extent + operation.type->low);
    }
    MPI_Datatype type() const { return operation.type->handle; }
};

void reduce(Collective& c) {
    Reduction r(c);
    const bool in_first = c.rng.percent(50);
    const bool here = !c.comm.inter() || in_first == c.comm.first;
    const int place = static_cast<int>(c.rng.below(here ? c.comm.size : c.comm.remote));
    const bool is_root = here && place == c.comm.rank;
    const int root = !c.comm.inter() || !here ? place : is_root ? MPI_ROOT : MPI_PROC_NULL;
    r.begin("Reduce root " + std::to_string(root));
    auto& data = r.operands(r.count);
    auto& result = r.operands(r.count);
    const bool own = r.in_place && is_root;
    c.call(TWINS_BOTH(Reduce, Ireduce), r.use(own ? nullptr : &data, &result),
           own ? MPI_IN_PLACE : data.base(), result.base(), r.count, r.type(), r.operation.op, root,
           c.comm.handle);
}

void allreduce(Collective& c) {
    Reduction r(c);
    r.begin("Allreduce");
    auto& data = r.operands(r.count);
    auto& result = r.operands(r.count);
    c.call(TWINS_BOTH(Allreduce, Iallreduce), r.use(r.in_place ? nullptr : &data, &result),
           r.in_place ? MPI_IN_PLACE : data.base(), result.base(), r.count, r.type(),
           r.operation.op, c.comm.handle);
}

void scan(Collective& c) {
    if (c.comm.inter()) return allreduce(c);
    Reduction r(c);
    const bool exclusive = c.rng.percent(50);
    r.begin(exclusive ? "Exscan" : "Scan");
    auto& data = r.operands(r.count);
    auto& result = r.operands(r.count);
    // The first rank's result of Exscan is undefined.
    const auto compare = exclusive && c.comm.rank == 0 ? Compare::guards : Compare::everything;
    const auto use = r.use(r.in_place ? nullptr : &data, &result, compare);
    const void* in = r.in_place ? MPI_IN_PLACE : data.base();
    if (exclusive)
        c.call(TWINS_BOTH(Exscan, Iexscan), use, in, result.base(), r.count, r.type(),
               r.operation.op, c.comm.handle);
    else
        c.call(TWINS_BOTH(Scan, Iscan), use, in, result.base(), r.count, r.type(), r.operation.op,
               c.comm.handle);
}

/// Blocks of equal size; on an inter-communicator both groups get the same number of elements.
void reduce_scatter_block(Collective& c) {
    Reduction r(c, true);
    r.count = std::min(r.count, 200L);
    const long block = c.comm.inter() ? r.count * c.comm.remote : r.count;
    r.begin("Reduce_scatter_block");
    auto& data = r.operands(block * c.comm.size);
    auto& result = r.operands(r.in_place ? block * c.comm.size : block);
    r.end_of_result(result, block);
    c.call(TWINS_BOTH(Reduce_scatter_block, Ireduce_scatter_block),
           r.use(r.in_place ? nullptr : &data, &result), r.in_place ? MPI_IN_PLACE : data.base(),
           result.base(), block, r.type(), r.operation.op, c.comm.handle);
}

void reduce_scatter(Collective& c) {
    if (c.comm.inter()) return reduce_scatter_block(c);
    Reduction r(c, true);
    r.count = std::min(r.count, 200L);
    auto& counts = c.numbers();
    long total = 0;
    for (int i = 0; i < c.comm.size; ++i) {
        counts.add(c.rng.below(r.count + 1));
        total += counts.plain.back();
    }
    const long mine = counts.plain[c.comm.rank];
    r.begin("Reduce_scatter");
    auto& data = r.operands(total);
    auto& result = r.operands(r.in_place ? total : mine);
    r.end_of_result(result, mine);
    c.call(TWINS_BOTH(Reduce_scatter, Ireduce_scatter),
           r.use(r.in_place ? nullptr : &data, &result), r.in_place ? MPI_IN_PLACE : data.base(),
           result.base(), CountsOf{&counts}, r.type(), r.operation.op, c.comm.handle);
}

void reduce_local(Collective& c) {
    Reduction r(c);
    c.way = Way::block;
    r.in_place = false;
    r.begin("Reduce_local");
    auto& data = r.operands(r.count);
    auto& result = r.operands(r.count);
    c.run.watch(c.operation, data, "operands");
    c.run.watch(c.operation, result, "result");
    const int code =
        c.large && MPI_Reduce_local_c
            ? MPI_Reduce_local_c(data.base(), result.base(), r.count, r.type(), r.operation.op)
            : MPI_Reduce_local(data.base(), result.base(), static_cast<int>(r.count), r.type(),
                               r.operation.op);
    c.run.note_error(c.operation, 0, code);
}

}  // namespace

void reductions(Run& run, const Comm& comm) {
    static void (*const all[])(Collective&) = {
        reduce, allreduce, scan, reduce_scatter_block, reduce_scatter, reduce_local};
    Collective c(run, comm);
    const auto number = run.rng.between(1, 8);
    for (long i = 0; i < number; ++i) {
        const auto which = run.rng.below(static_cast<long>(std::size(all)));
        c.begin_draw();
        all[which](c);
    }
    c.end();
    forget_operations();
}

}  // namespace twins
