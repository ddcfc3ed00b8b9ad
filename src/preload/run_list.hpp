// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "drivers/copy_runs.kernel.hpp"
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
    drivers::RunCopy copy(std::byte* spread, std::byte* dense, std::int64_t first,
                          std::int64_t bytes) const;
    std::size_t bytes() const { return static_cast<std::size_t>(n_ + 1) * sizeof(drivers::Run); }

  private:
    Allocation at_;
    drivers::Run* runs_;
    std::int64_t n_, size_, extent_;
    std::uint64_t alignment_;  // the lowest bit set is the largest unit
};

/// Lists of datatypes, each made at its first use and kept until the datatype is freed. Those that
/// were not used for longest are given back where all take more than `most` bytes.
class RunLists {
  public:
    explicit RunLists(std::size_t most) : most_(most) {}

    /// The list of a datatype for the device of a buffer. Null where its pieces have to be copied
    /// one by one: the driver has no kernels for the device, the list is too long, or the device
    /// has no memory left.
    std::shared_ptr<const RunList> of(const Datatype& type, const Allocation& at);
    /// Gives back all lists of a datatype.
    void forget(const Datatype& type);

  private:
    /// A datatype, a driver, and where its kernels run.
    using Key = std::tuple<const Datatype*, drivers::Driver*, std::uint64_t>;
    struct Kept {
        std::shared_ptr<const RunList> list;
        std::uint64_t last_use = 0;
    };
    using Lists = std::map<Key, Kept>;

    std::shared_ptr<const RunList> find(const Key& key);
    Lists::iterator remove(Lists::iterator which, std::vector<Kept>& removed);

    std::mutex lock_;
    Lists lists_;
    std::uint64_t uses_ = 0;
    std::size_t bytes_ = 0;
    std::size_t most_;
};

/// The lists of this process.
RunLists& run_lists();

}  // namespace aureole::preload
