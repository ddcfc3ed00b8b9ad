// SPDX-License-Identifier: Apache-2.0
#include "comm/heap.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace aureole::comm {

namespace {

[[noreturn]] void no_memory(int rank, std::size_t bytes, const std::string& call) {
    throw core::RankError("rank " + std::to_string(rank) + " cannot reserve " +
                              std::to_string(bytes >> 20) + " MB of shared memory",
                          call + ": " + std::strerror(errno),
                          "Raise the limit of address space (ulimit -v), or use fewer ranks.");
}

std::byte* map(int rank, std::size_t bytes, int flags, int descriptor) {
    void* const at =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, descriptor, 0);
    if (at == MAP_FAILED) no_memory(rank, bytes, "mmap");
    return static_cast<std::byte*>(at);
}

}  // namespace

Heap Heap::of_threads(int rank, std::size_t bytes) {
    return {rank, map(rank, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1), bytes, -1};
}

Heap Heap::shared(int rank, std::size_t bytes) {
    const std::string name = "aureole-rank-" + std::to_string(rank);
    int file = memfd_create(name.c_str(), 0);
    if (file < 0) no_memory(rank, bytes, "memfd_create");
    if (file <= STDERR_FILENO) {  // that stream is closed here, and not in who inherits the file
        const int low = std::exchange(file, fcntl(file, F_DUPFD, STDERR_FILENO + 1));
        close(low);
        if (file < 0) no_memory(rank, bytes, "fcntl");
    }
    if (ftruncate(file, static_cast<off_t>(bytes)) != 0) {
        close(file);
        no_memory(rank, bytes, "ftruncate");
    }
    try {
        return {rank, map(rank, bytes, MAP_SHARED, file), bytes, file};
    } catch (...) {
        close(file);
        throw;
    }
}

Heap Heap::mapped(int rank, int descriptor) {
    struct stat about {};
    if (fstat(descriptor, &about) != 0)
        throw core::RankError("the memory of rank " + std::to_string(rank) + " cannot be mapped",
                              std::string("fstat: ") + std::strerror(errno),
                              "Ranks must be started by aureole itself or by mpirun.");
    const auto bytes = static_cast<std::size_t>(about.st_size);
    std::byte* const at = map(rank, bytes, MAP_SHARED, descriptor);
    close(descriptor);
    return {rank, at, bytes, -1};
}

Heap::Heap(Heap&& other) noexcept
    : rank_(other.rank_),
      base_(std::exchange(other.base_, nullptr)),
      capacity_(other.capacity_),
      used_(other.used_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

Heap::~Heap() {
    if (base_ != nullptr) munmap(base_, capacity_);
    if (descriptor_ >= 0) close(descriptor_);
}

std::int64_t Heap::take(std::int64_t size, std::int64_t n) {
    const std::size_t left = capacity_ - used_;
    const auto most = static_cast<std::int64_t>(left) / size;
    if (n < 0 || n > most)
        throw core::RankError("the shared memory of rank " + std::to_string(rank_) + " is full",
                              std::to_string(n) + " values of " + std::to_string(size) +
                                  " bytes do not fit: " + std::to_string(used_ >> 20) + " of " +
                                  std::to_string(capacity_ >> 20) + " MB are in use",
                              "Use more ranks, or fewer particles.");
    const auto offset = static_cast<std::int64_t>(used_);
    const std::size_t bytes = static_cast<std::size_t>(size * n);
    used_ += (bytes + alignment - 1) / alignment * alignment;
    if (used_ > capacity_) used_ = capacity_;
    return offset;
}

}  // namespace aureole::comm
