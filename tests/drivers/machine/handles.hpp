// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/memory.hpp"

namespace aureole::emulated {

/// Memory of another process by the older kind of handle: 64 bytes that name an allocation.
int export_memory(Address at, Locator& out);

/// Maps it. A handle that the context has open already gives the same address once more.
int import_memory(const Locator& where, void* context, int device, Address& out);
int close_import(Address base);

/// Closes all imports of a context.
void close_imports(void* context);

/// Takes the pages that a locator names, without mapping them.
int open_pages(const Locator& where, int file, std::shared_ptr<Pages>& out);

/// Shows pages of another process at an address of our own and enters them as memory.
int enter_import(const std::shared_ptr<Pages>& pages, const Locator& where, void* context,
                 BlockPtr& out);

}  // namespace aureole::emulated
