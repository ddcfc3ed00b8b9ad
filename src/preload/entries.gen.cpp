// SPDX-License-Identifier: Apache-2.0
// Written by tools/gen_mpi.py: do not edit.
#include "preload/call.hpp"
#include "preload/check_collective.hpp"
#include "preload/chunk_gate.hpp"
#include "preload/entry.hpp"
#include "preload/host_receive.hpp"
#include "preload/library.hpp"
#include "preload/split_files.hpp"
#include "preload/straight_collectives.hpp"
#include "preload/where.hpp"
#include "preload/windows.hpp"

using namespace aureole::preload;  // NOLINT: functions of MPI are in no namespace

AUREOLE_ENTRY(MPI_Accumulate, (const void* origin_addr, int origin_count, Handle origin_datatype,
                               int target_rank, Count target_disp, int target_count,
                               Handle target_datatype, Handle op, Handle win)) {
    static constinit Next<int(const void*, int, Handle, int, Count, int, Handle, Handle, Handle)>
        next("MPI_Accumulate");
    before_waiting();
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, op, win);
    return with_devices("MPI_Accumulate", on_window(win), [&](auto& call) {
        call->reduce_in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, op, win);
        return keep_until_synchronised(call, error, win, target_rank);
    });
}

AUREOLE_ENTRY(MPI_Accumulate_c,
              (const void* origin_addr, Count origin_count, Handle origin_datatype, int target_rank,
               Count target_disp, Count target_count, Handle target_datatype, Handle op,
               Handle win)) {
    static constinit Next<int(const void*, Count, Handle, int, Count, Count, Handle, Handle,
                              Handle)>
        next("MPI_Accumulate_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Accumulate_c", on_window(win), [&](auto& call) {
            const int plain_origin_count = call->narrow(origin_count);
            const int plain_target_count = call->narrow(target_count);
            return MPI_Accumulate(origin_addr, plain_origin_count, origin_datatype, target_rank,
                                  target_disp, plain_target_count, target_datatype, op, win);
        });
    before_waiting();
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, op, win);
    return with_devices("MPI_Accumulate_c", on_window(win), [&](auto& call) {
        call->reduce_in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, op, win);
        return keep_until_synchronised(call, error, win, target_rank);
    });
}

AUREOLE_ENTRY(MPI_Allgather, (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
                              int recvcount, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle)> next(
        "MPI_Allgather");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Allgather", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.sends(sendbuf, sendcount, sendtype);
                             check.receives(recvbuf, recvcount, recvtype);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Allgather", on_comm(comm), [&] {
            return straight_allgather({sendbuf, sendcount, sendtype},
                                      {recvbuf, recvcount, recvtype}, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return with_devices("MPI_Allgather", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Allgather_c, (const void* sendbuf, Count sendcount, Handle sendtype,
                                void* recvbuf, Count recvcount, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle)> next(
        "MPI_Allgather_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Allgather_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return MPI_Allgather(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcount,
                                 recvtype, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Allgather", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.sends(sendbuf, sendcount, sendtype);
                             check.receives(recvbuf, recvcount, recvtype);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Allgather_c", on_comm(comm), [&] {
            return straight_allgather({sendbuf, sendcount, sendtype},
                                      {recvbuf, recvcount, recvtype}, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return with_devices("MPI_Allgather_c", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Allgather_init,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf, int recvcount,
               Handle recvtype, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle, Handle, void*)>
        next("MPI_Allgather_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                    request);
    return with_devices("MPI_Allgather_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Allgather_init_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle, Handle,
                              void*)>
        next("MPI_Allgather_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Allgather_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(
                call,
                MPI_Allgather_init(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcount,
                                   recvtype, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                    request);
    return with_devices("MPI_Allgather_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Allgatherv,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
               const int* recvcounts, const int* displs, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, void*, const int*, const int*, Handle,
                              Handle)>
        next("MPI_Allgatherv");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Allgatherv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.sends(sendbuf, sendcount, sendtype);
                             check.receives_each(recvbuf, recvcounts, recvtype);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Allgatherv", on_comm(comm), [&] {
            return straight_allgatherv({sendbuf, sendcount, sendtype}, {recvbuf, 0, recvtype},
                                       RankBlocks::make(recvcounts, displs, comm), comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    return with_devices("MPI_Allgatherv", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().peers());
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Allgatherv_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               const Count* recvcounts, const Count* displs, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, void*, const Count*, const Count*, Handle,
                              Handle)>
        next("MPI_Allgatherv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Allgatherv_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().peers().n;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            const int* const plain_displs = call->narrow(displs, n);
            return MPI_Allgatherv(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcounts,
                                  plain_displs, recvtype, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Allgatherv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.sends(sendbuf, sendcount, sendtype);
                             check.receives_each(recvbuf, recvcounts, recvtype);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Allgatherv_c", on_comm(comm), [&] {
            return straight_allgatherv({sendbuf, sendcount, sendtype}, {recvbuf, 0, recvtype},
                                       RankBlocks::make(recvcounts, displs, comm), comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    return with_devices("MPI_Allgatherv_c", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().peers());
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Allgatherv_init, (const void* sendbuf, int sendcount, Handle sendtype,
                                    void* recvbuf, const int* recvcounts, const int* displs,
                                    Handle recvtype, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, const int*, const int*, Handle,
                              Handle, Handle, void*)>
        next("MPI_Allgatherv_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
                    request);
    return with_devices("MPI_Allgatherv_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().peers());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Allgatherv_init_c, (const void* sendbuf, Count sendcount, Handle sendtype,
                                      void* recvbuf, const Count* recvcounts, const Count* displs,
                                      Handle recvtype, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, const Count*, const Count*, Handle,
                              Handle, Handle, void*)>
        next("MPI_Allgatherv_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Allgatherv_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int n = call->group().peers().n;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            const int* const plain_displs = call->narrow(displs, n);
            return Call::keep_arrays(
                call,
                MPI_Allgatherv_init(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcounts,
                                    plain_displs, recvtype, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
                    request);
    return with_devices("MPI_Allgatherv_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().peers());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Allreduce, (const void* sendbuf, void* recvbuf, int count, Handle datatype,
                              Handle op, Handle comm)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle)> next(
        "MPI_Allreduce");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Allreduce", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.alike(count, datatype);
                             check.operation(op);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Allreduce", on_comm(comm), [&] {
            return straight_allreduce(sendbuf, {recvbuf, count, datatype}, op, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm);
    return with_devices("MPI_Allreduce", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Allreduce_c, (const void* sendbuf, void* recvbuf, Count count, Handle datatype,
                                Handle op, Handle comm)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle)> next(
        "MPI_Allreduce_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Allreduce_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count);
            return MPI_Allreduce(sendbuf, recvbuf, plain_count, datatype, op, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Allreduce", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.alike(count, datatype);
                             check.operation(op);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Allreduce_c", on_comm(comm), [&] {
            return straight_allreduce(sendbuf, {recvbuf, count, datatype}, op, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm);
    return with_devices("MPI_Allreduce_c", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Allreduce_init, (const void* sendbuf, void* recvbuf, int count, Handle datatype,
                                   Handle op, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle, Handle, void*)> next(
        "MPI_Allreduce_init");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
    return with_devices("MPI_Allreduce_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Allreduce_init_c,
              (const void* sendbuf, void* recvbuf, Count count, Handle datatype, Handle op,
               Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle, Handle, void*)>
        next("MPI_Allreduce_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Allreduce_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_count = call->narrow(count);
            return Call::keep_arrays(call,
                                     MPI_Allreduce_init(sendbuf, recvbuf, plain_count, datatype, op,
                                                        comm, info, request),
                                     request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
    return with_devices("MPI_Allreduce_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Alltoall, (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
                             int recvcount, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle)> next(
        "MPI_Alltoall");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Alltoall", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.sends(sendbuf, sendcount, sendtype);
                             check.receives(recvbuf, recvcount, recvtype);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Alltoall", on_comm(comm), [&] {
            return straight_alltoall({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                                     comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return with_devices("MPI_Alltoall", on_comm(comm), [&](auto& call) {
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Alltoall_c, (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
                               Count recvcount, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle)> next(
        "MPI_Alltoall_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Alltoall_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return MPI_Alltoall(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcount,
                                recvtype, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Alltoall", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.sends(sendbuf, sendcount, sendtype);
                             check.receives(recvbuf, recvcount, recvtype);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Alltoall_c", on_comm(comm), [&] {
            return straight_alltoall({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                                     comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return with_devices("MPI_Alltoall_c", on_comm(comm), [&](auto& call) {
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Alltoall_init,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf, int recvcount,
               Handle recvtype, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle, Handle, void*)>
        next("MPI_Alltoall_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                    request);
    return with_devices("MPI_Alltoall_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Alltoall_init_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle, Handle,
                              void*)>
        next("MPI_Alltoall_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Alltoall_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(
                call,
                MPI_Alltoall_init(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcount,
                                  recvtype, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                    request);
    return with_devices("MPI_Alltoall_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Alltoallv, (const void* sendbuf, const int* sendcounts, const int* sdispls,
                              Handle sendtype, void* recvbuf, const int* recvcounts,
                              const int* rdispls, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, const int*, const int*, Handle, void*, const int*,
                              const int*, Handle, Handle)>
        next("MPI_Alltoallv");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Alltoallv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.exchanges();
                             check.sends_each(sendbuf, sendcounts, sendtype);
                             check.receives_each(recvbuf, recvcounts, recvtype);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm);
    return with_devices("MPI_Alltoallv", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().peers());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Alltoallv_c, (const void* sendbuf, const Count* sendcounts, const Count* sdispls,
                                Handle sendtype, void* recvbuf, const Count* recvcounts,
                                const Count* rdispls, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, const Count*, const Count*, Handle, void*, const Count*,
                              const Count*, Handle, Handle)>
        next("MPI_Alltoallv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Alltoallv_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().peers().n;
            const int* const plain_sendcounts = call->narrow(sendcounts, n);
            const int* const plain_sdispls = call->narrow(sdispls, n);
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            const int* const plain_rdispls = call->narrow(rdispls, n);
            return MPI_Alltoallv(sendbuf, plain_sendcounts, plain_sdispls, sendtype, recvbuf,
                                 plain_recvcounts, plain_rdispls, recvtype, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Alltoallv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.exchanges();
                             check.sends_each(sendbuf, sendcounts, sendtype);
                             check.receives_each(recvbuf, recvcounts, recvtype);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm);
    return with_devices("MPI_Alltoallv_c", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().peers());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Alltoallv_init,
              (const void* sendbuf, const int* sendcounts, const int* sdispls, Handle sendtype,
               void* recvbuf, const int* recvcounts, const int* rdispls, Handle recvtype,
               Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, const int*, const int*, Handle, void*, const int*,
                              const int*, Handle, Handle, Handle, void*)>
        next("MPI_Alltoallv_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm, info, request);
    return with_devices("MPI_Alltoallv_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().peers());
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Alltoallv_init_c,
              (const void* sendbuf, const Count* sendcounts, const Count* sdispls, Handle sendtype,
               void* recvbuf, const Count* recvcounts, const Count* rdispls, Handle recvtype,
               Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, const Count*, const Count*, Handle, void*, const Count*,
                              const Count*, Handle, Handle, Handle, void*)>
        next("MPI_Alltoallv_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Alltoallv_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int n = call->group().peers().n;
            const int* const plain_sendcounts = call->narrow(sendcounts, n);
            const int* const plain_sdispls = call->narrow(sdispls, n);
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            const int* const plain_rdispls = call->narrow(rdispls, n);
            return Call::keep_arrays(
                call,
                MPI_Alltoallv_init(sendbuf, plain_sendcounts, plain_sdispls, sendtype, recvbuf,
                                   plain_recvcounts, plain_rdispls, recvtype, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm, info, request);
    return with_devices("MPI_Alltoallv_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().peers());
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Alltoallw, (const void* sendbuf, const int* sendcounts, const int* sdispls,
                              const void* sendtypes, void* recvbuf, const int* recvcounts,
                              const int* rdispls, const void* recvtypes, Handle comm)) {
    static constinit Next<int(const void*, const int*, const int*, const void*, void*, const int*,
                              const int*, const void*, Handle)>
        next("MPI_Alltoallw");
    before_waiting();
    const Allocation sendbuf_at =
        where(sendbuf, sendcounts, sdispls, sendtypes, [&] { return Group(comm).peers().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).peers().n; });
    if (is_checking) [[unlikely]]
        check_collective("MPI_Alltoallw", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.exchanges();
                             check.sends_each(sendbuf, sendcounts, sendtypes);
                             check.receives_each(recvbuf, recvcounts, recvtypes);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm);
    return with_devices("MPI_Alltoallw", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes, call->group().peers());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Alltoallw_c, (const void* sendbuf, const Count* sendcounts, const Count* sdispls,
                                const void* sendtypes, void* recvbuf, const Count* recvcounts,
                                const Count* rdispls, const void* recvtypes, Handle comm)) {
    static constinit Next<int(const void*, const Count*, const Count*, const void*, void*,
                              const Count*, const Count*, const void*, Handle)>
        next("MPI_Alltoallw_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Alltoallw_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().peers().n;
            const int* const plain_sendcounts = call->narrow(sendcounts, n);
            const int* const plain_sdispls = call->narrow(sdispls, n);
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            const int* const plain_rdispls = call->narrow(rdispls, n);
            return MPI_Alltoallw(sendbuf, plain_sendcounts, plain_sdispls, sendtypes, recvbuf,
                                 plain_recvcounts, plain_rdispls, recvtypes, comm);
        });
    before_waiting();
    const Allocation sendbuf_at =
        where(sendbuf, sendcounts, sdispls, sendtypes, [&] { return Group(comm).peers().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).peers().n; });
    if (is_checking) [[unlikely]]
        check_collective("MPI_Alltoallw", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.exchanges();
                             check.sends_each(sendbuf, sendcounts, sendtypes);
                             check.receives_each(recvbuf, recvcounts, recvtypes);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm);
    return with_devices("MPI_Alltoallw_c", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes, call->group().peers());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Alltoallw_init,
              (const void* sendbuf, const int* sendcounts, const int* sdispls,
               const void* sendtypes, void* recvbuf, const int* recvcounts, const int* rdispls,
               const void* recvtypes, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, const int*, const int*, const void*, void*, const int*,
                              const int*, const void*, Handle, Handle, void*)>
        next("MPI_Alltoallw_init");
    const Allocation sendbuf_at =
        where(sendbuf, sendcounts, sdispls, sendtypes, [&] { return Group(comm).peers().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).peers().n; });
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm, info, request);
    return with_devices("MPI_Alltoallw_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes, call->group().peers());
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Alltoallw_init_c,
              (const void* sendbuf, const Count* sendcounts, const Count* sdispls,
               const void* sendtypes, void* recvbuf, const Count* recvcounts, const Count* rdispls,
               const void* recvtypes, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, const Count*, const Count*, const void*, void*,
                              const Count*, const Count*, const void*, Handle, Handle, void*)>
        next("MPI_Alltoallw_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Alltoallw_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int n = call->group().peers().n;
            const int* const plain_sendcounts = call->narrow(sendcounts, n);
            const int* const plain_sdispls = call->narrow(sdispls, n);
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            const int* const plain_rdispls = call->narrow(rdispls, n);
            return Call::keep_arrays(
                call,
                MPI_Alltoallw_init(sendbuf, plain_sendcounts, plain_sdispls, sendtypes, recvbuf,
                                   plain_recvcounts, plain_rdispls, recvtypes, comm, info, request),
                request);
        });
    const Allocation sendbuf_at =
        where(sendbuf, sendcounts, sdispls, sendtypes, [&] { return Group(comm).peers().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).peers().n; });
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm, info, request);
    return with_devices("MPI_Alltoallw_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes, call->group().peers());
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Bcast, (void* buffer, int count, Handle datatype, int root, Handle comm)) {
    static constinit Next<int(void*, int, Handle, int, Handle)> next("MPI_Bcast");
    before_waiting();
    const Allocation buffer_at = where(buffer, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Bcast", on_comm(comm), buffer_at.on_device(), [&](auto& check) {
            check.root(root);
            check.alike(count, datatype);
        });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Bcast", on_comm(comm), [&] {
            return straight_bcast({buffer, count, datatype}, root, comm);
        });
        if (error) return *error;
    }
    if (!(buffer_at.on_device())) [[likely]]
        return next(buffer, count, datatype, root, comm);
    return with_devices("MPI_Bcast", on_comm(comm), [&](auto& call) {
        call->broadcast(buffer_at, buffer, count, datatype, root);
        if (is_checking) compare_deferred();
        const int error = next(buffer, count, datatype, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Bcast_c, (void* buffer, Count count, Handle datatype, int root, Handle comm)) {
    static constinit Next<int(void*, Count, Handle, int, Handle)> next("MPI_Bcast_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Bcast_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_Bcast(buffer, plain_count, datatype, root, comm);
        });
    before_waiting();
    const Allocation buffer_at = where(buffer, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Bcast", on_comm(comm), buffer_at.on_device(), [&](auto& check) {
            check.root(root);
            check.alike(count, datatype);
        });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Bcast_c", on_comm(comm), [&] {
            return straight_bcast({buffer, count, datatype}, root, comm);
        });
        if (error) return *error;
    }
    if (!(buffer_at.on_device())) [[likely]]
        return next(buffer, count, datatype, root, comm);
    return with_devices("MPI_Bcast_c", on_comm(comm), [&](auto& call) {
        call->broadcast(buffer_at, buffer, count, datatype, root);
        if (is_checking) compare_deferred();
        const int error = next(buffer, count, datatype, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Bcast_init, (void* buffer, int count, Handle datatype, int root, Handle comm,
                               Handle info, void* request)) {
    static constinit Next<int(void*, int, Handle, int, Handle, Handle, void*)> next(
        "MPI_Bcast_init");
    const Allocation buffer_at = where(buffer, datatype);
    if (!(is_checking || buffer_at.on_device())) [[likely]]
        return next(buffer, count, datatype, root, comm, info, request);
    return with_devices("MPI_Bcast_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->broadcast(buffer_at, buffer, count, datatype, root);
        const int error = next(buffer, count, datatype, root, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Bcast_init_c, (void* buffer, Count count, Handle datatype, int root, Handle comm,
                                 Handle info, void* request)) {
    static constinit Next<int(void*, Count, Handle, int, Handle, Handle, void*)> next(
        "MPI_Bcast_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Bcast_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Bcast_init(buffer, plain_count, datatype, root, comm, info, request),
                request);
        });
    const Allocation buffer_at = where(buffer, datatype);
    if (!(is_checking || buffer_at.on_device())) [[likely]]
        return next(buffer, count, datatype, root, comm, info, request);
    return with_devices("MPI_Bcast_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->broadcast(buffer_at, buffer, count, datatype, root);
        const int error = next(buffer, count, datatype, root, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Bsend,
              (const void* buf, int count, Handle datatype, int dest, int tag, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle)> next("MPI_Bsend");
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm);
    return with_devices("MPI_Bsend", on_comm(comm), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Bsend_c,
              (const void* buf, Count count, Handle datatype, int dest, int tag, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle)> next("MPI_Bsend_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Bsend_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_Bsend(buf, plain_count, datatype, dest, tag, comm);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm);
    return with_devices("MPI_Bsend_c", on_comm(comm), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Bsend_init, (const void* buf, int count, Handle datatype, int dest, int tag,
                               Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle, void*)> next(
        "MPI_Bsend_init");
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Bsend_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Bsend_init_c, (const void* buf, Count count, Handle datatype, int dest, int tag,
                                 Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle, void*)> next(
        "MPI_Bsend_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Bsend_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Bsend_init(buf, plain_count, datatype, dest, tag, comm, request),
                request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Bsend_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Compare_and_swap,
              (const void* origin_addr, const void* compare_addr, void* result_addr,
               Handle datatype, int target_rank, Count target_disp, Handle win)) {
    static constinit Next<int(const void*, const void*, void*, Handle, int, Count, Handle)> next(
        "MPI_Compare_and_swap");
    before_waiting();
    const Allocation origin_addr_at = where(origin_addr, datatype);
    const Allocation compare_addr_at = where(compare_addr, datatype);
    const Allocation result_addr_at = where(result_addr, datatype);
    if (!(origin_addr_at.on_device() || compare_addr_at.on_device() || result_addr_at.on_device()))
        [[likely]]
        return next(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp,
                    win);
    return with_devices("MPI_Compare_and_swap", on_window(win), [&](auto& call) {
        call->reduce_in(origin_addr_at, origin_addr, 1, datatype);
        call->reduce_in(compare_addr_at, compare_addr, 1, datatype);
        call->reduce_out(result_addr_at, result_addr, 1, datatype);
        const int error =
            next(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win);
        return keep_until_synchronised(call, error, win, target_rank);
    });
}

AUREOLE_ENTRY(MPI_Exscan, (const void* sendbuf, void* recvbuf, int count, Handle datatype,
                           Handle op, Handle comm)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle)> next("MPI_Exscan");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Exscan", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.alike(count, datatype);
                             check.operation(op);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm);
    return with_devices("MPI_Exscan", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype,
                         call->group().rank() == 0 ? 0 : count);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Exscan_c, (const void* sendbuf, void* recvbuf, Count count, Handle datatype,
                             Handle op, Handle comm)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle)> next(
        "MPI_Exscan_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Exscan_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count);
            return MPI_Exscan(sendbuf, recvbuf, plain_count, datatype, op, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Exscan", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.alike(count, datatype);
                             check.operation(op);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm);
    return with_devices("MPI_Exscan_c", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype,
                         call->group().rank() == 0 ? 0 : count);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Exscan_init, (const void* sendbuf, void* recvbuf, int count, Handle datatype,
                                Handle op, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle, Handle, void*)> next(
        "MPI_Exscan_init");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
    return with_devices("MPI_Exscan_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype,
                         call->group().rank() == 0 ? 0 : count);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Exscan_init_c, (const void* sendbuf, void* recvbuf, Count count, Handle datatype,
                                  Handle op, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle, Handle, void*)>
        next("MPI_Exscan_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Exscan_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_count = call->narrow(count);
            return Call::keep_arrays(
                call,
                MPI_Exscan_init(sendbuf, recvbuf, plain_count, datatype, op, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
    return with_devices("MPI_Exscan_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype,
                         call->group().rank() == 0 ? 0 : count);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Fetch_and_op, (const void* origin_addr, void* result_addr, Handle datatype,
                                 int target_rank, Count target_disp, Handle op, Handle win)) {
    static constinit Next<int(const void*, void*, Handle, int, Count, Handle, Handle)> next(
        "MPI_Fetch_and_op");
    before_waiting();
    const Allocation origin_addr_at = where(origin_addr, datatype);
    const Allocation result_addr_at = where(result_addr, datatype);
    if (!(origin_addr_at.on_device() || result_addr_at.on_device())) [[likely]]
        return next(origin_addr, result_addr, datatype, target_rank, target_disp, op, win);
    return with_devices("MPI_Fetch_and_op", on_window(win), [&](auto& call) {
        call->reduce_in(origin_addr_at, origin_addr, 1, datatype);
        call->reduce_out(result_addr_at, result_addr, 1, datatype);
        const int error =
            next(origin_addr, result_addr, datatype, target_rank, target_disp, op, win);
        return keep_until_synchronised(call, error, win, target_rank);
    });
}

AUREOLE_ENTRY(MPI_File_iread, (Handle fh, void* buf, int count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, void*, int, Handle, void*)> next("MPI_File_iread");
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iread", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iread_c,
              (Handle fh, void* buf, Count count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, void*, Count, Handle, void*)> next("MPI_File_iread_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_iread_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(call, MPI_File_iread(fh, buf, plain_count, datatype, request),
                                     request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iread_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iread_all,
              (Handle fh, void* buf, int count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, void*, int, Handle, void*)> next("MPI_File_iread_all");
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iread_all", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iread_all_c,
              (Handle fh, void* buf, Count count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, void*, Count, Handle, void*)> next("MPI_File_iread_all_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_iread_all_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_File_iread_all(fh, buf, plain_count, datatype, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iread_all_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iread_at,
              (Handle fh, Count offset, void* buf, int count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, Count, void*, int, Handle, void*)> next("MPI_File_iread_at");
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, request);
    return with_devices("MPI_File_iread_at", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iread_at_c,
              (Handle fh, Count offset, void* buf, Count count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, Count, void*, Count, Handle, void*)> next(
        "MPI_File_iread_at_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_iread_at_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_File_iread_at(fh, offset, buf, plain_count, datatype, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, request);
    return with_devices("MPI_File_iread_at_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iread_at_all,
              (Handle fh, Count offset, void* buf, int count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, Count, void*, int, Handle, void*)> next(
        "MPI_File_iread_at_all");
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, request);
    return with_devices("MPI_File_iread_at_all", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iread_at_all_c,
              (Handle fh, Count offset, void* buf, Count count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, Count, void*, Count, Handle, void*)> next(
        "MPI_File_iread_at_all_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_iread_at_all_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_File_iread_at_all(fh, offset, buf, plain_count, datatype, request),
                request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, request);
    return with_devices("MPI_File_iread_at_all_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iread_shared,
              (Handle fh, void* buf, int count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, void*, int, Handle, void*)> next("MPI_File_iread_shared");
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iread_shared", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iread_shared_c,
              (Handle fh, void* buf, Count count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, void*, Count, Handle, void*)> next("MPI_File_iread_shared_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_iread_shared_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_File_iread_shared(fh, buf, plain_count, datatype, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iread_shared_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iwrite,
              (Handle fh, const void* buf, int count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, const void*, int, Handle, void*)> next("MPI_File_iwrite");
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iwrite", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iwrite_c,
              (Handle fh, const void* buf, Count count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, const void*, Count, Handle, void*)> next("MPI_File_iwrite_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_iwrite_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(call, MPI_File_iwrite(fh, buf, plain_count, datatype, request),
                                     request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iwrite_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iwrite_all,
              (Handle fh, const void* buf, int count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, const void*, int, Handle, void*)> next("MPI_File_iwrite_all");
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iwrite_all", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iwrite_all_c,
              (Handle fh, const void* buf, Count count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, const void*, Count, Handle, void*)> next(
        "MPI_File_iwrite_all_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_iwrite_all_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_File_iwrite_all(fh, buf, plain_count, datatype, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iwrite_all_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iwrite_at, (Handle fh, Count offset, const void* buf, int count,
                                   Handle datatype, void* request)) {
    static constinit Next<int(Handle, Count, const void*, int, Handle, void*)> next(
        "MPI_File_iwrite_at");
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, request);
    return with_devices("MPI_File_iwrite_at", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iwrite_at_c, (Handle fh, Count offset, const void* buf, Count count,
                                     Handle datatype, void* request)) {
    static constinit Next<int(Handle, Count, const void*, Count, Handle, void*)> next(
        "MPI_File_iwrite_at_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_iwrite_at_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_File_iwrite_at(fh, offset, buf, plain_count, datatype, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, request);
    return with_devices("MPI_File_iwrite_at_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iwrite_at_all, (Handle fh, Count offset, const void* buf, int count,
                                       Handle datatype, void* request)) {
    static constinit Next<int(Handle, Count, const void*, int, Handle, void*)> next(
        "MPI_File_iwrite_at_all");
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, request);
    return with_devices("MPI_File_iwrite_at_all", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iwrite_at_all_c, (Handle fh, Count offset, const void* buf, Count count,
                                         Handle datatype, void* request)) {
    static constinit Next<int(Handle, Count, const void*, Count, Handle, void*)> next(
        "MPI_File_iwrite_at_all_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_iwrite_at_all_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_File_iwrite_at_all(fh, offset, buf, plain_count, datatype, request),
                request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, request);
    return with_devices("MPI_File_iwrite_at_all_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iwrite_shared,
              (Handle fh, const void* buf, int count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, const void*, int, Handle, void*)> next(
        "MPI_File_iwrite_shared");
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iwrite_shared", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_iwrite_shared_c,
              (Handle fh, const void* buf, Count count, Handle datatype, void* request)) {
    static constinit Next<int(Handle, const void*, Count, Handle, void*)> next(
        "MPI_File_iwrite_shared_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_iwrite_shared_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_File_iwrite_shared(fh, buf, plain_count, datatype, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, request);
    return with_devices("MPI_File_iwrite_shared_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_File_read, (Handle fh, void* buf, int count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, void*, int, Handle, void*)> next("MPI_File_read");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_read", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_read_c, (Handle fh, void* buf, Count count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, void*, Count, Handle, void*)> next("MPI_File_read_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_read_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_read(fh, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_read_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_read_all, (Handle fh, void* buf, int count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, void*, int, Handle, void*)> next("MPI_File_read_all");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_read_all", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_read_all_c,
              (Handle fh, void* buf, Count count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, void*, Count, Handle, void*)> next("MPI_File_read_all_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_read_all_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_read_all(fh, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_read_all_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_read_all_begin, (Handle fh, void* buf, int count, Handle datatype)) {
    static constinit Next<int(Handle, void*, int, Handle)> next("MPI_File_read_all_begin");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype);
    return with_devices("MPI_File_read_all_begin", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_read_all_begin_c, (Handle fh, void* buf, Count count, Handle datatype)) {
    static constinit Next<int(Handle, void*, Count, Handle)> next("MPI_File_read_all_begin_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_read_all_begin_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_read_all_begin(fh, buf, plain_count, datatype);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype);
    return with_devices("MPI_File_read_all_begin_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_read_at,
              (Handle fh, Count offset, void* buf, int count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, Count, void*, int, Handle, void*)> next("MPI_File_read_at");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, status);
    return with_devices("MPI_File_read_at", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, offset, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_read_at_c,
              (Handle fh, Count offset, void* buf, Count count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, Count, void*, Count, Handle, void*)> next(
        "MPI_File_read_at_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_read_at_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_read_at(fh, offset, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, status);
    return with_devices("MPI_File_read_at_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, offset, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_read_at_all,
              (Handle fh, Count offset, void* buf, int count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, Count, void*, int, Handle, void*)> next(
        "MPI_File_read_at_all");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, status);
    return with_devices("MPI_File_read_at_all", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, offset, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_read_at_all_c,
              (Handle fh, Count offset, void* buf, Count count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, Count, void*, Count, Handle, void*)> next(
        "MPI_File_read_at_all_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_read_at_all_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_read_at_all(fh, offset, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, status);
    return with_devices("MPI_File_read_at_all_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, offset, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_read_at_all_begin,
              (Handle fh, Count offset, void* buf, int count, Handle datatype)) {
    static constinit Next<int(Handle, Count, void*, int, Handle)> next(
        "MPI_File_read_at_all_begin");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype);
    return with_devices("MPI_File_read_at_all_begin", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_read_at_all_begin_c,
              (Handle fh, Count offset, void* buf, Count count, Handle datatype)) {
    static constinit Next<int(Handle, Count, void*, Count, Handle)> next(
        "MPI_File_read_at_all_begin_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_read_at_all_begin_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_read_at_all_begin(fh, offset, buf, plain_count, datatype);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype);
    return with_devices("MPI_File_read_at_all_begin_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_read_ordered,
              (Handle fh, void* buf, int count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, void*, int, Handle, void*)> next("MPI_File_read_ordered");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_read_ordered", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_read_ordered_c,
              (Handle fh, void* buf, Count count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, void*, Count, Handle, void*)> next("MPI_File_read_ordered_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_read_ordered_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_read_ordered(fh, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_read_ordered_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_read_ordered_begin, (Handle fh, void* buf, int count, Handle datatype)) {
    static constinit Next<int(Handle, void*, int, Handle)> next("MPI_File_read_ordered_begin");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype);
    return with_devices("MPI_File_read_ordered_begin", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_read_ordered_begin_c, (Handle fh, void* buf, Count count, Handle datatype)) {
    static constinit Next<int(Handle, void*, Count, Handle)> next("MPI_File_read_ordered_begin_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_read_ordered_begin_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_read_ordered_begin(fh, buf, plain_count, datatype);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype);
    return with_devices("MPI_File_read_ordered_begin_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_read_shared,
              (Handle fh, void* buf, int count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, void*, int, Handle, void*)> next("MPI_File_read_shared");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_read_shared", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_read_shared_c,
              (Handle fh, void* buf, Count count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, void*, Count, Handle, void*)> next("MPI_File_read_shared_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_read_shared_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_read_shared(fh, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_read_shared_c", on_file(fh), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write,
              (Handle fh, const void* buf, int count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, const void*, int, Handle, void*)> next("MPI_File_write");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_write", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write_c,
              (Handle fh, const void* buf, Count count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, const void*, Count, Handle, void*)> next("MPI_File_write_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_write_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_write(fh, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_write_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write_all,
              (Handle fh, const void* buf, int count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, const void*, int, Handle, void*)> next("MPI_File_write_all");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_write_all", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write_all_c,
              (Handle fh, const void* buf, Count count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, const void*, Count, Handle, void*)> next(
        "MPI_File_write_all_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_write_all_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_write_all(fh, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_write_all_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write_all_begin, (Handle fh, const void* buf, int count, Handle datatype)) {
    static constinit Next<int(Handle, const void*, int, Handle)> next("MPI_File_write_all_begin");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype);
    return with_devices("MPI_File_write_all_begin", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_write_all_begin_c,
              (Handle fh, const void* buf, Count count, Handle datatype)) {
    static constinit Next<int(Handle, const void*, Count, Handle)> next(
        "MPI_File_write_all_begin_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_write_all_begin_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_write_all_begin(fh, buf, plain_count, datatype);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype);
    return with_devices("MPI_File_write_all_begin_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_write_at, (Handle fh, Count offset, const void* buf, int count,
                                  Handle datatype, void* status)) {
    static constinit Next<int(Handle, Count, const void*, int, Handle, void*)> next(
        "MPI_File_write_at");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, status);
    return with_devices("MPI_File_write_at", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, offset, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write_at_c, (Handle fh, Count offset, const void* buf, Count count,
                                    Handle datatype, void* status)) {
    static constinit Next<int(Handle, Count, const void*, Count, Handle, void*)> next(
        "MPI_File_write_at_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_write_at_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_write_at(fh, offset, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, status);
    return with_devices("MPI_File_write_at_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, offset, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write_at_all, (Handle fh, Count offset, const void* buf, int count,
                                      Handle datatype, void* status)) {
    static constinit Next<int(Handle, Count, const void*, int, Handle, void*)> next(
        "MPI_File_write_at_all");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, status);
    return with_devices("MPI_File_write_at_all", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, offset, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write_at_all_c, (Handle fh, Count offset, const void* buf, Count count,
                                        Handle datatype, void* status)) {
    static constinit Next<int(Handle, Count, const void*, Count, Handle, void*)> next(
        "MPI_File_write_at_all_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_write_at_all_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_write_at_all(fh, offset, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype, status);
    return with_devices("MPI_File_write_at_all_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, offset, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write_at_all_begin,
              (Handle fh, Count offset, const void* buf, int count, Handle datatype)) {
    static constinit Next<int(Handle, Count, const void*, int, Handle)> next(
        "MPI_File_write_at_all_begin");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype);
    return with_devices("MPI_File_write_at_all_begin", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_write_at_all_begin_c,
              (Handle fh, Count offset, const void* buf, Count count, Handle datatype)) {
    static constinit Next<int(Handle, Count, const void*, Count, Handle)> next(
        "MPI_File_write_at_all_begin_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_write_at_all_begin_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_write_at_all_begin(fh, offset, buf, plain_count, datatype);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, offset, buf, count, datatype);
    return with_devices("MPI_File_write_at_all_begin_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, offset, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_write_ordered,
              (Handle fh, const void* buf, int count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, const void*, int, Handle, void*)> next(
        "MPI_File_write_ordered");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_write_ordered", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write_ordered_c,
              (Handle fh, const void* buf, Count count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, const void*, Count, Handle, void*)> next(
        "MPI_File_write_ordered_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_write_ordered_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_write_ordered(fh, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_write_ordered_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write_ordered_begin,
              (Handle fh, const void* buf, int count, Handle datatype)) {
    static constinit Next<int(Handle, const void*, int, Handle)> next(
        "MPI_File_write_ordered_begin");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype);
    return with_devices("MPI_File_write_ordered_begin", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_write_ordered_begin_c,
              (Handle fh, const void* buf, Count count, Handle datatype)) {
    static constinit Next<int(Handle, const void*, Count, Handle)> next(
        "MPI_File_write_ordered_begin_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_write_ordered_begin_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_write_ordered_begin(fh, buf, plain_count, datatype);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype);
    return with_devices("MPI_File_write_ordered_begin_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(fh, buf, count, datatype);
        return keep_split(call, error, fh);
    });
}

AUREOLE_ENTRY(MPI_File_write_shared,
              (Handle fh, const void* buf, int count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, const void*, int, Handle, void*)> next(
        "MPI_File_write_shared");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_write_shared", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_File_write_shared_c,
              (Handle fh, const void* buf, Count count, Handle datatype, void* status)) {
    static constinit Next<int(Handle, const void*, Count, Handle, void*)> next(
        "MPI_File_write_shared_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_File_write_shared_c", on_file(fh), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_File_write_shared(fh, buf, plain_count, datatype, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(buf_at.on_device())) [[likely]]
        return next(fh, buf, count, datatype, status);
    return with_devices("MPI_File_write_shared_c", on_file(fh), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(fh, buf, count, datatype, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Gather, (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
                           int recvcount, Handle recvtype, int root, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, int, Handle)> next(
        "MPI_Gather");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Gather", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.root(root);
                             check.sends(sendbuf, sendcount, sendtype);
                             if (check.is_root()) check.receives(recvbuf, recvcount, recvtype);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Gather", on_comm(comm), [&] {
            return straight_gather({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                                   root, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    return with_devices("MPI_Gather", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Gather_c, (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
                             Count recvcount, Handle recvtype, int root, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, int, Handle)> next(
        "MPI_Gather_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Gather_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return MPI_Gather(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcount,
                              recvtype, root, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Gather", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.root(root);
                             check.sends(sendbuf, sendcount, sendtype);
                             if (check.is_root()) check.receives(recvbuf, recvcount, recvtype);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Gather_c", on_comm(comm), [&] {
            return straight_gather({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                                   root, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    return with_devices("MPI_Gather_c", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Gather_init,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf, int recvcount,
               Handle recvtype, int root, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, int, Handle, Handle,
                              void*)>
        next("MPI_Gather_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
                    request);
    return with_devices("MPI_Gather_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                               comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Gather_init_c, (const void* sendbuf, Count sendcount, Handle sendtype,
                                  void* recvbuf, Count recvcount, Handle recvtype, int root,
                                  Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, int, Handle, Handle,
                              void*)>
        next("MPI_Gather_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Gather_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(
                call,
                MPI_Gather_init(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcount,
                                recvtype, root, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
                    request);
    return with_devices("MPI_Gather_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                               comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Gatherv,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
               const int* recvcounts, const int* displs, Handle recvtype, int root, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, void*, const int*, const int*, Handle, int,
                              Handle)>
        next("MPI_Gatherv");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Gatherv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.root(root);
                             check.sends(sendbuf, sendcount, sendtype);
                             if (check.is_root())
                                 check.receives_each(recvbuf, recvcounts, recvtype);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                    comm);
    return with_devices("MPI_Gatherv", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype,
                           call->group().peers());
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Gatherv_c, (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
                              const Count* recvcounts, const Count* displs, Handle recvtype,
                              int root, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, void*, const Count*, const Count*, Handle,
                              int, Handle)>
        next("MPI_Gatherv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Gatherv_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().peers().n;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int* const plain_recvcounts =
                call->narrow(recvcounts, call->group().is_root(root) ? n : 0);
            const int* const plain_displs =
                call->narrow(displs, call->group().is_root(root) ? n : 0);
            return MPI_Gatherv(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcounts,
                               plain_displs, recvtype, root, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Gatherv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.root(root);
                             check.sends(sendbuf, sendcount, sendtype);
                             if (check.is_root())
                                 check.receives_each(recvbuf, recvcounts, recvtype);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                    comm);
    return with_devices("MPI_Gatherv_c", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype,
                           call->group().peers());
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Gatherv_init, (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
                                 const int* recvcounts, const int* displs, Handle recvtype,
                                 int root, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, const int*, const int*, Handle, int,
                              Handle, Handle, void*)>
        next("MPI_Gatherv_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                    info, request);
    return with_devices("MPI_Gatherv_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype,
                           call->group().peers());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               root, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Gatherv_init_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               const Count* recvcounts, const Count* displs, Handle recvtype, int root, Handle comm,
               Handle info, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, const Count*, const Count*, Handle,
                              int, Handle, Handle, void*)>
        next("MPI_Gatherv_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Gatherv_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int n = call->group().peers().n;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int* const plain_recvcounts =
                call->narrow(recvcounts, call->group().is_root(root) ? n : 0);
            const int* const plain_displs =
                call->narrow(displs, call->group().is_root(root) ? n : 0);
            return Call::keep_arrays(
                call,
                MPI_Gatherv_init(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcounts,
                                 plain_displs, recvtype, root, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                    info, request);
    return with_devices("MPI_Gatherv_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype,
                           call->group().peers());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               root, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Get,
              (void* origin_addr, int origin_count, Handle origin_datatype, int target_rank,
               Count target_disp, int target_count, Handle target_datatype, Handle win)) {
    static constinit Next<int(void*, int, Handle, int, Count, int, Handle, Handle)> next("MPI_Get");
    before_waiting();
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, win);
    return with_devices("MPI_Get", on_window(win), [&](auto& call) {
        call->out(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, win);
        return keep_until_synchronised(call, error, win, target_rank);
    });
}

AUREOLE_ENTRY(MPI_Get_c,
              (void* origin_addr, Count origin_count, Handle origin_datatype, int target_rank,
               Count target_disp, Count target_count, Handle target_datatype, Handle win)) {
    static constinit Next<int(void*, Count, Handle, int, Count, Count, Handle, Handle)> next(
        "MPI_Get_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Get_c", on_window(win), [&](auto& call) {
            const int plain_origin_count = call->narrow(origin_count);
            const int plain_target_count = call->narrow(target_count);
            return MPI_Get(origin_addr, plain_origin_count, origin_datatype, target_rank,
                           target_disp, plain_target_count, target_datatype, win);
        });
    before_waiting();
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, win);
    return with_devices("MPI_Get_c", on_window(win), [&](auto& call) {
        call->out(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, win);
        return keep_until_synchronised(call, error, win, target_rank);
    });
}

AUREOLE_ENTRY(MPI_Get_accumulate,
              (const void* origin_addr, int origin_count, Handle origin_datatype, void* result_addr,
               int result_count, Handle result_datatype, int target_rank, Count target_disp,
               int target_count, Handle target_datatype, Handle op, Handle win)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, int, Count, int, Handle,
                              Handle, Handle)>
        next("MPI_Get_accumulate");
    before_waiting();
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    const Allocation result_addr_at = where(result_addr, result_datatype);
    if (!(origin_addr_at.on_device() || result_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                    result_datatype, target_rank, target_disp, target_count, target_datatype, op,
                    win);
    return with_devices("MPI_Get_accumulate", on_window(win), [&](auto& call) {
        call->reduce_in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        call->reduce_out(result_addr_at, result_addr, result_count, result_datatype);
        const int error =
            next(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                 result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
        return keep_until_synchronised(call, error, win, target_rank);
    });
}

AUREOLE_ENTRY(MPI_Get_accumulate_c,
              (const void* origin_addr, Count origin_count, Handle origin_datatype,
               void* result_addr, Count result_count, Handle result_datatype, int target_rank,
               Count target_disp, Count target_count, Handle target_datatype, Handle op,
               Handle win)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, int, Count, Count,
                              Handle, Handle, Handle)>
        next("MPI_Get_accumulate_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Get_accumulate_c", on_window(win), [&](auto& call) {
            const int plain_origin_count = call->narrow(origin_count);
            const int plain_result_count = call->narrow(result_count);
            const int plain_target_count = call->narrow(target_count);
            return MPI_Get_accumulate(origin_addr, plain_origin_count, origin_datatype, result_addr,
                                      plain_result_count, result_datatype, target_rank, target_disp,
                                      plain_target_count, target_datatype, op, win);
        });
    before_waiting();
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    const Allocation result_addr_at = where(result_addr, result_datatype);
    if (!(origin_addr_at.on_device() || result_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                    result_datatype, target_rank, target_disp, target_count, target_datatype, op,
                    win);
    return with_devices("MPI_Get_accumulate_c", on_window(win), [&](auto& call) {
        call->reduce_in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        call->reduce_out(result_addr_at, result_addr, result_count, result_datatype);
        const int error =
            next(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                 result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
        return keep_until_synchronised(call, error, win, target_rank);
    });
}

AUREOLE_ENTRY(MPI_Iallgather, (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
                               int recvcount, Handle recvtype, Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle, void*)> next(
        "MPI_Iallgather");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    return with_devices("MPI_Iallgather", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iallgather_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle, void*)>
        next("MPI_Iallgather_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Iallgather_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(call,
                                     MPI_Iallgather(sendbuf, plain_sendcount, sendtype, recvbuf,
                                                    plain_recvcount, recvtype, comm, request),
                                     request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    return with_devices("MPI_Iallgather_c", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iallgatherv, (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
                                const int* recvcounts, const int* displs, Handle recvtype,
                                Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, const int*, const int*, Handle,
                              Handle, void*)>
        next("MPI_Iallgatherv");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                    request);
    return with_devices("MPI_Iallgatherv", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().peers());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iallgatherv_c, (const void* sendbuf, Count sendcount, Handle sendtype,
                                  void* recvbuf, const Count* recvcounts, const Count* displs,
                                  Handle recvtype, Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, const Count*, const Count*, Handle,
                              Handle, void*)>
        next("MPI_Iallgatherv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Iallgatherv_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().peers().n;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            const int* const plain_displs = call->narrow(displs, n);
            return Call::keep_arrays(
                call,
                MPI_Iallgatherv(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcounts,
                                plain_displs, recvtype, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                    request);
    return with_devices("MPI_Iallgatherv_c", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().peers());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iallreduce, (const void* sendbuf, void* recvbuf, int count, Handle datatype,
                               Handle op, Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle, void*)> next(
        "MPI_Iallreduce");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, request);
    return with_devices("MPI_Iallreduce", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iallreduce_c, (const void* sendbuf, void* recvbuf, Count count, Handle datatype,
                                 Handle op, Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle, void*)> next(
        "MPI_Iallreduce_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Iallreduce_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count);
            return Call::keep_arrays(
                call, MPI_Iallreduce(sendbuf, recvbuf, plain_count, datatype, op, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, request);
    return with_devices("MPI_Iallreduce_c", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ialltoall, (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
                              int recvcount, Handle recvtype, Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle, void*)> next(
        "MPI_Ialltoall");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    return with_devices("MPI_Ialltoall", on_comm(comm), [&](auto& call) {
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ialltoall_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle, void*)>
        next("MPI_Ialltoall_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ialltoall_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(call,
                                     MPI_Ialltoall(sendbuf, plain_sendcount, sendtype, recvbuf,
                                                   plain_recvcount, recvtype, comm, request),
                                     request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    return with_devices("MPI_Ialltoall_c", on_comm(comm), [&](auto& call) {
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ialltoallv, (const void* sendbuf, const int* sendcounts, const int* sdispls,
                               Handle sendtype, void* recvbuf, const int* recvcounts,
                               const int* rdispls, Handle recvtype, Handle comm, void* request)) {
    static constinit Next<int(const void*, const int*, const int*, Handle, void*, const int*,
                              const int*, Handle, Handle, void*)>
        next("MPI_Ialltoallv");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm, request);
    return with_devices("MPI_Ialltoallv", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().peers());
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ialltoallv_c,
              (const void* sendbuf, const Count* sendcounts, const Count* sdispls, Handle sendtype,
               void* recvbuf, const Count* recvcounts, const Count* rdispls, Handle recvtype,
               Handle comm, void* request)) {
    static constinit Next<int(const void*, const Count*, const Count*, Handle, void*, const Count*,
                              const Count*, Handle, Handle, void*)>
        next("MPI_Ialltoallv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ialltoallv_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().peers().n;
            const int* const plain_sendcounts = call->narrow(sendcounts, n);
            const int* const plain_sdispls = call->narrow(sdispls, n);
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            const int* const plain_rdispls = call->narrow(rdispls, n);
            return Call::keep_arrays(
                call,
                MPI_Ialltoallv(sendbuf, plain_sendcounts, plain_sdispls, sendtype, recvbuf,
                               plain_recvcounts, plain_rdispls, recvtype, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm, request);
    return with_devices("MPI_Ialltoallv_c", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().peers());
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ialltoallw,
              (const void* sendbuf, const int* sendcounts, const int* sdispls,
               const void* sendtypes, void* recvbuf, const int* recvcounts, const int* rdispls,
               const void* recvtypes, Handle comm, void* request)) {
    static constinit Next<int(const void*, const int*, const int*, const void*, void*, const int*,
                              const int*, const void*, Handle, void*)>
        next("MPI_Ialltoallw");
    const Allocation sendbuf_at =
        where(sendbuf, sendcounts, sdispls, sendtypes, [&] { return Group(comm).peers().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).peers().n; });
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm, request);
    return with_devices("MPI_Ialltoallw", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes, call->group().peers());
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ialltoallw_c,
              (const void* sendbuf, const Count* sendcounts, const Count* sdispls,
               const void* sendtypes, void* recvbuf, const Count* recvcounts, const Count* rdispls,
               const void* recvtypes, Handle comm, void* request)) {
    static constinit Next<int(const void*, const Count*, const Count*, const void*, void*,
                              const Count*, const Count*, const void*, Handle, void*)>
        next("MPI_Ialltoallw_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ialltoallw_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().peers().n;
            const int* const plain_sendcounts = call->narrow(sendcounts, n);
            const int* const plain_sdispls = call->narrow(sdispls, n);
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            const int* const plain_rdispls = call->narrow(rdispls, n);
            return Call::keep_arrays(
                call,
                MPI_Ialltoallw(sendbuf, plain_sendcounts, plain_sdispls, sendtypes, recvbuf,
                               plain_recvcounts, plain_rdispls, recvtypes, comm, request),
                request);
        });
    const Allocation sendbuf_at =
        where(sendbuf, sendcounts, sdispls, sendtypes, [&] { return Group(comm).peers().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).peers().n; });
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm, request);
    return with_devices("MPI_Ialltoallw_c", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes, call->group().peers());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes, call->group().peers());
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ibcast,
              (void* buffer, int count, Handle datatype, int root, Handle comm, void* request)) {
    static constinit Next<int(void*, int, Handle, int, Handle, void*)> next("MPI_Ibcast");
    const Allocation buffer_at = where(buffer, datatype);
    if (!(is_checking || buffer_at.on_device())) [[likely]]
        return next(buffer, count, datatype, root, comm, request);
    return with_devices("MPI_Ibcast", on_comm(comm), [&](auto& call) {
        call->broadcast(buffer_at, buffer, count, datatype, root);
        const int error = next(buffer, count, datatype, root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ibcast_c,
              (void* buffer, Count count, Handle datatype, int root, Handle comm, void* request)) {
    static constinit Next<int(void*, Count, Handle, int, Handle, void*)> next("MPI_Ibcast_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ibcast_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Ibcast(buffer, plain_count, datatype, root, comm, request), request);
        });
    const Allocation buffer_at = where(buffer, datatype);
    if (!(is_checking || buffer_at.on_device())) [[likely]]
        return next(buffer, count, datatype, root, comm, request);
    return with_devices("MPI_Ibcast_c", on_comm(comm), [&](auto& call) {
        call->broadcast(buffer_at, buffer, count, datatype, root);
        const int error = next(buffer, count, datatype, root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ibsend, (const void* buf, int count, Handle datatype, int dest, int tag,
                           Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle, void*)> next(
        "MPI_Ibsend");
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Ibsend", on_comm(comm), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ibsend_c, (const void* buf, Count count, Handle datatype, int dest, int tag,
                             Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle, void*)> next(
        "MPI_Ibsend_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ibsend_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Ibsend(buf, plain_count, datatype, dest, tag, comm, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Ibsend_c", on_comm(comm), [&](auto& call) {
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iexscan, (const void* sendbuf, void* recvbuf, int count, Handle datatype,
                            Handle op, Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle, void*)> next(
        "MPI_Iexscan");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, request);
    return with_devices("MPI_Iexscan", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype,
                         call->group().rank() == 0 ? 0 : count);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iexscan_c, (const void* sendbuf, void* recvbuf, Count count, Handle datatype,
                              Handle op, Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle, void*)> next(
        "MPI_Iexscan_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Iexscan_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count);
            return Call::keep_arrays(
                call, MPI_Iexscan(sendbuf, recvbuf, plain_count, datatype, op, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, request);
    return with_devices("MPI_Iexscan_c", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype,
                         call->group().rank() == 0 ? 0 : count);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Igather, (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
                            int recvcount, Handle recvtype, int root, Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, int, Handle, void*)>
        next("MPI_Igather");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                    request);
    return with_devices("MPI_Igather", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Igather_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, int root, Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, int, Handle, void*)>
        next("MPI_Igather_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Igather_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(call,
                                     MPI_Igather(sendbuf, plain_sendcount, sendtype, recvbuf,
                                                 plain_recvcount, recvtype, root, comm, request),
                                     request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                    request);
    return with_devices("MPI_Igather_c", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().peers());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Igatherv, (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
                             const int* recvcounts, const int* displs, Handle recvtype, int root,
                             Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, const int*, const int*, Handle, int,
                              Handle, void*)>
        next("MPI_Igatherv");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                    request);
    return with_devices("MPI_Igatherv", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype,
                           call->group().peers());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Igatherv_c, (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
                               const Count* recvcounts, const Count* displs, Handle recvtype,
                               int root, Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, const Count*, const Count*, Handle,
                              int, Handle, void*)>
        next("MPI_Igatherv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Igatherv_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().peers().n;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int* const plain_recvcounts =
                call->narrow(recvcounts, call->group().is_root(root) ? n : 0);
            const int* const plain_displs =
                call->narrow(displs, call->group().is_root(root) ? n : 0);
            return Call::keep_arrays(
                call,
                MPI_Igatherv(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcounts,
                             plain_displs, recvtype, root, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                    request);
    return with_devices("MPI_Igatherv_c", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        if (call->group().is_root(root))
            call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype,
                           call->group().peers());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Imrecv, (void* buf, int count, Handle datatype, void* message, void* request)) {
    static constinit Next<int(void*, int, Handle, void*, void*)> next("MPI_Imrecv");
    const Allocation buf_at = where(buf, datatype);
    const PostedReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, message, request);
    return with_devices("MPI_Imrecv", on_comm(0), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, message, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Imrecv_c,
              (void* buf, Count count, Handle datatype, void* message, void* request)) {
    static constinit Next<int(void*, Count, Handle, void*, void*)> next("MPI_Imrecv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Imrecv_c", on_comm(0), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(call, MPI_Imrecv(buf, plain_count, datatype, message, request),
                                     request);
        });
    const Allocation buf_at = where(buf, datatype);
    const PostedReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, message, request);
    return with_devices("MPI_Imrecv_c", on_comm(0), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, message, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ineighbor_allgather,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf, int recvcount,
               Handle recvtype, Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle, void*)> next(
        "MPI_Ineighbor_allgather");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    return with_devices("MPI_Ineighbor_allgather", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ineighbor_allgather_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle, void*)>
        next("MPI_Ineighbor_allgather_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ineighbor_allgather_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(
                call,
                MPI_Ineighbor_allgather(sendbuf, plain_sendcount, sendtype, recvbuf,
                                        plain_recvcount, recvtype, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    return with_devices("MPI_Ineighbor_allgather_c", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ineighbor_allgatherv, (const void* sendbuf, int sendcount, Handle sendtype,
                                         void* recvbuf, const int* recvcounts, const int* displs,
                                         Handle recvtype, Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, const int*, const int*, Handle,
                              Handle, void*)>
        next("MPI_Ineighbor_allgatherv");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                    request);
    return with_devices("MPI_Ineighbor_allgatherv", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().sources());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ineighbor_allgatherv_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               const Count* recvcounts, const Count* displs, Handle recvtype, Handle comm,
               void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, const Count*, const Count*, Handle,
                              Handle, void*)>
        next("MPI_Ineighbor_allgatherv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ineighbor_allgatherv_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int* const plain_recvcounts = call->narrow(recvcounts, call->group().sources().n);
            const int* const plain_displs = call->narrow(displs, call->group().sources().n);
            return Call::keep_arrays(
                call,
                MPI_Ineighbor_allgatherv(sendbuf, plain_sendcount, sendtype, recvbuf,
                                         plain_recvcounts, plain_displs, recvtype, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                    request);
    return with_devices("MPI_Ineighbor_allgatherv_c", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().sources());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ineighbor_alltoall,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf, int recvcount,
               Handle recvtype, Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle, void*)> next(
        "MPI_Ineighbor_alltoall");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    return with_devices("MPI_Ineighbor_alltoall", on_comm(comm), [&](auto& call) {
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().destinations());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ineighbor_alltoall_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle, void*)>
        next("MPI_Ineighbor_alltoall_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ineighbor_alltoall_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(
                call,
                MPI_Ineighbor_alltoall(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcount,
                                       recvtype, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    return with_devices("MPI_Ineighbor_alltoall_c", on_comm(comm), [&](auto& call) {
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().destinations());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ineighbor_alltoallv,
              (const void* sendbuf, const int* sendcounts, const int* sdispls, Handle sendtype,
               void* recvbuf, const int* recvcounts, const int* rdispls, Handle recvtype,
               Handle comm, void* request)) {
    static constinit Next<int(const void*, const int*, const int*, Handle, void*, const int*,
                              const int*, Handle, Handle, void*)>
        next("MPI_Ineighbor_alltoallv");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm, request);
    return with_devices("MPI_Ineighbor_alltoallv", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().sources());
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ineighbor_alltoallv_c,
              (const void* sendbuf, const Count* sendcounts, const Count* sdispls, Handle sendtype,
               void* recvbuf, const Count* recvcounts, const Count* rdispls, Handle recvtype,
               Handle comm, void* request)) {
    static constinit Next<int(const void*, const Count*, const Count*, Handle, void*, const Count*,
                              const Count*, Handle, Handle, void*)>
        next("MPI_Ineighbor_alltoallv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ineighbor_alltoallv_c", on_comm(comm), [&](auto& call) {
            const int* const plain_sendcounts =
                call->narrow(sendcounts, call->group().destinations().n);
            const int* const plain_sdispls = call->narrow(sdispls, call->group().destinations().n);
            const int* const plain_recvcounts = call->narrow(recvcounts, call->group().sources().n);
            const int* const plain_rdispls = call->narrow(rdispls, call->group().sources().n);
            return Call::keep_arrays(
                call,
                MPI_Ineighbor_alltoallv(sendbuf, plain_sendcounts, plain_sdispls, sendtype, recvbuf,
                                        plain_recvcounts, plain_rdispls, recvtype, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm, request);
    return with_devices("MPI_Ineighbor_alltoallv_c", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().sources());
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ineighbor_alltoallw,
              (const void* sendbuf, const int* sendcounts, const Count* sdispls,
               const void* sendtypes, void* recvbuf, const int* recvcounts, const Count* rdispls,
               const void* recvtypes, Handle comm, void* request)) {
    static constinit Next<int(const void*, const int*, const Count*, const void*, void*, const int*,
                              const Count*, const void*, Handle, void*)>
        next("MPI_Ineighbor_alltoallw");
    const Allocation sendbuf_at = where(sendbuf, sendcounts, sdispls, sendtypes,
                                        [&] { return Group(comm).destinations().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).sources().n; });
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm, request);
    return with_devices("MPI_Ineighbor_alltoallw", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes,
                       call->group().sources());
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ineighbor_alltoallw_c,
              (const void* sendbuf, const Count* sendcounts, const Count* sdispls,
               const void* sendtypes, void* recvbuf, const Count* recvcounts, const Count* rdispls,
               const void* recvtypes, Handle comm, void* request)) {
    static constinit Next<int(const void*, const Count*, const Count*, const void*, void*,
                              const Count*, const Count*, const void*, Handle, void*)>
        next("MPI_Ineighbor_alltoallw_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ineighbor_alltoallw_c", on_comm(comm), [&](auto& call) {
            const int* const plain_sendcounts =
                call->narrow(sendcounts, call->group().destinations().n);
            const int* const plain_recvcounts = call->narrow(recvcounts, call->group().sources().n);
            return Call::keep_arrays(
                call,
                MPI_Ineighbor_alltoallw(sendbuf, plain_sendcounts, sdispls, sendtypes, recvbuf,
                                        plain_recvcounts, rdispls, recvtypes, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendcounts, sdispls, sendtypes,
                                        [&] { return Group(comm).destinations().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).sources().n; });
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm, request);
    return with_devices("MPI_Ineighbor_alltoallw_c", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes,
                       call->group().sources());
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Irecv, (void* buf, int count, Handle datatype, int source, int tag, Handle comm,
                          void* request)) {
    static constinit Next<int(void*, int, Handle, int, int, Handle, void*)> next("MPI_Irecv");
    const Allocation buf_at = where(buf, datatype);
    const PostedReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, source, tag, comm, request);
    return with_devices("MPI_Irecv", on_comm(comm), [&](auto& call) {
        call->from(source);
        call->received(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, source, tag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Irecv_c, (void* buf, Count count, Handle datatype, int source, int tag,
                            Handle comm, void* request)) {
    static constinit Next<int(void*, Count, Handle, int, int, Handle, void*)> next("MPI_Irecv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Irecv_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Irecv(buf, plain_count, datatype, source, tag, comm, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    const PostedReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, source, tag, comm, request);
    return with_devices("MPI_Irecv_c", on_comm(comm), [&](auto& call) {
        call->from(source);
        call->received(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, source, tag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ireduce, (const void* sendbuf, void* recvbuf, int count, Handle datatype,
                            Handle op, int root, Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, int, Handle, void*)> next(
        "MPI_Ireduce");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, root, comm, request);
    return with_devices("MPI_Ireduce", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        if (call->group().is_root(root)) call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ireduce_c, (const void* sendbuf, void* recvbuf, Count count, Handle datatype,
                              Handle op, int root, Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, int, Handle, void*)> next(
        "MPI_Ireduce_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ireduce_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count);
            return Call::keep_arrays(
                call, MPI_Ireduce(sendbuf, recvbuf, plain_count, datatype, op, root, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, root, comm, request);
    return with_devices("MPI_Ireduce_c", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        if (call->group().is_root(root)) call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ireduce_scatter, (const void* sendbuf, void* recvbuf, const int* recvcounts,
                                    Handle datatype, Handle op, Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, const int*, Handle, Handle, Handle, void*)> next(
        "MPI_Ireduce_scatter");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
    return with_devices("MPI_Ireduce_scatter", on_comm(comm), [&](auto& call) {
        const auto all = call->sum(recvcounts);
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype,
                               recvcounts[call->group().rank()]);
        const int error = next(sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ireduce_scatter_c, (const void* sendbuf, void* recvbuf, const Count* recvcounts,
                                      Handle datatype, Handle op, Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, const Count*, Handle, Handle, Handle, void*)>
        next("MPI_Ireduce_scatter_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ireduce_scatter_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().size();
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            return Call::keep_arrays(call,
                                     MPI_Ireduce_scatter(sendbuf, recvbuf, plain_recvcounts,
                                                         datatype, op, comm, request),
                                     request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
    return with_devices("MPI_Ireduce_scatter_c", on_comm(comm), [&](auto& call) {
        const auto all = call->sum(recvcounts);
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype,
                               recvcounts[call->group().rank()]);
        const int error = next(sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ireduce_scatter_block, (const void* sendbuf, void* recvbuf, int recvcount,
                                          Handle datatype, Handle op, Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle, void*)> next(
        "MPI_Ireduce_scatter_block");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcount, datatype, op, comm, request);
    return with_devices("MPI_Ireduce_scatter_block", on_comm(comm), [&](auto& call) {
        const Count all = static_cast<Count>(recvcount) * call->group().size();
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype, recvcount);
        const int error = next(sendbuf, recvbuf, recvcount, datatype, op, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ireduce_scatter_block_c,
              (const void* sendbuf, void* recvbuf, Count recvcount, Handle datatype, Handle op,
               Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle, void*)> next(
        "MPI_Ireduce_scatter_block_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ireduce_scatter_block_c", on_comm(comm), [&](auto& call) {
            const int plain_recvcount = call->narrow(recvcount);
            return Call::keep_arrays(call,
                                     MPI_Ireduce_scatter_block(sendbuf, recvbuf, plain_recvcount,
                                                               datatype, op, comm, request),
                                     request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcount, datatype, op, comm, request);
    return with_devices("MPI_Ireduce_scatter_block_c", on_comm(comm), [&](auto& call) {
        const Count all = static_cast<Count>(recvcount) * call->group().size();
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype, recvcount);
        const int error = next(sendbuf, recvbuf, recvcount, datatype, op, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Irsend, (const void* buf, int count, Handle datatype, int dest, int tag,
                           Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle, void*)> next(
        "MPI_Irsend");
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Irsend", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, request);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Irsend_c, (const void* buf, Count count, Handle datatype, int dest, int tag,
                             Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle, void*)> next(
        "MPI_Irsend_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Irsend_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Irsend(buf, plain_count, datatype, dest, tag, comm, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Irsend_c", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, request);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iscan, (const void* sendbuf, void* recvbuf, int count, Handle datatype, Handle op,
                          Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle, void*)> next(
        "MPI_Iscan");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, request);
    return with_devices("MPI_Iscan", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iscan_c, (const void* sendbuf, void* recvbuf, Count count, Handle datatype,
                            Handle op, Handle comm, void* request)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle, void*)> next(
        "MPI_Iscan_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Iscan_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count);
            return Call::keep_arrays(
                call, MPI_Iscan(sendbuf, recvbuf, plain_count, datatype, op, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, request);
    return with_devices("MPI_Iscan_c", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iscatter,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf, int recvcount,
               Handle recvtype, int root, Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, int, Handle, void*)>
        next("MPI_Iscatter");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                    request);
    return with_devices("MPI_Iscatter", on_comm(comm), [&](auto& call) {
        if (call->group().is_root(root))
            call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iscatter_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, int root, Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, int, Handle, void*)>
        next("MPI_Iscatter_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Iscatter_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(call,
                                     MPI_Iscatter(sendbuf, plain_sendcount, sendtype, recvbuf,
                                                  plain_recvcount, recvtype, root, comm, request),
                                     request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                    request);
    return with_devices("MPI_Iscatter_c", on_comm(comm), [&](auto& call) {
        if (call->group().is_root(root))
            call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iscatterv, (const void* sendbuf, const int* sendcounts, const int* displs,
                              Handle sendtype, void* recvbuf, int recvcount, Handle recvtype,
                              int root, Handle comm, void* request)) {
    static constinit Next<int(const void*, const int*, const int*, Handle, void*, int, Handle, int,
                              Handle, void*)>
        next("MPI_Iscatterv");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
                    request);
    return with_devices("MPI_Iscatterv", on_comm(comm), [&](auto& call) {
        if (call->group().is_root(root))
            call->in_each(sendbuf_at, sendbuf, sendcounts, displs, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        const int error = next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                               root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Iscatterv_c, (const void* sendbuf, const Count* sendcounts, const Count* displs,
                                Handle sendtype, void* recvbuf, Count recvcount, Handle recvtype,
                                int root, Handle comm, void* request)) {
    static constinit Next<int(const void*, const Count*, const Count*, Handle, void*, Count, Handle,
                              int, Handle, void*)>
        next("MPI_Iscatterv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Iscatterv_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().peers().n;
            const int* const plain_sendcounts =
                call->narrow(sendcounts, call->group().is_root(root) ? n : 0);
            const int* const plain_displs =
                call->narrow(displs, call->group().is_root(root) ? n : 0);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(
                call,
                MPI_Iscatterv(sendbuf, plain_sendcounts, plain_displs, sendtype, recvbuf,
                              plain_recvcount, recvtype, root, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
                    request);
    return with_devices("MPI_Iscatterv_c", on_comm(comm), [&](auto& call) {
        if (call->group().is_root(root))
            call->in_each(sendbuf_at, sendbuf, sendcounts, displs, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        const int error = next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                               root, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Isend, (const void* buf, int count, Handle datatype, int dest, int tag,
                          Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle, void*)> next("MPI_Isend");
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Isend", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, request);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Isend_c, (const void* buf, Count count, Handle datatype, int dest, int tag,
                            Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle, void*)> next(
        "MPI_Isend_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Isend_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Isend(buf, plain_count, datatype, dest, tag, comm, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Isend_c", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, request);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Isendrecv, (const void* sendbuf, int sendcount, Handle sendtype, int dest,
                              int sendtag, void* recvbuf, int recvcount, Handle recvtype,
                              int source, int recvtag, Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, int, int, void*, int, Handle, int, int,
                              Handle, void*)>
        next("MPI_Isendrecv");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    const PostedReceive receive(recvcount, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device() || receive.is_watched()))
        [[likely]]
        return next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                    source, recvtag, comm, request);
    return with_devices("MPI_Isendrecv", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->received_beside_send(recvbuf_at, recvbuf, recvcount, recvtype);
        const int error = next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                               recvtype, source, recvtag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Isendrecv_c, (const void* sendbuf, Count sendcount, Handle sendtype, int dest,
                                int sendtag, void* recvbuf, Count recvcount, Handle recvtype,
                                int source, int recvtag, Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, int, int, void*, Count, Handle, int, int,
                              Handle, void*)>
        next("MPI_Isendrecv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Isendrecv_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(
                call,
                MPI_Isendrecv(sendbuf, plain_sendcount, sendtype, dest, sendtag, recvbuf,
                              plain_recvcount, recvtype, source, recvtag, comm, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    const PostedReceive receive(recvcount, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device() || receive.is_watched()))
        [[likely]]
        return next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                    source, recvtag, comm, request);
    return with_devices("MPI_Isendrecv_c", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->received_beside_send(recvbuf_at, recvbuf, recvcount, recvtype);
        const int error = next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                               recvtype, source, recvtag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Isendrecv_replace, (void* buf, int count, Handle datatype, int dest, int sendtag,
                                      int source, int recvtag, Handle comm, void* request)) {
    static constinit Next<int(void*, int, Handle, int, int, int, int, Handle, void*)> next(
        "MPI_Isendrecv_replace");
    const Allocation buf_at = where(buf, datatype);
    const PostedReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
    return with_devices("MPI_Isendrecv_replace", on_comm(comm), [&](auto& call) {
        call->received_beside_send(buf_at, buf, count, datatype, true);
        const int error = next(buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Isendrecv_replace_c,
              (void* buf, Count count, Handle datatype, int dest, int sendtag, int source,
               int recvtag, Handle comm, void* request)) {
    static constinit Next<int(void*, Count, Handle, int, int, int, int, Handle, void*)> next(
        "MPI_Isendrecv_replace_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Isendrecv_replace_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(call,
                                     MPI_Isendrecv_replace(buf, plain_count, datatype, dest,
                                                           sendtag, source, recvtag, comm, request),
                                     request);
        });
    const Allocation buf_at = where(buf, datatype);
    const PostedReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
    return with_devices("MPI_Isendrecv_replace_c", on_comm(comm), [&](auto& call) {
        call->received_beside_send(buf_at, buf, count, datatype, true);
        const int error = next(buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Issend, (const void* buf, int count, Handle datatype, int dest, int tag,
                           Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle, void*)> next(
        "MPI_Issend");
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Issend", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, request);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Issend_c, (const void* buf, Count count, Handle datatype, int dest, int tag,
                             Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle, void*)> next(
        "MPI_Issend_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Issend_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Issend(buf, plain_count, datatype, dest, tag, comm, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Issend_c", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, request);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Mrecv, (void* buf, int count, Handle datatype, void* message, void* status)) {
    static constinit Next<int(void*, int, Handle, void*, void*)> next("MPI_Mrecv");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    const BlockingReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, message, status);
    if (!is_checking && receive.needs_no_list(buf_at))
        return receive_on_host("MPI_Mrecv", on_comm(0), HostBuffer{buf, count, datatype}, status,
                               [&](void* to, Handle type, void* told) {
                                   return next(to, count, type, message, told);
                               });
    return with_devices("MPI_Mrecv", on_comm(0), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(buf, count, datatype, message, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Mrecv_c, (void* buf, Count count, Handle datatype, void* message, void* status)) {
    static constinit Next<int(void*, Count, Handle, void*, void*)> next("MPI_Mrecv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Mrecv_c", on_comm(0), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_Mrecv(buf, plain_count, datatype, message, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    const BlockingReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, message, status);
    if (!is_checking && receive.needs_no_list(buf_at))
        return receive_on_host("MPI_Mrecv_c", on_comm(0), HostBuffer{buf, count, datatype}, status,
                               [&](void* to, Handle type, void* told) {
                                   return next(to, count, type, message, told);
                               });
    return with_devices("MPI_Mrecv_c", on_comm(0), [&](auto& call) {
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(buf, count, datatype, message, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_allgather,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf, int recvcount,
               Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle)> next(
        "MPI_Neighbor_allgather");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Neighbor_allgather", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [](auto&) {});
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return with_devices("MPI_Neighbor_allgather", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_allgather_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle)> next(
        "MPI_Neighbor_allgather_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Neighbor_allgather_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return MPI_Neighbor_allgather(sendbuf, plain_sendcount, sendtype, recvbuf,
                                          plain_recvcount, recvtype, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Neighbor_allgather", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [](auto&) {});
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return with_devices("MPI_Neighbor_allgather_c", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_allgather_init,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf, int recvcount,
               Handle recvtype, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle, Handle, void*)>
        next("MPI_Neighbor_allgather_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                    request);
    return with_devices("MPI_Neighbor_allgather_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_allgather_init_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle, Handle,
                              void*)>
        next("MPI_Neighbor_allgather_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Neighbor_allgather_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(
                call,
                MPI_Neighbor_allgather_init(sendbuf, plain_sendcount, sendtype, recvbuf,
                                            plain_recvcount, recvtype, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                    request);
    return with_devices("MPI_Neighbor_allgather_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_allgatherv,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
               const int* recvcounts, const int* displs, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, void*, const int*, const int*, Handle,
                              Handle)>
        next("MPI_Neighbor_allgatherv");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Neighbor_allgatherv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [](auto&) {});
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    return with_devices("MPI_Neighbor_allgatherv", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().sources());
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_allgatherv_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               const Count* recvcounts, const Count* displs, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, void*, const Count*, const Count*, Handle,
                              Handle)>
        next("MPI_Neighbor_allgatherv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Neighbor_allgatherv_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int* const plain_recvcounts = call->narrow(recvcounts, call->group().sources().n);
            const int* const plain_displs = call->narrow(displs, call->group().sources().n);
            return MPI_Neighbor_allgatherv(sendbuf, plain_sendcount, sendtype, recvbuf,
                                           plain_recvcounts, plain_displs, recvtype, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Neighbor_allgatherv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [](auto&) {});
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    return with_devices("MPI_Neighbor_allgatherv_c", on_comm(comm), [&](auto& call) {
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().sources());
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_allgatherv_init,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
               const int* recvcounts, const int* displs, Handle recvtype, Handle comm, Handle info,
               void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, const int*, const int*, Handle,
                              Handle, Handle, void*)>
        next("MPI_Neighbor_allgatherv_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
                    request);
    return with_devices("MPI_Neighbor_allgatherv_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().sources());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_allgatherv_init_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               const Count* recvcounts, const Count* displs, Handle recvtype, Handle comm,
               Handle info, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, const Count*, const Count*, Handle,
                              Handle, Handle, void*)>
        next("MPI_Neighbor_allgatherv_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Neighbor_allgatherv_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int* const plain_recvcounts = call->narrow(recvcounts, call->group().sources().n);
            const int* const plain_displs = call->narrow(displs, call->group().sources().n);
            return Call::keep_arrays(
                call,
                MPI_Neighbor_allgatherv_init(sendbuf, plain_sendcount, sendtype, recvbuf,
                                             plain_recvcounts, plain_displs, recvtype, comm, info,
                                             request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
                    request);
    return with_devices("MPI_Neighbor_allgatherv_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        call->out_each(recvbuf_at, recvbuf, recvcounts, displs, recvtype, call->group().sources());
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoall, (const void* sendbuf, int sendcount, Handle sendtype,
                                      void* recvbuf, int recvcount, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle)> next(
        "MPI_Neighbor_alltoall");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Neighbor_alltoall", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [](auto&) {});
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return with_devices("MPI_Neighbor_alltoall", on_comm(comm), [&](auto& call) {
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().destinations());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoall_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle)> next(
        "MPI_Neighbor_alltoall_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Neighbor_alltoall_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return MPI_Neighbor_alltoall(sendbuf, plain_sendcount, sendtype, recvbuf,
                                         plain_recvcount, recvtype, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Neighbor_alltoall", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [](auto&) {});
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return with_devices("MPI_Neighbor_alltoall_c", on_comm(comm), [&](auto& call) {
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().destinations());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoall_init,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf, int recvcount,
               Handle recvtype, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle, Handle, void*)>
        next("MPI_Neighbor_alltoall_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                    request);
    return with_devices("MPI_Neighbor_alltoall_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().destinations());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoall_init_c,
              (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
               Count recvcount, Handle recvtype, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, Handle, Handle,
                              void*)>
        next("MPI_Neighbor_alltoall_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Neighbor_alltoall_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(
                call,
                MPI_Neighbor_alltoall_init(sendbuf, plain_sendcount, sendtype, recvbuf,
                                           plain_recvcount, recvtype, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                    request);
    return with_devices("MPI_Neighbor_alltoall_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().destinations());
        call->out_peers(recvbuf_at, recvbuf, recvcount, recvtype, call->group().sources());
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoallv,
              (const void* sendbuf, const int* sendcounts, const int* sdispls, Handle sendtype,
               void* recvbuf, const int* recvcounts, const int* rdispls, Handle recvtype,
               Handle comm)) {
    static constinit Next<int(const void*, const int*, const int*, Handle, void*, const int*,
                              const int*, Handle, Handle)>
        next("MPI_Neighbor_alltoallv");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Neighbor_alltoallv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [](auto&) {});
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm);
    return with_devices("MPI_Neighbor_alltoallv", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().sources());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoallv_c,
              (const void* sendbuf, const Count* sendcounts, const Count* sdispls, Handle sendtype,
               void* recvbuf, const Count* recvcounts, const Count* rdispls, Handle recvtype,
               Handle comm)) {
    static constinit Next<int(const void*, const Count*, const Count*, Handle, void*, const Count*,
                              const Count*, Handle, Handle)>
        next("MPI_Neighbor_alltoallv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Neighbor_alltoallv_c", on_comm(comm), [&](auto& call) {
            const int* const plain_sendcounts =
                call->narrow(sendcounts, call->group().destinations().n);
            const int* const plain_sdispls = call->narrow(sdispls, call->group().destinations().n);
            const int* const plain_recvcounts = call->narrow(recvcounts, call->group().sources().n);
            const int* const plain_rdispls = call->narrow(rdispls, call->group().sources().n);
            return MPI_Neighbor_alltoallv(sendbuf, plain_sendcounts, plain_sdispls, sendtype,
                                          recvbuf, plain_recvcounts, plain_rdispls, recvtype, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Neighbor_alltoallv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [](auto&) {});
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm);
    return with_devices("MPI_Neighbor_alltoallv_c", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().sources());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoallv_init,
              (const void* sendbuf, const int* sendcounts, const int* sdispls, Handle sendtype,
               void* recvbuf, const int* recvcounts, const int* rdispls, Handle recvtype,
               Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, const int*, const int*, Handle, void*, const int*,
                              const int*, Handle, Handle, Handle, void*)>
        next("MPI_Neighbor_alltoallv_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm, info, request);
    return with_devices("MPI_Neighbor_alltoallv_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().sources());
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoallv_init_c,
              (const void* sendbuf, const Count* sendcounts, const Count* sdispls, Handle sendtype,
               void* recvbuf, const Count* recvcounts, const Count* rdispls, Handle recvtype,
               Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, const Count*, const Count*, Handle, void*, const Count*,
                              const Count*, Handle, Handle, Handle, void*)>
        next("MPI_Neighbor_alltoallv_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Neighbor_alltoallv_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int* const plain_sendcounts =
                call->narrow(sendcounts, call->group().destinations().n);
            const int* const plain_sdispls = call->narrow(sdispls, call->group().destinations().n);
            const int* const plain_recvcounts = call->narrow(recvcounts, call->group().sources().n);
            const int* const plain_rdispls = call->narrow(rdispls, call->group().sources().n);
            return Call::keep_arrays(
                call,
                MPI_Neighbor_alltoallv_init(sendbuf, plain_sendcounts, plain_sdispls, sendtype,
                                            recvbuf, plain_recvcounts, plain_rdispls, recvtype,
                                            comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                    comm, info, request);
    return with_devices("MPI_Neighbor_alltoallv_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtype,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtype, call->group().sources());
        const int error = next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoallw,
              (const void* sendbuf, const int* sendcounts, const Count* sdispls,
               const void* sendtypes, void* recvbuf, const int* recvcounts, const Count* rdispls,
               const void* recvtypes, Handle comm)) {
    static constinit Next<int(const void*, const int*, const Count*, const void*, void*, const int*,
                              const Count*, const void*, Handle)>
        next("MPI_Neighbor_alltoallw");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendcounts, sdispls, sendtypes,
                                        [&] { return Group(comm).destinations().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).sources().n; });
    if (is_checking) [[unlikely]]
        check_collective("MPI_Neighbor_alltoallw", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [](auto&) {});
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm);
    return with_devices("MPI_Neighbor_alltoallw", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes,
                       call->group().sources());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoallw_c,
              (const void* sendbuf, const Count* sendcounts, const Count* sdispls,
               const void* sendtypes, void* recvbuf, const Count* recvcounts, const Count* rdispls,
               const void* recvtypes, Handle comm)) {
    static constinit Next<int(const void*, const Count*, const Count*, const void*, void*,
                              const Count*, const Count*, const void*, Handle)>
        next("MPI_Neighbor_alltoallw_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Neighbor_alltoallw_c", on_comm(comm), [&](auto& call) {
            const int* const plain_sendcounts =
                call->narrow(sendcounts, call->group().destinations().n);
            const int* const plain_recvcounts = call->narrow(recvcounts, call->group().sources().n);
            return MPI_Neighbor_alltoallw(sendbuf, plain_sendcounts, sdispls, sendtypes, recvbuf,
                                          plain_recvcounts, rdispls, recvtypes, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendcounts, sdispls, sendtypes,
                                        [&] { return Group(comm).destinations().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).sources().n; });
    if (is_checking) [[unlikely]]
        check_collective("MPI_Neighbor_alltoallw", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [](auto&) {});
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm);
    return with_devices("MPI_Neighbor_alltoallw_c", on_comm(comm), [&](auto& call) {
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes,
                       call->group().sources());
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoallw_init,
              (const void* sendbuf, const int* sendcounts, const Count* sdispls,
               const void* sendtypes, void* recvbuf, const int* recvcounts, const Count* rdispls,
               const void* recvtypes, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, const int*, const Count*, const void*, void*, const int*,
                              const Count*, const void*, Handle, Handle, void*)>
        next("MPI_Neighbor_alltoallw_init");
    const Allocation sendbuf_at = where(sendbuf, sendcounts, sdispls, sendtypes,
                                        [&] { return Group(comm).destinations().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).sources().n; });
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm, info, request);
    return with_devices("MPI_Neighbor_alltoallw_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes,
                       call->group().sources());
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Neighbor_alltoallw_init_c,
              (const void* sendbuf, const Count* sendcounts, const Count* sdispls,
               const void* sendtypes, void* recvbuf, const Count* recvcounts, const Count* rdispls,
               const void* recvtypes, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, const Count*, const Count*, const void*, void*,
                              const Count*, const Count*, const void*, Handle, Handle, void*)>
        next("MPI_Neighbor_alltoallw_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Neighbor_alltoallw_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int* const plain_sendcounts =
                call->narrow(sendcounts, call->group().destinations().n);
            const int* const plain_recvcounts = call->narrow(recvcounts, call->group().sources().n);
            return Call::keep_arrays(call,
                                     MPI_Neighbor_alltoallw_init(
                                         sendbuf, plain_sendcounts, sdispls, sendtypes, recvbuf,
                                         plain_recvcounts, rdispls, recvtypes, comm, info, request),
                                     request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendcounts, sdispls, sendtypes,
                                        [&] { return Group(comm).destinations().n; });
    const Allocation recvbuf_at =
        where(recvbuf, recvcounts, rdispls, recvtypes, [&] { return Group(comm).sources().n; });
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                    recvtypes, comm, info, request);
    return with_devices("MPI_Neighbor_alltoallw_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->in_each(sendbuf_at, sendbuf, sendcounts, sdispls, sendtypes,
                      call->group().destinations());
        call->out_each(recvbuf_at, recvbuf, recvcounts, rdispls, recvtypes,
                       call->group().sources());
        const int error = next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Precv_init, (void* buf, int partitions, Count count, Handle datatype, int source,
                               int tag, Handle comm, Handle info, void* request)) {
    static constinit Next<int(void*, int, Count, Handle, int, int, Handle, Handle, void*)> next(
        "MPI_Precv_init");
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, partitions, count, datatype, source, tag, comm, info, request);
    return with_devices("MPI_Precv_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->partitions = partitions;
        call->out(buf_at, buf, count * partitions, datatype);
        const int error = next(buf, partitions, count, datatype, source, tag, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Psend_init, (const void* buf, int partitions, Count count, Handle datatype,
                               int dest, int tag, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, int, Count, Handle, int, int, Handle, Handle, void*)>
        next("MPI_Psend_init");
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, partitions, count, datatype, dest, tag, comm, info, request);
    return with_devices("MPI_Psend_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->partitions = partitions;
        call->in(buf_at, buf, count * partitions, datatype);
        const int error = next(buf, partitions, count, datatype, dest, tag, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Put,
              (const void* origin_addr, int origin_count, Handle origin_datatype, int target_rank,
               Count target_disp, int target_count, Handle target_datatype, Handle win)) {
    static constinit Next<int(const void*, int, Handle, int, Count, int, Handle, Handle)> next(
        "MPI_Put");
    before_waiting();
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, win);
    return with_devices("MPI_Put", on_window(win), [&](auto& call) {
        call->in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, win);
        return keep_until_synchronised(call, error, win, target_rank);
    });
}

AUREOLE_ENTRY(MPI_Put_c,
              (const void* origin_addr, Count origin_count, Handle origin_datatype, int target_rank,
               Count target_disp, Count target_count, Handle target_datatype, Handle win)) {
    static constinit Next<int(const void*, Count, Handle, int, Count, Count, Handle, Handle)> next(
        "MPI_Put_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Put_c", on_window(win), [&](auto& call) {
            const int plain_origin_count = call->narrow(origin_count);
            const int plain_target_count = call->narrow(target_count);
            return MPI_Put(origin_addr, plain_origin_count, origin_datatype, target_rank,
                           target_disp, plain_target_count, target_datatype, win);
        });
    before_waiting();
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, win);
    return with_devices("MPI_Put_c", on_window(win), [&](auto& call) {
        call->in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, win);
        return keep_until_synchronised(call, error, win, target_rank);
    });
}

AUREOLE_ENTRY(MPI_Raccumulate, (const void* origin_addr, int origin_count, Handle origin_datatype,
                                int target_rank, Count target_disp, int target_count,
                                Handle target_datatype, Handle op, Handle win, void* request)) {
    static constinit Next<int(const void*, int, Handle, int, Count, int, Handle, Handle, Handle,
                              void*)>
        next("MPI_Raccumulate");
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, op, win, request);
    return with_devices("MPI_Raccumulate", on_window(win), [&](auto& call) {
        call->reduce_in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, op, win, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Raccumulate_c,
              (const void* origin_addr, Count origin_count, Handle origin_datatype, int target_rank,
               Count target_disp, Count target_count, Handle target_datatype, Handle op, Handle win,
               void* request)) {
    static constinit Next<int(const void*, Count, Handle, int, Count, Count, Handle, Handle, Handle,
                              void*)>
        next("MPI_Raccumulate_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Raccumulate_c", on_window(win), [&](auto& call) {
            const int plain_origin_count = call->narrow(origin_count);
            const int plain_target_count = call->narrow(target_count);
            return Call::keep_arrays(
                call,
                MPI_Raccumulate(origin_addr, plain_origin_count, origin_datatype, target_rank,
                                target_disp, plain_target_count, target_datatype, op, win, request),
                request);
        });
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, op, win, request);
    return with_devices("MPI_Raccumulate_c", on_window(win), [&](auto& call) {
        call->reduce_in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, op, win, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Recv, (void* buf, int count, Handle datatype, int source, int tag, Handle comm,
                         void* status)) {
    static constinit Next<int(void*, int, Handle, int, int, Handle, void*)> next("MPI_Recv");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    const BlockingReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, source, tag, comm, status);
    if (!is_checking && receive.needs_no_list(buf_at))
        return receive_on_host("MPI_Recv", on_comm(comm), HostBuffer{buf, count, datatype}, status,
                               [&](void* to, Handle type, void* told) {
                                   return next(to, count, type, source, tag, comm, told);
                               });
    return with_devices("MPI_Recv", on_comm(comm), [&](auto& call) {
        call->from(source);
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(buf, count, datatype, source, tag, comm, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Recv_c, (void* buf, Count count, Handle datatype, int source, int tag,
                           Handle comm, void* status)) {
    static constinit Next<int(void*, Count, Handle, int, int, Handle, void*)> next("MPI_Recv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Recv_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_Recv(buf, plain_count, datatype, source, tag, comm, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    const BlockingReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, source, tag, comm, status);
    if (!is_checking && receive.needs_no_list(buf_at))
        return receive_on_host("MPI_Recv_c", on_comm(comm), HostBuffer{buf, count, datatype},
                               status, [&](void* to, Handle type, void* told) {
                                   return next(to, count, type, source, tag, comm, told);
                               });
    return with_devices("MPI_Recv_c", on_comm(comm), [&](auto& call) {
        call->from(source);
        call->received(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(buf, count, datatype, source, tag, comm, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Recv_init, (void* buf, int count, Handle datatype, int source, int tag,
                              Handle comm, void* request)) {
    static constinit Next<int(void*, int, Handle, int, int, Handle, void*)> next("MPI_Recv_init");
    const Allocation buf_at = where(buf, datatype);
    const PostedReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, source, tag, comm, request);
    return with_devices("MPI_Recv_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->from(source);
        call->received(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, source, tag, comm, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Recv_init_c, (void* buf, Count count, Handle datatype, int source, int tag,
                                Handle comm, void* request)) {
    static constinit Next<int(void*, Count, Handle, int, int, Handle, void*)> next(
        "MPI_Recv_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Recv_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Recv_init(buf, plain_count, datatype, source, tag, comm, request),
                request);
        });
    const Allocation buf_at = where(buf, datatype);
    const PostedReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, source, tag, comm, request);
    return with_devices("MPI_Recv_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->from(source);
        call->received(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, source, tag, comm, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Reduce, (const void* sendbuf, void* recvbuf, int count, Handle datatype,
                           Handle op, int root, Handle comm)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, int, Handle)> next(
        "MPI_Reduce");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Reduce", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.root(root);
                             check.alike(count, datatype);
                             check.operation(op);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Reduce", on_comm(comm), [&] {
            return straight_reduce(sendbuf, {recvbuf, count, datatype}, op, root, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, root, comm);
    return with_devices("MPI_Reduce", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        if (call->group().is_root(root)) call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, count, datatype, op, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Reduce_c, (const void* sendbuf, void* recvbuf, Count count, Handle datatype,
                             Handle op, int root, Handle comm)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, int, Handle)> next(
        "MPI_Reduce_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Reduce_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count);
            return MPI_Reduce(sendbuf, recvbuf, plain_count, datatype, op, root, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Reduce", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.root(root);
                             check.alike(count, datatype);
                             check.operation(op);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Reduce_c", on_comm(comm), [&] {
            return straight_reduce(sendbuf, {recvbuf, count, datatype}, op, root, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, root, comm);
    return with_devices("MPI_Reduce_c", on_comm(comm), [&](auto& call) {
        if (call->group().faces(root)) call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        if (call->group().is_root(root)) call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, count, datatype, op, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Reduce_init, (const void* sendbuf, void* recvbuf, int count, Handle datatype,
                                Handle op, int root, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, int, Handle, Handle, void*)>
        next("MPI_Reduce_init");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
    return with_devices("MPI_Reduce_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        if (call->group().faces(root)) call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        if (call->group().is_root(root)) call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Reduce_init_c, (const void* sendbuf, void* recvbuf, Count count, Handle datatype,
                                  Handle op, int root, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, int, Handle, Handle,
                              void*)>
        next("MPI_Reduce_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Reduce_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_count = call->narrow(count);
            return Call::keep_arrays(call,
                                     MPI_Reduce_init(sendbuf, recvbuf, plain_count, datatype, op,
                                                     root, comm, info, request),
                                     request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
    return with_devices("MPI_Reduce_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        if (call->group().faces(root)) call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        if (call->group().is_root(root)) call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Reduce_local,
              (const void* inbuf, void* inoutbuf, int count, Handle datatype, Handle op)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle)> next("MPI_Reduce_local");
    const Allocation inbuf_at = where(inbuf, datatype);
    const Allocation inoutbuf_at = where(inoutbuf, datatype);
    if (!(inbuf_at.on_device() || inoutbuf_at.on_device())) [[likely]]
        return next(inbuf, inoutbuf, count, datatype, op);
    return with_devices("MPI_Reduce_local", on_comm(0), [&](auto& call) {
        call->reduce_in(inbuf_at, inbuf, count, datatype);
        call->accumulate(inoutbuf_at, inoutbuf, count, datatype);
        const int error = next(inbuf, inoutbuf, count, datatype, op);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Reduce_local_c,
              (const void* inbuf, void* inoutbuf, Count count, Handle datatype, Handle op)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle)> next(
        "MPI_Reduce_local_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Reduce_local_c", on_comm(0), [&](auto& call) {
            const int plain_count = call->narrow(count);
            return MPI_Reduce_local(inbuf, inoutbuf, plain_count, datatype, op);
        });
    const Allocation inbuf_at = where(inbuf, datatype);
    const Allocation inoutbuf_at = where(inoutbuf, datatype);
    if (!(inbuf_at.on_device() || inoutbuf_at.on_device())) [[likely]]
        return next(inbuf, inoutbuf, count, datatype, op);
    return with_devices("MPI_Reduce_local_c", on_comm(0), [&](auto& call) {
        call->reduce_in(inbuf_at, inbuf, count, datatype);
        call->accumulate(inoutbuf_at, inoutbuf, count, datatype);
        const int error = next(inbuf, inoutbuf, count, datatype, op);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Reduce_scatter, (const void* sendbuf, void* recvbuf, const int* recvcounts,
                                   Handle datatype, Handle op, Handle comm)) {
    static constinit Next<int(const void*, void*, const int*, Handle, Handle, Handle)> next(
        "MPI_Reduce_scatter");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Reduce_scatter", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.alike_each(recvcounts, datatype);
                             check.operation(op);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Reduce_scatter", on_comm(comm), [&] {
            return straight_reduce_scatter(sendbuf, recvbuf, RankBlocks::numbers(recvcounts, comm),
                                           datatype, op, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcounts, datatype, op, comm);
    return with_devices("MPI_Reduce_scatter", on_comm(comm), [&](auto& call) {
        const auto all = call->sum(recvcounts);
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype,
                               recvcounts[call->group().rank()]);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, recvcounts, datatype, op, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Reduce_scatter_c, (const void* sendbuf, void* recvbuf, const Count* recvcounts,
                                     Handle datatype, Handle op, Handle comm)) {
    static constinit Next<int(const void*, void*, const Count*, Handle, Handle, Handle)> next(
        "MPI_Reduce_scatter_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Reduce_scatter_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().size();
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            return MPI_Reduce_scatter(sendbuf, recvbuf, plain_recvcounts, datatype, op, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Reduce_scatter", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.alike_each(recvcounts, datatype);
                             check.operation(op);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Reduce_scatter_c", on_comm(comm), [&] {
            return straight_reduce_scatter(sendbuf, recvbuf, RankBlocks::numbers(recvcounts, comm),
                                           datatype, op, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcounts, datatype, op, comm);
    return with_devices("MPI_Reduce_scatter_c", on_comm(comm), [&](auto& call) {
        const auto all = call->sum(recvcounts);
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype,
                               recvcounts[call->group().rank()]);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, recvcounts, datatype, op, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Reduce_scatter_block, (const void* sendbuf, void* recvbuf, int recvcount,
                                         Handle datatype, Handle op, Handle comm)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle)> next(
        "MPI_Reduce_scatter_block");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Reduce_scatter_block", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.alike(recvcount, datatype);
                             check.operation(op);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Reduce_scatter_block", on_comm(comm), [&] {
            return straight_reduce_scatter(sendbuf, recvbuf, RankBlocks::equal(recvcount, comm),
                                           datatype, op, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcount, datatype, op, comm);
    return with_devices("MPI_Reduce_scatter_block", on_comm(comm), [&](auto& call) {
        const Count all = static_cast<Count>(recvcount) * call->group().size();
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype, recvcount);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, recvcount, datatype, op, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Reduce_scatter_block_c, (const void* sendbuf, void* recvbuf, Count recvcount,
                                           Handle datatype, Handle op, Handle comm)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle)> next(
        "MPI_Reduce_scatter_block_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Reduce_scatter_block_c", on_comm(comm), [&](auto& call) {
            const int plain_recvcount = call->narrow(recvcount);
            return MPI_Reduce_scatter_block(sendbuf, recvbuf, plain_recvcount, datatype, op, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Reduce_scatter_block", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.alike(recvcount, datatype);
                             check.operation(op);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Reduce_scatter_block_c", on_comm(comm), [&] {
            return straight_reduce_scatter(sendbuf, recvbuf, RankBlocks::equal(recvcount, comm),
                                           datatype, op, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcount, datatype, op, comm);
    return with_devices("MPI_Reduce_scatter_block_c", on_comm(comm), [&](auto& call) {
        const Count all = static_cast<Count>(recvcount) * call->group().size();
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype, recvcount);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, recvcount, datatype, op, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Reduce_scatter_block_init,
              (const void* sendbuf, void* recvbuf, int recvcount, Handle datatype, Handle op,
               Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle, Handle, void*)> next(
        "MPI_Reduce_scatter_block_init");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcount, datatype, op, comm, info, request);
    return with_devices("MPI_Reduce_scatter_block_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        const Count all = static_cast<Count>(recvcount) * call->group().size();
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype, recvcount);
        const int error = next(sendbuf, recvbuf, recvcount, datatype, op, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Reduce_scatter_block_init_c,
              (const void* sendbuf, void* recvbuf, Count recvcount, Handle datatype, Handle op,
               Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle, Handle, void*)>
        next("MPI_Reduce_scatter_block_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Reduce_scatter_block_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_recvcount = call->narrow(recvcount);
            return Call::keep_arrays(
                call,
                MPI_Reduce_scatter_block_init(sendbuf, recvbuf, plain_recvcount, datatype, op, comm,
                                              info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcount, datatype, op, comm, info, request);
    return with_devices("MPI_Reduce_scatter_block_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        const Count all = static_cast<Count>(recvcount) * call->group().size();
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype, recvcount);
        const int error = next(sendbuf, recvbuf, recvcount, datatype, op, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Reduce_scatter_init,
              (const void* sendbuf, void* recvbuf, const int* recvcounts, Handle datatype,
               Handle op, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, const int*, Handle, Handle, Handle, Handle,
                              void*)>
        next("MPI_Reduce_scatter_init");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request);
    return with_devices("MPI_Reduce_scatter_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        const auto all = call->sum(recvcounts);
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype,
                               recvcounts[call->group().rank()]);
        const int error = next(sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Reduce_scatter_init_c,
              (const void* sendbuf, void* recvbuf, const Count* recvcounts, Handle datatype,
               Handle op, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, const Count*, Handle, Handle, Handle, Handle,
                              void*)>
        next("MPI_Reduce_scatter_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Reduce_scatter_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int n = call->group().size();
            const int* const plain_recvcounts = call->narrow(recvcounts, n);
            return Call::keep_arrays(call,
                                     MPI_Reduce_scatter_init(sendbuf, recvbuf, plain_recvcounts,
                                                             datatype, op, comm, info, request),
                                     request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request);
    return with_devices("MPI_Reduce_scatter_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        const auto all = call->sum(recvcounts);
        call->reduce_in(sendbuf_at, sendbuf, all, datatype);
        call->reduce_scattered(recvbuf_at, recvbuf, all, datatype,
                               recvcounts[call->group().rank()]);
        const int error = next(sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Rget, (void* origin_addr, int origin_count, Handle origin_datatype,
                         int target_rank, Count target_disp, int target_count,
                         Handle target_datatype, Handle win, void* request)) {
    static constinit Next<int(void*, int, Handle, int, Count, int, Handle, Handle, void*)> next(
        "MPI_Rget");
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, win, request);
    return with_devices("MPI_Rget", on_window(win), [&](auto& call) {
        call->out(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, win, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Rget_c, (void* origin_addr, Count origin_count, Handle origin_datatype,
                           int target_rank, Count target_disp, Count target_count,
                           Handle target_datatype, Handle win, void* request)) {
    static constinit Next<int(void*, Count, Handle, int, Count, Count, Handle, Handle, void*)> next(
        "MPI_Rget_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Rget_c", on_window(win), [&](auto& call) {
            const int plain_origin_count = call->narrow(origin_count);
            const int plain_target_count = call->narrow(target_count);
            return Call::keep_arrays(
                call,
                MPI_Rget(origin_addr, plain_origin_count, origin_datatype, target_rank, target_disp,
                         plain_target_count, target_datatype, win, request),
                request);
        });
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, win, request);
    return with_devices("MPI_Rget_c", on_window(win), [&](auto& call) {
        call->out(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, win, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Rget_accumulate,
              (const void* origin_addr, int origin_count, Handle origin_datatype, void* result_addr,
               int result_count, Handle result_datatype, int target_rank, Count target_disp,
               int target_count, Handle target_datatype, Handle op, Handle win, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, int, Count, int, Handle,
                              Handle, Handle, void*)>
        next("MPI_Rget_accumulate");
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    const Allocation result_addr_at = where(result_addr, result_datatype);
    if (!(origin_addr_at.on_device() || result_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                    result_datatype, target_rank, target_disp, target_count, target_datatype, op,
                    win, request);
    return with_devices("MPI_Rget_accumulate", on_window(win), [&](auto& call) {
        call->reduce_in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        call->reduce_out(result_addr_at, result_addr, result_count, result_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, result_addr,
                               result_count, result_datatype, target_rank, target_disp,
                               target_count, target_datatype, op, win, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Rget_accumulate_c,
              (const void* origin_addr, Count origin_count, Handle origin_datatype,
               void* result_addr, Count result_count, Handle result_datatype, int target_rank,
               Count target_disp, Count target_count, Handle target_datatype, Handle op, Handle win,
               void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, int, Count, Count,
                              Handle, Handle, Handle, void*)>
        next("MPI_Rget_accumulate_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Rget_accumulate_c", on_window(win), [&](auto& call) {
            const int plain_origin_count = call->narrow(origin_count);
            const int plain_result_count = call->narrow(result_count);
            const int plain_target_count = call->narrow(target_count);
            return Call::keep_arrays(
                call,
                MPI_Rget_accumulate(origin_addr, plain_origin_count, origin_datatype, result_addr,
                                    plain_result_count, result_datatype, target_rank, target_disp,
                                    plain_target_count, target_datatype, op, win, request),
                request);
        });
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    const Allocation result_addr_at = where(result_addr, result_datatype);
    if (!(origin_addr_at.on_device() || result_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                    result_datatype, target_rank, target_disp, target_count, target_datatype, op,
                    win, request);
    return with_devices("MPI_Rget_accumulate_c", on_window(win), [&](auto& call) {
        call->reduce_in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        call->reduce_out(result_addr_at, result_addr, result_count, result_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, result_addr,
                               result_count, result_datatype, target_rank, target_disp,
                               target_count, target_datatype, op, win, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Rput, (const void* origin_addr, int origin_count, Handle origin_datatype,
                         int target_rank, Count target_disp, int target_count,
                         Handle target_datatype, Handle win, void* request)) {
    static constinit Next<int(const void*, int, Handle, int, Count, int, Handle, Handle, void*)>
        next("MPI_Rput");
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, win, request);
    return with_devices("MPI_Rput", on_window(win), [&](auto& call) {
        call->in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, win, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Rput_c, (const void* origin_addr, Count origin_count, Handle origin_datatype,
                           int target_rank, Count target_disp, Count target_count,
                           Handle target_datatype, Handle win, void* request)) {
    static constinit Next<int(const void*, Count, Handle, int, Count, Count, Handle, Handle, void*)>
        next("MPI_Rput_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Rput_c", on_window(win), [&](auto& call) {
            const int plain_origin_count = call->narrow(origin_count);
            const int plain_target_count = call->narrow(target_count);
            return Call::keep_arrays(
                call,
                MPI_Rput(origin_addr, plain_origin_count, origin_datatype, target_rank, target_disp,
                         plain_target_count, target_datatype, win, request),
                request);
        });
    const Allocation origin_addr_at = where(origin_addr, origin_datatype);
    if (!(origin_addr_at.on_device())) [[likely]]
        return next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                    target_count, target_datatype, win, request);
    return with_devices("MPI_Rput_c", on_window(win), [&](auto& call) {
        call->in(origin_addr_at, origin_addr, origin_count, origin_datatype);
        const int error = next(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                               target_count, target_datatype, win, request);
        return Call::keep(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Rsend,
              (const void* buf, int count, Handle datatype, int dest, int tag, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle)> next("MPI_Rsend");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm);
    return with_devices("MPI_Rsend", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, nullptr);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Rsend_c,
              (const void* buf, Count count, Handle datatype, int dest, int tag, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle)> next("MPI_Rsend_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Rsend_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_Rsend(buf, plain_count, datatype, dest, tag, comm);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm);
    return with_devices("MPI_Rsend_c", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, nullptr);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Rsend_init, (const void* buf, int count, Handle datatype, int dest, int tag,
                               Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle, void*)> next(
        "MPI_Rsend_init");
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Rsend_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->wraps_later(buf_at, buf, count, datatype, {dest, tag, comm});
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Rsend_init_c, (const void* buf, Count count, Handle datatype, int dest, int tag,
                                 Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle, void*)> next(
        "MPI_Rsend_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Rsend_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Rsend_init(buf, plain_count, datatype, dest, tag, comm, request),
                request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Rsend_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->wraps_later(buf_at, buf, count, datatype, {dest, tag, comm});
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Scan, (const void* sendbuf, void* recvbuf, int count, Handle datatype, Handle op,
                         Handle comm)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle)> next("MPI_Scan");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Scan", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.alike(count, datatype);
                             check.operation(op);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm);
    return with_devices("MPI_Scan", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Scan_c, (const void* sendbuf, void* recvbuf, Count count, Handle datatype,
                           Handle op, Handle comm)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle)> next(
        "MPI_Scan_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Scan_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count);
            return MPI_Scan(sendbuf, recvbuf, plain_count, datatype, op, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Scan", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.alike(count, datatype);
                             check.operation(op);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm);
    return with_devices("MPI_Scan_c", on_comm(comm), [&](auto& call) {
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        if (is_checking) compare_deferred();
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Scan_init, (const void* sendbuf, void* recvbuf, int count, Handle datatype,
                              Handle op, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, int, Handle, Handle, Handle, Handle, void*)> next(
        "MPI_Scan_init");
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
    return with_devices("MPI_Scan_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Scan_init_c, (const void* sendbuf, void* recvbuf, Count count, Handle datatype,
                                Handle op, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, void*, Count, Handle, Handle, Handle, Handle, void*)>
        next("MPI_Scan_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Scan_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_count = call->narrow(count);
            return Call::keep_arrays(
                call,
                MPI_Scan_init(sendbuf, recvbuf, plain_count, datatype, op, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, datatype);
    const Allocation recvbuf_at = where(recvbuf, datatype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
    return with_devices("MPI_Scan_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->reduce_in(sendbuf_at, sendbuf, count, datatype);
        call->reduce_out(recvbuf_at, recvbuf, count, datatype);
        const int error = next(sendbuf, recvbuf, count, datatype, op, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Scatter, (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf,
                            int recvcount, Handle recvtype, int root, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, int, Handle)> next(
        "MPI_Scatter");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Scatter", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.root(root);
                             if (check.is_root()) check.sends(sendbuf, sendcount, sendtype);
                             check.receives(recvbuf, recvcount, recvtype);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Scatter", on_comm(comm), [&] {
            return straight_scatter({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                                    root, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    return with_devices("MPI_Scatter", on_comm(comm), [&](auto& call) {
        if (call->group().is_root(root))
            call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Scatter_c, (const void* sendbuf, Count sendcount, Handle sendtype, void* recvbuf,
                              Count recvcount, Handle recvtype, int root, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, int, Handle)> next(
        "MPI_Scatter_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Scatter_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return MPI_Scatter(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcount,
                               recvtype, root, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Scatter", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.root(root);
                             if (check.is_root()) check.sends(sendbuf, sendcount, sendtype);
                             check.receives(recvbuf, recvcount, recvtype);
                         });
    if (collects_straight()) [[unlikely]] {
        const auto error = collect("MPI_Scatter_c", on_comm(comm), [&] {
            return straight_scatter({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype},
                                    root, comm);
        });
        if (error) return *error;
    }
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    return with_devices("MPI_Scatter_c", on_comm(comm), [&](auto& call) {
        if (call->group().is_root(root))
            call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Scatter_init,
              (const void* sendbuf, int sendcount, Handle sendtype, void* recvbuf, int recvcount,
               Handle recvtype, int root, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, int, Handle, void*, int, Handle, int, Handle, Handle,
                              void*)>
        next("MPI_Scatter_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
                    request);
    return with_devices("MPI_Scatter_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        if (call->group().is_root(root))
            call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                               comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Scatter_init_c, (const void* sendbuf, Count sendcount, Handle sendtype,
                                   void* recvbuf, Count recvcount, Handle recvtype, int root,
                                   Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, Count, Handle, void*, Count, Handle, int, Handle, Handle,
                              void*)>
        next("MPI_Scatter_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Scatter_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(
                call,
                MPI_Scatter_init(sendbuf, plain_sendcount, sendtype, recvbuf, plain_recvcount,
                                 recvtype, root, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
                    request);
    return with_devices("MPI_Scatter_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        if (call->group().is_root(root))
            call->in_peers(sendbuf_at, sendbuf, sendcount, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        const int error = next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                               comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Scatterv,
              (const void* sendbuf, const int* sendcounts, const int* displs, Handle sendtype,
               void* recvbuf, int recvcount, Handle recvtype, int root, Handle comm)) {
    static constinit Next<int(const void*, const int*, const int*, Handle, void*, int, Handle, int,
                              Handle)>
        next("MPI_Scatterv");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Scatterv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.root(root);
                             if (check.is_root()) check.sends_each(sendbuf, sendcounts, sendtype);
                             check.receives(recvbuf, recvcount, recvtype);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                    comm);
    return with_devices("MPI_Scatterv", on_comm(comm), [&](auto& call) {
        if (call->group().is_root(root))
            call->in_each(sendbuf_at, sendbuf, sendcounts, displs, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Scatterv_c,
              (const void* sendbuf, const Count* sendcounts, const Count* displs, Handle sendtype,
               void* recvbuf, Count recvcount, Handle recvtype, int root, Handle comm)) {
    static constinit Next<int(const void*, const Count*, const Count*, Handle, void*, Count, Handle,
                              int, Handle)>
        next("MPI_Scatterv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Scatterv_c", on_comm(comm), [&](auto& call) {
            const int n = call->group().peers().n;
            const int* const plain_sendcounts =
                call->narrow(sendcounts, call->group().is_root(root) ? n : 0);
            const int* const plain_displs =
                call->narrow(displs, call->group().is_root(root) ? n : 0);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return MPI_Scatterv(sendbuf, plain_sendcounts, plain_displs, sendtype, recvbuf,
                                plain_recvcount, recvtype, root, comm);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (is_checking) [[unlikely]]
        check_collective("MPI_Scatterv", on_comm(comm),
                         sendbuf_at.on_device() || recvbuf_at.on_device(), [&](auto& check) {
                             check.root(root);
                             if (check.is_root()) check.sends_each(sendbuf, sendcounts, sendtype);
                             check.receives(recvbuf, recvcount, recvtype);
                         });
    if (!(sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                    comm);
    return with_devices("MPI_Scatterv_c", on_comm(comm), [&](auto& call) {
        if (call->group().is_root(root))
            call->in_each(sendbuf_at, sendbuf, sendcounts, displs, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        if (is_checking) compare_deferred();
        const int error =
            next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Scatterv_init, (const void* sendbuf, const int* sendcounts, const int* displs,
                                  Handle sendtype, void* recvbuf, int recvcount, Handle recvtype,
                                  int root, Handle comm, Handle info, void* request)) {
    static constinit Next<int(const void*, const int*, const int*, Handle, void*, int, Handle, int,
                              Handle, Handle, void*)>
        next("MPI_Scatterv_init");
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
                    info, request);
    return with_devices("MPI_Scatterv_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        if (call->group().is_root(root))
            call->in_each(sendbuf_at, sendbuf, sendcounts, displs, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        const int error = next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                               root, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Scatterv_init_c,
              (const void* sendbuf, const Count* sendcounts, const Count* displs, Handle sendtype,
               void* recvbuf, Count recvcount, Handle recvtype, int root, Handle comm, Handle info,
               void* request)) {
    static constinit Next<int(const void*, const Count*, const Count*, Handle, void*, Count, Handle,
                              int, Handle, Handle, void*)>
        next("MPI_Scatterv_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Scatterv_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int n = call->group().peers().n;
            const int* const plain_sendcounts =
                call->narrow(sendcounts, call->group().is_root(root) ? n : 0);
            const int* const plain_displs =
                call->narrow(displs, call->group().is_root(root) ? n : 0);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return Call::keep_arrays(
                call,
                MPI_Scatterv_init(sendbuf, plain_sendcounts, plain_displs, sendtype, recvbuf,
                                  plain_recvcount, recvtype, root, comm, info, request),
                request);
        });
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device())) [[likely]]
        return next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
                    info, request);
    return with_devices("MPI_Scatterv_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        if (call->group().is_root(root))
            call->in_each(sendbuf_at, sendbuf, sendcounts, displs, sendtype, call->group().peers());
        if (call->group().faces(root)) call->out(recvbuf_at, recvbuf, recvcount, recvtype);
        const int error = next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                               root, comm, info, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Send,
              (const void* buf, int count, Handle datatype, int dest, int tag, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle)> next("MPI_Send");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm);
    return with_devices("MPI_Send", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, nullptr);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Send_c,
              (const void* buf, Count count, Handle datatype, int dest, int tag, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle)> next("MPI_Send_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Send_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_Send(buf, plain_count, datatype, dest, tag, comm);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm);
    return with_devices("MPI_Send_c", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, nullptr);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Send_init, (const void* buf, int count, Handle datatype, int dest, int tag,
                              Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle, void*)> next(
        "MPI_Send_init");
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Send_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->wraps_later(buf_at, buf, count, datatype, {dest, tag, comm});
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Send_init_c, (const void* buf, Count count, Handle datatype, int dest, int tag,
                                Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle, void*)> next(
        "MPI_Send_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Send_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Send_init(buf, plain_count, datatype, dest, tag, comm, request), request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Send_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->wraps_later(buf_at, buf, count, datatype, {dest, tag, comm});
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Sendrecv, (const void* sendbuf, int sendcount, Handle sendtype, int dest,
                             int sendtag, void* recvbuf, int recvcount, Handle recvtype, int source,
                             int recvtag, Handle comm, void* status)) {
    static constinit Next<int(const void*, int, Handle, int, int, void*, int, Handle, int, int,
                              Handle, void*)>
        next("MPI_Sendrecv");
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    const BlockingReceive receive(recvcount, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device() || receive.is_watched()))
        [[likely]]
        return next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                    source, recvtag, comm, status);
    return with_devices("MPI_Sendrecv", on_comm(comm), [&](auto& call) {
        call->from(source);
        call->received(recvbuf_at, recvbuf, recvcount, recvtype);
        call->needs(status);
        if (call->wraps(sendbuf_at, sendbuf, sendcount, sendtype, {dest, sendtag, comm})) {
            const int n = recvcount;
            return call->exchange({recvbuf, n, recvtype, source, recvtag}, status);
        }
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        const int error = next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                               recvtype, source, recvtag, comm, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Sendrecv_c, (const void* sendbuf, Count sendcount, Handle sendtype, int dest,
                               int sendtag, void* recvbuf, Count recvcount, Handle recvtype,
                               int source, int recvtag, Handle comm, void* status)) {
    static constinit Next<int(const void*, Count, Handle, int, int, void*, Count, Handle, int, int,
                              Handle, void*)>
        next("MPI_Sendrecv_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Sendrecv_c", on_comm(comm), [&](auto& call) {
            const int plain_sendcount = call->narrow(sendcount, sendtype);
            const int plain_recvcount = call->narrow(recvcount, recvtype);
            return MPI_Sendrecv(sendbuf, plain_sendcount, sendtype, dest, sendtag, recvbuf,
                                plain_recvcount, recvtype, source, recvtag, comm, status);
        });
    before_waiting();
    const Allocation sendbuf_at = where(sendbuf, sendtype);
    const Allocation recvbuf_at = where(recvbuf, recvtype);
    const BlockingReceive receive(recvcount, recvtype);
    if (!(is_checking || sendbuf_at.on_device() || recvbuf_at.on_device() || receive.is_watched()))
        [[likely]]
        return next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                    source, recvtag, comm, status);
    return with_devices("MPI_Sendrecv_c", on_comm(comm), [&](auto& call) {
        call->from(source);
        call->received(recvbuf_at, recvbuf, recvcount, recvtype);
        call->needs(status);
        if (call->wraps(sendbuf_at, sendbuf, sendcount, sendtype, {dest, sendtag, comm})) {
            const int n = call->narrow(recvcount, recvtype);
            return call->exchange({recvbuf, n, recvtype, source, recvtag}, status);
        }
        call->in(sendbuf_at, sendbuf, sendcount, sendtype);
        const int error = next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                               recvtype, source, recvtag, comm, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Sendrecv_replace, (void* buf, int count, Handle datatype, int dest, int sendtag,
                                     int source, int recvtag, Handle comm, void* status)) {
    static constinit Next<int(void*, int, Handle, int, int, int, int, Handle, void*)> next(
        "MPI_Sendrecv_replace");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    const BlockingReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
    return with_devices("MPI_Sendrecv_replace", on_comm(comm), [&](auto& call) {
        call->replaced(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Sendrecv_replace_c,
              (void* buf, Count count, Handle datatype, int dest, int sendtag, int source,
               int recvtag, Handle comm, void* status)) {
    static constinit Next<int(void*, Count, Handle, int, int, int, int, Handle, void*)> next(
        "MPI_Sendrecv_replace_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Sendrecv_replace_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_Sendrecv_replace(buf, plain_count, datatype, dest, sendtag, source, recvtag,
                                        comm, status);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    const BlockingReceive receive(count, datatype);
    if (!(is_checking || buf_at.on_device() || receive.is_watched())) [[likely]]
        return next(buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
    return with_devices("MPI_Sendrecv_replace_c", on_comm(comm), [&](auto& call) {
        call->replaced(buf_at, buf, count, datatype);
        call->needs(status);
        const int error = next(buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Ssend,
              (const void* buf, int count, Handle datatype, int dest, int tag, Handle comm)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle)> next("MPI_Ssend");
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm);
    return with_devices("MPI_Ssend", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, nullptr);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Ssend_c,
              (const void* buf, Count count, Handle datatype, int dest, int tag, Handle comm)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle)> next("MPI_Ssend_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ssend_c", on_comm(comm), [&](auto& call) {
            const int plain_count = call->narrow(count, datatype);
            return MPI_Ssend(buf, plain_count, datatype, dest, tag, comm);
        });
    before_waiting();
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm);
    return with_devices("MPI_Ssend_c", on_comm(comm), [&](auto& call) {
        if (call->wraps(buf_at, buf, count, datatype, {dest, tag, comm}))
            return Call::post(call, nullptr);
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm);
        return call->end(error);
    });
}

AUREOLE_ENTRY(MPI_Ssend_init, (const void* buf, int count, Handle datatype, int dest, int tag,
                               Handle comm, void* request)) {
    static constinit Next<int(const void*, int, Handle, int, int, Handle, void*)> next(
        "MPI_Ssend_init");
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Ssend_init", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->wraps_later(buf_at, buf, count, datatype, {dest, tag, comm});
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Ssend_init_c, (const void* buf, Count count, Handle datatype, int dest, int tag,
                                 Handle comm, void* request)) {
    static constinit Next<int(const void*, Count, Handle, int, int, Handle, void*)> next(
        "MPI_Ssend_init_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Ssend_init_c", on_comm(comm), [&](auto& call) {
            call->is_persistent = true;
            const int plain_count = call->narrow(count, datatype);
            return Call::keep_arrays(
                call, MPI_Ssend_init(buf, plain_count, datatype, dest, tag, comm, request),
                request);
        });
    const Allocation buf_at = where(buf, datatype);
    if (!(is_checking || buf_at.on_device())) [[likely]]
        return next(buf, count, datatype, dest, tag, comm, request);
    return with_devices("MPI_Ssend_init_c", on_comm(comm), [&](auto& call) {
        call->is_persistent = true;
        call->wraps_later(buf_at, buf, count, datatype, {dest, tag, comm});
        call->in(buf_at, buf, count, datatype);
        const int error = next(buf, count, datatype, dest, tag, comm, request);
        return Call::keep_persistent(call, error, request);
    });
}

AUREOLE_ENTRY(MPI_Win_attach, (Handle win, const void* base, Count size)) {
    static constinit Next<int(Handle, const void*, Count)> next("MPI_Win_attach");
    before_waiting();
    const Allocation base_at = where(base);
    if (!(base_at.on_device())) [[likely]]
        return next(win, base, size);
    return refuse("MPI_Win_attach", on_comm(0),
                  "Make the window of host memory, or send messages instead.");
}

AUREOLE_ENTRY(MPI_Win_create,
              (const void* base, Count size, int disp_unit, Handle info, Handle comm, Handle win)) {
    static constinit Next<int(const void*, Count, int, Handle, Handle, Handle)> next(
        "MPI_Win_create");
    before_waiting();
    const Allocation base_at = where(base);
    if (!(base_at.on_device())) [[likely]]
        return next(base, size, disp_unit, info, comm, win);
    return refuse("MPI_Win_create", on_comm(comm),
                  "Make the window of host memory, or send messages instead.");
}

AUREOLE_ENTRY(MPI_Win_create_c, (const void* base, Count size, Count disp_unit, Handle info,
                                 Handle comm, Handle win)) {
    static constinit Next<int(const void*, Count, Count, Handle, Handle, Handle)> next(
        "MPI_Win_create_c");
    if (!next.exists()) [[unlikely]]
        return with_devices("MPI_Win_create_c", on_comm(comm), [&](auto& call) {
            const int plain_disp_unit = call->narrow(disp_unit);
            return MPI_Win_create(base, size, plain_disp_unit, info, comm, win);
        });
    before_waiting();
    const Allocation base_at = where(base);
    if (!(base_at.on_device())) [[likely]]
        return next(base, size, disp_unit, info, comm, win);
    return refuse("MPI_Win_create_c", on_comm(comm),
                  "Make the window of host memory, or send messages instead.");
}

AUREOLE_ENTRY(MPI_Barrier, (Handle comm)) {
    static constinit Next<int(Handle)> next("MPI_Barrier");
    before_waiting();
    return next(comm);
}

AUREOLE_ENTRY(MPI_Cart_create, (Handle comm_old, int ndims, void* dims, void* periods, int reorder,
                                void* comm_cart)) {
    static constinit Next<int(Handle, int, void*, void*, int, void*)> next("MPI_Cart_create");
    before_waiting();
    return next(comm_old, ndims, dims, periods, reorder, comm_cart);
}

AUREOLE_ENTRY(MPI_Cart_map, (Handle comm, int ndims, void* dims, void* periods, void* newrank)) {
    static constinit Next<int(Handle, int, void*, void*, void*)> next("MPI_Cart_map");
    before_waiting();
    return next(comm, ndims, dims, periods, newrank);
}

AUREOLE_ENTRY(MPI_Cart_sub, (Handle comm, void* remain_dims, void* newcomm)) {
    static constinit Next<int(Handle, void*, void*)> next("MPI_Cart_sub");
    before_waiting();
    return next(comm, remain_dims, newcomm);
}

AUREOLE_ENTRY(MPI_Comm_accept,
              (void* port_name, Handle info, int root, Handle comm, void* newcomm)) {
    static constinit Next<int(void*, Handle, int, Handle, void*)> next("MPI_Comm_accept");
    before_waiting();
    return next(port_name, info, root, comm, newcomm);
}

AUREOLE_ENTRY(MPI_Comm_connect,
              (void* port_name, Handle info, int root, Handle comm, void* newcomm)) {
    static constinit Next<int(void*, Handle, int, Handle, void*)> next("MPI_Comm_connect");
    before_waiting();
    return next(port_name, info, root, comm, newcomm);
}

AUREOLE_ENTRY(MPI_Comm_create, (Handle comm, Handle group, void* newcomm)) {
    static constinit Next<int(Handle, Handle, void*)> next("MPI_Comm_create");
    before_waiting();
    return next(comm, group, newcomm);
}

AUREOLE_ENTRY(MPI_Comm_create_group, (Handle comm, Handle group, int tag, void* newcomm)) {
    static constinit Next<int(Handle, Handle, int, void*)> next("MPI_Comm_create_group");
    before_waiting();
    return next(comm, group, tag, newcomm);
}

AUREOLE_ENTRY(MPI_Comm_disconnect, (void* comm)) {
    static constinit Next<int(void*)> next("MPI_Comm_disconnect");
    before_waiting();
    return next(comm);
}

AUREOLE_ENTRY(MPI_Comm_dup, (Handle comm, void* newcomm)) {
    static constinit Next<int(Handle, void*)> next("MPI_Comm_dup");
    before_waiting();
    return next(comm, newcomm);
}

AUREOLE_ENTRY(MPI_Comm_dup_with_info, (Handle comm, Handle info, void* newcomm)) {
    static constinit Next<int(Handle, Handle, void*)> next("MPI_Comm_dup_with_info");
    before_waiting();
    return next(comm, info, newcomm);
}

AUREOLE_ENTRY(MPI_Comm_free, (void* comm)) {
    static constinit Next<int(void*)> next("MPI_Comm_free");
    before_waiting();
    return next(comm);
}

AUREOLE_ENTRY(MPI_Comm_join, (int fd, void* intercomm)) {
    static constinit Next<int(int, void*)> next("MPI_Comm_join");
    before_waiting();
    return next(fd, intercomm);
}

AUREOLE_ENTRY(MPI_Comm_set_info, (Handle comm, Handle info)) {
    static constinit Next<int(Handle, Handle)> next("MPI_Comm_set_info");
    before_waiting();
    return next(comm, info);
}

AUREOLE_ENTRY(MPI_Comm_spawn, (void* command, void* argv, int maxprocs, Handle info, int root,
                               Handle comm, void* intercomm)) {
    static constinit Next<int(void*, void*, int, Handle, int, Handle, void*)> next(
        "MPI_Comm_spawn");
    before_waiting();
    return next(command, argv, maxprocs, info, root, comm, intercomm);
}

AUREOLE_ENTRY(MPI_Comm_spawn_multiple,
              (int count, void* array_of_commands, void* array_of_argv, void* array_of_maxprocs,
               void* array_of_info, int root, Handle comm, void* intercomm)) {
    static constinit Next<int(int, void*, void*, void*, void*, int, Handle, void*)> next(
        "MPI_Comm_spawn_multiple");
    before_waiting();
    return next(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root,
                comm, intercomm);
}

AUREOLE_ENTRY(MPI_Comm_split, (Handle comm, int color, int key, void* newcomm)) {
    static constinit Next<int(Handle, int, int, void*)> next("MPI_Comm_split");
    before_waiting();
    return next(comm, color, key, newcomm);
}

AUREOLE_ENTRY(MPI_Comm_split_type,
              (Handle comm, int split_type, int key, Handle info, void* newcomm)) {
    static constinit Next<int(Handle, int, int, Handle, void*)> next("MPI_Comm_split_type");
    before_waiting();
    return next(comm, split_type, key, info, newcomm);
}

AUREOLE_ENTRY(MPI_Dist_graph_create,
              (Handle comm_old, int n, void* sources, void* degrees, void* destinations,
               void* weights, Handle info, int reorder, void* comm_dist_graph)) {
    static constinit Next<int(Handle, int, void*, void*, void*, void*, Handle, int, void*)> next(
        "MPI_Dist_graph_create");
    before_waiting();
    return next(comm_old, n, sources, degrees, destinations, weights, info, reorder,
                comm_dist_graph);
}

AUREOLE_ENTRY(MPI_Dist_graph_create_adjacent,
              (Handle comm_old, int indegree, void* sources, void* sourceweights, int outdegree,
               void* destinations, void* destweights, Handle info, int reorder,
               void* comm_dist_graph)) {
    static constinit Next<int(Handle, int, void*, void*, int, void*, void*, Handle, int, void*)>
        next("MPI_Dist_graph_create_adjacent");
    before_waiting();
    return next(comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights,
                info, reorder, comm_dist_graph);
}

AUREOLE_ENTRY(MPI_File_close, (void* fh)) {
    static constinit Next<int(void*)> next("MPI_File_close");
    before_waiting();
    return next(fh);
}

AUREOLE_ENTRY(MPI_File_open, (Handle comm, void* filename, int amode, Handle info, void* fh)) {
    static constinit Next<int(Handle, void*, int, Handle, void*)> next("MPI_File_open");
    before_waiting();
    return next(comm, filename, amode, info, fh);
}

AUREOLE_ENTRY(MPI_File_preallocate, (Handle fh, Count size)) {
    static constinit Next<int(Handle, Count)> next("MPI_File_preallocate");
    before_waiting();
    return next(fh, size);
}

AUREOLE_ENTRY(MPI_File_seek_shared, (Handle fh, Count offset, int whence)) {
    static constinit Next<int(Handle, Count, int)> next("MPI_File_seek_shared");
    before_waiting();
    return next(fh, offset, whence);
}

AUREOLE_ENTRY(MPI_File_set_atomicity, (Handle fh, int flag)) {
    static constinit Next<int(Handle, int)> next("MPI_File_set_atomicity");
    before_waiting();
    return next(fh, flag);
}

AUREOLE_ENTRY(MPI_File_set_info, (Handle fh, Handle info)) {
    static constinit Next<int(Handle, Handle)> next("MPI_File_set_info");
    before_waiting();
    return next(fh, info);
}

AUREOLE_ENTRY(MPI_File_set_size, (Handle fh, Count size)) {
    static constinit Next<int(Handle, Count)> next("MPI_File_set_size");
    before_waiting();
    return next(fh, size);
}

AUREOLE_ENTRY(MPI_File_set_view,
              (Handle fh, Count disp, Handle etype, Handle filetype, void* datarep, Handle info)) {
    static constinit Next<int(Handle, Count, Handle, Handle, void*, Handle)> next(
        "MPI_File_set_view");
    before_waiting();
    return next(fh, disp, etype, filetype, datarep, info);
}

AUREOLE_ENTRY(MPI_File_sync, (Handle fh)) {
    static constinit Next<int(Handle)> next("MPI_File_sync");
    before_waiting();
    return next(fh);
}

AUREOLE_ENTRY(MPI_Graph_create, (Handle comm_old, int nnodes, void* index, void* edges, int reorder,
                                 void* comm_graph)) {
    static constinit Next<int(Handle, int, void*, void*, int, void*)> next("MPI_Graph_create");
    before_waiting();
    return next(comm_old, nnodes, index, edges, reorder, comm_graph);
}

AUREOLE_ENTRY(MPI_Graph_map, (Handle comm, int nnodes, void* index, void* edges, void* newrank)) {
    static constinit Next<int(Handle, int, void*, void*, void*)> next("MPI_Graph_map");
    before_waiting();
    return next(comm, nnodes, index, edges, newrank);
}

AUREOLE_ENTRY(MPI_Intercomm_create, (Handle local_comm, int local_leader, Handle peer_comm,
                                     int remote_leader, int tag, void* newintercomm)) {
    static constinit Next<int(Handle, int, Handle, int, int, void*)> next("MPI_Intercomm_create");
    before_waiting();
    return next(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm);
}

AUREOLE_ENTRY(MPI_Intercomm_merge, (Handle intercomm, int high, void* newintracomm)) {
    static constinit Next<int(Handle, int, void*)> next("MPI_Intercomm_merge");
    before_waiting();
    return next(intercomm, high, newintracomm);
}

AUREOLE_ENTRY(MPI_Win_allocate,
              (Count size, int disp_unit, Handle info, Handle comm, void* baseptr, void* win)) {
    static constinit Next<int(Count, int, Handle, Handle, void*, void*)> next("MPI_Win_allocate");
    before_waiting();
    return next(size, disp_unit, info, comm, baseptr, win);
}

AUREOLE_ENTRY(MPI_Win_allocate_c,
              (Count size, Count disp_unit, Handle info, Handle comm, void* baseptr, void* win)) {
    static constinit Next<int(Count, Count, Handle, Handle, void*, void*)> next(
        "MPI_Win_allocate_c");
    if (!next.exists())
        return MPI_Win_allocate(size, static_cast<int>(disp_unit), info, comm, baseptr, win);
    before_waiting();
    return next(size, disp_unit, info, comm, baseptr, win);
}

AUREOLE_ENTRY(MPI_Win_allocate_shared,
              (Count size, int disp_unit, Handle info, Handle comm, void* baseptr, void* win)) {
    static constinit Next<int(Count, int, Handle, Handle, void*, void*)> next(
        "MPI_Win_allocate_shared");
    before_waiting();
    return next(size, disp_unit, info, comm, baseptr, win);
}

AUREOLE_ENTRY(MPI_Win_allocate_shared_c,
              (Count size, Count disp_unit, Handle info, Handle comm, void* baseptr, void* win)) {
    static constinit Next<int(Count, Count, Handle, Handle, void*, void*)> next(
        "MPI_Win_allocate_shared_c");
    if (!next.exists())
        return MPI_Win_allocate_shared(size, static_cast<int>(disp_unit), info, comm, baseptr, win);
    before_waiting();
    return next(size, disp_unit, info, comm, baseptr, win);
}

AUREOLE_ENTRY(MPI_Win_create_dynamic, (Handle info, Handle comm, void* win)) {
    static constinit Next<int(Handle, Handle, void*)> next("MPI_Win_create_dynamic");
    before_waiting();
    return next(info, comm, win);
}

AUREOLE_ENTRY(MPI_Win_lock, (int lock_type, int rank, int assert, Handle win)) {
    static constinit Next<int(int, int, int, Handle)> next("MPI_Win_lock");
    before_waiting();
    return next(lock_type, rank, assert, win);
}

AUREOLE_ENTRY(MPI_Win_lock_all, (int assert, Handle win)) {
    static constinit Next<int(int, Handle)> next("MPI_Win_lock_all");
    before_waiting();
    return next(assert, win);
}

AUREOLE_ENTRY(MPI_Win_post, (Handle group, int assert, Handle win)) {
    static constinit Next<int(Handle, int, Handle)> next("MPI_Win_post");
    before_waiting();
    return next(group, assert, win);
}

AUREOLE_ENTRY(MPI_Win_set_info, (Handle win, Handle info)) {
    static constinit Next<int(Handle, Handle)> next("MPI_Win_set_info");
    before_waiting();
    return next(win, info);
}

AUREOLE_ENTRY(MPI_Win_start, (Handle group, int assert, Handle win)) {
    static constinit Next<int(Handle, int, Handle)> next("MPI_Win_start");
    before_waiting();
    return next(group, assert, win);
}

AUREOLE_ENTRY(MPI_Win_test, (Handle win, void* flag)) {
    static constinit Next<int(Handle, void*)> next("MPI_Win_test");
    before_looking();
    return next(win, flag);
}

AUREOLE_ENTRY(MPI_Win_wait, (Handle win)) {
    static constinit Next<int(Handle)> next("MPI_Win_wait");
    before_waiting();
    return next(win);
}
