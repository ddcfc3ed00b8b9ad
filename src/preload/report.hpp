// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

#include "preload/handle.hpp"
#include "preload/where.hpp"

namespace aureole::preload {

/// Writes one line to standard error, in one piece.
void say(const std::string& line);

/// "Open MPI v5.0.11": the first words of what the MPI library calls itself.
std::string library_version();

/// Says once, on rank 0 and if the settings want it, which MPI library this is and what becomes of
/// buffers in device memory: at the first of them, or at the end (null) if there was none.
void tell_once(const Allocation* first);

/// Where an error of a call goes.
struct Scope {
    enum class Kind { comm, file, window } kind = Kind::comm;
    Handle handle = 0;           ///< 0: MPI_COMM_WORLD
    const void* site = nullptr;  ///< the program goes on there; null: not known
};

/// An error that MPI itself would raise: its handler is called, and no line is written.
class MpiError : public std::exception {
  public:
    explicit MpiError(int code) : code_(code) {}
    int code() const { return code_; }

  private:
    int code_;
};

/// Says what went wrong in a call, with the rank, and calls the error handler of its communicator,
/// window or file, which by default ends the job (for files: does not). Returns MPI_ERR_OTHER.
int fail(const char* call, const Scope& scope, const std::string& why);
int fail(const char* call, const Scope& scope, const std::exception& why);
/// The same for what cannot be done with device memory.
int refuse(const char* call, const Scope& scope, const char* what_to_do);
/// Calls the error handler alone, with an error of MPI's; returns that.
int raise(const Scope& scope, int code);
/// Errors of this thread are told under the name of the program's call, which is made of others.
class CallInside {
  public:
    explicit CallInside(const char* of);
    CallInside(const CallInside&) = delete;
    CallInside& operator=(const CallInside&) = delete;
    ~CallInside();
};

}  // namespace aureole::preload
