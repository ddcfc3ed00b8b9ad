// SPDX-License-Identifier: Apache-2.0
// MPI's calls for sending and receiving in all modes, plain and for large counts.
#pragma once

#include "run.hpp"
#include "shapes.hpp"

namespace twins {

enum class Mode { standard, synchronous, ready, buffered };

const char* name_of(Mode mode);

/// Where a message goes to or comes from.
struct Peer {
    int rank;
    int tag;
    MPI_Comm comm;
};

/// Each uses the form for large counts if `large` and the library has it.
int send(Mode mode, bool large, const void* data, const Side& side, const Peer& peer);
int start_send(Mode mode, bool large, const void* data, const Side& side, const Peer& peer,
               MPI_Request* request);
int send_init(Mode mode, bool large, const void* data, const Side& side, const Peer& peer,
              MPI_Request* request);
int receive(bool large, void* data, const Side& side, const Peer& peer, MPI_Status* status);
int start_receive(bool large, void* data, const Side& side, const Peer& peer, MPI_Request* request);
int receive_init(bool large, void* data, const Side& side, const Peer& peer, MPI_Request* request);
int matched_receive(bool large, void* data, const Side& side, MPI_Message* message,
                    MPI_Status* status);
int start_matched_receive(bool large, void* data, const Side& side, MPI_Message* message,
                          MPI_Request* request);

/// Both directions of Sendrecv and its relatives.
struct Exchange {
    const void* out;
    Side out_side;
    void* in;
    Side in_side;
    Peer to, from;
};
int send_receive(bool large, const Exchange& exchange, MPI_Status* status);
int start_send_receive(bool large, const Exchange& exchange, MPI_Request* request);
/// `in` and `in_side` are those of the one buffer.
int send_receive_replace(bool large, const Exchange& exchange, MPI_Status* status);
int start_send_receive_replace(bool large, const Exchange& exchange, MPI_Request* request);
bool has_isendrecv();

}  // namespace twins
