// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cufft.h>

#include "fft/gpu/folders.hpp"
#include "fft/spectrum.hpp"

// Included by library.hpp.
namespace aureole::fft::vendor {

using Plan = cufftHandle;
using Result = cufftResult;
using Stream = cudaStream_t;
inline constexpr Result success = CUFFT_SUCCESS;
inline constexpr auto r2c = CUFFT_R2C, c2r = CUFFT_C2R, d2z = CUFFT_D2Z, z2d = CUFFT_Z2D;
inline const std::string name = "cuFFT";

inline cufftComplex* modes(Complex<float>* data) { return reinterpret_cast<cufftComplex*>(data); }
inline cufftDoubleComplex* modes(Complex<double>* data) {
    return reinterpret_cast<cufftDoubleComplex*>(data);
}

struct Library {
    decltype(cufftPlan3d)* plan3d = nullptr;
    decltype(cufftDestroy)* destroy = nullptr;
    decltype(cufftSetStream)* set_stream = nullptr;
    decltype(cufftExecR2C)* r2c = nullptr;
    decltype(cufftExecC2R)* c2r = nullptr;
    decltype(cufftExecD2Z)* d2z = nullptr;
    decltype(cufftExecZ2D)* z2d = nullptr;

    Library() {
        const device::SharedLibrary library(
            "libcufft.so." + std::to_string(CUFFT_VER_MAJOR), cuda_folders(device::own_file()),
            "Install CUDA's run-time libraries or `pip install nvidia-cufft`, name their folder "
            "in AUREOLE_CUDA_LIBRARIES, or choose device \"host\".");
        library.find(plan3d, "cufftPlan3d"), library.find(destroy, "cufftDestroy");
        library.find(set_stream, "cufftSetStream");
        library.find(r2c, "cufftExecR2C"), library.find(c2r, "cufftExecC2R");
        library.find(d2z, "cufftExecD2Z"), library.find(z2d, "cufftExecZ2D");
    }
    static const Library& get() {
        static const Library functions;
        return functions;
    }
};

}  // namespace aureole::fft::vendor
