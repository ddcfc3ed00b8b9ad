// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preload/handle.hpp"
#include "preload/library.hpp"

namespace aureole::preload {

/// Functions of the MPI library that we call ourselves.
struct Mpi {
    Next<int(Handle, int*, int*, int*, int*)> type_get_envelope{"MPI_Type_get_envelope"};
    Next<int(Handle, int, int, int, int*, Count*, void*)> type_get_contents{
        "MPI_Type_get_contents"};
    Next<int(Handle, Count*, Count*, Count*, Count*, int*)> type_get_envelope_c{
        "MPI_Type_get_envelope_c"};
    Next<int(Handle, Count, Count, Count, Count, int*, Count*, Count*, void*)> type_get_contents_c{
        "MPI_Type_get_contents_c"};
    Next<int(Handle, Count*)> type_size{"MPI_Type_size_x"};
    Next<int(Handle, Count*, Count*)> type_get_extent{"MPI_Type_get_extent"};
    Next<int(Handle, Count*, Count*)> type_get_true_extent{"MPI_Type_get_true_extent"};
    Next<int(int, Handle, void*)> type_contiguous{"MPI_Type_contiguous"};
    Next<int(int, const int*, const Count*, const void*, void*)> type_create_struct{
        "MPI_Type_create_struct"};
    Next<int(Handle, Count, Count, void*)> type_create_resized{"MPI_Type_create_resized"};
    Next<int(void*)> type_commit{"MPI_Type_commit"};
    Next<int(void*)> type_free{"MPI_Type_free"};

    Next<int(const void*, Handle, Count*)> get_elements{"MPI_Get_elements_x"};
    Next<int(const void*, int*)> test_cancelled{"MPI_Test_cancelled"};
    Next<int(Handle, int*, void*)> request_get_status{"MPI_Request_get_status"};
    Next<int(void*, int*, void*)> test{"MPI_Test"};
    Next<int(void*, void*)> wait{"MPI_Wait"};
    Next<int(void*)> start{"MPI_Start"};
    Next<int(void*)> request_free{"MPI_Request_free"};

    Next<int(void*)> comm_get_parent{"MPI_Comm_get_parent"};
    Next<int(Handle, int*)> comm_rank{"MPI_Comm_rank"};
    Next<int(Handle, int*)> comm_size{"MPI_Comm_size"};
    Next<int(const void*, int, Handle, void*, int, Handle, Handle)> allgather{"MPI_Allgather"};
    Next<int(Handle, Handle)> comm_set_errhandler{"MPI_Comm_set_errhandler"};
    Next<int(Handle, int, void*, int*)> comm_get_attr{"MPI_Comm_get_attr"};
    Next<int(Handle, int, int, void*)> comm_split{"MPI_Comm_split"};
    Next<int(const void*, void*, int, Handle, Handle, Handle)> allreduce{"MPI_Allreduce"};
    Next<int(int*)> query_thread{"MPI_Query_thread"};
    Next<int(Handle, void*)> comm_dup{"MPI_Comm_dup"};
    Next<int(Handle, void*, void*)> comm_idup{"MPI_Comm_idup"};
    Next<int(void*)> comm_free{"MPI_Comm_free"};
    Next<int(Handle, int*)> comm_remote_size{"MPI_Comm_remote_size"};
    Next<int(Handle, int*)> comm_test_inter{"MPI_Comm_test_inter"};
    Next<int(Handle, int)> comm_call_errhandler{"MPI_Comm_call_errhandler"};
    Next<int(Handle, int)> file_call_errhandler{"MPI_File_call_errhandler"};
    Next<int(Handle, int)> win_call_errhandler{"MPI_Win_call_errhandler"};
    Next<int(Handle, int*)> topo_test{"MPI_Topo_test"};
    Next<int(Handle, int*)> cartdim_get{"MPI_Cartdim_get"};
    Next<int(Handle, int, int, int*, int*)> cart_shift{"MPI_Cart_shift"};
    Next<int(Handle, int, int*)> graph_neighbors_count{"MPI_Graph_neighbors_count"};
    Next<int(Handle, int*, int*, int*)> dist_graph_neighbors_count{
        "MPI_Dist_graph_neighbors_count"};
    Next<int(Handle, void*)> comm_group{"MPI_Comm_group"};
    Next<int(Handle, int, const int*, Handle, int*)> group_translate_ranks{
        "MPI_Group_translate_ranks"};
    Next<int(void*)> group_free{"MPI_Group_free"};

    Next<int(const void*, int, Handle, int, int, Handle)> ssend{"MPI_Ssend"};
    Next<int(const void*, int, Handle, int, int, Handle, void*)> issend{"MPI_Issend"};
    Next<int(void*, int, Handle, int, int, Handle, void*)> recv{"MPI_Recv"};
    Next<int(const void*, int, Handle, int, int, Handle, void*)> isend{"MPI_Isend"};
    Next<int(void*, int, Handle, int, int, Handle, void*)> irecv{"MPI_Irecv"};
    Next<int(const void*, void*, int, Handle, Handle)> reduce_local{"MPI_Reduce_local"};
    Next<int(int, int, Handle, int*, void*)> iprobe{"MPI_Iprobe"};
    Next<int(int, int, Handle, int*, void*, void*)> improbe{"MPI_Improbe"};
    Next<int(void*, int, Handle, void*, void*)> mrecv{"MPI_Mrecv"};
    Next<int(void*, int, Handle, int, Handle)> bcast{"MPI_Bcast"};
    Next<int(Handle, void*)> ibarrier{"MPI_Ibarrier"};
    Next<int(void*, Handle, Count)> status_set_elements{"MPI_Status_set_elements_x"};
    Next<int(int, int*)> error_class{"MPI_Error_class"};
    Next<int(int*)> finalized{"MPI_Finalized"};
    Next<int(char*, int*)> get_library_version{"MPI_Get_library_version"};
};

inline constinit Mpi mpi;

}  // namespace aureole::preload
