// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aureole::io {

/// A named run of bytes to be saved.
struct Block {
    std::string name;  ///< unique, 1 to 255 bytes
    const void* data;
    std::size_t bytes;
};

/// Saves `blocks` as a checkpoint file with a checksum per block. The file is written beside,
/// without a name where the file system has such files, flushed, and renamed; the generation before
/// becomes `path`.prev. At every instant `path` or `path`.prev is complete. On failure the
/// temporary file is removed and core::FileError names file and reason.
void write_checkpoint(const std::filesystem::path& path, std::span<const Block> blocks);

/// Entry of a block in the table of a checkpoint; plain data, for processes to tell each other.
struct BlockEntry {
    char name[256];  ///< ends with a zero
    std::uint64_t offset, bytes;
    std::array<std::byte, 16> digest;
};
/// Entries of blocks, whose offsets are still zero.
std::vector<BlockEntry> entries_of(std::span<const Block> blocks);

/// A checkpoint with blocks of several processes. One process makes this object, with the entries
/// of all, and gives the others their offsets; each adds its blocks; then the first process
/// finishes. An unfinished checkpoint leaves nothing behind.
class SharedCheckpoint {
  public:
    /// Fills in the offsets; `unnamed`: without a name until it is finished, where the file system
    /// has such files. Throws core::FileError, and core::InputError for names that cannot be.
    SharedCheckpoint(const std::filesystem::path& path, std::span<BlockEntry> entries,
                     bool unnamed);
    ~SharedCheckpoint();
    SharedCheckpoint(const SharedCheckpoint&) = delete;
    SharedCheckpoint& operator=(const SharedCheckpoint&) = delete;
    /// Where the others open the file until it is finished.
    std::filesystem::path address() const;
    /// Gives the file its name, see write_checkpoint().
    void finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Whether this process can write to the file that another one began there: files without a name
/// need not be open to others.
bool can_add_blocks(const std::filesystem::path& address);
/// Puts blocks on the disk where their entries say, in the file that another process began there;
/// errors speak of `shown`.
void add_blocks(const std::filesystem::path& address, const std::filesystem::path& shown,
                std::span<const Block> blocks, std::span<const BlockEntry> entries);

/// Removes temporary files which writers of `path` that have since been killed left beside it.
void remove_stale_temporaries(const std::filesystem::path& path);

/// `path`.prev, where write_checkpoint keeps the generation before.
std::filesystem::path previous_generation(const std::filesystem::path& path);

/// A checkpoint in memory, complete and verified. Anything altered, cut off, added, repeated or
/// moved in the file throws core::FileError naming the damaged part (header, table, padding or a
/// block).
class Checkpoint {
  public:
    explicit Checkpoint(const std::filesystem::path& path);
    /// A checkpoint from bytes already in memory; `name` appears in errors.
    static Checkpoint from_bytes(std::span<const std::byte> bytes, const std::string& name);

    /// Bytes of a block, aligned to 64; core::FileError if there is none of this name.
    std::span<const std::byte> block(std::string_view name) const;
    bool has(std::string_view name) const;
    std::vector<std::string> names() const;

  private:
    struct Entry {
        std::string name;
        std::size_t offset;
        std::size_t bytes;
    };
    struct Free {
        void operator()(std::byte* bytes) const;
    };

    Checkpoint() = default;
    void allocate(std::uint64_t bytes);
    void verify();
    const Entry* find(std::string_view name) const;

    std::string file_;
    std::unique_ptr<std::byte[], Free> bytes_;
    std::size_t size_ = 0;
    std::vector<Entry> entries_;
};

/// Which generation could be loaded.
struct Generation {
    Checkpoint checkpoint;
    std::filesystem::path path;
    bool is_previous = false;
    std::string reason;  ///< why the newest one was not used; empty if it was
};

/// Loads `path`, or `path`.prev if `path` is missing or damaged; core::FileError if neither loads.
Generation read_checkpoint_or_previous(const std::filesystem::path& path);

}  // namespace aureole::io
