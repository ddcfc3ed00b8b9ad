// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hip/hip_runtime_api.h>

#include "fft/gpu/folders.hpp"
#include "fft/spectrum.hpp"

// Included by library.hpp. hipFFT's functions are declared here after its documentation, as
// distributions have the runtime without its header.
namespace aureole::fft::vendor {

using Plan = struct hipfftHandle_t*;
using Result = int;
using Stream = hipStream_t;
enum Kind : int { r2c = 0x2a, c2r = 0x2c, d2z = 0x6a, z2d = 0x6c };
inline constexpr Result success = 0;
inline const std::string name = "hipFFT";

inline float2* modes(Complex<float>* data) { return reinterpret_cast<float2*>(data); }
inline double2* modes(Complex<double>* data) { return reinterpret_cast<double2*>(data); }

struct Library {
    Result (*plan3d)(Plan*, int, int, int, Kind) = nullptr;
    Result (*destroy)(Plan) = nullptr;
    Result (*set_stream)(Plan, Stream) = nullptr;
    Result (*r2c)(Plan, float*, float2*) = nullptr;
    Result (*c2r)(Plan, float2*, float*) = nullptr;
    Result (*d2z)(Plan, double*, double2*) = nullptr;
    Result (*z2d)(Plan, double2*, double*) = nullptr;

    Library() {
        const device::SharedLibrary library(
            "libhipfft.so.0", rocm_folders(),
            "Install hipFFT, which comes with ROCm, name its folder in AUREOLE_ROCM_LIBRARIES, or "
            "choose device \"host\".");
        library.find(plan3d, "hipfftPlan3d"), library.find(destroy, "hipfftDestroy");
        library.find(set_stream, "hipfftSetStream");
        library.find(r2c, "hipfftExecR2C"), library.find(c2r, "hipfftExecC2R");
        library.find(d2z, "hipfftExecD2Z"), library.find(z2d, "hipfftExecZ2D");
    }
    static const Library& get() {
        static const Library functions;
        return functions;
    }
};

}  // namespace aureole::fft::vendor
