// SPDX-License-Identifier: Apache-2.0
#include "preload/report.hpp"

#include <unistd.h>

#include "preload/abi.hpp"
#include "preload/mpi.hpp"

namespace aureole::preload {

void say(const std::string& line) {
    const std::string all = "aureole-mpi: " + line + "\n";
    std::size_t done = 0;
    while (done < all.size()) {
        const auto n = ::write(STDERR_FILENO, all.data() + done, all.size() - done);
        if (n <= 0) return;  // nobody reads it
        done += static_cast<std::size_t>(n);
    }
}

int fail(const char* call, const Scope& scope, const std::string& why) {
    int rank = 0;
    mpi.comm_rank(abi().comm_world, &rank);
    say("rank " + std::to_string(rank) + ": " + call + ": " + why);
    if (scope.kind == Scope::Kind::file)
        mpi.file_call_errhandler(scope.handle, abi().error_other);
    else if (scope.kind == Scope::Kind::window)
        mpi.win_call_errhandler(scope.handle, abi().error_other);
    else
        mpi.comm_call_errhandler(scope.handle != 0 ? scope.handle : abi().comm_world,
                                 abi().error_other);
    return abi().error_other;
}

int refuse(const char* call, const Scope& scope, const char* what_to_do) {
    return fail(call, scope, std::string("this call cannot take device memory. ") + what_to_do);
}

}  // namespace aureole::preload
