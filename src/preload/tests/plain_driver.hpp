// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <set>

#include "core/error.hpp"
#include "drivers/copy_runs.kernel.hpp"
#include "preload/tests/done_at_once.hpp"

namespace aureole::preload {

/// Copies at once, counts, and refuses boxes that a real driver cannot express.
class PlainDriver final : public DoneAtOnce {
  public:
    const char* name() const override { return "plain"; }
    int devices() override { return 1; }
    std::string device_name(int) override { return "plain device"; }
    Allocation attributes(const void*) override { return at(); }
    void copy(void* to, const void* from, std::size_t bytes, const Allocation&) override {
        std::memcpy(to, from, bytes);
        ++copies;
    }
    void copy_box(const drivers::BoxCopy& box, const Allocation&) override {
        ASSERT_GE(box.to_row, box.width);
        ASSERT_GE(box.from_row, box.width);
        if (box.depth > 1) {
            ASSERT_EQ(box.to_slice % box.to_row, 0u);
            ASSERT_EQ(box.from_slice % box.from_row, 0u);
        }
        for (std::size_t z = 0; z < box.depth; ++z)
            for (std::size_t y = 0; y < box.height; ++y)
                std::memcpy(box.to + z * box.to_slice + y * box.to_row,
                            box.from + z * box.from_slice + y * box.from_row, box.width);
        ++copies;
    }
    void finish(const Allocation&) override { ++waits; }
    std::uint64_t context_id(const Allocation&) override { return 1; }
    std::uint64_t kernels_at(const Allocation&) override { return has_kernels ? 1 : 0; }
    void copy_runs(const drivers::RunCopy& runs, const Allocation&) override {
        drivers::copy_runs(runs, 0, 1, runs.units());
        ++launches, unit = runs.unit;
    }
    void* allocate(std::size_t bytes, const Allocation&) override {
        if (is_full) throw core::DeviceError("out of memory");
        ++allocations;
        return *lists.insert(std::malloc(bytes)).first;
    }
    void release(void* memory, const Allocation&) noexcept override {
        if (lists.erase(memory) == 1) std::free(memory);
    }
    void identify(Allocation&, const void*) override {}
    drivers::MemoryHandle export_handle(const Allocation&) override { return {}; }
    void* open_handle(const drivers::MemoryHandle&, const Allocation&) override { return nullptr; }
    void close_handle(void*, const Allocation&) override {}
    void* pin(std::size_t bytes, const Allocation&) override { return std::malloc(bytes); }
    void unpin(void* memory) noexcept override { std::free(memory); }

    Allocation at() {
        Allocation all;
        all.driver = this, all.kind = drivers::MemoryKind::device;
        return all;
    }
    bool has_kernels = false, is_full = false;
    int copies = 0, waits = 0, launches = 0, allocations = 0, unit = 0;
    std::set<void*> lists;  // what `allocate` gave and has not got back
};

}  // namespace aureole::preload
