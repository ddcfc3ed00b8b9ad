// SPDX-License-Identifier: Apache-2.0
// HIP's runtime, version 6 and later; numbers are those of its enumerations.
#include <array>

#include "drivers/driver.hpp"
#include "drivers/host_mapping.hpp"
#include "drivers/idle_trial.hpp"
#include "drivers/library.hpp"
#include "drivers/side_streams.hpp"

namespace aureole::drivers {

namespace {

enum MemoryType : int { type_host = 1, type_device = 2, type_managed = 3 };
constexpr int kind_default = 4;  // the runtime finds the direction by the addresses
constexpr unsigned portable = 1;
/// It waits for all blocking streams, as hipMemcpy does.
constexpr void* default_stream = nullptr;
constexpr int invalid_value = 1, not_initialized = 3, deinitialized = 4, no_device = 100,
              not_ready = 600;
constexpr unsigned non_blocking = 1, without_timing = 2;
/// Where this thread submits its work.
thread_local void* stream = default_stream;

/// hipIpcMemHandle_t, which is passed by value.
struct HandleBytes {
    std::array<std::byte, 64> bytes;
};
constexpr unsigned enable_peer_access = 1;
constexpr int buffer_id = 7;
constexpr int is_large_bar = 10011, flush_register = 10005;

/// hipPointerAttribute_t.
struct PointerAttributes {
    int type = 0, device = 0;
    void *device_pointer = nullptr, *host_pointer = nullptr;
    int is_managed = 0;
    unsigned flags = 0;
};
struct Pitched {
    const void* at = nullptr;
    std::size_t pitch = 0, x = 0, y = 0;
};
struct Position {
    std::size_t x = 0, y = 0, z = 0;
};
/// hipMemcpy3DParms.
struct Copy3d {
    void* from_array = nullptr;
    Position from_position;
    Pitched from;
    void* to_array = nullptr;
    Position to_position;
    Pitched to;
    Position extent;
    int kind = kind_default;
};

/// Functions of libamdhip64.so.
struct Functions {
    int (*get_attributes)(PointerAttributes*, const void*);
    int (*peek_last_error)();
    int (*get_last_error)();
    const char* (*error_name)(int);
    const char* (*error_string)(int);
    int (*count_devices)(int*);
    int (*get_device_name)(char*, int, int);
    int (*get_device)(int*);
    int (*set_device)(int);
    int (*finish_stream)(void*);
    int (*finish_device)();
    int (*copy)(void*, const void*, std::size_t, int, void*);
    int (*copy_3d)(const Copy3d*, void*);
    int (*get_range)(void**, std::size_t*, const void*);
    int (*get_attribute)(void*, int, const void*);
    int (*get_handle)(std::byte*, void*);
    int (*open_handle)(void**, HandleBytes, unsigned);
    int (*close_handle)(void*);
    int (*allocate)(void**, std::size_t);
    int (*release)(void*);
    int (*pin)(void**, std::size_t, unsigned);
    int (*unpin)(void*);
    int (*wait_event)(void*, void*, unsigned);
    int (*create_event)(void**, unsigned);
    int (*record_event)(void*, void*);
    int (*query_event)(void*);
    int (*finish_event)(void*);
    int (*get_device_attribute)(int*, int, int);
    StreamFunctions streams;

    explicit Functions(const DriverLibrary& library) {
        library.find("hipPointerGetAttributes", get_attributes);
        library.find("hipPeekAtLastError", peek_last_error);
        library.find("hipGetLastError", get_last_error);
        library.find("hipGetErrorName", error_name);
        library.find("hipGetErrorString", error_string);
        library.find("hipGetDeviceCount", count_devices);
        library.find("hipDeviceGetName", get_device_name);
        library.find("hipGetDevice", get_device);
        library.find("hipSetDevice", set_device);
        library.find("hipStreamSynchronize", finish_stream);
        library.find("hipDeviceSynchronize", finish_device);
        library.find("hipMemcpyAsync", copy);
        library.find("hipMemcpy3DAsync", copy_3d);
        library.find("hipMemGetAddressRange", get_range);
        library.find("hipPointerGetAttribute", get_attribute);
        library.find("hipIpcGetMemHandle", get_handle);
        library.find("hipIpcOpenMemHandle", open_handle);
        library.find("hipIpcCloseMemHandle", close_handle);
        library.find("hipMalloc", allocate);
        library.find("hipFree", release);
        library.find("hipHostMalloc", pin);
        library.find("hipHostFree", unpin);
        library.find("hipStreamCreateWithFlags", streams.create);
        library.find("hipStreamWaitEvent", wait_event);
        library.find("hipEventCreateWithFlags", create_event);
        library.find("hipEventRecord", record_event);
        library.find("hipEventQuery", query_event);
        library.find("hipEventSynchronize", finish_event);
        library.find("hipDeviceGetAttribute", get_device_attribute);
        library.find_any("hipStreamDestroy", streams.destroy);
        library.find_any("hipStreamQuery", streams.query);
        library.find_any("hipLaunchHostFunc", streams.launch_host);
        streams.finish = finish_stream;
    }
};

class HipDriver final : public Driver {
  public:
    explicit HipDriver(const DriverLibrary& library) : hip_(library) {}

    const char* name() const override { return "HIP"; }
    int devices() override {
        int n = 0;
        return hip_.count_devices(&n) == 0 ? n : 0;
    }
    std::string device_name(int device) override {
        std::array<char, 256> found{};
        check("hipDeviceGetName", hip_.get_device_name(found.data(), 256, device));
        return found.data();
    }
    Allocation attributes(const void* address) override {
        PointerAttributes of;
        const int before = hip_.peek_last_error();
        if (const int error = hip_.get_attributes(&of, address); error != 0) {
            if (before == 0) hip_.get_last_error();  // not an error of the program's
            if (error == invalid_value || error == not_initialized || error == deinitialized ||
                error == no_device)
                return {};  // memory of the host
            check("hipPointerGetAttributes", error);
        }
        Allocation found;
        found.driver = this, found.device = of.device;
        if (of.is_managed != 0 || of.type == type_managed)
            found.kind = MemoryKind::managed;
        else if (of.type == type_device)
            found.kind = MemoryKind::device;
        else if (of.type == type_host)
            found.kind = MemoryKind::pinned;
        else
            return {};
        return found;
    }
    void copy(void* to, const void* from, std::size_t bytes, const Allocation&) override {
        check("hipMemcpyAsync", hip_.copy(to, from, bytes, kind_default, stream));
    }
    void copy_box(const BoxCopy& box, const Allocation& at) override;
    void finish(const Allocation&) override {
        check("hipStreamSynchronize", hip_.finish_stream(stream));
    }
    void finish_device(const Allocation& at) override {
        check("hipDeviceSynchronize", hip_.finish_device());
        const Current current(*this, at);
        check("hipDeviceSynchronize", hip_.finish_device());
    }
    void begin_aside(const Allocation& at) override;
    void end_aside() noexcept override { stream = default_stream; }
    Mark mark(const Allocation& at) override;
    bool is_reached(const Mark& mark, const Allocation&) override {
        const Silent silent(*this);
        const int error = hip_.query_event(mark.event);
        if (error == not_ready) return false;
        check("hipEventQuery", error);
        return true;
    }
    void wait_for(const Mark& mark, const Allocation&) override {
        check("hipEventSynchronize", hip_.finish_event(mark.event));
    }
    void drop(const Mark& mark) noexcept override { sides_.give_back(mark); }
    std::uint64_t context_id(const Allocation&) override { return 0; }
    // Compiled kernels differ by processor, and need hipcc: none are here.
    std::uint64_t kernels_at(const Allocation&) override { return 0; }
    void copy_runs(const RunCopy&, const Allocation&) override {}
    void identify(Allocation& of, const void* address) override {
        void* base = nullptr;
        check("hipMemGetAddressRange", hip_.get_range(&base, &of.bytes, address));
        of.base = reinterpret_cast<std::uintptr_t>(base);
        check("hipPointerGetAttribute", hip_.get_attribute(&of.id, buffer_id, address));
        of.has_handle = of.kind == MemoryKind::device;
    }
    MemoryHandle export_handle(const Allocation& of) override {
        const Current current(*this, of);
        MemoryHandle handle;
        check("hipIpcGetMemHandle",
              hip_.get_handle(handle.bytes.data(), reinterpret_cast<void*>(of.base)));
        handle.id = of.id, handle.size = of.bytes, handle.device = of.device;
        return handle;
    }
    void* open_handle(const MemoryHandle& handle, const Allocation& at) override {
        const Current current(*this, at);
        void* mapped = nullptr;
        check("hipIpcOpenMemHandle", hip_.open_handle(&mapped, {handle.bytes}, enable_peer_access));
        return mapped;
    }
    void close_handle(void* mapped, const Allocation& at) override {
        const Current current(*this, at);
        check("hipIpcCloseMemHandle", hip_.close_handle(mapped));
    }
    void* allocate(std::size_t bytes, const Allocation& at) override {
        const Current current(*this, at);
        void* memory = nullptr;
        check("hipMalloc", hip_.allocate(&memory, bytes));
        return memory;
    }
    void release(void* memory, const Allocation& at) noexcept override {
        try {
            const Current current(*this, at);
            hip_.release(memory);
        } catch (const core::DeviceError&) {  // the driver is about to end, and its memory with it
        }
    }
    void* pin(std::size_t bytes, const Allocation&) override {
        void* memory = nullptr;
        check("hipHostMalloc", hip_.pin(&memory, bytes, portable));
        return memory;
    }
    void unpin(void* memory) noexcept override { hip_.unpin(memory); }
    std::vector<std::unique_ptr<HostWay>> host_ways(const Allocation& at) override {
        const Silent silent(*this);
        int is_large = 0;
        std::vector<std::unique_ptr<HostWay>> ways;
        if (hip_.get_device_attribute(&is_large, is_large_bar, at.device) == 0 && is_large != 0)
            ways.push_back(large_bar_way());
        return ways;
    }
    bool is_idle(const Allocation& at) noexcept override {
        const Silent silent(*this);
        int now = -1;
        return hip_.streams.query != nullptr && hip_.get_device(&now) == 0 && now == at.device &&
               hip_.streams.query(default_stream) == 0;
    }
    bool idle_is_known(const Allocation& at) override {
        const Current current(*this, at);
        const Silent silent(*this);
        return query_sees_blocking_streams(hip_.streams);
    }
    volatile std::uint32_t* host_flush_register(const Allocation& at) noexcept override {
        const Silent silent(*this);
        std::uint32_t* word = nullptr;  // its address takes the place of the number
        const int error =
            hip_.get_device_attribute(reinterpret_cast<int*>(&word), flush_register, at.device);
        return error == 0 ? word : nullptr;
    }

  private:
    /// Forgets the error that "not ready" and the like leave behind, unless the program has one.
    class Silent {
      public:
        explicit Silent(HipDriver& driver)
            : driver_(driver), before_(driver.hip_.peek_last_error()) {}
        ~Silent() {
            if (before_ == 0) driver_.hip_.get_last_error();
        }
        Silent(const Silent&) = delete;
        Silent& operator=(const Silent&) = delete;

      private:
        HipDriver& driver_;
        int before_;
    };

    /// Makes the device of an allocation current where another one is.
    class Current {
      public:
        Current(HipDriver& driver, const Allocation& at) : driver_(driver) {
            driver_.check("hipGetDevice", driver_.hip_.get_device(&before_));
            is_changed_ = before_ != at.device;
            if (is_changed_) driver_.check("hipSetDevice", driver_.hip_.set_device(at.device));
        }
        ~Current() {
            if (is_changed_) driver_.hip_.set_device(before_);
        }
        Current(const Current&) = delete;
        Current& operator=(const Current&) = delete;

      private:
        HipDriver& driver_;
        int before_ = 0;
        bool is_changed_ = false;
    };

    void check(const char* function, int error) {
        if (error == 0) return;
        throw core::DeviceError(
            std::string(function) + " failed",
            std::string(hip_.error_name(error)) + ": " + hip_.error_string(error), "");
    }

    std::uint64_t current_device() {
        int now = 0;
        check("hipGetDevice", hip_.get_device(&now));
        return static_cast<std::uint64_t>(now);
    }

    Functions hip_;
    SideStreams sides_;
};

void HipDriver::begin_aside(const Allocation&) {
    const std::uint64_t device = current_device();
    for (const bool is_first : {true, false}) {
        const auto side = sides_.of(device, [this](SideStreams::Side& made) {
            if (made.stream == nullptr)
                check("hipStreamCreateWithFlags", hip_.streams.create(&made.stream, non_blocking));
            if (made.event == nullptr)
                check("hipEventCreateWithFlags", hip_.create_event(&made.event, without_timing));
        });
        int error = hip_.record_event(side.event, default_stream);
        if (error == 0) error = hip_.wait_event(side.stream, side.event, 0);
        if (error == 0) {
            stream = side.stream;
            return;
        }
        sides_.forget(device);  // the program may have reset its device
        if (!is_first) check("hipStreamWaitEvent", error);
    }
}

Mark HipDriver::mark(const Allocation&) {
    Mark made{nullptr, current_device()};
    made.event = sides_.take_event(made.context);
    if (made.event == nullptr)
        check("hipEventCreateWithFlags", hip_.create_event(&made.event, without_timing));
    if (const int error = hip_.record_event(made.event, stream); error != 0) {
        sides_.give_back(made);
        check("hipEventRecord", error);
    }
    return made;
}

void HipDriver::copy_box(const BoxCopy& box, const Allocation&) {
    Copy3d copy;
    copy.extent = {box.width, box.height, box.depth};
    copy.from = {box.from, box.from_row, box.width,
                 box.depth > 1 ? box.from_slice / box.from_row : box.height};
    copy.to = {box.to, box.to_row, box.width,
               box.depth > 1 ? box.to_slice / box.to_row : box.height};
    check("hipMemcpy3DAsync", hip_.copy_3d(&copy, stream));
}

}  // namespace

std::unique_ptr<Driver> open_hip_driver() {
    const DriverLibrary library({"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6"});
    if (!library.is_open()) return nullptr;
    try {
        return std::make_unique<HipDriver>(library);
    } catch (const core::DeviceError&) {
        return nullptr;  // too old for what is needed here: as if there were none
    }
}

}  // namespace aureole::drivers
