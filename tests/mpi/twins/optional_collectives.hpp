// SPDX-License-Identifier: Apache-2.0
// Persistent and large-count collectives, as weak symbols: null where the library has none.
#pragma once

#include "optional.hpp"

// The forms of one collective besides the blocking and the non-blocking one of MPI 3.
#define TWINS_PERSISTENT(NAME, ...) \
    TWINS_WEAK MPI_##NAME##_init(__VA_ARGS__, MPI_Info, MPI_Request*)
#define TWINS_LARGE(NAME, STARTED, ...)                      \
    TWINS_WEAK MPI_##NAME##_c(__VA_ARGS__);                  \
    TWINS_WEAK MPI_##STARTED##_c(__VA_ARGS__, MPI_Request*); \
    TWINS_WEAK MPI_##NAME##_init_c(__VA_ARGS__, MPI_Info, MPI_Request*)

#define TWINS_OUT(COUNT) const void*, COUNT, MPI_Datatype
#define TWINS_IN(COUNT) void*, COUNT, MPI_Datatype
#define TWINS_IN_V(COUNT, PLACE) void*, const COUNT*, const PLACE*, MPI_Datatype
#define TWINS_OUT_V(COUNT, PLACE) const void*, const COUNT*, const PLACE*, MPI_Datatype
#define TWINS_IN_W(COUNT, PLACE) void*, const COUNT*, const PLACE*, const MPI_Datatype*
#define TWINS_OUT_W(COUNT, PLACE) const void*, const COUNT*, const PLACE*, const MPI_Datatype*

TWINS_PERSISTENT(Barrier, MPI_Comm);

TWINS_PERSISTENT(Bcast, TWINS_IN(int), int, MPI_Comm);
TWINS_LARGE(Bcast, Ibcast, TWINS_IN(MPI_Count), int, MPI_Comm);
TWINS_PERSISTENT(Gather, TWINS_OUT(int), TWINS_IN(int), int, MPI_Comm);
TWINS_LARGE(Gather, Igather, TWINS_OUT(MPI_Count), TWINS_IN(MPI_Count), int, MPI_Comm);
TWINS_PERSISTENT(Gatherv, TWINS_OUT(int), TWINS_IN_V(int, int), int, MPI_Comm);
TWINS_LARGE(Gatherv, Igatherv, TWINS_OUT(MPI_Count), TWINS_IN_V(MPI_Count, MPI_Aint), int,
            MPI_Comm);
TWINS_PERSISTENT(Scatter, TWINS_OUT(int), TWINS_IN(int), int, MPI_Comm);
TWINS_LARGE(Scatter, Iscatter, TWINS_OUT(MPI_Count), TWINS_IN(MPI_Count), int, MPI_Comm);
TWINS_PERSISTENT(Scatterv, TWINS_OUT_V(int, int), TWINS_IN(int), int, MPI_Comm);
TWINS_LARGE(Scatterv, Iscatterv, TWINS_OUT_V(MPI_Count, MPI_Aint), TWINS_IN(MPI_Count), int,
            MPI_Comm);
TWINS_PERSISTENT(Allgather, TWINS_OUT(int), TWINS_IN(int), MPI_Comm);
TWINS_LARGE(Allgather, Iallgather, TWINS_OUT(MPI_Count), TWINS_IN(MPI_Count), MPI_Comm);
TWINS_PERSISTENT(Allgatherv, TWINS_OUT(int), TWINS_IN_V(int, int), MPI_Comm);
TWINS_LARGE(Allgatherv, Iallgatherv, TWINS_OUT(MPI_Count), TWINS_IN_V(MPI_Count, MPI_Aint),
            MPI_Comm);
TWINS_PERSISTENT(Alltoall, TWINS_OUT(int), TWINS_IN(int), MPI_Comm);
TWINS_LARGE(Alltoall, Ialltoall, TWINS_OUT(MPI_Count), TWINS_IN(MPI_Count), MPI_Comm);
TWINS_PERSISTENT(Alltoallv, TWINS_OUT_V(int, int), TWINS_IN_V(int, int), MPI_Comm);
TWINS_LARGE(Alltoallv, Ialltoallv, TWINS_OUT_V(MPI_Count, MPI_Aint),
            TWINS_IN_V(MPI_Count, MPI_Aint), MPI_Comm);
TWINS_PERSISTENT(Alltoallw, TWINS_OUT_W(int, int), TWINS_IN_W(int, int), MPI_Comm);
TWINS_LARGE(Alltoallw, Ialltoallw, TWINS_OUT_W(MPI_Count, MPI_Aint),
            TWINS_IN_W(MPI_Count, MPI_Aint), MPI_Comm);

TWINS_PERSISTENT(Neighbor_allgather, TWINS_OUT(int), TWINS_IN(int), MPI_Comm);
TWINS_LARGE(Neighbor_allgather, Ineighbor_allgather, TWINS_OUT(MPI_Count), TWINS_IN(MPI_Count),
            MPI_Comm);
TWINS_PERSISTENT(Neighbor_allgatherv, TWINS_OUT(int), TWINS_IN_V(int, int), MPI_Comm);
TWINS_LARGE(Neighbor_allgatherv, Ineighbor_allgatherv, TWINS_OUT(MPI_Count),
            TWINS_IN_V(MPI_Count, MPI_Aint), MPI_Comm);
TWINS_PERSISTENT(Neighbor_alltoall, TWINS_OUT(int), TWINS_IN(int), MPI_Comm);
TWINS_LARGE(Neighbor_alltoall, Ineighbor_alltoall, TWINS_OUT(MPI_Count), TWINS_IN(MPI_Count),
            MPI_Comm);
TWINS_PERSISTENT(Neighbor_alltoallv, TWINS_OUT_V(int, int), TWINS_IN_V(int, int), MPI_Comm);
TWINS_LARGE(Neighbor_alltoallv, Ineighbor_alltoallv, TWINS_OUT_V(MPI_Count, MPI_Aint),
            TWINS_IN_V(MPI_Count, MPI_Aint), MPI_Comm);
TWINS_PERSISTENT(Neighbor_alltoallw, TWINS_OUT_W(int, MPI_Aint), TWINS_IN_W(int, MPI_Aint),
                 MPI_Comm);
TWINS_LARGE(Neighbor_alltoallw, Ineighbor_alltoallw, TWINS_OUT_W(MPI_Count, MPI_Aint),
            TWINS_IN_W(MPI_Count, MPI_Aint), MPI_Comm);

#define TWINS_REDUCED(COUNT) const void*, void*, COUNT, MPI_Datatype, MPI_Op
TWINS_PERSISTENT(Reduce, TWINS_REDUCED(int), int, MPI_Comm);
TWINS_LARGE(Reduce, Ireduce, TWINS_REDUCED(MPI_Count), int, MPI_Comm);
TWINS_PERSISTENT(Allreduce, TWINS_REDUCED(int), MPI_Comm);
TWINS_LARGE(Allreduce, Iallreduce, TWINS_REDUCED(MPI_Count), MPI_Comm);
TWINS_PERSISTENT(Scan, TWINS_REDUCED(int), MPI_Comm);
TWINS_LARGE(Scan, Iscan, TWINS_REDUCED(MPI_Count), MPI_Comm);
TWINS_PERSISTENT(Exscan, TWINS_REDUCED(int), MPI_Comm);
TWINS_LARGE(Exscan, Iexscan, TWINS_REDUCED(MPI_Count), MPI_Comm);
TWINS_PERSISTENT(Reduce_scatter, TWINS_REDUCED(const int*), MPI_Comm);
TWINS_LARGE(Reduce_scatter, Ireduce_scatter, TWINS_REDUCED(const MPI_Count*), MPI_Comm);
TWINS_PERSISTENT(Reduce_scatter_block, TWINS_REDUCED(int), MPI_Comm);
TWINS_LARGE(Reduce_scatter_block, Ireduce_scatter_block, TWINS_REDUCED(MPI_Count), MPI_Comm);

/// All forms of one collective.
template <class... P>
struct Calls {
    using Start = int (*)(P..., MPI_Request*);
    using Init = int (*)(P..., MPI_Info, MPI_Request*);
    int (*block)(P...);
    Start start;
    Init init;
};

template <class... P>
Calls<P...> calls_of(int (*block)(P...), typename Calls<P...>::Start start,
                     typename Calls<P...>::Init init) {
    return {block, start, init};
}

#define TWINS_CALLS(NAME, STARTED) calls_of(MPI_##NAME, MPI_##STARTED, MPI_##NAME##_init)
#define TWINS_LARGE_CALLS(NAME, STARTED) \
    calls_of(MPI_##NAME##_c, MPI_##STARTED##_c, MPI_##NAME##_init_c)
#define TWINS_BOTH(NAME, STARTED) TWINS_CALLS(NAME, STARTED), TWINS_LARGE_CALLS(NAME, STARTED)
