// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "comm/memory/copy_runs.kernel.hpp"
#include "preload/datatype.hpp"
#include "preload/where.hpp"

namespace aureole::preload {

/// The runs of one element of a datatype in memory of a device, where a kernel reads them.
class RunList {
  public:
    /// Throws core::DeviceError if the device has no memory for it.
    RunList(const Datatype& type, std::int64_t n, const Allocation& at);
    RunList(const RunList&) = delete;
    RunList& operator=(const RunList&) = delete;
    ~RunList();

    /// A copy of the bytes from `first` on between `spread`, where elements are, and `dense`.
    comm::RunCopy copy(std::byte* spread, std::byte* dense, std::int64_t first,
                       std::int64_t bytes) const;
    std::size_t bytes() const { return static_cast<std::size_t>(n_ + 1) * sizeof(comm::Run); }

    /// Of all lists in memory of devices; those that were not used for longest are given back.
    static constexpr std::size_t most_bytes = std::size_t{256} << 20;

  private:
    comm::Driver* driver_;
    comm::Run* runs_;
    std::int64_t n_, size_, extent_;
    std::uint64_t alignment_;  // the lowest bit set is the largest unit
};

/// The list of a datatype for the device of a buffer, made at its first use. Null where its pieces
/// are better copied one by one: the driver has no kernels for the device, the list is too long, or
/// the device has no memory left.
std::shared_ptr<const RunList> run_list(const Datatype& type, const Allocation& at);
/// Gives back all lists of a datatype.
void forget_run_lists(const Datatype& type);

}  // namespace aureole::preload
