// SPDX-License-Identifier: Apache-2.0
// One of the two runs of a program on one rank, or the part of it that one thread does.
#pragma once

#include <mpi.h>

#include <deque>
#include <functional>
#include <string>

#include "memory.hpp"
#include "record.hpp"

namespace twins {

/// A communicator as programs see it.
struct Comm {
    MPI_Comm handle = MPI_COMM_NULL;
    std::string name;
    int rank = 0, size = 1;
    int remote = 0;     // size of the remote group, 0 for an intra-communicator
    bool first = true;  // of an inter-communicator's two groups
    bool inter() const { return remote > 0; }
};

/// Settings that all programs of this process share.
struct Options {
    std::uint64_t seed = 1;
    std::string without;   // names of features to leave out
    bool threads = false;  // MPI_THREAD_MULTIPLE is there
    bool print = false;
    bool has(const char* feature) const { return without.find(feature) == std::string::npos; }
};

class Run {
  public:
    Run(const Options& options, Memory& memory, Rng seed, int world_rank);

    /// Names the next operation, also for the hang detector.
    int begin(std::string text);
    /// Tells the hang detector what goes on, without a place in the record.
    void doing(const std::string& text);

    /// A buffer for this operation, filled with noise; it lives until the phase ends.
    Buffer& buffer(std::vector<Block> blocks, bool aligned = false);
    Buffer& buffer(const TypeRef& type, long count, bool aligned = false);
    /// Takes a snapshot when the phase ends.
    void watch(int operation, Buffer& buffer, const std::string& name,
               Compare compare = Compare::everything);
    void snapshot(int operation, const Buffer& buffer, const std::string& name,
                  Compare compare = Compare::everything);
    void note(int operation, const char* name, long which, long value) {
        record.note(operation, name, which, value);
    }
    /// Source, tag, counts and whether it was cancelled.
    void note_status(int operation, long which, const MPI_Status& status, const TypeRef& type);
    /// The class of an error code; MPI itself must not fail on hosts unless it is expected to.
    void note_error(int operation, long which, int code, bool expected = false);

    /// Takes the last snapshots, waits for the device and gives all buffers back.
    void end_phase();

    const Options& options;
    Memory& memory;
    Rng rng;     // the same on all ranks
    Rng local;   // this rank's own decisions, the same in both runs
    Rng timing;  // decisions that depend on what completes first
    Record record;

  private:
    struct Watched {
        int operation;
        Buffer* buffer;
        std::string name;
        Compare compare;
    };
    int world_rank_;
    Rng data_;  // seeds of buffers, by rank
    std::deque<Buffer> buffers_;
    std::vector<Watched> watched_;
};

/// The present operation of a thread, in a fixed text that a signal handler may read.
void set_doing(const std::string& text);
const char* doing_of(int thread);
void set_thread(int thread);
constexpr int most_threads = 8;

/// Whether MPI_Get_elements may be called for a status with this type.
bool elements_are_known(const Type& type);

/// The class of an error code.
int class_of(int code);

}  // namespace twins
