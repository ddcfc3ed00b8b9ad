// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preload/handle.hpp"

namespace aureole::preload {

/// Where a message goes.
struct Destination {
    int rank;
    int tag;
    Handle comm;
};

/// A message that MPI carries a header for, in synchronous mode: once that has arrived, the
/// receiver knows how to get the payload. One whose header was not sent, or was cancelled, is
/// withdrawn by the destructor.
class Outgoing {
  public:
    Outgoing() = default;
    Outgoing(const Outgoing&) = delete;
    Outgoing& operator=(const Outgoing&) = delete;
    virtual ~Outgoing() = default;

    virtual const void* header() const = 0;
    virtual int length() const = 0;
    /// The call waits for the header to arrive. Neither of these two throws.
    virtual void stay() {}
    /// The header is on its way, and the call returns before it has arrived.
    virtual void leave() {}
    /// After the header has arrived: the program may use its buffer again when this returns.
    virtual void finish() = 0;
};

}  // namespace aureole::preload
