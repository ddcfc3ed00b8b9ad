// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "preload/report.hpp"
#include "preload/staging.hpp"

namespace aureole::preload {

/// A buffer of a call, on a device or on the host.
struct CheckedBuffer {
    const void* buffer = nullptr;
    Allocation at;
    std::vector<Block> blocks;
    int staged = -1;  ///< its place among the staged buffers of the call; -1: on the host
    bool reads = false, writes = false;

    std::uintptr_t low = 0, high = 0;  ///< the addresses that its elements span
    std::uint64_t sum = 0;             ///< of bytes on the host that are only read
    bool is_summed = false;
};

/// What the checks (AUREOLE_MPI_CHECK=1) know of one call. They report only what is certainly a
/// mistake, in one line with rank, call and call site, and leave the call as it is.
///
/// Found are: work that changes a buffer which MPI reads; a buffer that is changed or freed before
/// its request is complete; buffers of open requests that overlap although one of them is written;
/// requests that are never completed.
class Checked {
  public:
    /// Null for calls that the MPI library makes itself.
    static std::unique_ptr<Checked> make(const char* name, const Scope& scope);
    Checked(const char* name, const Scope& scope) : name_(name), scope_(scope) {}
    Checked(const Checked&) = delete;
    Checked& operator=(const Checked&) = delete;
    ~Checked() { close(); }

    /// A buffer, before the call gets it. A persistent call checks it when it starts.
    void add(CheckedBuffer buffer, bool is_persistent);
    /// Bytes were just copied from the device: waits for all its work and copies them again.
    void loaded(Staged& staged, std::int64_t first = 0, std::int64_t bytes = Staged::everything);
    /// The request of the call is open from now on.
    void open(bool is_partitioned = false);
    /// A persistent request starts, and is open from now on. Partitions are filled later.
    void start(bool is_partitioned);
    /// The program has completed the request; nothing was copied to the device yet.
    void complete(std::vector<Staged>& staged);
    /// The request is no longer open, or nobody will know when it is complete.
    void close();

    /// At the end of the program: requests that are still open.
    static void report_open();

  private:
    friend class OpenCalls;

    void compare(CheckedBuffer& buffer, std::vector<Staged>& staged);
    void find_overlaps(const CheckedBuffer& mine) const;

    const char* name_;
    Scope scope_;
    std::vector<CheckedBuffer> buffers_;
    bool is_open_ = false;
    std::atomic<bool> is_pending_ = false;  // threads load partitions
};

}  // namespace aureole::preload
