// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "fft/plan.hpp"

// Plans by other people's libraries; each is absent from builds or machines without its library.
namespace aureole::fft {

template <class T>
std::unique_ptr<Plan3<T>> make_gpu_plan(device::Queue& queue, GridSize n);

bool fftw_available();
template <class T>
std::unique_ptr<Plan3<T>> make_fftw_plan(device::Queue& queue, GridSize n);

}  // namespace aureole::fft
