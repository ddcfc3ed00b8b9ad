// SPDX-License-Identifier: Apache-2.0
#include "p2p_calls.hpp"

#include "optional.hpp"

namespace twins {
namespace {

template <class Count>
using Sends = int (*)(const void*, Count, MPI_Datatype, int, int, MPI_Comm);
template <class Count>
using Starts = int (*)(const void*, Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

int plain(const Side& side) { return static_cast<int>(side.count); }

int start(Starts<int> call, Starts<MPI_Count> large, const void* data, const Side& side,
          const Peer& peer, MPI_Request* request) {
    if (large)
        return large(data, side.count, side.type->handle, peer.rank, peer.tag, peer.comm, request);
    return call(data, plain(side), side.type->handle, peer.rank, peer.tag, peer.comm, request);
}

}  // namespace

const char* name_of(Mode mode) {
    static const char* const names[] = {"standard", "synchronous", "ready", "buffered"};
    return names[static_cast<int>(mode)];
}

int send(Mode mode, bool large, const void* data, const Side& side, const Peer& peer) {
    const auto m = static_cast<int>(mode);
    const Sends<int> calls[] = {MPI_Send, MPI_Ssend, MPI_Rsend, MPI_Bsend};
    const Sends<MPI_Count> large_calls[] = {MPI_Send_c, MPI_Ssend_c, MPI_Rsend_c, MPI_Bsend_c};
    if (large && large_calls[m])
        return large_calls[m](data, side.count, side.type->handle, peer.rank, peer.tag, peer.comm);
    return calls[m](data, plain(side), side.type->handle, peer.rank, peer.tag, peer.comm);
}

int start_send(Mode mode, bool large, const void* data, const Side& side, const Peer& peer,
               MPI_Request* request) {
    const auto m = static_cast<int>(mode);
    const Starts<int> calls[] = {MPI_Isend, MPI_Issend, MPI_Irsend, MPI_Ibsend};
    const Starts<MPI_Count> large_calls[] = {MPI_Isend_c, MPI_Issend_c, MPI_Irsend_c, MPI_Ibsend_c};
    return start(calls[m], large ? large_calls[m] : nullptr, data, side, peer, request);
}

int send_init(Mode mode, bool large, const void* data, const Side& side, const Peer& peer,
              MPI_Request* request) {
    const auto m = static_cast<int>(mode);
    const Starts<int> calls[] = {MPI_Send_init, MPI_Ssend_init, MPI_Rsend_init, MPI_Bsend_init};
    const Starts<MPI_Count> large_calls[] = {MPI_Send_init_c, MPI_Ssend_init_c, MPI_Rsend_init_c,
                                             MPI_Bsend_init_c};
    return start(calls[m], large ? large_calls[m] : nullptr, data, side, peer, request);
}

int receive(bool large, void* data, const Side& side, const Peer& peer, MPI_Status* status) {
    if (large && MPI_Recv_c)
        return MPI_Recv_c(data, side.count, side.type->handle, peer.rank, peer.tag, peer.comm,
                          status);
    return MPI_Recv(data, plain(side), side.type->handle, peer.rank, peer.tag, peer.comm, status);
}

int start_receive(bool large, void* data, const Side& side, const Peer& peer,
                  MPI_Request* request) {
    if (large && MPI_Irecv_c)
        return MPI_Irecv_c(data, side.count, side.type->handle, peer.rank, peer.tag, peer.comm,
                           request);
    return MPI_Irecv(data, plain(side), side.type->handle, peer.rank, peer.tag, peer.comm, request);
}

int receive_init(bool large, void* data, const Side& side, const Peer& peer, MPI_Request* request) {
    if (large && MPI_Recv_init_c)
        return MPI_Recv_init_c(data, side.count, side.type->handle, peer.rank, peer.tag, peer.comm,
                               request);
    return MPI_Recv_init(data, plain(side), side.type->handle, peer.rank, peer.tag, peer.comm,
                         request);
}

int matched_receive(bool large, void* data, const Side& side, MPI_Message* message,
                    MPI_Status* status) {
    if (large && MPI_Mrecv_c)
        return MPI_Mrecv_c(data, side.count, side.type->handle, message, status);
    return MPI_Mrecv(data, plain(side), side.type->handle, message, status);
}

int start_matched_receive(bool large, void* data, const Side& side, MPI_Message* message,
                          MPI_Request* request) {
    if (large && MPI_Imrecv_c)
        return MPI_Imrecv_c(data, side.count, side.type->handle, message, request);
    return MPI_Imrecv(data, plain(side), side.type->handle, message, request);
}

int send_receive(bool large, const Exchange& e, MPI_Status* status) {
    if (large && MPI_Sendrecv_c)
        return MPI_Sendrecv_c(e.out, e.out_side.count, e.out_side.type->handle, e.to.rank, e.to.tag,
                              e.in, e.in_side.count, e.in_side.type->handle, e.from.rank,
                              e.from.tag, e.to.comm, status);
    return MPI_Sendrecv(e.out, plain(e.out_side), e.out_side.type->handle, e.to.rank, e.to.tag,
                        e.in, plain(e.in_side), e.in_side.type->handle, e.from.rank, e.from.tag,
                        e.to.comm, status);
}

int start_send_receive(bool large, const Exchange& e, MPI_Request* request) {
    if (large && MPI_Isendrecv_c)
        return MPI_Isendrecv_c(e.out, e.out_side.count, e.out_side.type->handle, e.to.rank,
                               e.to.tag, e.in, e.in_side.count, e.in_side.type->handle, e.from.rank,
                               e.from.tag, e.to.comm, request);
    return MPI_Isendrecv(e.out, plain(e.out_side), e.out_side.type->handle, e.to.rank, e.to.tag,
                         e.in, plain(e.in_side), e.in_side.type->handle, e.from.rank, e.from.tag,
                         e.to.comm, request);
}

int send_receive_replace(bool large, const Exchange& e, MPI_Status* status) {
    if (large && MPI_Sendrecv_replace_c)
        return MPI_Sendrecv_replace_c(e.in, e.in_side.count, e.in_side.type->handle, e.to.rank,
                                      e.to.tag, e.from.rank, e.from.tag, e.to.comm, status);
    return MPI_Sendrecv_replace(e.in, plain(e.in_side), e.in_side.type->handle, e.to.rank, e.to.tag,
                                e.from.rank, e.from.tag, e.to.comm, status);
}

int start_send_receive_replace(bool large, const Exchange& e, MPI_Request* request) {
    if (large && MPI_Isendrecv_replace_c)
        return MPI_Isendrecv_replace_c(e.in, e.in_side.count, e.in_side.type->handle, e.to.rank,
                                       e.to.tag, e.from.rank, e.from.tag, e.to.comm, request);
    return MPI_Isendrecv_replace(e.in, plain(e.in_side), e.in_side.type->handle, e.to.rank,
                                 e.to.tag, e.from.rank, e.from.tag, e.to.comm, request);
}

bool has_isendrecv() { return MPI_Isendrecv && MPI_Isendrecv_replace; }

}  // namespace twins
