// SPDX-License-Identifier: Apache-2.0
// Requests under way, and all the ways in which a program may complete them.
#pragma once

#include "run.hpp"

namespace twins {

struct Pending {
    MPI_Request request = MPI_REQUEST_NULL;
    int operation = 0;
    long which = 0;  // place of its results among those of the operation
    bool receive = false;
    bool persistent = false;
    bool error = false;          // an error is expected: nothing but its class is compared
    bool ignore_status = false;  // complete it with MPI_STATUS_IGNORE
    bool at_once = false;        // take a snapshot when it is complete
    bool cancelled = false;
    TypeRef type;              // of the receive buffer
    Buffer* buffer = nullptr;  // the one of the snapshot
    Buffer* reuse = nullptr;   // a send buffer that is overwritten when the request is complete
    Compare compare = Compare::everything;
    std::string name;
    long position = -1;  // in the phase, behind which it may be waited for
    bool done = false;
};

/// Results of a receive that is complete, or the end of a send.
void finished(Run& run, Pending& pending, const MPI_Status& status, int code);

/// Completes all of them, by a way chosen at random.
void complete(Run& run, std::vector<Pending*> list);

/// Completes a random subset of the list, and drops it from there.
void complete_some(Run& run, std::vector<Pending*>& list);

}  // namespace twins
