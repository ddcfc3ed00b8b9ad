// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aureole::drivers {

/// Kinds of memory as a GPU's driver tells them. The host may touch all but `device`; `unknown` is
/// an address that the driver failed to look up.
enum class MemoryKind : std::uint8_t { host, pinned, device, managed, unknown };

struct RunCopy;
class Driver;
class HostWay;
using DriverSlot = std::atomic<Driver*>;

/// The end of work that was submitted. Without an event all of it has ended.
struct Mark {
    void* event = nullptr;
    std::uint64_t context = 0;  ///< the event's
};

/// What a driver knows about an address.
struct Allocation {
    Driver* driver = nullptr;  ///< null: no driver knows it, so it is memory of the host
    MemoryKind kind = MemoryKind::host;
    int device = 0;
    void* context = nullptr;  ///< CUDA's; null: the primary one of the device
    std::uintptr_t base = 0;
    std::size_t bytes = 0;
    /// Differs from that of any other allocation of this process, also of a freed one.
    std::uint64_t id = 0;
    bool has_handle = false;  ///< other processes can map it by an interprocess handle

    bool on_device() const { return driver != nullptr; }
};

/// By which another process of the node maps an allocation; plain data that can be sent to it.
struct MemoryHandle {
    std::array<std::byte, 64> bytes{};  ///< the driver's
    std::uint64_t id = 0;               ///< of the allocation, in the process that made it
    std::uint64_t size = 0;             ///< of the allocation [bytes]
    std::int32_t device = 0;            ///< in that process
};

/// Rows of bytes in up to three dimensions, at different distances on both sides; an extent of 1 in
/// the dimensions that there are not.
struct BoxCopy {
    std::byte* to = nullptr;
    const std::byte* from = nullptr;
    std::size_t width = 0, height = 1, depth = 1;  ///< [bytes], [rows], [slices]
    std::size_t to_row = 0, to_slice = 0;          ///< distances [bytes]
    std::size_t from_row = 0, from_slice = 0;
};

/// The driver of one vendor's devices, as the program has loaded it; nothing of it is needed to
/// build, and none is loaded that the program does not use. Addresses of devices are never
/// dereferenced, nor are allocations watched: what an address is comes from one call of the driver.
/// Functions throw core::DeviceError, with the driver's own words.
class Driver {
  public:
    virtual ~Driver() = default;

    /// Drivers that this process has loaded by now, in that order; null-terminated. Costs some
    /// 10 ns unless libraries were loaded since the last call.
    static const DriverSlot* all();
    /// The allocation of an address. Memory of the host, pinned or not, has no driver.
    static Allocation look_up(const void* address);

    virtual const char* name() const = 0;
    virtual int devices() = 0;
    /// The vendor's name of a device's model.
    virtual std::string device_name(int device) = 0;
    /// One call of the driver. An address that it does not know yields `host`.
    virtual Allocation attributes(const void* address) = 0;

    /// Copies are made as cudaMemcpy makes them: on the default stream of the device that is
    /// current in this thread (of that of `at`, if there is none), after all work that was
    /// submitted to it and to blocking streams of that device. They end before `finish` returns.
    virtual void copy(void* to, const void* from, std::size_t bytes, const Allocation& at) = 0;
    virtual void copy_box(const BoxCopy& box, const Allocation& at) = 0;
    virtual void finish(const Allocation& at) = 0;
    /// Waits for all work of the current device and of that of `at`.
    virtual void finish_device(const Allocation& at) = 0;

    /// Until `end_aside`, copies and kernels of this thread go to a stream of ours: after all work
    /// that was submitted before, as above, but later work of the default stream does not wait for
    /// them. Drivers that lack what that needs go on with the default stream.
    virtual void begin_aside(const Allocation& at) = 0;
    virtual void end_aside() noexcept = 0;
    /// The end of what this thread's stream has so far. Each mark is given back by `drop`.
    virtual Mark mark(const Allocation& at) = 0;
    virtual bool is_reached(const Mark& mark, const Allocation& at) = 0;
    virtual void wait_for(const Mark& mark, const Allocation& at) = 0;
    virtual void drop(const Mark& mark) noexcept = 0;

    /// A number for the context of an allocation: memory and mappings that were made while it had
    /// another number are gone. 0 if the driver has no contexts or does not tell.
    virtual std::uint64_t context_id(const Allocation& at) = 0;
    /// Where kernels for an allocation run: a number that no other context of the program's has or
    /// had. 0: this driver has no kernels there, as their code is not here or cannot be loaded.
    virtual std::uint64_t kernels_at(const Allocation& at) = 0;
    /// Copies a list of runs by one kernel, in the order of `copy`. `dense` is memory of the same
    /// device, or of `pin`; the list is in memory of `allocate`.
    virtual void copy_runs(const RunCopy& runs, const Allocation& at) = 0;
    /// Memory of the device of `at`: kernels there reach it, and other processes can map it.
    virtual void* allocate(std::size_t bytes, const Allocation& at) = 0;
    virtual void release(void* memory, const Allocation& at) noexcept = 0;

    /// Fills in base, size, id and `has_handle` where `attributes` leaves them out, to save calls.
    virtual void identify(Allocation& of, const void* address) = 0;
    /// The device memory that an address is in now, identified; nothing if it is in none, also if
    /// another thread frees it meanwhile.
    std::optional<Allocation> find(const void* address);
    /// The handle of an identified allocation that has one.
    virtual MemoryHandle export_handle(const Allocation& of) = 0;
    /// Maps another process's allocation for the device of `at`; returns its first address here.
    virtual void* open_handle(const MemoryHandle& handle, const Allocation& at) = 0;
    virtual void close_handle(void* mapped, const Allocation& at) = 0;

    /// Memory of the host that the device of `at` copies from and to at full speed.
    virtual void* pin(std::size_t bytes, const Allocation& at) = 0;
    virtual void unpin(void* memory) noexcept = 0;

    /// Ways by which the processor may reach memory of the device of `at`, best first, not tried.
    virtual std::vector<std::unique_ptr<HostWay>> host_ways(const Allocation& at);
    /// Whether the default stream of `copy` has no work left, nor the streams for which it waits;
    /// false if that is not known, or if it is another device's than that of `at`.
    virtual bool is_idle(const Allocation&) noexcept { return false; }
    /// Tries whether `is_idle` sees work of blocking streams.
    virtual bool idle_is_known(const Allocation&) { return false; }
    /// A file (dma-buf) of whole pages of device memory; the caller closes it. -1: there is none.
    virtual int open_dma_buf(std::uintptr_t, std::size_t, const Allocation&) noexcept { return -1; }
    /// A word of the device of `at`: a store there empties caches between the host and its memory.
    /// Null: the driver tells none.
    virtual volatile std::uint32_t* host_flush_register(const Allocation&) noexcept {
        return nullptr;
    }
};

/// Work of this thread goes aside as long as this lives.
class Aside {
  public:
    explicit Aside(const Allocation& at) : driver_(*at.driver) { driver_.begin_aside(at); }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;
    ~Aside() { driver_.end_aside(); }

  private:
    Driver& driver_;
};

/// CUDA's driver (libcuda.so.1) or HIP's (libamdhip64.so); null if this process has not loaded it.
std::unique_ptr<Driver> open_cuda_driver();
std::unique_ptr<Driver> open_hip_driver();

}  // namespace aureole::drivers
