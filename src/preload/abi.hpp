// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "preload/handle.hpp"

namespace aureole::preload {

/// How a datatype was made; the numbers are ours.
enum class Combiner {
    named,
    dup,
    contiguous,
    vector,
    hvector,
    indexed,
    hindexed,
    indexed_block,
    hindexed_block,
    structure,
    subarray,
    darray,
    f90,
    resized,
    value_index,
    unknown
};

/// What differs between the binary interfaces of MPI libraries: MPICH (also Intel MPI, MVAPICH,
/// Cray), Open MPI, and the standard's of MPI 5.0. Numbers are those of their mpi.h.
struct Abi {
    enum class Kind { mpich, open_mpi, standard } kind = Kind::mpich;
    int handle_bytes = 4;
    int status_bytes = 20;
    void* in_place = nullptr;
    void* status_ignore = nullptr;  ///< MPI_STATUSES_IGNORE too
    Handle byte = 0, datatype_null = 0, request_null = 0, comm_world = 0, comm_null = 0;
    Handle errors_return = 0;
    int tag_ub = 0, thread_multiple = 3;
    int proc_null = -1, root = -3, undefined = -32766;
    int any_source = -2, any_tag = -1;
    int graph = 1, cart = 2, dist_graph = 3;
    int order_c = 56;
    int block = 121, cyclic = 122, none = 123, default_argument = -49767;
    int error_other = 15, error_in_status = 17, error_pending = 18, error_truncate = 14;
    int source_at = 2, tag_at = 3, error_at = 4;  ///< of numbers of 32 bits in a status
    const std::array<Combiner, 32>* combiners = nullptr;
    int first_combiner = 0;

    Combiner combiner(int number) const {
        const int k = number - first_combiner;
        return k < 0 || k >= 32 ? Combiner::unknown : (*combiners)[static_cast<std::size_t>(k)];
    }
    /// A handle in a register, or one that was just read.
    Handle own(Handle handle) const {
        return handle_bytes == 4 ? static_cast<std::int32_t>(handle) : handle;
    }
    /// The k-th handle in an array of the program's.
    Handle at(const void* handles, std::int64_t k) const {
        if (handle_bytes == 4) return static_cast<const std::int32_t*>(handles)[k];
        return static_cast<const Handle*>(handles)[k];
    }
    void put(void* handles, std::int64_t k, Handle handle) const {
        if (handle_bytes == 4)
            static_cast<std::int32_t*>(handles)[k] = static_cast<std::int32_t>(handle);
        else
            static_cast<Handle*>(handles)[k] = handle;
    }
    /// A handle as it lies in memory, for functions that take its address.
    Handle in_memory(Handle handle) const {
        Handle word = 0;
        put(&word, 0, handle);
        return word;
    }
    /// The k-th status in an array of the program's.
    void* status_at(void* statuses, std::int64_t k) const {
        return static_cast<std::byte*>(statuses) + k * status_bytes;
    }
    int in_status(const void* status, int at) const { return static_cast<const int*>(status)[at]; }
    void put_error(void* status, int error) const { static_cast<int*>(status)[error_at] = error; }
    bool is_ignored(const void* status) const { return status == status_ignore; }
};

/// Room for a status of any interface.
struct OwnStatus {
    alignas(16) std::array<std::byte, 64> bytes{};
    void* data() { return bytes.data(); }
};

/// The interface of this process's MPI library.
const Abi& abi();

}  // namespace aureole::preload
