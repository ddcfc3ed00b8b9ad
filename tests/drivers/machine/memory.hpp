// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "machine/space.hpp"
#include "machine/store.hpp"

namespace aureole::emulated {

enum class Kind { device, managed, pinned, registered };
enum class Origin { plain, pool, mapped, imported, user };

struct Pool;

/// A range of addresses with memory behind it. Work that uses a block holds it: its addresses are
/// free for others when the last of them lets go.
struct Block {
    Block() = default;
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    Address end() const { return base + bytes; }
    bool open_to_hosts() const { return kind != Kind::device; }
    bool shown_to_hosts() const { return open_to_hosts() || on_bus; }

    Address base = 0;
    std::size_t bytes = 0;  ///< as asked for; the pages behind it may be more
    std::size_t span = 0;   ///< addresses taken; 0: they belong to somebody else
    std::uint64_t id = next_id();
    Kind kind = Kind::device;
    Origin origin = Origin::plain;
    int device = 0;
    void* context = nullptr;
    std::shared_ptr<Pages> pages;
    std::shared_ptr<Pool> pool;
    std::atomic<bool> synchronous{false};  ///< even copies between devices wait
    std::atomic<int> access{3};            ///< bit 0: may be read, bit 1: may be written
    Address range_begin = 0;               ///< of the reserved addresses around a mapping
    std::size_t range_bytes = 0;
    unsigned host_flags = 0;
    bool shown = false;
    bool on_bus = false;  ///< device memory that hosts may touch too
};

using BlockPtr = std::shared_ptr<Block>;

struct Wanted {
    std::size_t bytes = 0;
    Kind kind = Kind::device;
    int device = 0;
    void* context = nullptr;
    std::shared_ptr<Pool> pool = nullptr;
    unsigned host_flags = 0;
};

/// New memory of any kind; the result is a `Status`.
int allocate(const Wanted& wanted, BlockPtr& out);

/// Takes a block out of the table by its first address. `invalid_value` if there is none.
int release(Address base, BlockPtr& out);
int register_host(Address base, std::size_t bytes, int device, void* context);
int unregister_host(Address base);

/// The block that an address lies in; empty for any other host address.
BlockPtr find(Address at);

/// Whether `find` must look: false is known by one comparison and no lock.
bool may_be_known(Address at);

/// Whether all of a range lies in the block, or in mapped blocks that follow it without a gap.
bool covers(const Block& block, Address at, std::size_t bytes);

/// The address by which a host may touch memory of any kind (the same for its own memory).
void* host_address(Address at);

/// Enters a block made elsewhere: an import or a mapping.
void enter_block(const BlockPtr& block);

/// Gives a block pages and shows them at its address; false if the system refuses.
bool show_block(Block& block, const std::shared_ptr<Pages>& pages, std::uint64_t offset);

/// Takes out all blocks of a context.
void release_all(void* context);

/// All blocks that begin in a range, in order of addresses.
std::map<Address, BlockPtr> blocks_between(Address begin, Address end);

/// Pages of the machine's own device memory.
std::shared_ptr<Store> store_of_device(int device);

/// Mappings of other processes' memory that are open now.
long open_mappings();
void change_mappings(long by);

}  // namespace aureole::emulated
