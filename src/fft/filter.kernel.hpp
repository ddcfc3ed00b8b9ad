// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/spectrum.hpp"

namespace aureole::fft {

/// What Plan3::filter does to one wave, for plans whose library transforms whole grids.
template <class T>
struct MultiplyWave {
    using device_kernel = void;
    Complex<T>* wave;
    const T* factor;
    T* power;  ///< null: not wanted

    AUREOLE_FN void operator()(std::int64_t i) const {
        const Complex<T> a = wave[i];
        if (power != nullptr) power[i] = a.re * a.re + a.im * a.im;
        wave[i] = {factor[i] * a.re, factor[i] * a.im};
    }
};

}  // namespace aureole::fft
