// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "machine/space.hpp"
#include "machine/store.hpp"

namespace aureole::emulated {

/// A pool that stream-ordered memory comes from. One that may be shared has a file of its own,
/// which is what its descriptor names.
struct Pool {
    int device = 0;
    unsigned handle_kinds = 0;
    bool imported = false;
    bool is_default = false;
    std::shared_ptr<Store> store;
    std::array<std::uint64_t, 9> attributes{};  ///< by the driver's number
    std::uint64_t id = next_id();
};

std::shared_ptr<Pool> create_pool(int device, unsigned handle_kinds);
std::shared_ptr<Pool> default_pool(int device);
std::shared_ptr<Pool> current_pool(int device);
int set_current_pool(int device, const std::shared_ptr<Pool>& pool);

/// Handles are the pools' own addresses; `pool_of` is empty for one that does not exist.
std::shared_ptr<Pool> pool_of(void* handle);
int destroy_pool(void* handle);
std::uint64_t bytes_in_pool(const Pool& pool);

/// Sharing of a pool by descriptor, and then of single allocations.
int export_pool(Pool& pool, int& descriptor);
int import_pool(int descriptor, std::shared_ptr<Pool>& out);
int export_pool_pointer(Address at, Locator& out);
int import_pool_pointer(const std::shared_ptr<Pool>& pool, const Locator& where, void* context,
                        Address& out);

}  // namespace aureole::emulated
