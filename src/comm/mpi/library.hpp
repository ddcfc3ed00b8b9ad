// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "comm/parcel.hpp"

namespace aureole::comm {

/// An MPI library that was loaded at run time. Three binary interfaces are known: that of Open MPI
/// (libmpi.so.40), that of MPICH and its relatives (libmpi.so.12), and the one that the standard
/// fixes since MPI 5.0 (libmpi_abi.so.1). Nothing of MPI is needed to build Aureole.
class MpiLibrary {
  public:
    /// Loads the library and initialises MPI, if nobody has; once in a process. Throws
    /// core::RankError if the file is no MPI library, or MPI cannot be initialised.
    static std::unique_ptr<MpiLibrary> load(const std::string& path);

    MpiLibrary() = default;
    MpiLibrary(const MpiLibrary&) = delete;
    MpiLibrary& operator=(const MpiLibrary&) = delete;
    virtual ~MpiLibrary() = default;  ///< finalises MPI, if it was initialised here

    /// As the library names itself, on one line.
    virtual const std::string& version() const = 0;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual void send(int to, std::span<const std::byte> bytes) = 0;
    virtual void receive(int from, std::span<std::byte> bytes) = 0;
    /// Adds up the numbers of all ranks, in an order that MPI chooses.
    virtual void sum(std::span<double> numbers) = 0;
    virtual void barrier() = 0;
    /// Begins to send bytes to another rank and keeps them until they are sent.
    virtual void begin_sending(int to, Bytes bytes) = 0;
    /// Goes on with these messages; returns how many are not sent yet.
    virtual std::size_t unsent() = 0;
    /// The next message that another rank has begun to send; none if nothing has come.
    virtual std::optional<Bytes> take(int from) = 0;
    /// Ends the processes of all ranks.
    [[noreturn]] virtual void abort(int code) = 0;
};

}  // namespace aureole::comm
