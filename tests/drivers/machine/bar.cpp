// SPDX-License-Identifier: Apache-2.0
#include "machine/bar.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "machine/memory.hpp"
#include "machine/settings.hpp"
#include "machine/status.hpp"

namespace aureole::emulated {
namespace {

bool is_plain(const Block& block) {
    return block.kind == Kind::device && block.origin == Origin::plain && block.pages;
}

/// Shows the part of a block that is in a range.
void show(Block& block, Address begin, std::size_t bytes, char* host) {
    const Address from = std::max(begin, block.base);
    const Address to = std::min(begin + bytes, block.base + round_up(block.bytes, page));
    if (from >= to || !is_plain(block)) return;
    constexpr int access = PROT_READ | PROT_WRITE;
    if (settings().bar.is_spoilt) {
        mmap(host + (from - begin), to - from, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
             0);
        return;
    }
    slot_of(*block.pages);  // others see these pages: freed ones are overwritten
    mmap(host + (from - begin), to - from, access, MAP_SHARED | MAP_FIXED,
         block.pages->store->file(), static_cast<off_t>(block.pages->offset + (from - block.base)));
}

}  // namespace

void* map_bar(Address begin, std::size_t bytes) {
    void* const host =
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED) return nullptr;
    if (const auto first = find(begin)) show(*first, begin, bytes, static_cast<char*>(host));
    for (const auto& [base, block] : blocks_between(begin, begin + bytes))
        show(*block, begin, bytes, static_cast<char*>(host));
    return host;
}

int bar_file(Address begin, std::size_t bytes, int& out) {
    if (!settings().bar.dma_buf) return not_supported;
    const auto block = find(begin);
    if (!block || !is_plain(*block) || begin % page != 0 || bytes % page != 0) return invalid_value;
    if (block->base != begin || bytes > round_up(block->bytes, page)) return invalid_value;
    slot_of(*block->pages);
    out = settings().bar.is_spoilt ? memfd_create("aureole-spoilt", MFD_CLOEXEC)
                                   : fcntl(block->pages->store->file(), F_DUPFD_CLOEXEC, 0);
    if (out < 0) return operating_system;
    if (settings().bar.is_spoilt && ftruncate(out, static_cast<off_t>(bytes)) != 0)
        return operating_system;
    return success;
}

}  // namespace aureole::emulated
