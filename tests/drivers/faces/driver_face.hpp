// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faces/runtime_face.hpp"

/// Functions that both vendors have in their driver-like API under the same name but for the
/// prefix (`cu` or `hip`). One vendor wants its driver initialised before, the other does it.
#ifdef AUREOLE_OPENS
#define DRV_NEEDS opening
#else
#define DRV_NEEDS driver
#endif

#define DRV_ENTER(name)                                                                  \
    static const ::aureole::emulated::Function entered_(RT_TEXT(RT(name)));              \
    if (const int status_ =                                                              \
            ::aureole::emulated::enter(entered_, ::aureole::emulated::Needs::DRV_NEEDS)) \
    return status_
