// SPDX-License-Identifier: Apache-2.0
// All that one run of a program showed on one rank, and the comparison of two such records.
#pragma once

#include <string>
#include <vector>

#include "memory.hpp"

namespace twins {

/// Which bytes of a buffer must be equal in both runs.
enum class Compare {
    everything,
    guards,  // after an error the contents are undefined
};

/// Name of a note that is 0 unless MPI itself fails.
constexpr const char* unexpected_error = "error class";

/// One number that an operation gave, such as the source in a status.
struct Note {
    int operation;
    const char* name;
    long which;  // of several messages or requests
    long value;
    bool operator==(const Note& other) const {
        return operation == other.operation && which == other.which && value == other.value &&
               std::string(name) == other.name;
    }
};

/// A copy of a buffer, guard bytes included.
struct Snapshot {
    int operation;
    std::string name;
    Kind kind;
    Compare compare;
    std::ptrdiff_t zero;
    std::ptrdiff_t defined;
    Bytes bytes;
    std::shared_ptr<const Bytes> image;
    std::vector<Block> blocks;
};

class Record {
  public:
    /// Begins the next operation.
    int begin(std::string text);
    void note(int operation, const char* name, long which, long value);
    void snapshot(int operation, const Buffer& buffer, std::string name, Compare compare);
    /// Changes one bit of a value, of a gap or of a guard byte: shows that a comparison can fail.
    void spoil(Rng rng);
    /// Adds what another thread showed.
    void take(Record&& other);

    /// Printable differences between the host's record and that of its twin; sorts both.
    static std::vector<std::string> differences(Record& host, Record& twin);

  private:
    void sort();

    std::vector<std::string> operations_;
    std::vector<Note> notes_;
    std::vector<Snapshot> snapshots_;
};

}  // namespace twins
