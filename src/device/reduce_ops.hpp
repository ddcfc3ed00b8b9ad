// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/macros.hpp"

namespace aureole::device {

/// Operations for parallel_reduce; types with + or < of their own are welcome.
struct Sum {
    template <class T>
    AUREOLE_FN T operator()(const T& a, const T& b) const {
        return a + b;
    }
};

/// Not-a-numbers of the second argument lose; ask for finiteness separately.
struct Max {
    template <class T>
    AUREOLE_FN T operator()(const T& a, const T& b) const {
        return a < b ? b : a;
    }
};

struct Min {
    template <class T>
    AUREOLE_FN T operator()(const T& a, const T& b) const {
        return b < a ? b : a;
    }
};

}  // namespace aureole::device
