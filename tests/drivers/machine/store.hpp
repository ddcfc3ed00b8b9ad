// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace aureole::emulated {

/// Where memory or an event of another process is found. Fits the 64 bytes of a driver's handle.
struct Locator {
    std::uint32_t kind = 0;  ///< a word that says what this is
    std::int32_t process = 0;
    std::int32_t file = 0;
    std::int32_t device = 0;  ///< number among all devices of the machine
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint64_t id = 0;
    std::uint64_t started = 0;  ///< when the process began: process numbers are used again
    std::int32_t slot = 0;
    std::int32_t unused = 0;
    std::uint64_t more = 0;
};
static_assert(sizeof(Locator) == 64);

/// Physical memory: a file without a name, whose pages are each given out once. Pages that other
/// processes were told of are overwritten when they are given back, and kept for a while, so that
/// a stale mapping shows 0xAD; all others are dropped at once.
class Store {
  public:
    static std::shared_ptr<Store> create(std::uint64_t bytes = 0);
    static std::shared_ptr<Store> adopt(int file, std::uint64_t bytes);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    int file() const { return file_; }
    void close_file();  ///< mappings that exist stay
    std::uint64_t take(std::size_t bytes);
    void retire(std::uint64_t offset, std::size_t bytes, bool known_to_others);

    /// A word in the file that says whether what it was made for is still there.
    int open_slot(std::uint64_t id);
    void close_slot(int slot);

  private:
    Store(int file, std::uint64_t bytes) : file_(file), bytes_(bytes) {}
    void drop(std::uint64_t offset, std::uint64_t bytes);

    int file_;
    std::uint64_t bytes_;
    std::mutex mutex_;
    std::uint64_t next_ = 0;
    std::deque<std::pair<std::uint64_t, std::uint64_t>> poisoned_;
    std::uint64_t poisoned_bytes_ = 0;
    std::vector<int> free_slots_;
    int slots_ = 0;
};

/// Opens the file of a locator through /proc; negative if it is not there or not reachable.
int open_file_of(const Locator& where);

/// Whether the slot of a locator still has its id.
bool slot_is_alive(int file, const Locator& where);

/// Start of this process in clock ticks, a part of every locator.
std::uint64_t process_start(int process);

/// A number that no other allocation of this process has.
std::uint64_t next_id();

/// Pages of a store with one owner or several: an allocation, a handle, mappings.
struct Pages {
    Pages(std::shared_ptr<Store> from, std::uint64_t begin, std::size_t size, int on)
        : store(std::move(from)), offset(begin), bytes(size), device(on) {}
    ~Pages();
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    std::shared_ptr<Store> store;
    std::uint64_t offset;
    std::size_t bytes;
    int device;            ///< -1: host memory
    bool foreign = false;  ///< of another process
    bool whole_file = false;
    unsigned handle_kinds = 0;
    int slot = -1;
    std::uint64_t id = next_id();
};

/// The slot of pages that others are told of.
int slot_of(Pages& pages);

/// New pages within the memory of a device; empty if there is not enough.
std::shared_ptr<Pages> take_pages(std::shared_ptr<Store> store, std::size_t bytes, int device);
long live_bytes(int device);

}  // namespace aureole::emulated
