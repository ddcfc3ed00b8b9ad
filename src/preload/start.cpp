// SPDX-License-Identifier: Apache-2.0
// Begin and end of a program, what it may ask, and datatypes that it frees.
#include <string>

#include "preload/agreement.hpp"
#include "preload/chunk_gate.hpp"
#include "preload/chunked_send.hpp"
#include "preload/chunks.hpp"
#include "preload/datatype.hpp"
#include "preload/entry.hpp"
#include "preload/envelope.hpp"
#include "preload/mpi.hpp"
#include "preload/report.hpp"
#include "preload/requests.hpp"
#include "preload/settings.hpp"
#include "preload/small_copies.hpp"
#include "preload/watch.hpp"

namespace aureole::preload {

namespace {

int after_init(int error) {
    if (error != 0) return error;
    if (!settings().problem.empty()) {
        static constinit Next<int(Handle, int)> abort("MPI_Abort");
        say(settings().problem);
        abort(abi().comm_world, 2);
    }
    node().join();
    watch().begin();
    agreement().negotiate();
    if (chunks().are_for_all()) watch().turn_on();
    return 0;
}

/// What GPU-aware libraries answer: 1 where the driver of a vendor is here.
int supports(const char* vendor) {
    for (const auto* slot = drivers::Driver::all(); drivers::Driver* const driver = *slot; ++slot)
        if (std::string(driver->name()) == vendor) return settings().is_off ? 0 : 1;
    return 0;
}

}  // namespace

}  // namespace aureole::preload

using namespace aureole::preload;  // NOLINT: functions of MPI are in no namespace

AUREOLE_ENTRY(MPI_Init, (int* argc, char*** argv)) {
    static constinit Next<int(int*, char***)> next("MPI_Init");
    return after_init(next(argc, argv));
}
AUREOLE_ENTRY(MPI_Init_thread, (int* argc, char*** argv, int required, int* provided)) {
    static constinit Next<int(int*, char***, int, int*)> next("MPI_Init_thread");
    return after_init(next(argc, argv, required, provided));
}
AUREOLE_ENTRY(MPI_Finalize, ()) {
    static constinit Next<int()> next("MPI_Finalize");
    before_waiting();
    requests().finish_freed(true);
    finish_chunks();
    finish_envelopes();
    tell_small_copies();
    if (is_checking) Checked::report_open();
    tell_once(nullptr);
    agreement().end();
    return next();
}
AUREOLE_ENTRY(MPI_Type_free, (void* type)) {
    static constinit Next<int(void*)> next("MPI_Type_free");
    forget_datatype(abi().at(type, 0));
    return next(type);
}

extern "C" {
[[gnu::visibility("default")]] int MPIX_Query_cuda_support() { return supports("CUDA"); }
[[gnu::visibility("default")]] int MPIX_Query_hip_support() { return supports("HIP"); }
[[gnu::visibility("default")]] int MPIX_Query_rocm_support() { return supports("HIP"); }
/// MPICH's: 0 CUDA, 1 Level Zero, 2 HIP.
[[gnu::visibility("default")]] int MPIX_GPU_query_support(int type, int* is_supported) {
    *is_supported = type == 0 ? supports("CUDA") : type == 2 ? supports("HIP") : 0;
    return 0;
}
}
