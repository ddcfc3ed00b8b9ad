// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hip/hip_runtime_api.h>
#include <link.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
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
        refuse_two_runtimes();
        library.find(plan3d, "hipfftPlan3d"), library.find(destroy, "hipfftDestroy");
        library.find(set_stream, "hipfftSetStream");
        library.find(r2c, "hipfftExecR2C"), library.find(c2r, "hipfftExecC2R");
        library.find(d2z, "hipfftExecD2Z"), library.find(z2d, "hipfftExecZ2D");
    }
    /// hipFFT has one name in all versions of ROCm: one of another brings a runtime of its own, for
    /// which streams of ours are none.
    static void refuse_two_runtimes() {
        std::vector<std::string> found;
        const auto look = [](dl_phdr_info* library, std::size_t, void* data) {
            if (std::string_view(library->dlpi_name).find("libamdhip64") != std::string_view::npos)
                static_cast<std::vector<std::string>*>(data)->push_back(library->dlpi_name);
            return 0;
        };
        dl_iterate_phdr(look, &found);
        if (found.size() < 2) return;
        throw core::DeviceError("hipFFT is of another ROCm than this build of Aureole",
                                found[0] + " and " + found[1] + " are both loaded",
                                "Name the folder of the other hipFFT in AUREOLE_ROCM_LIBRARIES.");
    }
    static const Library& get() {
        static const Library functions;
        return functions;
    }
};

}  // namespace aureole::fft::vendor
