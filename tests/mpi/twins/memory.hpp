// SPDX-License-Identifier: Apache-2.0
// Buffers with guard bytes, in memory of any kind, taken from pools.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "device.hpp"
#include "types.hpp"

namespace twins {

using Bytes = std::vector<unsigned char>;

/// Items of a type at a place of a buffer, in bytes.
struct Block {
    TypeRef type;
    std::ptrdiff_t at;
    long count;
};

/// Where the bytes of one buffer lie.
struct Place {
    Kind kind = Kind::host;
    int device = 0;
    std::size_t room = 0;
    unsigned char* start = nullptr;
};

/// Memory of one of the two runs: pools by kind, device and size, from which addresses come again.
class Memory {
  public:
    /// Without a runtime there is host memory alone.
    Memory(Runtime* runtime, std::vector<Kind> kinds, int home);
    ~Memory();

    Place take(Rng& rng, std::size_t bytes);
    void give(Rng& rng, const Place& place);
    Runtime* runtime() const { return runtime_; }
    /// Makes this rank's device the current one of the calling thread.
    void go_home() const;
    /// Returns when nothing runs on the device any more.
    void wait() const;

  private:
    using Key = std::tuple<Kind, int, std::size_t>;
    void release(const Place& place);

    Runtime* runtime_;
    std::vector<Kind> kinds_;
    int home_;
    std::mutex mutex_;
    std::map<Key, std::vector<Place>> free_;
};

class Buffer {
  public:
    static constexpr std::ptrdiff_t guard = 64;

    /// Fills itself with noise; the address of offset 0 is a multiple of 16 plus `shift`.
    Buffer(Memory& memory, Rng rng, std::vector<Block> blocks, int shift);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    /// The address that MPI is given.
    void* base() const { return place_.start + zero_; }
    void* at(std::ptrdiff_t offset) const { return place_.start + zero_ + offset; }
    Kind kind() const { return place_.kind; }
    /// Position of offset 0 in the contents.
    std::ptrdiff_t zero() const { return zero_; }
    const std::vector<Block>& blocks() const { return blocks_; }
    const std::shared_ptr<const Bytes>& image() const { return images_.back(); }

    /// Overwrites all of it with new noise, now or on the default stream.
    void refill();
    /// Overwrites all of it with given contents.
    void set(Bytes image);
    Bytes contents() const;
    /// Bytes from this offset on are undefined after the call, guard bytes excepted.
    void undefined_from(std::ptrdiff_t offset) { defined_ = offset; }
    std::ptrdiff_t defined() const { return defined_; }
    /// Numbers for the contents, the same in both runs.
    Rng& noise() { return noise_; }

  private:
    void upload();

    Memory& memory_;
    Rng noise_, own_;
    std::vector<Block> blocks_;
    Place place_;
    std::ptrdiff_t zero_ = 0;
    std::ptrdiff_t defined_ = PTRDIFF_MAX;
    std::size_t bytes_ = 0;
    // Earlier images stay, as a late copy on a stream may still read them.
    std::vector<std::shared_ptr<const Bytes>> images_;
};

}  // namespace twins
