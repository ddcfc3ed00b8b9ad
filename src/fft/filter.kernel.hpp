// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/spectrum.hpp"

namespace aureole::fft {

/// Plan3::filter of one mode, for plans whose library transforms whole grids.
template <class T>
struct MultiplyMode {
    using device_kernel = void;
    Complex<T>* mode;
    const T* factor;
    T* power;  ///< null: not wanted

    AUREOLE_FN void operator()(std::int64_t i) const {
        const Complex<T> a = mode[i];
        if (power != nullptr) power[i] = a.re * a.re + a.im * a.im;
        mode[i] = {factor[i] * a.re, factor[i] * a.im};
    }
};

}  // namespace aureole::fft
