// SPDX-License-Identifier: Apache-2.0
// Kernels that libaureole_mpi.so brings: the code is that of the devices, run on the host.
#include <cstring>

#include "drivers/copy_runs.kernel.hpp"
#include "machine/kernels.hpp"
#include "machine/memory.hpp"

namespace aureole::emulated {
namespace {

template <class T>
void to_host(T*& pointer) {
    pointer = static_cast<T*>(host_address(reinterpret_cast<Address>(pointer)));
}

/// The same for an address to which offsets are added: it may lie before the first allocation.
void origin_to_host(std::byte*& pointer) {
    constexpr Address most = Address{1} << 30;  // no memory of the host is so near to the devices'
    const auto at = reinterpret_cast<Address>(pointer);
    if (device_range.holds(at) || device_range.holds(at + most))
        pointer = reinterpret_cast<std::byte*>(device_range.alias(at));
}

/// One thread copies all units in turn.
void copy_runs(void** parameters, unsigned, unsigned) {
    drivers::RunCopy copy;
    std::memcpy(&copy, parameters[0], sizeof copy);
    to_host(copy.runs), origin_to_host(copy.spread), to_host(copy.dense);
    drivers::copy_runs(copy, 0, 1, copy.units());
}

constexpr unsigned long sizes_of_copy_runs[] = {sizeof(drivers::RunCopy), 0};

}  // namespace

const Kernel* own_kernel(const char* name) {
    static const Kernel copies_runs{copy_runs, sizes_of_copy_runs};
    return std::strcmp(name, "aureole_copy_runs") == 0 ? &copies_runs : nullptr;
}

}  // namespace aureole::emulated
