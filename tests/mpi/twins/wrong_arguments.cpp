// SPDX-License-Identifier: Apache-2.0
// Calls that must fail at once, with the same error class for every kind of memory.
#include "local_calls.hpp"
#include "operands.hpp"

namespace twins {
namespace {

struct Arguments {
    void* data;
    int count;
    MPI_Datatype type;
    int rank, tag;
    MPI_Comm comm;
};

int call(int which, const Arguments& a) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    switch (which) {
        case 0:
            return MPI_Send(a.data, a.count, a.type, a.rank, a.tag, a.comm);
        case 1:
            return MPI_Recv(a.data, a.count, a.type, a.rank, a.tag, a.comm, &status);
        case 2:
            return MPI_Isend(a.data, a.count, a.type, a.rank, a.tag, a.comm, &request);
        case 3:
            return MPI_Irecv(a.data, a.count, a.type, a.rank, a.tag, a.comm, &request);
        case 4:
            return MPI_Send_init(a.data, a.count, a.type, a.rank, a.tag, a.comm, &request);
        case 5:
            return MPI_Sendrecv_replace(a.data, a.count, a.type, a.rank, a.tag, a.rank, a.tag,
                                        a.comm, &status);
        case 6:
            return MPI_Ssend(a.data, a.count, a.type, a.rank, a.tag, a.comm);
        default:
            return MPI_Recv_init(a.data, a.count, a.type, a.rank, a.tag, a.comm, &request);
    }
}

}  // namespace

void wrong_arguments(Run& run, const Comm& comm) {
    static const char* const calls[] = {
        "Send", "Recv", "Isend", "Irecv", "Send_init", "Sendrecv_replace", "Ssend", "Recv_init"};
    static const char* const mistakes[] = {"negative count", "no datatype", "no such rank",
                                           "negative tag", "no communicator"};
    const int which = static_cast<int>(run.local.below(std::size(calls)));
    const int mistake = static_cast<int>(run.local.below(std::size(mistakes)));
    const int operation =
        run.begin(std::string(calls[which]) + " with a mistake: " + mistakes[mistake]);
    auto& buffer = run.buffer(basic_type(basic_named("int")), 10);
    run.watch(operation, buffer, "buffer");
    Arguments a{buffer.base(), 10, MPI_INT, 0, 1, comm.handle};
    if (mistake == 0) a.count = -3;
    if (mistake == 1) a.type = MPI_DATATYPE_NULL;
    if (mistake == 2) a.rank = comm.size + comm.remote + 5;
    if (mistake == 3) a.tag = -77;
    if (mistake == 4) a.comm = MPI_COMM_NULL;
    const int code = call(which, a);
    run.note_error(operation, 0, code, true);
    run.end_phase();
}

}  // namespace twins
