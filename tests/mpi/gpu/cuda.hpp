// SPDX-License-Identifier: Apache-2.0
// CUDA's driver for the programs that measure it: loaded at run time, as nothing of CUDA is there
// to build.
#pragma once

#include <cstddef>

namespace costs {

using Address = unsigned long long;  // CUdeviceptr

/// A handle of memory between processes; passed by value.
struct Handle {
    char bytes[64];
};

/// A call of the driver that returned an error.
struct Failed {
    const char* function;
    int code;
};

/// Throws Failed unless the error is 0.
void must(const char* function, int error);

/// Functions of the driver by their names without a version.
struct Cuda {
    int (*Init)(unsigned);
    int (*DriverGetVersion)(int*);
    int (*DeviceGetName)(char*, int, int);
    int (*DeviceGetAttribute)(int*, int, int);
    int (*DevicePrimaryCtxRetain)(void**, int);
    int (*CtxSetCurrent)(void*);
    int (*MemAlloc)(Address*, std::size_t);
    int (*MemFree)(Address);
    int (*MemHostAlloc)(void**, std::size_t, unsigned);
    int (*MemcpyAsync)(Address, Address, std::size_t, void*);
    int (*StreamSynchronize)(void*);
    int (*PointerGetAttributes)(unsigned, const int*, void**, Address);
    int (*IpcGetMemHandle)(Handle*, Address);
    int (*IpcOpenMemHandle)(Address*, Handle, unsigned);
    int (*IpcCloseMemHandle)(Address);
    int (*ModuleLoadData)(void**, const void*);
    int (*ModuleGetFunction)(void**, void*, const char*);
    int (*LaunchKernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        void*, void**, void**);
    bool is_emulated;  ///< by the driver double
};

/// The driver, with device 0 current; loaded and begun at the first call of a process.
const Cuda& cuda();

/// Device memory, given back at the end of a scope.
class Memory {
  public:
    explicit Memory(std::size_t bytes);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    Address at() const { return at_; }

  private:
    Address at_ = 0;
};

/// A copy of any direction, which has ended.
void copy(Address to, Address from, std::size_t bytes);
void copy(Address to, const void* from, std::size_t bytes);
void copy(void* to, Address from, std::size_t bytes);

}  // namespace costs
