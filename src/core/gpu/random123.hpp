// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random123 knows nvcc, but not HIP: its functions are marked for GPUs here, those of other headers
// that it includes are not.
#if defined(__HIPCC__)
#include <x86intrin.h>

#include <iostream>
#include <limits>
#pragma clang force_cuda_host_device begin
#endif
#include <Random123/philox.h>
#if defined(__HIPCC__)
#pragma clang force_cuda_host_device end
#endif
