// SPDX-License-Identifier: Apache-2.0
// CUDA's driver API. Names end in _v2 where cuda.h maps the plain name to that; numbers are those
// of its enumerations.
#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "drivers/copy_runs.kernel.hpp"
#include "drivers/copy_runs_ptx.hpp"
#include "drivers/driver.hpp"
#include "drivers/host_mapping.hpp"
#include "drivers/idle_trial.hpp"
#include "drivers/library.hpp"
#include "drivers/side_streams.hpp"

namespace aureole::drivers {

namespace {

using Address = unsigned long long;

enum PointerAttribute : int {
    context_of = 1,
    memory_type = 2,
    buffer_id = 7,
    is_managed = 8,
    device_ordinal = 9,
    has_legacy_handle = 10,
    range_start = 11,
    range_size = 12
};
constexpr unsigned type_host = 1, type_device = 2, type_unified = 4;
constexpr unsigned portable = 1;
/// The legacy one: it waits for all blocking streams, as cudaMemcpy does.
constexpr void* default_stream = nullptr;
constexpr int not_initialized = 3, deinitialized = 4, no_device = 100, not_ready = 600;
constexpr unsigned non_blocking = 1, without_timing = 2;
/// Where this thread submits its work.
thread_local void* stream = default_stream;

/// CUipcMemHandle, which is passed by value.
struct HandleBytes {
    std::array<std::byte, 64> bytes;
};
constexpr unsigned enable_peer_access = 1;
constexpr int dma_buf_supported = 124, dma_buf_file = 1;

/// CUDA_MEMCPY3D_v2.
struct Copy3d {
    std::size_t from_x = 0, from_y = 0, from_z = 0, from_lod = 0;
    unsigned from_type = type_unified;
    const void* from_host = nullptr;
    Address from = 0;
    void *from_array = nullptr, *reserved0 = nullptr;
    std::size_t from_pitch = 0, from_height = 0;
    std::size_t to_x = 0, to_y = 0, to_z = 0, to_lod = 0;
    unsigned to_type = type_unified;
    void* to_host = nullptr;
    Address to = 0;
    void *to_array = nullptr, *reserved1 = nullptr;
    std::size_t to_pitch = 0, to_height = 0;
    std::size_t width = 0, height = 0, depth = 0;
};

/// Functions of libcuda.so.1.
struct Functions {
    int (*get_attributes)(unsigned, const int*, void**, Address);
    int (*get_error_name)(int, const char**);
    int (*get_error_string)(int, const char**);
    int (*count_devices)(int*);
    int (*get_device_name)(char*, int, int);
    int (*get_context)(void**);
    int (*push_context)(void*);
    int (*pop_context)(void**);
    int (*get_context_id)(void*, unsigned long long*);
    int (*retain_primary)(void**, int);
    int (*finish_stream)(void*);
    int (*finish_context)();
    int (*copy)(Address, Address, std::size_t, void*);
    int (*copy_3d)(const Copy3d*, void*);
    int (*get_handle)(std::byte*, Address);
    int (*open_handle)(Address*, HandleBytes, unsigned);
    int (*close_handle)(Address);
    int (*allocate)(Address*, std::size_t);
    int (*release)(Address);
    int (*pin)(void**, std::size_t, unsigned);
    int (*unpin)(void*);
    int (*load_module)(void**, const void*);
    int (*get_function)(void**, void*, const char*);
    int (*wait_event)(void*, void*, unsigned);
    int (*create_event)(void**, unsigned);
    int (*record_event)(void*, void*);
    int (*query_event)(void*);
    int (*finish_event)(void*);
    int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void*, void**, void**);
    int (*get_attribute)(int*, int, int);
    int (*get_range_handle)(void*, Address, std::size_t, int, unsigned long long);
    StreamFunctions streams;

    explicit Functions(const DriverLibrary& library) {
        library.find("cuPointerGetAttributes", get_attributes);
        library.find("cuGetErrorName", get_error_name);
        library.find("cuGetErrorString", get_error_string);
        library.find("cuDeviceGetCount", count_devices);
        library.find("cuDeviceGetName", get_device_name);
        library.find("cuCtxGetCurrent", get_context);
        library.find("cuCtxPushCurrent_v2", push_context);
        library.find("cuCtxPopCurrent_v2", pop_context);
        library.find_any("cuCtxGetId", get_context_id);  // since CUDA 12
        library.find("cuDevicePrimaryCtxRetain", retain_primary);
        library.find("cuStreamSynchronize", finish_stream);
        library.find("cuCtxSynchronize", finish_context);
        library.find("cuMemcpyAsync", copy);
        library.find("cuMemcpy3DAsync_v2", copy_3d);
        library.find("cuIpcGetMemHandle", get_handle);
        library.find("cuIpcOpenMemHandle_v2", open_handle);
        library.find("cuIpcCloseMemHandle", close_handle);
        library.find("cuMemAlloc_v2", allocate);
        library.find("cuMemFree_v2", release);
        library.find("cuMemHostAlloc", pin);
        library.find("cuMemFreeHost", unpin);
        library.find("cuModuleLoadData", load_module);
        library.find("cuModuleGetFunction", get_function);
        library.find("cuLaunchKernel", launch);
        library.find("cuStreamCreate", streams.create);
        library.find("cuStreamWaitEvent", wait_event);
        library.find("cuEventCreate", create_event);
        library.find("cuEventRecord", record_event);
        library.find("cuEventQuery", query_event);
        library.find("cuEventSynchronize", finish_event);
        library.find("cuDeviceGetAttribute", get_attribute);
        library.find_any("cuMemGetHandleForAddressRange", get_range_handle);  // since CUDA 11.7
        library.find_any("cuStreamDestroy_v2", streams.destroy);
        library.find_any("cuStreamQuery", streams.query);
        library.find_any("cuLaunchHostFunc", streams.launch_host);
        streams.finish = finish_stream;
    }
};

class CudaDriver final : public Driver {
  public:
    explicit CudaDriver(const DriverLibrary& library) : cuda_(library) {}

    const char* name() const override { return "CUDA"; }
    int devices() override {
        int n = 0;
        return cuda_.count_devices(&n) == 0 ? n : 0;
    }
    std::string device_name(int device) override {
        std::array<char, 256> found{};
        check("cuDeviceGetName", cuda_.get_device_name(found.data(), 256, device));
        return found.data();
    }
    Allocation attributes(const void* address) override;
    void copy(void* to, const void* from, std::size_t bytes, const Allocation& at) override {
        const Current current(*this, at, Wanted::any);
        check("cuMemcpyAsync", cuda_.copy(as_address(to), as_address(from), bytes, stream));
    }
    void copy_box(const BoxCopy& box, const Allocation& at) override;
    void finish(const Allocation& at) override {
        const Current current(*this, at, Wanted::any);
        check("cuStreamSynchronize", cuda_.finish_stream(stream));
    }
    void finish_device(const Allocation& at) override {
        for (const Wanted which : {Wanted::any, Wanted::own}) {
            const Current current(*this, at, which);
            check("cuCtxSynchronize", cuda_.finish_context());
        }
    }
    void begin_aside(const Allocation& at) override;
    void end_aside() noexcept override { stream = default_stream; }
    Mark mark(const Allocation& at) override;
    bool is_reached(const Mark& mark, const Allocation& at) override {
        if (mark.event == nullptr) return true;
        const Current current(*this, at, Wanted::any);
        const int error = cuda_.query_event(mark.event);
        if (error == not_ready) return false;
        check("cuEventQuery", error);
        return true;
    }
    void wait_for(const Mark& mark, const Allocation& at) override {
        if (mark.event == nullptr) return;
        const Current current(*this, at, Wanted::any);
        check("cuEventSynchronize", cuda_.finish_event(mark.event));
    }
    void drop(const Mark& mark) noexcept override { sides_.give_back(mark); }
    std::uint64_t context_id(const Allocation& at) override;
    std::uint64_t kernels_at(const Allocation& at) override;
    void copy_runs(const RunCopy& runs, const Allocation& at) override;
    void* allocate(std::size_t bytes, const Allocation& at) override {
        const Current current(*this, at, Wanted::own);
        Address memory = 0;
        check("cuMemAlloc", cuda_.allocate(&memory, bytes));
        return reinterpret_cast<void*>(memory);
    }
    void release(void* memory, const Allocation& at) noexcept override {
        try {
            const Current current(*this, at, Wanted::own);
            cuda_.release(as_address(memory));
        } catch (const core::DeviceError&) {  // the context is gone, and its memory with it
        }
    }
    void identify(Allocation&, const void*) override {}  // one query tells all
    MemoryHandle export_handle(const Allocation& of) override {
        const Current current(*this, of, Wanted::own);
        MemoryHandle handle;
        check("cuIpcGetMemHandle", cuda_.get_handle(handle.bytes.data(), of.base));
        handle.id = of.id, handle.size = of.bytes, handle.device = of.device;
        return handle;
    }
    void* open_handle(const MemoryHandle& handle, const Allocation& at) override {
        const Current current(*this, at, Wanted::own);
        Address mapped = 0;
        check("cuIpcOpenMemHandle", cuda_.open_handle(&mapped, {handle.bytes}, enable_peer_access));
        return reinterpret_cast<void*>(mapped);
    }
    void close_handle(void* mapped, const Allocation& at) override {
        const Current current(*this, at, Wanted::own);
        check("cuIpcCloseMemHandle", cuda_.close_handle(as_address(mapped)));
    }
    void* pin(std::size_t bytes, const Allocation& at) override {
        const Current current(*this, at, Wanted::any);
        void* memory = nullptr;
        check("cuMemHostAlloc", cuda_.pin(&memory, bytes, portable));
        return memory;
    }
    void unpin(void* memory) noexcept override { cuda_.unpin(memory); }
    std::vector<std::unique_ptr<HostWay>> host_ways(const Allocation& at) override;
    bool is_idle(const Allocation& at) noexcept override;
    bool idle_is_known(const Allocation& at) override {
        const Current current(*this, at, Wanted::own);
        return query_sees_blocking_streams(cuda_.streams);
    }
    int open_dma_buf(std::uintptr_t begin, std::size_t bytes,
                     const Allocation& of) noexcept override;

  private:
    enum class Wanted { any, own };
    /// Makes the context of an allocation current where there is none (`any`), or another (`own`).
    class Current {
      public:
        Current(CudaDriver& driver, const Allocation& at, Wanted which) : driver_(driver) {
            void* now = nullptr;
            driver_.check("cuCtxGetCurrent", driver_.cuda_.get_context(&now));
            if (now != nullptr && which == Wanted::any) return;
            void* const wanted = driver_.context(at);
            if (now == wanted) return;
            driver_.check("cuCtxPushCurrent", driver_.cuda_.push_context(wanted));
            is_pushed_ = true;
        }
        ~Current() {
            void* ours = nullptr;
            if (is_pushed_) driver_.cuda_.pop_context(&ours);
        }
        Current(const Current&) = delete;
        Current& operator=(const Current&) = delete;

      private:
        CudaDriver& driver_;
        bool is_pushed_ = false;
    };

    static Address as_address(const void* p) { return reinterpret_cast<Address>(p); }
    void* context(const Allocation& at);
    std::uint64_t current_id();
    void check(const char* function, int error) {
        if (error == 0) return;
        const char *name = nullptr, *text = nullptr;
        cuda_.get_error_name(error, &name), cuda_.get_error_string(error, &text);
        throw core::DeviceError(std::string(function) + " failed",
                                std::string(name ? name : "error " + std::to_string(error)) +
                                    (text ? std::string(": ") + text : ""),
                                "");
    }

    Functions cuda_;
    std::mutex lock_;
    std::map<int, void*> primary_contexts_;
    std::mutex kernels_lock_;                 // taken before the other one
    std::map<std::uint64_t, void*> kernels_;  // by context; null where they cannot be loaded
    SideStreams sides_;
};

/// The number of the current context; 0 if the driver does not tell.
std::uint64_t CudaDriver::current_id() {
    void* now = nullptr;
    unsigned long long id = 0;
    check("cuCtxGetCurrent", cuda_.get_context(&now));
    const bool is_told = cuda_.get_context_id != nullptr && cuda_.get_context_id(now, &id) == 0;
    return is_told ? id + 1 : 0;
}

void CudaDriver::begin_aside(const Allocation& at) {
    const Current current(*this, at, Wanted::any);
    const std::uint64_t id = current_id();
    if (id == 0) return;  // a stream of a context that is gone could not be told from this one's
    bool is_idle = false;
    const auto side = sides_.of(id, [&](SideStreams::Side& made) {
        if (made.stream == nullptr)
            check("cuStreamCreate", cuda_.streams.create(&made.stream, non_blocking));
        if (made.event == nullptr)
            check("cuEventCreate", cuda_.create_event(&made.event, without_timing));
        is_idle = SideStreams::is_idle(made, cuda_.streams);
    });
    if (!is_idle) {
        check("cuEventRecord", cuda_.record_event(side.event, default_stream));
        check("cuStreamWaitEvent", cuda_.wait_event(side.stream, side.event, 0));
    }
    stream = side.stream;
}

Mark CudaDriver::mark(const Allocation& at) {
    const Current current(*this, at, Wanted::any);
    Mark made{nullptr, current_id()};
    if (made.context == 0) {
        check("cuStreamSynchronize", cuda_.finish_stream(stream));
        return made;
    }
    made.event = sides_.take_event(made.context);
    if (made.event == nullptr)
        check("cuEventCreate", cuda_.create_event(&made.event, without_timing));
    if (const int error = cuda_.record_event(made.event, stream); error != 0) {
        sides_.give_back(made);
        check("cuEventRecord", error);
    }
    return made;
}

Allocation CudaDriver::attributes(const void* address) {
    static constexpr int asked[] = {memory_type,    is_managed,  context_of, buffer_id,
                                    device_ordinal, range_start, range_size, has_legacy_handle};
    Allocation found;
    unsigned type = 0, managed = 0, has_handle = 0;
    unsigned long long id = 0, start = 0;
    void* answers[] = {&type,         &managed, &found.context, &id,
                       &found.device, &start,   &found.bytes,   &has_handle};
    static_assert(std::size(asked) == std::size(answers));
    const int error = cuda_.get_attributes(std::size(asked), asked, answers, as_address(address));
    // A program that has not begun to use the driver, or is about to end, has no device memory.
    if (error == not_initialized || error == deinitialized || error == no_device) return {};
    check("cuPointerGetAttributes", error);
    found.driver = this;
    found.id = id, found.base = start, found.has_handle = has_handle != 0;
    if (managed != 0)
        found.kind = MemoryKind::managed;
    else if (type == type_device)
        found.kind = MemoryKind::device;
    else if (type == type_host)
        found.kind = MemoryKind::pinned;
    else
        return {};
    return found;
}

void CudaDriver::copy_box(const BoxCopy& box, const Allocation& at) {
    Copy3d copy;
    copy.from = as_address(box.from), copy.to = as_address(box.to);
    copy.width = box.width, copy.height = box.height, copy.depth = box.depth;
    copy.from_pitch = box.from_row, copy.to_pitch = box.to_row;
    copy.from_height = box.depth > 1 ? box.from_slice / box.from_row : box.height;
    copy.to_height = box.depth > 1 ? box.to_slice / box.to_row : box.height;
    const Current current(*this, at, Wanted::any);
    check("cuMemcpy3DAsync", cuda_.copy_3d(&copy, stream));
}

std::uint64_t CudaDriver::kernels_at(const Allocation& at) {
    const std::uint64_t id = context_id(at);
    const std::lock_guard guard(kernels_lock_);
    const auto [found, is_new] = kernels_.try_emplace(id, nullptr);
    if (is_new) {
        const Current current(*this, at, Wanted::own);
        void *module = nullptr, *kernel = nullptr;
        if (cuda_.load_module(&module, copy_runs_ptx) == 0 &&
            cuda_.get_function(&kernel, module, "aureole_copy_runs") == 0)
            found->second = kernel;
    }
    return found->second != nullptr ? id : 0;
}

void CudaDriver::copy_runs(const RunCopy& runs, const Allocation& at) {
    constexpr std::int64_t threads = 256, most_blocks = 1 << 14;  // more would wait for their turn
    const std::uint64_t id = context_id(at);
    void *now = nullptr, *kernel = nullptr;
    check("cuCtxGetCurrent", cuda_.get_context(&now));
    {
        const std::lock_guard guard(kernels_lock_);
        kernel = kernels_.at(id);
    }
    // A kernel runs where its data are. Copies are in the order of the current context's stream.
    const bool is_elsewhere = now != nullptr && now != context(at);
    if (is_elsewhere) check("cuStreamSynchronize", cuda_.finish_stream(stream));
    void* const used = is_elsewhere ? default_stream : stream;
    const Current current(*this, at, Wanted::own);
    const auto blocks =
        std::clamp<std::int64_t>((runs.units() + threads - 1) / threads, 1, most_blocks);
    RunCopy parameter = runs;
    void* parameters[] = {&parameter};
    check("cuLaunchKernel", cuda_.launch(kernel, static_cast<unsigned>(blocks), 1, 1, threads, 1, 1,
                                         0, used, parameters, nullptr));
    if (is_elsewhere) check("cuStreamSynchronize", cuda_.finish_stream(used));
}

std::uint64_t CudaDriver::context_id(const Allocation& at) {
    void* const where = context(at);
    unsigned long long id = 0;
    if (cuda_.get_context_id != nullptr && cuda_.get_context_id(where, &id) == 0) return id + 1;
    return reinterpret_cast<std::uintptr_t>(where);  // may be that of a context that is gone
}

void* CudaDriver::context(const Allocation& at) {
    if (at.context != nullptr) return at.context;
    const std::lock_guard guard(lock_);
    void*& primary = primary_contexts_[at.device];
    if (primary == nullptr)
        check("cuDevicePrimaryCtxRetain", cuda_.retain_primary(&primary, at.device));
    return primary;
}

std::vector<std::unique_ptr<HostWay>> CudaDriver::host_ways(const Allocation& at) {
    std::vector<std::unique_ptr<HostWay>> ways;
    if (auto gdrcopy = open_gdrcopy()) ways.push_back(std::move(gdrcopy));
    int has_files = 0;
    if (cuda_.get_range_handle != nullptr &&
        cuda_.get_attribute(&has_files, dma_buf_supported, at.device) == 0 && has_files != 0)
        ways.push_back(dma_buf_way());
    return ways;
}

bool CudaDriver::is_idle(const Allocation& at) noexcept try {
    void* now = nullptr;
    if (cuda_.streams.query == nullptr || cuda_.get_context(&now) != 0) return false;
    if (now != nullptr && now != at.context) return false;
    const Current current(*this, at, Wanted::any);
    return cuda_.streams.query(default_stream) == 0;
} catch (const core::DeviceError&) {
    return false;
}

int CudaDriver::open_dma_buf(std::uintptr_t begin, std::size_t bytes, const Allocation& of) noexcept
    try {
    const Current current(*this, of, Wanted::own);
    int file = -1;
    const int error = cuda_.get_range_handle(&file, begin, bytes, dma_buf_file, 0);
    return error == 0 ? file : -1;
} catch (const core::DeviceError&) {
    return -1;
}

}  // namespace

std::unique_ptr<Driver> open_cuda_driver() {
    const DriverLibrary library({"libcuda.so.1"});
    if (!library.is_open()) return nullptr;
    try {
        return std::make_unique<CudaDriver>(library);
    } catch (const core::DeviceError&) {
        return nullptr;  // too old for what is needed here: as if there were none
    }
}

}  // namespace aureole::drivers
