// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>

#include "drivers/driver.hpp"

namespace aureole::drivers {

/// How many mappings of other processes' memory are kept, and of how many bytes.
struct ImportLimits {
    std::size_t mappings = 256;
    std::size_t bytes = std::size_t{1} << 36;
};

/// Allocations of other processes that are mapped here. A mapping stays for later messages until
/// its owner has freed the memory (`drop`), or until there is no room for it (the one that was used
/// longest ago goes first); one that is in use stays in any case.
class Imports {
    struct Entry;

  public:
    /// Keeps a mapping while it is in use.
    class Use {
      public:
        Use() = default;
        Use(Use&& other) noexcept;
        Use& operator=(Use&& other) noexcept;
        ~Use();
        /// The first byte of the allocation.
        std::byte* data() const;

      private:
        friend Imports;
        Use(Imports& in, std::shared_ptr<Entry> entry) : in_(&in), entry_(std::move(entry)) {}
        Imports* in_ = nullptr;
        std::shared_ptr<Entry> entry_;
    };

    explicit Imports(ImportLimits limits = {}) : limits_(limits) {}
    Imports(const Imports&) = delete;
    Imports& operator=(const Imports&) = delete;
    ~Imports();

    /// The mapping of an allocation of the process `owner`, for the device of `at`. Throws
    /// core::DeviceError if the driver cannot map it, also after all idle mappings were closed.
    Use map(std::int64_t owner, const MemoryHandle& handle, const Allocation& at);
    /// An allocation was freed by its owner: its mappings are closed, or when their use ends.
    void drop(std::int64_t owner, std::uint64_t id);
    /// All allocations of a process are gone.
    void drop_all(std::int64_t owner);

    std::size_t size() const;
    std::size_t bytes() const;

  private:
    /// An allocation is known by its owner, the owner's id for it, and the device and context here.
    struct Key {
        std::int64_t owner;
        std::uint64_t id;
        int device;
        std::uint64_t context;
        auto operator<=>(const Key&) const = default;
    };
    struct Entry {
        Key key{};
        Allocation at;
        void* mapped = nullptr;
        std::size_t bytes = 0;
        int users = 0;
        bool is_dropped = false;
        std::list<Key>::iterator by_age;
    };
    using Entries = std::map<Key, std::shared_ptr<Entry>>;

    void* open(const MemoryHandle& handle, const Allocation& at);
    bool close_oldest_idle();
    void close(Entries::iterator entry);
    Entries::iterator drop(Entries::iterator entry);
    void end_use(Entry& entry);

    ImportLimits limits_;
    mutable std::mutex lock_;
    Entries entries_;
    std::list<Key> by_age_;  // the one used longest ago first
    std::size_t bytes_ = 0;
};

}  // namespace aureole::drivers
