// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "comm/control.hpp"
#include "comm/heap.hpp"

namespace aureole::comm {

/// Memory of a rank, as that rank names it to others.
struct Address {
    std::uint64_t at = 0;       ///< offset in its heap, or address in its process
    std::uint64_t in_heap = 0;  ///< 1: in its heap
};

/// A page with numbers that others know, on which they try to read and write memory of this
/// process.
class TrialPage {
  public:
    static constexpr std::size_t bytes = 4096;

    TrialPage();
    std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(page_.get()); }
    /// Writes the numbers of the page of a process.
    static void fill(std::byte* page, std::int32_t process);

  private:
    std::unique_ptr<std::byte[]> page_;
};

/// Copies from and to memory of another rank: directly if the memory lies in a heap or in the same
/// process, otherwise by the system, if the system allows it.
class OtherMemory {
  public:
    OtherMemory(const Heap& mine, const Heap& theirs) : mine_(&mine), theirs_(&theirs) {}

    /// The name of memory of this rank.
    Address address_of(const void* here, std::size_t bytes) const;
    /// Whether memory there can be copied.
    bool covers(const Address& address) {
        return address.in_heap != 0 || same_process() || by_system();
    }
    /// Whether the system copies from and to the other's process: the first call tries it.
    bool by_system();
    bool same_process() const;
    /// Copies memory of the other rank here, or memory here to the other rank. False, with errno,
    /// if the system refuses.
    bool fetch(std::byte* to, const Address& from, std::size_t offset, std::size_t bytes);
    bool store(const Address& to, std::size_t offset, const std::byte* from, std::size_t bytes);

  private:
    const Control& other() const { return *reinterpret_cast<const Control*>(theirs_->base()); }
    /// The pointer to an address of the other rank; null if this process does not have that memory.
    std::byte* here(const Address& address) const;
    bool try_system() const;

    const Heap *mine_, *theirs_;
    std::optional<bool> by_system_;
};

}  // namespace aureole::comm
