// SPDX-License-Identifier: Apache-2.0
#include "preload/check_comm.hpp"

#include "preload/abi.hpp"
#include "preload/library.hpp"
#include "preload/mpi.hpp"

namespace aureole::preload {

namespace {

using Copy = int (*)(Handle, int, void*, void*, void*, int*);
using Free = int (*)(Handle, int, void*, void*);

constinit Next<int(Copy, Free, int*, void*)> create_keyval("MPI_Comm_create_keyval");
constinit Next<int(Handle, int, void*)> set_attribute("MPI_Comm_set_attr");
constinit Next<int(const void*, int, Handle, void*, int, Handle, Handle)> all_to_all(
    "MPI_Alltoall");

/// A copy of the program's communicator gets one of its own when it needs it.
int copy_nothing(Handle, int, void*, void*, void*, int* is_copied) {
    *is_copied = 0;
    return 0;
}

int free_with_it(Handle, int, void* value, void*) {
    Handle ours = abi().in_memory(reinterpret_cast<Handle>(value));
    return mpi.comm_free(&ours);
}

int keyval() {
    static const int made = [] {
        int number = 0;
        create_keyval(copy_nothing, free_with_it, &number, nullptr);
        return number;
    }();
    return made;
}

}  // namespace

CheckComm::CheckComm(Handle of) {
    void* value = nullptr;
    int is_there = 0;
    if (mpi.comm_get_attr(of, keyval(), &value, &is_there) != 0) return;
    if (is_there == 0) {
        // Not MPI_Comm_dup, which calls functions of the program that copy attributes.
        int rank = 0;
        Handle made = 0;
        mpi.comm_rank(of, &rank);
        if (mpi.comm_split(of, 0, rank, &made) != 0) return;
        value = reinterpret_cast<void*>(abi().at(&made, 0));
        if (set_attribute(of, keyval(), value) != 0) return;
    }
    comm_ = reinterpret_cast<Handle>(value), is_made_ = true;
}

bool CheckComm::all_gather(const void* mine, void* all, std::size_t bytes) const {
    const int n = static_cast<int>(bytes);
    return is_made_ && mpi.allgather(mine, n, abi().byte, all, n, abi().byte, comm_) == 0;
}

bool CheckComm::exchange(const void* to, void* from, std::size_t bytes) const {
    const int n = static_cast<int>(bytes);
    return is_made_ && all_to_all(to, n, abi().byte, from, n, abi().byte, comm_) == 0;
}

}  // namespace aureole::preload
