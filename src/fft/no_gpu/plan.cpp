// SPDX-License-Identifier: Apache-2.0
#include "core/error.hpp"
#include "fft/vendor_plan.hpp"

namespace aureole::fft {

template <class T>
std::unique_ptr<Plan3<T>> make_gpu_plan(device::Queue&, GridSize) {
    throw core::DeviceError(
        "transforms on a GPU are not available", "this build is for no GPUs",
        "Choose device \"host\", or build for GPUs, as in docs/howto/run-on-a-gpu.md");
}

template std::unique_ptr<Plan3<float>> make_gpu_plan(device::Queue&, GridSize);
template std::unique_ptr<Plan3<double>> make_gpu_plan(device::Queue&, GridSize);

}  // namespace aureole::fft
