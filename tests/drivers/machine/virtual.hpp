// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "machine/memory.hpp"

namespace aureole::emulated {

/// Addresses and memory taken apart: a program reserves addresses, makes memory, and puts pieces
/// of the one behind the other. All sizes are multiples of the granularity.
constexpr std::size_t granularity = std::size_t{2} << 20;

int reserve_addresses(std::size_t bytes, std::size_t alignment, Address wish, Address& out);
int free_addresses(Address at, std::size_t bytes);

/// Handles of memory are counted: `retain` gives the handle of what is behind an address.
int create_memory(std::size_t bytes, int device, unsigned handle_kinds, void*& out);
int release_memory(void* handle);
int retain_memory(Address at, void*& out);
std::shared_ptr<Pages> memory_of(void* handle);

int map_memory(Address at, std::size_t bytes, std::size_t offset, void* handle);
int unmap_memory(Address at, std::size_t bytes);
int set_access(Address at, std::size_t bytes, int device, int flags);

/// Sharing by descriptor. Both sides may let go in any order: the memory lives as long as any.
int export_descriptor(void* handle, int& out);
int import_descriptor(int descriptor, void*& out);

}  // namespace aureole::emulated
