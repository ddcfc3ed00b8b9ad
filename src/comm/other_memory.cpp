// SPDX-License-Identifier: Apache-2.0
#include "comm/other_memory.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace aureole::comm {

namespace {

iovec range_of(const void* at, std::size_t bytes) { return {const_cast<void*>(at), bytes}; }
iovec range_of(std::uint64_t at, std::size_t bytes) {
    return {reinterpret_cast<void*>(at), bytes};  // an address of another process
}

bool read_from(std::int32_t process, std::uint64_t from, std::byte* to, std::size_t bytes) {
    const iovec here = range_of(to, bytes), there = range_of(from, bytes);
    return process_vm_readv(process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

bool write_to(std::int32_t process, std::uint64_t to, const std::byte* from, std::size_t bytes) {
    const iovec here = range_of(from, bytes), there = range_of(to, bytes);
    return process_vm_writev(process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

}  // namespace

TrialPage::TrialPage() : page_(std::make_unique<std::byte[]>(bytes)) {
    fill(page_.get(), getpid());
}

void TrialPage::fill(std::byte* page, std::int32_t process) {
    auto number = static_cast<std::uint32_t>(process);
    for (std::size_t k = 0; k < bytes; ++k) {
        number = number * 1664525u + 1013904223u;
        page[k] = static_cast<std::byte>(number >> 24);
    }
}

Address OtherMemory::address_of(const void* here, std::size_t bytes) const {
    const auto at = reinterpret_cast<std::uint64_t>(here);
    const auto begin = reinterpret_cast<std::uint64_t>(mine_->base());
    if (at >= begin && at + bytes <= begin + mine_->capacity()) return {at - begin, 1};
    return {at, 0};
}

bool OtherMemory::same_process() const { return other().process == getpid(); }

bool OtherMemory::by_system() {
    if (other().here.load(std::memory_order_acquire) == 0) return false;  // not yet
    if (!by_system_) by_system_ = !same_process() && try_system();
    return *by_system_;
}

bool OtherMemory::try_system() const {
    // Writing what stands there already: others may be trying the same page.
    const std::int32_t process = other().process;
    const std::uint64_t page = other().trial_page;
    std::array<std::byte, TrialPage::bytes> expected{}, found{};
    TrialPage::fill(expected.data(), process);
    return read_from(process, page, found.data(), found.size()) && found == expected &&
           write_to(process, page, found.data(), found.size());
}

std::byte* OtherMemory::here(const Address& address) const {
    if (address.in_heap != 0) return theirs_->base() + address.at;
    return same_process() ? reinterpret_cast<std::byte*>(address.at) : nullptr;
}

bool OtherMemory::fetch(std::byte* to, const Address& from, std::size_t offset, std::size_t bytes) {
    const std::byte* const at = here(from);
    if (at == nullptr) return read_from(other().process, from.at + offset, to, bytes);
    std::memcpy(to, at + offset, bytes);
    return true;
}

bool OtherMemory::store(const Address& to, std::size_t offset, const std::byte* from,
                        std::size_t bytes) {
    std::byte* const at = here(to);
    if (at == nullptr) return write_to(other().process, to.at + offset, from, bytes);
    std::memcpy(at + offset, from, bytes);
    return true;
}

}  // namespace aureole::comm
