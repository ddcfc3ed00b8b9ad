// SPDX-License-Identifier: Apache-2.0
// Procedures that not every MPI library has, as weak symbols: null where they are missing. A
// library preloaded in front of MPI may define them, also where mpi.h does not declare them.
#pragma once

#include <mpi.h>

#define TWINS_WEAK extern "C" __attribute__((weak)) int
#define TWINS_SEND const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm
#define TWINS_RECV void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm

TWINS_WEAK MPI_Send_c(TWINS_SEND);
TWINS_WEAK MPI_Ssend_c(TWINS_SEND);
TWINS_WEAK MPI_Rsend_c(TWINS_SEND);
TWINS_WEAK MPI_Bsend_c(TWINS_SEND);
TWINS_WEAK MPI_Isend_c(TWINS_SEND, MPI_Request*);
TWINS_WEAK MPI_Issend_c(TWINS_SEND, MPI_Request*);
TWINS_WEAK MPI_Irsend_c(TWINS_SEND, MPI_Request*);
TWINS_WEAK MPI_Ibsend_c(TWINS_SEND, MPI_Request*);
TWINS_WEAK MPI_Send_init_c(TWINS_SEND, MPI_Request*);
TWINS_WEAK MPI_Ssend_init_c(TWINS_SEND, MPI_Request*);
TWINS_WEAK MPI_Rsend_init_c(TWINS_SEND, MPI_Request*);
TWINS_WEAK MPI_Bsend_init_c(TWINS_SEND, MPI_Request*);
TWINS_WEAK MPI_Recv_c(TWINS_RECV, MPI_Status*);
TWINS_WEAK MPI_Irecv_c(TWINS_RECV, MPI_Request*);
TWINS_WEAK MPI_Recv_init_c(TWINS_RECV, MPI_Request*);
TWINS_WEAK MPI_Mrecv_c(void*, MPI_Count, MPI_Datatype, MPI_Message*, MPI_Status*);
TWINS_WEAK MPI_Imrecv_c(void*, MPI_Count, MPI_Datatype, MPI_Message*, MPI_Request*);
TWINS_WEAK MPI_Sendrecv_c(const void*, MPI_Count, MPI_Datatype, int, int, void*, MPI_Count,
                          MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
TWINS_WEAK MPI_Sendrecv_replace_c(void*, MPI_Count, MPI_Datatype, int, int, int, int, MPI_Comm,
                                  MPI_Status*);
TWINS_WEAK MPI_Isendrecv(const void*, int, MPI_Datatype, int, int, void*, int, MPI_Datatype, int,
                         int, MPI_Comm, MPI_Request*);
TWINS_WEAK MPI_Isendrecv_c(const void*, MPI_Count, MPI_Datatype, int, int, void*, MPI_Count,
                           MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
TWINS_WEAK MPI_Isendrecv_replace(void*, int, MPI_Datatype, int, int, int, int, MPI_Comm,
                                 MPI_Request*);
TWINS_WEAK MPI_Isendrecv_replace_c(void*, MPI_Count, MPI_Datatype, int, int, int, int, MPI_Comm,
                                   MPI_Request*);
TWINS_WEAK MPI_Get_count_c(const MPI_Status*, MPI_Datatype, MPI_Count*);
TWINS_WEAK MPI_Get_elements_c(const MPI_Status*, MPI_Datatype, MPI_Count*);
TWINS_WEAK MPI_Request_get_status_all(int, const MPI_Request*, int*, MPI_Status*);
TWINS_WEAK MPI_Request_get_status_any(int, const MPI_Request*, int*, int*, MPI_Status*);
TWINS_WEAK MPI_Request_get_status_some(int, const MPI_Request*, int*, int*, MPI_Status*);

TWINS_WEAK MPI_Psend_init(const void*, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info,
                          MPI_Request*);
TWINS_WEAK MPI_Precv_init(void*, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info,
                          MPI_Request*);
TWINS_WEAK MPI_Pready(int, MPI_Request);
TWINS_WEAK MPI_Pready_range(int, int, MPI_Request);
TWINS_WEAK MPI_Parrived(MPI_Request, int, int*);

TWINS_WEAK MPI_Pack_c(const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Count*, MPI_Comm);
TWINS_WEAK MPI_Unpack_c(const void*, MPI_Count, MPI_Count*, void*, MPI_Count, MPI_Datatype,
                        MPI_Comm);
TWINS_WEAK MPI_Pack_external_c(const char*, const void*, MPI_Count, MPI_Datatype, void*, MPI_Count,
                               MPI_Count*);
TWINS_WEAK MPI_Unpack_external_c(const char*, const void*, MPI_Count, MPI_Count*, void*, MPI_Count,
                                 MPI_Datatype);
TWINS_WEAK MPI_Reduce_local_c(const void*, void*, MPI_Count, MPI_Datatype, MPI_Op);
